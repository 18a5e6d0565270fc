/* rate_limit.h: how often a client may send requests: by token and by address; separately for
 * reads, writes, creations and wrong tokens. Clients on loopback have these rates times a factor,
 * unless the peer is a trusted proxy. Any thread. */
#ifndef SERVER_API_STEPS_RATE_LIMIT_H
#define SERVER_API_STEPS_RATE_LIMIT_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* Sets the client and its rates; once, before the others. The client is set for every request, even
 * if nothing is limited. */
void rate_limit_begin(struct context *ctx);
/* Counts the request for its address, by what its route does. False with 429. */
MUST_USE bool rate_limit_address(struct context *ctx);
/* Counts it as a creation of a session, which its route does not show. False with 429. */
MUST_USE bool rate_limit_creation(struct context *ctx);
/* Takes that back, if it was counted: nothing was created. */
void rate_limit_not_created(struct context *ctx);
/* Counts the bytes that ctx->visit.write adds to the store for its address; replaces an earlier
 * count. False with 429. */
MUST_USE bool rate_limit_stored(struct context *ctx);
/* Takes that back, if it was counted: nothing was stored. */
void rate_limit_not_stored(struct context *ctx);
/* Counts it for its token, if it has one. False with 429. */
MUST_USE bool rate_limit_token(struct context *ctx);
/* Call it when the reply is complete: sets RateLimit and RateLimit-Policy to the tightest rate that
 * counted the request. */
void rate_limit_write(struct context *ctx);
/* Counts the lookup of a token. False with 429. */
MUST_USE bool rate_limit_lookup(struct context *ctx);
/* Counts a wrong token. False with 429. */
MUST_USE bool rate_limit_wrong_token(struct context *ctx);

#endif
