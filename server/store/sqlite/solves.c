/* solves.c: solves and the answers of solvers: written, read. */
#include "server/store/sqlite/sqlite_internal.h"

#include "cube/pack.h"

#include <string.h>

#define PAGE_ROWS 256 /* as in reader_sql: bounds how long a read holds the log */

/* In the order of SOLVE_COLUMNS. */
enum solve_column {
	SESSION,
	ID,
	CREATED,
	ORIGIN,
	SIZE,
	TIME,
	PENALTY,
	CLOCK,
	VERIFIED,
	REVISION,
	ACTOR,
	BASE,
	SCRAMBLE,
	SOLUTION,
	COMMENT,
	LIST,
	SOURCE,
	ASSISTED,
	EVENT,
	LIST_NAME,
	SPLITS,
	SEQ,
	BOOK
};

/* ---- writing ---- */

MUST_USE static int bind_text(sqlite3_stmt *s, int at, const char *text)
{
	return text == NULL ? sqlite3_bind_null(s, at)
			    : sqlite3_bind_text(s, at, text, -1, SQLITE_STATIC);
}

/* NULL for the most common value. */
MUST_USE static int bind_number(sqlite3_stmt *s, int at, int64_t number, int64_t mostly)
{
	return number == mostly ? sqlite3_bind_null(s, at) : sqlite3_bind_int64(s, at, number);
}

MUST_USE static int bind_event(sqlite3_stmt *s, int at, uint8_t event)
{
	return bind_text(s, at, event == EVENT_USUAL ? NULL : solve_events[event].id);
}

int solve_bind(sqlite3_stmt *s, uint64_t session, const struct stored_solve *solve)
{
	int bad = sqlite3_bind_int64(s, 1 + SESSION, (int64_t)session);
	bad |= sqlite3_bind_blob(s, 1 + ID, solve->id, sizeof(solve->id), SQLITE_STATIC);
	bad |= sqlite3_bind_int64(s, 1 + CREATED, solve->created_ms);
	bad |= sqlite3_bind_int(s, 1 + ORIGIN, solve->origin);
	bad |= bind_number(s, 1 + SIZE, solve->size, 0);
	bad |= bind_number(s, 1 + TIME, solve->time_ms, SOLVE_UNTIMED);
	bad |= bind_number(s, 1 + PENALTY, solve->penalty_ms, 0);
	bad |= bind_number(s, 1 + CLOCK, solve->clock, SOLVE_NO_CLOCK);
	bad |= bind_number(s, 1 + VERIFIED, solve->verified, 0);
	bad |= bind_number(s, 1 + REVISION, solve->revision, 0);
	bad |= bind_number(s, 1 + ACTOR, solve->actor, 0);
	bad |= solve->base == NULL ? sqlite3_bind_null(s, 1 + BASE)
				   : sqlite3_bind_blob64(s, 1 + BASE, solve->base,
							 solve->base_bytes, SQLITE_STATIC);
	bad |= bind_text(s, 1 + SCRAMBLE, solve->scramble);
	bad |= bind_text(s, 1 + SOLUTION, solve->solution);
	bad |= bind_text(s, 1 + COMMENT, solve->comment);
	bad |= bind_text(s, 1 + LIST, solve->list);
	bad |= bind_text(s, 1 + SOURCE, solve->source);
	bad |= bind_number(s, 1 + ASSISTED, solve->assisted, 0);
	bad |= bind_event(s, 1 + EVENT, solve->event);
	bad |= bind_text(s, 1 + LIST_NAME, solve->list_name);
	return bad | bind_text(s, 1 + SPLITS, solve->splits);
}

int write_frame(struct sqlite_connection *writer, uint64_t key, const char *frame)
{
	sqlite3_stmt *s = writer->statements[W_FRAME];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	bad |= bind_text(s, 2, frame);
	return connection_run_bound(writer, W_FRAME, bad);
}

int write_solves(struct sqlite_store *store, struct store_write *write)
{
	struct sqlite_connection *writer = &store->writer;
	int result = SQLITE_OK;
	if (write->kind == WRITE_SOLVE_CHANGE || write->kind == WRITE_SOLVE_DROP)
		return SQLITE_OK;
	for (size_t i = 0; i < write->solve_count && result == SQLITE_OK; i++) {
		sqlite3_stmt *s = writer->statements[W_SOLVE];
		result = connection_run_bound(writer, W_SOLVE,
					      solve_bind(s, write->meta.key, &write->solves[i]));
		/* An entry stays, even if its session was deleted meanwhile. */
		if (result == SQLITE_OK && sqlite3_changes(writer->db) == 0 &&
		    write->kind == WRITE_SOLVES) {
			write->status = STORE_NOT_FOUND;
			return SQLITE_OK;
		}
	}
	if (result == SQLITE_OK && write->frame != NULL)
		result = write_frame(writer, write->meta.key, write->frame);
	return result;
}

