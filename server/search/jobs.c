/* jobs.c: searches on threads of their own: submit, cancel, inspect, listen. */
#include "cube/cube.h"
#include "server/search/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/store/session_id.h"
#include "server/search/jobs_internal.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

/* Time for a search if there are no threads. */
#define HERE_MS 100

const char *const job_status_names[JOB_STATUSES] = {"queued", "running", "done", "failed",
						    "cancelled"};

/* ---- the whole ---- */

struct jobs *jobs_create(const struct jobs_options *options)
{
	struct jobs *jobs = calloc(1, sizeof *jobs);
	if (!jobs)
		return NULL;
	jobs->options = *options;
	jobs->tick_ms = -1;
	if (jobs->options.slice_ns == 0)
		jobs->options.slice_ns = SLICE_NS;
	if (!lock_init(&jobs->lock) || !lock_condition_init(&jobs->clock)) {
		free(jobs);
		return NULL;
	}
	pthread_cond_init(&jobs->more, NULL);
	if (workers_start(jobs))
		return jobs;
	jobs_stop(jobs);
	jobs_destroy(jobs);
	return NULL;
}

void jobs_stop(struct jobs *jobs)
{
	lock_acquire(&jobs->lock);
	jobs->stopping = true;
	while (jobs->queue) {
		struct solve_job *job = jobs->queue;
		DL_DELETE(jobs->queue, job);
		solve_question_free(&job->question);
		job_end(jobs, job, JOB_CANCELLED);
		job_drop(jobs, job);
	}
	for (struct solve_job *job = jobs->running; job; job = job->next) {
		atomic_store(&job->stop, true);
		pthread_cond_broadcast(&job->granted);
		if (job->status == JOB_RUNNING)
			job_end(jobs, job, JOB_CANCELLED);
	}
	pthread_cond_broadcast(&jobs->more);
	pthread_cond_broadcast(&jobs->clock);
	lock_release(&jobs->lock);
}

void jobs_destroy(struct jobs *jobs)
{
	if (!jobs)
		return;
	workers_join(jobs);
	lock_acquire(&jobs->lock);
	kept_drop_all(jobs);
	clients_free(jobs);
	lock_release(&jobs->lock);
	pthread_cond_destroy(&jobs->clock);
	pthread_cond_destroy(&jobs->more);
	lock_destroy(&jobs->lock);
	free(jobs);
}

struct jobs_count jobs_count(struct jobs *jobs)
{
	lock_acquire(&jobs->lock);
	const struct jobs_waiting waiting = scheduler_waiting(jobs, NULL);
	struct jobs_count count = {.queued = waiting.lengthy + waiting.brief,
				   .kept = jobs->kept,
				   .kept_bytes = jobs->kept_bytes};
	for (const struct solve_job *job = jobs->queue; job; job = job->next)
		count.running++;
	for (const struct solve_job *job = jobs->running; job; job = job->next)
		count.running++;
	if (!jobs->stopping) /* else all that still have a thread */
		count.running -= count.queued;
	lock_release(&jobs->lock);
	return count;
}

/* ---- listeners ---- */

static void notify_listener(struct jobs *jobs, struct job_listener *listener)
{
	DL_DELETE(jobs->listeners, listener);
	listener->listening = false;
	completions_push_job(jobs->options.completions, &listener->heard);
}

int64_t listeners_due(struct jobs *jobs, int64_t now_ms)
{
	lock_assert_held(&jobs->lock);
	int64_t due_ms = -1;
	struct job_listener *listener, *next;
	DL_FOREACH_SAFE (jobs->listeners, listener, next) {
		if (listener->due_ms <= now_ms)
			notify_listener(jobs, listener);
		else if (due_ms < 0 || listener->due_ms < due_ms)
			due_ms = listener->due_ms;
	}
	return due_ms;
}

void job_listen(struct jobs *jobs, struct solve_job *job, struct job_listener *listener,
		int64_t wait_ms)
{
	lock_acquire(&jobs->lock);
	listener->job = job;
	listener->due_ms = monotonic_ms() + wait_ms;
	DL_PREPEND(jobs->listeners, listener);
	listener->listening = true;
	if ((job && job_has_ended(job)) || wait_ms <= 0 || jobs->stopping ||
	    jobs->options.threads == 0)
		notify_listener(jobs, listener);
	else
		pthread_cond_signal(&jobs->clock);
	lock_release(&jobs->lock);
}

