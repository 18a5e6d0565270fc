/* precondition.c: If-Match, If-None-Match and `revision`: whether a writer has seen the present
 * state, and what was missed. */
#include "cube/cube.h"
#include "server/api/sessions/precondition.h"

#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/session_reply.h"
#include "server/format/cube_out.h"
#include "server/format/session_out.h"

struct missed_entries {
	enum precondition failed;
	struct answer_view view;
	uint32_t seen;
	uint64_t key;
	struct etag_state state;
};

static void missed_run(struct context *ctx, struct store_reader *reader);

enum precondition precondition_check(const struct context *ctx, int64_t revision, uint32_t *seen)
{
	const struct session *session = ctx->visit.session;
	const uint32_t head = session->head->revision;
	*seen = head;
	if (etag_asked(ctx)) {
		const struct etag_state state =
			etag_of_session(etag_about(&session->meta), session->head);
		const int64_t named = etag_revision_seen(ctx);
		if (etag_judge(ctx, &state) != ETAG_FITS) {
			*seen = named >= 0 && named < (int64_t)head ? (uint32_t)named : head;
			return PRECONDITION_HEADER;
		}
	}
	if (revision >= 0 && revision != (int64_t)head) {
		*seen = revision < (int64_t)head ? (uint32_t)revision : head;
		return PRECONDITION_REVISION;
	}
	return PRECONDITION_HOLDS;
}

void precondition_answer(struct context *ctx, enum precondition failed, uint32_t seen,
			 const struct answer_view *view)
{
	struct missed_entries *missed = ctx_alloc(ctx, sizeof *missed);
	if (!missed) {
		ctx_answer(ctx);
		return;
	}
	const struct session *session = ctx->visit.session;
	*missed = (struct missed_entries){
		.failed = failed,
		.view = *view,
		.seen = seen,
		.key = session->meta.key,
		.state = etag_of_session(etag_about(&session->meta), session->committed)};
	session_take_snapshot(&ctx->visit, ctx->visit.session->committed);
	ctx->data = missed;
	ctx_read(ctx, missed_run, ctx_answer);
}

static void missed_run(struct context *ctx, struct store_reader *reader)
{
	const struct missed_entries *missed = ctx->data;
	const struct history *now = ctx->visit.snapshot;
	struct out out;
	bool turns = false;
	if (!query_bool(ctx, PARAMETER_TURNS, &turns))
		return;
	problem_begin(ctx->request,
		      missed->failed == PRECONDITION_HEADER ? PROBLEM_PRECONDITION
							    : PROBLEM_STALE_REVISION,
		      &out, "The session is at revision %lu; nothing was changed.",
		      (unsigned long)now->revision);
	struct entry_page page = {.out = &out,
				  .size = now->cube->size,
				  .turns = turns,
				  .roster = ctx->visit.roster,
				  .upto = now->revision,
				  .limit = ENTRY_PAGE_MAX,
				  .last = missed->seen};
	out_member_integer(&out, "revision", now->revision);
	out_member_open(&out, "missed", '[');
	enum store_status status = STORE_OK;
	if (missed->seen < now->revision)
		status = ctx->service->store->operations->entries(reader, missed->key, missed->seen,
								  entry_page_visit, &page);
	out_close(&out, ']');
	if (entry_page_more(&page))
		out_member_integer(&out, "next_after", page.last);
	out_cube_member(&out, now->cube, &missed->view, CUBE_KNOWN);
	problem_end(ctx->request, &out);
	if (status != STORE_OK)
		ctx_store_problem(ctx, status);
	else
		etag_reply_session(ctx, &missed->state, ETAG_PROBLEM, NULL, 0);
}