int write_solve_changed(struct sqlite_store *store, struct store_write *write)
{
	const int which = write->kind == WRITE_SOLVE_CHANGE ? W_SOLVE_CHANGE : W_SOLVE_DROP;
	const struct stored_solve *solve = write->solves;
	sqlite3_stmt *s = store->writer.statements[which];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)solve->seq);
	if (which == W_SOLVE_CHANGE) {
		bad |= bind_number(s, 2, solve->penalty_ms, 0);
		bad |= bind_text(s, 3, solve->comment);
		bad |= bind_text(s, 4, solve->source);
		bad |= bind_text(s, 5, solve->solution);
		bad |= bind_number(s, 6, solve->clock, SOLVE_NO_CLOCK);
		bad |= bind_number(s, 7, solve->time_ms, SOLVE_UNTIMED);
		bad |= bind_number(s, 8, solve->assisted, 0);
		bad |= bind_event(s, 9, solve->event);
		bad |= bind_text(s, 10, solve->list);
		bad |= bind_text(s, 11, solve->list_name);
	}
	int result = connection_run_bound(&store->writer, which, bad);
	if (result == SQLITE_OK && sqlite3_changes(store->writer.db) == 0)
		write->status = STORE_NOT_FOUND;
	return result;
}

/* Not needed if the session was deleted meanwhile. */
int write_assistance(struct sqlite_store *store, const struct store_write *write)
{
	sqlite3_stmt *s = store->writer.statements[W_ASSISTANCE];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)write->meta.key);
	bad |= sqlite3_bind_int64(s, 2, write->revision);
	return connection_run_bound(&store->writer, W_ASSISTANCE, bad);
}

int answer_bind(sqlite3_stmt *s, const struct stored_answer *answer)
{
	int bad = sqlite3_bind_int64(s, 1, (int64_t)answer->canonical);
	bad |= sqlite3_bind_int(s, 2, answer->size);
	bad |= bind_text(s, 3, answer->method);
	bad |= sqlite3_bind_blob64(s, 4, answer->colors, cube_facelets(answer->size),
				   SQLITE_STATIC);
	/* No moves: no bytes, but not NULL. */
	bad |= sqlite3_bind_blob64(s, 5,
				   answer->move_bytes > 0 ? answer->moves : (const uint8_t *)"",
				   answer->move_bytes, SQLITE_STATIC);
	return bad | sqlite3_bind_int64(s, 6, answer->created_ms);
}

int write_answer(struct sqlite_store *store, const struct store_write *write)
{
	struct sqlite_connection *writer = &store->writer;
	const struct stored_answer *answer = write->answer;
	sqlite3_stmt *drop = writer->statements[W_DROP_ANSWER];
	int bad = sqlite3_bind_int64(drop, 1, (int64_t)answer->canonical);
	bad |= sqlite3_bind_int(drop, 2, answer->size);
	bad |= bind_text(drop, 3, answer->method);
	int result = connection_run_bound(writer, W_DROP_ANSWER, bad);
	if (result == SQLITE_OK)
		result = connection_run_bound(writer, W_ANSWER,
					      answer_bind(writer->statements[W_ANSWER], answer));
	if (result == SQLITE_OK)
		result = connection_run_bound(
			writer, W_OLD_ANSWERS,
			sqlite3_bind_int64(writer->statements[W_OLD_ANSWERS], 1, ANSWERS_MAX));
	return result;
}

/* ---- rows ---- */

static bool is_null(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL;
}

/* A text; clears *whole if it contains a NUL, and *there if out of memory. */
static const char *text_of(sqlite3_stmt *row, int column, bool *whole, bool *there)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	if (text == NULL && !is_null(row, column))
		*there = false;
	if (text != NULL && strlen(text) != (size_t)sqlite3_column_bytes(row, column))
		*whole = false;
	return text;
}

