/* scan.c: checks all sessions of a database in one pass: reads three tables in parallel in the
 * order of sessions, replays each history against its snapshots, and the log after the chunks. */
#include "server/store/database_check.h"
#include "server/store/sqlite/row.h"

#include <inttypes.h>

enum kind { SESSION, HISTORY, SNAPSHOT, KINDS };

/* Rows of a session are together and in order. */
static const char *const kind_sql[KINDS] = {
	[SESSION] = session_row_sql,
	[HISTORY] = "SELECT session, first, entries, checksum FROM history ORDER BY session, first",
	[SNAPSHOT] = "SELECT session, first, state, checksum FROM snapshot ORDER BY session, first",
};
static const char *const kind_names[KINDS] = {[HISTORY] = "chunk", [SNAPSHOT] = "snapshot"};

/* A table's next row. */
struct cursor {
	sqlite3_stmt *statement;
	bool at_row;
	int64_t session; /* INT64_MAX at the end */
	int64_t first;   /* first revision of a chunk, or after a snapshot */
};

struct scanner {
	struct sqlite_connection *connection;
	const struct database_visitor *visitor;
	struct database_counts *counts;
	struct cursor cursors[KINDS];
	struct logged log;
	sqlite3_stmt *tokens, *patterns; /* of one session */
	int result;                      /* SQLite's, of the step that failed */
	struct session_row row;          /* the current session */
	struct database_check check;
};

/* ---- cursors ---- */

MUST_USE static enum store_status step_cursor(struct scanner *scan, enum kind kind)
{
	struct cursor *cursor = &scan->cursors[kind];
	int result = sqlite3_step(cursor->statement);
	cursor->at_row = result == SQLITE_ROW;
	cursor->session = INT64_MAX;
	if (result == SQLITE_DONE)
		return STORE_OK;
	if (!cursor->at_row) {
		scan->result = result;
		return connection_status(scan->connection, result);
	}
	cursor->session = sqlite3_column_int64(cursor->statement, 0);
	cursor->first = sqlite3_column_int64(cursor->statement, 1);
	return STORE_OK;
}

/* Returns true if the table's next row belongs to the current session. */
static bool row_is_here(const struct scanner *scan, enum kind kind)
{
	const struct cursor *cursor = &scan->cursors[kind];
	return cursor->at_row && cursor->session == scan->cursors[SESSION].session &&
	       scan->cursors[SESSION].at_row;
}

MUST_USE static enum store_status cursor_blob(const struct scanner *scan, enum kind kind,
					      const uint8_t **bytes, size_t *length)
{
	sqlite3_stmt *s = scan->cursors[kind].statement;
	*bytes = sqlite3_column_blob(s, 2);
	*length = (size_t)sqlite3_column_bytes(s, 2);
	return *bytes || *length == 0 ? STORE_OK : STORE_NO_MEMORY;
}

/* Returns true if the bytes of the row have their checksum. */
static bool cursor_sound(const struct scanner *scan, enum kind kind, const uint8_t *bytes,
			 size_t length)
{
	const struct cursor *cursor = &scan->cursors[kind];
	return checksum_matches(cursor->statement, 3,
				kind == HISTORY ? CHECKSUM_CHUNK : CHECKSUM_STATE,
				(uint64_t)cursor->session, (uint32_t)cursor->first, bytes, length);
}

/* ---- findings ---- */

static void report_orphan(struct scanner *scan, const char *what, int64_t key)
{
	database_report(scan->visitor, scan->counts, NULL,
			"there is a %s of session %" PRId64 ", but no such session", what, key);
}

/* Rows and entries of sessions that do not exist: one finding each. */
MUST_USE static enum store_status report_orphans(struct scanner *scan)
{
	enum store_status status = STORE_OK;
	for (int kind = HISTORY; kind < KINDS; kind++) {
		struct cursor *cursor = &scan->cursors[kind];
		int64_t reported = INT64_MIN;
		while (status == STORE_OK && cursor->at_row &&
		       cursor->session < scan->cursors[SESSION].session) {
			if (cursor->session != reported)
				report_orphan(scan, kind_names[kind], cursor->session);
			reported = cursor->session;
			status = step_cursor(scan, (enum kind)kind);
		}
	}
	for (int64_t key;
	     (key = logged_next(&scan->log, scan->cursors[SESSION].session)) != INT64_MAX;)
		report_orphan(scan, "log entry", key);
	return status;
}

/* ---- chunks and snapshots ---- */

/* Checks the snapshot before the current chunk. After it `check` is known and at `first` - 1, or
 * what follows cannot be checked. */
