/* import_file.c: POST /v1/solves/import: the file of another timer into a book, all of it or
 * nothing. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/access/secret.h"
#include "server/api/input/cube.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/new_session.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/rate_limit.h"
#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/files/known_solves.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/files/solve_file.h"
#include "server/modules/times/handlers.h"
#include "server/modules/times/times_internal.h"
#include "server/util/monotonic.h"
#include "server/util/utf8.h"

/* Reading and keeping a byte of a file, in ns. */
#define READ_BYTE_NS 30

struct import {
	struct context *ctx;
	int64_t size;           /* -1: as in the file, or 3 */
	enum solve_event event; /* EVENT_USUAL: as in the file, or the usual one */
	const char *list;       /* of solves that are in no list of the file; NULL: none */
	bool skip_known;
	enum solve_file_kind kind;
	struct span file;
	struct stored_solve *solves;
	size_t count, capacity;
	int64_t now_ms;
	uint32_t actor;
	struct buffer frame;
	bool no_memory, full;
	struct known_solves known;
	struct solve_query book;
	struct scan scan;
	size_t left_out;
	struct stored_token owner;
	char token[TOKEN_TEXT + 1];
};

static bool read_type(struct context *ctx, struct import *import);
static bool read_defaults(struct context *ctx, struct import *import);
static void import_entered(struct context *ctx);
static void import_compute(struct context *ctx);
static bool compares(const struct context *ctx, const struct import *import);
static void bad_file(struct context *ctx, const struct file_fault *fault);
static bool read_file(struct context *ctx, struct import *import);
static bool read_solve(void *context, const struct cstimer_solve *as_read);
static bool room_for_one(struct import *import);
static const char *keep_text(struct import *import, struct span text);
static void import_computed(struct context *ctx);
static void read_known(struct context *ctx, struct store_reader *reader);
static void import_complete(struct context *ctx);
static bool make_ids(struct context *ctx, struct import *import);
static bool hand_over(struct context *ctx, struct import *import);
static void reply(struct context *ctx, const struct import *import);
static void import_end(struct context *ctx);

void times_import_handle(struct context *ctx)
{
	struct import *import = ctx_alloc(ctx, sizeof *import);
	if (import)
		*import = (struct import){
			.ctx = ctx,
			.size = -1,
			.file = {ctx->request->body_length ? ctx->request->body : "",
				 ctx->request->body_length}};
	ctx->data = import;
	if (import && etag_allows(ctx, NULL) && read_type(ctx, import) &&
	    read_defaults(ctx, import))
		book_enter_or_new(ctx, NEED_READ, import_entered);
	else
		ctx_answer(ctx);
}

/* Reads the kind of file: by its type, or else by its beginning. */
static bool read_type(struct context *ctx, struct import *import)
{
	const struct request *request = ctx->request;
	const char *type = request->header[HEADER_CONTENT_TYPE];
	const char *encoding = request->header[HEADER_CONTENT_ENCODING];
	const bool json = media_is(type, MEDIA_JSON) || media_is(type, MEDIA_CSTIMER);
	struct out out;
	if (encoding && strcasecmp(encoding, "identity") != 0) {
		problem_begin(ctx->request, PROBLEM_MEDIA_TYPE, &out,
			      "Compressed bodies are not accepted.");
		problem_member(&out, "expected", "an uncompressed body, without Content-Encoding");
		problem_end(ctx->request, &out);
		return false;
	}
	import->kind = json ? FILE_CSTIMER : solve_file_kind_of(import->file);
	if (json || media_is(type, MEDIA_TEXT) || media_is(type, MEDIA_CSV))
		return true;
	problem_begin(ctx->request, PROBLEM_MEDIA_TYPE, &out,
		      "The body must be the file of a timer, with a matching Content-Type.");
	problem_member(&out, "expected",
		       "text/csv, application/vnd.cstimer+json, application/json or text/plain");
	problem_member(&out, "suggestion",
		       "curl --data-binary @FILE -H 'Content-Type: text/plain'");
	problem_end(ctx->request, &out);
	return false;
}

/* Reads the values that the file may leave open. */
static bool read_defaults(struct context *ctx, struct import *import)
{
	import->list = ctx->query.value[PARAMETER_LIST].length > 0
			       ? ctx->query.value[PARAMETER_LIST].bytes
			       : NULL;
	if (!query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx),
			   &import->size) ||
	    !query_bool(ctx, PARAMETER_SKIP_KNOWN, &import->skip_known))
		return false;
	if (import->list && !list_name_fits(ctx->query.value[PARAMETER_LIST]))
		return query_problem(ctx, "list",
				     "The name is too long, or contains control characters.",
				     "the name of a list, at most 200 bytes", NULL);
	if (!event_parameter(ctx, &import->event))
		return false;
	if (import->event == EVENT_USUAL || import->event == EVENT_OTHER)
		return true;
	const int size = solve_events[import->event].size;
	if (import->size >= 0 && import->size != size)
		return query_problem(ctx, "event", "The event is not one of cubes of this size.",
				     "an event of the size, or no size", NULL);
	import->size = size;
	return true;
}

