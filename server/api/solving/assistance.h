/* assistance.h: a solution that is given marks the attempt it is of.
 *
 * A session remembers, durably, the newest revision of which a solution was given to somebody who
 * may turn it; a solve whose attempt began no later is recorded as assisted. Whoever may only look
 * marks nothing. */
#ifndef SERVER_API_SOLVING_ASSISTANCE_H
#define SERVER_API_SOLVING_ASSISTANCE_H

#include "server/api/request/context.h"

struct cube_request;

/* In a session: notes that a solution of its cube at `revision` is asked for, where the context may
 * turn it and an attempt is under way; then calls `then`, on the disk or not: a full one stops no
 * search. With the service's lock. */
void assistance_note(struct context *ctx, uint32_t revision, void (*then)(struct context *ctx));

/* In no session, with a token: the same where the cube, in any rotation, is one that the current
 * attempt in the token's session has come to. `then` is called in no session; or the context is
 * answered with a problem of the request's own moves. */
void assistance_note_cube(struct context *ctx, const struct cube_request *cube,
			  void (*then)(struct context *ctx));

#endif
