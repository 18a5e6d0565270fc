/* scheduler.c: which search has a slot.
 *
 * Slots. Long searches leave the last slot to short ones; and a counted client leaves the last one to
 * other clients, except for one short search.
 *
 * Order. Among clients the one goes first that has the least search time behind it: start-time fair
 * queueing (P. Goyal, H. Vin, H. Cheng: Start-time Fair Queueing, 1996) with the time measured while
 * it is used. Virtual time is the least time of all clients that have jobs. A new or returning client
 * begins there, so that idling earns nothing, and time used long ago costs nothing. Among the jobs of
 * one client those come first that have run for less than 0.1 s, then less than 1 s, 10 s and 100 s;
 * and of these the one submitted first. So a search never waits for one ten times as long, and
 * searches of equal length do not all end last.
 *
 * Slices. A part that has run for a slice must yield when another part precedes it. Parts of one
 * search take turns.
 *
 * server/util/fair_queue.h does not fit: it serves the items of a client in order and to their end;
 * here they are of two kinds, can be suspended, and have parts. */
#include <stdlib.h>

#include "server/search/jobs_internal.h"
#include "server/util/monotonic.h"

/* The time between two checks if tables that a job waits for are open. */
#define OPENING_NS 20000000u
/* Threads of one search. */
#define PARTS_MAX 64

/* ---- the queue ---- */

void scheduler_append(struct jobs *jobs, struct solve_job *job)
{
	lock_assert_held(&jobs->lock);
	struct job_client *client = job->client;
	DL_APPEND(jobs->queue, job);
	if (client->jobs++ == 0 && client->time_ns < jobs->virtual_ns)
		client->time_ns = jobs->virtual_ns;
}

/* It has begun, and none of its parts has a slot: others precede it, or its tables are being made. A
 * cancelled job does not count: it only ends. */
static bool is_suspended(const struct solve_job *job)
{
	return job->threads > 0 && job->slots == 0 && !atomic_load(&job->cancelled);
}

struct jobs_waiting scheduler_waiting(const struct jobs *jobs, const struct job_client *client)
{
	lock_assert_held(&jobs->lock);
	struct jobs_waiting waiting = {0};
	for (const struct solve_job *job = jobs->queue; job; job = job->next)
		if (!client || job->client == client)
			*(job->lengthy ? &waiting.lengthy : &waiting.brief) += 1;
	for (const struct solve_job *job = jobs->running; job; job = job->next)
		if ((!client || job->client == client) && is_suspended(job))
			*(job->lengthy ? &waiting.lengthy : &waiting.brief) += 1;
	return waiting;
}

unsigned scheduler_slots_released(const struct jobs *jobs, bool lengthy)
{
	lock_assert_held(&jobs->lock);
	unsigned slots = 0;
	for (const struct solve_job *job = jobs->running; job; job = job->next)
		slots += job->lengthy == lengthy && atomic_load(&job->cancelled) ? job->slots : 0;
	return slots;
}

/* ---- time ---- */

static void charge_job(struct solve_job *job, uint64_t now_ns)
{
	for (unsigned i = 0; i < job->threads; i++) {
		struct job_part *part = &job->parts[i];
		if (part->state != PART_RUNNING || now_ns <= part->charged_ns)
			continue;
		const uint64_t used_ns = now_ns - part->charged_ns;
		part->charged_ns = now_ns;
		part->used_ns += used_ns;
		job->used_ns += used_ns;
		job->client->time_ns += used_ns;
	}
}

static void least_time(const struct solve_job *job, uint64_t *least_ns)
{
	for (; job; job = job->next)
		if (job->client->jobs > 0 && job->client->time_ns < *least_ns)
			*least_ns = job->client->time_ns;
}

static void limit_debt(struct jobs *jobs, const struct solve_job *job)
{
	for (; job; job = job->next) {
		if (job->client->time_ns > jobs->virtual_ns + DEBT_NS)
			job->client->time_ns = jobs->virtual_ns + DEBT_NS;
		if (job->client->time_ns > jobs->latest_ns)
			jobs->latest_ns = job->client->time_ns;
	}
}

static void charge(struct jobs *jobs, uint64_t now_ns)
{
	uint64_t least_ns = UINT64_MAX;
	for (struct solve_job *job = jobs->running; job; job = job->next)
		charge_job(job, now_ns);
	least_time(jobs->queue, &least_ns);
	least_time(jobs->running, &least_ns);
	if (least_ns == UINT64_MAX)
		least_ns = jobs->latest_ns; /* there is no client */
	if (least_ns > jobs->virtual_ns)
		jobs->virtual_ns = least_ns;
	limit_debt(jobs, jobs->queue);
	limit_debt(jobs, jobs->running);
}

/* ---- order ---- */

