/* history.c: GET .../cube at any revision, and GET .../history in pages. */
#include <stdio.h>

#include "server/api/cube_in.h"
#include "server/api/negotiate.h"
#include "server/api/routes.h"
#include "server/api/session_out.h"
#include "server/api/state.h"

/* ---- GET .../cube ---- */

struct cube_at {
	struct cube_request request; /* first: cube_resolve hands it back */
	struct cube_view view;
	struct etag_state state; /* of the session now */
};

/* Of a snapshot, which nobody changes. Any thread. */
static void cube_answer(struct work *work)
{
	const struct cube_at *at = work->data;
	const struct cube *cube = at->request.cube;
	uint32_t revision =
		at->request.at >= 0 ? (uint32_t)at->request.at : work->snapshot->revision;
	if (!cube_view_fits(work, &at->view, cube->size))
		return;
	etag_reply_session(work, &at->state, ETAG_CUBE, &at->view, revision);
	if (etag_unchanged(work))
		return;
	if (!cube_reply_text(work, cube, &at->view, 200)) {
		struct out out = {.buffer = &work->request->reply.body};
		out_open(&out, '{');
		out_key(&out, "revision");
		out_integer(&out, revision);
		out_key(&out, "cube");
		cube_write(&out, cube, &at->view, CUBE_KNOWN);
		out_close(&out, '}');
		work_reply_json(work, 200);
	}
}

static void cube_resolved(struct work *work)
{
	struct cube_at *at = work->data;
	at->state = etag_of_session(etag_about(&work->session->meta), work->snapshot);
	work_compute(work, cube_view_cost(work, &at->view, at->request.cube->size), cube_answer,
		     NULL);
}

void session_cube_handle(struct work *work)
{
	struct cube_at *at = work_take(work, sizeof *at);
	if (!at) {
		work_answer(work);
		return;
	}
	*at = (struct cube_at){
		.request = {.source = CUBE_OF_SESSION, .session = work->id, .at = -1}};
	if (cube_view_read(work, &at->view) &&
	    query_integer(work, PARAMETER_AT, 0, UINT32_MAX - 1, &at->request.at))
		cube_resolve(work, &at->request, cube_resolved);
	else
		work_answer(work);
}

/* ---- GET .../history ---- */

#define WAIT_MS_MAX 60000

struct history_page {
	int64_t after, limit, wait_ms;
	uint64_t key;
	struct etag_state state; /* of the session */
	struct live_poll poll;
};

static void link_next(struct work *work, uint32_t after, int64_t limit)
{
	char id[SESSION_ID_TEXT + 1], link[128];
	session_id_print(&work->id, id);
	int length = snprintf(link, sizeof link,
			      "</v1/sessions/%s/history?after=%lu&limit=%lld>; rel=\"next\"", id,
			      (unsigned long)after, (long long)limit);
	work->request->reply.link = work_reply_text(work, link, (size_t)length);
}

static void history_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	const struct history_page *asked = work->data;
	const struct history *now = work->snapshot;
	struct reply *reply = &work->request->reply;
	struct out out = {.buffer = &reply->body};
	struct entry_page page = {.out = &out,
				  .lines = work->media == MEDIA_NDJSON,
				  .size = now->cube->size,
				  .roster = work->roster,
				  .upto = now->revision,
				  .limit = (uint32_t)asked->limit,
				  .last = (uint32_t)asked->after};
	enum store_status status = STORE_OK;
	etag_reply_session(work, &asked->state, ETAG_HISTORY, NULL,
			   (uint64_t)asked->after << 16 | (uint64_t)asked->limit);
	if (etag_unchanged(work))
		return;
	if (!page.lines) {
		out_open(&out, '{');
		out_key(&out, "items");
		out_open(&out, '[');
	}
	if (asked->after < (int64_t)now->revision)
		status = work->service->store->operations->entries(
			reader, asked->key, (uint32_t)asked->after, entry_page_visit, &page);
	if (status != STORE_OK) {
		work_store_problem(work, status);
		return;
	}
	bool more = entry_page_more(&page);
	if (more)
		link_next(work, page.last, asked->limit);
	if (page.lines) {
		reply->status = 200;
		reply->content_type = media_type(MEDIA_NDJSON);
		return;
	}
	out_close(&out, ']');
	out_key(&out, "next_after");
	if (more)
		out_integer(&out, page.last);
	else
		out_null(&out);
	out_close(&out, '}');
	work_reply_json(work, 200);
}

static void history_done(struct job *job)
{
	work_answer(work_of_job(job));
}

/* Whoever has seen more has seen another history: a database that was restored since. To wait for
 * its next entry would be to miss some. */
static void revision_beyond(struct work *work, uint32_t newest)
{
	char expected[64];
	snprintf(expected, sizeof expected, "a revision from 0 to %lu", (unsigned long)newest);
	query_problem(work, "after", "The session has not come to this revision.", expected, NULL);
}

static void history_entered(struct work *work)
{
	struct history_page *asked = work->data;
	const uint32_t newest = work->session->committed->revision;
	int64_t wait_ms = asked->wait_ms;
	asked->wait_ms = 0;
	if (wait_ms > 0 && asked->after > (int64_t)newest) {
		revision_beyond(work, newest);
		work_answer(work);
		return;
	}
	/* A long poll: the next entry, or the end of its time, lets it enter again. */
	if (wait_ms > 0 && asked->after == newest && live_waits(work->service->live)) {
		live_wait(&asked->poll, work, wait_ms, history_entered);
		return;
	}
	hub_look(work, work->session->committed);
	asked->key = work->session->meta.key;
	asked->state = etag_of_session(etag_about(&work->session->meta), work->snapshot);
	work->job.run = history_run;
	work->job.done = history_done;
	pool_submit(work->service->readers, &work->job);
}

void session_history_handle(struct work *work)
{
	struct history_page *asked = work_take(work, sizeof *asked);
	if (asked)
		*asked = (struct history_page){.limit = 100};
	if (asked && query_integer(work, PARAMETER_AFTER, 0, UINT32_MAX - 1, &asked->after) &&
	    query_integer(work, PARAMETER_LIMIT, 1, ENTRY_PAGE_MAX, &asked->limit) &&
	    query_integer(work, PARAMETER_WAIT_MS, 0, WAIT_MS_MAX, &asked->wait_ms)) {
		work->data = asked;
		hub_enter(work, NEED_READ, history_entered);
	} else {
		work_answer(work);
	}
}
