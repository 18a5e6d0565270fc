/* list_as_file.c: the solves of a book as a file: csTimer's, or a table. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/modules/times/files/cstimer_sessions.h"
#include "server/modules/times/files/csv.h"
#include "server/modules/times/times_internal.h"
#include "server/util/container_of.h"

/* For a file in memory. */
#define FILE_BYTES (64u << 20)
/* Memory of one solve on the stack; longer ones are allocated. */
#define SOLVE_BYTES 4096

static struct span span_of(const char *text)
{
	return text ? (struct span){text, strlen(text)} : (struct span){0};
}

/* The splits of a solve before its end; returns how many there are. csTimer keeps no others. */
static size_t splits_of(const struct stored_solve *stored, int64_t ends[CSTIMER_PHASES_MAX])
{
	struct slice_list splits, split;
	struct span key, item, value;
	size_t count = 0;
	if (!stored->splits || !slice_list(span_of(stored->splits), '[', &splits))
		return 0;
	while (count < CSTIMER_PHASES_MAX && slice_next(&splits, &key, &item)) {
		int64_t end = INT64_MAX;
		if (!slice_list(item, '{', &split))
			break;
		while (slice_next(&split, &key, &value))
			if (span_is(key, "\"time_ms\"") && !slice_integer(value, &end))
				return 0;
		if (end >= stored->time_ms)
			break;
		ends[count++] = end;
	}
	return count;
}

/* A solve in csTimer's form: its own text, or made from what is known; then `made` has the text. */
static bool as_cstimer(const struct stored_solve *stored, struct arena *arena, struct buffer *made,
		       struct cstimer_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	made->length = 0;
	if (stored->source)
		return cstimer_solve_read(span_of(stored->source), arena, solve);
	*solve = (struct cstimer_solve){.time_ms = stored->time_ms,
					.penalty_ms = stored->penalty_ms,
					.created_ms = stored->created_ms,
					.scramble = span_of(stored->scramble),
					.comment = span_of(stored->comment),
					.solution = span_of(stored->solution),
					.assisted = stored->assisted,
					.size = stored->size};
	cstimer_solve_write(made, solve, ends, splits_of(stored, ends));
	solve->source = (struct span){made->bytes, made->length};
	return !made->failed;
}

/* ---- a table ---- */

/* Read twice: to find the columns, and to write it. */
struct list_table {
	struct stream stream; /* first */
	struct context *ctx;
	struct solve_query query;
	struct scan scan;
	struct buffer *to, made;
	struct csv_format format;
	uint64_t last; /* seq of the last solve when the first reading ended */
	size_t number;
	size_t piece_from; /* length of the piece when its slice began */
	bool fitted, failed, piece_full;
};

/* Takes the solve into account for the columns or, when they are known, writes its row. */
static void use_solve(struct list_table *table, const struct stored_solve *stored)
{
	alignas(max_align_t) unsigned char memory[SOLVE_BYTES];
	struct arena arena;
	struct cstimer_solve solve;
	arena_begin(&arena, memory, sizeof memory);
	table->failed = !as_cstimer(stored, &arena, &table->made, &solve);
	if (!table->failed && table->fitted)
		csv_write_row(table->to, &table->format, ++table->number, &solve);
	else if (!table->failed)
		csv_format_fit(&table->format, &solve);
	arena_finish(&arena);
}

static bool fit_visit(void *context, const struct stored_solve *stored)
{
	struct list_table *table = context;
	use_solve(table, stored);
	table->last = stored->seq;
	return !table->failed;
}

static bool row_visit(void *context, const struct stored_solve *stored)
{
	struct list_table *table = context;
	if (stored->seq > table->last)
		return false;
	use_solve(table, stored);
	table->piece_full = table->to->length - table->piece_from >= PIECE_BYTES;
	return !table->failed && !table->to->failed && !table->piece_full;
}

