/* reader_solves.c: solves and the answers of solvers, read. */
#include "server/modules/postgres/store/reader.h"

#include "cube/pack.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_ROWS 256

/* As in SOLVE_READ. */
enum solve_column {
	SEQ,
	SESSION,
	ID8,
	ID2,
	BOOK8,
	BOOK2,
	CREATED,
	ORIGIN,
	SIZE,
	CLOCK,
	VERIFIED,
	ASSISTED,
	REVISION,
	ACTOR,
	TIME,
	PENALTY,
	EVENT,
	LIST,
	LIST_NAME,
	BASE,
	SCRAMBLE,
	SOLUTION,
	COMMENT,
	SOURCE,
	SPLITS
};

static void read_id(const PGresult *result, int row, int column, uint8_t id[SESSION_ID_BYTES])
{
	const uint64_t first = result_uint8(result, row, column);
	const uint16_t last = (uint16_t)result_int2(result, row, column + 1);
	for (int i = 0; i < 8; i++)
		id[i] = (uint8_t)(first >> (56 - 8 * i));
	id[8] = (uint8_t)(last >> 8);
	id[9] = (uint8_t)last;
}

MUST_USE static bool read_numbers(const PGresult *result, int row, struct stored_solve *solve)
{
	const int origin = result_int2(result, row, ORIGIN),
		  clock = result_int2(result, row, CLOCK);
	const int size = result_int2(result, row, SIZE);
	const uint32_t revision = result_uint4(result, row, REVISION);
	const uint32_t actor = result_uint4(result, row, ACTOR);
	solve->seq = result_uint8(result, row, SEQ);
	solve->session = result_uint8(result, row, SESSION);
	solve->created_ms = result_int8(result, row, CREATED);
	solve->time_ms =
		result_is_null(result, row, TIME) ? SOLVE_UNTIMED : result_int8(result, row, TIME);
	solve->penalty_ms = result_int8(result, row, PENALTY);
	solve->origin = (uint8_t)origin;
	solve->clock = (uint8_t)clock;
	solve->size = (uint8_t)size;
	solve->revision = revision;
	solve->actor = actor;
	solve->verified = result_bool(result, row, VERIFIED);
	solve->assisted = result_bool(result, row, ASSISTED);
	return origin >= 0 && origin < SOLVE_ORIGINS && clock >= 0 && clock < SOLVE_CLOCKS &&
	       (size == 0 || cube_size_valid(size)) && revision < HISTORY_NONE &&
	       actor < UINT32_MAX && solve->penalty_ms >= SOLVE_DNF &&
	       (solve->time_ms >= 0 || solve->time_ms == SOLVE_UNTIMED);
}

enum store_status pg_solve_read(const PGresult *result, int row, struct stored_solve *solve)
{
	const char *event = result_text(result, row, EVENT);
	*solve = (struct stored_solve){0};
	read_id(result, row, ID8, solve->id);
	read_id(result, row, BOOK8, solve->book);
	solve->event = (uint8_t)(event == NULL ? EVENT_USUAL : solve_event_find(event));
	/* A name that this program does not know is damage. */
	if (!read_numbers(result, row, solve) || (event != NULL && solve->event == EVENT_USUAL))
		return STORE_BROKEN;
	solve->list = result_text(result, row, LIST);
	solve->list_name = result_text(result, row, LIST_NAME);
	solve->base = result_bytes(result, row, BASE, &solve->base_bytes);
	solve->scramble = result_text(result, row, SCRAMBLE);
	solve->solution = result_text(result, row, SOLUTION);
	solve->comment = result_text(result, row, COMMENT);
	solve->source = result_text(result, row, SOURCE);
	solve->splits = result_text(result, row, SPLITS);
	return solve->base == NULL || (solve->size != 0 &&
				       solve->base_bytes == cube_packed_bytes(solve->size))
		       ? STORE_OK
		       : STORE_BROKEN;
}

/* ---- a book ---- */

struct page {
	const struct solve_query *query;
	store_visit_solve *visit;
	void *context;
	uint64_t from; /* seq of the last row read */
	uint32_t left;
	bool more;    /* the visitor wants more */
	bool another; /* there is another row */
};

MUST_USE static enum store_status visit_rows(struct page *page, const PGresult *result,
					     uint32_t rows)
{
	enum store_status status = STORE_OK;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK; i++) {
		struct stored_solve solve;
		page->another = !page->more || page->left == 0;
		if (page->another || (uint32_t)i == rows)
			break;
		status = pg_solve_read(result, i, &solve);
		page->from = solve.seq;
		page->left--;
		if (status == STORE_OK && solve_query_fits(page->query, &solve))
			page->more = page->visit(page->context, &solve);
	}
	return status;
}

