/* record_solve.h: a solve is recorded with the entry that ends it, in one transaction. */
#ifndef SERVER_API_SESSIONS_RECORD_SOLVE_H
#define SERVER_API_SESSIONS_RECORD_SOLVE_H

#include "server/api/request/context.h"

/* Whether the entry that was worked out (ctx->visit.after, of ctx->visit.snapshot) solves the cube for the
 * first time, as far as is known here, so that it may end a solve. Cheap. */
bool record_solve_due(const struct context *ctx);

/* Looks into the history whether it ends one, puts that into ctx->visit.write, and queues the write. The
 * work holds its session, and no write is under way there. */
void record_solve_start(struct context *ctx);

#endif
