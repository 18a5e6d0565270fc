/* new_session.h: making a session, with its id and the token of its owner. */
#ifndef SERVER_API_SESSIONS_NEW_SESSION_H
#define SERVER_API_SESSIONS_NEW_SESSION_H

#include "server/api/request/context.h"

/* Prepares ctx->visit to create a session (WRITE_CREATE) with this cube at revision 0, and name,
 * access, turn policy and size of `meta`. `token` has room for TOKEN_TEXT + 1 bytes; `owner` must
 * live as long as the context. False with a 503 if out of memory or random bytes. Any thread. */
MUST_USE bool new_session(struct context *ctx, const struct cube *cube,
			  const struct session_meta *meta, struct stored_token *owner, char *token);

/* Makes the id of a solve of this session (solve_id_make()). False with a 503. Any thread. */
MUST_USE bool new_solve_id(struct context *ctx, const struct session_id *session,
			   uint8_t solve[SESSION_ID_BYTES]);

#endif
