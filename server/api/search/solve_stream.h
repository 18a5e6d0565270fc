/* solve_stream.h: all solutions of one cube as lines, as they are found. */
#ifndef SERVER_API_SEARCH_SOLVE_STREAM_H
#define SERVER_API_SEARCH_SOLVE_STREAM_H

#include "server/api/request/context.h"
#include "server/search/answer.h"

/* Takes over the question, and answers the context. */
void solve_stream(struct context *ctx, struct solve_question *question);

#endif
