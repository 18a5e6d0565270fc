/* serve.c: the way of a request: route, audit, negotiate, parse, handle; and its end. */
#include "server/api/work.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/api/account.h"
#include "server/api/input.h"
#include "server/api/limit.h"
#include "server/api/metrics.h"
#include "server/api/negotiate.h"
#include "server/api/origin.h"
#include "server/api/problem.h"
#include "server/api/retry.h"
#include "server/api/right.h"
#include "server/api/routes.h"
#include "server/api/state.h"
#include "server/api/stream.h"
#include "server/util/monotonic.h"


void work_answer(struct work *work)
{
	hub_leave(work);
	account_answer(work->request);
	buffer_fit(&work->request->reply.body);
	if (work->retry)
		retry_end(work);
	if (work->request->reply.status >= 400 || work->request->reply.replayed)
		limit_not_created(work);
	if (work->request->reply.status >= 400)
		limit_not_stored(work);
	if (!work->internal)
		metrics_answered(work->route, &work->request->reply,
				 monotonic_ns() - work->request->began_ns);
	atomic_fetch_sub(&work->service->pending, 1);
	work->request->answered(work->request);
}

void serve_left(struct service *service, struct request *request)
{
	struct work *work = request->work;
	pthread_mutex_lock(&service->lock);
	void (*left)(struct work *) = work ? work->left : NULL;
	if (left) {
		work->left = NULL;
		left(work);
	}
	if (work)
		pool_abandon(&work->job);
	pthread_mutex_unlock(&service->lock);
}

bool work_no_memory(struct work *work)
{
	problem_answer(work->request, PROBLEM_OUT_OF_MEMORY,
		       "There is not enough memory for this request now; nothing was changed.");
	return false;
}

void *work_take(struct work *work, size_t bytes)
{
	void *memory = arena_take(&work->request->arena, bytes);
	if (!memory)
		work_no_memory(work);
	return memory;
}

const char *work_reply_text(struct work *work, const char *text, size_t length)
{
	const char *copy = arena_text(&work->request->arena, text, length);
	if (!copy)
		work->request->reply.body.failed = true;
	return copy;
}

bool work_reply_made(struct work *work)
{
	return !work->request->reply.body.failed || work_no_memory(work);
}

void work_reply_json(struct work *work, unsigned status)
{
	struct reply *reply = &work->request->reply;
	buffer_add(&reply->body, "\n", 1);
	reply->status = status;
	reply->content_type = media_type(MEDIA_JSON);
}

/* ---- the steps before the handler; each answers a problem and returns false ---- */

static bool host_is(const char *host, size_t length, const char *name)
{
	return strlen(name) == length && strncasecmp(host, name, length) == 0;
}

/* Against DNS rebinding: a page of another origin reaches a loopback server under its own name. */
static bool audit_host(struct work *work)
{
	const struct config *config = &work->service->config;
	const char *host = work->request->header[HEADER_HOST];
	if (!work->service->check_host || !host)
		return true;
	size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	if (host_is(host, length, "localhost") || host_is(host, length, "127.0.0.1") ||
	    host_is(host, length, "[::1]"))
		return true;
	for (size_t i = 0; i < config->allow_host_count; i++)
		if (host_is(host, length, config->allow_host[i]))
			return true;
	problem_answer(work->request, PROBLEM_HOST_NOT_ALLOWED,
		       "This server answers only to the host names localhost, 127.0.0.1, [::1] and "
		       "those of --allow-host.");
	return false;
}

/* The methods of a path as Allow lists them; NULL where the path is none. */
static const char *allowed_methods(struct work *work, const struct text *path)
{
	char *list = work->allow;
	const size_t room = sizeof work->allow;
	struct text id, part;
	for (size_t i = 0; i < route_count; i++) {
		if (!route_match(routes[i].path, path, &id, &part))
			continue;
		const char *separator = strcmp(routes[i].method, "GET") == 0 ? ", HEAD, " : ", ";
		strncat(list, routes[i].method, room - strlen(list) - 1);
		strncat(list, separator, room - strlen(list) - 1);
	}
	if (!list[0])
		return NULL;
	strncat(list, "OPTIONS", room - strlen(list) - 1);
	return list;
}