static int level_of(const struct jobs *jobs, const struct solve_job *job)
{
	int level = 0;
	for (uint64_t most_ns = jobs->options.slice_ns; level < 4 && job->used_ns >= most_ns;
	     most_ns *= 10)
		level++;
	return level;
}

/* A part of a job; of a job that has not begun, its first one. */
struct candidate {
	struct solve_job *job; /* NULL: none */
	unsigned part;
};

static bool goes_before(const struct jobs *jobs, struct candidate a, struct candidate b)
{
	if (a.job == b.job)
		return a.job->parts[a.part].used_ns + jobs->options.slice_ns <=
		       a.job->parts[b.part].used_ns;
	if (a.job->client->time_ns != b.job->client->time_ns)
		return a.job->client->time_ns < b.job->client->time_ns;
	const int level_a = level_of(jobs, a.job), level_b = level_of(jobs, b.job);
	return level_a != level_b ? level_a < level_b : a.job->number < b.job->number;
}

/* The most slots that all long searches, or those of one client, can have. */
static unsigned most_slots(const struct jobs *jobs)
{
	return jobs->options.threads > 1 ? jobs->options.threads - 1 : 1;
}

/* While its tables are being opened, a job counts as long: the last slot must not wait for tables. */
static bool is_long_now(const struct jobs *jobs, const struct solve_job *job)
{
	if (job->threads > 0)
		return job->long_now;
	return job->lengthy || table_cache_opening(jobs->options.table_cache, job->solver);
}

/* Returns true if the client still leaves a slot to others. */
static bool leaves_one(const struct jobs *jobs, const struct solve_job *candidate, bool long_now)
{
	unsigned slots = 0, brief = 0;
	if (!candidate->client->key.counted || long_now)
		return true;
	for (const struct solve_job *job = jobs->running; job; job = job->next) {
		if (job->client != candidate->client)
			continue;
		slots += job->slots;
		brief += job->long_now ? 0 : job->slots;
	}
	return brief == 0 || slots < most_slots(jobs);
}

/* Kinds of candidates. */
enum slot_kind { KIND_BRIEF, KIND_LONG, KINDS };

static void consider(const struct jobs *jobs, struct candidate candidate, const bool kinds[KINDS],
		     struct candidate *best)
{
	if (best->job && !goes_before(jobs, candidate, *best))
		return;
	const bool long_now = is_long_now(jobs, candidate.job);
	if (kinds[long_now ? KIND_LONG : KIND_BRIEF] && leaves_one(jobs, candidate.job, long_now))
		*best = candidate;
}

/* The waiting candidate that precedes all others. */
static struct candidate first_waiting(const struct jobs *jobs, const bool kinds[KINDS], bool begin)
{
	struct candidate best = {0};
	for (struct solve_job *job = jobs->queue; job && begin; job = job->next)
		consider(jobs, (struct candidate){job, 0}, kinds, &best);
	for (struct solve_job *job = jobs->running; job; job = job->next)
		for (unsigned i = 0; i < job->threads; i++)
			if (job->parts[i].state == PART_WAITING)
				consider(jobs, (struct candidate){job, i}, kinds, &best);
	return best;
}

/* ---- slots ---- */

static bool any_waits(const struct jobs *jobs)
{
	const bool all[KINDS] = {true, true};
	return first_waiting(jobs, all, true).job != NULL;
}

static void begin_job(struct jobs *jobs, struct solve_job *job)
{
	const unsigned most = most_slots(jobs);
	const bool long_now = is_long_now(jobs, job);
	DL_DELETE(jobs->queue, job);
	job->long_now = long_now;
	job->threads = 1;
	/* All remaining slots, if no other job waits for them. */
	if (job->lengthy && most > jobs->long_slots_used && !any_waits(jobs))
		job->threads = most - jobs->long_slots_used;
	if (job->threads > PARTS_MAX)
		job->threads = PARTS_MAX;
	if (job->threads > job->solver->units)
		job->threads = job->solver->units > 0 ? job->solver->units : 1;
	job->parts = job->threads > 1 ? calloc(job->threads, sizeof *job->parts) : NULL;
	if (!job->parts) {
		job->parts = &job->first;
		job->threads = 1;
	}
	job->status = JOB_RUNNING;
	job->began_ms = monotonic_ms();
	DL_PREPEND(jobs->running, job);
	jobs->ready_count++;
	pthread_cond_signal(&jobs->more);
}

static void grant(struct jobs *jobs, struct candidate candidate, uint64_t now_ns)
{
	struct solve_job *job = candidate.job;
	if (job->threads == 0)
		begin_job(jobs, job);
	struct job_part *part = &job->parts[candidate.part];
	part->state = PART_RUNNING;
	part->since_ns = part->charged_ns = now_ns;
	atomic_store_explicit(&part->yield, false, memory_order_relaxed);
	job->slots++;
	jobs->slots_used++;
	jobs->long_slots_used += job->long_now;
	pthread_cond_broadcast(&job->granted);
}

