/* cursor.h: lists in pages, and their cursors: opaque to clients; the key from which to continue
 * downwards. */
#ifndef SERVER_API_REQUEST_CURSOR_H
#define SERVER_API_REQUEST_CURSOR_H

#include "server/api/request/context.h"
#include "server/json/writer.h"
#include "server/util/error.h"

/* Reads ?cursor=; UINT64_MAX, the beginning, if there is none. Answers 400 bad-parameter. */
MUST_USE bool cursor_read(struct context *ctx, uint64_t *before);
/* For GET, the Link to the next page: the target of the request with that cursor instead of
 * `cursor` and `after`. page_end() and page_end_items() add it; answers in lines call this. */
void cursor_link(struct context *ctx, uint64_t next);

/* Every list is answered as {"items": [...], "next_cursor": ...}. Begins it in the reply's body. */
void page_begin(struct context *ctx, struct out *out);
/* Ends the items; `next` is the key at which the next page begins, or 0. Other members may
 * follow. */
void page_end_items(struct context *ctx, struct out *out, uint64_t next);
/* Ends the items and the answer. */
void page_end(struct context *ctx, struct out *out, uint64_t next);

#endif
