/* book_import.c: POST /v1/solves/import: the file of another timer into a book, all of it or
 * nothing. */
#include "server/api/book.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/access/secret.h"
#include "server/api/cube_in.h"
#include "server/api/negotiate.h"
#include "server/api/limit.h"
#include "server/api/routes.h"
#include "server/api/problem.h"
#include "server/api/right.h"
#include "server/api/state.h"
#include "server/solves/csv.h"
#include "server/solves/times.h"
#include "server/util/utf8.h"

/* Reading and keeping a byte of a file, in ns. */
#define READ_BYTE_NS 30

struct import {
	struct work *work;
	int64_t size; /* -1: as the file tells, or 3 */
	bool table;
	struct span file;
	struct stored_solve *solves;
	size_t count, capacity;
	int64_t now_ms;
	uint32_t actor;
	struct buffer frame;
	bool no_memory, no_id, full;
	struct stored_token owner;
	char token[TOKEN_TEXT + 1];
};

/* ---- solves ---- */

static const char *keep(struct import *import, struct span text)
{
	if (!text.bytes)
		return NULL;
	const char *copy = arena_text(&import->work->request->arena, text.bytes, text.length);
	import->no_memory |= !copy;
	return copy;
}

static bool room_for_one(struct import *import)
{
	if (import->count < import->capacity)
		return true;
	const size_t capacity = import->capacity ? import->capacity * 2 : 256;
	struct charge *account = import->work->request->account;
	/* Given back with the request. */
	const bool granted =
		charge_take(account, (capacity - import->capacity) * sizeof *import->solves);
	struct stored_solve *more = !granted ? NULL : realloc(import->solves, capacity * sizeof *more);
	import->no_memory |= !more;
	if (!more)
		return false;
	import->solves = more;
	import->capacity = capacity;
	return true;
}

static bool take_solve(void *context, const struct cstimer_solve *read)
{
	struct import *import = context;
	struct session_id id;
	import->full = import->count >= import->work->service->config.limits.solves;
	if (import->full || !room_for_one(import))
		return false;
	import->no_id = !session_id_make(&id);
	struct stored_solve *solve = &import->solves[import->count++];
	const int size = import->size >= 0 ? (int)import->size : read->size;
	*solve = (struct stored_solve){.origin = SOLVE_IMPORTED,
				       .size = (uint8_t)size,
				       .actor = import->actor,
				       .created_ms = read->created_ms > 0 ? read->created_ms
									  : import->now_ms,
				       .time_ms = read->time_ms,
				       .penalty_ms = read->penalty_ms,
				       .assisted = read->assisted,
				       .scramble = keep(import, read->scramble),
				       .solution = keep(import, read->solution),
				       .comment = keep(import, read->comment),
				       .list = keep(import, read->list),
				       .source = keep(import, read->source)};
	memcpy(solve->id, id.bytes, sizeof solve->id);
	if (solve->solution && strchr(solve->solution, '@'))
		solve->clock = SOLVE_CLIENT_CLOCK;
	return !import->no_memory && !import->no_id;
}

/* ---- the file ---- */

/* `line` 0: it is not told. */
static void bad_file(struct work *work, const char *what, size_t line, size_t column, size_t offset)
{
	struct out out;
	problem_begin(work->request, PROBLEM_BAD_FILE, &out, "The file cannot be read: %s.", what);
	if (line > 0) {
		out_key(&out, "line");
		out_integer(&out, (int64_t)line);
		out_key(&out, "column");
		out_integer(&out, (int64_t)column);
	}
	out_key(&out, "offset");
	out_integer(&out, (int64_t)offset);
	problem_member(&out, "expected",
		       "an export of csTimer, {\"session1\": [[[penalty, ms], scramble, comment, "
		       "seconds], ...], \"properties\": {...}}, or a table with the columns Time, "
		       "Scramble, Comment, Date");
	problem_end(work->request, &out);
}

static bool read_file(struct work *work, struct import *import)
{
	struct csv_fault fault = {0};
	size_t offset = 0;
	enum cstimer_result result;
	if (import->table)
		result = csv_read(import->file, import->size >= 0 ? (int)import->size : 3,
				  &work->request->arena, take_solve, import, &fault);
	else
		result = cstimer_read(import->file, &work->request->arena, take_solve, import,
				      &import->frame, &offset);
	if (result == CSTIMER_NO_MEMORY || import->no_memory)
		return work_no_memory(work);
	if (import->no_id)
		problem_answer(work->request, PROBLEM_BUSY,
			       "The system cannot provide random bytes for an id now.");
	else if (import->full)
		problem_answer(work->request, PROBLEM_SOLVES_FULL,
			       "The book cannot hold so many solves (see solves in "
			       "/v1/limits).");
	else if (result == CSTIMER_BAD && import->table)
		bad_file(work, fault.what, fault.line, fault.column, fault.offset);
	else if (result == CSTIMER_BAD)
		bad_file(work, "this is no JSON as csTimer writes it", 0, 0, offset);
	else if (result == CSTIMER_FOREIGN)
		bad_file(work, "it is JSON, but not an export of csTimer", 0, 0, offset);
	else if (result == CSTIMER_TWICE)
		bad_file(work, "two of its lists have the same name", 0, 0, offset);
	return work->request->reply.status == 0;
}