static void table_scan(struct list_table *table, bool (*visit)(void *, const struct stored_solve *))
{
	table->scan = (struct scan){
		.ctx = table->ctx, .left = UINT64_MAX, .solve = visit, .context = table};
}

/* False: the slice is over, or it failed. */
static bool table_fit(struct list_table *table, struct buffer *piece, struct store_reader *reader)
{
	if (!scan_solves(&table->scan, reader, &table->query) || table->failed ||
	    table->scan.status != STORE_OK)
		return false;
	csv_write_heading(piece, &table->format);
	table->fitted = true;
	table_scan(table, row_visit);
	return true;
}

static enum stream_state table_failed(struct list_table *table)
{
	if (table->ctx->request->reply.status == 0)
		ctx_store_problem(table->ctx, table->failed ? STORE_NO_MEMORY : table->scan.status);
	return STREAM_BROKEN;
}

static enum stream_state table_read(struct stream *stream, struct buffer *piece,
				    struct store_reader *reader)
{
	struct list_table *table = container_of(stream, struct list_table, stream);
	bool ended = false;
	table->to = piece;
	table->piece_from = piece->length;
	if (table->fitted || table_fit(table, piece, reader)) {
		table->piece_full = false;
		ended = scan_solves(&table->scan, reader, &table->query);
	}
	if (table->failed || table->scan.status != STORE_OK)
		return table_failed(table);
	if (ended && table->piece_full && table->scan.at != 0) {
		table->scan.enough = false; /* for this piece only */
		ended = false;
	}
	return ended ? STREAM_END : STREAM_MORE;
}

static void table_destroy(struct stream *stream)
{
	buffer_free(&container_of(stream, struct list_table, stream)->made);
}

static void export_table(struct context *ctx, const struct solve_query *query)
{
	struct list_table *table = ctx_alloc(ctx, sizeof *table);
	if (!table) {
		ctx_answer(ctx);
		return;
	}
	*table = (struct list_table){
		.stream = {.read = table_read, .destroy = table_destroy, .length = UINT64_MAX},
		.ctx = ctx,
		.query = *query,
		.format = {.phases = 1}};
	table_scan(table, fit_visit);
	stream_scan(ctx, &table->stream, media_type(MEDIA_CSV));
}

/* ---- csTimer's file ---- */

/* Solves by list, each in the order of recording. */
struct lists {
	struct context *ctx;
	struct solve_query query;
	struct scan scan;
	struct arena arena;
	struct cstimer_sessions sessions;        /* of the frame; those of other solves are added */
	struct cstimer_session *newest;          /* the newest list that a solve was written to */
	struct buffer solves[CSTIMER_LISTS_MAX]; /* of each session */
	size_t bytes;
	char *frame; /* as stored; NULL: there is none */
	struct buffer made;
	bool begun, failed, large;
};

/* Returns true if the solve came from that list of the file and was not moved to another. */
static bool is_of(const struct cstimer_session *session, const struct stored_solve *stored)
{
	return span_is(session->key, stored->list) &&
	       (!stored->list_name || cstimer_session_is(session, span_of(stored->list_name)));
}

/* NULL: out of memory, or there are too many lists. */
static struct cstimer_session *session_of(struct lists *lists, const struct stored_solve *stored)
{
	if (stored->list) {
		struct cstimer_session *session = lists->newest;
		if (session && is_of(session, stored))
			return session;
		session = cstimer_session_find(&lists->sessions, span_of(stored->list));
		if (session && is_of(session, stored))
			return session;
	}
	return cstimer_session_for(&lists->sessions, &lists->arena, span_of(solve_list(stored)),
				   solve_event_of(stored->event, stored->size), stored->size);
}

