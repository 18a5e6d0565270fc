/* load_rows.c: rows by table. Solves and frames wait until the keys of their sessions can be asked for,
 * with one question for all that are sent together. */
#include "server/modules/postgres/store/load_rows.h"

#include "server/store/database_fill.h"
#include "server/store/session_id.h"

#include <stdio.h>
#include <string.h>

static const char *const into[LOAD_TABLES] = {
	[LOAD_SESSION] = "session (key, id8, created_ms, head, revision, folded, since, assisted,"
			 " canonical, id2, size, mode, tail)",
	[LOAD_MORE] = "session_more (session, updated_ms, deleted_ms, name, scramble, base)",
	[LOAD_TOKEN] = "token (session, number, parent, role, hash, created_ms, revoked_ms, label)",
	[LOAD_PATTERN] = "pattern (session, token, name, pattern, updated_ms)",
	[LOAD_HISTORY] = "history (session, first, entries)",
	[LOAD_SNAPSHOT] = "snapshot (session, first, state)",
	[LOAD_CANONICAL] = "canonical_index (session, hash)",
	[LOAD_RECEIPT] = "receipt (key, session, full_key, body, created_ms, answer)",
	[LOAD_SOLVE] = "solve (session, id8, id2, created_ms, time_ms, penalty_ms, revision, actor,"
		       " origin, size, clock, verified, assisted, event, base, scramble, solution,"
		       " comment, list, list_name, source, splits)",
	[LOAD_FRAME] = "solve_frame (session, frame)",
	[LOAD_ANSWER] = "answer (canonical, size, method, colors, moves, created_ms)",
};

/* A row that begins with the key of the session with this id. */
struct book_row {
	size_t row;
	uint8_t id[SESSION_ID_BYTES];
};

void load_rows_init(struct load_rows *rows, struct walk *walk, struct error *error)
{
	*rows = (struct load_rows){.walk = walk, .error = error};
	for (int table = 0; table < LOAD_TABLES; table++)
		rows->rows[table].into = into[table];
}

void load_rows_finish(struct load_rows *rows)
{
	for (int table = 0; table < LOAD_TABLES; table++) {
		copy_rows_free(&rows->rows[table]);
		buffer_free(&rows->books[table]);
	}
}

bool load_rows_failed(struct load_rows *rows, enum failure failure)
{
	const struct connection *c = &rows->walk->connection;
	const char *key = strstr(c->message, "(id8, id2)=(");
	long long id8;
	short id2;
	if (failure == FAILURE_NO_MEMORY)
		return error_set(rows->error, "no memory");
	if (failure != FAILURE_DUPLICATE)
		return error_set(rows->error, "cannot write to the database: %s", c->message);
	if (key == NULL || sscanf(key, "(id8, id2)=(%lld, %hd)", &id8, &id2) != 2)
		return error_set(rows->error, "something is there twice: %s", c->message);
	struct session_id id;
	char text[SESSION_ID_TEXT + 1];
	id_join((uint64_t)id8, id2, id.bytes);
	session_id_print(&id, text);
	return error_set(rows->error, "the id %s is there twice, here or before", text);
}

/* Gives rows of solves or frames the keys of their sessions. */
static bool find_books(struct load_rows *rows, enum load_table table)
{
	static const char sql[] =
		"SELECT s.key FROM unnest($1::int8[], $2::int2[]) WITH ORDINALITY AS w (id8, id2, "
		"n)"
		" LEFT JOIN session s ON s.id8 = w.id8 AND s.id2 = w.id2 ORDER BY w.n";
	struct parameters *p = &rows->walk->parameters;
	const struct book_row *books = (const void *)rows->books[table].bytes;
	const uint32_t count = (uint32_t)(rows->books[table].length / sizeof(*books));
	PGresult *keys;
	parameters_begin(p);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, id_first8(books[i].id));
	parameters_array(p, PG_INT2, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_int2(p, id_last2(books[i].id));
	const enum failure failure =
		pg_run_sql(&rows->walk->connection, sql, p, pg_deadline_ns(WALK_ANSWER_MS), &keys);
	bool found = failure == FAILURE_NONE || load_rows_failed(rows, failure);
	for (uint32_t i = 0; i < count && found; i++) {
		if (result_is_null(keys, (int)i, 0)) {
			char text[SESSION_ID_TEXT + 1];
			struct session_id id;
			memcpy(id.bytes, books[i].id, sizeof(id.bytes));
			session_id_print(&id, text);
			found = error_set(rows->error, LOAD_NO_SESSION, text);
		} else {
			copy_rows_put_key(&rows->rows[table], books[i].row,
					  result_uint8(keys, (int)i, 0));
		}
	}
	pq.PQclear(keys);
	return found;
}

static bool send_rows(struct load_rows *rows, enum load_table table)
{
	const enum failure failure = copy_rows_send(&rows->rows[table], &rows->walk->connection,
						    pg_deadline_ns(WALK_ANSWER_MS));
	return failure == FAILURE_NONE || load_rows_failed(rows, failure);
}

/* The same for a table of solves or frames. */
static bool send_book_rows(struct load_rows *rows, enum load_table table)
{
	if (rows->books[table].length == 0)
		return true;
	const bool sent =
		send_rows(rows, LOAD_SESSION) && find_books(rows, table) && send_rows(rows, table);
	rows->books[table].length = 0;
	return sent;
}

bool load_rows_add(struct load_rows *rows, enum load_table table)
{
	if (copy_rows_add(&rows->rows[table], &rows->walk->parameters) == 0)
		return error_set(rows->error, "no memory");
	return !copy_rows_full(&rows->rows[table]) || send_rows(rows, table);
}

bool load_rows_add_in_book(struct load_rows *rows, enum load_table table,
			   const uint8_t id[SESSION_ID_BYTES])
{
	struct buffer *books = &rows->books[table];
	struct book_row book = {.row = copy_rows_add(&rows->rows[table], &rows->walk->parameters)};
	memcpy(book.id, id, sizeof(book.id));
	buffer_add(books, &book, sizeof(book));
	if (book.row == 0 || books->failed)
		return error_set(rows->error, "no memory");
	return !copy_rows_full(&rows->rows[table]) || send_book_rows(rows, table);
}

bool load_rows_send_all(struct load_rows *rows)
{
	bool sent = send_book_rows(rows, LOAD_SOLVE) && send_book_rows(rows, LOAD_FRAME);
	for (int table = 0; table < LOAD_TABLES && sent; table++)
		sent = send_rows(rows, (enum load_table)table);
	return sent;
}
