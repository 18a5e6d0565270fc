/* jobs.h: searches on threads of their own: a bounded number of threads, a bounded queue, bounded
 * time, and results that are kept for a while.
 *
 * A job waits in the queue, runs, and ends: done, failed or cancelled. If there are more running jobs
 * than slots, they take turns (scheduler.c). The submitter holds a reference. A job that is kept
 * (job_keep) can be found by its unguessable id until some minutes after its end. A listener is
 * called once, through the completions of server/threads/pool.h: at the job's end or after a time,
 * whichever comes first. Unless noted otherwise, any thread may call these functions. */
#ifndef SERVER_SEARCH_JOBS_H
#define SERVER_SEARCH_JOBS_H

#include "server/threads/pool.h"
#include "server/search/answer.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

#define JOB_ID_TEXT 26
#define JOB_CLIENT_BYTES 16

enum job_status { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_STATUSES };

/* In the API: "running". */
extern const char *const job_status_names[JOB_STATUSES];

struct jobs;
struct solve_job;

struct jobs_options {
	unsigned threads; /* 0: a job runs inside job_submit */
	struct completions *completions;
	struct table_cache *table_cache;
	bool warm;           /* make the usual tables at once */
	uint64_t queue_max;  /* long jobs that wait; and as many short ones */
	uint64_t client_max; /* jobs of one counted client that wait or run */
	uint64_t keep_ms;    /* a job is kept for that long after its end */
	uint64_t bytes_max;  /* of all kept answers */
	uint64_t slice_ns;   /* a search runs for that long while another waits; 0: 0.1 s */
	/* Writes an answer as text. Called on any thread. */
	void (*write)(const struct solve_question *question, const struct solve_answer *answer,
		      enum solve_end end, struct buffer *text);
	/* Called with each answer, on any thread; may be NULL. */
	void (*ended)(void *context, const struct solve_question *question,
		      const struct solve_answer *answer, enum solve_end end);
	void *context; /* of `ended` */
};

/* NULL if there is no memory or no thread. */
MUST_USE struct jobs *jobs_create(const struct jobs_options *options);
/* Cancels all jobs and admits no new ones. */
void jobs_stop(struct jobs *jobs);
/* After jobs_stop(), without listeners; waits for the threads. */
void jobs_destroy(struct jobs *jobs);

/* `queued`: all without a slot, suspended ones included. */
struct jobs_count {
	size_t queued, running, kept;
	uint64_t kept_bytes;
};
struct jobs_count jobs_count(struct jobs *jobs);

enum job_admission {
	JOB_ADMITTED,
	JOB_QUEUE_FULL,
	JOB_CLIENT_FULL, /* client_max */
	JOB_SHARE_FULL,  /* the client has as many waiting jobs as there are free places */
	JOB_NO_MEMORY,
	JOB_STOPPING
};

/* If the job is admitted, it takes over what `question` holds; else that stays the caller's. `client`
 * (JOB_CLIENT_BYTES) NULL: a client that is not counted. */
MUST_USE enum job_admission job_submit(struct jobs *jobs, struct solve_question *question,
				       const uint8_t *client, struct solve_job **job);

void job_release(struct jobs *jobs, struct solve_job *job);
/* A new reference. */
MUST_USE struct solve_job *job_share(struct jobs *jobs, struct solve_job *job);

/* Cancels a job; does nothing if it has ended. A running job ends within milliseconds, as cancelled
 * with the best solution so far, or as done if it had just found all; one that has not begun ends at
 * once, with the answer that nothing was found. */
void job_cancel(struct jobs *jobs, struct solve_job *job);

struct job_view {
	char id[JOB_ID_TEXT + 1];
	enum job_status status;
	const char *method;
	int size;
	uint64_t nodes;
	int depth, best;    /* best -1: none */
	int64_t elapsed_ms; /* since it began, suspended or not; 0: it has not begun */
	size_t ahead;       /* waiting jobs that were submitted before it */
	enum solve_end end; /* of a job that is done or failed */
	bool stopped;       /* it has failed because its server stopped */
	/* The answer of a job that is done or cancelled (NULL if the server stopped); lives as long
	 * as the reference. */
	const struct buffer *text;
};
void job_look(struct jobs *jobs, struct solve_job *job, struct job_view *view);

/* A listener, in the caller's memory; must outlive its callback or job_unlisten(). */
struct job_listener {
	struct job heard; /* first; its `done` is called by a loop, with the service's lock */
	struct solve_job *job;
	int64_t due_ms;
	bool listening;
	struct job_listener *prev, *next;
};
/* The caller has set `listener->heard.done`. `job` NULL: only the time counts. */
void job_listen(struct jobs *jobs, struct solve_job *job, struct job_listener *listener,
		int64_t wait_ms);
/* Calls the listeners of a job before its end. */
void job_notify(struct jobs *jobs, struct solve_job *job);
/* True: the listener will not be called. False: it was called, or is about to be. */
MUST_USE bool job_unlisten(struct jobs *jobs, struct job_listener *listener);

/* ---- job_table.c ---- */

/* Makes the job findable by its id. */
void job_keep(struct jobs *jobs, struct solve_job *job);
/* Returns true if the job can still be found by its id. */
MUST_USE bool job_is_kept(struct jobs *jobs, const struct solve_job *job);
/* A new reference, or NULL. O(kept jobs), the newest first. */
MUST_USE struct solve_job *job_find(struct jobs *jobs, const char *id, size_t length);

#endif
