/* serve.c: the path of a request: route, check, negotiate, parse, handle; and its end. */
#include "server/api/serve.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/api/input/input.h"
#include "server/api/input/query_body.h"
#include "server/api/metrics.h"
#include "server/api/nearest_route.h"
#include "server/api/replay_answer.h"
#include "server/api/request/context.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/request_log.h"
#include "server/api/routes.h"
#include "server/api/service.h"
#include "server/api/site/page.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/body_type.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/encoding.h"
#include "server/api/steps/host.h"
#include "server/api/steps/idempotency.h"
#include "server/api/steps/origin.h"
#include "server/api/steps/rate_limit.h"
#include "server/api/steps/request_memory.h"
#include "server/api/steps/session_visit.h"
#include "server/util/base_path.h"
#include "server/util/monotonic.h"

static void serve_complete(struct context *ctx);
/* The longest list of methods, and more. */
#define ALLOW_BYTES 64

static bool check_sender(struct context *ctx);
static bool prepare_counted(struct context *ctx);
static bool prepare(struct context *ctx);
static bool find_route(struct context *ctx, const struct text *path);
static bool allowed_methods(const struct text *path, char list[ALLOW_BYTES]);
static bool no_such_route(struct context *ctx, const struct text *path);
static void method_problem(struct request *request, const char *allow);
static bool negotiate(struct context *ctx);
static bool appends_to_own(struct context *ctx);
static void serve_known(struct context *ctx);
static void serve_prepared(struct context *ctx);
static void run_handler(struct context *ctx);
static void parse_body(struct context *ctx);
static bool only_for_text(struct context *ctx, enum parameter parameter, const char *name);
static void parsed(struct context *ctx);

void serve_left(struct service *service, struct request *request)
{
	struct context *ctx = request->ctx;
	lock_acquire(&service->session_cache.lock);
	void (*left)(struct context *) = request->left;
	if (left) {
		request->left = NULL;
		left(ctx);
	}
	if (ctx)
		pool_abandon(&ctx->job);
	lock_release(&service->session_cache.lock);
}

uint64_t serve_body_max(const struct config *config, const char *content_type)
{
	if (media_is(content_type, MEDIA_JSON)) /* the most frequent case */
		return config->limits.body_bytes;
	return media_is(content_type, MEDIA_NDJSON) || media_is(content_type, MEDIA_CSV) ||
			       media_is(content_type, MEDIA_CSTIMER) ||
			       media_is(content_type, MEDIA_TEXT)
		       ? config->limits.batch_bytes
		       : config->limits.body_bytes;
}

void serve(struct service *service, struct request *request)
{
	if (!request->charge.budget)
		request_memory_open(service, request);
	struct context *ctx = arena_alloc(&request->arena, sizeof *ctx);
	if (!ctx || !base_path_remove(&request->arena, &request->target, &request->target_length)) {
		problem_answer(request, PROBLEM_OUT_OF_MEMORY,
			       "There is currently not enough memory for this request.");
		request->answered(request);
		return;
	}
	ctx_init(ctx, service, request);
	ctx->visit.calls = &request_visit_calls;
	ctx->job.client = ctx->visit.client = ctx->client;
	request_identify(request);
	if (request->began_ns == 0)
		request->began_ns = monotonic_ns();
	atomic_fetch_add(&service->pending, 1);
	if (!check_sender(ctx) || (!ctx->who.asked && !prepare_counted(ctx))) {
		ctx_answer(ctx);
	} else {
		lock_acquire(&service->session_cache.lock);
		if (ctx->who.asked && appends_to_own(ctx))
			session_trust(&ctx->visit);
		if (ctx->who.asked)
			authorize_begin(ctx, serve_known);
		else
			serve_prepared(ctx);
		lock_release(&service->session_cache.lock);
	}
	if (service->inline_jobs) {
		service_flush(service);
		service_poll(service);
	}
}

void serve_answered(struct context *ctx)
{
	struct request *request = ctx->request;
	if (ctx_doubts_answer(ctx) || (ctx->idempotency && idempotency_doubts_refusal(ctx)))
		return;
	caching_answer(ctx);
	request_memory_answer(request);
	buffer_fit(&request->reply.body);
	if (ctx->idempotency)
		idempotency_end(ctx); /* keeps the answer without the base path */
	request->reply.location = base_path_add(&request->arena, request->reply.location);
	if (request->reply.status >= 400 || request->reply.replayed)
		rate_limit_not_created(ctx);
	if (request->reply.status >= 400)
		rate_limit_not_stored(ctx);
	rate_limit_write(ctx);
	if (!encoding_begin(ctx, serve_complete))
		serve_complete(ctx);
}

