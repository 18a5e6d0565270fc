/* tickets.c: POST /v1/tickets: a ticket for the events of one or several sessions. */
#include "server/access/tickets.h"

#include <string.h>

#include "server/access/secret.h"
#include "server/access/token.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/rate_limit.h"
#include "server/api/steps/session_visit.h"
#include "server/util/monotonic.h"

struct wanted {
	uint8_t hash[HASH_BYTES]; /* of its token */
	bool token;               /* it has one; else the request's own counts, or none */
	const char *pointer;      /* of the item */
};

struct ticket_request {
	struct ticket ticket; /* filled in while the sessions are entered */
	struct wanted wanted[TICKET_SESSIONS_MAX];
	size_t at; /* the session being entered */
	struct session_id own_session;
	uint32_t own_token; /* the request's own */
};

static bool ticket_read(struct context *ctx, struct ticket_request *asked);
static bool read_item(struct context *ctx, struct ticket_request *asked, struct json_value *item,
		      size_t index);
static bool read_token(struct context *ctx, struct wanted *wanted, const struct session_id *id,
		       struct text token);
static void enter_next(struct context *ctx);
static void token_entered(struct context *ctx);
static void entered(struct context *ctx);
static void answer(struct context *ctx);

void ticket_create_handle(struct context *ctx)
{
	struct ticket_request *asked = ctx_alloc(ctx, sizeof *asked);
	if (!asked || !ticket_read(ctx, asked)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = asked;
	asked->own_session = ctx->who.session;
	asked->own_token = ctx->who.token;
	enter_next(ctx);
}

static bool ticket_read(struct context *ctx, struct ticket_request *asked)
{
	struct json_value *sessions = NULL;
	const struct json_member member = {"sessions", JSON_ITEMS, &sessions, 0, 0};
	uint64_t most = ctx->service->config.limits.ticket_sessions;
	most = most < TICKET_SESSIONS_MAX ? most : TICKET_SESSIONS_MAX;
	asked->at = asked->ticket.count = 0;
	if (!input_object(ctx, ctx->body, "", &member, 1))
		return false;
	const size_t count = sessions ? json_item_count(sessions) : 0;
	if (count == 0 || count > most)
		return input_problem(ctx, "/sessions",
				     count == 0
					     ? "At least one session is required."
					     : "Too many sessions for one ticket (ticket_sessions "
					       "in /v1/limits).",
				     "an array of objects with id and token", NULL);
	for (size_t i = 0; i < count; i++)
		if (!read_item(ctx, asked, json_item(sessions, i), i))
			return false;
	return true;
}

static bool read_item(struct context *ctx, struct ticket_request *asked, struct json_value *item,
		      size_t index)
{
	struct text id = {0}, token = {0};
	const struct json_member members[] = {
		{"id", JSON_TEXT, &id, 0, 0},
		{"token", JSON_TEXT, &token, 0, 0},
	};
	const struct json_member as_object = {"", JSON_MEMBERS, &item, 0, 0};
	struct ticket *ticket = &asked->ticket;
	struct wanted *wanted = &asked->wanted[index];
	struct session_id *session = &ticket->sessions[index].session;
	*wanted = (struct wanted){.pointer = input_pointer_index(ctx, "/sessions", index)};
	if (!input_value(ctx, item, wanted->pointer, &as_object) ||
	    !input_object(ctx, item, wanted->pointer, members, 2))
		return false;
	if (!id.bytes || !session_id_parse(id.bytes, id.length, session))
		return input_problem(ctx, input_pointer(ctx, wanted->pointer, "id"),
				     "Must be the id of a session.", "16 letters and digits", NULL);
	for (size_t i = 0; i < index; i++)
		if (memcmp(&ticket->sessions[i].session, session, sizeof *session) == 0)
			return input_problem(ctx, input_pointer(ctx, wanted->pointer, "id"),
					     "Each session is allowed only once.", NULL, NULL);
	ticket->count++;
	return !token.bytes || read_token(ctx, wanted, session, token);
}

static bool read_token(struct context *ctx, struct wanted *wanted, const struct session_id *id,
		       struct text token)
{
	struct session_id of;
	wanted->token = true;
	if (token_parse(token.bytes, token.length, &of, wanted->hash) &&
	    memcmp(&of, id, sizeof of) == 0)
		return true;
	return input_problem(
		ctx, input_pointer(ctx, wanted->pointer, "token"),
		"Must be a token of this session.",
		"the token as it was returned; without it the session's access applies", NULL);
}

/* Each session is entered with the right that was requested for it. */
static void enter_next(struct context *ctx)
{
	struct ticket_request *asked = ctx->data;
	if (asked->at == asked->ticket.count) {
		answer(ctx);
		return;
	}
	const struct wanted *wanted = &asked->wanted[asked->at];
	ctx->visit.id = asked->ticket.sessions[asked->at].session;
	ctx->named.pointer = input_pointer(ctx, wanted->pointer, wanted->token ? "token" : "id");
	ctx->who.session = asked->own_session;
	ctx->who.token = asked->own_token;
	if (wanted->token) {
		ctx->who.pending = true;
		ctx->who.session = ctx->visit.id;
	}
	ctx_acquire(ctx, NEED_READ, wanted->token ? token_entered : entered);
}

static void token_entered(struct context *ctx)
{
	const struct ticket_request *asked = ctx->data;
	const struct stored_token *token =
		token_find(ctx->visit.roster, asked->wanted[asked->at].hash);
	ctx->who.pending = false;
	ctx->who.token = token ? token->number : 0;
	if (token && authorize_check(ctx)) {
		entered(ctx);
		return;
	}
	if (!token && rate_limit_wrong_token(ctx))
		ctx_session_problem(ctx, PROBLEM_TOKEN_INVALID,
				    "The token is unknown or was revoked.");
	ctx_answer(ctx);
}

static void entered(struct context *ctx)
{
	struct ticket_request *asked = ctx->data;
	asked->ticket.sessions[asked->at++].token = authorize_actor(ctx);
	session_release(&ctx->visit);
	ctx->visit.id = (struct session_id){{0}};
	enter_next(ctx);
}

static void answer(struct context *ctx)
{
	struct ticket *ticket = &((struct ticket_request *)ctx->data)->ticket;
	struct out out = {.buffer = &ctx->request->reply.body};
	char id[SESSION_ID_TEXT + 1];
	ticket->made_ms = wall_ms();
	out_open(&out, '{');
	out_key(&out, "ticket");
	char *text = ctx_alloc(ctx, ticket_text_bytes(ticket->count));
	if (!text) {
		ctx_answer(ctx);
		return;
	}
	tickets_seal(ctx->service->tickets, ticket, text);
	out_string(&out, text);
	out_member_time(&out, "expires_at", ticket->made_ms + TICKET_OPENS_MS);
	out_member_time(&out, "reopens_until", ticket->made_ms + TICKET_REOPENS_MS);
	out_member_open(&out, "sessions", '[');
	for (size_t i = 0; i < ticket->count; i++) {
		session_id_print(&ticket->sessions[i].session, id);
		out_string(&out, id);
	}
	out_close(&out, ']');
	out_close(&out, '}');
	ctx_reply_json(ctx, 201);
	ctx_answer(ctx);
}
