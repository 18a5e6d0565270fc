/* events.c: GET .../events: the entries of a session as they are made. */
#include "server/api/sessions/events.h"

#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/rate_limit.h"
#include "server/api/steps/session_visit.h"
#include "server/live/event_id.h"

static bool read_after(struct context *ctx, struct subscribe_options *options);
static void events_entered(struct context *ctx);
static void events_met(struct live_meeting *meeting);

void session_events_handle(struct context *ctx)
{
	struct subscribe_options *options = ctx_alloc(ctx, sizeof *options);
	if (options)
		*options = (struct subscribe_options){0};
	if (!options || !events_read_form(ctx, &options->form) || !read_after(ctx, options)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = options;
	ctx_acquire(ctx, NEED_READ, events_entered);
}

bool events_read_form(struct context *ctx, unsigned *form)
{
	bool cube = false, turns = false;
	if (!query_bool(ctx, PARAMETER_CUBE, &cube) || !query_bool(ctx, PARAMETER_TURNS, &turns))
		return false;
	*form = (ctx->media == MEDIA_NDJSON ? LIVE_LINES : 0u) | (cube ? LIVE_CUBE : 0u) |
		(turns ? LIVE_TURNS : 0u);
	return true;
}

struct text events_after(const struct context *ctx, bool *from_header)
{
	const char *header = ctx->request->header[HEADER_LAST_EVENT_ID];
	*from_header = header && header[0];
	return *from_header ? (struct text){header, strlen(header)}
			    : ctx->query.value[PARAMETER_AFTER];
}

static bool read_after(struct context *ctx, struct subscribe_options *options)
{
	bool from_header;
	const struct text after = events_after(ctx, &from_header);
	options->resume = after.bytes != NULL;
	if (!options->resume || live_id_parse(ctx->service->store, after.bytes, after.length,
					      &options->foreign, &options->after))
		return true;
	return query_problem(ctx, from_header ? "Last-Event-ID" : "after",
			     "Must be a revision or an event id.",
			     "a revision, or an event id: INCARNATION-REVISION", NULL);
}

/* Reading a session includes watching it: a request for its events passes the same checks as a GET,
 * and server/live checks the right again when tokens or access change. */
static void events_entered(struct context *ctx)
{
	struct subscribe_options *options = ctx->data;
	const struct stored_token *token = authorize_token(ctx);
	options->token = token ? token->number : 0;
	struct reply *reply = &ctx->request->reply;
	struct subscriber *subscriber = NULL;
	enum live_joined joined = LIVE_JOINED;
	if (strcmp(ctx->request->method, "HEAD") != 0)
		joined = live_join(ctx->service->live, ctx->visit.session, options, &subscriber);
	if (joined == LIVE_JOINED) {
		reply->status = 200;
		reply->content_type = media_type(ctx->media);
		reply->subscriber = subscriber;
	} else {
		events_refuse(ctx, joined);
	}
	if (subscriber)
		events_meet(ctx);
	else
		ctx_answer(ctx);
}

struct events_meeting {
	struct live_meeting meeting; /* first */
	struct context *ctx;
};

void events_meet(struct context *ctx)
{
	struct events_meeting *waiting = ctx_alloc(ctx, sizeof *waiting);
	if (!waiting) {
		ctx_answer(ctx);
		return;
	}
	*waiting = (struct events_meeting){.meeting = {.done = events_met}, .ctx = ctx};
	live_meet(ctx->service->live, &waiting->meeting);
}

static void events_met(struct live_meeting *meeting)
{
	ctx_answer(((struct events_meeting *)meeting)->ctx);
}

void events_refuse(struct context *ctx, enum live_joined joined)
{
	if (joined == LIVE_FULL) {
		problem_full(
			ctx->request,
			"The session has the maximum number of watchers (watchers in /v1/limits).");
		problem_reason(ctx->request, REFUSAL_WATCHERS);
	} else if (joined == LIVE_CROWDED) {
		problem_answer(ctx->request, PROBLEM_BUSY,
			       "Sessions in use take all the memory allowed for them (cache_bytes "
			       "in /v1/limits). Try again.");
		problem_reason(ctx->request, REFUSAL_CACHE_BYTES);
	} else {
		ctx_no_memory(ctx);
	}
}
