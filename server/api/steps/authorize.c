/* authorize.c: who a request is from, and what it may do. */
#include "server/api/steps/authorize.h"

#include <string.h>
#include <strings.h>

#include "server/access/right.h"
#include "server/access/secret.h"
#include "server/access/tickets.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/rate_limit.h"
#include "server/api/steps/session_visit.h"
#include "server/util/monotonic.h"

/* ---- who ---- */

static bool invalid(struct context *ctx, const char *detail)
{
	if (rate_limit_wrong_token(ctx))
		problem_answer(ctx->request, PROBLEM_TOKEN_INVALID, detail);
	return false;
}

void authorize_unknown(struct context *ctx)
{
	invalid(ctx, "The token is unknown or was revoked.");
}

bool authorize_read(struct context *ctx)
{
	static const char scheme[] = "Bearer";
	const char *field = ctx->request->header[HEADER_AUTHORIZATION];
	if (!field)
		return true;
	const size_t length = strlen(scheme);
	if (strncasecmp(field, scheme, length) != 0 || field[length] != ' ')
		return invalid(ctx,
			       "The Authorization header must be Bearer, a space, and a token.");
	const char *token = field + length + strspn(field + length, " ");
	size_t token_length = strcspn(token, " \t");
	if (token[token_length] != '\0' ||
	    !token_parse(token, token_length, &ctx->who.session, ctx->who.hash))
		return invalid(ctx, "Unknown token.");
	ctx->who.asked = true;
	return true;
}

bool authorize_open_ticket(struct context *ctx, struct ticket *ticket)
{
	const struct text *text = &ctx->query.value[PARAMETER_TICKET];
	const char *last = ctx->request->header[HEADER_LAST_EVENT_ID];
	const bool reopens = (last && last[0]) || ctx->query.value[PARAMETER_AFTER].bytes;
	const int64_t most_ms = reopens ? TICKET_REOPENS_MS : TICKET_OPENS_MS;
	if (tickets_open(ctx->service->tickets, text->bytes, text->length, ticket)) {
		const int64_t age_ms = wall_ms() - ticket->made_ms;
		/* The clock may have been set back. */
		if (age_ms < most_ms && age_ms > -TICKET_OPENS_MS)
			return true;
	}
	if (rate_limit_wrong_token(ctx))
		problem_ticket(ctx->request,
			       "The ticket is unknown or too old: it opens a stream for a minute, "
			       "and with Last-Event-ID again for 12 hours. Ask for a new one.");
	return false;
}

bool authorize_read_ticket(struct context *ctx)
{
	struct ticket ticket;
	if (!ctx->query.value[PARAMETER_TICKET].bytes || ctx->who.asked ||
	    !strstr(ctx->route->path, "{id}"))
		return true;
	if (!authorize_open_ticket(ctx, &ticket))
		return false;
	for (size_t i = 0; i < ticket.count; i++)
		if (memcmp(&ticket.sessions[i].session, &ctx->visit.id, sizeof ctx->visit.id) ==
		    0) {
			ctx->who.session = ctx->visit.id;
			ctx->who.token = ticket.sessions[i].token;
			return true;
		}
	return invalid(ctx, "The ticket is for other sessions.");
}

static void token_resolved(struct context *ctx)
{
	const struct stored_token *token = token_find(ctx->visit.roster, ctx->who.hash);
	const uint32_t number = token ? token->number : 0;
	const bool trusted = ctx->visit.pass == PASS_TRUSTED;
	session_distrust(&ctx->visit);
	if (number == 0 && trusted) { /* another process may have made it */
		session_release(&ctx->visit);
		authorize_begin(ctx, ctx->wait.then);
		return;
	}
	ctx->who.pending = false;
	ctx->who.key = ctx->visit.session->meta.deleted ? 0 : ctx->visit.session->meta.key;
	session_release(&ctx->visit);
	ctx->visit.id = (struct session_id){{0}};
	ctx->who.token = number;
	if (number > 0) {
		ctx->wait.then(ctx);
	} else {
		authorize_unknown(ctx);
		ctx_answer(ctx);
	}
}