void job_notify(struct jobs *jobs, struct solve_job *job)
{
	struct job_listener *listener, *next;
	lock_acquire(&jobs->lock);
	DL_FOREACH_SAFE (jobs->listeners, listener, next) {
		if (listener->job == job)
			notify_listener(jobs, listener);
	}
	lock_release(&jobs->lock);
}

bool job_unlisten(struct jobs *jobs, struct job_listener *listener)
{
	lock_acquire(&jobs->lock);
	const bool listened = listener->listening;
	if (listened)
		DL_DELETE(jobs->listeners, listener);
	listener->listening = false;
	lock_release(&jobs->lock);
	return listened;
}

/* ---- a job ---- */

void job_drop(struct jobs *jobs, struct solve_job *job)
{
	lock_assert_held(&jobs->lock);
	if (--job->references > 0)
		return;
	solve_question_free(&job->question);
	buffer_free(&job->text);
	if (job->client)
		client_release(jobs, job->client);
	if (job->parts != &job->first)
		free(job->parts);
	pthread_cond_destroy(&job->granted);
	free(job);
}

void job_end(struct jobs *jobs, struct solve_job *job, enum job_status status)
{
	lock_assert_held(&jobs->lock);
	struct job_listener *listener, *next;
	job->status = status;
	job->ended_ms = monotonic_ms();
	job->client->jobs--;
	DL_FOREACH_SAFE (jobs->listeners, listener, next) {
		if (listener->job == job)
			notify_listener(jobs, listener);
	}
	if (job->kept)
		kept_ended(jobs, job);
}

static struct solve_job *job_make(const struct solve_question *question)
{
	struct solve_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	uint8_t random[JOB_ID_TEXT];
	secret_random(random, sizeof random);
	for (int i = 0; i < JOB_ID_TEXT; i++)
		job->id[i] = base32_digits[random[i] & 31];
	job->solver = question->solver;
	job->size = question->cube->size;
	job->lengthy = solve_takes_long(question);
	job->progress.best = -1;
	job->references = 1;
	pthread_cond_init(&job->granted, NULL);
	return job;
}

/* Without threads: the job ends before job_submit() returns, and soon. */
static void work_here(struct jobs *jobs, struct solve_job *job)
{
	lock_acquire(&jobs->lock);
	job->status = JOB_RUNNING;
	job->began_ms = monotonic_ms();
	job->references++;
	const int64_t most_ms = job->question.patient ? HERE_MS / 10 : HERE_MS;
	if (job->question.timeout_ms > most_ms)
		job->question.timeout_ms = most_ms;
	job->taken = true;
	job->client->jobs++;
	DL_PREPEND(jobs->running, job);
	lock_release(&jobs->lock);
	workers_work(jobs, job);
}

static uint64_t half(uint64_t count)
{
	return count / 2 + count % 2;
}

static size_t of_kind(struct jobs_waiting waiting, const struct solve_job *job)
{
	return job->lengthy ? waiting.lengthy : waiting.brief;
}

static size_t count_queued(const struct jobs *jobs, const struct solve_job *job)
{
	const size_t waiting = of_kind(scheduler_waiting(jobs, NULL), job);
	const size_t released = scheduler_slots_released(jobs, job->lengthy);
	return waiting > released ? waiting - released : 0;
}

/* With the lock. No client has more waiting jobs than there are free places: so the more clients
 * there are, the fewer jobs each has, and a new client finds a place (dynamic thresholds: A.
 * Choudhury, E. Hahne, 1998). */
static enum job_admission admit(const struct jobs *jobs, const struct solve_job *job, bool patient)
{
	lock_assert_held(&jobs->lock);
	const struct jobs_options *options = &jobs->options;
	const struct job_client *client = job->client;
	const size_t queued = count_queued(jobs, job);
	const uint64_t queue_max = patient ? half(options->queue_max) : options->queue_max;
	const uint64_t client_max = patient ? half(options->client_max) : options->client_max;
	if (jobs->stopping)
		return JOB_STOPPING;
	if (client->key.counted && client->jobs >= client_max)
		return JOB_CLIENT_FULL;
	if (queued >= queue_max)
		return JOB_QUEUE_FULL;
	return client->key.counted &&
			       of_kind(scheduler_waiting(jobs, client), job) >= queue_max - queued
		       ? JOB_SHARE_FULL
		       : JOB_ADMITTED;
}

