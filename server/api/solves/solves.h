/* solves.h: the handlers of recorded solves, by file. Each answers its context, now or later. */
#ifndef SERVER_API_SOLVES_SOLVES_H
#define SERVER_API_SOLVES_SOLVES_H

#include "server/api/request/context.h"

/* solves.c */
void solve_list_handle(struct context *ctx);
void solve_read_handle(struct context *ctx);
void solve_change_handle(struct context *ctx);
void solve_remove_handle(struct context *ctx);

/* post.c */
void solve_post_handle(struct context *ctx);

/* import.c */
void solve_import_handle(struct context *ctx);

/* stats.c */
void solve_stats_handle(struct context *ctx);

#endif
