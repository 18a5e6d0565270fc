/* pool.h: thread pools, and the way back to the loops.
 *
 * A job is embedded in its subject. `run` is called on a thread of the pool, then `done` on a loop,
 * with the service's lock held. In a pool with a store, each thread has a reader.
 *
 * The order of service. Clients share a pool by the time its threads have spent on each
 * (server/util/fair_queue.h): a client with much work waits behind clients with little. Among the
 * jobs of one client, those that have begun come first (the next piece of a stream, the next slice
 * of a scan), then new ones, both in the order of arrival. So a client has one long job in progress
 * at a time, unless its streams wait for their reader.
 *
 * Slices. A long job does part of its work in each call of `run`: when job_slice_over() is true it
 * sets `more` and returns, and is queued again behind others. No statement and no transaction of
 * the store is left open in between, since the log could not be reset meanwhile.
 *
 * Disconnects. A job with a `drop` whose client no longer waits (pool_abandon) is not run: it
 * leaves the queue at once, and `drop` is called instead of `done`. */
#ifndef SERVER_THREADS_POOL_H
#define SERVER_THREADS_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "server/store/store.h"
#include "server/util/fair_queue.h"
#include "server/util/lock.h"
#include "server/util/error.h"

struct pool;

/* All zero except `run` and `done` is a job of the service itself. A job may be submitted again
 * after it was run, to any pool; then it counts as begun. */
struct job {
	struct job *next; /* in the completions */
	void (*run)(struct job *job, struct store_reader *reader);
	void (*done)(struct job *job);
	void (*drop)(struct job *job); /* NULL: it is run although its client has disconnected */
	const uint8_t *client; /* CLIENT_KEY_BYTES, as long as the job; NULL: the service itself */
	bool more;             /* set by `run` to be called again */

	/* For the pools: */
	bool dropped;
	_Atomic bool abandoned;
	struct fair_item queued;
	_Atomic(struct pool *) pool; /* the pool where it waits; NULL: none */
	uint64_t slice_end_ns;
	uint64_t (*clock)(void);
};

/* The work that other threads have finished: jobs, and writes of the store. Wakes a loop once for
 * each batch. */
struct completions {
	struct lock lock;
	struct job *first_job, *last_job;
	struct store_write *first_write, *last_write;
	int wake; /* eventfd */
};

MUST_USE bool completions_init(struct completions *completions);
void completions_finish(struct completions *completions);
void completions_push_job(struct completions *completions, struct job *job);
/* A store_committed: `context` is the completions. */
void completions_push_writes(void *context, struct store_write *batch);
/* Makes a loop look, although nothing was added. */
void completions_wake(struct completions *completions);
/* Removes and returns everything, as chains by `next`. */
void completions_take(struct completions *completions, struct job **jobs,
		      struct store_write **writes);

/* Calls `done`, or `drop`, of a job from the completions. */
void job_complete(struct job *job);

/* The priority of the threads. */
enum pool_priority { POOL_NORMAL, POOL_LOW };

struct pool_options {
	unsigned threads; /* 0: jobs run to their end inside pool_submit() */
	/* Most threads that jobs of one client use at a time, so that others need not wait for a
	 * long one; 0: all. */
	unsigned client_threads;
	unsigned cores; /* processors that the threads share; 0: each has its own */
	enum pool_priority priority;
	struct store *store; /* NULL: jobs get no reader */
	struct completions *completions;
	/* The pool where jobs continue after their first slice; NULL: here. Must have a store if
	 * this pool has one, and be destroyed later. */
	struct pool *rest;
	uint64_t slice_ns;       /* the length of a slice; 0: job_slice_over() is always true */
	uint64_t (*clock)(void); /* monotonic, in ns */
};

/* Returns the number of jobs that run at the same time if so many clients have some. */
MUST_USE size_t pool_at_once(const struct pool_options *options, size_t clients);

/* NULL if threads or readers cannot be made. */
MUST_USE struct pool *pool_create(const struct pool_options *options);
/* Queues a job. Never blocks; the queue has no limit (each job is a request that was admitted). */
void pool_submit(struct pool *pool, struct job *job);

/* The longest that a job may have to wait: the first of its client, and any further one. */
struct pool_patience {
	uint64_t first_ns;
	uint64_t further_ns;
};

/* Queues a job unless it would probably wait for longer than its patience, by the processor time that
 * jobs took here lately and its client's turns. False: it is not queued. So a client with few jobs is admitted
 * beside one with many, and what is admitted is answered while its client waits. With the service's lock
 * held; jobs that have begun, and those of the service, are always queued. */
MUST_USE bool pool_submit_soon(struct pool *pool, struct job *job,
			       const struct pool_patience *patience);

/* Most estimated work waiting and running: in total, and of a client that is alone; if there are
 * others, a client may have the same part of what they leave (server/util/share.h). Above 0. */
struct pool_share {
	uint64_t total_ns, client_ns;
};

enum pool_admission {
	POOL_ADMITTED,
	POOL_FULL,       /* the other clients leave too little */
	POOL_CLIENT_FULL /* too little with what the client has queued already */
};

/* Queues a job with an estimated cost, if there is room. With the service's lock held. A job larger
 * than the share is admitted if no other waits or runs. */
MUST_USE enum pool_admission pool_admit(struct pool *pool, struct job *job, uint64_t estimate_ns,
					const struct pool_share *share);
/* Queues a job that was admitted earlier; its estimate counts for later ones. */
void pool_submit_estimated(struct pool *pool, struct job *job, uint64_t estimate_ns);

/* The client no longer waits for the job. With the service's lock held; the job need not be in any
 * pool. */
void pool_abandon(struct job *job);

/* Returns true if the job's slice is over. Call it on the pool's thread after each part of the
 * work. */
MUST_USE static inline bool job_slice_over(const struct job *job)
{
	return job->clock() >= job->slice_end_ns;
}

/* The number of waiting jobs. Any thread. */
size_t pool_waiting(struct pool *pool);

/* Runs what still waits, waits for the threads, and frees the pool. */
void pool_destroy(struct pool *pool);

#endif
