/* solve_stream.c: all solutions of one cube as lines, as they are found. The search is a job that
 * writes into a feed (feed.h); this stream (stream.h) reads it whenever the job notifies it. The last
 * line is the text of the job. */
#include "server/api/search/solve_stream.h"

#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/search/solution_out.h"
#include "server/api/search/solve_out.h"
#include "server/search/goal.h"
#include "server/util/container_of.h"

/* The time to wait for news before looking again. */
#define WAIT_MS 60000

struct solutions {
	struct stream stream; /* first */
	struct context *ctx;
	struct solve_feed *feed;
	struct solve_job *job;
	struct job_listener listener;
	_Atomic bool gone; /* the client has disconnected */
};

static void write_line(struct buffer *text, int size, const struct solve_turns *found);
static void write_niss_line(struct buffer *text, int size, const struct solve_turns *found);
static bool submit(struct context *ctx, struct solutions *solutions,
		   struct solve_question *question);
static enum stream_state solutions_next(struct stream *stream, struct buffer *piece);
static void write_end(const struct solutions *solutions, const struct job_view *view,
		      struct buffer *piece);
static void solutions_wait(struct stream *stream);
static void solutions_heard(struct job *heard);
static void solutions_left(struct context *ctx);
static void solutions_destroy(struct stream *stream);

void solve_stream(struct context *ctx, struct solve_question *question)
{
	struct solutions *solutions = ctx_alloc(ctx, sizeof *solutions);
	if (!solutions || !submit(ctx, solutions, question)) {
		solve_question_free(question);
		ctx_answer(ctx);
		return;
	}
	ctx->request->left = solutions_left;
	atomic_store(&ctx->request->heeds_leaving, true);
	stream_start(ctx, &solutions->stream, media_type(MEDIA_NDJSON));
}

/* False: the reply is a problem. */
static bool submit(struct context *ctx, struct solutions *solutions,
		   struct solve_question *question)
{
	*solutions = (struct solutions){
		.stream = {.next = solutions_next,
			   .wait = ctx->service->inline_jobs ? NULL : solutions_wait,
			   .destroy = solutions_destroy,
			   .length = UINT64_MAX},
		.ctx = ctx,
		.feed = feed_create(question->goal && question->goal->niss ? write_niss_line
									   : write_line),
		.listener = {.heard = {.done = solutions_heard}},
	};
	if (!solutions->feed)
		return ctx_no_memory(ctx);
	question->feed = feed_share(solutions->feed);
	enum job_admission admission =
		job_submit(ctx->service->jobs, question, ctx->rates.counted ? ctx->client : NULL,
			   &solutions->job);
	if (admission == JOB_ADMITTED)
		return true;
	feed_release(solutions->feed);
	solve_refuse(ctx, admission);
	return false;
}

static void write_line(struct buffer *text, int size, const struct solve_turns *found)
{
	struct out out = {.buffer = text};
	out_open(&out, '{');
	solution_write(&out, size, found, false);
	out_close(&out, '}');
	buffer_text(text, "\n");
}

static void write_niss_line(struct buffer *text, int size, const struct solve_turns *found)
{
	struct out out = {.buffer = text};
	out_open(&out, '{');
	solution_write(&out, size, found, true);
	out_close(&out, '}');
	buffer_text(text, "\n");
}

/* Takes the next solutions from the feed, which has all that an ended job has found. */
static enum stream_state solutions_next(struct stream *stream, struct buffer *piece)
{
	struct solutions *solutions = container_of(stream, struct solutions, stream);
	const struct service *service = solutions->ctx->service;
	struct job_view view;
	job_look(service->jobs, solutions->job, &view);
	feed_take(solutions->feed, piece);
	if (atomic_load(&solutions->gone))
		return STREAM_BROKEN;
	if (view.status < JOB_DONE)
		return atomic_load(&service->stopping) ? STREAM_BROKEN : STREAM_MORE;
	write_end(solutions, &view, piece);
	return STREAM_END;
}

static void write_end(const struct solutions *solutions, const struct job_view *view,
		      struct buffer *piece)
{
	struct request failed;
	if (view->status == JOB_DONE) {
		buffer_add(piece, view->text->bytes, view->text->length);
		buffer_text(piece, "\n");
		return;
	}
	request_init(&failed);
	solve_problem(&failed, view, atomic_load(&solutions->ctx->service->stopping));
	buffer_text(piece, "{\"error\":");
	buffer_add(piece, failed.reply.body.bytes,
		   failed.reply.body.length > 0 ? failed.reply.body.length - 1 : 0);
	buffer_text(piece, "}\n");
	piece->failed |= failed.reply.body.failed;
	request_finish(&failed);
}

static void solutions_wait(struct stream *stream)
{
	struct solutions *solutions = container_of(stream, struct solutions, stream);
	struct jobs *jobs = solutions->ctx->service->jobs;
	job_listen(jobs, solutions->job, &solutions->listener, WAIT_MS);
	/* Solutions found before anybody listened were reported to nobody. */
	if (feed_holds_text(solutions->feed) && job_unlisten(jobs, &solutions->listener))
		job_listen(jobs, solutions->job, &solutions->listener, 0);
}

static void solutions_heard(struct job *heard)
{
	struct solutions *solutions = container_of(heard, struct solutions, listener.heard);
	stream_produce(solutions->ctx);
}

/* Cancels the search: the listener is then called, and nothing more is sent. */
static void solutions_left(struct context *ctx)
{
	struct solutions *solutions = ctx->data;
	atomic_store(&solutions->gone, true);
	feed_close(solutions->feed);
	job_cancel(ctx->service->jobs, solutions->job);
}

static void solutions_destroy(struct stream *stream)
{
	struct solutions *solutions = container_of(stream, struct solutions, stream);
	solutions->ctx->request->left = NULL;
	feed_close(solutions->feed);
	job_cancel(solutions->ctx->service->jobs, solutions->job); /* nothing if it has ended */
	job_release(solutions->ctx->service->jobs, solutions->job);
	feed_release(solutions->feed);
}
