/* own_put.c: PUT and DELETE /v1/patterns/{name}: storing a pattern of a session's own, and removing
 * it. */
#include "server/api/own.h"

#include <stdio.h>
#include <string.h>

#include "server/api/cube_in.h"
#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/receipt.h"
#include "server/api/routes.h"
#include "server/api/state.h"

struct keep {
	struct pattern_request pattern;
	struct own_pattern own; /* as it will be */
	int64_t size;           /* -1: that of the session's cube */
	char title[SESSION_NAME_BYTES + 1];
	struct stored_pattern stored;
	/* What is stored now: */
	uint64_t key, count;
	bool there;
	struct etag_state state; /* where it is there, and the request has a precondition */
};

/* ---- the name ---- */

static bool name_is_valid(struct text name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	return name.length >= 1 && name.length <= OWN_NAME_BYTES && name.bytes[0] != '-' &&
	       strspn(name.bytes, letters) == name.length;
}

static bool take_name(struct work *work, struct keep *keep)
{
	const char *name = arena_text(&work->request->arena, work->name.bytes, work->name.length);
	if (!name)
		return work_no_memory(work);
	keep->own.name = (struct text){name, work->name.length};
	keep->stored.name = name;
	if (!name_is_valid(keep->own.name))
		return query_problem(work, "name", "A pattern cannot have this name.",
				     "1 to 64 lower case letters, digits and hyphens", NULL);
	return true;
}

/* ---- the session ---- */

static void enter(struct work *work, void (*entered)(struct work *work))
{
	struct out out;
	if (work->query.value[PARAMETER_SESSION].bytes) {
		own_enter(work, NEED_ALONE, entered);
	} else if (work->who.token > 0) {
		work->id = work->who.session;
		hub_enter(work, NEED_ALONE, entered);
	} else {
		problem_begin(work->request, PROBLEM_TOKEN_REQUIRED, &out,
			      "A pattern of one's own belongs to a session: send a token of its "
			      "owner or of an editor.");
		problem_member(&out, "suggestion",
			       "Authorization: Bearer TOKEN, or ?session=ID where everybody may "
			       "turn its cube");
		problem_end(work->request, &out);
		work_answer(work);
	}
}

/* A store_visit_pattern. */
static bool count_one(void *context, const struct stored_pattern *pattern)
{
	struct keep *keep = context;
	keep->count++;
	keep->there |= strcmp(pattern->name, keep->stored.name) == 0;
	return true;
}

static bool take_state(void *context, const struct stored_pattern *pattern)
{
	struct keep *keep = context;
	keep->state = own_state(pattern);
	return false;
}

/* What is stored now, which cannot change while the session is held. */
static bool look(struct work *work, struct store_reader *reader)
{
	struct keep *keep = work->data;
	const struct store_operations *store = work->service->store->operations;
	enum store_status status =
		store->patterns(reader, keep->key, NULL, false, count_one, keep);
	if (status == STORE_OK && keep->there && etag_asked(work))
		status = store->patterns(reader, keep->key, keep->stored.name, true, take_state,
					 keep);
	if (status != STORE_OK)
		work_store_problem(work, status);
	return status == STORE_OK;
}

static void begin(struct work *work, void (*run)(struct job *, struct store_reader *),
		  void (*done)(struct job *))
{
	struct keep *keep = work->data;
	hub_hold(work);
	keep->key = work->session->meta.key;
	work->job.run = run;
	work->job.done = done;
	pool_submit(work->service->readers, &work->job);
}

static void store(struct work *work)
{
	struct keep *keep = work->data;
	work->write.kind = WRITE_PATTERN;
	work->write.meta = work->session->meta;
	work->write.pattern = &keep->stored;
	if (work_reply_made(work))
		hub_write(work);
	else
		work_answer(work);
}

/* ---- PUT ---- */


/* The row as JSON, on the arena. */
static bool make_row(struct work *work, struct keep *keep)
{
	const size_t most = (size_t)work->service->config.limits.pattern_bytes;
	struct buffer buffer = {0};
	struct out out = {.buffer = &buffer};
	out_open(&out, '{');
	out_key(&out, "size");
	out_integer(&out, keep->own.size);
	out_key(&out, "title");
	out_string(&out, keep->title[0] ? keep->title : NULL);
	out_key(&out, "pattern");
	input_print(work, keep->pattern.value, &buffer);
	out_close(&out, '}');
	const char *text = buffer.failed
				   ? NULL
				   : arena_text(&work->request->arena, buffer.bytes, buffer.length);
	const size_t length = buffer.length;
	buffer_free(&buffer);
	if (!text)
		return work_no_memory(work);
	keep->stored.pattern = text;
	return length <= most ||
	       pattern_problem(work, "/pattern", NULL,
			       "This pattern has %zu bytes as it is stored, of at most %zu (see "
			       "pattern_bytes in /v1/limits).",
			       length, most);
}

static void put_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct keep *keep = work->data;
	if (pattern_make(work, &keep->pattern, keep->own.size) && make_row(work, keep))
		look(work, reader);
}