static bool decode_numbers(sqlite3_stmt *row, struct stored_solve *solve)
{
	const int64_t origin = sqlite3_column_int64(row, ORIGIN);
	const int64_t clock = sqlite3_column_int64(row, CLOCK);
	const int64_t size = sqlite3_column_int64(row, SIZE);
	const int64_t revision = sqlite3_column_int64(row, REVISION);
	const int64_t actor = sqlite3_column_int64(row, ACTOR);
	solve->seq = (uint64_t)sqlite3_column_int64(row, SEQ);
	solve->session = (uint64_t)sqlite3_column_int64(row, SESSION);
	solve->created_ms = sqlite3_column_int64(row, CREATED);
	solve->time_ms = is_null(row, TIME) ? SOLVE_UNTIMED : sqlite3_column_int64(row, TIME);
	solve->penalty_ms = sqlite3_column_int64(row, PENALTY);
	solve->origin = (uint8_t)origin;
	solve->clock = (uint8_t)clock;
	solve->size = (uint8_t)size;
	solve->revision = (uint32_t)revision;
	solve->actor = (uint32_t)actor;
	solve->verified = sqlite3_column_int64(row, VERIFIED) == 1;
	solve->assisted = sqlite3_column_int64(row, ASSISTED) == 1;
	return origin >= 0 && origin < SOLVE_ORIGINS && clock >= 0 && clock < SOLVE_CLOCKS &&
	       (size == 0 || cube_size_valid(size)) && revision >= 0 && revision < HISTORY_NONE &&
	       actor >= 0 && actor < UINT32_MAX && solve->penalty_ms >= SOLVE_DNF &&
	       (solve->time_ms >= 0 || solve->time_ms == SOLVE_UNTIMED);
}

/* A name that this program does not know is damage. */
static bool decode_event(sqlite3_stmt *row, struct stored_solve *solve)
{
	const char *id = (const char *)sqlite3_column_text(row, EVENT);
	solve->event = (uint8_t)(id == NULL ? EVENT_USUAL : solve_event_find(id));
	return is_null(row, EVENT) || solve->event != EVENT_USUAL;
}

enum store_status solve_decode(sqlite3_stmt *row, bool texts, struct stored_solve *solve)
{
	const void *id = sqlite3_column_blob(row, ID), *book = sqlite3_column_blob(row, BOOK);
	bool whole = true, there = true;
	*solve = (struct stored_solve){0};
	if (sqlite3_column_bytes(row, ID) != (int)sizeof(solve->id) ||
	    sqlite3_column_bytes(row, BOOK) != (int)sizeof(solve->book) ||
	    !decode_numbers(row, solve) || !decode_event(row, solve))
		return STORE_BROKEN;
	if (id == NULL || book == NULL)
		return STORE_NO_MEMORY;
	memcpy(solve->id, id, sizeof(solve->id));
	memcpy(solve->book, book, sizeof(solve->book));
	solve->list = text_of(row, LIST, &whole, &there);
	solve->list_name = text_of(row, LIST_NAME, &whole, &there);
	if (!texts)
		return !there ? STORE_NO_MEMORY : whole ? STORE_OK : STORE_BROKEN;
	solve->base = sqlite3_column_blob(row, BASE);
	solve->base_bytes = (size_t)sqlite3_column_bytes(row, BASE);
	if (solve->base == NULL && !is_null(row, BASE))
		there = solve->base_bytes == 0;
	solve->scramble = text_of(row, SCRAMBLE, &whole, &there);
	solve->solution = text_of(row, SOLUTION, &whole, &there);
	solve->comment = text_of(row, COMMENT, &whole, &there);
	solve->source = text_of(row, SOURCE, &whole, &there);
	solve->splits = text_of(row, SPLITS, &whole, &there);
	if (!there)
		return STORE_NO_MEMORY;
	return whole && (solve->base == NULL ||
			 (solve->size != 0 && solve->base_bytes == cube_packed_bytes(solve->size)))
		       ? STORE_OK
		       : STORE_BROKEN;
}

enum store_status answer_decode(sqlite3_stmt *row, struct stored_answer *answer)
{
	const int64_t size = sqlite3_column_int64(row, 1);
	*answer = (struct stored_answer){
		.canonical = (uint64_t)sqlite3_column_int64(row, 0),
		.size = (uint8_t)size,
		.method = (const char *)sqlite3_column_text(row, 2),
		.colors = sqlite3_column_blob(row, 3),
		.moves = sqlite3_column_blob(row, 4),
		.move_bytes = (size_t)sqlite3_column_bytes(row, 4),
		.created_ms = sqlite3_column_int64(row, 5),
	};
	if (!cube_size_valid(size) ||
	    (size_t)sqlite3_column_bytes(row, 3) != cube_facelets((int)size))
		return STORE_BROKEN;
	if (answer->method == NULL || answer->colors == NULL ||
	    (answer->moves == NULL && answer->move_bytes > 0))
		return STORE_NO_MEMORY;
	for (size_t i = 0; i < cube_facelets((int)size); i++)
		if (answer->colors[i] >= CUBE_FACES)
			return STORE_BROKEN;
	return strlen(answer->method) <= ANSWER_METHOD_BYTES ? STORE_OK : STORE_BROKEN;
}

