/* new_session.c: making a session. */
#include "server/api/sessions/new_session.h"

#include "server/access/token.h"
#include "server/api/request/problem.h"
#include "server/util/monotonic.h"

static bool no_random_bytes(struct context *ctx)
{
	problem_answer(ctx->request, PROBLEM_BUSY,
		       "The system currently cannot provide random bytes for an id.");
	return false;
}

bool new_session(struct context *ctx, const struct cube *cube, const struct session_meta *meta,
		 struct stored_token *owner, char *token)
{
	struct store_write *write = &ctx->visit.write;
	ctx->visit.after = history_create(cube);
	if (!ctx->visit.after)
		return ctx_no_memory(ctx);
	write->kind = WRITE_CREATE;
	write->meta = *meta;
	write->meta.created_ms = write->meta.updated_ms = wall_ms();
	if (!session_id_make(&write->meta.id))
		return no_random_bytes(ctx);
	*owner = (struct stored_token){
		.number = 1, .role = ROLE_OWNER, .created_ms = write->meta.created_ms};
	token_make(&write->meta.id, token, owner->hash);
	write->token = owner;
	return true;
}

bool new_solve_id(struct context *ctx, const struct session_id *session,
		  uint8_t solve[SESSION_ID_BYTES])
{
	return solve_id_make(session, solve) || no_random_bytes(ctx);
}