/* ---- the answer ---- */

static void reply(struct work *work, const struct import *import)
{
	struct out out = {.buffer = &work->request->reply.body};
	const struct session_id *book =
		work->session ? &work->session->meta.id : &work->write.meta.id;
	char id[SESSION_ID_TEXT + 1];
	session_id_print(book, id);
	out_open(&out, '{');
	out_key(&out, "session");
	out_string(&out, id);
	out_key(&out, "imported");
	out_integer(&out, (int64_t)import->count);
	if (import->token[0]) {
		out_key(&out, "token");
		out_string(&out, import->token);
	}
	out_close(&out, '}');
	work_reply_json(work, 201);
}

/* What grew is kept on the arena, for it is needed until the answer. */
static bool hand_over(struct work *work, struct import *import)
{
	struct stored_solve *solves = work_take(work, (import->count + 1) * sizeof *solves);
	const char *frame = import->table ? NULL
					  : arena_text(&work->request->arena, import->frame.bytes,
						       import->frame.length);
	if (!solves || (!import->table && !frame))
		return work_no_memory(work);
	if (import->count > 0)
		memcpy(solves, import->solves, import->count * sizeof *solves);
	work->write.solves = solves;
	work->write.solve_count = import->count;
	work->write.frame = frame;
	work->write.solves_bytes = store_solves_bytes(&work->write);
	return true;
}

static void import_compute(struct work *work)
{
	struct import *import = work->data;
	import->now_ms = service_now_ms();
	if (!utf8_valid(import->file.bytes, import->file.length) ||
	    memchr(import->file.bytes, '\0', import->file.length))
		bad_file(work, "it is not UTF-8, or has NULs", 0, 0, 0);
	else if (read_file(work, import) && hand_over(work, import) &&
		 (work->session || book_make(work, import->size >= 0 ? (int)import->size : 3,
					     &import->owner, import->token)))
		reply(work, import);
	secret_forget(import->token, sizeof import->token);
	free(import->solves);
	buffer_free(&import->frame);
	import->solves = NULL;
}

static void import_computed(struct work *work)
{
	if (work->request->reply.status == 201)
		solves_store(work);
	else
		work_answer(work);
}

static void import_entered(struct work *work)
{
	struct import *import = work->data;
	if (!work->session && !limit_creation(work)) {
		work_answer(work);
		return;
	}
	import->actor = work->session ? right_actor(work) : 1;
	work_compute(work, import->file.length * READ_BYTE_NS, import_compute, import_computed);
}

/* ---- the request ---- */

/* Which file it is: told by its type; of text by its first character. */
static bool take_type(struct work *work, struct import *import)
{
	const struct request *request = work->request;
	const char *type = request->header[HEADER_CONTENT_TYPE];
	const char *encoding = request->header[HEADER_CONTENT_ENCODING];
	const bool plain = media_is(type, MEDIA_TEXT);
	struct out out;
	if (encoding && strcasecmp(encoding, "identity") != 0) {
		problem_begin(work->request, PROBLEM_MEDIA_TYPE, &out,
			      "Compressed bodies are not accepted.");
		problem_member(&out, "expected", "an uncompressed body, without Content-Encoding");
		problem_end(work->request, &out);
		return false;
	}
	size_t at = 0;
	while (at < request->body_length && strchr(" \t\r\n", request->body[at]))
		at++;
	import->table = media_is(type, MEDIA_CSV) ||
			(plain && (at == request->body_length || request->body[at] != '{'));
	if (import->table || plain || media_is(type, MEDIA_JSON) || media_is(type, MEDIA_CSTIMER))
		return true;
	problem_begin(work->request, PROBLEM_MEDIA_TYPE, &out,
		      "The body must be a file of csTimer, or a table, and say so.");
	problem_member(&out, "expected",
		       "text/csv, application/vnd.cstimer+json, application/json or text/plain");
	problem_member(&out, "suggestion",
		       "curl --data-binary @FILE -H 'Content-Type: text/plain'");
	problem_end(work->request, &out);
	return false;
}

void solve_import_handle(struct work *work)
{
	struct import *import = work_take(work, sizeof *import);
	if (import)
		*import = (struct import){
			.work = work,
			.size = -1,
			.file = {work->request->body_length ? work->request->body : "",
				 work->request->body_length}};
	work->data = import;
	if (import && etag_allows(work, NULL) && take_type(work, import) &&
	    query_integer(work, PARAMETER_SIZE, CUBE_SIZE_MIN, cube_size_max(work), &import->size))
		book_enter(work, NEED_READ, import_entered);
	else
		work_answer(work);
}
