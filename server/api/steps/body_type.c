/* body_type.c: Content-Type and Content-Encoding of bodies. */
#include "server/api/steps/body_type.h"

#include <string.h>
#include <strings.h>

#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"

/* A compressed body would look like broken JSON. */
bool body_encoding_check(struct context *ctx)
{
	const char *encoding = ctx->request->header[HEADER_CONTENT_ENCODING];
	if (!ctx->route->body || !encoding || ctx->request->body_length == 0 ||
	    strcasecmp(encoding, "identity") == 0)
		return true;
	struct out out;
	problem_begin(ctx->request, PROBLEM_MEDIA_TYPE, &out,
		      "Compressed bodies are not read; send the body as it is.");
	problem_member(&out, "expected", "an uncompressed body, without Content-Encoding");
	problem_end(ctx->request, &out);
	ctx->request->reply.accept_encoding = "identity";
	return false;
}

static bool is_patch(const struct context *ctx)
{
	return strcmp(ctx->route->method, "PATCH") == 0;
}

/* The media types of bodies, for a problem. */
static const char *body_types(const struct context *ctx)
{
	if (ctx->route->body == BODY_MOVES)
		return "application/json, or text/plain for moves";
	if (ctx->route->lines)
		return "application/json or application/x-ndjson";
	return is_patch(ctx) ? "application/json or application/merge-patch+json"
			     : "application/json";
}

/* JSON that is sent as plain text is a mistake, not moves. */
bool body_type_check(struct context *ctx)
{
	const struct request *request = ctx->request;
	const bool object = request->body_length > 0 && request->body[0] == '{';
	ctx->plain = ctx->route->body == BODY_MOVES && !object &&
		     media_is(request->header[HEADER_CONTENT_TYPE], MEDIA_TEXT);
	if (!ctx->route->body || ctx->lines || ctx->plain || request->body_length == 0 ||
	    media_is(request->header[HEADER_CONTENT_TYPE], MEDIA_JSON) ||
	    (is_patch(ctx) && media_is(request->header[HEADER_CONTENT_TYPE], MEDIA_MERGE_PATCH)))
		return true;
	struct out out;
	problem_begin(ctx->request, PROBLEM_MEDIA_TYPE, &out,
		      "The body must be JSON%s, with a matching Content-Type.",
		      ctx->route->body == BODY_MOVES ? " or plain text" : "");
	problem_member(&out, "expected", body_types(ctx));
	problem_member(&out, "suggestion", "Content-Type: application/json (curl --json does it)");
	problem_end(ctx->request, &out);
	return false;
}
