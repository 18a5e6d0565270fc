/* record_solve.h: recording a solve with the entry that ends it, in one transaction. */
#ifndef SERVER_API_SESSIONS_RECORD_SOLVE_H
#define SERVER_API_SESSIONS_RECORD_SOLVE_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* Returns true if the planned entry (ctx->visit.after, on ctx->visit.snapshot) solves the cube for
 * the first time, as far as is known here, so that it may end a solve. Cheap. */
MUST_USE bool record_solve_due(const struct context *ctx);

/* Reads the history to see whether the entry ends a solve, adds that to ctx->visit.write, and
 * queues the write. The context must have locked its session, with no write under way. */
void record_solve_start(struct context *ctx);

#endif
