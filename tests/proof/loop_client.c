/* loop_client.c: requests to a service, and what they take. */
#include "tests/proof/loop_client.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/api/request/context.h"
#include "server/api/serve.h"
#include "server/api/service.h"

struct service *service;
char authorization[128], owner[sizeof authorization];
struct checked checked;

void need(bool holds, const char *what)
{
	if (!holds) {
		printf("cannot go on: %s\n", what);
		exit(1);
	}
}

static uint64_t thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void answered(struct request *request)
{
	struct answer *answer = request->owner;
	const struct buffer *body = &request->reply.body;
	size_t length = body->length < sizeof answer->body ? body->length : sizeof answer->body - 1;
	if (length > 0)
		memcpy(answer->body, body->bytes, length);
	answer->body[length] = '\0';
	const char token[] = "\"token\":\"";
	const size_t memtable = body->length < 200 ? body->length : 200;
	const char *at = memtable == 0 || body->failed
				 ? NULL
				 : memmem(body->bytes + body->length - memtable, memtable, token,
					  strlen(token));
	if (request->reply.status == 201 && at && strstr(answer->body, "\"revision\":"))
		snprintf(authorization, sizeof authorization, "Bearer %.*s", TOKEN_TEXT,
			 at + strlen(token));
	answer->status = body->failed ? 503 : request->reply.status;
	if (request->reply.location)
		snprintf(answer->location, sizeof answer->location, "%s", request->reply.location);
	atomic_store(&answer->done, true);
}

static void produced(struct request *request)
{
	(void)request;
}

static void step(struct answer *answer, void (*run)(struct request *request),
		 struct request *request)
{
	uint64_t begin = thread_ns();
	run(request);
	uint64_t took = thread_ns() - begin;
	if (took > answer->step_ns)
		answer->step_ns = took;
}

static void run_serve(struct request *request)
{
	serve(service, request);
}

static void run_flush(struct request *request)
{
	(void)request;
	service_flush(service);
}

static void run_poll(struct request *request)
{
	(void)request;
	service_poll(service);
}

static const char *accept_encoding = "gzip";

void send_one(const struct sent *sent, struct answer *answer)
{
	struct request request;
	*answer = (struct answer){0};
	request_init(&request);
	request.method = sent->method;
	request.target = sent->target;
	request.target_length = strlen(sent->target);
	request.body = sent->body ? sent->body : "";
	request.body_length = sent->length;
	request.header[HEADER_CONTENT_TYPE] = sent->content_type;
	request.header[HEADER_ACCEPT] = sent->accept;
	request.header[HEADER_ACCEPT_ENCODING] = accept_encoding;
	request.header[HEADER_IF_MATCH] = sent->if_match;
	request.header[HEADER_IDEMPOTENCY_KEY] = sent->key;
	request.header[HEADER_AUTHORIZATION] = authorization[0] ? authorization : NULL;
	request.owner = answer;
	request.answered = answered;
	request.produced = produced;
	step(answer, run_serve, &request);
	while (!atomic_load(&answer->done)) {
		step(answer, run_flush, &request);
		struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
		poll(&wake, 1, 100);
		step(answer, run_poll, &request);
	}
	request_finish(&request);
}

/* Something that has to be there first. */
struct answer must(const char *method, const char *path, const char *body, unsigned status)
{
	struct answer made;
	accept_encoding = NULL; /* its body is read */
	send_one(&(struct sent){method, path, "application/json", NULL, NULL, NULL, body,
				body ? strlen(body) : 0},
		 &made);
	accept_encoding = "gzip";
	if (made.status != status)
		printf("%s %s: %u\n", method, path, made.status);
	need(made.status == status, made.body);
	return made;
}

/* ---- streams of events ---- */

static struct request watching[8];
static size_t watching_count;

static void watching_answered(struct request *request)
{
	need(request->reply.status == 200, "a stream of events");
}

void watch(const char *target, const char *accept)
{
	struct request *request = &watching[watching_count++];
	request_init(request);
	request->method = "GET";
	request->target = target;
	request->target_length = strlen(target);
	request->header[HEADER_ACCEPT] = accept;
	request->header[HEADER_AUTHORIZATION] = authorization;
	request->answered = watching_answered;
	serve(service, request);
	need(request->reply.subscriber != NULL, target);
}

void watch_end(void)
{
	while (watching_count > 0)
		request_finish(&watching[--watching_count]);
}

/* ---- checking ---- */

void check(struct sent sent, prepare *before, unsigned status)
{
	char target[20000];
	uint64_t least = UINT64_MAX;
	struct answer answer;
	const char *given = sent.target;
	if (checked.only && !strstr(given, checked.only) &&
	    !(sent.body && strstr(sent.body, checked.only)))
		return;
	for (int try = 0; try < (least > LIMIT_NS ? TRIES_ABOVE : TRIES) && least > LIMIT_NS / 2;
	     try++) {
		snprintf(target, sizeof target, "%s", given);
		sent.target = target;
		memcpy(authorization, owner, sizeof owner);
		if (before)
			before(target, sizeof target);
		send_one(&sent, &answer);
		least = answer.step_ns < least ? answer.step_ns : least;
	}
	checked.requests++;
	checked.slowest_ns = least > checked.slowest_ns ? least : checked.slowest_ns;
	bool right = answer.status == status || (status == 0 && answer.status < 500);
	if (least > LIMIT_NS || !right || checked.only)
		printf("%8.3f ms  %u  %s %.60s  %s  %zu bytes: %.40s%s\n", (double)least / 1e6,
		       answer.status, sent.method, given, sent.accept ? sent.accept : "",
		       sent.length, sent.body ? sent.body : "", right ? "" : answer.body);
	checked.failures += least > LIMIT_NS || !right;
}
