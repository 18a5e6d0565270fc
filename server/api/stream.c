/* stream.c: making the pieces of an answer one after the other. */
#include "server/api/stream.h"

#include "server/api/state.h"

void stream_begin(struct work *work, struct stream *stream, const char *content_type)
{
	struct reply *reply = &work->request->reply;
	reply->status = 200;
	reply->content_type = content_type;
	reply->stream = stream;
}

static void piece_run(struct job *job, struct store_reader *reader)
{
	struct stream *stream = work_of_job(job)->request->reply.stream;
	(void)reader;
	stream->state = stream->next(stream, &stream->piece);
	if (stream->piece.failed)
		stream->state = STREAM_BROKEN;
}

static void piece_done(struct job *job)
{
	struct work *work = work_of_job(job);
	work->service->slow_ns -= work->slow_ns;
	work->slow_ns = 0;
	work->service->pending--;
	work->request->produced(work->request);
}

void stream_more(struct service *service, struct request *request)
{
	struct work *work = request->work;
	uint64_t cost_ns = request->reply.stream->cost_ns;
	bool slow = cost_ns > WORKER_NS;
	work->job.run = piece_run;
	work->job.done = piece_done;
	/* It was admitted when it began; a long piece counts for those who come later. */
	work->slow_ns = slow ? cost_ns : 0;
	service->slow_ns += work->slow_ns;
	service->pending++;
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
