/* shared_jobs.c: posting the jobs of this server, and listening for who cancels them. */
#include "server/modules/postgres/job_notice.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "server/api/request/service_state.h"
#include "server/modules/postgres/nodes.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

/* The time between two looks at jobs, and between two posts of one that runs. */
#define ROUND_MS 250
#define POST_MS 1000

struct shared_job {
	struct shared_job *prev, *next;
	struct solve_job *job; /* referenced */
	uint8_t subject[NOTICE_SUBJECT_BYTES];
	bool posted; /* the notice of `status` is there */
	bool gone;   /* its result is no longer kept */
	enum job_status status;
	int64_t posted_ms;
};

/* A notice of a round; its bytes are at `start` in the buffer. */
struct posting {
	struct shared_job *shared;
	size_t start, length;
};

/* A request that waits until the state of its job is posted. */
struct publishing {
	struct publishing *prev, *next;
	struct context *ctx;
	void (*then)(struct context *ctx);
};

struct shared_jobs {
	struct service *service;
	struct pool *pool;
	struct shared_job *jobs;
	struct job_listener timer;
	bool timed, stopped;
	struct publishing *waiting; /* for the next round */
	/* The round under way: the pool's thread has it. */
	struct job round;
	struct publishing *served; /* by this round */
	bool under_way;
	struct buffer bytes;
	struct posting *postings;
	struct store_notice *notices;
	struct shared_job **asked; /* jobs that may be cancelled */
	uint8_t (*subjects)[NOTICE_SUBJECT_BYTES];
	bool *cancelled; /* by index of `asked` */
	size_t posting_count, asked_count;
	enum store_status status;
};

static void timer_due(struct job *heard);
static void round_begin(struct shared_jobs *shared);
static void round_run(struct job *job, struct store_reader *reader);
static void round_done(struct job *job);

static struct shared_jobs *shared_jobs_create(struct service *service, struct pool *pool)
{
	struct shared_jobs *shared = calloc(1, sizeof *shared);
	if (!shared)
		return NULL;
	shared->service = service;
	shared->pool = pool;
	shared->timer.heard.done = timer_due;
	shared->round.run = round_run;
	shared->round.done = round_done;
	return shared;
}

/* Without threads a listener is called at once: then the next job that is published has all posted. */
static void timer_start(struct shared_jobs *shared)
{
	if (shared->timed || shared->under_way || shared->stopped || !shared->jobs ||
	    shared->service->inline_jobs)
		return;
	shared->timed = true;
	job_listen(shared->service->jobs, NULL, &shared->timer, ROUND_MS);
}

static void timer_due(struct job *heard)
{
	struct shared_jobs *shared = container_of(heard, struct shared_jobs, timer.heard);
	shared->timed = false;
	if (!shared->stopped)
		round_begin(shared);
}

static void shared_jobs_stop(struct shared_jobs *shared)
{
	shared->stopped = true;
	if (shared->timed && job_unlisten(shared->service->jobs, &shared->timer))
		shared->timed = false;
}

/* ---- a round ---- */

static void round_finish(struct shared_jobs *shared)
{
	buffer_free(&shared->bytes);
	free(shared->postings);
	free(shared->notices);
	free(shared->asked);
	free(shared->subjects);
	free(shared->cancelled);
	shared->postings = NULL;
	shared->notices = NULL;
	shared->asked = NULL;
	shared->subjects = NULL;
	shared->cancelled = NULL;
	shared->posting_count = shared->asked_count = 0;
}

static bool round_make(struct shared_jobs *shared)
{
	struct shared_job *at;
	size_t count;
	DL_COUNT(shared->jobs, at, count);
	shared->postings = calloc(count, sizeof *shared->postings);
	shared->notices = calloc(count, sizeof *shared->notices);
	shared->asked = calloc(count, sizeof(struct shared_job *));
	shared->subjects = calloc(count, sizeof *shared->subjects);
	shared->cancelled = calloc(count, sizeof *shared->cancelled);
	return shared->postings && shared->notices && shared->asked && shared->subjects &&
	       shared->cancelled;
}

