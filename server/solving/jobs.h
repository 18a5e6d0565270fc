/* jobs.h: searches on threads of their own: a bounded number of threads, a bounded queue, bounded
 * time, and results that are kept for a while.
 *
 * A job waits in the queue, runs, and ends: done, failed or cancelled. Running jobs take turns if there
 * are more of them than slots (scheduler.c). The submitter holds a reference. A job that is kept
 * (job_keep) can be found by its id, which cannot be guessed, for some minutes after its end. A listener
 * is called once, through the completions of server/threads/pool.h: at the job's end or after a time,
 * whichever is first. Any thread may call these functions unless they say otherwise. */
#ifndef SERVER_SOLVING_JOBS_H
#define SERVER_SOLVING_JOBS_H

#include "server/threads/pool.h"
#include "server/solving/answer.h"
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
	bool warm;           /* the usual tables are made before anybody asks */
	uint64_t queue_max;  /* jobs that wait and may take long; and of others as many again */
	uint64_t client_max; /* jobs that wait and run, of one client that is counted */
	uint64_t keep_ms;    /* after its end a job is kept */
	uint64_t bytes_max;  /* of all answers that are kept */
	uint64_t slice_ns;   /* what a search may run while another one waits; 0: 0.1 s */
	/* Writes what is told of an answer. Any thread. */
	void (*write)(const struct solve_question *question, const struct solve_answer *answer,
		      enum solve_end end, struct buffer *text);
	/* Told of each answer that is there; NULL: nobody is. Any thread. */
	void (*ended)(void *context, const struct solve_question *question,
		      const struct solve_answer *answer, enum solve_end end);
	void *context; /* of `ended` */
};

/* NULL when threads or memory are out. */
MUST_USE struct jobs *jobs_create(const struct jobs_options *options);
/* Ends all that runs and waits, as cancelled, and takes nothing more. */
void jobs_stop(struct jobs *jobs);
/* After jobs_stop, with nobody who listens; waits for the threads. */
void jobs_destroy(struct jobs *jobs);

/* `queued`: all that have no slot now, also those that have begun and were suspended. */
struct jobs_count {
	size_t queued, running, kept;
	uint64_t kept_bytes;
};
struct jobs_count jobs_count(struct jobs *jobs);

enum job_admission {
	JOB_ADMITTED,
	JOB_QUEUE_FULL,
	JOB_CLIENT_FULL, /* client_max */
	JOB_SHARE_FULL,  /* the client has as many jobs waiting as there are places left */
	JOB_NO_MEMORY,
	JOB_STOPPING
};

/* Takes what `question` holds over where it is admitted; else it stays the caller's. `client` NULL:
 * one that is not counted. */
MUST_USE enum job_admission job_submit(struct jobs *jobs, struct solve_question *question,
				       const uint8_t *client, struct solve_job **job);

void job_release(struct jobs *jobs, struct solve_job *job);

/* Ends it; nothing where it has ended. One that runs ends within milliseconds, as cancelled with the
 * best so far for its answer, or as done where it had just found all; one that has not begun ends at
 * once, its answer that nothing was found. */
void job_cancel(struct jobs *jobs, struct solve_job *job);

struct job_view {
	char id[JOB_ID_TEXT + 1];
	enum job_status status;
	const char *method;
	int size;
	uint64_t nodes;
	int depth, best;    /* best -1: none */
	int64_t elapsed_ms; /* since it began, suspended or not; 0: it waits */
	size_t ahead;       /* jobs that came before it and wait too */
	enum solve_end end; /* of one that is done or failed */
	/* Of one that is done or cancelled (NULL where the server stopped); lives as long as the
	 * reference. */
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
/* `listener->heard.done` is set. Of no job (NULL) only the time is waited for. */
void job_listen(struct jobs *jobs, struct solve_job *job, struct job_listener *listener,
		int64_t wait_ms);
/* True: it will not be called. False: it was called, or is about to be. */
MUST_USE bool job_unlisten(struct jobs *jobs, struct job_listener *listener);

/* ---- job_table.c ---- */

/* Has it be found by its id. */
void job_keep(struct jobs *jobs, struct solve_job *job);
/* A reference, or NULL. */
MUST_USE struct solve_job *job_find(struct jobs *jobs, const char *id, size_t length);

#endif
