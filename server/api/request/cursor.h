/* cursor.h: cursors of lists of sessions: opaque to clients, the key to go on below to us. */
#ifndef SERVER_API_REQUEST_CURSOR_H
#define SERVER_API_REQUEST_CURSOR_H

#include "server/api/request/context.h"
#include "server/json/writer.h"

/* Reads ?cursor=; UINT64_MAX, the beginning, where there is none. Answers 400 bad-parameter. */
bool cursor_read(struct context *ctx, uint64_t *before);
/* Writes the member `next_cursor`; null for 0. */
void cursor_write(struct out *out, uint64_t next);

#endif