static void round_add(struct shared_jobs *shared, struct shared_job *at, int64_t now_ms)
{
	struct job_view view;
	struct posting *posting = &shared->postings[shared->posting_count];
	job_look(shared->service->jobs, at->job, &view);
	at->gone = !job_is_kept(shared->service->jobs, at->job);
	if (!at->gone && view.status < JOB_DONE) {
		memcpy(shared->subjects[shared->asked_count], at->subject, NOTICE_SUBJECT_BYTES);
		shared->asked[shared->asked_count++] = at;
	}
	if (!at->gone && at->posted && at->status == view.status &&
	    (view.status >= JOB_DONE || now_ms - at->posted_ms < POST_MS))
		return;
	*posting = (struct posting){.shared = at, .start = shared->bytes.length};
	if (!at->gone)
		job_notice_write(&view, &shared->bytes);
	posting->length = shared->bytes.length - posting->start;
	shared->posting_count++;
	at->status = view.status;
	at->posted_ms = now_ms;
}

/* Notices point into the buffer once that is complete. */
static void round_point(struct shared_jobs *shared)
{
	for (size_t i = 0; i < shared->posting_count; i++) {
		const struct posting *posting = &shared->postings[i];
		struct store_notice *notice = &shared->notices[i];
		memcpy(notice->subject, posting->shared->subject, NOTICE_SUBJECT_BYTES);
		notice->length = posting->length;
		notice->bytes = posting->length > 0
					? (const uint8_t *)shared->bytes.bytes + posting->start
					: NULL;
	}
}

static void answer_served(struct shared_jobs *shared)
{
	struct publishing *at, *next, *served = shared->served;
	shared->served = NULL;
	DL_FOREACH_SAFE (served, at, next)
		at->then(at->ctx);
}

/* One after another, so that of each job the newest notice is the last one. */
static void round_begin(struct shared_jobs *shared)
{
	const int64_t now_ms = monotonic_ms();
	struct shared_job *at;
	if (shared->under_way)
		return;
	shared->served = shared->waiting;
	shared->waiting = NULL;
	bool made = shared->jobs && round_make(shared);
	if (made)
		DL_FOREACH(shared->jobs, at)
	round_add(shared, at, now_ms);
	made = made && !shared->bytes.failed;
	if (!made || (shared->posting_count == 0 && shared->asked_count == 0)) {
		round_finish(shared);
		answer_served(shared); /* out of memory: only this server knows their jobs */
		timer_start(shared);
		return;
	}
	round_point(shared);
	shared->under_way = true;
	pool_submit(shared->pool, &shared->round);
}

static void hear(void *context, const struct store_notice *notice)
{
	struct shared_jobs *shared = context;
	for (size_t i = 0; i < shared->asked_count && job_notice_cancels(notice); i++)
		if (memcmp(shared->subjects[i], notice->subject, NOTICE_SUBJECT_BYTES) == 0)
			shared->cancelled[i] = true;
}

static void round_run(struct job *job, struct store_reader *reader)
{
	struct shared_jobs *shared = container_of(job, struct shared_jobs, round);
	const struct store_operations *store = reader->store->operations;
	shared->status = store->post(reader, shared->notices, shared->posting_count);
	if (shared->status == STORE_OK && shared->asked_count > 0)
		shared->status = store->notices(
			reader, (const uint8_t(*)[NOTICE_SUBJECT_BYTES])shared->subjects,
			shared->asked_count, hear, shared);
}

static void forget(struct shared_jobs *shared, struct shared_job *at)
{
	DL_DELETE(shared->jobs, at);
	job_release(shared->service->jobs, at->job);
	free(at);
}

