/* page.c: the web page at /, the documents at /docs, openapi.yaml, and the files that the page
 * loads: embedded in the binary, also compressed. The rows in routes.def have their media types. */
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/site/embedded.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/encoding.h"
#include "server/api/steps/etag.h"

/* Only the page's own files may run in it, and it may connect only to this server. */
#define POLICY                                                                                     \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "                \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "        \
	"require-trusted-types-for 'script'"

static void answer_file(struct context *ctx, const char *cache, const char *policy);
static void write_file(struct context *ctx, const struct embedded_file *file);

void page_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, POLICY);
}

/* Its path changes with its content. */
void asset_handle(struct context *ctx)
{
	answer_file(ctx, caching_forever, POLICY);
}

void openapi_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, NULL);
}

static void answer_file(struct context *ctx, const char *cache, const char *policy)
{
	const struct request *request = ctx->request;
	const char *question = memchr(request->target, '?', request->target_length);
	const struct text path = {request->target, question ? (size_t)(question - request->target)
							    : request->target_length};
	const struct embedded_file *file = embedded_find(&path);
	if (file) {
		write_file(ctx, file);
		ctx->request->reply.cache = cache;
		ctx->request->reply.policy = policy;
	} else {
		problem_answer(ctx->request, PROBLEM_NO_SUCH_ROUTE,
			       "Nothing is served at this path.");
	}
	ctx_answer(ctx);
}

static void write_file(struct context *ctx, const struct embedded_file *file)
{
	struct reply *reply = &ctx->request->reply;
	const uint64_t hash = etag_add_text(etag_add_number(0, ctx->media), file->hash);
	const struct etag_state state = etag_of_hash(hash);
	etag_reply(ctx, &state);
	if (etag_unchanged(ctx))
		return;
	if (encoding_accepted(ctx) && encoding_mark(ctx)) {
		buffer_add(&reply->body, file->gzip, (size_t)(file->gzip_end - file->gzip));
	} else {
		buffer_add(&reply->body, file->bytes, (size_t)(file->end - file->bytes));
	}
	reply->status = 200;
	reply->content_type = media_type(ctx->media);
}
