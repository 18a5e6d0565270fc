/* request.c: what a request holds, from its beginning to its end. */
#include "server/api/request.h"

#include "server/api/stream.h"
#include "server/live/live.h"

void request_init(struct request *request)
{
	*request = (struct request){0};
}

void request_clear_reply(struct request *request)
{
	struct reply *reply = &request->reply;
	buffer_free(&reply->body);
	*reply = (struct reply){.allow_origin = reply->allow_origin,
				.vary_origin = reply->vary_origin};
}

void request_take_reply(struct request *request, struct request *from)
{
	struct reply *reply = &request->reply;
	buffer_free(&reply->body);
	from->reply.allow_origin = reply->allow_origin;
	from->reply.vary_origin = reply->vary_origin;
	*reply = from->reply;
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
