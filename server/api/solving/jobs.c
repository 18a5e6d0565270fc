/* jobs.c: GET and DELETE /v1/jobs/{job_id}, and the stream of its progress. */
#include <stddef.h>
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/solving/shared_jobs.h"
#include "server/api/solving/solve_out.h"

/* How often progress is sent, and the longest silence if there is none. */
#define PROGRESS_MS 250
#define SILENT_MS 5000

/* How often a job of another server is read. */
#define ELSEWHERE_MS 250

/* How long DELETE waits for the search to end. */
#define CANCEL_MS 2000

/* The maximum number of open progress streams. */
#define STREAMS_MAX 256

struct cancelling {
	struct job_elsewhere elsewhere; /* first; of a job of another server */
	struct context *ctx;
	struct solve_job *job; /* NULL: it is of another server */
	struct job_listener listener;
	int waited_ms;
};

struct progress {
	struct stream stream; /* first */
	struct context *ctx;
	struct solve_job *job; /* NULL: it is of another server: */
	struct job_elsewhere *elsewhere;
	struct job reading;
	struct job_listener listener;
	struct job_view reported;
	bool lines; /* of JSON */
	bool begun;
	int silent_ms;
};

static struct solve_job *job_of_path(struct context *ctx);
static void find_elsewhere(struct context *ctx, struct job_elsewhere *elsewhere,
			   void (*then)(struct context *ctx));
static void elsewhere_run(struct context *ctx, struct store_reader *reader);
static bool elsewhere_found(struct context *ctx);
static void read_elsewhere(struct context *ctx);
static void answer_elsewhere(struct context *ctx);
static void cancel_elsewhere(struct context *ctx);
static void post_cancel(struct context *ctx, struct store_reader *reader);
static void take_cancel_away(struct context *ctx, struct store_reader *reader);
static void cancel_posted(struct context *ctx);
static void cancel_wait(struct job *heard);
static void cancel_read(struct context *ctx);
static void watch_elsewhere(struct context *ctx);
static void events_start(struct context *ctx, struct solve_job *job,
			 struct job_elsewhere *elsewhere);
static void progress_look(const struct progress *progress, struct job_view *view);
static void progress_read(struct job *reading, struct store_reader *reader);
static void progress_was_read(struct job *reading);
static void progress_consider(struct progress *progress);
static void answer_job(struct context *ctx, struct solve_job *job);
static void write_job(struct context *ctx);
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
	else
		find_elsewhere(ctx, ctx_alloc(ctx, sizeof(struct job_elsewhere)), read_elsewhere);
}

static struct solve_job *job_of_path(struct context *ctx)
{
	return job_find(ctx->service->jobs, ctx->name.bytes, ctx->name.length);
}

static void no_such_job(struct context *ctx)
{
	problem_answer(ctx->request, PROBLEM_NO_SUCH_JOB,
		       "No job has this id, or its result is no longer kept.");
	ctx_answer(ctx);
}

/* Reads what another server says about the job; `elsewhere` (NULL: out of memory) becomes ctx->data. */
static void find_elsewhere(struct context *ctx, struct job_elsewhere *elsewhere,
			   void (*then)(struct context *ctx))
{
	ctx->data = elsewhere;
	if (!elsewhere)
		ctx_answer(ctx);
	else if (job_elsewhere_begin(ctx->service, ctx->name, elsewhere))
		ctx_read(ctx, elsewhere_run, then);
	else
		no_such_job(ctx);
}

static void elsewhere_run(struct context *ctx, struct store_reader *reader)
{
	job_elsewhere_read(reader, ctx->data);
}

/* False: it was answered. */
static bool elsewhere_found(struct context *ctx)
{
	struct job_elsewhere *elsewhere = ctx->data;
	if (elsewhere->status == STORE_OK && elsewhere->found)
		return true;
	job_elsewhere_finish(elsewhere);
	if (elsewhere->status == STORE_OK) {
		no_such_job(ctx);
	} else {
		ctx_store_problem(ctx, elsewhere->status);
		ctx_answer(ctx);
	}
	return false;
}

static void read_elsewhere(struct context *ctx)
{
	if (elsewhere_found(ctx))
		answer_elsewhere(ctx);
}

static void answer_elsewhere(struct context *ctx)
{
	struct job_elsewhere *elsewhere = ctx->data;
	struct out out = {.buffer = &ctx->request->reply.body};
	job_write(&out, &elsewhere->view);
	job_elsewhere_finish(elsewhere);
	ctx_reply_json(ctx, 200);
	ctx_answer(ctx);
}

/* An end is posted before it is answered. */
static void answer_job(struct context *ctx, struct solve_job *job)
{
	const struct shared_jobs *shared = ctx->service->shared_jobs;
	struct job_view view;
	job_look(ctx->service->jobs, job, &view);
	ctx->data = job;
	if (shared && view.status >= JOB_DONE && !shared_jobs_have_end(shared, job))
		shared_jobs_publish(ctx, job, write_job);
	else
		write_job(ctx);
}

