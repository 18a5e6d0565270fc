/* shared_services.c: several services in one process over one memory store. */
#include "tests/core/check.h"
#include "shared_services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/store/memory.h"

uint64_t shared_draw(struct shared_services *shared, uint64_t below)
{
	uint64_t x = shared->random += 0x9e3779b97f4a7c15; /* splitmix64 */
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (x ^ x >> 31) % below;
}

void shared_hold(struct shared_services *shared, bool hold)
{
	for (size_t i = 0; i < SHARED_SERVICES; i++)
		store_memory_hold(shared->service[i]->store, hold);
}

void shared_start(struct shared_services *shared, uint64_t seed, unsigned faults)
{
	static unsigned names;
	char location[32];
	*shared = (struct shared_services){.random = seed};
	snprintf(location, sizeof location, "memory:shared %u", names++);
	for (size_t i = 0; i < SHARED_SERVICES; i++)
		shared->service[i] = client_start_service(location);
	store_memory_break(shared->service[0]->store, faults);
}

void shared_stop(struct shared_services *shared)
{
	shared_hold(shared, false);
	for (bool busy = true; busy;) {
		busy = false;
		for (size_t i = 0; i < SHARED_SERVICES; i++)
			service_poll(shared->service[i]);
		for (size_t i = 0; i < SHARED_CALLS; i++)
			busy |= shared->call[i].busy && !shared->call[i].answered;
	}
	while (shared_answered(shared))
		;
	for (size_t i = 0; i < SHARED_SERVICES; i++)
		client_stop_service(shared->service[i]);
}

/* ---- calls ---- */

static void call_answered(struct request *request)
{
	struct shared_call *call = request->owner;
	const struct buffer *body = &request->reply.body;
	const size_t length =
		body->length < sizeof call->text ? body->length : sizeof call->text - 1;
	ck_assert(!call->answered);
	call->answered = true;
	call->status = request->reply.status;
	if (length > 0)
		memcpy(call->text, body->bytes, length);
	call->text[length] = '\0';
}

struct shared_call *shared_free_call(struct shared_services *shared)
{
	for (size_t i = 0; i < SHARED_CALLS; i++)
		if (!shared->call[i].busy) {
			shared->call[i] = (struct shared_call){0};
			return &shared->call[i];
		}
	return NULL;
}

void shared_begin(struct shared_services *shared, struct shared_call *call)
{
	struct request *request = &call->request;
	if (!call->service)
		call->service = shared->service[shared_draw(shared, SHARED_SERVICES)];
	request_init(request);
	request->method = call->method;
	request->target = call->target;
	request->target_length = strlen(call->target);
	request->body = call->body;
	request->body_length = strlen(call->body);
	request->header[HEADER_CONTENT_TYPE] =
		call->content_type ? call->content_type : "application/json";
	request->header[HEADER_IF_MATCH] = call->if_match[0] ? call->if_match : NULL;
	request->header[HEADER_AUTHORIZATION] = call->authorization[0] ? call->authorization : NULL;
	request->owner = call;
	request->answered = call_answered;
	call->busy = true;
	serve(call->service, request);
}

void shared_step(struct shared_services *shared)
{
	struct service *service = shared->service[shared_draw(shared, SHARED_SERVICES)];
	switch (shared_draw(shared, 4)) {
	case 0:
		store_memory_commit(service->store);
		break;
	case 1:
		store_memory_answer(service->store, (size_t)shared_draw(shared, 64));
		break;
	default:
		service_poll(service);
	}
}

struct shared_call *shared_answered(struct shared_services *shared)
{
	for (size_t i = 0; i < SHARED_CALLS; i++) {
		struct shared_call *call = &shared->call[i];
		if (call->busy && call->answered) {
			request_finish(&call->request);
			call->busy = false;
			return call;
		}
	}
	return NULL;
}

long long shared_number(const char *text, const char *key)
{
	char quoted[64];
	snprintf(quoted, sizeof quoted, "\"%s\":", key);
	const char *at = strstr(text, quoted);
	return at ? strtoll(at + strlen(quoted), NULL, 10) : -1;
}
