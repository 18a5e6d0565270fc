/* solve.c: POST /v1/solve: a job, and its answer if it ends soon enough. */
#include <stdio.h>
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/search/answer_cache.h"
#include "server/api/search/assistance.h"
#include "server/api/search/shared_jobs.h"
#include "server/api/search/solve_in.h"
#include "server/api/search/solve_lines.h"
#include "server/api/search/solve_out.h"
#include "server/api/search/solve_stream.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/origin.h"
#include "server/util/base_path.h"
#include "server/util/container_of.h"

/* Copying the cube and inverting a history. */
#define PREPARE_NS 1000000

/* The phases of a search, in order. */
enum ask_phase {
	ASK_NOTE,    /* notes for which attempt a solution is given */
	ASK_GATHER,  /* reads what the question needs from sessions... */
	ASK_PREPARE, /* ...and makes the question */
	ASK_LOOK,    /* looks for a kept answer */
	ASK_SUBMIT,  /* begins the search, and listens to it */
	ASK_HEARD,   /* it has ended, or the client does not wait for longer */
	ASK_END,     /* answers; the job is no longer needed */
	ASK_REFUSED, /* the reply is a problem, and there is no job */
	ASK_WAIT,    /* continues later, or has been answered */
};

struct ask {
	struct solve_ask in; /* first */
	enum ask_phase resume_at;
	struct context *ctx;
	struct solve_job *job;
	struct job_listener listener;
	bool gone; /* the client has disconnected */
};

static void ask_go_on(struct context *ctx);
static enum ask_phase ask_note(struct context *ctx, struct ask *ask);
static enum ask_phase ask_gather(struct context *ctx, struct ask *ask);
static void state_resolved(struct context *ctx);
static void custom_pattern_run(struct context *ctx, struct store_reader *reader);
static enum ask_phase ask_prepare(struct context *ctx, struct ask *ask);
static enum ask_phase ask_look(struct context *ctx, struct ask *ask);
static enum ask_phase ask_submit(struct context *ctx, struct ask *ask);
static void ask_heard(struct job *heard);
static enum ask_phase ask_report(struct context *ctx, struct ask *ask);
static void answer_text(struct context *ctx, const struct job_view *view);
static void answer_accepted(struct context *ctx, const struct job_view *view);
static void ask_end(struct context *ctx, struct ask *ask);
static void ask_left(struct context *ctx);

void solve_handle(struct context *ctx)
{
	if (ctx->lines) {
		solve_lines(ctx);
		return;
	}
	struct ask *ask = ctx_alloc(ctx, sizeof *ask);
	ctx->request->reply.cache = caching_none;
	if (ask) {
		*ask = (struct ask){.ctx = ctx, .resume_at = ASK_NOTE};
		solve_ask_init(&ask->in);
		ask->in.stream = ctx->media == MEDIA_NDJSON;
	}
	if (ask && origin_check_search(ctx) && solve_ask_read(ctx, &ask->in))
		input_cube_resolve(ctx, &ask->in.cube, ask_go_on);
	else
		ctx_answer(ctx);
}

/* Do not touch the context after a phase that waits: it may have been answered. */
static void ask_go_on(struct context *ctx)
{
	struct ask *ask = ctx->data;
	enum ask_phase phase = ask->resume_at;
	while (phase != ASK_WAIT)
		switch (phase) {
		case ASK_NOTE:
			phase = ask_note(ctx, ask);
			break;
		case ASK_GATHER:
			phase = ask_gather(ctx, ask);
			break;
		case ASK_PREPARE:
			phase = ask_prepare(ctx, ask);
			break;
		case ASK_LOOK:
			phase = ask_look(ctx, ask);
			break;
		case ASK_SUBMIT:
			phase = ask_submit(ctx, ask);
			break;
		case ASK_HEARD:
			phase = ask_report(ctx, ask);
			break;
		case ASK_END:
			ask_end(ctx, ask);
			return;
		case ASK_REFUSED:
			ctx_answer(ctx);
			return;
		case ASK_WAIT:
			return;
		}
}

/* The solution may be for an attempt. */
static enum ask_phase ask_note(struct context *ctx, struct ask *ask)
{
	const struct input_cube *cube = &ask->in.cube;
	ask->resume_at = ASK_GATHER;
	if (cube->source == CUBE_OF_SESSION)
		assistance_note(ctx,
				cube->at >= 0 ? (uint32_t)cube->at : ctx->visit.snapshot->revision,
				ask_go_on);
	else if (ctx->who.token > 0 && ctx->who.key > 0)
		assistance_note_cube(ctx, cube, ask_go_on);
	else
		return ASK_GATHER;
	return ASK_WAIT;
}

