/* precondition.c: If-Match, If-None-Match and `revision`: whether a writer has seen what is there, and
 * what was missed. */
#include "server/api/problem.h"
#include "server/api/session_out.h"
#include "server/api/state.h"

enum precondition precondition_check(const struct work *work, int64_t revision, uint32_t *seen)
{
	const struct session *session = work->session;
	const uint32_t head = session->head->revision;
	*seen = head;
	if (etag_asked(work)) {
		const struct etag_state state =
			etag_of_session(etag_about(&session->meta), session->head);
		const int64_t told = etag_revision_seen(work);
		if (etag_judge(work, &state) != ETAG_FITS) {
			*seen = told >= 0 && told < (int64_t)head ? (uint32_t)told : head;
			return PRECONDITION_HEADER;
		}
	}
	if (revision >= 0 && revision != (int64_t)head) {
		*seen = revision < (int64_t)head ? (uint32_t)revision : head;
		return PRECONDITION_REVISION;
	}
	return PRECONDITION_HOLDS;
}

struct missed {
	enum precondition failed;
	struct cube_view view;
	uint32_t seen;
	uint64_t key;
	struct etag_state state;
};

static void missed_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	const struct missed *missed = work->data;
	const struct history *now = work->snapshot;
	struct out out;
	problem_begin(work->request,
		      missed->failed == PRECONDITION_HEADER ? PROBLEM_PRECONDITION
							      : PROBLEM_STALE_REVISION,
		      &out, "The session is at revision %lu; nothing was changed.",
		      (unsigned long)now->revision);
	struct entry_page page = {.out = &out,
				  .size = now->cube->size,
				  .roster = work->roster,
				  .upto = now->revision,
				  .limit = ENTRY_PAGE_MAX,
				  .last = missed->seen};
	out_key(&out, "revision");
	out_integer(&out, now->revision);
	out_key(&out, "missed");
	out_open(&out, '[');
	enum store_status status = STORE_OK;
	if (missed->seen < now->revision)
		status = work->service->store->operations->entries(
			reader, missed->key, missed->seen, entry_page_visit, &page);
	out_close(&out, ']');
	if (entry_page_more(&page)) {
		out_key(&out, "next_after");
		out_integer(&out, page.last);
	}
	out_key(&out, "cube");
	cube_write(&out, now->cube, &missed->view, CUBE_KNOWN);
	problem_end(work->request, &out);
	if (status != STORE_OK)
		work_store_problem(work, status);
	else
		etag_reply_session(work, &missed->state, ETAG_PROBLEM, NULL, 0);
}

static void missed_done(struct job *job)
{
	work_answer(work_of_job(job));
}

void precondition_answer(struct work *work, enum precondition failed, uint32_t seen,
			 const struct cube_view *view)
{
	struct missed *missed = work_take(work, sizeof *missed);
	if (!missed) {
		work_answer(work);
		return;
	}
	const struct session *session = work->session;
	*missed = (struct missed){
		.failed = failed,
		.view = *view,
		.seen = seen,
		.key = session->meta.key,
		.state = etag_of_session(etag_about(&session->meta), session->committed)};
	hub_look(work, work->session->committed);
	work->data = missed;
	work->job.run = missed_run;
	work->job.done = missed_done;
	pool_submit(work->service->readers, &work->job);
}
