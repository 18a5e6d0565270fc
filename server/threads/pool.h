/* pool.h: work for other threads, and the way back to the loop.
 *
 * A job is embedded in what it is about. `run` is called on a thread of the pool, then `done`
 * by a loop, with the service's lock. Threads of a pool that was made with a store have a reader
 * each.
 *
 * The order of service. Clients share a pool by the time its threads have spent on each
 * (server/util/fair_queue.h): one that asks for much waits behind those who ask for little. Among
 * the jobs of one client, those that have begun come first (the next piece of a stream, the next
 * slice of a scan), then the new ones, both in the order in which they came. So a client has one
 * long job in progress at a time, unless its streams wait for their reader.
 *
 * Slices. A long job does part of its work in each call of `run`: it looks at job_slice_over(), sets
 * `more` and returns, and is queued again behind others. No statement and no transaction of the
 * store is left open in between, since the log could not be reset meanwhile.
 *
 * Leaving. A job that its client no longer waits for (pool_abandon) and that has a `drop` is not
 * run: it leaves the queue at once, and `drop` is called in place of `done`. */
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

/* All zero but for `run` and `done` is a job of the service's own. A job that was run may be
 * submitted again, to any pool; it has begun then. */
struct job {
	struct job *next; /* of the completions */
	void (*run)(struct job *job, struct store_reader *reader);
	void (*done)(struct job *job);
	void (*drop)(struct job *job); /* NULL: it is run although its client has left */
	const uint8_t *client; /* CLIENT_KEY_BYTES, as long as the job; NULL: the service itself */
	bool more;             /* set by `run`: call it again */

	/* The pools': */
	bool dropped;
	_Atomic bool abandoned;
	struct fair_item queued;
	_Atomic(struct pool *) pool; /* where it waits; NULL: nowhere */
	uint64_t slice_end_ns;
	uint64_t (*clock)(void);
};

/* Where other threads leave what they finished: jobs and writes of the store. Wakes the loop once a
 * batch. */
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
/* Takes everything that is there. */
void completions_take(struct completions *completions, struct job **jobs,
		      struct store_write **writes);

/* Ends a job that was taken from the completions: calls `done`, or `drop`. */
void job_complete(struct job *job);

/* How much of the machine its threads may have. */
enum pool_priority { POOL_NORMAL, POOL_LOW };

struct pool_options {
	unsigned threads; /* 0: jobs run inside pool_submit, to their end */
	/* Of these, the ones that jobs of one client may have at a time, so that others need not wait
	 * for the end of a long one; 0: all. */
	unsigned client_threads;
	enum pool_priority priority;
	struct store *store; /* NULL: jobs get no reader */
	struct completions *completions;
	/* Where jobs go on that want more than one slice; NULL: here. It has a store if this one
	 * has, and is destroyed later. */
	struct pool *rest;
	uint64_t slice_ns;       /* the length of a slice; 0: job_slice_over() is always true */
	uint64_t (*clock)(void); /* monotonic, in ns */
};

/* NULL if threads or readers cannot be made. */
MUST_USE struct pool *pool_create(const struct pool_options *options);
/* Queues a job. Never blocks; any number may wait (each is a request that was admitted). */
void pool_submit(struct pool *pool, struct job *job);

/* How much estimated work may wait and run: in all, and of a client that is alone; beside others a
 * client may have the same part of what they leave (server/util/share.h). Above 0. */
struct pool_share {
	uint64_t total_ns, client_ns;
};

enum pool_admission {
	POOL_ADMITTED,
	POOL_FULL,       /* the others leave too little for this job */
	POOL_CLIENT_FULL /* too little with what the client has there already */
};

/* Queues a job whose cost is estimated, if there is room. With the service's lock. A job that is
 * larger than the share is admitted if no other waits or runs. */
MUST_USE enum pool_admission pool_admit(struct pool *pool, struct job *job, uint64_t estimate_ns,
					const struct pool_share *share);
/* Queues a job that was admitted earlier; its estimate counts for later ones. */
void pool_submit_estimated(struct pool *pool, struct job *job, uint64_t estimate_ns);

/* The client no longer waits for what the job is about. With the service's lock; the job need not
 * be in any pool. */
void pool_abandon(struct job *job);

/* Whether the job's slice is over: to be asked after each part of its work, on the pool's thread. */
MUST_USE static inline bool job_slice_over(const struct job *job)
{
	return job->clock() >= job->slice_end_ns;
}

/* Jobs that wait. Any thread. */
size_t pool_waiting(struct pool *pool);

/* Waits for the jobs that run; those that still wait are run as well. */
void pool_destroy(struct pool *pool);

#endif
