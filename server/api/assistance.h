/* assistance.h: a solution that is given marks the attempt it is of.
 *
 * A session remembers, durably, the newest revision of which a solution was given to somebody who
 * may turn it; a solve whose attempt began no later is recorded as assisted. Whoever may only look
 * marks nothing. */
#ifndef SERVER_API_ASSISTANCE_H
#define SERVER_API_ASSISTANCE_H

#include "server/api/work.h"

struct cube_request;

/* In a session: notes that a solution of its cube at `revision` is asked for, where the work may
 * turn it and an attempt is under way; then calls `then`, on the disk or not: a full one stops no
 * search. With the service's lock. */
void assistance_note(struct work *work, uint32_t revision, void (*then)(struct work *work));

/* In no session, with a token: the same where the cube, in any rotation, is one that the current
 * attempt in the token's session has come to. `then` is called in no session; or the work is
 * answered with a problem of the request's own moves. */
void assistance_note_cube(struct work *work, const struct cube_request *cube,
			  void (*then)(struct work *work));

#endif
