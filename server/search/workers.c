/* workers.c: the threads of the jobs: workers and the timer thread. */
#include <stdlib.h>

#include "server/search/jobs_internal.h"
#include "server/threads/priority.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

static void count_end(enum solve_end end, uint64_t took_ns)
{
	static const unsigned cells[] = {[SOLVE_COMPLETE] = METER_SOLVED,
					 [SOLVE_STOPPED] = METER_SOLVE_STOPPED,
					 [SOLVE_NO_MEMORY] = METER_SOLVE_FAILED,
					 [SOLVE_NO_TABLES] = METER_SOLVE_FAILED,
					 [SOLVE_WRONG] = METER_SOLVE_FAILED};
	meter_add(cells[end], 1);
	meter_solve(took_ns);
}

/* ---- slots of a search ---- */

struct job_slots {
	struct jobs *jobs;
	struct solve_job *job;
	bool over; /* with the lock */
};

/* With the lock. Returns at once if the search must stop or is over: ending needs no slot. */
static uint64_t wait_for_slot(struct job_slots *place, unsigned thread)
{
	struct jobs *jobs = place->jobs;
	struct solve_job *job = place->job;
	struct job_part *part = &job->parts[thread];
	const uint64_t began_ns = monotonic_ns();
	lock_assert_held(&jobs->lock);
	scheduler_wait(jobs, job, thread, began_ns);
	while (part->state == PART_WAITING && !place->over && !atomic_load(&job->stop))
		lock_wait(&jobs->lock, &job->granted);
	if (part->state == PART_WAITING)
		part->state = PART_IDLE;
	return monotonic_ns() - began_ns;
}

static uint64_t place_enter(void *context, unsigned thread)
{
	struct job_slots *place = context;
	uint64_t waited_ns = 0;
	lock_acquire(&place->jobs->lock);
	if (place->job->parts[thread].state != PART_RUNNING)
		waited_ns = wait_for_slot(place, thread);
	lock_release(&place->jobs->lock);
	return waited_ns;
}

static bool place_wanted(void *context, unsigned thread)
{
	const struct job_slots *place = context;
	return atomic_load_explicit(&place->job->parts[thread].yield, memory_order_relaxed);
}

static uint64_t place_yield(void *context, unsigned thread)
{
	struct job_slots *place = context;
	lock_acquire(&place->jobs->lock);
	const uint64_t waited_ns = wait_for_slot(place, thread);
	lock_release(&place->jobs->lock);
	return waited_ns;
}

static void place_leave(void *context, unsigned thread)
{
	struct job_slots *place = context;
	lock_acquire(&place->jobs->lock);
	scheduler_release(place->jobs, place->job, thread, monotonic_ns());
	lock_release(&place->jobs->lock);
}

static void place_over(void *context, bool over)
{
	struct job_slots *place = context;
	lock_acquire(&place->jobs->lock);
	place->over = over;
	pthread_cond_broadcast(&place->job->granted);
	lock_release(&place->jobs->lock);
}

static void place_notify(void *context)
{
	const struct job_slots *place = context;
	job_notify(place->jobs, place->job);
}

/* ---- working ---- */

/* Writes an answer as text; returns the end, SOLVE_NO_MEMORY if that fails. */
static enum solve_end write_answer(struct jobs *jobs, struct solve_job *job,
				   const struct solve_answer *answer, enum solve_end end,
				   struct buffer *text)
{
	const struct jobs_options *options = &jobs->options;
	const bool stopped = atomic_load(&job->stop);
	if (!stopped)
		count_end(end, answer->took_ns);
	if ((end != SOLVE_COMPLETE && end != SOLVE_STOPPED) ||
	    (stopped && !atomic_load(&job->cancelled)))
		return end;
	options->write(&job->question, answer, end, text);
	if (!stopped && options->ended)
		options->ended(options->context, &job->question, answer, end);
	return text->failed ? SOLVE_NO_MEMORY : end;
}

static enum job_status status_of(const struct solve_job *job, enum solve_end end)
{
	if (end == SOLVE_STOPPED && atomic_load(&job->cancelled))
		return JOB_CANCELLED;
	return end == SOLVE_COMPLETE || end == SOLVE_STOPPED ? JOB_DONE : JOB_FAILED;
}

/* With the lock. */
static void finish_job(struct jobs *jobs, struct solve_job *job, enum solve_end end,
		       struct buffer *text)
{
	lock_assert_held(&jobs->lock);
	DL_DELETE(jobs->running, job);
	if (job->status == JOB_RUNNING) {
		job->text = *text;
		*text = (struct buffer){0};
		job->end = end;
		job_end(jobs, job, status_of(job, end));
	}
}

void workers_work(struct jobs *jobs, struct solve_job *job)
{
	struct buffer text = {0};
	struct solve_answer answer;
	struct job_slots place = {jobs, job, false};
	const struct solve_schedule schedule = {&place,      place_enter, place_wanted,
						place_yield, place_leave, place_over};
	const bool alone = jobs->options.threads == 0;
	const struct solve_control control = {.stop = &job->stop,
					      .progress = &job->progress,
					      .threads = alone ? 1 : job->threads,
					      .waits = alone,
					      .schedule = alone ? NULL : &schedule,
					      .notify = alone ? NULL : place_notify,
					      .notify_context = &place};
	enum solve_end end =
		solve_answer(jobs->options.table_cache, &job->question, &control, &answer);
	end = write_answer(jobs, job, &answer, end, &text);
	solve_answer_free(&answer);
	solve_question_free(&job->question);
	lock_acquire(&jobs->lock);
	const uint64_t now_ns = monotonic_ns();
	for (unsigned i = 0; i < job->threads; i++)
		scheduler_release(jobs, job, i, now_ns);
	finish_job(jobs, job, end, &text);
	job_drop(jobs, job);
	scheduler_run(jobs, now_ns); /* jobs that could not begin before may begin now */
	lock_release(&jobs->lock);
	buffer_free(&text);
}

