/* cube_page.c: GET /c/{id}: the page, opened on a session. Programs that show a preview of a link,
 * as chats do, run no script: for them the page names the cube and its picture (Open Graph), if
 * everybody who knows the id may see it. Otherwise the answer is the same whether the session exists
 * or not: the plain page with 404, which shows a message or uses the token that the browser has. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/access/forward.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/site/page.h"
#include "server/api/steps/session_visit.h"
#include "server/store/session_id.h"
#include "server/util/base_path.h"
#include "server/util/html.h"

/* In the page: this line and the next one, its own description, are replaced. */
#define MARKER "<!-- link preview -->\n"
#define PICTURE_PIXELS "630"

static bool cube_authorize(struct visit *visit);
static void cube_entered(struct visit *visit);
static void cube_refused(struct visit *visit, enum store_status status);
static bool is_public(const struct visit *visit);
static void answer_preview(struct context *ctx, const struct session_meta *meta);
static void write_tags(struct context *ctx, const struct session_meta *meta);
static void answer_plain(struct context *ctx);

/* The calls of a visit. The rights to see the session decide what is answered, not whether there is
 * an answer. */
static const struct visit_calls cube_calls = {
	.authorize = cube_authorize, .entered = cube_entered, .refused = cube_refused};

void cube_page_handle(struct context *ctx)
{
	ctx->request->reply.policy = page_policy;
	if (!session_id_parse(ctx->name.bytes, ctx->name.length, &ctx->visit.id)) {
		answer_plain(ctx);
		return;
	}
	ctx->visit.calls = &cube_calls;
	session_acquire(&ctx->visit, NEED_READ);
}

static bool cube_authorize(struct visit *visit)
{
	(void)visit;
	return true;
}

static void cube_entered(struct visit *visit)
{
	struct context *ctx = ctx_of_visit(visit);
	if (is_public(visit))
		answer_preview(ctx, &visit->session->meta);
	else
		answer_plain(ctx);
}

static void cube_refused(struct visit *visit, enum store_status status)
{
	struct context *ctx = ctx_of_visit(visit);
	if (status == STORE_NOT_FOUND) {
		answer_plain(ctx);
		return;
	}
	ctx->request->reply.policy = NULL;
	ctx_store_problem(ctx, status);
	ctx_answer(ctx);
}

/* A session without tokens is of a time when everybody could see all of them. */
static bool is_public(const struct visit *visit)
{
	const struct session_meta *meta = &visit->session->meta;
	return !meta->deleted && (!visit->roster || meta->access != ACCESS_NONE);
}

static const struct embedded_file *page_file(void)
{
	static const struct text path = {"/c/", 3};
	return embedded_find(&path);
}

static void answer_plain(struct context *ctx)
{
	const struct embedded_file *file = page_file();
	struct reply *reply = &ctx->request->reply;
	page_add(&reply->body, file->bytes, file->end);
	reply->status = 404;
	reply->content_type = media_type(ctx->media);
	ctx_answer(ctx);
}

static const char *next_line(const char *at, const char *end)
{
	const char *line = memchr(at, '\n', (size_t)(end - at));
	return line ? line + 1 : end;
}

static void answer_preview(struct context *ctx, const struct session_meta *meta)
{
	const struct embedded_file *file = page_file();
	const size_t length = (size_t)(file->end - file->bytes);
	const char *marker = memmem(file->bytes, length, MARKER, strlen(MARKER));
	struct reply *reply = &ctx->request->reply;
	const char *rest = marker ? next_line(marker + strlen(MARKER), file->end) : file->bytes;
	if (marker) {
		page_add(&reply->body, file->bytes, marker);
		write_tags(ctx, meta);
	}
	page_add(&reply->body, rest, file->end);
	reply->status = 200;
	reply->content_type = media_type(ctx->media);
	ctx_answer(ctx);
}

/* ---- the tags ---- */

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

/* Writes the elements that need absolute URLs. */
static void write_addresses(struct context *ctx, const char *id)
{
	struct buffer *to = &ctx->request->reply.body;
	const struct origin origin = origin_of(ctx);
	char url[512 + BASE_PATH_BYTES];
	if (!is_host(origin.host))
		return;
	snprintf(url, sizeof url, "%s://%s%s/c/%s", origin.scheme, origin.host, base_path(), id);
	put_tag(to, "property", "og:url", url);
	snprintf(url, sizeof url,
		 "%s://%s%s/v1/sessions/%s/image.png?pixels=" PICTURE_PIXELS "&background=ffffff",
		 origin.scheme, origin.host, base_path(), id);
	put_tag(to, "property", "og:image", url);
	put_tag(to, "property", "og:image:type", "image/png");
	put_tag(to, "property", "og:image:width", PICTURE_PIXELS);
	put_tag(to, "property", "og:image:height", PICTURE_PIXELS);
}

static void write_tags(struct context *ctx, const struct session_meta *meta)
{
	struct buffer *to = &ctx->request->reply.body;
	char id[SESSION_ID_TEXT + 1], kind[32], description[96];
	session_id_print(&meta->id, id);
	snprintf(kind, sizeof kind, "A %dx%dx%d cube", meta->size, meta->size, meta->size);
	snprintf(description, sizeof description, "%s: open the link to %s.", kind,
		 meta->access == ACCESS_EDIT ? "turn it together" : "watch it being turned");
	put_tag(to, "property", "og:type", "website");
	put_tag(to, "property", "og:site_name", "cubed");
	put_tag(to, "property", "og:title", meta->name[0] ? meta->name : kind);
	put_tag(to, "property", "og:description", description);
	put_tag(to, "property", "og:image:alt", kind);
	put_tag(to, "name", "twitter:card", "summary");
	put_tag(to, "name", "description", description);
	write_addresses(ctx, id);
}
