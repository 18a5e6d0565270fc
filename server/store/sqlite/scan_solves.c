/* scan_solves.c: the last parts of a scan: solves, frames of imported files, answers of solvers;
 * and their rows for load.c. */
#include "server/store/database_check.h"
#include "server/store/sqlite/database_internal.h"

#include <string.h>

/* ---- reading ---- */

/* A session that is being purged has lost its first chunks; it is not visited. */
static const char solves_sql[] =
	"SELECT " SOLVE_COLUMNS
	", EXISTS (SELECT 1 FROM session_more WHERE session = solve.session AND"
	" deleted_ms IS NOT NULL AND (SELECT min(first) FROM history h"
	" WHERE h.session = solve.session) > 1)"
	" FROM solve WHERE " SOLVE_SEEN " ORDER BY seq";
#define GOING 23 /* the column after SOLVE_COLUMNS */

MUST_USE static enum store_status
visit_solve(sqlite3_stmt *s, const struct database_visitor *visitor, struct database_counts *counts)
{
	struct stored_solve solve;
	struct session_id book;
	enum store_status status = solve_decode(s, true, &solve);
	if (status == STORE_OK)
		status = solve_validate(&solve);
	memcpy(book.bytes, solve.book, sizeof(book.bytes));
	counts->solves++;
	if (status == STORE_BROKEN) {
		database_report(visitor, counts, solve.session != 0 ? &book : NULL,
				"a solve is damaged");
		return STORE_OK;
	}
	if (status != STORE_OK || visitor->solve == NULL || sqlite3_column_int(s, GOING) != 0)
		return status;
	return visitor->solve(visitor->context, &solve) ? STORE_OK : STORE_STOPPED;
}

static const char frames_sql[] =
	"SELECT id, frame FROM solve_frame f JOIN session ON key = f.session"
	" LEFT JOIN session_more m ON m.session = key WHERE NOT (deleted_ms IS NOT NULL"
	" AND coalesce((SELECT min(first) FROM history h WHERE h.session = key), 1) > 1)"
	" ORDER BY key";

MUST_USE static enum store_status
visit_frame(sqlite3_stmt *s, const struct database_visitor *visitor, struct database_counts *counts)
{
	const void *id = sqlite3_column_blob(s, 0);
	const char *frame = (const char *)sqlite3_column_text(s, 1);
	struct session_id book;
	if (id == NULL || frame == NULL)
		return STORE_NO_MEMORY;
	if (sqlite3_column_bytes(s, 0) != SESSION_ID_BYTES)
		return STORE_OK; /* reported before */
	memcpy(book.bytes, id, SESSION_ID_BYTES);
	if (!text_validate(frame, (size_t)sqlite3_column_bytes(s, 1))) {
		database_report(visitor, counts, &book, "the frame of its solves is damaged");
		return STORE_OK;
	}
	return visitor->frame == NULL || visitor->frame(visitor->context, &book, frame)
		       ? STORE_OK
		       : STORE_STOPPED;
}

static const char answers_sql[] = "SELECT " ANSWER_COLUMNS " FROM answer ORDER BY seq";

MUST_USE static enum store_status visit_answer(sqlite3_stmt *s,
					       const struct database_visitor *visitor,
					       struct database_counts *counts)
{
	struct stored_answer answer;
	enum store_status status = answer_decode(s, &answer);
	if (status == STORE_OK)
		status = answer_validate(&answer);
	if (status == STORE_BROKEN) {
		database_report(visitor, counts, NULL, "an answer of a solver is damaged");
		return STORE_OK;
	}
	if (status != STORE_OK || visitor->answer == NULL)
		return status;
	return visitor->answer(visitor->context, &answer) ? STORE_OK : STORE_STOPPED;
}

enum store_status solves_scan(struct sqlite_connection *connection,
			      const struct database_visitor *visitor,
			      struct database_counts *counts, int *result)
{
	static const struct {
		const char *sql;
		enum store_status (*visit)(sqlite3_stmt *s, const struct database_visitor *visitor,
					   struct database_counts *counts);
	} parts[] = {
		{solves_sql, visit_solve}, {frames_sql, visit_frame}, {answers_sql, visit_answer}};
	enum store_status status = STORE_OK;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && status == STORE_OK; i++) {
		sqlite3_stmt *s = NULL;
		*result = sqlite3_prepare_v2(connection->db, parts[i].sql, -1, &s, NULL);
		while (status == STORE_OK && (*result == SQLITE_OK || *result == SQLITE_ROW)) {
			*result = sqlite3_step(s);
			if (*result == SQLITE_ROW)
				status = parts[i].visit(s, visitor, counts);
		}
		sqlite3_finalize(s);
		if (status == STORE_OK)
			status = connection_status(connection, *result);
	}
	return status;
}

/* ---- loading ---- */

MUST_USE static int find_key(struct sqlite_connection *writer, const uint8_t id[SESSION_ID_BYTES],
			     int64_t *key)
{
	sqlite3_stmt *s = NULL;
	int result = sqlite3_prepare_v2(writer->db, SESSION_KEY_SQL, -1, &s, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_bind_blob(s, 1, id, SESSION_ID_BYTES, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	*key = result == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_finalize(s);
	return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

int load_solve(struct sqlite_connection *writer, const struct stored_solve *solve, bool *there)
{
	static const char sql[] = "INSERT INTO solve (" SOLVE_VALUES
				  ") SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
				  " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21 WHERE "
				  "NOT EXISTS (SELECT 1 FROM solve"
				  " WHERE substr(id, 1, 4) = substr(?2, 1, 4) AND id = ?2)";
	sqlite3_stmt *s = NULL;
	int64_t key;
	int result = find_key(writer, solve->book, &key);
	*there = key != 0;
	if (result != SQLITE_OK || !*there)
		return result;
	result = sqlite3_prepare_v2(writer->db, sql, -1, &s, NULL);
	if (result == SQLITE_OK && solve_bind(s, (uint64_t)key, solve) != SQLITE_OK)
		result = SQLITE_NOMEM;
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	sqlite3_finalize(s);
	*there = sqlite3_changes(writer->db) == 1;
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

int load_frame(struct sqlite_connection *writer, const struct session_id *book, const char *frame,
	       bool *there)
{
	int64_t key;
	int result = find_key(writer, book->bytes, &key);
	*there = key != 0;
	return result == SQLITE_OK && *there ? write_frame(writer, (uint64_t)key, frame) : result;
}

int load_answer(struct sqlite_connection *writer, const struct stored_answer *answer)
{
	return connection_run_bound(writer, W_ANSWER,
				    answer_bind(writer->statements[W_ANSWER], answer));
}
