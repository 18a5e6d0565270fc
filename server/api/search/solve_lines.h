/* solve_lines.h: POST /v1/solve for many cubes: one line in, one line out, in order. */
#ifndef SERVER_API_SEARCH_SOLVE_LINES_H
#define SERVER_API_SEARCH_SOLVE_LINES_H

#include "server/api/request/context.h"

/* Answers a context whose body is lines. */
void solve_lines(struct context *ctx);

#endif
