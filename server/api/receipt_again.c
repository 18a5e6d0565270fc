/* receipt_again.c: making an answer again from its receipt. */
#include "server/api/receipt.h"

#include <string.h>

#include "server/api/book.h"
#include "server/api/input.h"
#include "server/api/negotiate.h"
#include "server/api/own.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/session_out.h"
#include "server/api/state.h"
#include "server/api/turning.h"

/* Large views take long to write, so that is always done on a worker: more than a loop may do, less
 * than the thread of long computations is for. */
#define WRITE_NS 1000000
/* Parsing and judging, by the byte of the body. */
#define MAKE_BYTE_NS 1000

struct again {
	const struct receipt_answer *answer;
	struct cube_view view;
	uint64_t key; /* the store's, of the session */
	int size;
	struct session_snapshot session; /* as it was then */
	struct history *history;         /* at the revision that the answer shows */
	enum store_status status;
	bool found; /* the entry */
};

/* ---- the end ---- */

/* The headers as they were, whatever the body was made from. */
static void finish(struct work *work, const struct receipt_answer *answer)
{
	struct reply *reply = &work->request->reply;
	if (reply->problem == 0 && work_reply_made(work)) {
		const char *json = media_type(MEDIA_JSON);
		const char *type = answer->content_type;
		reply->status = answer->status;
		/* The usual type is recognized by its address. */
		reply->content_type = type && strcmp(type, json) == 0 ? json : type;
		reply->location = answer->location;
		reply->etag = answer->etag;
		reply->link = answer->link;
		reply->replayed = true;
	}
	work_answer(work);
}

static void written(struct work *work)
{
	const struct again *again = work->data;
	finish(work, again->answer);
}

/* ---- reading the history, on a reader's thread ---- */

static bool entry_visit(void *context, const struct entry *entry)
{
	struct work *work = context;
	struct again *again = work->data;
	const uint64_t from = again->answer->rebased_from;
	const uint32_t seen = (uint32_t)from;
	struct out out = {.buffer = &work->request->reply.body};
	again->found = entry->revision == again->answer->revision;
	if (again->found && work->media == MEDIA_JSON)
		turning_write_entry(&out, entry, again->size, work->roster,
				    from == RECEIPT_NO_REBASE ? NULL : &seen);
	return false;
}

static void read_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct again *again = work->data;
	const struct receipt_answer *answer = again->answer;
	const struct store_operations *store = work->service->store->operations;
	const uint32_t revision = (uint32_t)answer->revision;
	again->status = STORE_OK;
	if (answer->kind == RECEIPT_ENTRY) {
		if (revision > 0)
			again->status = store->entries(reader, again->key, revision - 1,
						       entry_visit, work);
		if (again->status == STORE_OK && !again->found)
			again->status = STORE_BROKEN;
	}
	if (again->status == STORE_OK)
		again->status = store->at(reader, again->key, revision, &again->history);
}

/* ---- writing ---- */

static void write_entry(struct work *work)
{
	const struct again *again = work->data;
	const struct cube *cube = work->snapshot->cube;
	struct out out = {.buffer = &work->request->reply.body, .comma = true};
	if (cube_reply_text(work, cube, &again->view, again->answer->status))
		return;
	if (!again->answer->noted || turning_write_notes_again(work, &out, again->size)) {
		turning_write_cube(&out, cube, &again->view);
		work_reply_json(work, again->answer->status);
	}
}

static void write_session(struct work *work)
{
	struct again *again = work->data;
	const struct receipt_answer *answer = again->answer;
	again->session.history = work->snapshot;
	session_reply(work, &again->session, &again->view, answer->status,
		      (enum cube_known)answer->known, answer->token);
	/* Of a text it is a header. */
	work->request->reply.token = work->media == MEDIA_JSON ? NULL : answer->token;
}

static void read_done(struct job *job)
{
	struct work *work = work_of_job(job);
	struct again *again = work->data;
	if (again->status != STORE_OK) {
		work_store_problem(work, again->status);
		work_answer(work);
	} else {
		hub_look(work, again->history); /* which is let go of with the work */
		history_release(again->history);
		work_compute(work, WRITE_NS,
			     again->answer->kind == RECEIPT_ENTRY ? write_entry : write_session,
			     written);
	}
}

