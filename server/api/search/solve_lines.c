/* solve_lines.c: POST /v1/solve for many cubes: one line in, one line out, in order.
 *
 * A stream (stream.h) that reads some lines ahead of the one being written: they are jobs in the
 * queue, like those of other requests. Only few lines that may take long are ahead at a time, so
 * that other jobs need not wait for all of them. A line for which the queue has no room waits until
 * there is some; a line that is wrong, or fails, is an error in its place.
 *
 *     lines_wait -> fill_run (a worker: reads lines, submits jobs) -> filled
 *       -> once the first job has ended (else heard, when it has) -> stream_produce -> lines_next
 */
#include "server/api/search/solve_lines.h"

#include <string.h>

#include "server/api/input/batch.h"
#include "server/api/input/input.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/search/solve_in.h"
#include "server/api/search/solve_out.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

/* Lines that are read ahead, and how many of them may take long. */
#define AHEAD 16
#define AHEAD_LENGTHY 2

/* The cost per byte of a line on the largest cube: see moves_cost. */
#define LINE_BYTE_NS 10030

/* The longest time to read lines in one go. */
#define FILL_NS 5000000

/* The time until a line for which there was no room is tried again, and the longest wait. */
#define AGAIN_MS 100
#define WAIT_MS 60000

struct solve_line {
	size_t number;
	struct solve_job *job; /* NULL: `error` is its answer */
	bool lengthy;
	struct buffer error;
};

struct lines {
	struct stream stream; /* first */
	struct batch batch;
	struct context *ctx;
	struct solve_line ahead[AHEAD]; /* a ring */
	unsigned first, count, lengthy;
	/* Read, but there is no room for it yet. */
	struct solve_question next;
	size_t next_number;
	int64_t next_since_ms;
	struct job_listener listener;
	bool read;         /* all lines are read */
	bool filling;      /* with the lock: another thread owns all of this */
	_Atomic bool gone; /* the client has disconnected */
};

static enum stream_state lines_next(struct stream *stream, struct buffer *piece);
static void fill_queue(struct lines *lines);
static bool admit(struct lines *lines);
static struct solve_line *append_line(struct lines *lines, size_t number);
static void append_refused(struct lines *lines, enum job_admission admission);
static void append_error(struct lines *lines, const struct batch_item *item);
static void read_next_line(struct lines *lines, struct batch_item *item);
static bool make_question(struct batch_item *item, struct solve_ask *ask);
static bool write_first(struct lines *lines, struct buffer *piece);
static void write_failed(const struct solve_line *line, const struct job_view *view, bool stopping,
			 struct buffer *piece);
static void drop_first(struct lines *lines);
static void lines_wait(struct stream *stream);
static void fill_run(struct job *job, struct store_reader *reader);
static void filled(struct job *job);
static bool has_line_to_send(const struct lines *lines);
static void lines_destroy(struct stream *stream);
static void drop_all(struct lines *lines);
static void heard(struct job *job);
static void lines_left(struct context *ctx);

void solve_lines(struct context *ctx)
{
	struct lines *lines = ctx_alloc(ctx, sizeof *lines);
	if (!lines) {
		ctx_answer(ctx);
		return;
	}
	*lines = (struct lines){
		.stream = {.next = lines_next,
			   .wait = ctx->service->inline_jobs ? NULL : lines_wait,
			   .destroy = lines_destroy,
			   .length = UINT64_MAX},
		.batch = {.ctx = ctx, .byte_ns = LINE_BYTE_NS, .size = CUBE_SIZE_MAX},
		.ctx = ctx,
		.listener = {.heard = {.done = heard}},
	};
	ctx->request->left = lines_left;
	atomic_store(&ctx->request->heeds_leaving, true);
	stream_start(ctx, &lines->stream, media_type(MEDIA_NDJSON));
}

static enum stream_state lines_next(struct stream *stream, struct buffer *piece)
{
	struct lines *lines = container_of(stream, struct lines, stream);
	const struct service *service = lines->ctx->service;
	if (service->inline_jobs)
		fill_queue(lines); /* every job has ended once it is submitted */
	while (lines->count > 0 && piece->length < PIECE_BYTES && write_first(lines, piece))
		drop_first(lines);
	if (atomic_load(&lines->gone))
		return STREAM_BROKEN;
	if (lines->count > 0)
		return STREAM_MORE;
	if (lines->read && !lines->next.cube)
		return STREAM_END;
	/* A partial answer must not look complete when the server stops. */
	return atomic_load(&service->stopping) ? STREAM_BROKEN : STREAM_MORE;
}

