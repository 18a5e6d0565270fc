/* cube_page.c: GET /c/{id}: the page, opened on a session. Programs that show a preview of a link,
 * as chats do, run no script: for them the page names the cube and its picture, if everybody who
 * knows the id may see it. Otherwise the answer is the same whether the session exists or not: the
 * page with its general preview and 404, which shows a message or uses the token that the browser has. */
#include <stdio.h>

#include "server/api/request/handlers.h"
#include "server/api/site/page.h"
#include "server/api/site/preview.h"
#include "server/api/steps/session_visit.h"
#include "server/store/session_id.h"

static bool cube_authorize(struct visit *visit);
static void cube_entered(struct visit *visit);
static void cube_refused(struct visit *visit, enum store_status status);
static bool is_public(const struct visit *visit);
static void answer_preview(struct context *ctx, const struct session_meta *meta);
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
	preview_reply(ctx, page_file(), &preview_general, 404);
	ctx_answer(ctx);
}

static void answer_preview(struct context *ctx, const struct session_meta *meta)
{
	char id[SESSION_ID_TEXT + 1], kind[32], description[96], page[32], picture[128];
	session_id_print(&meta->id, id);
	snprintf(kind, sizeof kind, "A %dx%dx%d cube", meta->size, meta->size, meta->size);
	snprintf(description, sizeof description, "%s: open the link to %s.", kind,
		 meta->access == ACCESS_EDIT ? "turn it together" : "watch it being turned");
	snprintf(page, sizeof page, "/c/%s", id);
	snprintf(picture, sizeof picture, "/v1/sessions/%s/image.png?" PREVIEW_LOOK, id);
	const struct preview preview = {
		.title = meta->name[0] ? meta->name : kind,
		.description = description,
		.alt = kind,
		.page = page,
		.picture = picture,
	};
	preview_reply(ctx, page_file(), &preview, 200);
	ctx_answer(ctx);
}
