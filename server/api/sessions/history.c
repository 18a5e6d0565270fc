/* history.c: GET .../cube at any revision, and GET .../history in pages. */
#include <stdio.h>

#include "cube/cube.h"
#include "server/api/input/cube.h"
#include "server/api/input/answer_view.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/etag.h"
#include "server/api/steps/session_visit.h"
#include "server/format/cube_out.h"
#include "server/format/session_out.h"
#include "server/util/monotonic.h"

struct cube_at {
	struct input_cube request; /* first: input_cube_resolve passes it back */
	struct answer_view view;
	struct etag_state state; /* of the session now */
};

#define WAIT_MS_MAX 60000

struct history_page {
	int64_t after, limit, wait_ms;
	int64_t due_ms; /* of a long poll that has begun, on the monotonic clock; 0: none has */
	bool turns;
	uint64_t key;
	struct etag_state state; /* of the session */
	struct live_poll poll;
};

static void cube_resolved(struct context *ctx);
static void cube_answer(struct context *ctx);
static bool history_read(struct context *ctx, struct history_page *asked);
static void history_entered(struct context *ctx);
static void revision_beyond(struct context *ctx, uint32_t newest);
static void history_run(struct context *ctx, struct store_reader *reader);

void session_cube_handle(struct context *ctx)
{
	struct cube_at *at = ctx_alloc(ctx, sizeof *at);
	if (!at) {
		ctx_answer(ctx);
		return;
	}
	*at = (struct cube_at){
		.request = {.source = CUBE_OF_SESSION, .session = ctx->visit.id, .at = -1}};
	if (answer_view_read(ctx, &at->view) &&
	    query_integer(ctx, PARAMETER_AT, 0, UINT32_MAX - 1, &at->request.at))
		input_cube_resolve(ctx, &at->request, cube_resolved);
	else
		ctx_answer(ctx);
}

static void cube_resolved(struct context *ctx)
{
	struct cube_at *at = ctx->data;
	at->state = etag_of_session(etag_about(&ctx->visit.session->meta), ctx->visit.snapshot);
	ctx_compute(ctx, answer_view_cost(ctx, &at->view, at->request.cube->size), cube_answer,
		    NULL);
}

/* From a snapshot, which does not change. Any thread. */
static void cube_answer(struct context *ctx)
{
	const struct cube_at *at = ctx->data;
	const struct cube *cube = at->request.cube;
	uint32_t revision =
		at->request.at >= 0 ? (uint32_t)at->request.at : ctx->visit.snapshot->revision;
	if (!answer_view_fits(ctx, &at->view, cube->size))
		return;
	etag_reply_session(ctx, &at->state, ETAG_CUBE, &at->view, revision);
	if (etag_unchanged(ctx))
		return;
	if (!reply_cube_text(ctx, cube, &at->view, 200)) {
		struct out out = {.buffer = &ctx->request->reply.body};
		out_open(&out, '{');
		out_member_integer(&out, "revision", revision);
		out_cube_member(&out, cube, &at->view, CUBE_KNOWN);
		out_close(&out, '}');
		ctx_reply_json(ctx, 200);
	}
}

void session_history_handle(struct context *ctx)
{
	struct history_page *asked = ctx_alloc(ctx, sizeof *asked);
	if (asked)
		*asked = (struct history_page){.limit = 100};
	if (asked && history_read(ctx, asked)) {
		ctx->data = asked;
		ctx_acquire(ctx, NEED_READ, history_entered);
	} else {
		ctx_answer(ctx);
	}
}