/* With the lock. */
static void enqueue(struct jobs *jobs, struct solve_job *job)
{
	lock_assert_held(&jobs->lock);
	job->references++;
	job->number = jobs->number++;
	scheduler_append(jobs, job);
	scheduler_run(jobs, monotonic_ns());
}

enum job_admission job_submit(struct jobs *jobs, struct solve_question *question,
			      const uint8_t *client, struct solve_job **into)
{
	struct solve_job *job = job_make(question);
	enum job_admission admission = JOB_NO_MEMORY;
	*into = NULL;
	if (!job)
		return JOB_NO_MEMORY;
	/* The thread that makes tables starts before one that waits for them. */
	if (jobs->options.threads > 0)
		table_cache_begin(jobs->options.table_cache, job->solver);
	lock_acquire(&jobs->lock);
	job->client = client_acquire(jobs, client);
	if (job->client)
		admission = admit(jobs, job, question->patient);
	if (admission == JOB_ADMITTED) {
		job->question = *question;
		*question = (struct solve_question){0};
		if (jobs->options.threads > 0)
			enqueue(jobs, job);
	} else {
		job_drop(jobs, job);
	}
	lock_release(&jobs->lock);
	if (admission != JOB_ADMITTED)
		return admission;
	if (jobs->options.threads == 0)
		work_here(jobs, job);
	*into = job;
	return JOB_ADMITTED;
}

void job_release(struct jobs *jobs, struct solve_job *job)
{
	lock_acquire(&jobs->lock);
	job_drop(jobs, job);
	lock_release(&jobs->lock);
}

struct solve_job *job_share(struct jobs *jobs, struct solve_job *job)
{
	lock_acquire(&jobs->lock);
	job->references++;
	lock_release(&jobs->lock);
	return job;
}

/* It never began, so nothing was found. */
static void cancel_queued(struct jobs *jobs, struct solve_job *job)
{
	const struct solve_answer none = {0};
	DL_DELETE(jobs->queue, job);
	if (job->kept)
		jobs->options.write(&job->question, &none, SOLVE_STOPPED, &job->text);
	if (job->text.failed)
		buffer_free(&job->text);
	job_end(jobs, job, JOB_CANCELLED);
	solve_question_free(&job->question);
	job_drop(jobs, job);
	scheduler_run(jobs, monotonic_ns());
}

void job_cancel(struct jobs *jobs, struct solve_job *job)
{
	lock_acquire(&jobs->lock);
	if (!job_has_ended(job) && !atomic_load(&job->cancelled)) {
		meter_add(METER_SOLVE_CANCELLED, 1);
		atomic_store(&job->cancelled, true);
		atomic_store(&job->stop, true);
		if (job->status == JOB_QUEUED)
			cancel_queued(jobs, job);
		else
			pthread_cond_broadcast(&job->granted);
	}
	lock_release(&jobs->lock);
}

/* ---- inspecting ---- */

static size_t count_ahead(const struct jobs *jobs, const struct solve_job *job)
{
	size_t ahead = 0;
	for (const struct solve_job *at = jobs->queue; at && at != job; at = at->next)
		ahead++;
	return ahead;
}

void job_look(struct jobs *jobs, struct solve_job *job, struct job_view *view)
{
	lock_acquire(&jobs->lock);
	const int64_t until_ms = job->ended_ms > 0 ? job->ended_ms : monotonic_ms();
	*view = (struct job_view){
		.status = job->status,
		.method = job->solver->name,
		.size = job->size,
		.nodes = atomic_load_explicit(&job->progress.nodes, memory_order_relaxed),
		.depth = atomic_load_explicit(&job->progress.depth, memory_order_relaxed),
		.best = atomic_load_explicit(&job->progress.best, memory_order_relaxed),
		.elapsed_ms = job->began_ms > 0 ? until_ms - job->began_ms : 0,
		.ahead = job->status == JOB_QUEUED ? count_ahead(jobs, job) : 0,
		.end = job->end,
		.text = job->status == JOB_DONE ||
					(job->status == JOB_CANCELLED && job->text.length > 0)
				? &job->text
				: NULL};
	memcpy(view->id, job->id, sizeof view->id);
	lock_release(&jobs->lock);
}