static void put_reply(struct work *work, const struct keep *keep)
{
	char id[SESSION_ID_TEXT + 1], location[64 + OWN_NAME_BYTES];
	struct out out = {.buffer = &work->request->reply.body};
	out_open(&out, '{');
	own_write(&out, &keep->own);
	out_key(&out, "setup");
	out_null(&out);
	out_key(&out, "size");
	out_integer(&out, keep->own.size);
	out_key(&out, "pattern");
	input_print(work, keep->pattern.value, out.buffer);
	out_close(&out, '}');
	work_reply_json(work, keep->there ? 200 : 201);
	const struct etag_state state = own_state(&keep->stored);
	etag_reply(work, &state);
	session_id_print(&work->session->meta.id, id);
	int length = snprintf(location, sizeof location, "/v1/patterns/%s?session=%s",
			      keep->stored.name, id);
	if (!keep->there)
		work->request->reply.location = work_reply_text(work, location, (size_t)length);
}

static void put_done(struct job *job)
{
	struct work *work = work_of_job(job);
	struct keep *keep = work->data;
	if (work->request->reply.status != 0 ||
	    !etag_allows(work, keep->there ? &keep->state : NULL)) {
		work_answer(work);
	} else if (!keep->there && keep->count >= work->service->config.limits.patterns) {
		problem_answer(work->request, PROBLEM_PATTERNS_FULL,
			       "The session has as many patterns as it can have (see patterns in "
			       "/v1/limits).");
		work_answer(work);
	} else {
		keep->own.value = keep->pattern.value;
		keep->stored.updated_ms = keep->own.updated_ms = service_now_ms();
		put_reply(work, keep);
		store(work);
	}
}

static void put_entered(struct work *work)
{
	struct keep *keep = work->data;
	keep->own.size = keep->size < 0 ? work->session->meta.size : (int)keep->size;
	begin(work, put_run, put_done);
}

static bool put_read(struct work *work, struct keep *keep)
{
	struct input_value *pattern = NULL, *title = NULL;
	const struct input_member members[] = {
		{"pattern", INPUT_ANY, &pattern, 0, 0},
		{"title", INPUT_ANY, &title, 0, 0},
		{"size", INPUT_INTEGER, &keep->size, CUBE_SIZE_MIN, cube_size_max(work)},
	};
	if (!take_name(work, keep))
		return false;
	if (cube_named_find(keep->own.name.bytes, keep->own.name.length)) {
		problem_answer(work->request, PROBLEM_NAME_TAKEN,
			       "This is the name of a common pattern.");
		return false;
	}
	if (!input_object(work, work->body, "", members, 3) ||
	    !pattern_take(work, pattern, "/pattern", &keep->pattern) ||
	    (title && !name_take(work, title, "/title", keep->title)))
		return false;
	keep->pattern.alone = true;
	if (keep->title[0])
		keep->own.title = (struct text){keep->title, strlen(keep->title)};
	return true;
}

void pattern_put_handle(struct work *work)
{
	struct keep *keep = work_take(work, sizeof *keep);
	if (keep)
		*keep = (struct keep){.size = -1};
	work->data = keep;
	if (keep && put_read(work, keep))
		enter(work, put_entered);
	else
		work_answer(work);
}

/* ---- the answer again ---- */

uint8_t pattern_put_size(const struct work *work)
{
	const struct keep *keep = work->data;
	return (uint8_t)keep->own.size;
}

void pattern_put_again(struct work *work, const struct receipt_answer *answer)
{
	struct keep *keep = work_take(work, sizeof *keep);
	if (!keep)
		return;
	*keep = (struct keep){.size = -1, .there = answer->status == 200};
	if (!put_read(work, keep))
		return;
	keep->own.size = (int)answer->size;
	keep->own.value = keep->pattern.value;
	keep->own.updated_ms = (int64_t)answer->updated_ms;
	put_reply(work, keep);
}

/* ---- DELETE ---- */

static void remove_run(struct job *job, struct store_reader *reader)
{
	look(work_of_job(job), reader);
}

static void remove_done(struct job *job)
{
	struct work *work = work_of_job(job);
	const struct keep *keep = work->data;
	if (work->request->reply.status == 0 && keep->there && !etag_allows(work, &keep->state)) {
		work_answer(work);
		return;
	}
	if (work->request->reply.status == 0 && keep->there) {
		work->request->reply.status = 204;
		store(work);
		return;
	}
	if (work->request->reply.status == 0)
		problem_answer(work->request, PROBLEM_NO_SUCH_PATTERN,
			       "The session has no pattern of its own with this name.");
	work_answer(work);
}

static void remove_entered(struct work *work)
{
	begin(work, remove_run, remove_done);
}

void pattern_remove_handle(struct work *work)
{
	struct keep *keep = work_take(work, sizeof *keep);
	if (keep)
		*keep = (struct keep){.size = -1};
	work->data = keep;
	if (keep && take_name(work, keep))
		enter(work, remove_entered);
	else
		work_answer(work);
}