/* One row more than may be visited: whether there is another one. */
MUST_USE static enum store_status read_page(struct postgres_reader *reader, struct page *page,
					    bool *end)
{
	static const enum statement statements[2][2] = {
		{STATEMENT_SOLVE_NUMBERS_NEWEST, STATEMENT_SOLVES_NEWEST},
		{STATEMENT_SOLVE_NUMBERS_OLDEST, STATEMENT_SOLVES_OLDEST},
	};
	const uint32_t rows = page->left < PAGE_ROWS ? page->left : PAGE_ROWS;
	struct parameters *p = &reader->parameters;
	PGresult *result;
	parameters_begin(p);
	parameters_uint8(p, page->query->session);
	parameters_uint8(p, page->from > INT64_MAX ? INT64_MAX : page->from);
	parameters_uint4(p, rows + 1);
	enum store_status status = pg_reader_run(
		reader, statements[page->query->oldest_first][page->query->texts], &result);
	if (status != STORE_OK)
		return status;
	*end = (uint32_t)pq.PQntuples(result) <= rows;
	status = visit_rows(page, result, rows);
	pq.PQclear(result);
	return status;
}

enum store_status pg_reader_solves(struct store_reader *base, const struct solve_query *query,
				   store_visit_solve *visit, void *context, uint64_t *next)
{
	struct page page = {
		.query = query,
		.visit = visit,
		.context = context,
		.from = query->from == 0 && !query->oldest_first ? UINT64_MAX : query->from,
		.left = query->look_at,
		.more = true,
	};
	enum store_status status = STORE_OK;
	bool end = false;
	while (status == STORE_OK && !end && !page.another)
		status = read_page((struct postgres_reader *)base, &page, &end);
	*next = status == STORE_OK && page.another ? page.from : 0;
	return status;
}

/* ---- the others ---- */

enum store_status pg_reader_solve(struct store_reader *base, const uint8_t id[SESSION_ID_BYTES],
				  store_visit_solve *visit, void *context)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	struct stored_solve solve;
	PGresult *result;
	parameters_begin(&reader->parameters);
	parameters_uint8(&reader->parameters, id_first8(id));
	parameters_int2(&reader->parameters, id_last2(id));
	enum store_status status = pg_reader_run(reader, STATEMENT_SOLVE, &result);
	if (status != STORE_OK)
		return status;
	status = pq.PQntuples(result) == 0 ? STORE_NOT_FOUND : pg_solve_read(result, 0, &solve);
	if (status == STORE_OK)
		visit(context, &solve);
	pq.PQclear(result);
	return status;
}

/* Runs a statement with the key of a session. */
MUST_USE static enum store_status run_key(struct postgres_reader *reader, enum statement statement,
					  uint64_t key, PGresult **result)
{
	parameters_begin(&reader->parameters);
	parameters_uint8(&reader->parameters, key);
	return pg_reader_run(reader, statement, result);
}

enum store_status pg_reader_solve_count(struct store_reader *base, uint64_t key, uint64_t *count)
{
	PGresult *result;
	*count = 0;
	const enum store_status status =
		run_key((struct postgres_reader *)base, STATEMENT_SOLVE_COUNT, key, &result);
	if (status != STORE_OK)
		return status;
	*count = result_uint8(result, 0, 0);
	pq.PQclear(result);
	return STORE_OK;
}

enum store_status pg_reader_frame(struct store_reader *base, uint64_t key, char **frame)
{
	PGresult *result;
	*frame = NULL;
	enum store_status status =
		run_key((struct postgres_reader *)base, STATEMENT_FRAME, key, &result);
	if (status != STORE_OK)
		return status;
	if (pq.PQntuples(result) > 0) {
		*frame = strdup(result_text(result, 0, 0));
		status = *frame == NULL ? STORE_NO_MEMORY : STORE_OK;
	}
	pq.PQclear(result);
	return status;
}

enum store_status pg_answer_read(const PGresult *result, int row, struct stored_answer *answer)
{
	size_t colors, moves;
	const int size = result_int2(result, row, 1);
	*answer = (struct stored_answer){
		.canonical = result_uint8(result, row, 0),
		.size = (uint8_t)size,
		.method = result_text(result, row, 2),
		.colors = result_bytes(result, row, 3, &colors),
		.moves = result_bytes(result, row, 4, &moves),
		.created_ms = result_int8(result, row, 5),
	};
	answer->move_bytes = moves;
	if (!cube_size_valid(size) || answer->method == NULL || answer->colors == NULL ||
	    answer->moves == NULL || colors != cube_facelets(size) ||
	    strlen(answer->method) > ANSWER_METHOD_BYTES)
		return STORE_BROKEN;
	for (size_t i = 0; i < colors; i++)
		if (answer->colors[i] >= CUBE_FACES)
			return STORE_BROKEN;
	return STORE_OK;
}

enum store_status pg_reader_answers(struct store_reader *base, uint64_t canonical,
				    store_visit_answer *visit, void *context)
{
	PGresult *result;
	bool more = true;
	enum store_status status =
		run_key((struct postgres_reader *)base, STATEMENT_ANSWERS, canonical, &result);
	if (status != STORE_OK)
		return status;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK && more; i++) {
		struct stored_answer answer;
		status = pg_answer_read(result, i, &answer);
		more = status == STORE_OK && visit(context, &answer);
	}
	pq.PQclear(result);
	return status;
}