void authorize_begin(struct context *ctx, void (*then)(struct context *ctx))
{
	ctx->who.pending = true;
	ctx->wait.then = then;
	ctx->visit.id = ctx->who.session;
	ctx_acquire(ctx, NEED_READ, token_resolved);
}

/* ---- roles ---- */

const struct stored_token *authorize_token(const struct context *ctx)
{
	if (ctx->who.token == 0 ||
	    memcmp(&ctx->who.session, &ctx->visit.session->meta.id, sizeof ctx->who.session) != 0)
		return NULL;
	const struct stored_token *token = roster_at(ctx->visit.roster, ctx->who.token);
	return token && token->revoked_ms == 0 ? token : NULL;
}

uint32_t authorize_actor(const struct context *ctx)
{
	const struct stored_token *token = authorize_token(ctx);
	return token ? token->number : 0;
}

static enum right allowed_to(const struct context *ctx)
{
	return right_of(ctx->visit.roster, &ctx->visit.session->meta, authorize_token(ctx));
}

bool authorize_turns(const struct context *ctx)
{
	return allowed_to(ctx) >= RIGHT_TURN;
}

bool authorize_owns(const struct context *ctx)
{
	return allowed_to(ctx) == RIGHT_OWN;
}

static bool refuse_role(struct context *ctx, enum right needed)
{
	if (authorize_token(ctx))
		problem_answer(ctx->request, PROBLEM_ROLE_SMALL,
			       needed == RIGHT_OWN ? "Only an owner of the session may do this."
						   : "A viewer may only read.");
	else
		problem_answer(
			ctx->request, PROBLEM_TOKEN_REQUIRED,
			needed == RIGHT_OWN
				? "A token of an owner of the session is required."
				: "A token of an owner or an editor of the session is required.");
	return false;
}

void authorize_refuse(struct context *ctx, const char *detail)
{
	if (authorize_token(ctx))
		problem_answer(ctx->request, PROBLEM_ROLE_SMALL, detail);
	else
		problem_answer(ctx->request, PROBLEM_TOKEN_REQUIRED,
			       "A token of the session is required.");
}

/* Since the token was resolved, or a ticket was made for it. */
static bool was_revoked(const struct context *ctx)
{
	return ctx->who.token != 0 && !authorize_token(ctx) &&
	       memcmp(&ctx->who.session, &ctx->visit.session->meta.id, sizeof ctx->who.session) ==
		       0;
}

bool authorize_check(struct context *ctx)
{
	static const enum right needs[] = {
		[READS] = RIGHT_SEE,   [CREATES] = RIGHT_SEE,    [WRITES] = RIGHT_SEE,
		[TURNS] = RIGHT_TURN,  [SHOWS] = RIGHT_TURN,     [OWNS] = RIGHT_OWN,
		[DELETES] = RIGHT_OWN, [OWNS_READS] = RIGHT_OWN,
	};
	const enum right allowed = allowed_to(ctx), needed = needs[ctx->route->does];
	if (was_revoked(ctx)) {
		authorize_unknown(ctx);
		return false;
	}
	if (allowed == RIGHT_NONE && ctx->who.rights != RIGHTS_OF_CREATOR) {
		ctx_store_problem(ctx, STORE_NOT_FOUND); /* as if it did not exist */
		return false;
	}
	if (ctx->visit.session->meta.deleted && ctx->who.rights != RIGHTS_AFTER_DELETION) {
		ctx_session_problem(ctx, PROBLEM_GONE, "The session was deleted.");
		return false;
	}
	return ctx->who.rights == RIGHTS_OF_CREATOR || allowed >= needed ||
	       refuse_role(ctx, needed);
}
