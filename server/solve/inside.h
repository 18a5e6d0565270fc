/* inside.h: what the files of the jobs share.
 *
 *     jobs.c   what is asked of them: submit, find, cancel, look, keep
 *     crew.c   the threads: those that work, and the one that looks at the clock
 *     line.c   which job is next
 */
#ifndef SERVER_SOLVE_INSIDE_H
#define SERVER_SOLVE_INSIDE_H

#include <pthread.h>

#include "server/solve/jobs.h"

struct solve_job {
	/* Never changed: */
	char id[JOB_ID_TEXT + 1];
	uint8_t client[JOB_CLIENT_BYTES];
	bool counted; /* its client is */
	bool lengthy; /* it may take long */
	const struct cube_solver *solver;
	int size;

	/* The thread's that works at it, until its end: */
	struct solve_question question;

	struct solve_progress progress;
	atomic_bool stop;

	/* With the lock: */
	enum job_status status;
	unsigned references;
	unsigned threads; /* that it may take, while it runs */
	bool long_now;    /* it runs, and its threads are of those for what may take long */
	int64_t began_ms; /* 0: it waits */
	int64_t ended_ms; /* 0: it has not ended */
	bool kept;
	enum solve_end end;              /* of one that is done or failed */
	struct buffer text;              /* when it has ended: not changed any more */
	struct solve_job *next;          /* in the queue, or among those that run */
	struct solve_job *older, *newer; /* of those that are kept */
};

struct jobs {
	struct jobs_options options;
	pthread_mutex_t lock;
	pthread_cond_t more;  /* to do, for those who work */
	pthread_cond_t clock; /* something for the one who looks at it */
	bool stopping;
	struct solve_job *queue_first, *queue_last;
	size_t queued, lengthy_queued;
	bool held; /* a job waits because its tables are being opened; the clerk looks again */
	struct solve_job *running; /* by `next` */
	size_t running_count;
	unsigned lengthy_threads;          /* that jobs which may take long have now */
	struct solve_job *oldest, *newest; /* that are kept */
	size_t kept;
	uint64_t kept_bytes;
	struct job_listener *listeners;
	pthread_t *threads;
	unsigned thread_count;
	pthread_t clerk;
	bool clerk_started;
};

/* ---- jobs.c; with the lock ---- */

/* A reference less. */
void job_drop(struct jobs *jobs, struct solve_job *job);
/* It has ended: those who listen hear, and answers that are too many go. */
void job_end(struct jobs *jobs, struct solve_job *job, enum job_status status);
/* Drops what was kept for long enough. Returns when to look again, or -1: there is nothing. */
int64_t jobs_expire(struct jobs *jobs, int64_t now_ms);
/* Has those who work look again whether tables are open that a job waits for. Returns when to look
 * again, or -1. */
int64_t held_due(struct jobs *jobs, int64_t now_ms);
/* Lets those hear whose time has come. Returns when to look again, or -1. */
int64_t listeners_due(struct jobs *jobs, int64_t now_ms);

/* ---- line.c; with the lock ---- */

void line_append(struct jobs *jobs, struct solve_job *job);
/* Takes it out, where it is in there. */
void line_remove(struct jobs *jobs, struct solve_job *job);
/* Takes the next one that may run now, and sets its `threads`; NULL: none. */
struct solve_job *line_take(struct jobs *jobs);
/* Jobs of that client that wait and run. */
size_t line_count(const struct jobs *jobs, const uint8_t client[JOB_CLIENT_BYTES]);

/* ---- crew.c ---- */

bool crew_start(struct jobs *jobs);
/* After `stopping`. */
void crew_join(struct jobs *jobs);
/* Works at a job that is among those that run. Without the lock. */
void crew_work(struct jobs *jobs, struct solve_job *job);

#endif
