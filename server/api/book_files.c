/* book_files.c: the solves of a book as a file: csTimer's, or a table. */
#include "server/api/book.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/negotiate.h"
#include "server/api/problem.h"
#include "server/api/state.h"
#include "server/solves/csv.h"

/* Of a file in memory. */
#define FILE_BYTES (64u << 20)
/* Memory of one solve on the stack; what is longer is taken. */
#define SOLVE_BYTES 4096
#define LISTS_MAX 256

static struct span span_of(const char *text)
{
	return text ? (struct span){text, strlen(text)} : (struct span){0};
}

/* A solve in csTimer's words: its own, or made of what is known. `made` is its text then. */
static bool as_cstimer(const struct stored_solve *stored, struct arena *arena, struct buffer *made,
		       struct cstimer_solve *solve)
{
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
	cstimer_solve_write(made, solve, NULL, 0);
	solve->source = (struct span){made->bytes, made->length};
	return !made->failed;
}

/* ---- a table ---- */

struct table {
	struct buffer *to, made;
	struct csv_format format;
	size_t number;
	bool failed, long_;
};

static bool fit_visit(void *context, const struct stored_solve *stored)
{
	struct table *table = context;
	alignas(max_align_t) unsigned char memory[SOLVE_BYTES];
	struct arena arena;
	struct cstimer_solve solve;
	arena_begin(&arena, memory, sizeof memory);
	table->failed = !as_cstimer(stored, &arena, &table->made, &solve);
	if (!table->failed)
		csv_format_fit(&table->format, &solve);
	arena_finish(&arena);
	return !table->failed;
}

static bool row_visit(void *context, const struct stored_solve *stored)
{
	struct table *table = context;
	alignas(max_align_t) unsigned char memory[SOLVE_BYTES];
	struct arena arena;
	struct cstimer_solve solve;
	arena_begin(&arena, memory, sizeof memory);
	table->failed = !as_cstimer(stored, &arena, &table->made, &solve);
	if (!table->failed)
		csv_write_row(table->to, &table->format, ++table->number, &solve);
	arena_finish(&arena);
	table->long_ = table->to->length > FILE_BYTES;
	return !table->failed && !table->to->failed && !table->long_;
}

static enum store_status write_table(struct work *work, struct store_reader *reader,
				     const struct solve_query *query, bool *large)
{
	const struct store_operations *store = work->service->store->operations;
	struct table table = {.to = &work->request->reply.body, .format = {.phases = 1}};
	uint64_t next;
	enum store_status status = store->solves(reader, query, fit_visit, &table, &next);
	if (status == STORE_OK && !table.failed) {
		csv_write_heading(table.to, &table.format);
		status = store->solves(reader, query, row_visit, &table, &next);
	}
	buffer_free(&table.made);
	*large = table.long_;
	return table.failed ? STORE_NO_MEMORY : status;
}

/* ---- csTimer's file ---- */

/* Solves by their lists, each in the order of recording. */
struct lists {
	struct {
		char name[32];
		struct buffer solves;
	} list[LISTS_MAX];
	size_t count, bytes;
	const char *usual; /* where those go that were in no list */
	struct buffer made;
	bool failed, large;
};

static struct buffer *list_of(struct lists *lists, const char *name)
{
	size_t i = 0;
	if (!name || strlen(name) >= sizeof lists->list[0].name)
		name = lists->usual;
	while (i < lists->count && strcmp(lists->list[i].name, name) != 0)
		i++;
	if (i == LISTS_MAX)
		return &lists->list[0].solves;
	if (i == lists->count) {
		lists->count++;
		memcpy(lists->list[i].name, name, strlen(name) + 1);
	}
	return &lists->list[i].solves;
}

