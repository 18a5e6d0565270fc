/* solve.c: POST /v1/solve: a job, and its answer if it ends soon enough. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/solving/answer_cache.h"
#include "server/api/solving/assistance.h"
#include "server/api/solving/shared_jobs.h"
#include "server/api/solving/solve_in.h"
#include "server/api/solving/solve_lines.h"
#include "server/api/solving/solve_out.h"
#include "server/api/solving/solve_stream.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/origin.h"
#include "server/util/base_path.h"
#include "server/util/container_of.h"

/* Copying the cube and inverting a history. */
#define PREPARE_NS 1000000

struct ask {
	struct solve_ask in; /* first */
	struct context *ctx;
	struct solve_job *job;
	struct job_listener listener;
	bool gone; /* the client has disconnected */
};

static void ask_resolved(struct context *ctx);
static void ask_noted(struct context *ctx);
static void gather_goal(struct context *ctx, struct ask *ask);
static void state_resolved(struct context *ctx);
static void ask_gathered(struct context *ctx);
static void ask_prepared(struct context *ctx);
static void ask_submit(struct context *ctx);
static void ask_heard(struct job *heard);
static void answer_text(struct context *ctx, const struct job_view *view);
static void ask_published(struct context *ctx);
static void answer_accepted(struct context *ctx, const struct job_view *view);
static void ask_end(struct context *ctx, struct ask *ask);
static void ask_left(struct context *ctx);
static void custom_pattern_run(struct context *ctx, struct store_reader *reader);
static void custom_pattern_done(struct context *ctx);

void solve_handle(struct context *ctx)
{
	if (ctx->lines) {
		solve_lines(ctx);
		return;
	}
	struct ask *ask = ctx_alloc(ctx, sizeof *ask);
	ctx->request->reply.cache = caching_none;
	if (ask) {
		*ask = (struct ask){0};
		solve_ask_init(&ask->in);
		ask->in.stream = ctx->media == MEDIA_NDJSON;
	}
	if (ask && origin_check_search(ctx) && solve_ask_read(ctx, &ask->in))
		cube_resolve(ctx, &ask->in.cube, ask_resolved);
	else
		ctx_answer(ctx);
}

/* The solution may be for an attempt. */
static void ask_resolved(struct context *ctx)
{
	struct ask *ask = ctx->data;
	const struct cube_request *cube = &ask->in.cube;
	if (cube->source == CUBE_OF_SESSION)
		assistance_note(ctx,
				cube->at >= 0 ? (uint32_t)cube->at : ctx->visit.snapshot->revision,
				ask_noted);
	else if (ctx->who.token > 0 && ctx->who.key > 0)
		assistance_note_cube(ctx, cube, ask_noted);
	else
		ask_noted(ctx);
}

static void ask_noted(struct context *ctx)
{
	struct ask *ask = ctx->data;
	if (goal_given(&ask->in.goal))
		gather_goal(ctx, ask);
	else if (ask->in.cube.source == CUBE_OF_SESSION)
		history_solution_collect(ctx, &ask->in.known, ask->in.cube.at, ask_gathered);
	else
		ask_gathered(ctx);
}

/* Reads what the goal needs from sessions. */
static void gather_goal(struct context *ctx, struct ask *ask)
{
	struct goal_request *goal = &ask->in.goal;
	goal->own = custom_pattern_scope(ctx);
	if (goal->has_state) {
		session_release(&ctx->visit);
		cube_resolve(ctx, &goal->state, state_resolved);
	} else if (goal->has_pattern && custom_pattern_is_named(ctx, &goal->own, &goal->pattern)) {
		ctx_read(ctx, custom_pattern_run, custom_pattern_done);
	} else {
		ask_gathered(ctx);
	}
}

static void state_resolved(struct context *ctx)
{
	char *goal = ctx->data;
	ctx->data = goal - offsetof(struct ask, in.goal);
	ask_gathered(ctx);
}

/* Everything has been read. */
static void ask_gathered(struct context *ctx)
{
	const struct ask *ask = ctx->data;
	uint64_t cost_ns = moves_cost(&ask->in.cube.moves, ask->in.cube.size);
	if (ask->in.cube.source == CUBE_OF_SESSION || goal_given(&ask->in.goal))
		cost_ns += PREPARE_NS;
	ctx_compute(ctx, cost_ns, solve_ask_prepare, ask_prepared);
}