static void write_job(struct context *ctx)
{
	struct solve_job *job = ctx->data;
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
	if (!job) {
		*cancelling = (struct cancelling){.ctx = ctx};
		find_elsewhere(ctx, &cancelling->elsewhere, cancel_elsewhere);
		return;
	}
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

/* The server that searches is asked by a notice, and looked at until the search has ended. */
static void cancel_elsewhere(struct context *ctx)
{
	struct cancelling *cancelling = ctx->data;
	if (!elsewhere_found(ctx))
		return;
	cancelling->listener.heard.done = cancel_wait;
	if (cancelling->elsewhere.view.status >= JOB_DONE)
		answer_elsewhere(ctx);
	else
		ctx_post(ctx, post_cancel, cancel_posted);
}

static void post_notice(struct context *ctx, struct store_reader *reader, const uint8_t *bytes)
{
	struct job_elsewhere *elsewhere = ctx->data;
	struct store_notice notice = {.bytes = bytes, .length = bytes ? 1 : 0};
	memcpy(notice.subject, elsewhere->subject, NOTICE_SUBJECT_BYTES);
	elsewhere->status = reader->store->operations->post(reader, &notice, 1);
}

static void post_cancel(struct context *ctx, struct store_reader *reader)
{
	post_notice(ctx, reader, job_cancel_notice);
}

static void take_cancel_away(struct context *ctx, struct store_reader *reader)
{
	post_notice(ctx, reader, NULL);
}

static void cancel_posted(struct context *ctx)
{
	struct cancelling *cancelling = ctx->data;
	if (elsewhere_found(ctx))
		job_listen(ctx->service->jobs, NULL, &cancelling->listener, ELSEWHERE_MS);
}

static void cancel_wait(struct job *heard)
{
	struct cancelling *cancelling =
		(struct cancelling *)((char *)heard - offsetof(struct cancelling, listener.heard));
	cancelling->waited_ms += ELSEWHERE_MS;
	ctx_read(cancelling->ctx, elsewhere_run, cancel_read);
}

static void cancel_read(struct context *ctx)
{
	struct cancelling *cancelling = ctx->data;
	if (!elsewhere_found(ctx))
		return;
	if (cancelling->elsewhere.view.status < JOB_DONE && cancelling->waited_ms < CANCEL_MS)
		job_listen(ctx->service->jobs, NULL, &cancelling->listener, ELSEWHERE_MS);
	else
		ctx_post(ctx, take_cancel_away, answer_elsewhere);
}

void job_events_handle(struct context *ctx)
{
	struct solve_job *job = job_of_path(ctx);
	if (job)
		events_start(ctx, job, NULL);
	else
		find_elsewhere(ctx, ctx_alloc(ctx, sizeof(struct job_elsewhere)), watch_elsewhere);
}

static void watch_elsewhere(struct context *ctx)
{
	if (elsewhere_found(ctx))
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
	stream_start(ctx, &progress->stream, media_type(ctx->media));
}

static enum stream_state progress_next(struct stream *stream, struct buffer *piece)
{
	struct progress *progress = (struct progress *)stream;
	struct job_view view;
	progress_look(progress, &view);
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

static void progress_look(const struct progress *progress, struct job_view *view)
{
	if (progress->job)
		job_look(progress->ctx->service->jobs, progress->job, view);
	else
		*view = progress->elsewhere->view;
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
	job_listen(progress->ctx->service->jobs, progress->job, &progress->listener,
		   progress->job ? PROGRESS_MS : ELSEWHERE_MS);
}

static void progress_destroy(struct stream *stream)
{
	struct progress *progress = (struct progress *)stream;
	drop_job(progress->ctx, progress->job, progress->elsewhere);
	atomic_fetch_sub(&progress->ctx->service->job_streams, 1);
}

/* Without progress, keeps waiting, with an occasional ping. */
static void progress_due(struct job *heard)
{
	struct progress *progress =
		(struct progress *)((char *)heard - offsetof(struct progress, listener.heard));
	if (progress->job)
		progress_consider(progress);
	else
		pool_submit(progress->ctx->service->readers, &progress->reading);
}

static void progress_read(struct job *reading, struct store_reader *reader)
{
	struct progress *progress =
		(struct progress *)((char *)reading - offsetof(struct progress, reading));
	job_elsewhere_read(reader, progress->elsewhere);
}

/* What cannot be read now can be read later; what is gone has ended, and was taken away since. */
static void progress_was_read(struct job *reading)
{
	struct progress *progress =
		(struct progress *)((char *)reading - offsetof(struct progress, reading));
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
	struct job_view view;
	progress_look(progress, &view);
	progress->silent_ms += PROGRESS_MS;
	if (same_progress(&view, &progress->reported) && progress->silent_ms < SILENT_MS)
		progress_wait(&progress->stream);
	else
		stream_produce(progress->ctx);
}
