/* fuzz_serve.c: libFuzzer against serve(request) over the memory store.
 *
 * An input is up to 8 requests, separated by byte 0x1e: "METHOD TARGET\nHEADER-VALUES\nBODY", where
 * '~' in a target stands for the id of a session that exists, and a METHOD byte from 128 on means
 * that the body is lines, one with bit 5 set that it is plain text. HEADER-VALUES are those of
 * Accept, If-Match, Idempotency-Key, Authorization and If-None-Match, with '|' between them; a
 * METHOD byte with bit 6 set sends the token of the session's owner. What must hold: each request is
 * answered once, with a status below 500 (nothing
 * here can fail on the server's side), errors are problems, and a body that is read the short way
 * (json_parse_flat) is what the JSON library reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/service.h"
#include "server/api/request/stream.h"
#include "server/api/serve.h"
#include "server/json/json_internal.h"
#include "server/live/live.h"
#include "server/modules/modules.h"
#include "server/store/session_id.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUESTS_MAX 8
/* The number of pieces of a stream that are read before it is left. */
#define PIECES_MAX 3

static const char *const methods[] = {"GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "PUT"};

struct exchange {
	unsigned answers;
	char location[64];
	char authorization[96]; /* of the owner of a session that was made */
};

/* Returns true for the only 5xx that is expected: a service without threads makes only small
 * tables. */
static bool lacks_tables(const struct reply *reply)
{
	return reply->problem == PROBLEM_NO_TABLES + 1;
}

static void answered(struct request *request)
{
	struct exchange *exchange = request->owner;
	const struct reply *reply = &request->reply;
	exchange->answers++;
	if (reply->location && strncmp(reply->location, "/v1/sessions/", 13) == 0)
		snprintf(exchange->location, sizeof exchange->location, "%s", reply->location);
	static const char member[] = "\"token\":\"";
	const char *token = reply->body.length == 0 ? NULL
						    : memmem(reply->body.bytes, reply->body.length,
							     member, sizeof member - 1);
	if (token && reply->status == 201)
		snprintf(exchange->authorization, sizeof exchange->authorization, "Bearer %.69s",
			 token + sizeof member - 1);
	if (reply->status < 200 || (reply->status >= 500 && !lacks_tables(reply)) ||
	    reply->body.failed) {
		fprintf(stderr, "status %u\n", reply->status);
		abort();
	}
	/* A page that is not there is a page. */
	const bool page = reply->status == 404 && strncmp(reply->content_type, "text/html", 9) == 0;
	if (reply->status >= 400 && !page &&
	    strcmp(reply->content_type, "application/problem+json") != 0)
		abort();
}

static void produced(struct request *request)
{
	(void)request;
}

/* The watchers, until the end of the input. */
static struct subscriber *subscribers[REQUESTS_MAX];
static size_t subscriber_count;

/* Takes all that there is; the ends of events are where they should be. */
static bool subscriber_send(void *seat)
{
	struct subscriber **subscriber = seat;
	struct iovec pieces[LIVE_PIECES];
	int count;
	while ((count = live_fill(*subscriber, pieces)) > 0) {
		size_t bytes = 0;
		for (int i = 0; i < count; i++) {
			const char *text = pieces[i].iov_base;
			if (pieces[i].iov_len < 2 || text[pieces[i].iov_len - 1] != '\n')
				abort();
			bytes += pieces[i].iov_len;
		}
		live_sent(*subscriber, bytes);
	}
	return count == 0;
}

static void subscriber_end(void *seat)
{
	struct subscriber **subscriber = seat;
	live_leave(*subscriber);
	*subscriber = NULL;
}

static const struct live_calls calls = {.send = subscriber_send, .end = subscriber_end};

static void watchers_turn(struct service *service)
{
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < LIVE_SHARDS; i++)
			live_turn(service_live(service), i, &calls);
		service_poll(service);
	}
}

static void watchers_leave(struct service *service)
{
	for (size_t i = 0; i < subscriber_count; i++)
		if (subscribers[i])
			live_leave(subscribers[i]);
	subscriber_count = 0;
	watchers_turn(service);
	/* Past their grace: their sessions are left alone again. */
	static int64_t ahead_ms;
	ahead_ms += 10000;
	live_tick(service_live(service), monotonic_ms() + ahead_ms);
}

static void watch(struct reply *reply)
{
	struct subscriber **seat = &subscribers[subscriber_count];
	*seat = reply->subscriber;
	reply->subscriber = NULL;
	live_start(*seat, (unsigned)(subscriber_count++ % LIVE_SHARDS), seat);
}

static void exchange_run(struct service *service, struct exchange *exchange,
			 struct request *request)
{
	exchange->answers = 0;
	request->owner = exchange;
	request->answered = answered;
	request->produced = produced;
	serve(service, request);
	if (exchange->answers != 1)
		abort();
	struct stream *stream = request->reply.stream;
	for (int i = 0; stream && stream->state == STREAM_MORE && i < PIECES_MAX; i++) {
		stream->piece.length = 0;
		serve_more(service, request);
	}
	if (stream && stream->state == STREAM_BROKEN)
		abort();
	if (request->reply.subscriber)
		watch(&request->reply);
	request_finish(request);
	watchers_turn(service);
}