/* ---- reading ---- */

struct solve_page {
	const struct solve_query *query;
	store_visit_solve *visit;
	void *context;
	uint64_t from; /* seq of the last row read */
	uint32_t left;
	bool more;    /* the visitor wants more */
	bool another; /* there is another row */
};

MUST_USE static enum store_status visit_row(struct solve_page *page, sqlite3_stmt *s)
{
	struct stored_solve solve;
	if (!page->more || page->left == 0) {
		page->another = true;
		return STORE_OK;
	}
	enum store_status status = solve_decode(s, page->query->texts, &solve);
	if (status != STORE_OK)
		return status;
	page->from = solve.seq;
	page->left--;
	if (solve_query_fits(page->query, &solve))
		page->more = page->visit(page->context, &solve);
	return STORE_OK;
}

MUST_USE static enum store_status read_page(struct store_reader *reader, struct solve_page *page,
					    int which, int *rows)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[which];
	enum store_status status = STORE_OK;
	const uint64_t from = page->from > INT64_MAX ? INT64_MAX : page->from;
	int result = sqlite3_bind_int64(s, 1, (int64_t)page->query->session);
	if (result == SQLITE_OK)
		result = sqlite3_bind_int64(s, 2, (int64_t)from);
	*rows = 0;
	while (status == STORE_OK && !page->another &&
	       (result == SQLITE_OK || result == SQLITE_ROW)) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW)
			break;
		++*rows;
		status = visit_row(page, s);
	}
	if (status == STORE_OK)
		status = connection_status(reader_connection(reader), result);
	sqlite3_reset(s);
	return status;
}

enum store_status reader_solves(struct store_reader *reader, const struct solve_query *query,
				store_visit_solve *visit, void *context, uint64_t *next)
{
	const int which = query->oldest_first ? R_SOLVES_OLD : R_SOLVES;
	struct solve_page page = {
		.query = query,
		.visit = visit,
		.context = context,
		.from = query->from == 0 && which != R_SOLVES_OLD ? UINT64_MAX : query->from,
		.left = query->look_at,
		.more = true,
	};
	enum store_status status = STORE_OK;
	int rows = PAGE_ROWS;
	while (status == STORE_OK && rows == PAGE_ROWS && !page.another)
		status = read_page(reader, &page, which, &rows);
	*next = page.another ? page.from : 0;
	return status;
}

enum store_status reader_solve(struct store_reader *reader, const uint8_t id[10],
			       store_visit_solve *visit, void *context)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[R_SOLVE];
	struct stored_solve solve;
	int result = sqlite3_bind_blob(s, 1, id, sizeof(solve.id), SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	enum store_status status = connection_status(reader_connection(reader), result);
	if (status == STORE_OK && result != SQLITE_ROW)
		status = STORE_NOT_FOUND;
	if (status == STORE_OK)
		status = solve_decode(s, true, &solve);
	if (status == STORE_OK)
		visit(context, &solve);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return status;
}

enum store_status reader_solve_count(struct store_reader *reader, uint64_t key, uint64_t *count)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[R_SOLVE_COUNT];
	int result = sqlite3_bind_int64(s, 1, (int64_t)key);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	*count = result == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	return connection_status(reader_connection(reader), result);
}

enum store_status reader_frame(struct store_reader *reader, uint64_t key, char **frame)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[R_FRAME];
	int result = sqlite3_bind_int64(s, 1, (int64_t)key);
	*frame = NULL;
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	enum store_status status = connection_status(reader_connection(reader), result);
	if (result == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(s, 0);
		*frame = text == NULL ? NULL : strdup(text);
		status = *frame == NULL ? STORE_NO_MEMORY : STORE_OK;
	}
	sqlite3_reset(s);
	return status;
}

enum store_status reader_answers(struct store_reader *reader, uint64_t canonical,
				 store_visit_answer *visit, void *context)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[R_ANSWERS];
	enum store_status status = STORE_OK;
	int result = sqlite3_bind_int64(s, 1, (int64_t)canonical);
	bool more = true;
	while (status == STORE_OK && more && (result == SQLITE_OK || result == SQLITE_ROW)) {
		struct stored_answer answer;
		result = sqlite3_step(s);
		if (result != SQLITE_ROW)
			break;
		status = answer_decode(s, &answer);
		more = status == STORE_OK && visit(context, &answer);
	}
	if (status == STORE_OK)
		status = connection_status(reader_connection(reader), result);
	sqlite3_reset(s);
	return status;
}
