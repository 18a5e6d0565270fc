/* page.c: the web page at /, the documents at /docs, openapi.yaml, and the files that the page
 * loads: embedded in the binary, also compressed. The rows in routes.def have their media types. */
#include "server/api/site/page.h"

#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/encoding.h"
#include "server/api/steps/etag.h"
#include "server/util/base_path.h"

/* Scripts may compile WebAssembly, which the page has of libcube, but no text as JavaScript. */
#define SCRIPTS "script-src 'self' 'wasm-unsafe-eval'"
#define POLICY(pictures, ancestors)                                                                \
	"default-src 'none'; " SCRIPTS "; style-src 'self'; img-src 'self'" pictures "; "          \
	"font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "            \
	"base-uri 'none'; form-action 'none'; frame-ancestors " ancestors                          \
	"; require-trusted-types-for 'script'"

const char page_policy[] = POLICY("", "'none'");
static const char framed_policy[] = POLICY("", "*");
/* An answer that is a picture is shown. */
static const char docs_policy[] = POLICY(" blob:", "'none'");
/* A script that is loaded into a page has the policy of the page; one that is a worker, its own. */
static const char script_policy[] = "default-src 'none'; " SCRIPTS "; connect-src 'self'";

static void answer_file(struct context *ctx, const char *cache, const char *policy);

void docs_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, docs_policy);
}

/* The rows of the search. Its path has no version: else each page would change with each document. */
void docs_search_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, NULL);
}

/* Other sites may show it in a frame: nobody has rights in it. */
void embed_handle(struct context *ctx)
{
	ctx->request->reply.framed = true;
	answer_file(ctx, caching_shared, framed_policy);
}

void manifest_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, NULL);
}

/* It is not below /assets/, because a service worker serves the paths below its own. */
void service_worker_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, script_policy);
}

/* The element for pages of others; origin.h lets all of them read it. */
static void answer_element(struct context *ctx, const char *cache)
{
	static const struct text path = {"/cubed.js", sizeof "/cubed.js" - 1};
	struct reply *reply = &ctx->request->reply;
	page_write(ctx, embedded_find(&path));
	reply->cache = cache;
	reply->policy = script_policy;
	reply->cross_origin = true;
	ctx_answer(ctx);
}

void element_handle(struct context *ctx)
{
	answer_element(ctx, caching_shared);
}

/* A release has one file of its version. */
void element_version_handle(struct context *ctx)
{
	answer_element(ctx, caching_forever);
}

/* Its path changes with its content. */
void asset_handle(struct context *ctx)
{
	answer_file(ctx, caching_forever, ctx->media == MEDIA_SCRIPT ? script_policy : NULL);
}

void openapi_handle(struct context *ctx)
{
	answer_file(ctx, caching_shared, NULL);
}

static void answer_file(struct context *ctx, const char *cache, const char *policy)
{
	const struct request *request = ctx->request;
	const char *question = memchr(request->target, '?', request->target_length);
	struct text path = {request->target, question ? (size_t)(question - request->target)
						      : request->target_length};
	if (path.length > 1 && path.bytes[path.length - 1] == '/') /* /docs/ */
		path.length--;
	const struct embedded_file *file = embedded_find(&path);
	if (file) {
		page_write(ctx, file);
		ctx->request->reply.cache = cache;
		ctx->request->reply.policy = policy;
	} else {
		problem_answer(ctx->request, PROBLEM_NO_SUCH_ROUTE,
			       "Nothing is served at this path.");
		page_missing(ctx);
	}
	ctx_answer(ctx);
}

static bool begins(const struct request *request, const char *with)
{
	const size_t length = strlen(with);
	return request->target_length >= length && memcmp(request->target, with, length) == 0;
}

void page_missing(struct context *ctx)
{
	static const struct text missing = {"/404", sizeof "/404" - 1};
	struct request *request = ctx->request;
	const bool reads =
		strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
	const char *accept = request->header[HEADER_ACCEPT];
	if (!reads || !accept || begins(request, "/v1") || begins(request, "/assets/") ||
	    media_choose(accept, 1u << MEDIA_HTML | 1u << MEDIA_JSON, MEDIA_JSON) != MEDIA_HTML)
		return;
	const struct embedded_file *file = embedded_find(&missing);
	buffer_free(&request->reply.body);
	page_add(&request->reply.body, file->bytes, file->end);
	request->reply.content_type = media_type(MEDIA_HTML);
	request->reply.policy = page_policy;
}

/* The texts before an absolute path in a page and in openapi.yaml. The base path comes before the slash
 * of a page's link, and instead of that of openapi.yaml, which paths with a slash follow. */
static const struct place {
	const char *before;
	bool instead;
} places[] = {{" href=\"", false},
	      {" src=\"", false},
	      {"\"servers\":[{\"url\":\"", true},
	      {"\nservers: [{ url: ", true}};

static const struct place *place_before(const char *bytes, const char *slash)
{
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		const size_t length = strlen(places[i].before);
		if ((size_t)(slash - bytes) >= length &&
		    memcmp(slash - length, places[i].before, length) == 0)
			return &places[i];
	}
	return NULL;
}

void page_add(struct buffer *to, const char *bytes, const char *end)
{
	const char *added = bytes;
	for (const char *at = bytes; base_path()[0]; at++) {
		at = memchr(at, '/', (size_t)(end - at));
		if (!at)
			break;
		const struct place *place = place_before(bytes, at);
		if (!place)
			continue;
		buffer_add(to, added, (size_t)(at - added));
		buffer_text(to, base_path());
		added = at + place->instead;
	}
	buffer_add(to, added, (size_t)(end - added));
}

/* Returns true for a page or openapi.yaml; scripts and style sheets have relative links only, and the
 * hash of /cubed.js must not change. */
static bool has_base_path(const struct embedded_file *file)
{
	return base_path()[0] && strcmp(file->path, "/cubed.js") != 0 &&
	       strncmp(file->path, "/assets/", strlen("/assets/")) != 0;
}

void page_write(struct context *ctx, const struct embedded_file *file)
{
	struct reply *reply = &ctx->request->reply;
	const bool based = has_base_path(file);
	const uint64_t given = etag_add_text(etag_add_number(0, ctx->media), file->hash);
	const uint64_t hash = based ? etag_add_text(given, base_path()) : given;
	const struct etag_state state = etag_of_hash(hash);
	etag_reply(ctx, &state);
	if (etag_unchanged(ctx))
		return;
	if (based) {
		page_add(&reply->body, file->bytes, file->end);
	} else if (encoding_accepted(ctx) && encoding_mark(ctx)) {
		buffer_add(&reply->body, file->gzip, (size_t)(file->gzip_end - file->gzip));
	} else {
		buffer_add(&reply->body, file->bytes, (size_t)(file->end - file->bytes));
	}
	reply->status = 200;
	reply->content_type = media_type(ctx->media);
}
