/* line.c: the jobs that wait, and which is next.
 *
 * Not simply the first: jobs that may take long leave one thread for those that do not; a client
 * that is counted leaves one for others; and of clients the one has precedence for whom the fewest
 * jobs run. Among equals it is the first. */
#include <string.h>

#include "server/solve/inside.h"

void line_append(struct jobs *jobs, struct solve_job *job)
{
	job->next = NULL;
	*(jobs->queue_last ? &jobs->queue_last->next : &jobs->queue_first) = job;
	jobs->queue_last = job;
	jobs->queued++;
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
}

static bool same_client(const struct solve_job *job, const uint8_t client[JOB_CLIENT_BYTES])
{
	return memcmp(job->client, client, JOB_CLIENT_BYTES) == 0;
}

static size_t count_running(const struct jobs *jobs, const uint8_t client[JOB_CLIENT_BYTES])
{
	size_t count = 0;
	for (const struct solve_job *job = jobs->running; job; job = job->next)
		count += same_client(job, client);
	return count;
}

size_t line_count(const struct jobs *jobs, const uint8_t client[JOB_CLIENT_BYTES])
{
	size_t count = count_running(jobs, client);
	for (const struct solve_job *job = jobs->queue_first; job; job = job->next)
		count += same_client(job, client);
	return count;
}

/* Threads that jobs which may take long, or those of one client, can have in all. */
static unsigned most_threads(const struct jobs *jobs)
{
	return jobs->thread_count > 1 ? jobs->thread_count - 1 : 1;
}

struct solve_job *line_take(struct jobs *jobs)
{
	const unsigned most = most_threads(jobs);
	struct solve_job *chosen = NULL;
	size_t fewest = SIZE_MAX;
	for (struct solve_job *job = jobs->queue_first; job; job = job->next) {
		size_t running = count_running(jobs, job->client);
		if ((job->lengthy && jobs->lengthy_threads >= most) ||
		    (job->counted && running >= most) || running >= fewest)
			continue;
		chosen = job;
		fewest = running;
	}
	if (!chosen)
		return NULL;
	line_remove(jobs, chosen);
	chosen->threads = 1;
	if (chosen->lengthy) {
		/* All that are left, where nobody else waits for them. */
		if (jobs->queued == 0)
			chosen->threads = most - jobs->lengthy_threads;
		jobs->lengthy_threads += chosen->threads;
	}
	return chosen;
}
