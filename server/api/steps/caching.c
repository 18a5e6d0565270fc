/* caching.c: Cache-Control, Vary, and ETags of bodies. */
#include "server/api/steps/caching.h"

#include <string.h>

#include "server/api/request/route.h"
#include "server/api/steps/etag.h"

const char caching_private[] = "private, no-cache";
const char caching_shared[] = "no-cache";
const char caching_pure[] = "public, max-age=86400";
const char caching_forever[] = "public, max-age=31536000, immutable";
const char caching_none[] = "no-store";

void caching_follows(struct context *ctx)
{
	if (!ctx->query.value[PARAMETER_SESSION].bytes && !ctx->who.asked)
		ctx->request->reply.cache = caching_pure;
}

static bool may_be_kept(const struct context *ctx)
{
	const struct reply *reply = &ctx->request->reply;
	return ctx->route && strcmp(ctx->route->method, "GET") == 0 &&
	       (reply->status == 200 || reply->status == 304) && !reply->stream &&
	       !reply->subscriber && reply->cache != caching_none;
}

static void add_etag(struct context *ctx)
{
	struct reply *reply = &ctx->request->reply;
	if (reply->body.failed || reply->body.length == 0 || reply->body.length > CACHING_BODY_MAX)
		return;
	uint64_t hash = etag_add_text(0, reply->content_type);
	hash = etag_add(hash, reply->body.bytes, reply->body.length);
	const struct etag_state state = etag_of_hash(hash);
	etag_reply(ctx, &state);
	if (!etag_unchanged(ctx))
		return;
	buffer_free(&reply->body);
	reply->content_type = NULL;
	reply->link = NULL;
	reply->policy = NULL;
}

void caching_answer(struct context *ctx)
{
	struct reply *reply = &ctx->request->reply;
	if (!may_be_kept(ctx)) {
		reply->cache = NULL;
		return;
	}
	if (!reply->cache)
		reply->cache = caching_private;
	reply->vary = true;
	if (!reply->etag)
		add_etag(ctx);
}
