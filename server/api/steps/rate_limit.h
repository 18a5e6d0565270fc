/* rate_limit.h: how often a client may ask: by token and by address, for reading, writing, creating and
 * wrong tokens apart. Clients on loopback have the rates of others times a factor, unless the peer
 * is a trusted proxy. Any thread. */
#ifndef SERVER_API_STEPS_RATE_LIMIT_H
#define SERVER_API_STEPS_RATE_LIMIT_H

#include "server/api/request/context.h"

/* Sets the client and its rates; once, before the others. The client is known for every request,
 * also if nothing is limited. */
void rate_limit_begin(struct context *ctx);
/* Counts the request for its address, by what its route does. False with 429. */
bool rate_limit_address(struct context *ctx);
/* Counts it as one that creates a session, which its route does not tell. False with 429. */
bool rate_limit_creation(struct context *ctx);
/* Takes that back, if it was counted: nothing was created. */
void rate_limit_not_created(struct context *ctx);
/* Counts the bytes that ctx->visit.write adds to the store for its address; again, if they were counted
 * before. False with 429. */
bool rate_limit_stored(struct context *ctx);
/* Takes that back, if it was counted: nothing was stored. */
void rate_limit_not_stored(struct context *ctx);
/* Counts it for its token, where it has one. False with 429. */
bool rate_limit_token(struct context *ctx);
/* Before a token is looked up. False with 429. */
bool rate_limit_lookup(struct context *ctx);
/* Counts a wrong token. False with 429. */
bool rate_limit_wrong_token(struct context *ctx);

#endif
