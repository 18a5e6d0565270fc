/* job_events.c: GET /v1/jobs/{job_id}/events: the stream of a job's progress. */
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/search/jobs_internal.h"
#include "server/api/search/solve_out.h"
#include "server/util/container_of.h"

/* The time between two events of progress, and the longest silence without progress. */
#define PROGRESS_MS 250
#define SILENT_MS 5000

/* The maximum number of open progress streams. */
#define STREAMS_MAX 256

struct progress {
	struct stream stream; /* first */
	struct context *ctx;
	struct solve_job *job; /* NULL: it is of another server: */
	struct job_elsewhere *elsewhere;
	struct job reading;
	struct job_listener listener;
	struct job_view view, reported;
	bool lines; /* of JSON */
	bool begun;
	int silent_ms;
};

static void watch_elsewhere(struct context *ctx);
static void events_start(struct context *ctx, struct solve_job *job,
			 struct job_elsewhere *elsewhere);
static bool progress_look(struct progress *progress);
static void events_begin(struct context *ctx);
static void progress_read(struct job *reading, struct store_reader *reader);
static void progress_was_read(struct job *reading);
static void progress_consider(struct progress *progress);
static void end_posted(struct context *ctx);
static enum stream_state progress_next(struct stream *stream, struct buffer *piece);
static void write_event(const struct progress *progress, const char *name,
			const struct job_view *view, struct buffer *piece);
static bool same_progress(const struct job_view *a, const struct job_view *b);
static void progress_wait(struct stream *stream);
static void progress_destroy(struct stream *stream);
static void progress_due(struct job *heard);

void job_events_handle(struct context *ctx)
{
	struct solve_job *job = job_of_path(ctx);
	if (job)
		events_start(ctx, job, NULL);
	else
		job_find_elsewhere(ctx, ctx_alloc(ctx, sizeof(struct job_elsewhere)),
				   watch_elsewhere);
}

static void watch_elsewhere(struct context *ctx)
{
	if (job_found_elsewhere(ctx))
		events_start(ctx, NULL, ctx->data);
}

static void drop_job(struct context *ctx, struct solve_job *job, struct job_elsewhere *elsewhere)
{
	if (job)
		job_release(ctx->service->jobs, job);
	else
		job_elsewhere_finish(elsewhere);
}

static void events_start(struct context *ctx, struct solve_job *job,
			 struct job_elsewhere *elsewhere)
{
	struct progress *progress = ctx_alloc(ctx, sizeof *progress);
	if (!progress) {
		drop_job(ctx, job, elsewhere);
		ctx_answer(ctx);
		return;
	}
	if (atomic_fetch_add(&ctx->service->job_streams, 1) >= STREAMS_MAX) {
		atomic_fetch_sub(&ctx->service->job_streams, 1);
		drop_job(ctx, job, elsewhere);
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
				      .elsewhere = elsewhere,
				      .reading = {.run = progress_read, .done = progress_was_read},
				      .lines = ctx->media == MEDIA_NDJSON};
	progress->listener.heard.done = progress_due;
	ctx->data = progress;
	if (progress_look(progress))
		events_begin(ctx);
	else
		shared_jobs_publish(ctx, job, events_begin);
}

static void events_begin(struct context *ctx)
{
	struct progress *progress = ctx->data;
	stream_start(ctx, &progress->stream, media_type(ctx->media));
}

static enum stream_state progress_next(struct stream *stream, struct buffer *piece)
{
	struct progress *progress = container_of(stream, struct progress, stream);
	const struct job_view view = progress->view;
	const bool ended = view.status >= JOB_DONE;
	/* A server that stops no longer reads what another one says. */
	const bool stops = !progress->job && atomic_load(&progress->ctx->service->stopping);
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
	return ended || stops || !progress->ctx->request->produced ? STREAM_END : STREAM_MORE;
}

/* False: its end is to be posted first. */
static bool progress_look(struct progress *progress)
{
	if (progress->job)
		job_look(progress->ctx->service->jobs, progress->job, &progress->view);
	else
		progress->view = progress->elsewhere->view;
	return !job_end_to_post(progress->ctx, progress->job, &progress->view);
}

static void write_event(const struct progress *progress, const char *name,
			const struct job_view *view, struct buffer *piece)
{
	struct out out = {.buffer = piece};
	if (progress->lines) {
		out_open(&out, '{');
		out_member_string(&out, "event", name);
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
	struct progress *progress = container_of(stream, struct progress, stream);
	job_listen(progress->ctx->service->jobs, progress->job, &progress->listener,
		   progress->job ? PROGRESS_MS : JOB_ELSEWHERE_MS);
}

static void progress_destroy(struct stream *stream)
{
	struct progress *progress = container_of(stream, struct progress, stream);
	drop_job(progress->ctx, progress->job, progress->elsewhere);
	atomic_fetch_sub(&progress->ctx->service->job_streams, 1);
}

/* Without progress, keeps waiting, with an occasional ping. */
static void progress_due(struct job *heard)
{
	struct progress *progress = container_of(heard, struct progress, listener.heard);
	if (progress->job)
		progress_consider(progress);
	else
		pool_submit(progress->ctx->service->readers, &progress->reading);
}

static void progress_read(struct job *reading, struct store_reader *reader)
{
	struct progress *progress = container_of(reading, struct progress, reading);
	job_elsewhere_read(progress->ctx->service, reader, progress->elsewhere);
}

/* Takes the progress that was read. A job that cannot be read now can be read later; one that is
 * gone has ended, and was removed since. */
static void progress_was_read(struct job *reading)
{
	struct progress *progress = container_of(reading, struct progress, reading);
	const struct job_elsewhere *elsewhere = progress->elsewhere;
	if (elsewhere->status == STORE_OK && !elsewhere->found) {
		progress->elsewhere->view.status = JOB_FAILED;
		progress->elsewhere->view.stopped = true;
		progress->elsewhere->view.text = NULL;
	}
	progress_consider(progress);
}

static void progress_consider(struct progress *progress)
{
	const bool known = progress_look(progress);
	progress->silent_ms += PROGRESS_MS;
	if (!known)
		shared_jobs_publish(progress->ctx, progress->job, end_posted);
	else if (same_progress(&progress->view, &progress->reported) &&
		 progress->silent_ms < SILENT_MS)
		progress_wait(&progress->stream);
	else
		stream_produce(progress->ctx);
}

static void end_posted(struct context *ctx)
{
	stream_produce(ctx);
}