static void ask_prepared(struct context *ctx)
{
	struct ask *ask = ctx->data;
	buffer_free(&ask->in.known.turns);
	/* The session is released before the search. */
	session_release(&ctx->visit);
	if (ctx->request->reply.status != 0) {
		solve_question_free(&ask->in.question);
		ctx_answer(ctx);
	} else if (ask->in.stream) {
		solve_stream(ctx, &ask->in.question);
	} else if (ask->in.wait_ms > 0) {
		answer_cache_look(ctx, &ask->in.question, ask_submit);
	} else {
		ask_submit(ctx);
	}
}

/* There is no kept answer. */
static void ask_submit(struct context *ctx)
{
	struct ask *ask = ctx->data;
	struct jobs *jobs = ctx->service->jobs;
	enum job_admission admission = job_submit(
		jobs, &ask->in.question, ctx->rates.counted ? ctx->client : NULL, &ask->job);
	if (admission != JOB_ADMITTED) {
		solve_question_free(&ask->in.question);
		solve_refuse(ctx, admission);
		ctx_answer(ctx);
		return;
	}
	ask->ctx = ctx;
	ask->listener.heard.done = ask_heard;
	ctx->request->left = ask_left;
	atomic_store(&ctx->request->heeds_leaving, true);
	job_listen(jobs, ask->job, &ask->listener, ask->in.wait_ms);
}

/* The job has ended, or the waiting time is over; a client that does not wait always gets a job. */
static void ask_heard(struct job *heard)
{
	struct ask *ask = container_of(heard, struct ask, listener.heard);
	struct context *ctx = ask->ctx;
	struct jobs *jobs = ctx->service->jobs;
	struct job_view view;
	job_look(jobs, ask->job, &view);
	if (view.status == JOB_DONE && ask->in.wait_ms > 0) {
		answer_text(ctx, &view);
	} else if ((view.status == JOB_FAILED || view.status == JOB_CANCELLED) &&
		   ask->in.wait_ms > 0) {
		solve_problem(ctx->request, &view, atomic_load(&ctx->service->stopping));
	} else if (ask->gone) {
		job_cancel(jobs, ask->job);
		ctx_problem_left(ctx);
	} else {
		job_keep(jobs, ask->job);
		answer_accepted(ctx, &view);
		if (ctx->service->shared_jobs) {
			ctx->request->left = NULL;
			shared_jobs_publish(ctx, ask->job, ask_published);
			return;
		}
	}
	ask_end(ctx, ask);
}

/* Whichever server the client asks next, it knows the job. */
static void ask_published(struct context *ctx)
{
	ask_end(ctx, ctx->data);
}

static void answer_text(struct context *ctx, const struct job_view *view)
{
	buffer_add(&ctx->request->reply.body, view->text->bytes, view->text->length);
	solve_reply(ctx);
}

static void answer_accepted(struct context *ctx, const struct job_view *view)
{
	char location[sizeof "/v1/jobs/" + JOB_ID_TEXT];
	struct out out = {.buffer = &ctx->request->reply.body};
	snprintf(location, sizeof location, "/v1/jobs/%s", view->id);
	ctx->request->reply.location = ctx_reply_text(ctx, location, strlen(location));
	job_retry_after(ctx, view);
	if (ctx->media == MEDIA_TEXT) {
		buffer_text(out.buffer, base_path());
		buffer_text(out.buffer, location);
		buffer_add(out.buffer, "\n", 1);
		ctx->request->reply.status = 202;
		ctx->request->reply.content_type = media_type(MEDIA_TEXT);
		return;
	}
	job_write(&out, view);
	ctx_reply_json(ctx, 202);
}

/* Ends the context: the job is no longer needed. */
static void ask_end(struct context *ctx, struct ask *ask)
{
	ctx->request->left = NULL;
	if (ask->job)
		job_release(ctx->service->jobs, ask->job);
	ask->job = NULL;
	ctx_answer(ctx);
}

/* The client has disconnected: cancels the search. */
static void ask_left(struct context *ctx)
{
	struct ask *ask = ctx->data;
	ask->gone = true;
	if (!job_unlisten(ctx->service->jobs, &ask->listener))
		return; /* ask_heard is about to be called */
	job_cancel(ctx->service->jobs, ask->job);
	ctx_problem_left(ctx);
	ask_end(ctx, ask);
}

static void custom_pattern_run(struct context *ctx, struct store_reader *reader)
{
	struct ask *ask = ctx->data;
	custom_pattern_find(ctx, reader, &ask->in.goal.own, &ask->in.goal.pattern);
}

static void custom_pattern_done(struct context *ctx)
{
	if (ctx->request->reply.status != 0)
		ctx_answer(ctx);
	else
		ask_gathered(ctx);
}
