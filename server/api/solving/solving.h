/* solving.h: the handlers of solutions, and the jobs that search for them, by file. Each answers its context, now or later. */
#ifndef SERVER_API_SOLVING_SOLVING_H
#define SERVER_API_SOLVING_SOLVING_H

#include "server/api/request/context.h"

/* solve.c */
void solve_handle(struct context *ctx);

/* jobs.c */
void job_read_handle(struct context *ctx);
void job_cancel_handle(struct context *ctx);
void job_events_handle(struct context *ctx);

/* solvers.c */
void solvers_handle(struct context *ctx);

#endif