static bool no_such_route(struct work *work, const struct text *path)
{
	struct out out;
	problem_begin(work->request, PROBLEM_NO_SUCH_ROUTE, &out,
		      "Nothing is served at this path.");
	struct text shorter = {path->bytes, path->length - 1}, id, part;
	if (path->length > 1 && path->bytes[path->length - 1] == '/')
		for (size_t i = 0; i < route_count; i++)
			if (route_match(routes[i].path, &shorter, &id, &part)) {
				out_key(&out, "suggestion");
				out_bytes(&out, shorter.bytes, shorter.length);
				break;
			}
	problem_end(work->request, &out);
	return false;
}

/* `allow` as a member as well: a script need not take the header apart. */
static void method_problem(struct request *request, const char *allow)
{
	struct out out;
	problem_begin(request, PROBLEM_METHOD, &out, "This path answers %s.", allow);
	out_key(&out, "allow");
	out_open(&out, '[');
	while (*allow) {
		size_t length = strcspn(allow, ",");
		out_bytes(&out, allow, length);
		allow += length + strspn(allow + length, ", ");
	}
	out_close(&out, ']');
	problem_end(request, &out);
}

static bool find_route(struct work *work, const struct text *path)
{
	struct request *request = work->request;
	const char *method = strcmp(request->method, "HEAD") == 0 ? "GET" : request->method;
	struct text id;
	work->route = route_find(method, path, &id, &work->name);
	if (work->route) {
		if (!id.bytes || session_id_parse(id.bytes, id.length, &work->id))
			return true;
		problem_answer(request, PROBLEM_NOT_FOUND, "This is not a session id.");
		return false;
	}
	const char *allow = allowed_methods(work, path);
	if (!allow)
		return no_such_route(work, path);
	if (strcmp(method, "OPTIONS") == 0) {
		request->reply.status = 204;
		request->reply.cors_preflight = true;
	} else {
		method_problem(request, allow);
	}
	request->reply.allow = allow;
	return false;
}

static bool negotiate(struct work *work)
{
	const struct request *request = work->request;
	work->lines =
		work->route->lines && media_is(request->header[HEADER_CONTENT_TYPE], MEDIA_NDJSON);
	unsigned offered = work->lines ? work->route->lines : work->route->media;
	work->media = media_choose(request->header[HEADER_ACCEPT], offered,
				   work->lines ? MEDIA_NDJSON : MEDIA_JSON);
	if (work->media != MEDIA_COUNT || !offered)
		return true;
	char expected[128] = "";
	for (enum media media = 0; media < MEDIA_COUNT; media++)
		if (offered >> media & 1) {
			strncat(expected, expected[0] ? ", " : "",
				sizeof expected - strlen(expected) - 1);
			strncat(expected, media_type(media),
				sizeof expected - strlen(expected) - 1);
		}
	struct out out;
	problem_begin(work->request, PROBLEM_NOT_ACCEPTABLE, &out,
		      "The Accept header allows nothing that this path can answer with.");
	problem_member(&out, "expected", expected);
	problem_end(work->request, &out);
	return false;
}

uint64_t serve_body_max(const struct config *config, const char *content_type)
{
	if (media_is(content_type, MEDIA_JSON)) /* nearly all of them */
		return config->limits.body_bytes;
	return media_is(content_type, MEDIA_NDJSON) || media_is(content_type, MEDIA_CSV) ||
			       media_is(content_type, MEDIA_CSTIMER) ||
			       media_is(content_type, MEDIA_TEXT)
		       ? config->limits.batch_bytes
		       : config->limits.body_bytes;
}

/* A packed body would only look like broken JSON. */
static bool audit_content_encoding(struct work *work)
{
	const char *encoding = work->request->header[HEADER_CONTENT_ENCODING];
	if (!work->route->body || !encoding || work->request->body_length == 0 ||
	    strcasecmp(encoding, "identity") == 0)
		return true;
	struct out out;
	problem_begin(work->request, PROBLEM_MEDIA_TYPE, &out,
		      "Compressed bodies are not accepted.");
	problem_member(&out, "expected", "an uncompressed body, without Content-Encoding");
	problem_end(work->request, &out);
	return false;
}

