/* jobs_internal.h: what the files of the jobs share.
 *
 *     jobs.c       what is asked of them: submit, cancel, look, listen
 *     job_table.c    jobs that can be found, and their results
 *     clients.c    what each client has: jobs, kept answers, search time
 *     scheduler.c  which search has a slot: decisions only, no thread waits there
 *     workers.c       the threads: those that search, and the one that looks at the clock
 *
 * A search may run while it holds a slot; there are as many slots as `options.threads`, whatever
 * the number of threads. A search that is split between threads needs a slot for each (a part). Parts
 * are asked to give way (`yield`) when their slice is used up and another one goes before them; they
 * look at that where they poll their clock, block there until they have a slot again, and go on: the
 * state of a search is its stack, so that nothing is lost or done twice. */
#ifndef SERVER_SOLVING_JOBS_INTERNAL_H
#define SERVER_SOLVING_JOBS_INTERNAL_H

#define HASH_NONFATAL_OOM 1
#define HASH_FUNCTION HASH_SAX /* the usual one falls through cases, which clang reports */
#include <uthash.h>
#include <utlist.h>

#include "server/solving/jobs.h"
#include "server/util/lock.h"

/* What a part may run before it has to give way; jobs_options.slice_ns where that is set. */
#define SLICE_NS 100000000u
/* No client is further behind the others in search time than this, so that it never waits long for
 * having used what nobody else wanted. */
#define DEBT_NS 10000000000u

struct client_key {
	uint8_t address[JOB_CLIENT_BYTES];
	uint8_t counted;
};

/* Those who are not counted are one client. */
struct job_client {
	struct client_key key;
	uint64_t time_ns;    /* virtual time: search time behind it, see scheduler.c */
	size_t references;   /* of jobs, ended ones as well */
	size_t jobs;         /* that have not ended */
	uint64_t kept_bytes; /* of answers of jobs that have ended */
	UT_hash_handle hh;
};

enum part_state { PART_IDLE, PART_WAITING, PART_RUNNING };

/* A thread of a search. */
struct job_part {
	enum part_state state;
	uint64_t since_ns;   /* of the slice; PART_RUNNING */
	uint64_t charged_ns; /* up to when its time is in used_ns */
	uint64_t used_ns;    /* search time of this part */
	atomic_bool yield;   /* it is to give its slot up */
};

struct solve_job {
	/* Never changed: */
	char id[JOB_ID_TEXT + 1];
	struct job_client *client;
	bool lengthy; /* it may take long */
	const struct cube_solver *solver;
	int size;
	uint64_t number; /* in the order in which they came */

	/* The thread's that works at it, until its end: */
	struct solve_question question;

	struct solve_progress progress;
	atomic_bool stop;
	atomic_bool cancelled; /* it was asked to end; its best so far is its answer */

	/* With the lock: */
	enum job_status status;
	unsigned references;
	bool long_now;    /* it has begun, and its slots are of those for what may take long */
	bool taken;       /* it has begun, and a thread works at it */
	unsigned threads; /* that it may take; 0: it has not begun */
	struct job_part *parts; /* so many */
	struct job_part first;  /* where that is one */
	unsigned slots;         /* that its parts hold */
	uint64_t used_ns;       /* search time of all parts */
	pthread_cond_t granted; /* a slot to one of its parts; or it is to stop */
	int64_t began_ms;       /* 0: it waits */
	int64_t ended_ms;       /* 0: it has not ended */
	bool kept;
	enum solve_end end;              /* of one that has ended by itself */
	struct buffer text;              /* when it has ended: not changed any more */
	struct solve_job *prev, *next;   /* in the queue, or among those that run */
	struct solve_job *older, *newer; /* of those that are kept */
};

struct jobs {
	struct jobs_options options;
	struct lock lock;
	pthread_cond_t more;  /* to do, for those who work */
	pthread_cond_t clock; /* something for the one who looks at it */
	bool stopping;
	uint64_t number;

