/* jobs.c: questions that are worked at by threads of their own: submit, find, cancel, look, keep.
 */
#include "server/solve/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/session/id.h"
#include "server/solve/inside.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

/* What a job takes that has ended, beside its text. */
#define JOB_BYTES sizeof(struct solve_job)
#define KEPT_MAX 10000
/* Time for a search where there are no threads. */
#define HERE_MS 100
#define BEYOND_MS (INT64_MAX / 4)

const char *const job_status_names[JOB_STATUSES] = {"queued", "running", "done", "failed",
						    "cancelled"};

/* ---- the whole ---- */

struct jobs *jobs_create(const struct jobs_options *options)
{
	pthread_condattr_t monotonic;
	struct jobs *jobs = calloc(1, sizeof *jobs);
	if (!jobs)
		return NULL;
	jobs->options = *options;
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_cond_init(&jobs->more, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&jobs->clock, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (crew_start(jobs))
		return jobs;
	jobs_stop(jobs);
	jobs_destroy(jobs);
	return NULL;
}

void jobs_stop(struct jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
	jobs->stopping = true;
	while (jobs->queue_first) {
		struct solve_job *job = jobs->queue_first;
		line_remove(jobs, job);
		solve_question_free(&job->question);
		job_end(jobs, job, JOB_CANCELLED);
		job_drop(jobs, job);
	}
	for (struct solve_job *job = jobs->running; job; job = job->next) {
		atomic_store(&job->stop, true);
		if (job->status == JOB_RUNNING)
			job_end(jobs, job, JOB_CANCELLED);
	}
	pthread_cond_broadcast(&jobs->more);
	pthread_cond_broadcast(&jobs->clock);
	pthread_mutex_unlock(&jobs->lock);
}

static void unkeep(struct jobs *jobs, struct solve_job *job)
{
	*(job->older ? &job->older->newer : &jobs->oldest) = job->newer;
	*(job->newer ? &job->newer->older : &jobs->newest) = job->older;
	job->older = job->newer = NULL;
	job->kept = false;
	jobs->kept--;
	jobs->kept_bytes -= JOB_BYTES + job->text.capacity;
	job_drop(jobs, job);
}

void jobs_destroy(struct jobs *jobs)
{
	if (!jobs)
		return;
	crew_join(jobs);
	while (jobs->oldest)
		unkeep(jobs, jobs->oldest);
	pthread_cond_destroy(&jobs->clock);
	pthread_cond_destroy(&jobs->more);
	pthread_mutex_destroy(&jobs->lock);
	free(jobs);
}

struct jobs_count jobs_count(struct jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
	struct jobs_count count = {.queued = jobs->queued,
				   .running = jobs->running_count,
				   .kept = jobs->kept,
				   .kept_bytes = jobs->kept_bytes};
	pthread_mutex_unlock(&jobs->lock);
	return count;
}

/* ---- those who listen ---- */

static void hear(struct jobs *jobs, struct job_listener *listener)
{
	*(listener->previous ? &listener->previous->next : &jobs->listeners) = listener->next;
	if (listener->next)
		listener->next->previous = listener->previous;
	listener->listening = false;
	completions_push_job(jobs->options.completions, &listener->heard);
}

int64_t listeners_due(struct jobs *jobs, int64_t now_ms)
{
	int64_t due_ms = -1;
	struct job_listener *next;
	for (struct job_listener *listener = jobs->listeners; listener; listener = next) {
		next = listener->next;
		if (listener->due_ms <= now_ms)
			hear(jobs, listener);
		else if (due_ms < 0 || listener->due_ms < due_ms)
			due_ms = listener->due_ms;
	}
	return due_ms;
}

static bool has_ended(const struct solve_job *job)
{
	return job->status >= JOB_DONE;
}

void job_listen(struct jobs *jobs, struct solve_job *job, struct job_listener *listener,
		int64_t wait_ms)
{
	pthread_mutex_lock(&jobs->lock);
	listener->job = job;
	listener->due_ms = monotonic_ms() + wait_ms;
	listener->previous = NULL;
	listener->next = jobs->listeners;
	if (listener->next)
		listener->next->previous = listener;
	jobs->listeners = listener;
	listener->listening = true;
	if ((job && has_ended(job)) || wait_ms <= 0 || jobs->stopping || jobs->options.threads == 0)
		hear(jobs, listener);
	else
		pthread_cond_signal(&jobs->clock);
	pthread_mutex_unlock(&jobs->lock);
}

bool job_unlisten(struct jobs *jobs, struct job_listener *listener)
{
	pthread_mutex_lock(&jobs->lock);
	const bool listened = listener->listening;
	if (listened) {
		*(listener->previous ? &listener->previous->next : &jobs->listeners) =
			listener->next;
		if (listener->next)
			listener->next->previous = listener->previous;
		listener->listening = false;
	}
	pthread_mutex_unlock(&jobs->lock);
	return listened;
}

/* ---- a job ---- */

void job_drop(struct jobs *jobs, struct solve_job *job)
{
	(void)jobs;
	if (--job->references > 0)
		return;
	solve_question_free(&job->question);
	buffer_free(&job->text);
	free(job);
}

/* Of those that have ended the oldest ones, until there is room. */
static void make_room(struct jobs *jobs)
{
	struct solve_job *next;
	for (struct solve_job *job = jobs->oldest;
	     job && (jobs->kept > KEPT_MAX || jobs->kept_bytes > jobs->options.bytes_max);
	     job = next) {
		next = job->newer;
		if (has_ended(job))
			unkeep(jobs, job);
	}
}

void job_end(struct jobs *jobs, struct solve_job *job, enum job_status status)
{
	struct job_listener *next;
	job->status = status;
	job->ended_ms = monotonic_ms();
	for (struct job_listener *listener = jobs->listeners; listener; listener = next) {
		next = listener->next;
		if (listener->job == job)
			hear(jobs, listener);
	}
	if (job->kept) {
		jobs->kept_bytes += job->text.capacity;
		make_room(jobs);
		pthread_cond_signal(&jobs->clock);
	}
}

int64_t jobs_expire(struct jobs *jobs, int64_t now_ms)
{
	const int64_t keep_ms =
		jobs->options.keep_ms < BEYOND_MS ? (int64_t)jobs->options.keep_ms : BEYOND_MS;
	int64_t due_ms = -1;
	struct solve_job *next;
	for (struct solve_job *job = jobs->oldest; job; job = next) {
		next = job->newer;
		if (!has_ended(job))
			continue;
		if (job->ended_ms + keep_ms <= now_ms)
			unkeep(jobs, job);
		else if (due_ms < 0 || job->ended_ms + keep_ms < due_ms)
			due_ms = job->ended_ms + keep_ms;
	}
	return due_ms;
}

static struct solve_job *job_make(const struct solve_question *question, const uint8_t *client)
{
	struct solve_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	uint8_t random[JOB_ID_TEXT];
	secret_random(random, sizeof random);
	for (int i = 0; i < JOB_ID_TEXT; i++)
		job->id[i] = base32_digits[random[i] & 31];
	if (client) {
		memcpy(job->client, client, JOB_CLIENT_BYTES);
		job->counted = true;
	}
	job->solver = question->solver;
	job->size = question->cube->size;
	job->lengthy = solve_takes_long(question);
	job->progress.best = -1;
	job->references = 1;
	return job;
}

/* No thread but this one: it is done when job_submit returns, and soon. */
static void work_here(struct jobs *jobs, struct solve_job *job)
{
	pthread_mutex_lock(&jobs->lock);
	job->status = JOB_RUNNING;
	job->began_ms = monotonic_ms();
	job->threads = 1;
	job->references++;
	job->long_now = job->lengthy;
	jobs->lengthy_threads += job->lengthy;
	const int64_t most_ms = job->question.patient ? HERE_MS / 10 : HERE_MS;
	if (job->question.timeout_ms > most_ms)
		job->question.timeout_ms = most_ms;
	job->next = jobs->running;
	jobs->running = job;
	jobs->running_count++;
	pthread_mutex_unlock(&jobs->lock);
	crew_work(jobs, job);
}

/* With the lock. */
static enum job_admission admit(const struct jobs *jobs, const struct solve_job *job,
				const uint8_t *client, bool patient)
{
	const struct jobs_options *options = &jobs->options;
	const size_t queued =
		job->lengthy ? jobs->lengthy_queued : jobs->queued - jobs->lengthy_queued;
	/* A half, rounded up. */
	const uint64_t queue_max =
		patient ? options->queue_max / 2 + options->queue_max % 2 : options->queue_max;
	const uint64_t client_max =
		patient ? options->client_max / 2 + options->client_max % 2 : options->client_max;
	if (jobs->stopping)
		return JOB_STOPPING;
	if (client && line_count(jobs, client) >= client_max)
		return JOB_CLIENT_FULL;
	return queued >= queue_max ? JOB_QUEUE_FULL : JOB_ADMITTED;
}

enum job_admission job_submit(struct jobs *jobs, struct solve_question *question,
			      const uint8_t *client, struct solve_job **into)
{
	struct solve_job *job = job_make(question, client);
	*into = NULL;
	if (!job)
		return JOB_NO_MEMORY;
	pthread_mutex_lock(&jobs->lock);
	const enum job_admission admission = admit(jobs, job, client, question->patient);
	if (admission != JOB_ADMITTED) {
		job_drop(jobs, job);
	} else {
		job->question = *question;
		*question = (struct solve_question){0};
	}
	if (admission == JOB_ADMITTED && jobs->options.threads > 0) {
		job->references++;
		line_append(jobs, job);
		pthread_cond_signal(&jobs->more);
	}
	pthread_mutex_unlock(&jobs->lock);
	if (admission != JOB_ADMITTED)
		return admission;
	if (jobs->options.threads == 0)
		work_here(jobs, job);
	else
		bank_begin(jobs->options.bank, job->solver);
	*into = job;
	return JOB_ADMITTED;
}

void job_keep(struct jobs *jobs, struct solve_job *job)
{
	pthread_mutex_lock(&jobs->lock);
	if (!job->kept && !jobs->stopping) {
		job->kept = true;
		job->references++;
		job->older = jobs->newest;
		*(jobs->newest ? &jobs->newest->newer : &jobs->oldest) = job;
		jobs->newest = job;
		jobs->kept++;
		jobs->kept_bytes += JOB_BYTES + job->text.capacity;
		make_room(jobs);
		pthread_cond_signal(&jobs->clock);
	}
	pthread_mutex_unlock(&jobs->lock);
}

struct solve_job *job_find(struct jobs *jobs, const char *id, size_t length)
{
	struct solve_job *job = NULL;
	if (length != JOB_ID_TEXT)
		return NULL;
	pthread_mutex_lock(&jobs->lock);
	for (job = jobs->newest; job && memcmp(job->id, id, JOB_ID_TEXT) != 0;)
		job = job->older;
	if (job)
		job->references++;
	pthread_mutex_unlock(&jobs->lock);
	return job;
}

void job_release(struct jobs *jobs, struct solve_job *job)
{
	pthread_mutex_lock(&jobs->lock);
	job_drop(jobs, job);
	pthread_mutex_unlock(&jobs->lock);
}

void job_cancel(struct jobs *jobs, struct solve_job *job)
{
	pthread_mutex_lock(&jobs->lock);
	if (!has_ended(job)) {
		const bool waits = job->status == JOB_QUEUED;
		meter_add(METER_SOLVE_CANCELLED, 1);
		atomic_store(&job->stop, true);
		job_end(jobs, job, JOB_CANCELLED);
		if (waits) {
			line_remove(jobs, job);
			solve_question_free(&job->question);
			job_drop(jobs, job);
		}
	}
	pthread_mutex_unlock(&jobs->lock);
}

/* ---- looking ---- */

static size_t count_ahead(const struct jobs *jobs, const struct solve_job *job)
{
	size_t ahead = 0;
	for (const struct solve_job *at = jobs->queue_first; at && at != job; at = at->next)
		ahead++;
	return ahead;
}

void job_look(struct jobs *jobs, struct solve_job *job, struct job_view *view)
{
	pthread_mutex_lock(&jobs->lock);
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
		.text = job->status == JOB_DONE ? &job->text : NULL};
	memcpy(view->id, job->id, sizeof view->id);
	pthread_mutex_unlock(&jobs->lock);
}
