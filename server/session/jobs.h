/* jobs.h: work for other threads, and the way back to the loop.
 *
 * A job is embedded in what it is about. `run` is called on a thread of the pool, then `done`
 * by a loop, with the service's lock. Threads of a pool that was made with a store have a reader
 * each. */
#ifndef SERVER_JOBS_H
#define SERVER_JOBS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "server/store/store.h"

struct job {
	struct job *next;
	void (*run)(struct job *job, struct store_reader *reader);
	void (*done)(struct job *job);
};

/* Where other threads leave what they finished: jobs and writes of the store. Wakes the loop once a
 * batch. */
struct completions {
	pthread_mutex_t lock;
	struct job *first_job, *last_job;
	struct store_write *first_write, *last_write;
	int wake; /* eventfd */
};

bool completions_init(struct completions *completions);
void completions_finish(struct completions *completions);
void completions_push_job(struct completions *completions, struct job *job);
/* A store_committed: `context` is the completions. */
void completions_push_writes(void *context, struct store_write *batch);
/* Takes everything that is there. */
void completions_take(struct completions *completions, struct job **jobs,
		      struct store_write **writes);

struct pool;

/* How much of the machine its threads may have. */
enum pool_priority { POOL_NORMAL, POOL_LOW };

/* `threads` 0: jobs run inside pool_submit. `store` NULL: jobs get no reader. NULL where threads or
 * readers cannot be made. */
struct pool *pool_create(unsigned threads, enum pool_priority priority, struct store *store,
			 struct completions *completions);
/* Queues a job; `run` and `done` are set. Never blocks; any number may wait (each is a request that
 * was admitted). */
void pool_submit(struct pool *pool, struct job *job);
/* Waits for the jobs that run; those that still wait are run as well. */
void pool_destroy(struct pool *pool);

#endif
