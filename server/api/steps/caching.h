/* caching.h: how long an answer may be kept, and by whom: Cache-Control, Vary, and the ETag of what
 * has none of its own.
 *
 * Only answers to GET may be kept, and of those none that differs each time. A handler sets
 * reply->cache to one of these if the answer is not that of a stored thing. */
#ifndef SERVER_API_STEPS_CACHING_H
#define SERVER_API_STEPS_CACHING_H

#include "server/api/request/context.h"

/* It depends on what is stored and who asks: revalidated each time. Set if the handler sets none. */
extern const char caching_private[];
/* The same for everybody until the server is replaced: revalidated each time. */
extern const char caching_shared[];
/* It follows from the request alone. */
extern const char caching_pure[];
/* It never changes. */
extern const char caching_forever[];
/* Never kept. */
extern const char caching_none[];

/* Makes the answer one that follows from the request alone, unless a session is named, or a token is
 * sent, in it. A problem takes that back. */
void caching_follows(struct context *ctx);

/* Call it when the reply is complete: sets Cache-Control and Vary, and an ETag of the body (up to
 * CACHING_BODY_MAX bytes) if there is none; the reply becomes a 304 if the client has it. */
void caching_answer(struct context *ctx);

#define CACHING_BODY_MAX 65536

#endif
