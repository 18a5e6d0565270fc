/* handlers.h: the handlers that routes.def names. Each answers its context, now or later. */
#ifndef SERVER_MODULES_TIMES_HANDLERS_H
#define SERVER_MODULES_TIMES_HANDLERS_H

#include "server/api/request/context.h"

#define ROUTE(method, path, handle, ...) void handle(struct context *ctx);
#include "server/modules/times/routes.def"
#undef ROUTE

#endif
