/* context.c: the beginning and the end of a request, and its memory. */
#include "server/api/request/context.h"

#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"

void ctx_init(struct context *ctx, struct service *service, struct request *request)
{
	*ctx = (struct context){.service = service,
				.request = request,
				.json = {.arena = &request->arena},
				.visit = {.cache = &service->session_cache}};
	request->ctx = ctx;
}

void ctx_answer(struct context *ctx)
{
	session_release(&ctx->visit);
	ctx->service->answer(ctx);
}

bool ctx_no_memory(struct context *ctx)
{
	problem_answer(
		ctx->request, PROBLEM_OUT_OF_MEMORY,
		"There is currently not enough memory for this request; nothing was changed.");
	return false;
}

void *ctx_alloc(struct context *ctx, size_t bytes)
{
	void *memory = arena_alloc(&ctx->request->arena, bytes);
	if (!memory)
		ctx_no_memory(ctx);
	return memory;
}

const char *ctx_reply_text(struct context *ctx, const char *text, size_t length)
{
	const char *copy = arena_text(&ctx->request->arena, text, length);
	if (!copy)
		ctx->request->reply.body.failed = true;
	return copy;
}

bool ctx_reply_made(struct context *ctx)
{
	return !ctx->request->reply.body.failed || ctx_no_memory(ctx);
}

void ctx_reply_json(struct context *ctx, unsigned status)
{
	struct reply *reply = &ctx->request->reply;
	buffer_add(&reply->body, "\n", 1);
	reply->status = status;
	reply->content_type = media_type(MEDIA_JSON);
}
