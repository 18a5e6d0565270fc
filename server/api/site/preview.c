/* preview.c: the elements of a page that previews of links are made of. */
#include "server/api/site/preview.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/access/forward.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/site/page.h"
#include "server/util/base_path.h"
#include "server/util/html.h"

/* The line of the page that the elements replace. */
#define MARKER "<!-- link preview -->\n"
#define ADDRESS_BYTES 2432 /* paths have at most 2 KiB, hosts 255 bytes */

const struct preview preview_general = {
	.title = "cubed",
	.description = "Turn a Rubik's cube of any size: alone, with friends, against the clock.",
	.alt = "A Rubik's cube",
	.page = "/",
	.picture = "/v1/image.png?moves=M2+E2+S2&" PREVIEW_LOOK,
};

static void put_tag(struct buffer *to, const char *kind, const char *name, const char *value)
{
	buffer_text(to, "<meta ");
	buffer_text(to, kind);
	buffer_text(to, "=\"");
	buffer_text(to, name);
	buffer_text(to, "\" content=\"");
	html_escape(to, value);
	buffer_text(to, "\">\n");
}

/* The name under which the client knows this server, and how it reaches it. Behind a trusted proxy
 * only that knows. */
struct origin {
	const char *scheme, *host;
};

static struct origin origin_of(const struct context *ctx)
{
	const struct config *config = &ctx->service->config;
	const struct request *request = ctx->request;
	const char *host = request->header[HEADER_FORWARDED_HOST];
	const char *scheme = request->header[HEADER_FORWARDED_PROTO];
	const bool proxied = networks_have(config->trusted_proxy, config->trusted_proxy_count,
					   request->peer.address);
	struct origin origin = {config->tls_cert ? "https" : "http", request->header[HEADER_HOST]};
	if (proxied && host)
		origin.host = host;
	if (proxied && scheme)
		origin.scheme = strcasecmp(scheme, "https") == 0 ? "https" : "http";
	return origin;
}

/* A name or address with a port: all that may stand in a URL between "//" and "/". */
static bool is_host(const char *host)
{
	return host && host[0] &&
	       host[strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789.-_:[]")] == '\0' &&
	       strlen(host) < 256;
}

static void put_address(struct buffer *to, const struct origin *origin, const char *name,
			const char *path)
{
	char url[ADDRESS_BYTES + BASE_PATH_BYTES];
	snprintf(url, sizeof url, "%s://%s%s%s", origin->scheme, origin->host, base_path(), path);
	put_tag(to, "property", name, url);
}

static void put_tags(struct context *ctx, const struct preview *preview)
{
	struct buffer *to = &ctx->request->reply.body;
	const struct origin origin = origin_of(ctx);
	put_tag(to, "property", "og:type", "website");
	put_tag(to, "property", "og:site_name", "cubed");
	put_tag(to, "property", "og:title", preview->title);
	put_tag(to, "property", "og:description", preview->description);
	put_tag(to, "property", "og:image:alt", preview->alt);
	put_tag(to, "name", "twitter:card", "summary");
	put_tag(to, "name", "description", preview->description);
	if (!is_host(origin.host))
		return;
	put_address(to, &origin, "og:url", preview->page);
	put_address(to, &origin, "og:image", preview->picture);
	put_tag(to, "property", "og:image:type", "image/png");
	put_tag(to, "property", "og:image:width", PREVIEW_PIXELS);
	put_tag(to, "property", "og:image:height", PREVIEW_PIXELS);
}

void preview_reply(struct context *ctx, const struct embedded_file *file,
		   const struct preview *preview, unsigned status)
{
	const size_t length = (size_t)(file->end - file->bytes);
	const char *marker = memmem(file->bytes, length, MARKER, strlen(MARKER));
	struct reply *reply = &ctx->request->reply;
	const char *rest = marker ? marker + strlen(MARKER) : file->bytes;
	if (marker) {
		page_add(&reply->body, file->bytes, marker);
		put_tags(ctx, preview);
	}
	page_add(&reply->body, rest, file->end);
	reply->status = status;
	reply->content_type = media_type(ctx->media);
	reply->policy = page_policy;
}