static void import_entered(struct context *ctx)
{
	struct import *import = ctx->data;
	if (!ctx->visit.session && !rate_limit_creation(ctx)) {
		ctx_answer(ctx);
		return;
	}
	import->actor = ctx->visit.session ? authorize_actor(ctx) : 1;
	ctx_compute(ctx, import->file.length * READ_BYTE_NS, import_compute, import_computed);
}

static void import_compute(struct context *ctx)
{
	struct import *import = ctx->data;
	import->now_ms = wall_ms();
	if (!utf8_valid(import->file.bytes, import->file.length) ||
	    memchr(import->file.bytes, '\0', import->file.length))
		bad_file(ctx, &(struct file_fault){
				      .what = "it is not valid UTF-8, or has NUL characters"});
	else if (read_file(ctx, import) && !compares(ctx, import))
		import_complete(ctx);
}

/* Only a book that is there has solves to compare with. */
static bool compares(const struct context *ctx, const struct import *import)
{
	return import->skip_known && ctx->visit.session;
}

/* Line 0: unknown. */
static void bad_file(struct context *ctx, const struct file_fault *fault)
{
	struct out out;
	problem_begin(ctx->request, PROBLEM_BAD_FILE, &out, "The file cannot be read: %s.",
		      fault->what);
	if (fault->line > 0) {
		number_member(&out, "line", (int64_t)fault->line, true);
		number_member(&out, "column", (int64_t)fault->column, true);
	}
	number_member(&out, "offset", (int64_t)fault->offset, true);
	problem_member(
		&out, "expected",
		"a csTimer export, {\"session1\": [[[penalty, ms], scramble, comment, "
		"seconds], ...], \"properties\": {...}}, its statistics as text, a table with "
		"the columns Time, Scramble, Comment, Date, an export of Twisty Timer, or a "
		"list of times");
	problem_end(ctx->request, &out);
}

static bool read_file(struct context *ctx, struct import *import)
{
	struct file_fault fault = {0};
	enum cstimer_result result = solve_file_read(
		import->file, import->kind, import->size >= 0 ? (int)import->size : 3,
		&ctx->request->arena, read_solve, import, &import->frame, &fault);
	if (result == CSTIMER_NO_MEMORY || import->no_memory)
		return ctx_no_memory(ctx);
	if (import->full)
		problem_answer(ctx->request, PROBLEM_SOLVES_FULL,
			       "The session would have too many solves (solves in /v1/limits).");
	else if (result != CSTIMER_OK)
		bad_file(ctx, &fault);
	return ctx->request->reply.status == 0;
}

/* The event that the file or the request says; the usual one if the request says another size. */
static enum solve_event event_of(const struct import *import, const struct cstimer_solve *read,
				 int size)
{
	const enum solve_event event = import->event != EVENT_USUAL ? import->event : read->event;
	return solve_event_pack(
		read->size == size || import->event != EVENT_USUAL ? event : EVENT_USUAL, size);
}

/* A solve of a list or table that does not say when it was made gets the date of its import in its
 * own text, too: so it is known again in what is exported later. csTimer's text stays as it is.
 * False if out of memory. */
static bool date_solve(struct import *import, struct cstimer_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	const bool has_date = solve->created_ms > 0;
	solve->created_ms = has_date ? solve->created_ms : import->now_ms;
	if (has_date || import->kind == FILE_CSTIMER)
		return true;
	const size_t phases = cstimer_phases(solve->source, ends);
	import->no_memory = !cstimer_solve_make(solve, ends, phases, &import->ctx->request->arena);
	return !import->no_memory;
}

static bool read_solve(void *context, const struct cstimer_solve *as_read)
{
	struct import *import = context;
	struct cstimer_solve dated = *as_read, *read = &dated;
	import->full = import->count >= import->ctx->service->config.limits.solves;
	if (import->full || !room_for_one(import) || !date_solve(import, read))
		return false;
	struct stored_solve *solve = &import->solves[import->count++];
	const int size = import->size >= 0 ? (int)import->size : read->size;
	const char *name = keep_text(import, read->list_name);
	*solve = (struct stored_solve){.origin = SOLVE_IMPORTED,
				       .size = (uint8_t)size,
				       .event = (uint8_t)event_of(import, read, size),
				       .list_name = name || read->list.bytes ? name : import->list,
				       .actor = import->actor,
				       .created_ms = read->created_ms,
				       .time_ms = read->time_ms,
				       .penalty_ms = read->penalty_ms,
				       .assisted = read->assisted,
				       .scramble = keep_text(import, read->scramble),
				       .solution = keep_text(import, read->solution),
				       .comment = keep_text(import, read->comment),
				       .list = keep_text(import, read->list),
				       .source = keep_text(import, read->source)};
	if (solve->solution && strchr(solve->solution, '@'))
		solve->clock = SOLVE_CLIENT_CLOCK;
	return !import->no_memory;
}

