/* job_table.c: jobs that can be found by their ids, and their results after their end. */
#include <string.h>

#include "server/search/jobs_internal.h"

/* The memory of an ended job, without its text. */
#define JOB_BYTES sizeof(struct solve_job)
#define KEPT_MAX 10000
#define BEYOND_MS (INT64_MAX / 4)

static void unkeep(struct jobs *jobs, struct solve_job *job)
{
	DL_DELETE2(jobs->oldest, job, older, newer);
	job->kept = false;
	jobs->kept--;
	jobs->kept_bytes -= JOB_BYTES + job->text.capacity;
	if (job_has_ended(job))
		job->client->kept_bytes -= JOB_BYTES + job->text.capacity;
	job_drop(jobs, job);
}

void kept_drop_all(struct jobs *jobs)
{
	lock_assert_held(&jobs->lock);
	while (jobs->oldest)
		unkeep(jobs, jobs->oldest);
}

static struct solve_job *oldest_ended(const struct jobs *jobs, const struct job_client *client)
{
	struct solve_job *job = jobs->oldest;
	while (job && (job->client != client || !job_has_ended(job)))
		job = job->newer;
	return job;
}

/* Until there is room, drops the oldest ended job of the client that has the most: so no client
 * displaces results that another one has yet to read. */
static void make_room(struct jobs *jobs)
{
	while (jobs->kept > KEPT_MAX || jobs->kept_bytes > jobs->options.bytes_max) {
		const struct job_client *most = client_with_most_kept(jobs);
		struct solve_job *job = most ? oldest_ended(jobs, most) : NULL;
		if (!job)
			return;
		unkeep(jobs, job);
	}
}

void kept_ended(struct jobs *jobs, struct solve_job *job)
{
	lock_assert_held(&jobs->lock);
	jobs->kept_bytes += job->text.capacity;
	job->client->kept_bytes += JOB_BYTES + job->text.capacity;
	make_room(jobs);
	pthread_cond_signal(&jobs->clock);
}

int64_t jobs_expire(struct jobs *jobs, int64_t now_ms)
{
	lock_assert_held(&jobs->lock);
	const int64_t keep_ms =
		jobs->options.keep_ms < BEYOND_MS ? (int64_t)jobs->options.keep_ms : BEYOND_MS;
	int64_t due_ms = -1;
	struct solve_job *job, *next;
	DL_FOREACH_SAFE2 (jobs->oldest, job, next, newer) {
		if (!job_has_ended(job))
			continue;
		if (job->ended_ms + keep_ms <= now_ms)
			unkeep(jobs, job);
		else if (due_ms < 0 || job->ended_ms + keep_ms < due_ms)
			due_ms = job->ended_ms + keep_ms;
	}
	return due_ms;
}

void job_keep(struct jobs *jobs, struct solve_job *job)
{
	lock_acquire(&jobs->lock);
	if (!job->kept && !jobs->stopping) {
		job->kept = true;
		job->references++;
		DL_APPEND2(jobs->oldest, job, older, newer);
		jobs->kept++;
		jobs->kept_bytes += JOB_BYTES + job->text.capacity;
		if (job_has_ended(job))
			job->client->kept_bytes += JOB_BYTES + job->text.capacity;
		make_room(jobs);
		pthread_cond_signal(&jobs->clock);
	}
	lock_release(&jobs->lock);
}

struct solve_job *job_find(struct jobs *jobs, const char *id, size_t length)
{
	if (length != JOB_ID_TEXT)
		return NULL;
	lock_acquire(&jobs->lock);
	struct solve_job *job = jobs->oldest ? jobs->oldest->older : NULL;
	while (job && memcmp(job->id, id, JOB_ID_TEXT) != 0)
		job = job == jobs->oldest ? NULL : job->older;
	if (job)
		job->references++;
	lock_release(&jobs->lock);
	return job;
}

bool job_is_kept(struct jobs *jobs, const struct solve_job *job)
{
	lock_acquire(&jobs->lock);
	const bool kept = job->kept;
	lock_release(&jobs->lock);
	return kept;
}