MUST_USE static enum store_status check_snapshot(struct scanner *scan, uint32_t first)
{
	const struct cursor *cursor = &scan->cursors[SNAPSHOT];
	const uint8_t *bytes;
	size_t length;
	enum store_status status = STORE_OK;
	while (status == STORE_OK && row_is_here(scan, SNAPSHOT) && cursor->first < first) {
		database_check_report(&scan->check,
				      "there is no chunk for the snapshot before entry %" PRId64,
				      cursor->first);
		status = step_cursor(scan, SNAPSHOT);
	}
	if (status != STORE_OK)
		return status;
	bool there = row_is_here(scan, SNAPSHOT) && cursor->first == first;
	if (first == 1 && !there)
		return STORE_OK;
	if (first == 1) {
		database_check_report(&scan->check, "there is a snapshot before entry 1");
		return step_cursor(scan, SNAPSHOT);
	}
	if (!there) {
		database_check_report(&scan->check,
				      "the snapshot before entry %" PRIu32 " is missing", first);
		return STORE_OK;
	}
	status = cursor_blob(scan, SNAPSHOT, &bytes, &length);
	if (status == STORE_OK && !cursor_sound(scan, SNAPSHOT, bytes, length))
		database_check_report(
			&scan->check,
			"the snapshot before entry %" PRIu32 " does not have its checksum", first);
	else if (status == STORE_OK)
		status = database_check_snapshot(&scan->check, first, bytes, length);
	return status == STORE_OK ? step_cursor(scan, SNAPSHOT) : status;
}

MUST_USE static enum store_status check_chunk(struct scanner *scan)
{
	const int64_t first = scan->cursors[HISTORY].first;
	const uint8_t *bytes;
	size_t length;
	scan->counts->chunks++;
	if (first < 1 || first >= HISTORY_NONE) {
		database_check_report(&scan->check, "there cannot be a chunk of entry %" PRId64,
				      first);
		return step_cursor(scan, HISTORY);
	}
	enum store_status status = cursor_blob(scan, HISTORY, &bytes, &length);
	if (status != STORE_OK)
		return status;
	database_check_follows(&scan->check, first);
	if (length == 0)
		database_check_report(&scan->check, "the chunk of entry %" PRId64 " is empty",
				      first);
	status = check_snapshot(scan, (uint32_t)first);
	if (status == STORE_OK && !cursor_sound(scan, HISTORY, bytes, length))
		database_check_report(&scan->check,
				      "the chunk of entry %" PRId64 " does not have its checksum",
				      first);
	if (status == STORE_OK && scan->check.known &&
	    scan->check.check.history->revision + 1 == first) {
		int64_t before_ms = first == 1 ? scan->row.session.meta.created_ms
					       : scan->check.check.history->updated_ms;
		status = database_check_entries(&scan->check, bytes, length, before_ms, SIZE_MAX);
	}
	return status == STORE_OK ? step_cursor(scan, HISTORY) : status;
}

/* Inline entries are the whole history, except for the log. */
MUST_USE static enum store_status check_inline_entries(struct scanner *scan)
{
	const struct session_row *row = &scan->row;
	if (!row->has_inline_entries)
		return STORE_OK;
	if (row_is_here(scan, HISTORY))
		database_check_report(&scan->check, "there is a chunk beside its opening");
	else if (row->inline_entries_bytes == 0)
		database_check_report(&scan->check, "its opening is empty");
	else if (!row->inline_entries_sound)
		database_check_report(&scan->check, "its opening does not have its checksum");
	else if (!inline_entries_is_room(row->inline_entries, row->inline_entries_bytes))
		return database_check_entries(&scan->check, row->inline_entries,
					      row->inline_entries_bytes,
					      row->session.meta.created_ms, SIZE_MAX);
	return STORE_OK;
}

/* ---- the log ---- */

/* Entries in chunks wait to be dropped; the others continue where the chunks end. */
MUST_USE static enum store_status check_log(struct scanner *scan)
{
	const struct memtable_entry *entry =
		memtable_entries(&scan->log.memtable, scan->row.session.meta.key);
	enum store_status status = STORE_OK;
	for (; entry && scan->check.known && status == STORE_OK; entry = entry->next) {
		if (entry->revision <= scan->check.check.history->revision)
			continue;
		database_check_follows(&scan->check, entry->revision);
		if (scan->check.known)
			status = database_check_entries(&scan->check, entry->packed, entry->length,
							0, 1);
	}
	return status;
}

/* ---- sessions ---- */

/* A session that is being purged has lost its first chunks. */
static bool is_going(const struct scanner *scan)
{
	return scan->row.session.meta.deleted && row_is_here(scan, HISTORY) &&
	       scan->cursors[HISTORY].first > 1;
}

