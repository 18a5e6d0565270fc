/* jobs_internal.h: what the files of the jobs share.
 *
 *     jobs.c       submit, cancel, inspect, listen
 *     job_table.c  jobs that can be found, and their results
 *     clients.c    what each client has: jobs, kept answers, search time
 *     scheduler.c  which search has a slot: decisions only, no thread waits there
 *     workers.c    the threads that search, and the timer thread
 *
 * A search may run while it holds a slot; there are as many slots as `options.threads`, whatever
 * the number of threads. A search that is split between threads needs one for each (a part). A part
 * is asked to `yield` when its slice is used up and another part precedes it. It checks that where it
 * polls its clock, and blocks there until it has a slot again: the state of a search is its stack, so
 * nothing is lost or done twice. */
#ifndef SERVER_SEARCH_JOBS_INTERNAL_H
#define SERVER_SEARCH_JOBS_INTERNAL_H

#define HASH_NONFATAL_OOM 1
#define HASH_FUNCTION HASH_SAX /* the usual one falls through cases, which clang reports */
#include <uthash.h>
#include <utlist.h>

#include "server/search/jobs.h"
#include "server/util/lock.h"

/* The time that a part runs before it has to yield, unless jobs_options.slice_ns is set. */
#define SLICE_NS 100000000u
/* The most search time that counts against a client: it never waits long for having used idle slots.
 */
#define DEBT_NS 10000000000u

struct client_key {
	uint8_t address[JOB_CLIENT_BYTES];
	uint8_t counted;
};

/* All clients that are not counted are one. */
struct job_client {
	struct client_key key;
	uint64_t time_ns;    /* virtual time: search time used, see scheduler.c */
	size_t references;   /* of jobs, ended ones included */
	size_t jobs;         /* jobs that have not ended */
	uint64_t kept_bytes; /* of the answers of ended jobs */
	UT_hash_handle hh;
};

enum part_state { PART_IDLE, PART_WAITING, PART_RUNNING };

/* A thread of a search. */
struct job_part {
	enum part_state state;
	uint64_t since_ns;   /* of the slice; PART_RUNNING */
	uint64_t charged_ns; /* time up to here is in used_ns */
	uint64_t used_ns;    /* search time of this part */
	atomic_bool yield;   /* it must give up its slot */
};

struct solve_job {
	/* Constant: */
	char id[JOB_ID_TEXT + 1];
	struct job_client *client;
	bool lengthy; /* it may take long */
	const struct cube_solver *solver;
	int size;
	uint64_t number; /* in the order of submission */

	/* Only for the thread that works on it, until its end: */
	struct solve_question question;

	struct solve_progress progress;
	atomic_bool stop;
	atomic_bool cancelled; /* its best solution so far is its answer */

	/* With the lock: */
	enum job_status status;
	unsigned references;
	bool long_now;          /* it has begun, and its slots are among those of long jobs */
	bool taken;             /* it has begun, and a thread works on it */
	unsigned threads;       /* threads that it may use; 0: it has not begun */
	struct job_part *parts; /* `threads` of them */
	struct job_part first;  /* if that is one */
	unsigned slots;         /* slots that its parts hold */
	uint64_t used_ns;       /* search time of all parts */
	pthread_cond_t granted; /* one of its parts got a slot, or it must stop */
	int64_t began_ms;       /* 0: it has not begun */
	int64_t ended_ms;       /* 0: it has not ended */
	bool kept;
	enum solve_end end;              /* if it has ended by itself */
	struct buffer text;              /* constant once it has ended */
	struct solve_job *prev, *next;   /* in `queue` or `running` */
	struct solve_job *older, *newer; /* among kept jobs */
};

struct jobs {
	struct jobs_options options;
	struct lock lock;
	pthread_cond_t more;  /* work, for workers */
	pthread_cond_t clock; /* for the timer thread */
	bool stopping;
	uint64_t number;

	struct solve_job *queue;    /* not begun, in the order of submission */
	struct solve_job *running;  /* begun, the newest first */
	size_t ready_count;         /* running jobs that no thread works on yet */
	struct job_client *clients; /* by key */
	size_t sweep_at;            /* with that many clients */

	unsigned slots_used, long_slots_used;
	uint64_t virtual_ns, latest_ns; /* scheduler.c */
	int64_t tick_ms;                /* when to decide again; -1: at the next event */

	struct solve_job *oldest; /* of kept jobs; `oldest->older` is the newest */
	size_t kept;
	uint64_t kept_bytes;
	struct job_listener *listeners;

	pthread_t *threads;
	unsigned thread_count, thread_room, idle;
	pthread_t timer_thread;
	bool timer_thread_started;
};

/* ---- jobs.c; with the lock ---- */

/* Drops a reference. */
void job_drop(struct jobs *jobs, struct solve_job *job);
/* Ends a job: notifies its listeners and makes room for its result. */
void job_end(struct jobs *jobs, struct solve_job *job, enum job_status status);
/* Notifies listeners that are due. Returns when the next one is due, or -1. */
int64_t listeners_due(struct jobs *jobs, int64_t now_ms);

static inline bool job_has_ended(const struct solve_job *job)
{
	return job->status >= JOB_DONE;
}

/* ---- job_table.c; with the lock ---- */

/* A kept job has ended: counts its result, and drops others that are too many. */
void kept_ended(struct jobs *jobs, struct solve_job *job);
/* Drops results that were kept for long enough. Returns when the next one is due, or -1. */
int64_t jobs_expire(struct jobs *jobs, int64_t now_ms);
void kept_drop_all(struct jobs *jobs);

/* ---- clients.c; with the lock ---- */

/* A new reference; `address` NULL: the client that is not counted. NULL if out of memory. */
MUST_USE struct job_client *client_acquire(struct jobs *jobs, const uint8_t *address);
void client_release(struct jobs *jobs, struct job_client *client);
/* The client with the most bytes of kept answers; NULL: no client has any. */
struct job_client *client_with_most_kept(const struct jobs *jobs);
/* After the last reference. */
void clients_free(struct jobs *jobs);

/* ---- scheduler.c; with the lock ---- */

/* Puts a job into the queue. */
void scheduler_append(struct jobs *jobs, struct solve_job *job);
/* Grants free slots, asks parts to yield to those that precede them, and sets `tick_ms`. A job
 * begins only if workers_ensure_one() has a thread for it. */
void scheduler_run(struct jobs *jobs, uint64_t now_ns);
/* A part asks for a slot; it has one once its state is PART_RUNNING. */
void scheduler_wait(struct jobs *jobs, struct solve_job *job, unsigned part, uint64_t now_ns);
/* A part gives its slot back, if it has one. */
void scheduler_release(struct jobs *jobs, struct solve_job *job, unsigned part, uint64_t now_ns);
/* Jobs without a slot, long and short ones. */
struct jobs_waiting {
	size_t lengthy, brief;
};
/* `client` NULL: of all. */
struct jobs_waiting scheduler_waiting(const struct jobs *jobs, const struct job_client *client);
/* Slots that cancelled searches of this kind still hold, and give up within milliseconds. */
unsigned scheduler_slots_released(const struct jobs *jobs, bool lengthy);

/* ---- workers.c ---- */

MUST_USE bool workers_start(struct jobs *jobs);
/* After `stopping` was set. */
void workers_join(struct jobs *jobs);
/* Works on a running job until its end. Without the lock. */
void workers_work(struct jobs *jobs, struct solve_job *job);
/* With the lock: whether there is an idle thread beyond those for ready jobs; creates one if not. */
MUST_USE bool workers_ensure_one(struct jobs *jobs);

#endif
