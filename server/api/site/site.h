/* site.h: the handlers of what is served beside the API proper, by file. Each answers its context, now or later. */
#ifndef SERVER_API_SITE_SITE_H
#define SERVER_API_SITE_SITE_H

#include "server/api/request/context.h"

/* about.c */
void formats_handle(struct context *ctx);
void limits_handle(struct context *ctx);
void health_handle(struct context *ctx);
void ready_handle(struct context *ctx);
void openapi_yaml_handle(struct context *ctx);
void openapi_json_handle(struct context *ctx);

/* page.c */
void page_handle(struct context *ctx);
void page_module_handle(struct context *ctx);

#endif
