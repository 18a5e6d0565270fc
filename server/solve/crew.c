/* crew.c: the threads of the jobs: those that work, and the clerk, who looks at the clock. */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "server/solve/inside.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

/* As of nice(1): whoever turns a cube goes first. */
#define PRIORITY 10
/* How often is looked whether tables are open. */
#define HELD_MS 20

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

void crew_work(struct jobs *jobs, struct solve_job *job)
{
	struct buffer text = {0};
	struct solve_answer answer;
	const struct solve_control control = {.stop = &job->stop,
					      .progress = &job->progress,
					      .threads = job->threads,
					      .waits = jobs->options.threads == 0};
	enum solve_end end = solve_answer(jobs->options.bank, &job->question, &control, &answer);
	if (!atomic_load(&job->stop)) {
		count_end(end, answer.took_ns);
		if (end == SOLVE_COMPLETE || end == SOLVE_STOPPED)
			jobs->options.write(&job->question, &answer, end, &text);
		if ((end == SOLVE_COMPLETE || end == SOLVE_STOPPED) && jobs->options.ended)
			jobs->options.ended(jobs->options.context, &job->question, &answer, end);
		if (text.failed)
			end = SOLVE_NO_MEMORY;
	}
	solve_answer_free(&answer);
	solve_question_free(&job->question);
	pthread_mutex_lock(&jobs->lock);
	for (struct solve_job **at = &jobs->running; *at; at = &(*at)->next)
		if (*at == job) {
			*at = job->next;
			break;
		}
	job->next = NULL;
	jobs->running_count--;
	if (job->long_now)
		jobs->lengthy_threads -= job->threads;
	if (job->status == JOB_RUNNING) {
		job->text = text;
		text = (struct buffer){0};
		job->end = end;
		job_end(jobs, job,
			end == SOLVE_COMPLETE || end == SOLVE_STOPPED ? JOB_DONE : JOB_FAILED);
	}
	/* The place is free: others may be let in that could not before. */
	pthread_cond_broadcast(&jobs->more);
	job_drop(jobs, job);
	pthread_mutex_unlock(&jobs->lock);
	buffer_free(&text);
}

static void *worker_main(void *argument)
{
	struct jobs *jobs = argument;
	setpriority(PRIO_PROCESS, (id_t)gettid(), PRIORITY);
	pthread_mutex_lock(&jobs->lock);
	while (!jobs->stopping) {
		struct solve_job *job = line_take(jobs);
		if (!job) {
			pthread_cond_wait(&jobs->more, &jobs->lock);
			continue;
		}
		job->status = JOB_RUNNING;
		job->began_ms = monotonic_ms();
		job->next = jobs->running;
		jobs->running = job;
		jobs->running_count++;
		pthread_mutex_unlock(&jobs->lock);
		crew_work(jobs, job);
		pthread_mutex_lock(&jobs->lock);
	}
	pthread_mutex_unlock(&jobs->lock);
	return NULL;
}

/* The first thread makes tables before it looks for work; the others need not wait for it. */
static void *first_main(void *argument)
{
	struct jobs *jobs = argument;
	if (jobs->options.warm)
		bank_warm(jobs->options.bank);
	return worker_main(argument);
}

int64_t held_due(struct jobs *jobs, int64_t now_ms)
{
	if (!jobs->held)
		return -1;
	jobs->held = false; /* line_take sets it again */
	pthread_cond_broadcast(&jobs->more);
	return now_ms + HELD_MS;
}

static int64_t sooner(int64_t a_ms, int64_t b_ms)
{
	return a_ms < 0 ? b_ms : b_ms < 0 || a_ms < b_ms ? a_ms : b_ms;
}

static void sleep_until(struct jobs *jobs, int64_t due_ms)
{
	if (due_ms < 0) {
		pthread_cond_wait(&jobs->clock, &jobs->lock);
		return;
	}
	struct timespec due = {.tv_sec = due_ms / 1000, .tv_nsec = due_ms % 1000 * 1000000};
	pthread_cond_timedwait(&jobs->clock, &jobs->lock, &due);
}

static void *clerk_main(void *argument)
{
	struct jobs *jobs = argument;
	pthread_mutex_lock(&jobs->lock);
	while (!jobs->stopping) {
		const int64_t now_ms = monotonic_ms();
		const int64_t listeners_ms = listeners_due(jobs, now_ms);
		const int64_t kept_ms = jobs_expire(jobs, now_ms);
		sleep_until(jobs, sooner(sooner(listeners_ms, kept_ms), held_due(jobs, now_ms)));
	}
	pthread_mutex_unlock(&jobs->lock);
	return NULL;
}

bool crew_start(struct jobs *jobs)
{
	const unsigned wanted = jobs->options.threads;
	if (wanted == 0)
		return true;
	jobs->threads = calloc(wanted, sizeof *jobs->threads);
	if (!jobs->threads)
		return false;
	/* Not counted before all are there: which job is next depends on how many they are. */
	pthread_mutex_lock(&jobs->lock);
	while (jobs->thread_count < wanted &&
	       pthread_create(&jobs->threads[jobs->thread_count], NULL,
			      jobs->thread_count == 0 ? first_main : worker_main, jobs) == 0)
		jobs->thread_count++;
	jobs->clerk_started = pthread_create(&jobs->clerk, NULL, clerk_main, jobs) == 0;
	pthread_mutex_unlock(&jobs->lock);
	return jobs->thread_count == wanted && jobs->clerk_started;
}

void crew_join(struct jobs *jobs)
{
	for (unsigned i = 0; i < jobs->thread_count; i++)
		pthread_join(jobs->threads[i], NULL);
	if (jobs->clerk_started)
		pthread_join(jobs->clerk, NULL);
	free(jobs->threads);
}