static bool list_visit(void *context, const struct stored_solve *stored)
{
	struct lists *lists = context;
	struct arena arena = {0};
	struct cstimer_solve solve;
	struct buffer *to = list_of(lists, stored->list);
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

static void fill_list(void *context, struct span name, struct buffer *to)
{
	struct lists *lists = context;
	for (size_t i = 0; i < lists->count; i++)
		if (span_is(name, lists->list[i].name)) {
			buffer_add(to, lists->list[i].solves.bytes, lists->list[i].solves.length);
			buffer_free(&lists->list[i].solves); /* it is there */
			lists->list[i].name[0] = '\0';
		}
}

/* The name of the frame's first list, into `name`; "session1" where it has none. */
static void first_list(struct span frame, char name[32])
{
	struct slice_list list;
	struct span key, value;
	memcpy(name, "session1", sizeof "session1");
	if (!slice_list(frame, '{', &list))
		return;
	while (slice_next(&list, &key, &value))
		if ((span_is(value, "[]") || span_is(value, "\"[]\"")) && key.length < 30 &&
		    key.length > 9 && memcmp(key.bytes, "\"session", 8) == 0) {
			memcpy(name, key.bytes + 1, key.length - 2);
			name[key.length - 2] = '\0';
			return;
		}
}

/* Lists that the frame does not have come behind its members. */
static void write_others(struct lists *lists, struct buffer *to)
{
	to->length -= to->length > 0; /* the bracket */
	for (size_t i = 0; i < lists->count; i++) {
		if (lists->list[i].name[0] == '\0')
			continue;
		buffer_text(to, to->length > 1 ? ",\"" : "\"");
		buffer_text(to, lists->list[i].name);
		buffer_text(to, "\":[");
		buffer_add(to, lists->list[i].solves.bytes, lists->list[i].solves.length);
		buffer_text(to, "]");
	}
	buffer_text(to, "}");
}

static enum store_status write_lists(struct work *work, struct store_reader *reader,
				     const struct solve_query *query, struct lists *lists)
{
	const struct store_operations *store = work->service->store->operations;
	char *stored = NULL, usual[32];
	uint64_t next;
	enum store_status status = store->frame(reader, query->session, &stored);
	if (status != STORE_OK)
		return status;
	const struct span frame = span_of(stored ? stored : cstimer_frame_empty);
	first_list(frame, usual);
	lists->usual = usual;
	status = store->solves(reader, query, list_visit, lists, &next);
	if (status == STORE_OK && !lists->failed && !lists->large &&
	    !cstimer_write(frame, fill_list, lists, &work->request->reply.body))
		status = STORE_BROKEN;
	if (status == STORE_OK)
		write_others(lists, &work->request->reply.body);
	free(stored);
	return lists->failed ? STORE_NO_MEMORY : status;
}

static enum store_status write_cstimer(struct work *work, struct store_reader *reader,
				       const struct solve_query *query, bool *large)
{
	struct lists *lists = calloc(1, sizeof *lists);
	if (!lists)
		return STORE_NO_MEMORY;
	enum store_status status = write_lists(work, reader, query, lists);
	*large = lists->large;
	for (size_t i = 0; i < lists->count; i++)
		buffer_free(&lists->list[i].solves);
	buffer_free(&lists->made);
	free(lists);
	return status;
}

/* ---- */

void solves_export(struct work *work, struct store_reader *reader, const struct solve_query *asked)
{
	struct reply *reply = &work->request->reply;
	struct solve_query query = *asked;
	bool large = false;
	query.oldest_first = true;
	query.from = 0;
	query.look_at = UINT32_MAX;
	enum store_status status = work->media == MEDIA_CSV
					   ? write_table(work, reader, &query, &large)
					   : write_cstimer(work, reader, &query, &large);
	if (large) {
		problem_answer(work->request, PROBLEM_SOLVES_FULL,
			       "The file would be larger than 64 MiB: ask for a part, by from and "
			       "to.");
	} else if (status != STORE_OK) {
		work_store_problem(work, status);
	} else if (work_reply_made(work)) {
		reply->status = 200;
		reply->content_type = media_type(work->media);
	}
}
