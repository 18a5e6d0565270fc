/* many_events.c: GET /v1/events: the events of the sessions of a ticket, in one stream. */
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/events.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/session_visit.h"
#include "server/live/event_id.h"

struct many {
	struct ticket ticket;
	struct subscriber *bundle;
	struct text after; /* the id to resume from; bytes NULL: none */
	bool foreign;      /* of another incarnation */
	size_t at;         /* the session being entered */
};

static bool many_read(struct context *ctx, struct many *many, unsigned *form);
static bool all_over(const struct many *many);
static enum live_position position_of(const struct many *many, size_t index, uint32_t *revision);
static void enter_next(struct context *ctx);
static bool many_authorize(struct visit *visit);
static void many_entered(struct visit *visit);
static const char *ended_by(const struct context *ctx);
static void many_refused(struct visit *visit, enum store_status status);
static void left_session(struct context *ctx);
static void answer(struct context *ctx);

/* Sessions that cannot be watched any more do not refuse the stream of the others. */
static const struct visit_calls many_calls = {
	.authorize = many_authorize, .entered = many_entered, .refused = many_refused};

void many_events_handle(struct context *ctx)
{
	struct many *many = ctx_alloc(ctx, sizeof *many);
	unsigned form;
	if (!many || !many_read(ctx, many, &form)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = many;
	ctx->request->reply.content_type = media_type(ctx->media);
	ctx->request->reply.status = 200;
	if (strcmp(ctx->request->method, "HEAD") == 0) {
		ctx_answer(ctx);
		return;
	}
	/* An EventSource that gets this does not reconnect again. */
	if (all_over(many)) {
		ctx->request->reply.content_type = NULL;
		ctx->request->reply.status = 204;
		ctx_answer(ctx);
		return;
	}
	many->bundle = live_bundle(ctx->service->live, form, many->ticket.count);
	if (!many->bundle) {
		ctx_no_memory(ctx);
		ctx_answer(ctx);
		return;
	}
	ctx->visit.calls = &many_calls;
	enter_next(ctx);
}

static bool many_read(struct context *ctx, struct many *many, unsigned *form)
{
	bool from_header;
	many->at = 0;
	many->bundle = NULL;
	many->foreign = false;
	if (!ctx->query.value[PARAMETER_TICKET].bytes)
		return query_problem(ctx, "ticket", "This parameter is required.",
				     "a ticket that POST /v1/tickets returned", NULL);
	if (!events_read_form(ctx, form))
		return false;
	many->after = events_after(ctx, &from_header);
	if (many->after.bytes && !live_many_id_check(ctx->service->store, many->after.bytes,
						     many->after.length, &many->foreign))
		return query_problem(ctx, from_header ? "Last-Event-ID" : "after",
				     "Must be the id of an event of such a stream.",
				     "the last id that the stream sent", NULL);
	return authorize_open_ticket(ctx, &many->ticket);
}

static bool all_over(const struct many *many)
{
	uint32_t revision;
	if (many->foreign)
		return false;
	for (size_t i = 0; i < many->ticket.count; i++)
		if (position_of(many, i, &revision) != LIVE_OVER)
			return false;
	return true;
}

/* Returns what the client has of a session. If that is of another incarnation, the session begins
 * with a resync. */
static enum live_position position_of(const struct many *many, size_t index, uint32_t *revision)
{
	char id[SESSION_ID_TEXT + 1];
	session_id_print(&many->ticket.sessions[index].session, id);
	return many->after.bytes
		       ? live_many_id_find(many->after.bytes, many->after.length, id, revision)
		       : LIVE_UNKNOWN;
}

static void enter_next(struct context *ctx)
{
	struct many *many = ctx->data;
	uint32_t revision;
	for (; many->at < many->ticket.count; many->at++) {
		const struct ticket_session *session = &many->ticket.sessions[many->at];
		if (position_of(many, many->at, &revision) == LIVE_OVER && !many->foreign) {
			live_bundle_end(many->bundle, &session->session, NULL);
			continue;
		}
		ctx->visit.id = ctx->who.session = session->session;
		ctx->who.token = session->token;
		session_acquire(&ctx->visit, NEED_READ);
		return;
	}
	ctx->visit.calls = &request_visit_calls;
	ctx->request->reply.subscriber = many->bundle;
	events_meet(ctx);
}

static bool many_authorize(struct visit *visit)
{
	(void)visit;
	return true;
}

static void many_entered(struct visit *visit)
{
	struct context *ctx = ctx_of_visit(visit);
	struct many *many = ctx->data;
	const struct stored_token *token = authorize_token(ctx);
	const char *reason = ended_by(ctx);
	struct subscribe_options options = {.token = token ? token->number : 0,
					    .foreign = many->foreign};
	enum live_joined joined = LIVE_JOINED;
	options.resume = position_of(many, many->at, &options.after) == LIVE_AT;
	if (reason)
		live_bundle_end(many->bundle, &visit->id, reason);
	else
		joined = live_bundle_join(many->bundle, visit->session, &options);
	if (joined == LIVE_JOINED) {
		left_session(ctx);
		return;
	}
	events_refuse(ctx, joined);
	answer(ctx);
}

/* Returns why the session cannot be watched; NULL: it can. As authorize_check(), with which the
 * ticket was made. */
static const char *ended_by(const struct context *ctx)
{
	const struct session_meta *meta = &ctx->visit.session->meta;
	const bool closed = ctx->visit.roster && meta->access == ACCESS_NONE;
	if (ctx->who.token ? !authorize_token(ctx) : closed)
		return LIVE_REVOKED;
	return meta->deleted ? LIVE_DELETED : NULL;
}

static void many_refused(struct visit *visit, enum store_status status)
{
	struct context *ctx = ctx_of_visit(visit);
	struct many *many = ctx->data;
	if (status == STORE_NOT_FOUND) {
		live_bundle_end(many->bundle, &visit->id, LIVE_DELETED);
		left_session(ctx);
		return;
	}
	ctx_store_problem(ctx, status);
	answer(ctx);
}

static void left_session(struct context *ctx)
{
	struct many *many = ctx->data;
	session_release(&ctx->visit);
	many->at++;
	enter_next(ctx);
}

/* Also with a problem: then the subscription ends together with the request. */
static void answer(struct context *ctx)
{
	const struct many *many = ctx->data;
	ctx->visit.calls = &request_visit_calls;
	ctx->request->reply.subscriber = many->bundle;
	ctx_answer(ctx);
}