static bool audit_content_type(struct work *work)
{
	const struct request *request = work->request;
	if (!work->route->body || work->lines || request->body_length == 0 ||
	    media_is(request->header[HEADER_CONTENT_TYPE], MEDIA_JSON))
		return true;
	struct out out;
	problem_begin(work->request, PROBLEM_MEDIA_TYPE, &out,
		      "The body must be JSON, with a Content-Type that says so.");
	problem_member(&out, "expected",
		       work->route->lines ? "application/json or application/x-ndjson"
					  : "application/json");
	problem_member(&out, "suggestion", "Content-Type: application/json (curl --json does it)");
	problem_end(work->request, &out);
	return false;
}

static void parse(struct work *work)
{
	input_parse(work); /* a fault shows in the reply's status */
}

static void parsed(struct work *work)
{
	if (work->request->reply.status != 0)
		work_answer(work);
	else
		work->route->handle(work);
}

static bool prepare(struct work *work)
{
	const struct request *request = work->request;
	const char *question = memchr(request->target, '?', request->target_length);
	size_t path_length =
		question ? (size_t)(question - request->target) : request->target_length;
	struct text path = {request->target, path_length};
	if (memchr(request->target, '%', path_length)) {
		if (!query_decode(work, request->target, path_length, false, &path))
			return false;
	}
	if (!find_route(work, &path))
		return false;
	if (question && !query_read(work, question + 1, request->target_length - path_length - 1,
				    work->route->parameters))
		return false;
	return right_read_ticket(work) && negotiate(work) && audit_content_encoding(work) &&
	       audit_content_type(work);
}

/* Not without the lock. */
static void handle(struct work *work)
{
	if (work->route->body == BODY_JSON && !work->lines)
		work_compute(work, work->request->body_length * PARSE_BYTE_NS, parse, parsed);
	else
		work->route->handle(work);
}

/* Also what fails is counted. */
static bool prepare_counted(struct work *work)
{
	bool prepared = prepare(work);
	return limit_address(work) && limit_token(work) && prepared;
}

static void serve_prepared(struct work *work)
{
	if (!route_changes(work->route)) {
		work->job.drop = work_drop;
		atomic_store_explicit(&work->request->heeds_leaving, true, memory_order_relaxed);
	}
	if (route_changes(work->route) && work->request->header[HEADER_IDEMPOTENCY_KEY])
		retry_begin(work, handle);
	else
		handle(work);
}

static void serve_known(struct work *work)
{
	if (prepare_counted(work))
		serve_prepared(work);
	else
		work_answer(work);
}

/* What is asked of a request before anything is looked up. */
static bool begin(struct work *work)
{
	limit_begin(work);
	if (!origin_check(work) || !audit_host(work))
		return false;
	if (!work->request->header[HEADER_AUTHORIZATION] ||
	    strcmp(work->request->method, "OPTIONS") == 0)
		return true;
	return limit_lookup(work) && right_read(work);
}

void serve(struct service *service, struct request *request)
{
	if (!request->charge.budget)
		serve_open(service, request);
	struct work *work = arena_take(&request->arena, sizeof *work);
	if (!work) {
		problem_answer(request, PROBLEM_OUT_OF_MEMORY,
			       "There is not enough memory for this request now.");
		request->answered(request);
		return;
	}
	*work = (struct work){.service = service, .request = request, .job = {.client = work->client}};
	request->work = work;
	if (request->began_ns == 0)
		request->began_ns = monotonic_ns();
	atomic_fetch_add(&service->pending, 1);
	if (atomic_load(&service->stopping)) {
		problem_answer(request, PROBLEM_SHUTTING_DOWN, "The server is shutting down.");
		work_answer(work);
	} else if (!begin(work) || (!work->who.asked && !prepare_counted(work))) {
		work_answer(work);
	} else {
		pthread_mutex_lock(&service->lock);
		if (work->who.asked)
			right_ask(work, serve_known);
		else
			serve_prepared(work);
		pthread_mutex_unlock(&service->lock);
	}
	if (service->inline_jobs) {
		service_flush(service);
		service_poll(service);
	}
}
