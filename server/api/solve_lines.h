/* solve_lines.h: POST /v1/solve of many cubes: a line for each in, a line for each out, in order. */
#ifndef SERVER_API_SOLVE_LINES_H
#define SERVER_API_SOLVE_LINES_H

#include "server/api/work.h"

/* Answers a work whose body is lines. */
void solve_lines(struct work *work);

#endif
