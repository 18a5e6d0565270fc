/* handlers.h: the handlers that routes.def names. Each answers its context, now or later. */
#ifndef SERVER_API_REQUEST_HANDLERS_H
#define SERVER_API_REQUEST_HANDLERS_H

#include "server/api/request/context.h"

#define ROUTE(method, path, handle, ...) void handle(struct context *ctx);
#define PAGE(path, handle, media) void handle(struct context *ctx);
#include "server/api/request/routes.def"
#undef ROUTE
#undef PAGE

#endif