static void round_done(struct job *job)
{
	struct shared_jobs *shared = container_of(job, struct shared_jobs, round);
	const bool done = shared->status == STORE_OK;
	shared->under_way = false;
	for (size_t i = 0; i < shared->asked_count; i++)
		if (shared->cancelled[i])
			job_cancel(shared->service->jobs, shared->asked[i]->job);
	for (size_t i = 0; i < shared->posting_count; i++) {
		struct shared_job *at = shared->postings[i].shared;
		at->posted = done;
		if (at->gone)
			forget(shared, at);
	}
	round_finish(shared);
	answer_served(shared);
	if (shared->waiting)
		round_begin(shared);
	else
		timer_start(shared);
}

/* ---- publishing ---- */

static struct shared_job *find(const struct shared_jobs *shared, const struct solve_job *job)
{
	struct shared_job *at;
	DL_FOREACH(shared->jobs, at)
	if (at->job == job)
		return at;
	return NULL;
}

static bool have_end(const struct shared_jobs *shared, const struct solve_job *job)
{
	const struct shared_job *at = find(shared, job);
	return !at || (at->posted && at->status >= JOB_DONE) || shared->stopped;
}

static struct shared_job *add(struct shared_jobs *shared, struct solve_job *job)
{
	struct shared_job *at = calloc(1, sizeof *at);
	struct job_view view;
	if (!at)
		return NULL;
	job_look(shared->service->jobs, job, &view);
	job_subject(view.id, at->subject);
	at->job = job_share(shared->service->jobs, job);
	DL_APPEND(shared->jobs, at);
	return at;
}

static void publish(struct context *ctx, struct solve_job *job, void (*then)(struct context *ctx))
{
	struct shared_jobs *shared = ctx->service->shared_jobs;
	struct publishing *publishing = arena_alloc(&ctx->request->arena, sizeof *publishing);
	struct shared_job *at = find(shared, job);
	if (publishing && !shared->stopped && !at)
		at = add(shared, job);
	if (!publishing || shared->stopped || !at) {
		then(ctx); /* only this server knows it */
		return;
	}
	at->posted = false;
	*publishing = (struct publishing){.ctx = ctx, .then = then};
	DL_APPEND(shared->waiting, publishing);
	round_begin(shared);
}

/* ---- the end ---- */

static void post_end(struct shared_jobs *shared, struct shared_job *at, struct store_reader *reader)
{
	struct job_view view;
	struct buffer bytes = {0};
	struct store_notice notice = {.bytes = NULL};
	job_look(shared->service->jobs, at->job, &view);
	job_notice_write(&view, &bytes);
	memcpy(notice.subject, at->subject, NOTICE_SUBJECT_BYTES);
	notice.bytes = (const uint8_t *)bytes.bytes;
	notice.length = bytes.length;
	if (!bytes.failed && !at->gone) {
		const enum store_status status =
			reader->store->operations->post(reader, &notice, 1);
		(void)status; /* then it is reported as failed soon */
	}
	buffer_free(&bytes);
}

static void shared_jobs_destroy(struct shared_jobs *shared)
{
	struct store *store = shared->service->store;
	struct store_reader *reader = shared->jobs ? store->operations->reader_create(store) : NULL;
	while (shared->jobs) {
		if (reader && !(shared->jobs->posted && shared->jobs->status >= JOB_DONE))
			post_end(shared, shared->jobs, reader);
		forget(shared, shared->jobs);
	}
	if (reader)
		store->operations->reader_destroy(reader);
	round_finish(shared);
	free(shared);
}

const struct shared_jobs_calls nodes_jobs = {.create = shared_jobs_create,
					     .stop = shared_jobs_stop,
					     .destroy = shared_jobs_destroy,
					     .publish = publish,
					     .have_end = have_end,
					     .begin = nodes_job_begin,
					     .read = nodes_job_read,
					     .cancel = nodes_job_cancel};
