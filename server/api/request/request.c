/* request.c: what a request holds, from its beginning to its end. */
#include "server/api/request/request.h"

#include "server/api/request/stream.h"
#include "server/live/live.h"

void request_init(struct request *request)
{
	*request = (struct request){0};
	request->account = &request->charge;
	request->arena.charge = request->account;
	request->reply.body.charge = request->account;
}

void request_join(struct request *request, const struct request *whole)
{
	request->account = whole->account;
	request->arena.charge = whole->account;
	request->reply.body.charge = whole->account;
}

void request_clear_reply(struct request *request)
{
	struct reply *reply = &request->reply;
	buffer_free(&reply->body);
	*reply = (struct reply){.body.charge = request->account,
				.allow_origin = reply->allow_origin,
				.vary_origin = reply->vary_origin};
}

void request_move_reply(struct request *request, struct request *from)
{
	struct reply *reply = &request->reply;
	buffer_free(&reply->body);
	from->reply.allow_origin = reply->allow_origin;
	from->reply.vary_origin = reply->vary_origin;
	*reply = from->reply;
	charge_give(from->account, reply->body.capacity);
	charge_force(request->account, reply->body.capacity);
	reply->body.charge = request->account;
	from->reply = (struct reply){.body.charge = from->account};
}

void request_finish(struct request *request)
{
	if (request->reply.stream)
		stream_end(request->reply.stream);
	if (request->reply.subscriber)
		live_leave(request->reply.subscriber);
	buffer_free(&request->reply.body);
	arena_finish(&request->arena);
	charge_end(&request->charge);
}
