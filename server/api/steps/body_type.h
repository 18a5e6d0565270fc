/* body_type.h: Content-Type and Content-Encoding of bodies. */
#ifndef SERVER_API_STEPS_BODY_TYPE_H
#define SERVER_API_STEPS_BODY_TYPE_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* Each answers 415 and returns false if the body is one that the route does not read. body_type_check() also sets
 * ctx->plain. */
MUST_USE bool body_encoding_check(struct context *ctx);
MUST_USE bool body_type_check(struct context *ctx);

#endif