/* ---- what is needed of the session ---- */

/* The answer's media type and view, in the place of those of the retry. */
static bool take_view(struct work *work, struct again *again)
{
	const struct receipt_answer *answer = again->answer;
	work->media = MEDIA_JSON;
	for (enum media media = 0; media < MEDIA_COUNT; media++)
		if (answer->content_type && strcmp(answer->content_type, media_type(media)) == 0)
			work->media = media;
	work->query = (struct query){0};
	return query_read(work, answer->rest.bytes, answer->rest.length, work->route->parameters) &&
	       cube_view_read(work, &again->view);
}

static bool take_session(struct work *work, struct again *again)
{
	const struct receipt_answer *answer = again->answer;
	struct session_meta *meta = &again->session.meta;
	const char *name = answer->name ? answer->name : "";
	if (!session_look(work, &again->session))
		return false;
	if (strlen(name) > SESSION_NAME_BYTES || answer->access >= ACCESS_COUNT ||
	    answer->policy >= POLICY_COUNT) {
		work_store_problem(work, STORE_BROKEN);
		return false;
	}
	meta->access = (uint8_t)answer->access;
	meta->policy = (uint8_t)answer->policy;
	meta->updated_ms = (int64_t)answer->updated_ms;
	memcpy(meta->name, name, strlen(name) + 1);
	return true;
}

static void from_history(struct work *work, const struct receipt_answer *answer)
{
	struct again *again = work_take(work, sizeof *again);
	if (again)
		*again = (struct again){.answer = answer,
					.key = work->session->meta.key,
					.size = work->session->meta.size};
	work->data = again;
	if (!again || !take_view(work, again) ||
	    (answer->kind == RECEIPT_SESSION && !take_session(work, again))) {
		work_answer(work);
		return;
	}
	work->job.run = read_run;
	work->job.done = read_done;
	pool_submit(work->service->readers, &work->job);
}

/* ---- the body of the retry, which is that of the first request ---- */

static void make(struct work *work)
{
	const struct again *again = work->data;
	if (!input_parse(work))
		return;
	if (again->answer->kind == RECEIPT_PATTERN)
		pattern_put_again(work, again->answer);
	else
		solve_post_again(work, again->answer);
}

static void change_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	const struct again *again = work->data;
	solve_change_again(work, reader, again->answer);
}

static void change_done(struct job *job)
{
	written(work_of_job(job));
}

static void from_request(struct work *work, const struct receipt_answer *answer)
{
	struct again *again = work_take(work, sizeof *again);
	work->data = again;
	if (!again) {
		work_answer(work);
		return;
	}
	*again = (struct again){.answer = answer};
	if (answer->kind != RECEIPT_SOLVE_CHANGE) {
		work_compute(work, WRITE_NS + work->request->body_length * MAKE_BYTE_NS, make,
			     written);
		return;
	}
	work->job.run = change_run;
	work->job.done = change_done;
	pool_submit(work->service->readers, &work->job);
}

/* ---- all kinds ---- */

static void from_receipt(struct work *work, const struct receipt_answer *answer)
{
	struct reply *reply = &work->request->reply;
	reply->token = answer->token;
	buffer_add(&reply->body, answer->rest.bytes, answer->rest.length);
	finish(work, answer);
}

void receipt_answer_again(struct work *work, const struct receipt_answer *answer)
{
	switch ((enum receipt_kind)answer->kind) {
	case RECEIPT_ENTRY:
	case RECEIPT_SESSION:
		from_history(work, answer);
		break;
	case RECEIPT_PATTERN:
	case RECEIPT_SOLVE:
	case RECEIPT_SOLVE_CHANGE:
		from_request(work, answer);
		break;
	case RECEIPT_BODY:
	case RECEIPT_KINDS:
		from_receipt(work, answer);
		break;
	}
}