/* ---- threads ---- */

/* A job that has begun and that no thread works on. */
static struct solve_job *next_ready(struct jobs *jobs)
{
	struct solve_job *job = jobs->running;
	while (job && job->taken)
		job = job->next;
	if (!job)
		return NULL;
	job->taken = true;
	jobs->ready_count--;
	return job;
}

/* There are more threads than slots, because threads of suspended searches wait; ends this one if
 * enough others are idle. */
static bool retire(struct jobs *jobs)
{
	if (jobs->idle - jobs->ready_count <= jobs->options.threads)
		return false;
	for (unsigned i = 0; i < jobs->thread_count; i++) {
		if (!pthread_equal(jobs->threads[i], pthread_self()))
			continue;
		jobs->threads[i] = jobs->threads[--jobs->thread_count];
		jobs->idle--;
		pthread_detach(pthread_self());
		return true;
	}
	return false;
}

static void *worker_main(void *argument)
{
	struct jobs *jobs = argument;
	priority_lower();
	lock_acquire(&jobs->lock);
	while (!jobs->stopping || jobs->ready_count > 0) {
		struct solve_job *job = next_ready(jobs);
		if (!job && retire(jobs))
			break;
		if (!job) {
			lock_wait(&jobs->lock, &jobs->more);
			continue;
		}
		jobs->idle--;
		lock_release(&jobs->lock);
		workers_work(jobs, job);
		lock_acquire(&jobs->lock);
		jobs->idle++;
	}
	lock_release(&jobs->lock);
	return NULL;
}

/* The first thread makes tables before it works; the others do not wait for it. */
static void *first_main(void *argument)
{
	struct jobs *jobs = argument;
	table_cache_warm(jobs->options.table_cache);
	lock_acquire(&jobs->lock);
	jobs->idle++;
	lock_release(&jobs->lock);
	return worker_main(argument);
}

static bool add_thread(struct jobs *jobs, void *(*main)(void *))
{
	if (jobs->thread_count == jobs->thread_room) {
		const unsigned room = 2 * jobs->thread_room + 8;
		pthread_t *threads = realloc(jobs->threads, room * sizeof *threads);
		if (!threads)
			return false;
		jobs->threads = threads;
		jobs->thread_room = room;
	}
	if (pthread_create(&jobs->threads[jobs->thread_count], NULL, main, jobs) != 0)
		return false;
	jobs->thread_count++;
	return true;
}

bool workers_ensure_one(struct jobs *jobs)
{
	lock_assert_held(&jobs->lock);
	if (jobs->idle > jobs->ready_count)
		return true;
	if (!add_thread(jobs, worker_main))
		return false;
	jobs->idle++;
	return true;
}

static int64_t sooner(int64_t a_ms, int64_t b_ms)
{
	return a_ms < 0 ? b_ms : b_ms < 0 || a_ms < b_ms ? a_ms : b_ms;
}

static void sleep_until(struct jobs *jobs, int64_t due_ms)
{
	if (due_ms < 0)
		lock_wait(&jobs->lock, &jobs->clock);
	else
		lock_wait_until(&jobs->lock, &jobs->clock, (uint64_t)due_ms * 1000000u);
}

static void *timer_thread_main(void *argument)
{
	struct jobs *jobs = argument;
	lock_acquire(&jobs->lock);
	while (!jobs->stopping) {
		const int64_t now_ms = monotonic_ms();
		const int64_t listeners_ms = listeners_due(jobs, now_ms);
		const int64_t kept_ms = jobs_expire(jobs, now_ms);
		if (jobs->tick_ms >= 0 && jobs->tick_ms <= now_ms)
			scheduler_run(jobs, monotonic_ns());
		sleep_until(jobs, sooner(sooner(listeners_ms, kept_ms), jobs->tick_ms));
	}
	lock_release(&jobs->lock);
	return NULL;
}

bool workers_start(struct jobs *jobs)
{
	const unsigned wanted = jobs->options.threads;
	const bool warm = jobs->options.warm;
	unsigned count = 0;
	if (wanted == 0)
		return true;
	lock_acquire(&jobs->lock);
	while (count < wanted && add_thread(jobs, warm && count == 0 ? first_main : worker_main))
		count++;
	jobs->idle = count > 0 && warm ? count - 1 : count;
	jobs->timer_thread_started =
		pthread_create(&jobs->timer_thread, NULL, timer_thread_main, jobs) == 0;
	lock_release(&jobs->lock);
	return count == wanted && jobs->timer_thread_started;
}

void workers_join(struct jobs *jobs)
{
	for (unsigned i = 0; i < jobs->thread_count; i++)
		pthread_join(jobs->threads[i], NULL);
	if (jobs->timer_thread_started)
		pthread_join(jobs->timer_thread, NULL);
	free(jobs->threads);
}
