/* precondition.c: If-Match and `revision`: whether a writer has seen what is there, and what he
 * missed. */
#include <stdlib.h>
#include <string.h>

#include "server/api/problem.h"
#include "server/api/session_out.h"
#include "server/api/state.h"

/* The next entity tag of a list: sets `revision` to its number, or -1 where it is none of ours
 * (weak, or another text). */
static const char *next_tag(const char *at, int64_t *revision)
{
	*revision = -1;
	at += strspn(at, " \t,");
	if (*at != '"')
		return at + strcspn(at, ",");
	const char *digits = at + 1;
	size_t length = strspn(digits, "0123456789");
	bool canonical = length == 1 || digits[0] != '0';
	bool ours = length > 0 && length <= 10 && canonical && digits[length] == '"';
	at = digits + strcspn(digits, "\"");
	at += *at != '\0';
	/* What follows a tag is a comma or nothing; with anything else it is none. */
	size_t blanks = strspn(at, " \t");
	if (ours && (at[blanks] == ',' || at[blanks] == '\0'))
		*revision = strtoll(digits, NULL, 10);
	return at + strcspn(at, ",");
}

static bool if_match_holds(const char *text, uint32_t head, uint32_t *seen)
{
	int64_t newest = -1;
	text += strspn(text, " \t");
	if (text[0] == '*' && text[1 + strspn(text + 1, " \t")] == '\0')
		return true;
	while (*text) {
		int64_t revision;
		text = next_tag(text, &revision);
		if (revision == (int64_t)head)
			return true;
		if (revision > newest)
			newest = revision;
	}
	*seen = newest >= 0 && newest < (int64_t)head ? (uint32_t)newest : head;
	return false;
}

enum precondition precondition_check(const struct work *work, int64_t revision, uint32_t head,
				     uint32_t *seen)
{
	const char *if_match = work->request->header[HEADER_IF_MATCH];
	if (if_match && !if_match_holds(if_match, head, seen))
		return PRECONDITION_IF_MATCH;
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
};

static void missed_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	const struct missed *missed = work->data;
	const struct history *now = work->snapshot;
	struct out out;
	problem_begin(work->request,
		      missed->failed == PRECONDITION_IF_MATCH ? PROBLEM_PRECONDITION
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
		reply_etag(work, now->revision);
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
	*missed = (struct missed){
		.failed = failed, .view = *view, .seen = seen, .key = work->session->meta.key};
	hub_look(work, work->session->committed);
	work->data = missed;
	work->job.run = missed_run;
	work->job.done = missed_done;
	pool_submit(work->service->readers, &work->job);
}