static void serve_complete(struct context *ctx)
{
	struct request *request = ctx->request;
	const uint64_t took_ns = monotonic_ns() - request->began_ns;
	metrics_answered(ctx->route, &request->reply, took_ns);
	request_log(request, ctx->route, took_ns);
	atomic_fetch_sub(&ctx->service->pending, 1);
	request->answered(request);
}

void serve_turned_away(const struct request *request)
{
	metrics_refused(&request->reply);
	request_log(request, request->ctx ? request->ctx->route : NULL,
		    monotonic_ns() - request->began_ns);
}

/* Checks before anything is looked up. */
static bool check_sender(struct context *ctx)
{
	rate_limit_begin(ctx);
	if (!origin_check(ctx) || !host_check(ctx))
		return false;
	if (!ctx->request->header[HEADER_AUTHORIZATION] ||
	    strcmp(ctx->request->method, "OPTIONS") == 0)
		return true;
	return rate_limit_lookup(ctx) && authorize_read(ctx);
}

/* Failed requests count too. */
static bool prepare_counted(struct context *ctx)
{
	bool prepared = prepare(ctx);
	return rate_limit_address(ctx) && rate_limit_token(ctx) && prepared;
}

static bool prepare(struct context *ctx)
{
	const struct request *request = ctx->request;
	const char *question = memchr(request->target, '?', request->target_length);
	size_t path_length =
		question ? (size_t)(question - request->target) : request->target_length;
	struct text path = {request->target, path_length};
	if (memchr(request->target, '%', path_length)) {
		if (!query_decode(ctx, request->target, path_length, false, &path))
			return false;
	}
	if (!find_route(ctx, &path))
		return false;
	if (question && !ctx->route->page &&
	    !query_read(ctx, question + 1, request->target_length - path_length - 1,
			ctx->route->parameters))
		return false;
	return authorize_read_ticket(ctx) && negotiate(ctx) && body_encoding_check(ctx) &&
	       body_type_check(ctx);
}

static bool find_route(struct context *ctx, const struct text *path)
{
	struct request *request = ctx->request;
	const char *method = strcmp(request->method, "HEAD") == 0 ? "GET" : request->method;
	struct path_parts parts;
	ctx->route = route_find(method, path, &parts);
	if (ctx->route) {
		ctx->name = parts.name;
		ctx->outer = parts.outer;
		if (!parts.id.bytes ||
		    session_id_parse(parts.id.bytes, parts.id.length, &ctx->visit.id))
			return true;
		problem_answer(
			request, PROBLEM_NOT_FOUND,
			"A session id has 16 letters and digits, for example 7n3k9qv2m5x8c4tz.");
		return false;
	}
	char allow[ALLOW_BYTES] = "";
	if (!allowed_methods(path, allow))
		return no_such_route(ctx, path);
	if (strcmp(method, "OPTIONS") == 0) {
		request->reply.status = 204;
		origin_preflight(request);
	} else {
		method_problem(request, allow);
	}
	request->reply.allow = ctx_reply_text(ctx, allow, strlen(allow));
	return false;
}

/* Appends the methods of a path as Allow lists them; false if the path is unknown. */
static bool allowed_methods(const struct text *path, char list[ALLOW_BYTES])
{
	const size_t room = ALLOW_BYTES;
	const bool fixed = route_path_is_fixed(path);
	struct path_parts parts;
	for (size_t i = 0; i < route_count; i++) {
		if (!route_match(routes[i].path, path, &parts) ||
		    (fixed && strchr(routes[i].path, '{')))
			continue;
		const char *separator = strcmp(routes[i].method, "GET") == 0 ? ", HEAD, " : ", ";
		strncat(list, routes[i].method, room - strlen(list) - 1);
		strncat(list, separator, room - strlen(list) - 1);
	}
	if (!list[0])
		return false;
	strncat(list, "OPTIONS", room - strlen(list) - 1);
	return true;
}

static bool no_such_route(struct context *ctx, const struct text *path)
{
	char nearest[NEAREST_ROUTE_BYTES];
	struct out out;
	const struct route_module *missing = route_missing(path);
	if (missing) {
		problem_begin(ctx->request, PROBLEM_NO_SUCH_ROUTE, &out,
			      "This server was built without %s; build it with the module %s, as "
			      "in: make MODULES=%s",
			      missing->what, missing->module, missing->module);
		problem_end(ctx->request, &out);
		return false;
	}
	nearest_route(path, nearest);
	const char *suggestion = base_path_add(&ctx->request->arena, nearest);
	problem_begin(ctx->request, PROBLEM_NO_SUCH_ROUTE, &out,
		      "Nothing is served at this path. /docs lists all calls.");
	problem_member(&out, "suggestion", suggestion);
	problem_end(ctx->request, &out);
	page_missing(ctx);
	return false;
}