static bool room_for_one(struct import *import)
{
	if (import->count < import->capacity)
		return true;
	const size_t capacity = import->capacity ? import->capacity * 2 : 256;
	struct charge *account = import->ctx->request->account;
	/* Given back with the request. */
	const bool granted =
		charge_take(account, (capacity - import->capacity) * sizeof *import->solves);
	struct stored_solve *more =
		!granted ? NULL : realloc(import->solves, capacity * sizeof *more);
	import->no_memory |= !more;
	if (!more)
		return false;
	import->solves = more;
	import->capacity = capacity;
	return true;
}

static const char *keep_text(struct import *import, struct span text)
{
	if (!text.bytes)
		return NULL;
	const char *copy = arena_text(&import->ctx->request->arena, text.bytes, text.length);
	import->no_memory |= !copy;
	return copy;
}

static bool known_visit(void *context, const struct stored_solve *in_book)
{
	struct import *import = context;
	known_solves_mark(&import->known, in_book);
	return true;
}

static void import_computed(struct context *ctx)
{
	struct import *import = ctx->data;
	if (ctx->request->reply.status != 0 || !compares(ctx, import)) {
		import_end(ctx);
		return;
	}
	import->book = (struct solve_query){.session = ctx->visit.session->meta.key,
					    .texts = true,
					    .size = -1,
					    .since_ms = INT64_MIN,
					    .until_ms = INT64_MAX};
	import->scan = (struct scan){
		.ctx = ctx, .left = UINT64_MAX, .solve = known_visit, .context = import};
	ctx_read(ctx, read_known, import_end);
}

/* Charges the memory that the comparison with known solves allocates until the request ends, and
 * begins it. */
static bool begin_known(struct context *ctx, struct import *import)
{
	return charge_take(ctx->request->account, known_solves_bytes(import->count)) &&
	       known_solves_begin(&import->known, import->solves, import->count, import->now_ms);
}

/* One slice. */
static void read_known(struct context *ctx, struct store_reader *reader)
{
	struct import *import = ctx->data;
	if (!import->known.rows && !begin_known(ctx, import)) {
		ctx_no_memory(ctx);
		return;
	}
	if (!scan_solves(&import->scan, reader, &import->book))
		return;
	if (import->scan.status != STORE_OK) {
		ctx_store_problem(ctx, import->scan.status);
		return;
	}
	const size_t left = known_solves_leave_out(&import->known, import->solves);
	import->left_out = import->count - left;
	import->count = left;
	import_complete(ctx);
}

static void import_complete(struct context *ctx)
{
	struct import *import = ctx->data;
	const int size = import->size > 0 ? (int)import->size : 3;
	if ((ctx->visit.session || book_make(ctx, size, &import->owner, import->token)) &&
	    make_ids(ctx, import) && hand_over(ctx, import))
		reply(ctx, import);
	secret_forget(import->token, sizeof import->token);
}

/* Gives each solve an id, which depends on that of the book. */
static bool make_ids(struct context *ctx, struct import *import)
{
	const struct session_id *book = book_id(ctx);
	for (size_t i = 0; i < import->count; i++)
		if (!new_solve_id(ctx, book, import->solves[i].id))
			return false;
	return true;
}

/* Copies buffers that have grown to the arena, as they are needed until the answer. */
static bool hand_over(struct context *ctx, struct import *import)
{
	struct stored_solve *solves = ctx_alloc(ctx, (import->count + 1) * sizeof *solves);
	const bool cstimer = import->kind == FILE_CSTIMER;
	const char *frame = !cstimer ? NULL
				     : arena_text(&ctx->request->arena, import->frame.bytes,
						  import->frame.length);
	if (!solves || (cstimer && !frame))
		return ctx_no_memory(ctx);
	if (import->count > 0)
		memcpy(solves, import->solves, import->count * sizeof *solves);
	ctx->visit.write.solves = solves;
	ctx->visit.write.solve_count = import->count;
	ctx->visit.write.frame = frame;
	ctx->visit.write.solves_bytes = store_solves_bytes(&ctx->visit.write);
	return true;
}

static void reply(struct context *ctx, const struct import *import)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	char id[SESSION_ID_TEXT + 1];
	session_id_print(book_id(ctx), id);
	out_open(&out, '{');
	text_member(&out, "session", id);
	number_member(&out, "imported", (int64_t)import->count, true);
	if (import->skip_known)
		number_member(&out, "known", (int64_t)import->left_out, true);
	if (import->token[0])
		text_member(&out, "token", import->token);
	out_close(&out, '}');
	ctx_reply_json(ctx, 201);
}

static void import_end(struct context *ctx)
{
	struct import *import = ctx->data;
	free(import->solves);
	import->solves = NULL;
	import->count = import->capacity = 0; /* it enters again if another write comes first */
	import->left_out = 0;
	buffer_free(&import->frame);
	known_solves_finish(&import->known);
	if (ctx->request->reply.status == 201)
		solves_store(ctx);
	else
		ctx_answer(ctx);
}
