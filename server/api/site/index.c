/* index.c: GET /v1: what is served here, for a client that knows only the address. */
#include <stdio.h>
#include <string.h>

#include "cube/version.h"
#include "server/api/request/handlers.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/site/embedded.h"
#include "server/api/steps/caching.h"
#include "server/format/format.h"
#include "server/json/writer.h"
#include "server/util/base_path.h"
#include "server/util/network.h"

#define PREFIX "/v1/"
/* The estimated time to ask the kernel for the addresses: for a worker. */
#define ADDRESSES_NS 400000

static bool is_first(const struct route *routes, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (strcmp(routes[before].path, routes[i].path) == 0)
			return false;
	return true;
}

static void write_link(struct out *out, const char *name, const char *path)
{
	out_name(out, name, strlen(name));
	char whole[128 + BASE_PATH_BYTES];
	snprintf(whole, sizeof whole, "%s%s", base_path(), path);
	out_string(out, whole);
}

/* Writes a link for each path without holes, named by what follows /v1/. */
static void write_links(const struct service *service, struct out *out)
{
	const struct route *routes = service->routes;
	out_member_open(out, "links", '{');
	write_link(out, "self", "/v1");
	write_link(out, "docs", "/docs");
	write_link(out, "openapi", "/openapi.json");
	for (size_t i = 0; i < service->route_count; i++)
		if (strncmp(routes[i].path, PREFIX, strlen(PREFIX)) == 0 &&
		    !strchr(routes[i].path, '{') && is_first(routes, i))
			write_link(out, routes[i].path + strlen(PREFIX), routes[i].path);
	out_close(out, '}');
}

/* Writes the address of <cubed-cube> for pages of others, and the hash by which they know it. */
static void write_element(struct out *out)
{
	out_member_open(out, "element", '{');
	write_link(out, "script", "/cubed-" CUBE_VERSION ".js");
	out_member_string(out, "integrity", embedded_element_integrity);
	out_close(out, '}');
}

static void write_addresses(const struct config *config, struct out *out);
static void write_index(struct context *ctx);

void index_handle(struct context *ctx)
{
	ctx_compute(ctx, ctx->service->config.lan ? ADDRESSES_NS : 0, write_index, NULL);
}

/* Writes the addresses that other devices can open. They may change while the server runs. Without
 * --lan there are none: those of a public server's networks concern nobody. */
static void write_addresses(const struct config *config, struct out *out)
{
	struct network_url urls[NETWORK_ADDRESSES_MAX];
	const size_t count = config->lan ? network_urls(urls, config->tls_cert ? "https" : "http",
							config->listen_port)
					 : 0;
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		out_string(out, urls[i].text);
	out_close(out, ']');
}

static void write_index(struct context *ctx)
{
	const struct limits *limits = &ctx->service->config.limits;
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	out_member_string(&out, "version", CUBE_VERSION);
	write_element(&out);
	out_member_bool(&out, "lan", ctx->service->config.lan);
	out_key(&out, "addresses");
	write_addresses(&ctx->service->config, &out);
	write_links(ctx->service, &out);
	out_member_open(&out, "formats", '[');
	for (size_t i = 0; i < format_count; i++)
		out_string(&out, formats[i].name);
	out_close(&out, ']');
	out_member_open(&out, "limits", '{');
#define LIMIT_WRITE(member, flag, value, unit, meaning)                                            \
	out_key(&out, #member);                                                                    \
	if (limits->member == LIMIT_OFF)                                                           \
		out_null(&out);                                                                    \
	else                                                                                       \
		out_integer(&out, (int64_t)limits->member);
	LIMIT_TABLE(LIMIT_WRITE)
#undef LIMIT_WRITE
	out_close(&out, '}');
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	ctx->request->reply.cache = caching_shared;
}
