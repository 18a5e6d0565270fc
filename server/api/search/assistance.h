/* assistance.h: giving a solution marks the attempt it is for.
 *
 * A session remembers, durably, the newest revision for which a solution was given to someone who
 * may turn it; a solve whose attempt began no later is recorded as assisted. Clients that may only
 * look mark nothing. */
#ifndef SERVER_API_SEARCH_ASSISTANCE_H
#define SERVER_API_SEARCH_ASSISTANCE_H

#include "server/api/request/context.h"

struct input_cube;

/* In a session: notes that a solution of its cube at `revision` is requested, if the context may
 * turn it and an attempt is under way; then calls `then`, whether or not the note was stored: a
 * full disk does not stop searches. With the lock. */
void assistance_note(struct context *ctx, uint32_t revision, void (*then)(struct context *ctx));

/* In no session, with a token: the same if the cube, in any rotation, has occurred in the current
 * attempt of the token's session. `then` is called in no session; or the context is answered with a
 * problem of the request's own moves. */
void assistance_note_cube(struct context *ctx, const struct input_cube *cube,
			  void (*then)(struct context *ctx));

#endif
