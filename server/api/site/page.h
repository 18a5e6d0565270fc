/* page.h: answers that are pages. */
#ifndef SERVER_API_SITE_PAGE_H
#define SERVER_API_SITE_PAGE_H

#include "server/api/request/context.h"
#include "server/api/site/embedded.h"

/* The Content-Security-Policy of pages: only the page's own files may run in it, it may connect only
 * to this server, and cannot be framed. */
extern const char page_policy[];

/* Appends a part of an embedded page or of openapi.yaml, its links below the base path. */
void page_add(struct buffer *to, const char *bytes, const char *end);

/* Makes an embedded file the reply, with its ETag; a 304 if the client has it. */
void page_write(struct context *ctx, const struct embedded_file *file);

/* Shows the problem no-such-route as a page with links, if a browser asks and it is not a path of
 * the API. */
void page_missing(struct context *ctx);

#endif