/* Reads what the goal needs from sessions, or the turns that lead to the cube. */
static enum ask_phase ask_gather(struct context *ctx, struct ask *ask)
{
	struct goal_request *goal = &ask->in.goal;
	ask->resume_at = ASK_PREPARE;
	if (!goal_given(goal)) {
		if (ask->in.cube.source != CUBE_OF_SESSION)
			return ASK_PREPARE;
		history_solution_collect(ctx, &ask->in.known, ask->in.cube.at, ask_go_on);
		return ASK_WAIT;
	}
	goal->own = custom_pattern_scope(ctx);
	if (goal->has_state) {
		session_release(&ctx->visit);
		input_cube_resolve(ctx, &goal->state, state_resolved);
	} else if (goal->has_pattern && custom_pattern_is_named(ctx, &goal->own, &goal->pattern)) {
		ctx_read(ctx, custom_pattern_run, ask_go_on);
	} else {
		return ASK_PREPARE;
	}
	return ASK_WAIT;
}

/* The context has the cube that was resolved as its data. */
static void state_resolved(struct context *ctx)
{
	struct input_cube *state = ctx->data;
	ctx->data = container_of(state, struct ask, in.goal.state);
	ask_go_on(ctx);
}

static void custom_pattern_run(struct context *ctx, struct store_reader *reader)
{
	struct ask *ask = ctx->data;
	custom_pattern_find(ctx, reader, &ask->in.goal.own, &ask->in.goal.pattern);
}

/* Everything has been read. */
static enum ask_phase ask_prepare(struct context *ctx, struct ask *ask)
{
	if (ctx->request->reply.status != 0)
		return ASK_REFUSED;
	uint64_t cost_ns = moves_cost(&ask->in.cube.moves, ask->in.cube.size);
	if (ask->in.cube.source == CUBE_OF_SESSION || goal_given(&ask->in.goal))
		cost_ns += PREPARE_NS;
	ask->resume_at = ASK_LOOK;
	ctx_compute(ctx, cost_ns, solve_ask_prepare, ask_go_on);
	return ASK_WAIT;
}

/* The session is released before the search. */
static enum ask_phase ask_look(struct context *ctx, struct ask *ask)
{
	buffer_free(&ask->in.known.turns);
	session_release(&ctx->visit);
	if (ctx->request->reply.status != 0) {
		solve_question_free(&ask->in.question);
		return ASK_REFUSED;
	}
	ask->resume_at = ASK_SUBMIT;
	if (ask->in.stream)
		solve_stream(ctx, &ask->in.question);
	else if (ask->in.wait_ms > 0)
		answer_cache_look(ctx, &ask->in.question, ask_go_on);
	else
		return ASK_SUBMIT;
	return ASK_WAIT;
}

/* There is no kept answer. */
static enum ask_phase ask_submit(struct context *ctx, struct ask *ask)
{
	struct jobs *jobs = ctx->service->jobs;
	enum job_admission admission = job_submit(
		jobs, &ask->in.question, ctx->rates.counted ? ctx->client : NULL, &ask->job);
	if (admission != JOB_ADMITTED) {
		solve_question_free(&ask->in.question);
		solve_refuse(ctx, admission);
		return ASK_REFUSED;
	}
	ask->resume_at = ASK_HEARD;
	ask->listener.heard.done = ask_heard;
	ctx->request->left = ask_left;
	atomic_store(&ctx->request->heeds_leaving, true);
	job_listen(jobs, ask->job, &ask->listener, ask->in.wait_ms);
	return ASK_WAIT;
}

static void ask_heard(struct job *heard)
{
	ask_go_on(container_of(heard, struct ask, listener.heard)->ctx);
}

/* The job has ended, or the waiting time is over; a client that does not wait always gets a job. */
static enum ask_phase ask_report(struct context *ctx, struct ask *ask)
{
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
			/* Whichever server the client asks next, it knows the job. */
			ctx->request->left = NULL;
			ask->resume_at = ASK_END;
			shared_jobs_publish(ctx, ask->job, ask_go_on);
			return ASK_WAIT;
		}
	}
	return ASK_END;
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