static struct service *start(void)
{
	static struct error error = {0};
	struct config config = {.listen_host = "0.0.0.0", .store = "memory:"};
#define LIMIT_DEFAULT(member, flag, value, unit, meaning) config.limits.member = value;
	LIMIT_TABLE(LIMIT_DEFAULT)
#undef LIMIT_DEFAULT
	config.limits.moves = 500;
	config.limits.entries = 40;
	modules_setup();
	struct service *service = service_create(&config, false, &error);
	if (!service)
		abort();
	return service;
}

/* Makes a session and returns the end of its path, its id. */
static void create(struct service *service, char id[SESSION_ID_TEXT + 1], char owner[96])
{
	static const char body[] = "{\"size\":3,\"access\":\"edit\",\"scramble\":\"R U\"}";
	struct exchange exchange = {0};
	struct request request;
	request_init(&request);
	request.method = "POST";
	request.target = "/v1/sessions";
	request.target_length = strlen(request.target);
	request.header[HEADER_CONTENT_TYPE] = "application/json";
	request.body = body;
	request.body_length = sizeof body - 1;
	exchange_run(service, &exchange, &request);
	memcpy(id, exchange.location + strlen("/v1/sessions/"), SESSION_ID_TEXT + 1);
	memcpy(owner, exchange.authorization, sizeof exchange.authorization);
}

/* The text up to `stop` as a string of its own, without NULs, which the HTTP layer never lets
 * through. */
static char *cut(const uint8_t **at, const uint8_t *end, int stop, const char *tilde)
{
	const uint8_t *line = memchr(*at, stop, (size_t)(end - *at));
	size_t length = (size_t)((line ? line : end) - *at), count = 0;
	char *text = malloc(length * SESSION_ID_TEXT + 1);
	for (size_t i = 0; i < length; i++) {
		uint8_t byte = (*at)[i];
		if (byte == '~' && tilde) {
			memcpy(text + count, tilde, SESSION_ID_TEXT);
			count += SESSION_ID_TEXT;
		} else if (byte > ' ' || (byte == ' ' && !tilde)) {
			text[count++] = (char)byte;
		}
	}
	text[count] = '\0';
	*at = line ? line + 1 : end;
	return text;
}

/* Ends the text at the next '|'; what follows, or NULL. */
static char *next_value(char *text)
{
	char *bar = text ? strchr(text, '|') : NULL;
	if (bar)
		*bar++ = '\0';
	return bar;
}

typedef bool parse_body(struct json_reader *reader, const char *body, size_t length,
			struct json_value **value);

/* Reads a body and prints what it is. */
static bool read_with(const char *body, size_t length, parse_body *parse, struct buffer *printed)
{
	struct arena arena = {0};
	struct json_reader reader = {.arena = &arena};
	struct json_value *value;
	const bool read = parse(&reader, body, length, &value);
	if (read)
		json_print(&arena, value, printed);
	arena_finish(&arena);
	return read;
}

static void check_readers(const char *body, size_t length)
{
	struct buffer usual = {0}, any = {0};
	if (read_with(body, length, json_parse_body, &usual) !=
		    read_with(body, length, json_parse_body_any, &any) ||
	    usual.length != any.length ||
	    (any.length > 0 && memcmp(usual.bytes, any.bytes, any.length) != 0))
		abort();
	buffer_free(&usual);
	buffer_free(&any);
}

static void run_one(struct service *service, const char *id, const char *owner, const uint8_t *at,
		    const uint8_t *end)
{
	struct exchange exchange = {0};
	struct request request;
	if (at == end)
		return;
	request_init(&request);
	bool lines = *at >= 128, owns = *at & 64, plain = *at & 32;
	request.method = methods[*at++ % (sizeof methods / sizeof methods[0])];
	char *target = cut(&at, end, '\n', id);
	char *headers = cut(&at, end, '\n', NULL);
	char *if_match = next_value(headers), *key = next_value(if_match);
	char *authorization = next_value(key), *if_none_match = next_value(authorization);
	request.target = target;
	request.target_length = strlen(target);
	request.header[HEADER_CONTENT_TYPE] = lines   ? "application/x-ndjson"
					      : plain ? "text/plain"
						      : "application/json";
	request.header[HEADER_ACCEPT] = headers[0] ? headers : NULL;
	request.header[HEADER_IF_MATCH] = if_match && if_match[0] ? if_match : NULL;
	request.header[HEADER_IDEMPOTENCY_KEY] = key && key[0] ? key : NULL;
	request.header[HEADER_AUTHORIZATION] = owns ? owner : authorization;
	request.header[HEADER_IF_NONE_MATCH] = if_none_match;
	/* A copy of exactly its length: reading past it is seen. */
	size_t length = (size_t)(end - at);
	char *body = malloc(length ? length : 1);
	memcpy(body, at, length);
	request.body = body;
	request.body_length = length;
	check_readers(body, length);
	exchange_run(service, &exchange, &request);
	free(body);
	free(headers);
	free(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct service *service;
	static unsigned runs;
	static char id[SESSION_ID_TEXT + 1], owner[96];
	if (!service) {
		log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
		json_setup();
	}
	if (runs++ % 1000 == 0) {
		if (service) {
			service_stop(service);
			service_destroy(service);
		}
		service = start();
	}
	create(service, id, owner);
	const uint8_t *end = data + size;
	for (int i = 0; i < REQUESTS_MAX && data < end; i++) {
		const uint8_t *stop = memchr(data, 0x1e, (size_t)(end - data));
		run_one(service, id, owner, data, stop ? stop : end);
		data = stop ? stop + 1 : end;
	}
	watchers_leave(service);
	return 0;
}