	struct solve_job *queue;    /* not begun; in the order in which they came */
	struct solve_job *running;  /* begun, by `next` */
	size_t ready_count;         /* of these, those that no thread has taken yet */
	struct job_client *clients; /* by key */
	size_t sweep_at;            /* as many clients */

	unsigned slots_used, long_slots_used;
	uint64_t virtual_ns, latest_ns; /* scheduler.c */
	int64_t tick_ms;                /* when to decide again; -1: at the next event */

	struct solve_job *oldest; /* that is kept; `oldest->older` is the newest */
	size_t kept;
	uint64_t kept_bytes;
	struct job_listener *listeners;

	pthread_t *threads;
	unsigned thread_count, thread_room, idle;
	pthread_t timer_thread;
	bool timer_thread_started;
};

/* ---- jobs.c; with the lock ---- */

/* A reference less. */
void job_drop(struct jobs *jobs, struct solve_job *job);
/* It has ended: those who listen hear, and answers that are too many go. */
void job_end(struct jobs *jobs, struct solve_job *job, enum job_status status);
/* Lets those hear whose time has come. Returns when to look again, or -1. */
int64_t listeners_due(struct jobs *jobs, int64_t now_ms);

static inline bool job_has_ended(const struct solve_job *job)
{
	return job->status >= JOB_DONE;
}

/* ---- job_table.c; with the lock ---- */

/* A job that is kept has ended: its result counts, and results that are too many go. */
void kept_ended(struct jobs *jobs, struct solve_job *job);
/* Drops what was kept for long enough. Returns when to look again, or -1: there is nothing. */
int64_t jobs_expire(struct jobs *jobs, int64_t now_ms);
void kept_drop_all(struct jobs *jobs);

/* ---- clients.c; with the lock ---- */

/* A reference; `address` NULL: those who are not counted. NULL when memory is out. */
MUST_USE struct job_client *client_acquire(struct jobs *jobs, const uint8_t *address);
void client_release(struct jobs *jobs, struct job_client *client);
/* The one with the most bytes of kept answers, or NULL if nobody has any. */
struct job_client *client_with_most_kept(const struct jobs *jobs);
/* When none is left that a job refers to. */
void clients_free(struct jobs *jobs);

/* ---- scheduler.c; with the lock ---- */

/* A job waits from now on. */
void scheduler_append(struct jobs *jobs, struct solve_job *job);
/* Gives free slots away, asks for those that others should have, sets `tick_ms`. `workers_ensure_one` says
 * whether a thread is there for a job that begins. */
void scheduler_run(struct jobs *jobs, uint64_t now_ns);
/* A part asks for a slot; it has one when its state is PART_RUNNING. */
void scheduler_wait(struct jobs *jobs, struct solve_job *job, unsigned part, uint64_t now_ns);
/* A part gives its slot back, if it has one. */
void scheduler_release(struct jobs *jobs, struct solve_job *job, unsigned part, uint64_t now_ns);
/* Jobs without a slot: of those that may take long, and of others. */
struct jobs_waiting {
	size_t lengthy, brief;
};
/* Of one client; NULL: of all. */
struct jobs_waiting scheduler_waiting(const struct jobs *jobs, const struct job_client *client);
/* Slots that cancelled searches of this kind still hold: as many of those that wait get one within
 * milliseconds. */
unsigned scheduler_slots_released(const struct jobs *jobs, bool lengthy);

/* ---- workers.c ---- */

MUST_USE bool workers_start(struct jobs *jobs);
/* After `stopping`. */
void workers_join(struct jobs *jobs);
/* Works at a job that is among those that run. Without the lock. */
void workers_work(struct jobs *jobs, struct solve_job *job);
/* With the lock: a thread that has nothing to do is there, beside those for jobs that are ready;
 * makes one. */
MUST_USE bool workers_ensure_one(struct jobs *jobs);

#endif