/* `allow` is also a member, so that a script need not parse the header. */
static void method_problem(struct request *request, const char *allow)
{
	struct out out;
	problem_begin(request, PROBLEM_METHOD, &out, "Allowed methods: %s.", allow);
	out_member_open(&out, "allow", '[');
	while (*allow) {
		size_t length = strcspn(allow, ",");
		out_bytes(&out, allow, length);
		allow += length + strspn(allow + length, ", ");
	}
	out_close(&out, ']');
	problem_end(request, &out);
}

static bool negotiate(struct context *ctx)
{
	const struct request *request = ctx->request;
	ctx->lines =
		ctx->route->lines && media_is(request->header[HEADER_CONTENT_TYPE], MEDIA_NDJSON);
	unsigned offered = ctx->lines ? ctx->route->lines : ctx->route->media;
	ctx->media = media_choose(request->header[HEADER_ACCEPT], offered,
				  ctx->lines ? MEDIA_NDJSON : MEDIA_JSON);
	if (ctx->media != MEDIA_COUNT || !offered)
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
	problem_begin(ctx->request, PROBLEM_NOT_ACCEPTABLE, &out,
		      "The Accept header allows none of the media types available here.");
	problem_member(&out, "expected", expected);
	problem_end(ctx->request, &out);
	return false;
}

/* Returns true if the request appends an entry to the session of its token: then the write proves
 * that the token is still valid. */
static bool appends_to_own(struct context *ctx)
{
	const struct request *request = ctx->request;
	const char *question = memchr(request->target, '?', request->target_length);
	const struct text path = {request->target, question ? (size_t)(question - request->target)
							    : request->target_length};
	struct session_id session;
	if (!ctx->service->store->operations->changes)
		return false;
	struct path_parts parts;
	const struct route *route = route_find(request->method, &path, &parts);
	return route && route_appends(route) && !request->header[HEADER_IDEMPOTENCY_KEY] &&
	       session_id_parse(parts.id.bytes, parts.id.length, &session) &&
	       memcmp(&session, &ctx->who.session, sizeof session) == 0;
}

static void serve_known(struct context *ctx)
{
	if (prepare_counted(ctx))
		serve_prepared(ctx);
	else
		ctx_answer(ctx);
}

static void serve_prepared(struct context *ctx)
{
	if (!route_changes(ctx->route)) {
		ctx->job.drop = ctx_drop;
		atomic_store_explicit(&ctx->request->heeds_leaving, true, memory_order_relaxed);
	}
	if (route_changes(ctx->route) && ctx->request->header[HEADER_IDEMPOTENCY_KEY])
		idempotency_begin(ctx, run_handler, replay_answer);
	else
		run_handler(ctx);
}

/* With the lock. */
static void run_handler(struct context *ctx)
{
	const enum route_body body = ctx->route->body;
	if ((body == BODY_JSON && !ctx->lines) || body == BODY_MOVES)
		ctx_compute(ctx, ctx->request->body_length * PARSE_BYTE_NS, parse_body, parsed);
	else if (body == BODY_QUERY && !query_body_make(ctx))
		ctx_answer(ctx);
	else
		ctx->route->handle(ctx);
}

/* A fault shows in the reply's status. */
static void parse_body(struct context *ctx)
{
	if (ctx->plain)
		text_body_make(ctx);
	else if (ctx->route->body != BODY_MOVES ||
		 (only_for_text(ctx, PARAMETER_SIZE, "size") &&
		  only_for_text(ctx, PARAMETER_NOTATION, "notation")))
		input_parse(ctx);
}

/* Parameters that stand for members which plain text does not have. */
static bool only_for_text(struct context *ctx, enum parameter parameter, const char *name)
{
	return !ctx->query.value[parameter].bytes ||
	       query_problem(ctx, name,
			     "This parameter is for a body in plain text; send it in the body.",
			     "a member of the body", NULL);
}

static void parsed(struct context *ctx)
{
	if (ctx->request->reply.status != 0)
		ctx_answer(ctx);
	else
		ctx->route->handle(ctx);
}

void serve_more(struct service *service, struct request *request)
{
	stream_more(service, request);
	if (service->inline_jobs)
		service_poll(service);
}