/* Reads lines until there is no room for more. Any thread, which then owns the lines. */
static void fill_queue(struct lines *lines)
{
	const uint64_t due_ns = monotonic_ns() + FILL_NS;
	const struct service *service = lines->ctx->service;
	struct batch_item item;
	do {
		if (atomic_load(&lines->gone) || atomic_load(&service->stopping) ||
		    (lines->next.cube && !admit(lines)) || lines->count == AHEAD)
			return;
		if (!batch_next(&lines->batch, &item)) {
			lines->read = true;
			return;
		}
		read_next_line(lines, &item);
		batch_item_finish(&item);
	} while (lines->next.cube ||
		 (monotonic_ns() < due_ns && batch_cost(&lines->batch) <= WORKER_NS));
}

/* False: there is no room for it yet. */
static bool admit(struct lines *lines)
{
	struct solve_question *question = &lines->next;
	const struct context *ctx = lines->ctx;
	const bool lengthy = solve_takes_long(question);
	const int64_t until_ms = lines->next_since_ms + question->timeout_ms;
	struct solve_job *job;
	if (lines->count == AHEAD || (lengthy && lines->lengthy == AHEAD_LENGTHY))
		return false;
	enum job_admission admission = job_submit(ctx->service->jobs, question,
						  ctx->rates.counted ? ctx->client : NULL, &job);
	if (admission == JOB_ADMITTED) {
		struct solve_line *line = append_line(lines, lines->next_number);
		line->job = job;
		line->lengthy = lengthy;
		lines->lengthy += lengthy;
		return true;
	}
	if ((admission == JOB_QUEUE_FULL || admission == JOB_CLIENT_FULL ||
	     admission == JOB_SHARE_FULL) &&
	    (lines->count > 0 || monotonic_ms() < until_ms))
		return false;
	append_refused(lines, admission);
	solve_question_free(question);
	*question = (struct solve_question){0};
	return true;
}

static struct solve_line *append_line(struct lines *lines, size_t number)
{
	struct solve_line *line = &lines->ahead[(lines->first + lines->count++) % AHEAD];
	*line = (struct solve_line){.number = number};
	return line;
}

/* Appends a problem in place of its answer. */
static void append_refused(struct lines *lines, enum job_admission admission)
{
	struct batch_item item = {.number = lines->next_number};
	request_init(&item.request);
	ctx_init(&item.ctx, lines->ctx->service, &item.request);
	solve_refuse(&item.ctx, admission);
	append_error(lines, &item);
	request_finish(&item.request);
}

static void append_error(struct lines *lines, const struct batch_item *item)
{
	struct solve_line *line = append_line(lines, item->number);
	batch_error_write(item, &line->error);
}

/* The next line: its question, or its error. */
static void read_next_line(struct lines *lines, struct batch_item *item)
{
	struct solve_ask *ask = ctx_alloc(&item->ctx, sizeof *ask);
	if (ask && make_question(item, ask)) {
		lines->next = ask->question;
		lines->next.patient = true;
		lines->next_number = item->number;
		lines->next_since_ms = monotonic_ms();
		return;
	}
	if (ask)
		solve_question_free(&ask->question);
	append_error(lines, item);
}

static bool make_question(struct batch_item *item, struct solve_ask *ask)
{
	struct context *ctx = &item->ctx;
	if (item->request.body_length > ctx->service->config.limits.body_bytes) {
		problem_answer(&item->request, PROBLEM_BODY_LARGE,
			       "The line is larger than body_bytes (see /v1/limits).");
		return false;
	}
	solve_ask_init(ask);
	ask->line = true;
	ctx->data = ask;
	if (!input_parse(ctx) || !solve_ask_read(ctx, ask) || !input_cube_make(ctx, &ask->cube) ||
	    (ask->goal.has_state && !input_cube_make(ctx, &ask->goal.state)))
		return false;
	solve_ask_prepare(ctx);
	return ctx->request->reply.status == 0;
}

