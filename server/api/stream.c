/* stream.c: making the pieces of an answer one after the other. */
#include "server/api/stream.h"

#include "server/api/state.h"

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

static void first_made(struct work *work)
{
	struct stream *stream = work->data;
	struct reply *reply = &work->request->reply;
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
	work->request->reply.content_type = content_type;
	work_compute(work, stream->cost_ns, first_make, first_made);
}

static void piece_run(struct job *job, struct store_reader *reader)
{
	struct stream *stream = work_of_job(job)->request->reply.stream;
	(void)reader;
	piece_make(stream);
}

static void piece_done(struct job *job)
{
	struct work *work = work_of_job(job);
	atomic_fetch_sub(&work->service->slow_ns, work->slow_ns);
	work->slow_ns = 0;
	atomic_fetch_sub(&work->service->pending, 1);
	work->request->produced(work->request);
}

void stream_produce(struct work *work)
{
	piece_make(work->request->reply.stream);
	atomic_fetch_sub(&work->service->pending, 1);
	work->request->produced(work->request);
}

void stream_more(struct service *service, struct request *request)
{
	struct work *work = request->work;
	if (request->reply.stream->wait) {
		atomic_fetch_add(&service->pending, 1);
		request->reply.stream->wait(request->reply.stream);
		return;
	}
	uint64_t cost_ns = request->reply.stream->cost_ns;
	bool slow = cost_ns > WORKER_NS;
	work->job.run = piece_run;
	work->job.done = piece_done;
	/* It was admitted when it began; a long piece counts for those who come later. */
	work->slow_ns = slow ? cost_ns : 0;
	atomic_fetch_add(&service->slow_ns, work->slow_ns);
	atomic_fetch_add(&service->pending, 1);
	pool_submit(slow ? service->slow : service->workers, &work->job);
	if (service->inline_jobs)
		service_poll(service);
}

void stream_end(struct stream *stream)
{
	if (stream->destroy)
		stream->destroy(stream);
	buffer_free(&stream->piece);
}
