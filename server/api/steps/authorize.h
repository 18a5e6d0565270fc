/* authorize.h: who a request is from, and what it may do. For users: docs/reference/access.md.
 *
 *     authorize_read    before any lookup: is there a token, and is it well formed?
 *     authorize_begin   with a token: finds it among those of its session, or answers 401
 *     authorize_check   on entering a session: may the caller see it, turn it, own it?
 *
 * A session is entered only through the session cache, which calls authorize_check; so the rights of a new
 * call follow from its row in routes.def. */
#ifndef SERVER_API_STEPS_AUTHORIZE_H
#define SERVER_API_STEPS_AUTHORIZE_H

#include "server/access/tickets.h"
#include "server/api/request/context.h"
#include "server/util/error.h"

/* Reads Authorization into ctx->who. False with a 401 if it is not a token. */
MUST_USE bool authorize_read(struct context *ctx);
/* The same for ?ticket= of a route with a session in its path, once route and query are known: the
 * ticket must be for that session, too. */
MUST_USE bool authorize_read_ticket(struct context *ctx);
/* Opens ?ticket=. False with a 401 if it is unknown or too old. */
MUST_USE bool authorize_open_ticket(struct context *ctx, struct ticket *ticket);

/* Finds whose token was sent, and calls `then`; or answers the context with 401, or 503 if the
 * store cannot be read. With the lock, in no session. Where session_trust() was called, what other
 * processes did to the token may not be known yet: see ctx_acquire_trusting(). */
void authorize_begin(struct context *ctx, void (*then)(struct context *ctx));
/* Makes the reply the 401 of an unknown token, or 429 after too many of them. */
void authorize_unknown(struct context *ctx);

/* Returns true if the context may do in ctx->visit.session what its route does. False with a
 * problem: 404 if the caller must not even learn that the session exists, 410, 401 or 403. With the
 * lock. */
MUST_USE bool authorize_check(struct context *ctx);

/* In a session: the request's token, if it is one of this session's; NULL: none. From
 * ctx->visit.roster, on any thread. */
const struct stored_token *authorize_token(const struct context *ctx);
/* Its number, which is the actor of entries; 0: none. */
uint32_t authorize_actor(const struct context *ctx);
/* Refuses what the route allows but not this: 403 with that detail, or 401 without a token of the
 * session. */
void authorize_refuse(struct context *ctx, const char *detail);
/* Returns true if the caller may turn the session's cube. */
MUST_USE bool authorize_turns(const struct context *ctx);
/* Returns true if the caller may do what only an owner may. */
MUST_USE bool authorize_owns(const struct context *ctx);

#endif
