/* session_reply.c: the answers about a session. */
#include "server/api/sessions/session_reply.h"

#include <string.h>

#include "cube/turn.h"
#include "server/access/right.h"
#include "server/api/steps/authorize.h"

/* Cost of printing a turn. */
#define TURN_NS 30

uint64_t session_cost(const struct context *ctx, const struct answer_view *view, int size,
		      size_t scramble_count)
{
	return answer_view_cost(ctx, view, size) + scramble_count * TURN_NS;
}

bool session_look(struct context *ctx, struct session_snapshot *snapshot)
{
	const struct session *session = ctx->visit.session;
	struct cube_turn *scramble = NULL;
	const size_t bytes = session->scramble_count * sizeof *scramble;
	if (bytes > 0) { /* the session owns it and may be reloaded meanwhile */
		scramble = ctx_alloc(ctx, bytes);
		if (!scramble)
			return false;
		memcpy(scramble, session->scramble, bytes);
	}
	session_take_snapshot(&ctx->visit, session->committed);
	*snapshot = (struct session_snapshot){.meta = session->meta,
					      .history = ctx->visit.snapshot,
					      .scramble = scramble,
					      .scramble_count = session->scramble_count};
	return true;
}

/* Hashes what `standing` and `you` show beside the state: the ETags for two callers differ. */
static uint64_t hash_standing(const struct context *ctx, const struct session_snapshot *snapshot)
{
	const struct roster *roster = ctx->visit.roster;
	const uint32_t next = right_next(roster, &snapshot->meta, snapshot->history->last_actor);
	return etag_add_number(etag_of_names(roster),
			       (uint64_t)authorize_actor(ctx) << 32 |
				       (snapshot->meta.policy == POLICY_ROUND_ROBIN ? next : 0));
}

void session_reply(struct context *ctx, const struct session_snapshot *snapshot,
		   const struct answer_view *view, unsigned status, enum cube_known known,
		   const char *token)
{
	struct reply *reply = &ctx->request->reply;
	const struct etag_state state =
		etag_of_session(etag_about(&snapshot->meta), snapshot->history);
	const uint64_t more = snapshot->standing ? hash_standing(ctx, snapshot) : 0;
	etag_reply_session(ctx, &state, token ? ETAG_NEW_SESSION : ETAG_SESSION, view, more);
	if (etag_unchanged(ctx))
		return;
	if (reply_cube_text(ctx, snapshot->history->cube, view, status)) {
		if (token)
			reply->token = ctx_reply_text(ctx, token, TOKEN_TEXT);
		return;
	}
	struct out out = {.buffer = &reply->body};
	out_open(&out, '{');
	session_members_write(&out, &snapshot->meta, snapshot->scramble, snapshot->scramble_count,
			      snapshot->history, view, known);
	if (snapshot->standing) {
		standing_write(&out, &snapshot->meta, snapshot->history, ctx->visit.roster);
		you_write(&out, &snapshot->meta, ctx->visit.roster, authorize_token(ctx));
	}
	if (token)
		out_member_string(&out, "token", token);
	out_close(&out, '}');
	ctx_reply_json(ctx, status);
}
