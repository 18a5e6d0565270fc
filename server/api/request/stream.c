/* stream.c: making the pieces of an answer one after the other. */
#include "server/api/request/stream.h"

#include "server/api/request/service_state.h"

/* A larger piece is not reused for the next one. */
#define PIECE_CAPACITY_MAX ((size_t)4 * PIECE_BYTES)

uint64_t stream_cost(uint64_t each_ns, uint64_t count)
{
	const uint64_t least_ns =
		each_ns * count > WORKER_NS ? LONG_COMPUTATION_NS : STREAM_PIECE_NS;
	return each_ns > least_ns ? each_ns : least_ns;
}

static void piece_make(struct stream *stream)
{
	stream->state = stream->next(stream, &stream->piece);
	if (stream->piece.failed)
		stream->state = STREAM_BROKEN;
}

/* All pieces, for a sender that does not take pieces. */
static void first_make(struct context *ctx)
{
	struct stream *stream = ctx->data;
	if (stream->prepare)
		stream->prepare(ctx, stream);
	if (ctx->request->reply.status != 0)
		return;
	do
		piece_make(stream);
	while (stream->state == STREAM_MORE && !ctx->request->produced);
}

/* Before an answer begins: the last chance to refuse it. */
static void first_admit(struct context *ctx, struct stream *stream)
{
	struct charge *account = ctx->request->account;
	if (stream->state == STREAM_MORE && !charge_take(account, STREAM_SENDER_BYTES))
		stream->state = STREAM_BROKEN;
	/* The refusal may have been reported as an error of one of its cubes. */
	if (account->refused != BUDGET_GRANTED)
		stream->state = STREAM_BROKEN;
	account->forced = true;
}

static void first_made(struct context *ctx)
{
	struct stream *stream = ctx->data;
	struct reply *reply = &ctx->request->reply;
	if (reply->status != 0) { /* it was not made */
		stream_end(stream);
		ctx_answer(ctx);
		return;
	}
	first_admit(ctx, stream);
	switch (stream->state) {
	case STREAM_BROKEN:
		stream_end(stream);
		ctx_no_memory(ctx);
		break;
	case STREAM_END:
		reply->status = stream->status ? stream->status : 200;
		buffer_free(&reply->body);
		reply->body = stream->piece;
		stream->piece = (struct buffer){0};
		stream_end(stream);
		break;
	case STREAM_MORE:
		reply->status = stream->status ? stream->status : 200;
		reply->stream = stream;
		break;
	}
	ctx_answer(ctx);
}

/* A slice of a piece; with `whole`, of all pieces. */
static void piece_read(struct job *job, struct stream *stream, struct store_reader *reader,
		       bool whole)
{
	stream->state = stream->read(stream, &stream->piece, reader);
	if (stream->piece.failed)
		stream->state = STREAM_BROKEN;
	job->more = stream->state == STREAM_MORE && (whole || stream->piece.length == 0);
}

static void first_read(struct context *ctx, struct store_reader *reader)
{
	piece_read(&ctx->job, ctx->data, reader, !ctx->request->produced);
}

void stream_scan(struct context *ctx, struct stream *stream, const char *content_type)
{
	ctx->data = stream;
	stream->piece.charge = ctx->request->account;
	ctx->request->reply.content_type = content_type;
	ctx_read(ctx, first_read, first_made);
}

void stream_start(struct context *ctx, struct stream *stream, const char *content_type)
{
	ctx->data = stream;
	stream->piece.charge = ctx->request->account;
	ctx->request->reply.content_type = content_type;
	ctx_compute(ctx, stream->prepare_ns + stream->cost_ns, first_make, first_made);
}

static void piece_run(struct job *job, struct store_reader *reader)
{
	struct context *ctx = ctx_of_job(job);
	struct stream *stream = ctx->request->reply.stream;
	/* Checked here, so that no more pieces are made at a time than there are threads. */
	stream->held_up =
		!charge_ready(ctx->request->account) && !atomic_load(&ctx->service->stopping);
	if (stream->held_up)
		job->more = false;
	else if (stream->read)
		piece_read(job, stream, reader, false);
	else
		piece_make(stream);
}

static void piece_done(struct job *job)
{
	struct context *ctx = ctx_of_job(job);
	struct service *service = ctx->service;
	if (ctx->request->reply.stream->held_up) {
		ctx->next = service->held_up;
		service->held_up = ctx;
		atomic_fetch_add(&service->held_up_count, 1);
		return;
	}
	atomic_fetch_sub(&ctx->service->pending, 1);
	ctx->request->produced(ctx->request);
}

/* The client has disconnected: the rest would not be read. */
static void piece_drop(struct job *job)
{
	struct stream *stream = ctx_of_job(job)->request->reply.stream;
	stream->state = STREAM_BROKEN;
	stream->held_up = false;
	piece_done(job);
}

void stream_produce(struct context *ctx)
{
	piece_make(ctx->request->reply.stream);
	atomic_fetch_sub(&ctx->service->pending, 1);
	ctx->request->produced(ctx->request);
}

/* Has the next piece made on another thread. */
static void piece_submit(struct context *ctx)
{
	struct service *service = ctx->service;
	const struct stream *stream = ctx->request->reply.stream;
	const uint64_t cost_ns = stream->cost_ns;
	const bool slow = cost_ns > WORKER_NS;
	struct pool *pool = stream->read ? service->scans : slow ? service->slow : service->workers;
	ctx->job.run = piece_run;
	ctx->job.done = piece_done;
	ctx->job.drop = piece_drop;
	ctx->job.queued.begun = true;
	/* It was admitted when it began; a long piece counts for requests that come later. */
	pool_submit_estimated(pool, &ctx->job, slow ? cost_ns : 0);
}

void stream_more(struct service *service, struct request *request)
{
	struct context *ctx = request->ctx;
	if (request->reply.stream->wait) {
		atomic_fetch_add(&service->pending, 1);
		request->reply.stream->wait(request->reply.stream);
		return;
	}
	/* A large piece must not be kept while others wait for memory. */
	if (request->reply.stream->piece.capacity > PIECE_CAPACITY_MAX)
		buffer_free(&request->reply.stream->piece);
	atomic_fetch_add(&service->pending, 1);
	piece_submit(ctx);
}

void stream_go_on(struct service *service)
{
	struct context *held_up = service->held_up;
	service->held_up = NULL;
	atomic_store(&service->held_up_count, 0);
	while (held_up) {
		struct context *ctx = held_up;
		held_up = ctx->next;
		piece_submit(ctx);
	}
}

void stream_end(struct stream *stream)
{
	if (stream->destroy)
		stream->destroy(stream);
	buffer_free(&stream->piece);
}
