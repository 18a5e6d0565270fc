/* request_log.c: lines of the log about requests.
 *
 * No line has a secret. The query is left out, as it may have a ticket. Of the path, what the client
 * chose is cut: the id of a session that everybody may turn is a right to turn it, and a token may be
 * sent in the wrong place. */
#include "server/api/request_log.h"

#include <assert.h>
#include <string.h>

#include "server/access/forward.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/util/log.h"
#include "server/util/log_limit.h"
#include "server/util/monotonic.h"

/* The longest path that is logged; the rest of a longer one is left out. */
#define PATH_BYTES 160
/* The characters that are logged of a part of the path that the client chose. */
#define PART_SHOWN 4

static const struct config *configured; /* NULL: nothing is logged, see request_log_open() */
static struct log_limit limit = {.lock = LOCK_INITIALIZER};
static_assert(REFUSAL_COUNT <= LOG_LIMIT_KINDS, "there is no room for all reasons");

void request_log_open(const struct config *config)
{
	configured = config;
}

static enum log_requests wanted(void)
{
	return configured ? configured->log_requests : LOG_REQUESTS_NONE;
}

/* ---- the path ---- */

struct path_text {
	char bytes[PATH_BYTES];
	size_t length;
};

static void path_add(struct path_text *path, const char *text, size_t length)
{
	const size_t room = sizeof path->bytes - 1 - path->length;
	if (length > room)
		length = room;
	memcpy(path->bytes + path->length, text, length);
	path->length += length;
	path->bytes[path->length] = '\0';
}

static void path_add_cut(struct path_text *path, const struct text *part)
{
	path_add(path, part->bytes, part->length < PART_SHOWN ? part->length : PART_SHOWN);
	if (part->length > PART_SHOWN)
		path_add(path, "...", 3);
}

/* Takes the first part of a path: a slash that it may begin with, and what follows up to the next
 * one. Returns the part without its slash. */
static struct text take_part(struct text *path)
{
	const char *end = path->bytes + path->length;
	const char *from = path->bytes + (path->length > 0 && path->bytes[0] == '/');
	const char *slash = memchr(from, '/', (size_t)(end - from));
	const struct text part = {from, (size_t)((slash ? slash : end) - from)};
	*path = (struct text){part.bytes + part.length, (size_t)(end - from) - part.length};
	return part;
}

/* Writes the template with the parts that were sent in its holes, cut; without a route, all parts
 * that were sent, cut. */
static void path_print(const struct request *request, const struct route *route,
		       struct path_text *path)
{
	const char *target = request->target ? request->target : "";
	const size_t target_length = request->target ? request->target_length : 0;
	const char *question = memchr(target, '?', target_length);
	struct text sent = {target, question ? (size_t)(question - target) : target_length};
	struct text pattern = {route ? route->path : "", route ? strlen(route->path) : 0};
	struct text *leads = route ? &pattern : &sent;
	while (leads->length > 0) {
		if (leads->bytes[0] == '/')
			path_add(path, "/", 1);
		const struct text name = take_part(&pattern), part = take_part(&sent);
		if (route && (name.length == 0 || name.bytes[0] != '{' || part.length == 0))
			path_add(path, name.bytes, name.length);
		else
			path_add_cut(path, &part);
	}
}

/* ---- which lines, and how ---- */

static int refusal_level(enum refusal reason)
{
	const bool expected = refusal_status(reason) == 429 || reason == REFUSAL_CLIENT_LEFT ||
			      reason == REFUSAL_SHUTTING_DOWN;
	return expected ? LOG_INFO : LOG_WARNING;
}

static int reply_level(const struct reply *reply)
{
	if (reply->problem == 1 + PROBLEM_INTERNAL)
		return LOG_ERROR;
	if (wanted() == LOG_REQUESTS_NONE)
		return LOG_DEBUG;
	if (reply->refusal > 0)
		return refusal_level((enum refusal)(reply->refusal - 1));
	return wanted() == LOG_REQUESTS_ALL ? LOG_INFO : LOG_DEBUG;
}

/* Returns true if there is room for a line about a refusal; with `all`, and at debug level, there
 * always is. */
