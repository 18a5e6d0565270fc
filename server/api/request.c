/* request.c: what a request holds, from its beginning to its end. */
#include "server/api/request.h"

#include "server/api/stream.h"
#include "server/live/live.h"

void request_init(struct request *request)
{
	*request = (struct request){0};
}

void request_take_reply(struct request *request, struct request *from)
{
	buffer_free(&request->reply.body);
	request->reply = from->reply;
	from->reply = (struct reply){0};
}

void request_finish(struct request *request)
{
	if (request->reply.stream)
		stream_end(request->reply.stream);
	if (request->reply.watcher)
		live_leave(request->reply.watcher);
	buffer_free(&request->reply.body);
	arena_finish(&request->arena);
}