MUST_USE static enum store_status begin_session(struct scanner *scan)
{
	return is_going(scan) ? STORE_OK : database_check_begin(&scan->check, &scan->row.session);
}

MUST_USE static enum store_status check_session(struct scanner *scan)
{
	enum store_status status = begin_session(scan);
	bool begun = scan->check.shown;
	if (status == STORE_OK)
		status = check_inline_entries(scan);
	while (status == STORE_OK && row_is_here(scan, HISTORY))
		status = check_chunk(scan);
	while (status == STORE_OK && row_is_here(scan, SNAPSHOT)) {
		database_check_report(&scan->check,
				      "there is no chunk for the snapshot before entry %" PRId64,
				      scan->cursors[SNAPSHOT].first);
		status = step_cursor(scan, SNAPSHOT);
	}
	if (status == STORE_OK)
		status = check_log(scan);
	return status == STORE_OK && begun ? database_check_end(&scan->check) : status;
}

MUST_USE static enum store_status scan_session(struct scanner *scan)
{
	const char *wrong;
	scan->counts->sessions++;
	enum store_status status =
		session_row_decode(&scan->row, scan->cursors[SESSION].statement, &wrong);
	if (status == STORE_OK)
		status = session_row_tokens(&scan->row, scan->connection, scan->tokens, &wrong);
	if (status == STORE_OK)
		status = session_row_patterns(&scan->row, scan->connection, scan->patterns, &wrong);
	database_check_next(&scan->check, &scan->row.session.meta);
	if (status == STORE_OK) {
		status = check_session(scan);
	} else if (status == STORE_BROKEN) {
		database_check_report(&scan->check, "%s", wrong);
		status = STORE_OK;
		for (int kind = HISTORY; kind < KINDS; kind++)
			while (status == STORE_OK && row_is_here(scan, (enum kind)kind))
				status = step_cursor(scan, (enum kind)kind);
	}
	session_row_finish(&scan->row);
	logged_pass(&scan->log, scan->cursors[SESSION].session);
	return status == STORE_OK ? step_cursor(scan, SESSION) : status;
}

/* ---- all of it ---- */

MUST_USE static enum store_status open_cursors(struct scanner *scan)
{
	enum store_status status = STORE_OK;
	for (int kind = 0; kind < KINDS && status == STORE_OK; kind++) {
		scan->result = sqlite3_prepare_v2(scan->connection->db, kind_sql[kind], -1,
						  &scan->cursors[kind].statement, NULL);
		status = connection_status(scan->connection, scan->result);
		if (status == STORE_OK)
			status = step_cursor(scan, (enum kind)kind);
	}
	if (status == STORE_OK)
		scan->result = sqlite3_prepare_v2(scan->connection->db, session_tokens_sql, -1,
						  &scan->tokens, NULL);
	if (status == STORE_OK && scan->result == SQLITE_OK)
		scan->result = sqlite3_prepare_v2(scan->connection->db, session_patterns_sql, -1,
						  &scan->patterns, NULL);
	return status == STORE_OK ? connection_status(scan->connection, scan->result) : status;
}

enum store_status scan_connection(struct sqlite_connection *connection,
				  const struct database_visitor *visitor,
				  struct database_counts *counts)
{
	struct scanner scan = {
		.connection = connection,
		.visitor = visitor,
		.counts = counts,
		.check = {.visitor = visitor, .counts = counts},
	};
	enum store_status status =
		logged_read(&scan.log, connection, visitor, counts, &scan.result);
	if (status == STORE_OK)
		status = open_cursors(&scan);
	if (status == STORE_OK)
		status = report_orphans(&scan);
	while (status == STORE_OK && scan.cursors[SESSION].at_row) {
		status = scan_session(&scan);
		if (status == STORE_OK)
			status = report_orphans(&scan);
	}
	if (status == STORE_OK)
		status = receipts_scan(connection, visitor, counts, &scan.result);
	if (status == STORE_OK)
		status = solves_scan(connection, visitor, counts, &scan.result);
	if (status != STORE_OK && status != STORE_STOPPED)
		database_report(visitor, counts, NULL, "reading ended early: %s",
				status == STORE_NO_MEMORY ? "no memory"
							  : sqlite3_errstr(scan.result));
	for (int kind = 0; kind < KINDS; kind++)
		sqlite3_finalize(scan.cursors[kind].statement);
	sqlite3_finalize(scan.tokens);
	sqlite3_finalize(scan.patterns);
	database_check_finish(&scan.check);
	logged_finish(&scan.log);
	return status;
}