static void revoke(struct jobs *jobs, struct solve_job *job, struct job_part *part)
{
	if (part->state != PART_RUNNING)
		return;
	job->slots--;
	jobs->slots_used--;
	jobs->long_slots_used -= job->long_now;
}

static void give_free_slots(struct jobs *jobs, uint64_t now_ns)
{
	while (jobs->slots_used < jobs->options.threads) {
		const bool kinds[KINDS] = {true, jobs->long_slots_used < most_slots(jobs)};
		const struct candidate next =
			first_waiting(jobs, kinds, jobs->queue != NULL && workers_ensure_one(jobs));
		if (!next.job)
			return;
		grant(jobs, next, now_ns);
	}
}

/* ---- slices ---- */

/* The part that must yield its slot to `next`: the last in the order of those that have used up their
 * slice. False if there is none, or if one is about to yield. */
static bool find_victim(const struct jobs *jobs, struct candidate next, bool of_long_ones,
			uint64_t now_ns, struct candidate *victim)
{
	const uint64_t slice_ns = jobs->options.slice_ns;
	*victim = (struct candidate){0};
	for (struct solve_job *job = jobs->running; job; job = job->next) {
		for (unsigned i = 0; i < job->threads; i++) {
			const struct candidate at = {job, i};
			const struct job_part *part = &job->parts[i];
			if (part->state != PART_RUNNING || (of_long_ones && !job->long_now) ||
			    now_ns < part->since_ns + slice_ns || !goes_before(jobs, next, at))
				continue;
			/* It is about to yield; unless it does so soon, it is passed over. */
			if (atomic_load_explicit(&part->yield, memory_order_relaxed) &&
			    now_ns < part->since_ns + 2 * slice_ns)
				return false;
			if (!atomic_load_explicit(&part->yield, memory_order_relaxed) &&
			    (!victim->job || goes_before(jobs, *victim, at)))
				*victim = at;
		}
	}
	return victim->job != NULL;
}

static void ask_for_slots(struct jobs *jobs, uint64_t now_ns)
{
	const bool long_full = jobs->long_slots_used >= most_slots(jobs);
	for (int kind = 0; kind < KINDS; kind++) {
		const bool kinds[KINDS] = {kind == KIND_BRIEF, kind == KIND_LONG};
		const struct candidate next = first_waiting(jobs, kinds, true);
		struct candidate victim;
		if (next.job &&
		    find_victim(jobs, next, kind == KIND_LONG && long_full, now_ns, &victim))
			atomic_store_explicit(&victim.job->parts[victim.part].yield, true,
					      memory_order_relaxed);
	}
}

/* Returns the time when the next slice ends. */
static uint64_t next_tick(const struct jobs *jobs, uint64_t now_ns)
{
	const uint64_t slice_ns = jobs->options.slice_ns;
	uint64_t tick_ns = now_ns + slice_ns;
	for (const struct solve_job *job = jobs->queue; job; job = job->next)
		if (!job->lengthy && now_ns + OPENING_NS < tick_ns)
			tick_ns = now_ns + OPENING_NS; /* its tables may be open then */
	for (const struct solve_job *job = jobs->running; job; job = job->next)
		for (unsigned i = 0; i < job->threads; i++)
			if (job->parts[i].state == PART_RUNNING &&
			    job->parts[i].since_ns + slice_ns > now_ns &&
			    job->parts[i].since_ns + slice_ns < tick_ns)
				tick_ns = job->parts[i].since_ns + slice_ns;
	return tick_ns;
}

void scheduler_run(struct jobs *jobs, uint64_t now_ns)
{
	lock_assert_held(&jobs->lock);
	const int64_t before_ms = jobs->tick_ms;
	if (jobs->stopping || jobs->options.threads == 0)
		return;
	charge(jobs, now_ns);
	give_free_slots(jobs, now_ns);
	jobs->tick_ms = -1;
	if (!any_waits(jobs))
		return;
	ask_for_slots(jobs, now_ns);
	jobs->tick_ms = (int64_t)(next_tick(jobs, now_ns) / 1000000u) + 1;
	if (before_ms < 0 || jobs->tick_ms < before_ms)
		pthread_cond_signal(&jobs->clock);
}

void scheduler_wait(struct jobs *jobs, struct solve_job *job, unsigned part, uint64_t now_ns)
{
	lock_assert_held(&jobs->lock);
	charge(jobs, now_ns);
	revoke(jobs, job, &job->parts[part]);
	job->parts[part].state = PART_WAITING;
	scheduler_run(jobs, now_ns);
}

void scheduler_release(struct jobs *jobs, struct solve_job *job, unsigned part, uint64_t now_ns)
{
	lock_assert_held(&jobs->lock);
	charge(jobs, now_ns);
	revoke(jobs, job, &job->parts[part]);
	job->parts[part].state = PART_IDLE;
	scheduler_run(jobs, now_ns);
}
