/* line.c: the jobs that wait, and which is next.
 *
 * Not simply the first: jobs that may take long leave one thread for those that do not; a client
 * that is counted leaves one for others, but for one job that does not take long; and of clients
 * the one has precedence for whom the fewest jobs run. Among equals it is the first. */
#include <string.h>

#include "server/solve/inside.h"

void line_append(struct jobs *jobs, struct solve_job *job)
{
	job->next = NULL;
	*(jobs->queue_last ? &jobs->queue_last->next : &jobs->queue_first) = job;
	jobs->queue_last = job;
	jobs->queued++;
	jobs->lengthy_queued += job->lengthy;
}

void line_remove(struct jobs *jobs, struct solve_job *job)
{
	struct solve_job *before = NULL, *at = jobs->queue_first;
	for (; at && at != job; at = at->next)
		before = at;
	if (!at)
		return;
	*(before ? &before->next : &jobs->queue_first) = job->next;
	if (jobs->queue_last == job)
		jobs->queue_last = before;
	job->next = NULL;
	jobs->queued--;
	jobs->lengthy_queued -= job->lengthy;
}

static bool same_client(const struct solve_job *job, const uint8_t client[JOB_CLIENT_BYTES])
{
	return memcmp(job->client, client, JOB_CLIENT_BYTES) == 0;
}

/* *brief: how many of them do not take long. */
static size_t count_running(const struct jobs *jobs, const uint8_t client[JOB_CLIENT_BYTES],
			    size_t *brief)
{
	size_t count = 0;
	*brief = 0;
	for (const struct solve_job *job = jobs->running; job; job = job->next) {
		if (!same_client(job, client))
			continue;
		count++;
		*brief += !job->long_now;
	}
	return count;
}

size_t line_count(const struct jobs *jobs, const uint8_t client[JOB_CLIENT_BYTES])
{
	size_t brief, count = count_running(jobs, client, &brief);
	for (const struct solve_job *job = jobs->queue_first; job; job = job->next)
		count += same_client(job, client);
	return count;
}

/* Threads that jobs which may take long, or those of one client, can have in all. */
static unsigned most_threads(const struct jobs *jobs)
{
	return jobs->thread_count > 1 ? jobs->thread_count - 1 : 1;
}

/* While its tables are being opened a job is one of those that may take long: the last thread is
 * not to wait for tables. */
static bool is_long_now(const struct jobs *jobs, const struct solve_job *job)
{
	return job->lengthy || bank_opening(jobs->options.bank, job->solver);
}

static void hold(struct jobs *jobs, const struct solve_job *job)
{
	if (job->lengthy || jobs->held)
		return;
	jobs->held = true;
	pthread_cond_signal(&jobs->clock);
}

struct solve_job *line_take(struct jobs *jobs)
{
	const unsigned most = most_threads(jobs);
	struct solve_job *chosen = NULL;
	size_t fewest = SIZE_MAX;
	for (struct solve_job *job = jobs->queue_first; job; job = job->next) {
		size_t brief, running = count_running(jobs, job->client, &brief);
		if (running >= fewest)
			continue;
		const bool long_now = is_long_now(jobs, job);
		if (long_now && jobs->lengthy_threads >= most) {
			hold(jobs, job);
			continue;
		}
		if (job->counted && running >= most && (long_now || brief > 0))
			continue;
		chosen = job;
		fewest = running;
		job->long_now = long_now;
	}
	if (!chosen)
		return NULL;
	line_remove(jobs, chosen);
	chosen->threads = 1;
	if (chosen->long_now) {
		/* All that are left, where nobody else waits for them. */
		if (jobs->queued == 0 && chosen->lengthy)
			chosen->threads = most - jobs->lengthy_threads;
		jobs->lengthy_threads += chosen->threads;
	}
	return chosen;
}
