/* jobs.c: GET and DELETE /v1/jobs/{job_id}, and the stream of its progress. */
#include <stddef.h>
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/solving/solve_out.h"

/* How often progress is sent, and the longest silence if there is none. */
#define PROGRESS_MS 250
#define SILENT_MS 5000

/* How long DELETE waits for the search to end. */
#define CANCEL_MS 2000

/* The maximum number of open progress streams. */
#define STREAMS_MAX 256

struct cancelling {
	struct context *ctx;
	struct solve_job *job;
	struct job_listener listener;
};

struct progress {
	struct stream stream; /* first */
	struct context *ctx;
	struct solve_job *job;
	struct job_listener listener;
	struct job_view reported;
	bool lines; /* of JSON */
	bool begun;
	int silent_ms;
};

static struct solve_job *job_of_path(struct context *ctx);
static void answer_job(struct context *ctx, struct solve_job *job);
static void cancel_ended(struct job *heard);
static enum stream_state progress_next(struct stream *stream, struct buffer *piece);
static void write_event(const struct progress *progress, const char *name,
			const struct job_view *view, struct buffer *piece);
static bool same_progress(const struct job_view *a, const struct job_view *b);
static void progress_wait(struct stream *stream);
static void progress_destroy(struct stream *stream);
static void progress_due(struct job *heard);

void job_read_handle(struct context *ctx)
{
	struct solve_job *job = job_of_path(ctx);
	if (job)
		answer_job(ctx, job);
}

static struct solve_job *job_of_path(struct context *ctx)
{
	struct solve_job *job = job_find(ctx->service->jobs, ctx->name.bytes, ctx->name.length);
	if (!job) {
		problem_answer(ctx->request, PROBLEM_NO_SUCH_JOB,
			       "No job has this id, or its result is no longer kept.");
		ctx_answer(ctx);
	}
	return job;
}

static void answer_job(struct context *ctx, struct solve_job *job)
{
	struct job_view view;
	struct out out = {.buffer = &ctx->request->reply.body};
	job_look(ctx->service->jobs, job, &view);
	job_write(&out, &view);
	job_release(ctx->service->jobs, job);
	ctx_reply_json(ctx, 200);
	ctx_answer(ctx);
}

/* Answers when the search has ended, with its result. */
void job_cancel_handle(struct context *ctx)
{
	struct job_view view;
	struct cancelling *cancelling = ctx_alloc(ctx, sizeof *cancelling);
	if (!cancelling) {
		ctx_answer(ctx);
		return;
	}
	struct solve_job *job = job_of_path(ctx);
	if (!job)
		return;
	job_cancel(ctx->service->jobs, job);
	job_look(ctx->service->jobs, job, &view);
	if (view.status >= JOB_DONE) {
		answer_job(ctx, job);
		return;
	}
	*cancelling = (struct cancelling){
		.ctx = ctx, .job = job, .listener = {.heard = {.done = cancel_ended}}};
	job_listen(ctx->service->jobs, job, &cancelling->listener, CANCEL_MS);
}

static void cancel_ended(struct job *heard)
{
	struct cancelling *cancelling =
		(struct cancelling *)((char *)heard - offsetof(struct cancelling, listener.heard));
	answer_job(cancelling->ctx, cancelling->job);
}

void job_events_handle(struct context *ctx)
{
	struct progress *progress = ctx_alloc(ctx, sizeof *progress);
	if (!progress) {
		ctx_answer(ctx);
		return;
	}
	struct solve_job *job = job_of_path(ctx);
	if (!job)
		return;
	if (atomic_fetch_add(&ctx->service->job_streams, 1) >= STREAMS_MAX) {
		atomic_fetch_sub(&ctx->service->job_streams, 1);
		job_release(ctx->service->jobs, job);
		problem_answer(ctx->request, PROBLEM_BUSY,
			       "Too many streams of jobs are open. Try again.");
		ctx_answer(ctx);
		return;
	}
	*progress = (struct progress){.stream = {.next = progress_next,
						 .wait = progress_wait,
						 .destroy = progress_destroy,
						 .length = UINT64_MAX},
				      .ctx = ctx,
				      .job = job,
				      .lines = ctx->media == MEDIA_NDJSON};
	progress->listener.heard.done = progress_due;
	stream_start(ctx, &progress->stream, media_type(ctx->media));
}

static enum stream_state progress_next(struct stream *stream, struct buffer *piece)
{
	struct progress *progress = (struct progress *)stream;
	struct job_view view;
	job_look(progress->ctx->service->jobs, progress->job, &view);
	const bool ended = view.status >= JOB_DONE;
	if (ended) {
		write_event(progress, "end", &view, piece);
	} else if (!progress->begun || !same_progress(&view, &progress->reported)) {
		write_event(progress, "progress", &view, piece);
		progress->silent_ms = 0;
	} else {
		buffer_text(piece, progress->lines ? "{\"event\":\"ping\"}\n" : ": ping\n\n");
		progress->silent_ms = 0;
	}
	progress->reported = view;
	progress->begun = true;
	return ended || !progress->ctx->request->produced ? STREAM_END : STREAM_MORE;
}

static void write_event(const struct progress *progress, const char *name,
			const struct job_view *view, struct buffer *piece)
{
	struct out out = {.buffer = piece};
	if (progress->lines) {
		out_open(&out, '{');
		out_key(&out, "event");
		out_string(&out, name);
		out_key(&out, "data");
		job_write(&out, view);
		out_close(&out, '}');
		buffer_text(piece, "\n");
	} else {
		buffer_text(piece, "event: ");
		buffer_text(piece, name);
		buffer_text(piece, "\ndata: ");
		job_write(&out, view);
		buffer_text(piece, "\n\n");
	}
}

static bool same_progress(const struct job_view *a, const struct job_view *b)
{
	return a->status == b->status && a->nodes == b->nodes && a->depth == b->depth &&
	       a->best == b->best && a->ahead == b->ahead;
}

static void progress_wait(struct stream *stream)
{
	struct progress *progress = (struct progress *)stream;
	job_listen(progress->ctx->service->jobs, progress->job, &progress->listener, PROGRESS_MS);
}

static void progress_destroy(struct stream *stream)
{
	struct progress *progress = (struct progress *)stream;
	job_release(progress->ctx->service->jobs, progress->job);
	atomic_fetch_sub(&progress->ctx->service->job_streams, 1);
}

/* Without progress, keeps waiting, with an occasional ping. */
static void progress_due(struct job *heard)
{
	struct progress *progress =
		(struct progress *)((char *)heard - offsetof(struct progress, listener.heard));
	struct job_view view;
	job_look(progress->ctx->service->jobs, progress->job, &view);
	progress->silent_ms += PROGRESS_MS;
	if (same_progress(&view, &progress->reported) && progress->silent_ms < SILENT_MS)
		progress_wait(&progress->stream);
	else
		stream_produce(progress->ctx);
}
