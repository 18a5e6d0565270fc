/* pool.c: thread pools, and the completions. */
#include "server/threads/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "server/threads/priority.h"
#include "server/util/container_of.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"
#include "server/util/share.h"

#define MEAN_OF 16

bool completions_init(struct completions *completions)
{
	*completions = (struct completions){.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
	if (completions->wake >= 0 && lock_init(&completions->lock))
		return true;
	if (completions->wake >= 0)
		close(completions->wake);
	return false;
}

void completions_finish(struct completions *completions)
{
	close(completions->wake);
	lock_destroy(&completions->lock);
}

/* The counter of the eventfd cannot overflow, so a failed write means that it is readable
 * already. */
void completions_wake(struct completions *completions)
{
	uint64_t one = 1;
	if (write(completions->wake, &one, sizeof one) < 0)
		return;
}

void completions_push_job(struct completions *completions, struct job *job)
{
	job->next = NULL;
	lock_acquire(&completions->lock);
	bool first = !completions->first_job && !completions->first_write;
	if (completions->first_job)
		completions->last_job->next = job;
	else
		completions->first_job = job;
	completions->last_job = job;
	lock_release(&completions->lock);
	if (first)
		completions_wake(completions);
}

void completions_push_writes(void *context, struct store_write *batch)
{
	struct completions *completions = context;
	struct store_write *last = batch;
	size_t writes = 1;
	for (; last->next; writes++)
		last = last->next;
	meter_batch(writes);
	lock_acquire(&completions->lock);
	bool first = !completions->first_job && !completions->first_write;
	if (completions->first_write)
		completions->last_write->next = batch;
	else
		completions->first_write = batch;
	completions->last_write = last;
	lock_release(&completions->lock);
	if (first)
		completions_wake(completions);
}

void completions_take(struct completions *completions, struct job **jobs,
		      struct store_write **writes)
{
	uint64_t count;
	if (read(completions->wake, &count, sizeof count) < 0)
		count = 0; /* nothing was written since; take what is there */
	lock_acquire(&completions->lock);
	*jobs = completions->first_job;
	*writes = completions->first_write;
	completions->first_job = completions->last_job = NULL;
	completions->first_write = completions->last_write = NULL;
	lock_release(&completions->lock);
}

void job_complete(struct job *job)
{
	if (job->dropped)
		job->drop(job);
	else
		job->done(job);
}

/* ---- pools ---- */

struct pool_thread {
	struct pool *pool;
	struct store_reader *reader;
	pthread_t thread;
	bool started;
};

struct pool {
	struct pool_options options;
	struct lock lock;
	pthread_cond_t more;
	struct fair_queue queue;
	uint64_t estimated_ns; /* of the jobs that wait and run */
	uint64_t mean_ns;      /* processor time of a slice, of about the last MEAN_OF */
	bool stop;
	unsigned thread_count;
	struct pool_thread *threads; /* one entry without a thread if jobs run inside
				      * pool_submit() */
};

static struct job *job_of_item(struct fair_item *item)
{
	return container_of(item, struct job, queued);
}

static const uint8_t *client_of(const struct job *job)
{
	static const uint8_t none[CLIENT_KEY_BYTES];
	return job->client ? job->client : none;
}

/* With the pool's lock held. */
static void enqueue(struct pool *pool, struct job *job)
{
	lock_assert_held(&pool->lock);
	atomic_store(&job->pool, pool);
	pool->estimated_ns += job->queued.estimate_ns;
	fair_queue_push(&pool->queue, &job->queued, client_of(job));
}

static bool is_unwanted(const struct job *job)
{
	return job->drop && atomic_load(&job->abandoned);
}

/* Lets a loop call `drop`. */
static void drop_job(struct pool *pool, struct job *job)
{
	job->dropped = true;
	meter_add(METER_ABANDONED, 1);
	completions_push_job(pool->options.completions, job);
}

/* Runs one slice. Returns its time. */
static uint64_t run_slice(struct pool *pool, struct job *job, struct store_reader *reader)
{
	const uint64_t begin_ns = pool->options.clock();
	job->more = false;
	job->queued.begun = true;
	job->clock = pool->options.clock;
	job->slice_end_ns = begin_ns + pool->options.slice_ns;
	if (reader)
		meter_add(METER_STORE_READS, 1);
	job->run(job, reader);
	return pool->options.clock() - begin_ns;
}

/* Passes on a job that was run. */
static void pass_on(struct pool *pool, struct job *job)
{
	if (!job->more) {
		completions_push_job(pool->options.completions, job);
		return;
	}
	meter_add(METER_SLICES, 1);
	pool_submit_estimated(pool->options.rest ? pool->options.rest : pool, job,
			      job->queued.estimate_ns);
}

static void *pool_main(void *argument)
{
	struct pool_thread *self = argument;
	struct pool *pool = self->pool;
	if (pool->options.priority == POOL_LOW)
		priority_lower();
	lock_acquire(&pool->lock);
	for (;;) {
		struct fair_item *item;
		while (!(item = fair_queue_pop(&pool->queue)) && !pool->stop)
			lock_wait(&pool->lock, &pool->more);
		if (!item) /* the waiting ones are for the threads that serve its clients */
			break;
		struct job *job = job_of_item(item);
		atomic_store(&job->pool, NULL);
		lock_release(&pool->lock);
		const uint64_t before_ns = thread_cpu_ns();
		uint64_t cost_ns = run_slice(pool, job, self->reader);
		const uint64_t cpu_ns = thread_cpu_ns() - before_ns;
		lock_acquire(&pool->lock);
		pool->mean_ns += cpu_ns / MEAN_OF - pool->mean_ns / MEAN_OF;
		fair_queue_done(item, cost_ns);
		pool->estimated_ns -= item->estimate_ns;
		lock_release(&pool->lock);
		pass_on(pool, job);
		lock_acquire(&pool->lock);
	}
	lock_release(&pool->lock);
	return NULL;
}

static bool pool_thread_start(struct pool *pool, struct pool_thread *thread, bool with_thread)
{
	struct store *store = pool->options.store;
	thread->pool = pool;
	if (store) {
		thread->reader = store->operations->reader_create(store);
		if (!thread->reader)
			return false;
	}
	if (with_thread)
		thread->started = pthread_create(&thread->thread, NULL, pool_main, thread) == 0;
	return thread->started || !with_thread;
}

struct pool *pool_create(const struct pool_options *options)
{
	struct pool *pool = calloc(1, sizeof *pool);
	if (!pool)
		return NULL;
	if (!lock_init(&pool->lock)) {
		free(pool);
		return NULL;
	}
	pool->options = *options;
	pool->queue.in_service_max = options->client_threads;
	pool->thread_count = options->threads ? options->threads : 1;
	pthread_cond_init(&pool->more, NULL);
	pool->threads = calloc(pool->thread_count, sizeof *pool->threads);
	bool started = pool->threads != NULL;
	for (unsigned i = 0; started && i < pool->thread_count; i++)
		started = pool_thread_start(pool, &pool->threads[i], options->threads > 0);
	if (!started) {
		pool_destroy(pool);
		return NULL;
	}
	return pool;
}

static void run_here(struct pool *pool, struct job *job)
{
	do
		run_slice(pool, job, pool->threads[0].reader);
	while (job->more);
	completions_push_job(pool->options.completions, job);
}

void pool_submit(struct pool *pool, struct job *job)
{
	pool_submit_estimated(pool, job, 0);
}

size_t pool_at_once(const struct pool_options *options, size_t clients)
{
	const size_t allowed = clients * options->client_threads;
	size_t at_once = options->threads > 0 ? options->threads : 1;
	if (allowed > 0 && allowed < at_once)
		at_once = allowed;
	if (options->cores > 0 && options->cores < at_once)
		at_once = options->cores;
	return at_once;
}

static bool waits_too_long(struct pool *pool, const struct job *job,
			   const struct pool_patience *patience)
{
	lock_acquire(&pool->lock);
	const struct fair_outlook outlook = fair_queue_outlook(&pool->queue, client_of(job));
	const uint64_t all_ns = outlook.ahead * pool->mean_ns;
	lock_release(&pool->lock);
	return all_ns / pool_at_once(&pool->options, outlook.clients) >
	       (outlook.own ? patience->further_ns : patience->first_ns);
}

bool pool_submit_soon(struct pool *pool, struct job *job, const struct pool_patience *patience)
{
	if (job->client && !job->queued.begun && waits_too_long(pool, job, patience))
		return false;
	pool_submit(pool, job);
	return true;
}

enum pool_admission pool_admit(struct pool *pool, struct job *job, uint64_t estimate_ns,
			       const struct pool_share *share)
{
	enum pool_admission admission = POOL_ADMITTED;
	lock_acquire(&pool->lock);
	const uint64_t client_ns = fair_queue_estimated(&pool->queue, client_of(job));
	const uint64_t most_ns = share_of_free(share->total_ns, pool->estimated_ns - client_ns,
					       share->client_ns, share->total_ns);
	if (pool->estimated_ns > 0 && client_ns + estimate_ns > most_ns)
		admission = client_ns > 0 ? POOL_CLIENT_FULL : POOL_FULL;
	lock_release(&pool->lock);
	/* No other thread admits meanwhile: the service's lock is held. */
	if (admission == POOL_ADMITTED)
		pool_submit_estimated(pool, job, estimate_ns);
	return admission;
}

void pool_submit_estimated(struct pool *pool, struct job *job, uint64_t estimate_ns)
{
	job->dropped = false;
	job->queued.estimate_ns = estimate_ns;
	if (!pool->threads[0].started) {
		run_here(pool, job);
		return;
	}
	lock_acquire(&pool->lock);
	/* Checked with the lock held, after pool_abandon() can find the job: one of the two sees
	 * the other. */
	enqueue(pool, job);
	const bool unwanted = is_unwanted(job) && fair_queue_remove(&pool->queue, &job->queued);
	if (unwanted) {
		pool->estimated_ns -= job->queued.estimate_ns;
		atomic_store(&job->pool, NULL);
	}
	lock_release(&pool->lock);
	if (unwanted)
		drop_job(pool, job);
	else
		pthread_cond_signal(&pool->more);
}

void pool_abandon(struct job *job)
{
	struct pool *pool;
	bool removed = false;
	atomic_store(&job->abandoned, true);
	while (!removed && (pool = atomic_load(&job->pool)) != NULL) {
		lock_acquire(&pool->lock);
		/* It may be in another pool now. */
		const bool here = atomic_load(&job->pool) == pool;
		if (here && is_unwanted(job) && fair_queue_remove(&pool->queue, &job->queued)) {
			pool->estimated_ns -= job->queued.estimate_ns;
			atomic_store(&job->pool, NULL);
			removed = true;
		}
		lock_release(&pool->lock);
		if (removed)
			drop_job(pool, job);
		else if (here)
			break; /* it will be run */
	}
}

size_t pool_waiting(struct pool *pool)
{
	lock_acquire(&pool->lock);
	const size_t waiting = pool->queue.waiting;
	lock_release(&pool->lock);
	return waiting;
}

void pool_destroy(struct pool *pool)
{
	if (!pool)
		return;
	lock_acquire(&pool->lock);
	pool->stop = true;
	lock_release(&pool->lock);
	pthread_cond_broadcast(&pool->more);
	for (unsigned i = 0; pool->threads && i < pool->thread_count; i++) {
		struct pool_thread *thread = &pool->threads[i];
		if (thread->started)
			pthread_join(thread->thread, NULL);
		if (thread->reader)
			pool->options.store->operations->reader_destroy(thread->reader);
	}
	free(pool->threads);
	lock_destroy(&pool->lock);
	pthread_cond_destroy(&pool->more);
	free(pool);
}