/* Writes the first one. False: it has not ended. */
static bool write_first(struct lines *lines, struct buffer *piece)
{
	const struct solve_line *line = &lines->ahead[lines->first];
	struct job_view view;
	if (!line->job) {
		buffer_add(piece, line->error.bytes, line->error.length);
		piece->failed |= line->error.failed;
		return true;
	}
	job_look(lines->ctx->service->jobs, line->job, &view);
	if (view.status < JOB_DONE)
		return false;
	if (view.status == JOB_DONE) {
		buffer_add(piece, view.text->bytes, view.text->length);
		buffer_add(piece, "\n", 1);
	} else {
		write_failed(line, &view, atomic_load(&lines->ctx->service->stopping), piece);
	}
	return true;
}

static void write_failed(const struct solve_line *line, const struct job_view *view, bool stopping,
			 struct buffer *piece)
{
	struct batch_item item = {.number = line->number};
	request_init(&item.request);
	solve_problem(&item.request, view, stopping);
	batch_error_write(&item, piece);
	request_finish(&item.request);
}

static void drop_first(struct lines *lines)
{
	struct solve_line *line = &lines->ahead[lines->first];
	if (line->job) {
		job_cancel(lines->ctx->service->jobs, line->job); /* does nothing if it has ended */
		job_release(lines->ctx->service->jobs, line->job);
	}
	lines->lengthy -= line->lengthy;
	buffer_free(&line->error);
	lines->first = (lines->first + 1) % AHEAD;
	lines->count--;
}

static void lines_wait(struct stream *stream)
{
	struct lines *lines = container_of(stream, struct lines, stream);
	struct context *ctx = lines->ctx;
	const uint64_t cost_ns = batch_cost(&lines->batch);
	const bool slow = cost_ns > WORKER_NS;
	lines->filling = true;
	ctx->job.run = fill_run;
	ctx->job.done = filled;
	ctx->job.drop = NULL; /* fill_queue() checks itself, and filled() must be called */
	pool_submit_estimated(slow ? ctx->service->slow : ctx->service->workers, &ctx->job,
			      slow ? cost_ns : 0);
}

static void fill_run(struct job *job, struct store_reader *reader)
{
	(void)reader;
	fill_queue(ctx_of_job(job)->data);
}

static void filled(struct job *job)
{
	struct context *ctx = ctx_of_job(job);
	struct lines *lines = ctx->data;
	lines->filling = false;
	if (has_line_to_send(lines))
		stream_produce(ctx);
	else if (!lines->read && !lines->next.cube && lines->count < AHEAD)
		lines_wait(&lines->stream);
	else
		job_listen(ctx->service->jobs,
			   lines->count > 0 ? lines->ahead[lines->first].job : NULL,
			   &lines->listener, lines->next.cube ? AGAIN_MS : WAIT_MS);
}

static bool has_line_to_send(const struct lines *lines)
{
	struct job_view view;
	if (atomic_load(&lines->gone))
		return true;
	if (lines->count == 0)
		return (lines->read && !lines->next.cube) ||
		       atomic_load(&lines->ctx->service->stopping);
	const struct solve_line *line = &lines->ahead[lines->first];
	if (!line->job)
		return true;
	job_look(lines->ctx->service->jobs, line->job, &view);
	return view.status >= JOB_DONE;
}

static void lines_destroy(struct stream *stream)
{
	drop_all(container_of(stream, struct lines, stream));
}

static void drop_all(struct lines *lines)
{
	while (lines->count > 0)
		drop_first(lines);
	solve_question_free(&lines->next);
}

static void heard(struct job *job)
{
	struct lines *lines = container_of(job, struct lines, listener.heard);
	if (has_line_to_send(lines))
		stream_produce(lines->ctx);
	else
		lines_wait(&lines->stream);
}

/* Cancels its jobs; a listener of one of them is then called, and nothing more is sent. */
static void lines_left(struct context *ctx)
{
	struct lines *lines = ctx->data;
	atomic_store(&lines->gone, true);
	for (unsigned i = 0; !lines->filling && i < lines->count; i++) {
		const struct solve_line *line = &lines->ahead[(lines->first + i) % AHEAD];
		if (line->job)
			job_cancel(ctx->service->jobs, line->job);
	}
}
