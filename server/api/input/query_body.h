/* query_body.h: bodies that are not JSON: a query with the parameters of a body, and moves as text. */
#ifndef SERVER_API_INPUT_QUERY_BODY_H
#define SERVER_API_INPUT_QUERY_BODY_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* Makes ctx->body of the query, for a BODY_QUERY: each parameter is the member of its name, those that
 * describe a cube are members of `cube`, unless the path is that of an algorithm. Problems name
 * parameters (input_place). Answers 400 bad-parameter. */
bool query_body_make(struct context *ctx);

/* Makes ctx->body of a body in plain text: `moves`, with the parameters `size` and `notation`. */
bool text_body_make(struct context *ctx);

#endif
