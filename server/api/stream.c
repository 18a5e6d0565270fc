/* stream.c: making the pieces of an answer one after the other. */
#include "server/api/stream.h"

#include "server/api/state.h"

/* A piece with more room than this is not used again for the next one. */
#define PIECE_CAPACITY_MAX ((size_t)4 * PIECE_BYTES)

static void piece_make(struct stream *stream)
{
	stream->state = stream->next(stream, &stream->piece);
	if (stream->piece.failed)
		stream->state = STREAM_BROKEN;
}

/* The whole, for a sender that does not take pieces. */
static void first_make(struct work *work)
{
	struct stream *stream = work->data;
	do
		piece_make(stream);
	while (stream->state == STREAM_MORE && !work->request->produced);
}

/* Before an answer begins: the last time that it can be refused. */
static void first_admit(struct work *work, struct stream *stream)
{
	struct charge *account = work->request->account;
	if (stream->state == STREAM_MORE && !charge_take(account, STREAM_SENDER_BYTES))
		stream->state = STREAM_BROKEN;
	/* What was refused is told as an error of one of its cubes, perhaps. */
	if (account->refused != BUDGET_GRANTED)
		stream->state = STREAM_BROKEN;
	account->forced = true;
}

static void first_made(struct work *work)
{
	struct stream *stream = work->data;
	struct reply *reply = &work->request->reply;
	first_admit(work, stream);
	switch (stream->state) {
	case STREAM_BROKEN:
		stream_end(stream);
		work_no_memory(work);
		break;
	case STREAM_END:
		reply->status = 200;
		buffer_free(&reply->body);
		reply->body = stream->piece;
		stream->piece = (struct buffer){0};
		stream_end(stream);
		break;
	case STREAM_MORE:
		reply->status = 200;
		reply->stream = stream;
		break;
	}
	work_answer(work);
}

void stream_start(struct work *work, struct stream *stream, const char *content_type)
{
	work->data = stream;
	stream->piece.charge = work->request->account;
	work->request->reply.content_type = content_type;
	work_compute(work, stream->cost_ns, first_make, first_made);
}

static void piece_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct stream *stream = work->request->reply.stream;
	(void)reader;
	/* Looked at here, so that no more are made at a time than there are threads. */
	stream->held_up =
		!charge_ready(work->request->account) && !atomic_load(&work->service->stopping);
	if (!stream->held_up)
		piece_make(stream);
}

static void piece_done(struct job *job)
{
	struct work *work = work_of_job(job);
	struct service *service = work->service;
	atomic_fetch_sub(&service->slow_ns, work->slow_ns);
	work->slow_ns = 0;
	if (work->request->reply.stream->held_up) {
		work->next = service->held_up;
		service->held_up = work;
		atomic_fetch_add(&service->held_up_count, 1);
		return;
	}
	atomic_fetch_sub(&work->service->pending, 1);
	work->request->produced(work->request);
}

void stream_produce(struct work *work)
{
	piece_make(work->request->reply.stream);
	atomic_fetch_sub(&work->service->pending, 1);
	work->request->produced(work->request);
}

/* Has the next piece made on another thread. */
static void piece_submit(struct work *work)
{
	struct service *service = work->service;
	uint64_t cost_ns = work->request->reply.stream->cost_ns;
	bool slow = cost_ns > WORKER_NS;
	work->job.run = piece_run;
	work->job.done = piece_done;
	/* It was admitted when it began; a long piece counts for those who come later. */
	work->slow_ns = slow ? cost_ns : 0;
	atomic_fetch_add(&service->slow_ns, work->slow_ns);
	pool_submit(slow ? service->slow : service->workers, &work->job);
}

void stream_more(struct service *service, struct request *request)
{
	struct work *work = request->work;
	if (request->reply.stream->wait) {
		atomic_fetch_add(&service->pending, 1);
		request->reply.stream->wait(request->reply.stream);
		return;
	}
	/* A piece that was large is not to be kept while others wait. */
	if (request->reply.stream->piece.capacity > PIECE_CAPACITY_MAX)
		buffer_free(&request->reply.stream->piece);
	atomic_fetch_add(&service->pending, 1);
	piece_submit(work);
	if (service->inline_jobs)
		service_poll(service);
}

void stream_go_on(struct service *service)
{
	struct work *held_up = service->held_up;
	service->held_up = NULL;
	atomic_store(&service->held_up_count, 0);
	while (held_up) {
		struct work *work = held_up;
		held_up = work->next;
		piece_submit(work);
	}
}

void stream_end(struct stream *stream)
{
	if (stream->destroy)
		stream->destroy(stream);
	buffer_free(&stream->piece);
}