static bool history_read(struct context *ctx, struct history_page *asked)
{
	uint64_t cursor;
	if (!query_integer(ctx, PARAMETER_AFTER, 0, UINT32_MAX - 1, &asked->after) ||
	    !query_integer(ctx, PARAMETER_LIMIT, 1, ENTRY_PAGE_MAX, &asked->limit) ||
	    !query_integer(ctx, PARAMETER_WAIT_MS, 0, WAIT_MS_MAX, &asked->wait_ms) ||
	    !query_bool(ctx, PARAMETER_TURNS, &asked->turns) || !cursor_read(ctx, &cursor))
		return false;
	if (!ctx->query.value[PARAMETER_CURSOR].bytes)
		return true;
	if (ctx->query.value[PARAMETER_AFTER].bytes)
		return query_problem(ctx, "cursor", "cursor is not allowed together with after.",
				     "either cursor or after", NULL);
	asked->after = cursor < UINT32_MAX ? (int64_t)cursor : UINT32_MAX - 1;
	return true;
}

/* Waits for the next entry. The visit enters again with it, after its time, and whenever a token or the
 * description of the session has changed: then it waits on if it may. Returns false if it waits no
 * longer. */
static bool wait_on(struct context *ctx, struct history_page *asked)
{
	const int64_t now_ms = monotonic_ms();
	if (asked->due_ms == 0)
		asked->due_ms = now_ms + asked->wait_ms;
	if (asked->due_ms <= now_ms || !live_waits(ctx->service->live))
		return false;
	live_wait(ctx->service->live, &asked->poll, &ctx->visit, asked->due_ms - now_ms);
	return true;
}

static void history_entered(struct context *ctx)
{
	struct history_page *asked = ctx->data;
	const uint32_t newest = ctx->visit.session->committed->revision;
	if (asked->wait_ms > 0 && asked->due_ms == 0 && asked->after > (int64_t)newest) {
		revision_beyond(ctx, newest);
		ctx_answer(ctx);
		return;
	}
	if (asked->after == newest && wait_on(ctx, asked))
		return;
	session_take_snapshot(&ctx->visit, ctx->visit.session->committed);
	asked->key = ctx->visit.session->meta.key;
	asked->state = etag_of_session(etag_about(&ctx->visit.session->meta), ctx->visit.snapshot);
	ctx_read(ctx, history_run, ctx_answer);
}

/* The client has seen a later revision, so it has seen another history: the database was restored
 * since. If it waited for the next entry it would miss some. */
static void revision_beyond(struct context *ctx, uint32_t newest)
{
	char expected[64];
	snprintf(expected, sizeof expected, "a revision from 0 to %lu", (unsigned long)newest);
	query_problem(ctx, "after", "The session has not reached this revision.", expected, NULL);
}

static void history_run(struct context *ctx, struct store_reader *reader)
{
	const struct history_page *asked = ctx->data;
	const struct history *now = ctx->visit.snapshot;
	struct reply *reply = &ctx->request->reply;
	struct out out = {.buffer = &reply->body};
	struct entry_page page = {.out = &out,
				  .lines = ctx->media == MEDIA_NDJSON,
				  .size = now->cube->size,
				  .turns = asked->turns,
				  .roster = ctx->visit.roster,
				  .upto = now->revision,
				  .limit = (uint32_t)asked->limit,
				  .last = (uint32_t)asked->after};
	enum store_status status = STORE_OK;
	etag_reply_session(ctx, &asked->state, ETAG_HISTORY, NULL,
			   ((uint64_t)asked->after << 16 | (uint64_t)asked->turns << 15 |
			    (uint64_t)asked->limit) ^
				   etag_of_names(ctx->visit.roster));
	if (etag_unchanged(ctx))
		return;
	if (!page.lines)
		page_begin(ctx, &out);
	if (asked->after < (int64_t)now->revision)
		status = ctx->service->store->operations->entries(
			reader, asked->key, (uint32_t)asked->after, entry_page_visit, &page);
	if (status != STORE_OK) {
		ctx_store_problem(ctx, status);
		return;
	}
	bool more = entry_page_more(&page);
	const uint32_t next = more ? page.last : 0;
	if (page.lines) {
		cursor_link(ctx, next);
		reply->status = 200;
		reply->content_type = media_type(MEDIA_NDJSON);
		return;
	}
	page_end_items(ctx, &out, next);
	out_key(&out, "next_after");
	if (more)
		out_integer(&out, page.last);
	else
		out_null(&out);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}
