/* page.c: the web page at /, the documents at /docs, and their files: those of web/, embedded. The
 * rows in routes.def have their media types. */
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/site/embedded.h"

/* Only the page's own files may run in it, and it may connect only to this server. */
#define POLICY                                                                                     \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "                \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "        \
	"require-trusted-types-for 'script'"

struct file {
	const char *name, *start, *end;
};

/* By path. */
static const struct file files[] = {
	{"/", embedded_page_html, embedded_page_html_end},
	{"/docs", embedded_docs_html, embedded_docs_html_end},
	{"/page.css", embedded_page_css, embedded_page_css_end},
	{"/page.js", embedded_page_js, embedded_page_js_end},
	{"/page.svg", embedded_page_svg, embedded_page_svg_end},
};

/* For /page/{name}. */
static const struct file modules[] = {
	{"board.js", embedded_board_js, embedded_board_js_end},
	{"clipboard.js", embedded_clipboard_js, embedded_clipboard_js_end},
	{"cube.js", embedded_cube_js, embedded_cube_js_end},
	{"docs.js", embedded_docs_js, embedded_docs_js_end},
	{"element.js", embedded_element_js, embedded_element_js_end},
	{"link.js", embedded_link_js, embedded_link_js_end},
	{"net.js", embedded_net_js, embedded_net_js_end},
	{"operation.js", embedded_operation_js, embedded_operation_js_end},
	{"past.js", embedded_past_js, embedded_past_js_end},
	{"prose.js", embedded_prose_js, embedded_prose_js_end},
	{"schema.js", embedded_schema_js, embedded_schema_js_end},
	{"share.js", embedded_share_js, embedded_share_js_end},
	{"solid.js", embedded_solid_js, embedded_solid_js_end},
	{"solving.js", embedded_solving_js, embedded_solving_js_end},
	{"start.js", embedded_start_js, embedded_start_js_end},
	{"times.js", embedded_times_js, embedded_times_js_end},
	{"turning.js", embedded_turning_js, embedded_turning_js_end},
};

static void answer_file(struct context *ctx, const struct file *list, size_t count,
			const struct text *name);

void page_handle(struct context *ctx)
{
	const char *path = ctx->route->path;
	answer_file(ctx, files, sizeof files / sizeof files[0], &(struct text){path, strlen(path)});
}

static void answer_file(struct context *ctx, const struct file *list, size_t count,
			const struct text *name)
{
	struct reply *reply = &ctx->request->reply;
	for (size_t i = 0; i < count; i++) {
		if (strlen(list[i].name) != name->length ||
		    memcmp(list[i].name, name->bytes, name->length) != 0)
			continue;
		buffer_add(&reply->body, list[i].start, (size_t)(list[i].end - list[i].start));
		reply->status = 200;
		reply->content_type = media_type(ctx->media);
		reply->policy = POLICY;
	}
	if (reply->status == 0)
		problem_answer(ctx->request, PROBLEM_NO_SUCH_ROUTE,
			       "Nothing is served at this path.");
	ctx_answer(ctx);
}

void page_module_handle(struct context *ctx)
{
	answer_file(ctx, modules, sizeof modules / sizeof modules[0], &ctx->name);
}

static void answer_problem_page(struct context *ctx, const struct text *name)
{
	struct reply *reply = &ctx->request->reply;
	for (const char *at = embedded_problem_pages; at < embedded_problem_pages_end;) {
		const char *html = at + strlen(at) + 1;
		const size_t length = strlen(html);
		if (text_is(*name, at)) {
			buffer_add(&reply->body, html, length);
			reply->status = 200;
			reply->content_type = media_type(ctx->media);
			reply->policy = POLICY;
			ctx_answer(ctx);
			return;
		}
		at = html + length + 1;
	}
	problem_answer(ctx->request, PROBLEM_NO_SUCH_ROUTE, "No problem has this name.");
	ctx_answer(ctx);
}

void problem_index_handle(struct context *ctx)
{
	answer_problem_page(ctx, &(struct text){"", 0});
}

void problem_page_handle(struct context *ctx)
{
	answer_problem_page(ctx, &ctx->name);
}
