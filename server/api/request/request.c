/* request.c: what a request holds, from its beginning to its end. */
#include "server/api/request/request.h"

#include <string.h>

#include "server/access/secret.h"
#include "server/api/request/stream.h"
#include "server/live/live.h"
#include "server/util/splitmix.h"

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

static bool is_request_id(const char *text)
{
	const size_t length = strnlen(text, REQUEST_ID_MAX + 1);
	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return length >= 1 && length <= REQUEST_ID_MAX;
}

/* Makes an id that is unlike all others with high probability: each thread has a random start. */
static void make_id(char id[REQUEST_ID_MADE + 1])
{
	static const char digits[] = "0123456789abcdef";
	static _Thread_local uint64_t state;
	if (state == 0)
		secret_random(&state, sizeof state);
	uint64_t number = splitmix_next(&state);
	for (int i = 0; i < REQUEST_ID_MADE; i++, number <<= 4)
		id[i] = digits[number >> 60];
	id[REQUEST_ID_MADE] = '\0';
}

void request_identify(struct request *request)
{
	const char *sent = request->header[HEADER_REQUEST_ID];
	if (sent && is_request_id(sent)) {
		request->id = sent;
	} else if (request->id != request->made_id) {
		make_id(request->made_id);
		request->id = request->made_id;
	}
}

void request_clear_reply(struct request *request)
{
	struct reply *reply = &request->reply;
	buffer_free(&reply->body);
	*reply = (struct reply){.body.charge = request->account,
				.allow_origin = reply->allow_origin,
				.vary_origin = reply->vary_origin,
				.minimal = reply->minimal};
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
