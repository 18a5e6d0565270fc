/* jobs.c: thread pools and the list of what they finished. */
#include "server/session/jobs.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/util/meters.h"

#define LOW_PRIORITY 10 /* as of nice(1) */

bool completions_init(struct completions *completions)
{
	*completions = (struct completions){.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
	pthread_mutex_init(&completions->lock, NULL);
	return completions->wake >= 0;
}

void completions_finish(struct completions *completions)
{
	if (completions->wake >= 0)
		close(completions->wake);
	pthread_mutex_destroy(&completions->lock);
}

/* The counter of an eventfd cannot overflow here, so a failed write means that it is readable
 * already. */
static void completions_wake(struct completions *completions, bool first)
{
	uint64_t one = 1;
	if (first && write(completions->wake, &one, sizeof one) < 0)
		return;
}

void completions_push_job(struct completions *completions, struct job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&completions->lock);
	bool first = !completions->first_job && !completions->first_write;
	if (completions->first_job)
		completions->last_job->next = job;
	else
		completions->first_job = job;
	completions->last_job = job;
	pthread_mutex_unlock(&completions->lock);
	completions_wake(completions, first);
}

void completions_push_writes(void *context, struct store_write *batch)
{
	struct completions *completions = context;
	struct store_write *last = batch;
	size_t writes = 1;
	for (; last->next; writes++)
		last = last->next;
	meter_batch(writes);
	pthread_mutex_lock(&completions->lock);
	bool first = !completions->first_job && !completions->first_write;
	if (completions->first_write)
		completions->last_write->next = batch;
	else
		completions->first_write = batch;
	completions->last_write = last;
	pthread_mutex_unlock(&completions->lock);
	completions_wake(completions, first);
}

void completions_take(struct completions *completions, struct job **jobs,
		      struct store_write **writes)
{
	uint64_t count;
	if (read(completions->wake, &count, sizeof count) < 0)
		count = 0; /* nothing was written since: what is there is taken all the same */
	pthread_mutex_lock(&completions->lock);
	*jobs = completions->first_job;
	*writes = completions->first_write;
	completions->first_job = completions->last_job = NULL;
	completions->first_write = completions->last_write = NULL;
	pthread_mutex_unlock(&completions->lock);
}

struct pool_thread {
	struct pool *pool;
	struct store_reader *reader;
	pthread_t thread;
	bool started;
};

struct pool {
	struct completions *completions;
	struct store *store;
	enum pool_priority priority;
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct job *first, *last;
	bool stop;
	unsigned thread_count;
	struct pool_thread *threads; /* one without a thread where jobs run inside pool_submit */
};

static void *pool_main(void *argument)
{
	struct pool_thread *self = argument;
	struct pool *pool = self->pool;
	/* On Linux a thread has a priority of its own. Where it cannot be lowered, it stays. */
	if (pool->priority == POOL_LOW)
		setpriority(PRIO_PROCESS, (id_t)gettid(), LOW_PRIORITY);
	pthread_mutex_lock(&pool->lock);
	for (;;) {
		while (!pool->first && !pool->stop)
			pthread_cond_wait(&pool->more, &pool->lock);
		struct job *job = pool->first;
		if (!job)
			break;
		pool->first = job->next;
		pthread_mutex_unlock(&pool->lock);
		job->run(job, self->reader);
		completions_push_job(pool->completions, job);
		pthread_mutex_lock(&pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static bool pool_thread_start(struct pool *pool, struct pool_thread *thread, bool with_thread)
{
	thread->pool = pool;
	if (pool->store) {
		thread->reader = pool->store->operations->reader_create(pool->store);
		if (!thread->reader)
			return false;
	}
	if (with_thread)
		thread->started = pthread_create(&thread->thread, NULL, pool_main, thread) == 0;
	return thread->started || !with_thread;
}

struct pool *pool_create(unsigned threads, enum pool_priority priority, struct store *store,
			 struct completions *completions)
{
	struct pool *pool = calloc(1, sizeof *pool);
	if (!pool)
		return NULL;
	*pool = (struct pool){.completions = completions, .store = store, .priority = priority};
	pool->thread_count = threads ? threads : 1;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->more, NULL);
	pool->threads = calloc(pool->thread_count, sizeof *pool->threads);
	bool started = pool->threads != NULL;
	for (unsigned i = 0; started && i < pool->thread_count; i++)
		started = pool_thread_start(pool, &pool->threads[i], threads > 0);
	if (!started) {
		pool_destroy(pool);
		return NULL;
	}
	return pool;
}

void pool_submit(struct pool *pool, struct job *job)
{
	if (!pool->threads[0].started) {
		job->run(job, pool->threads[0].reader);
		completions_push_job(pool->completions, job);
		return;
	}
	job->next = NULL;
	pthread_mutex_lock(&pool->lock);
	if (pool->first)
		pool->last->next = job;
	else
		pool->first = job;
	pool->last = job;
	pthread_mutex_unlock(&pool->lock);
	pthread_cond_signal(&pool->more);
}

void pool_destroy(struct pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stop = true;
	pthread_mutex_unlock(&pool->lock);
	pthread_cond_broadcast(&pool->more);
	for (unsigned i = 0; pool->threads && i < pool->thread_count; i++) {
		struct pool_thread *thread = &pool->threads[i];
		if (thread->started)
			pthread_join(thread->thread, NULL);
		if (thread->reader)
			pool->store->operations->reader_destroy(thread->reader);
	}
	free(pool->threads);
	pthread_mutex_destroy(&pool->lock);
	pthread_cond_destroy(&pool->more);
	free(pool);
}
