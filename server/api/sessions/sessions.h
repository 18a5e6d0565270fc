/* sessions.h: the handlers of stored cubes, by file. Each answers its context, now or later. */
#ifndef SERVER_API_SESSIONS_SESSIONS_H
#define SERVER_API_SESSIONS_SESSIONS_H

#include "server/api/request/context.h"

/* sessions.c */
void session_create_handle(struct context *ctx);
void session_read_handle(struct context *ctx);
void session_change_handle(struct context *ctx);
void session_delete_handle(struct context *ctx);

/* list.c */
void session_list_handle(struct context *ctx);

/* search.c */
void search_handle(struct context *ctx);

/* history_search.c */
void session_find_handle(struct context *ctx);

/* history.c */
void session_cube_handle(struct context *ctx);
void session_history_handle(struct context *ctx);

/* events.c */
void session_events_handle(struct context *ctx);

/* append.c */
void session_moves_handle(struct context *ctx);
void session_scramble_handle(struct context *ctx);

/* undo.c */
void session_undo_handle(struct context *ctx);
void session_redo_handle(struct context *ctx);
void session_reset_handle(struct context *ctx);

/* tokens.c */
void token_create_handle(struct context *ctx);
void token_list_handle(struct context *ctx);
void token_revoke_handle(struct context *ctx);
void ticket_handle(struct context *ctx);

#endif