static bool has_room(enum refusal reason)
{
	return wanted() != LOG_REQUESTS_ERRORS || log_writes(LOG_DEBUG) ||
	       log_limit_admits(&limit, reason, monotonic_ms());
}

static void client_print(const struct peer *peer, const char *forwarded, char text[ADDRESS_TEXT])
{
	uint8_t address[sizeof peer->address];
	memcpy(address, peer->address, sizeof address);
	if (configured)
		forward_apply(configured->trusted_proxy, configured->trusted_proxy_count, forwarded,
			      address);
	address_print(address, text);
}

/* Returns true if `length` hexadecimal digits follow, in small letters, not only zeros unless
 * `zero`; moves past them. */
static bool skip_hex(const char **at, size_t length, bool zero)
{
	const size_t digits = strspn(*at, "0123456789abcdef"), zeros = strspn(*at, "0");
	const bool good = digits == length && (zero || zeros < length);
	*at += good ? length : 0;
	return good;
}

/* W3C Trace Context, 3.2: version, trace id, parent id, flags. A later version may have more. */
static bool is_traceparent(const char *text)
{
	const char *at = text;
	if (!skip_hex(&at, 2, true) || strncmp(text, "ff", 2) == 0 || *at++ != '-' ||
	    !skip_hex(&at, 32, false) || *at++ != '-' || !skip_hex(&at, 16, false) ||
	    *at++ != '-' || !skip_hex(&at, 2, true))
		return false;
	return *at == '\0' || (*at == '-' && strncmp(text, "00", 2) != 0);
}

void request_log(const struct request *request, const struct route *route, uint64_t took_ns)
{
	const struct reply *reply = &request->reply;
	const int level = reply_level(reply);
	const enum refusal reason = (enum refusal)(reply->refusal - 1);
	if (!log_writes(level) || (reply->refusal > 0 && !has_room(reason)))
		return;
	struct path_text path = {.length = 0};
	char client[ADDRESS_TEXT];
	path_print(request, route, &path);
	client_print(&request->peer, request->header[HEADER_FORWARDED_FOR], client);
	struct log_field fields[12] = {
		LOG_TEXT("request_id", request->id ? request->id : ""),
		LOG_TEXT("method", request->method ? request->method : ""),
		LOG_TEXT("path", path.bytes),
		LOG_TEXT("route", route ? route->path : ""),
		LOG_NUMBER("status", reply->status),
		LOG_NUMBER("took_us", took_ns / 1000),
		LOG_TEXT("client", client),
	};
	size_t count = 7;
	if (reply->problem > 0)
		fields[count++] = (struct log_field)LOG_TEXT(
			"problem", problem_name((enum problem_type)(reply->problem - 1)));
	if (reply->refusal > 0)
		fields[count++] = (struct log_field)LOG_TEXT("reason", refusal_reason(reason));
	const char *trace = request->header[HEADER_TRACEPARENT];
	if (trace && is_traceparent(trace))
		fields[count++] = (struct log_field)LOG_TEXT("traceparent", trace);
	log_write(level, "request", fields);
}

void request_log_connection(const struct peer *peer, enum refusal reason)
{
	char client[ADDRESS_TEXT];
	const int level = wanted() == LOG_REQUESTS_NONE ? LOG_DEBUG : refusal_level(reason);
	if (!log_writes(level) || !has_room(reason))
		return;
	client_print(peer, NULL, client);
	log_event(level, "connection refused", LOG_NUMBER("status", refusal_status(reason)),
		  LOG_TEXT("client", client), LOG_TEXT("reason", refusal_reason(reason)));
}

bool request_log_has_left_out(void)
{
	return log_limit_has_left_out(&limit);
}

void request_log_left_out(bool end)
{
	if (!request_log_has_left_out())
		return;
	const int64_t now_ms = end ? INT64_MAX : monotonic_ms();
	for (enum refusal reason = 0; reason < REFUSAL_COUNT; reason++) {
		const uint64_t count = log_limit_take(&limit, reason, now_ms);
		if (count > 0)
			log_event(refusal_level(reason), "lines were left out of the log",
				  LOG_TEXT("reason", refusal_reason(reason)),
				  LOG_NUMBER("status", refusal_status(reason)),
				  LOG_NUMBER("count", count));
	}
}
