/* service_client.c: sends requests to a service in this process, without sockets. */
#include "tests/core/check.h"
#include "service_client.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/json/reader.h"
#include "server/modules/modules.h"
#include "server/util/log.h"

struct config client_config(const char *store)
{
	struct config config = {.listen_host = "0.0.0.0", .store = store};
#define LIMIT_SET(member, flag, value, unit, meaning) config.limits.member = value;
	LIMIT_TABLE(LIMIT_SET)
#undef LIMIT_SET
	return config;
}

struct service *client_start_service(const char *store)
{
	struct error error = {0};
	struct config config = client_config(store);
	log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
	modules_setup();
	json_setup();
	struct service *service = service_create(&config, false, &error);
	ck_assert_msg(service != NULL, "%s", error.text);
	return service;
}

const char *client_incarnation(const struct service *service)
{
	static char incarnation[INCARNATION_TEXT + 1];
	service->store->operations->incarnation(service->store, incarnation);
	return incarnation;
}

void client_stop_service(struct service *service)
{
	service_stop(service);
	service_destroy(service);
}

/* The newest sessions created, and their owners' tokens. */
static struct {
	char id[17], authorization[96];
} owned[64];
static unsigned owned_count;

static void remember(const struct client_response *response)
{
	const char *id = strstr(response->body, "\"id\":\""),
		   *token = strstr(response->body, "\"token\":\"");
	/* A solve belongs to the owner of its session. */
	const char *session = strstr(response->body, "\"session\":\"");
	const char *known = session && !token ? client_token(session, NULL) : NULL;
	if (response->status != 201 || !id || (!token && !known))
		return;
	unsigned place = owned_count++ % 64;
	char authorization[96];
	snprintf(authorization, sizeof authorization, "%s%.69s", token ? "Bearer " : "",
		 token ? token + 9 : "");
	if (known)
		memcpy(authorization, known, sizeof authorization);
	snprintf(owned[place].id, sizeof owned[place].id, "%s", id + 6);
	memcpy(owned[place].authorization, authorization, sizeof authorization);
}

const char *client_token(const char *target, const char *body)
{
	for (unsigned i = 0; i < owned_count && i < 64; i++)
		if (strstr(target, owned[i].id) || (body && strstr(body, owned[i].id)))
			return owned[i].authorization;
	return NULL;
}

const char *client_key, *client_accept;

/* Nothing here may allocate: a test may be failing allocations. */
static void client_answered(struct request *request)
{
	struct client_response *response = request->owner;
	const struct buffer *body = &request->reply.body;
	size_t length =
		body->length < sizeof response->body ? body->length : sizeof response->body - 1;
	response->answers++;
	/* A reply without memory for its body is sent as a fixed 503. */
	response->status = body->failed ? 503 : request->reply.status;
	if (length > 0)
		memcpy(response->body, body->bytes, length);
	response->body[length] = '\0';
	snprintf(response->location, sizeof response->location, "%s",
		 request->reply.location ? request->reply.location : "");
	remember(response);
}

void client_send(struct service *service, struct client_response *response, const char *method,
		 const char *target, const char *body, const char *if_match)
{
	struct request request;
	response->status = response->answers = 0;
	request_init(&request);
	request.method = method;
	request.target = target;
	request.target_length = strlen(target);
	request.body = body ? body : "";
	request.body_length = strlen(request.body);
	request.header[HEADER_CONTENT_TYPE] = "application/json";
	request.header[HEADER_IF_MATCH] = if_match;
	/* Otherwise no two problems are equal. */
	request.header[HEADER_REQUEST_ID] = "test";
	request.header[HEADER_ACCEPT] = client_accept;
	request.header[HEADER_IDEMPOTENCY_KEY] = client_key;
	request.header[HEADER_AUTHORIZATION] = client_token(target, body);
	request.owner = response;
	request.answered = client_answered;
	serve(service, &request);
	while (response->answers == 0) {
		service_flush(service);
		struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
		poll(&wake, 1, 1000);
		service_poll(service);
	}
	request_finish(&request);
}

long long client_number(const struct client_response *response, const char *key)
{
	char quoted[64];
	snprintf(quoted, sizeof quoted, "\"%s\":", key);
	const char *at = strstr(response->body, quoted);
	ck_assert_msg(at != NULL, "no %s in %s", key, response->body);
	return strtoll(at + strlen(quoted), NULL, 10);
}
