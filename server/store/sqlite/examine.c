/* examine.c: checks the file: SQLite's integrity check, and that the tables are those of the
 * schema. */
#include "server/store/sqlite/database_internal.h"

#include <string.h>

#define FINDINGS_MAX "100"

MUST_USE static int prepare_statement(struct sqlite_connection *connection, const char *sql,
				      sqlite3_stmt **statement)
{
	return sqlite3_prepare_v2(connection->db, sql, -1, statement, NULL);
}

MUST_USE static int check_pages(struct sqlite_connection *connection,
				const struct database_visitor *visitor,
				struct database_counts *counts)
{
	sqlite3_stmt *s = NULL;
	int result = prepare_statement(connection, "PRAGMA integrity_check(" FINDINGS_MAX ")", &s);
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW)
			break;
		const char *line = (const char *)sqlite3_column_text(s, 0);
		if (!line)
			result = SQLITE_NOMEM;
		else if (strcmp(line, "ok") != 0)
			database_report(visitor, counts, NULL, "file: %s", line);
	}
	sqlite3_finalize(s);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

/* Two lists of (name, sql), in order of the name. */
static const char schema_sql[] = "SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name";

static const char *text_at(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);
	return text ? text : "";
}

static void compare_row(sqlite3_stmt *ours, int *our, sqlite3_stmt *theirs, int *their,
			const struct database_visitor *visitor, struct database_counts *counts)
{
	int order = *our != SQLITE_ROW     ? 1
		    : *their != SQLITE_ROW ? -1
					   : strcmp(text_at(ours, 0), text_at(theirs, 0));
	if (order < 0)
		database_report(visitor, counts, NULL, "schema: %s is missing", text_at(ours, 0));
	else if (order > 0)
		database_report(visitor, counts, NULL, "schema: %s does not belong there",
				text_at(theirs, 0));
	else if (strcmp(text_at(ours, 1), text_at(theirs, 1)) != 0)
		database_report(visitor, counts, NULL, "schema: %s is not as it was made",
				text_at(ours, 0));
	if (order <= 0)
		*our = sqlite3_step(ours);
	if (order >= 0)
		*their = sqlite3_step(theirs);
}

MUST_USE static int check_schema(struct sqlite_connection *connection,
				 const struct database_visitor *visitor,
				 struct database_counts *counts)
{
	struct sqlite_connection fresh;
	sqlite3_stmt *ours = NULL, *theirs = NULL;
	int our = SQLITE_DONE, their = SQLITE_DONE;
	int result = connection_open(&fresh, ":memory:", SQLITE_OPEN_READWRITE);
	if (result == SQLITE_OK)
		result = schema_make(&fresh);
	if (result == SQLITE_OK)
		result = prepare_statement(&fresh, schema_sql, &ours);
	if (result == SQLITE_OK)
		result = prepare_statement(connection, schema_sql, &theirs);
	if (result == SQLITE_OK) {
		our = sqlite3_step(ours);
		their = sqlite3_step(theirs);
	}
	while (our == SQLITE_ROW || their == SQLITE_ROW)
		compare_row(ours, &our, theirs, &their, visitor, counts);
	if (result == SQLITE_OK)
		result = our != SQLITE_DONE ? our : their != SQLITE_DONE ? their : SQLITE_OK;
	sqlite3_finalize(ours);
	sqlite3_finalize(theirs);
	connection_close(&fresh);
	return result;
}

/* The index of ids does not enforce uniqueness; the writer does. */
MUST_USE static int check_ids(struct sqlite_connection *connection,
			      const struct database_visitor *visitor,
			      struct database_counts *counts)
{
	sqlite3_stmt *s = NULL;
	int result = prepare_statement(connection,
				       "SELECT id FROM session GROUP BY substr(id, 1, 3), id"
				       " HAVING count(*) > 1",
				       &s);
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW)
			break;
		struct session_id id = {{0}};
		const void *bytes = sqlite3_column_blob(s, 0);
		if (bytes && sqlite3_column_bytes(s, 0) == SESSION_ID_BYTES)
			memcpy(id.bytes, bytes, SESSION_ID_BYTES);
		database_report(visitor, counts, &id, "this id exists more than once");
	}
	sqlite3_finalize(s);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

/* Rows of sessions that do not exist; scan.c finds those of histories. */
MUST_USE static int check_orphans(struct sqlite_connection *connection,
				  const struct database_visitor *visitor,
				  struct database_counts *counts)
{
	static const char sql[] =
		"SELECT 'row of more', session FROM session_more"
		" WHERE session NOT IN (SELECT key FROM session)"
		" UNION SELECT 'token', session FROM token"
		" WHERE session NOT IN (SELECT key FROM session)"
		" UNION SELECT 'pattern', session FROM pattern"
		" WHERE session NOT IN (SELECT key FROM session)"
		" UNION SELECT 'solve', session FROM solve"
		" WHERE " SOLVE_SEEN " AND session NOT IN (SELECT key FROM session)"
		" UNION SELECT 'frame', session FROM solve_frame"
		" WHERE session NOT IN (SELECT key FROM session)";
	sqlite3_stmt *s = NULL;
	int result = prepare_statement(connection, sql, &s);
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result == SQLITE_ROW)
			database_report(visitor, counts, NULL,
					"there is a %s of session %lld, but no such session",
					text_at(s, 0), (long long)sqlite3_column_int64(s, 1));
	}
	sqlite3_finalize(s);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

MUST_USE static enum store_status examine_end(struct sqlite_connection *connection, int result,
					      const struct database_visitor *visitor,
					      struct database_counts *counts)
{
	if (result == SQLITE_OK)
		return STORE_OK;
	database_report(visitor, counts, NULL, "file: the check ended early: %s",
			sqlite3_errstr(result));
	return connection_status(connection, result);
}

enum store_status examine_file(struct sqlite_connection *connection,
			       const struct database_visitor *visitor,
			       struct database_counts *counts)
{
	const int result = check_pages(connection, visitor, counts);
	return examine_end(connection, result, visitor, counts);
}

enum store_status examine_connection(struct sqlite_connection *connection,
				     const struct database_visitor *visitor,
				     struct database_counts *counts)
{
	int result = check_pages(connection, visitor, counts);
	if (result == SQLITE_OK)
		result = check_schema(connection, visitor, counts);
	if (result == SQLITE_OK)
		result = check_ids(connection, visitor, counts);
	if (result == SQLITE_OK)
		result = check_orphans(connection, visitor, counts);
	return examine_end(connection, result, visitor, counts);
}