static bool list_visit(void *context, const struct stored_solve *stored)
{
	struct lists *lists = context;
	struct arena arena = {0};
	struct cstimer_solve solve;
	lists->newest = session_of(lists, stored);
	lists->large = !lists->newest && lists->sessions.count == CSTIMER_LISTS_MAX;
	lists->failed = !lists->newest;
	if (!lists->newest)
		return false;
	struct buffer *to = &lists->solves[lists->newest - lists->sessions.row];
	const size_t before = to->length;
	lists->failed = !as_cstimer(stored, &arena, &lists->made, &solve);
	if (!lists->failed) {
		buffer_add(to, ",", before > 0);
		buffer_add(to, solve.source.bytes, solve.source.length);
	}
	arena_finish(&arena);
	lists->bytes += to->length - before;
	lists->large = lists->bytes > FILE_BYTES;
	lists->failed |= to->failed;
	return !lists->failed && !lists->large;
}

static void fill_list(void *context, struct span key, struct buffer *to)
{
	struct lists *lists = context;
	const struct cstimer_session *session = cstimer_session_find(&lists->sessions, key);
	if (!session)
		return;
	struct buffer *solves = &lists->solves[session - lists->sessions.row];
	buffer_add(to, solves->bytes, solves->length);
	buffer_free(solves);
}

static struct span frame_of(const struct lists *lists)
{
	return span_of(lists->frame ? lists->frame : cstimer_frame_empty);
}

/* The file, from the lists. */
static void write_cstimer(struct context *ctx, struct lists *lists)
{
	struct reply *reply = &ctx->request->reply;
	if (lists->large) {
		problem_answer(ctx->request, PROBLEM_SOLVES_FULL,
			       "The file would be larger than 64 MiB, or have more than 2048 "
			       "lists. Select "
			       "a part with from and to, list or event.");
		return;
	}
	if (!lists->failed && lists->scan.status == STORE_OK &&
	    !cstimer_write(frame_of(lists), &lists->sessions, fill_list, lists, &reply->body))
		lists->scan.status = STORE_BROKEN;
	if (lists->failed || lists->scan.status != STORE_OK) {
		ctx_store_problem(ctx, lists->failed ? STORE_NO_MEMORY : lists->scan.status);
		return;
	}
	if (ctx_reply_made(ctx)) {
		reply->status = 200;
		reply->content_type = media_type(MEDIA_CSTIMER);
	}
}

/* One slice. */
static void lists_run(struct context *ctx, struct store_reader *reader)
{
	struct lists *lists = ctx->data;
	if (!lists->begun) {
		enum store_status status = ctx->service->store->operations->frame(
			reader, lists->query.session, &lists->frame);
		if (status != STORE_OK) {
			ctx_store_problem(ctx, status);
			return;
		}
		if (!cstimer_sessions_read(frame_of(lists), &lists->arena, &lists->sessions)) {
			ctx_no_memory(ctx);
			return;
		}
		lists->begun = true;
	}
	if (scan_solves(&lists->scan, reader, &lists->query))
		write_cstimer(ctx, lists);
}

static void lists_done(struct context *ctx)
{
	struct lists *lists = ctx->data;
	for (size_t i = 0; i < lists->sessions.count; i++)
		buffer_free(&lists->solves[i]);
	arena_finish(&lists->arena);
	buffer_free(&lists->made);
	free(lists->frame);
	free(lists);
	ctx_answer(ctx);
}

static void export_cstimer(struct context *ctx, const struct solve_query *query)
{
	struct lists *lists = calloc(1, sizeof *lists);
	if (!lists) {
		ctx_no_memory(ctx);
		ctx_answer(ctx);
		return;
	}
	lists->ctx = ctx;
	lists->query = *query;
	lists->scan = (struct scan){
		.ctx = ctx, .left = UINT64_MAX, .solve = list_visit, .context = lists};
	ctx->data = lists;
	ctx_read(ctx, lists_run, lists_done);
}

/* ---- */

void solves_export(struct context *ctx, const struct solve_query *asked)
{
	struct solve_query query = *asked;
	query.oldest_first = true;
	if (ctx->media == MEDIA_CSV)
		export_table(ctx, &query);
	else
		export_cstimer(ctx, &query);
}
