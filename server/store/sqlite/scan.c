/* scan.c: checks all sessions of a database in one pass: reads three tables in parallel in the
 * order of sessions, replays each history against its snapshots, and the log after the chunks. */
#include "server/store/sqlite/row.h"

#include "server/history/check_history.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum kind { SESSION, HISTORY, SNAPSHOT, KINDS };

/* Rows of a session are together and in order. */
static const char *const kind_sql[KINDS] = {
	[SESSION] = session_row_sql,
	[HISTORY] = "SELECT session, first, entries FROM history ORDER BY session, first",
	[SNAPSHOT] = "SELECT session, first, state FROM snapshot ORDER BY session, first",
};
static const char *const kind_names[KINDS] = {[HISTORY] = "chunk", [SNAPSHOT] = "snapshot"};

/* A table's next row. */
struct cursor {
	sqlite3_stmt *statement;
	bool at_row;
	int64_t session; /* INT64_MAX at the end */
	int64_t first;   /* first revision of a chunk, or after a snapshot */
};

struct walk {
	struct sqlite_connection *connection;
	const struct database_visitor *visitor;
	struct database_counts *counts;
	struct cursor cursors[KINDS];
	struct logged log;
	sqlite3_stmt *tokens, *patterns; /* of one session */
	int result;                      /* SQLite's, of the step that failed */
	/* Of the current session: */
	struct session_row row;
	struct history_check check;
	bool known; /* the state of `check` is that of a revision; false: what follows cannot be
		     * checked */
	bool shown; /* its entries are visited */
	bool stopped;
};

/* ---- cursors ---- */

static enum store_status step_cursor(struct walk *walk, enum kind kind)
{
	struct cursor *cursor = &walk->cursors[kind];
	int result = sqlite3_step(cursor->statement);
	cursor->at_row = result == SQLITE_ROW;
	cursor->session = INT64_MAX;
	if (result == SQLITE_DONE)
		return STORE_OK;
	if (!cursor->at_row) {
		walk->result = result;
		return connection_status(walk->connection, result);
	}
	cursor->session = sqlite3_column_int64(cursor->statement, 0);
	cursor->first = sqlite3_column_int64(cursor->statement, 1);
	return STORE_OK;
}

/* Whether the table's next row belongs to the current session. */
static bool row_is_here(const struct walk *walk, enum kind kind)
{
	const struct cursor *cursor = &walk->cursors[kind];
	return cursor->at_row && cursor->session == walk->cursors[SESSION].session &&
	       walk->cursors[SESSION].at_row;
}

static enum store_status cursor_blob(const struct walk *walk, enum kind kind, const uint8_t **bytes,
				     size_t *length)
{
	sqlite3_stmt *s = walk->cursors[kind].statement;
	*bytes = sqlite3_column_blob(s, 2);
	*length = (size_t)sqlite3_column_bytes(s, 2);
	return *bytes || *length == 0 ? STORE_OK : STORE_NO_MEMORY;
}

/* ---- findings ---- */

/* About the current session; the state of `check` is in doubt then. */
__attribute__((format(printf, 2, 3))) static void report_finding(struct walk *walk,
								 const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	database_vreport(walk->visitor, walk->counts, &walk->row.session.meta.id, format,
			 arguments);
	va_end(arguments);
	walk->known = walk->shown = false;
}

static void report_orphan(struct walk *walk, const char *what, int64_t key)
{
	database_report(walk->visitor, walk->counts, NULL,
			"there is a %s of session %" PRId64 ", but no such session", what, key);
}

/* Rows and entries of sessions that do not exist: one finding each. */
static enum store_status report_orphans(struct walk *walk)
{
	enum store_status status = STORE_OK;
	for (int kind = HISTORY; kind < KINDS; kind++) {
		struct cursor *cursor = &walk->cursors[kind];
		int64_t reported = INT64_MIN;
		while (status == STORE_OK && cursor->at_row &&
		       cursor->session < walk->cursors[SESSION].session) {
			if (cursor->session != reported)
				report_orphan(walk, kind_names[kind], cursor->session);
			reported = cursor->session;
			status = step_cursor(walk, (enum kind)kind);
		}
	}
	for (int64_t key;
	     (key = logged_next(&walk->log, walk->cursors[SESSION].session)) != INT64_MAX;)
		report_orphan(walk, "log entry", key);
	return status;
}

static enum store_status skip_rows(struct walk *walk, enum kind kind)
{
	enum store_status status = STORE_OK;
	while (status == STORE_OK && row_is_here(walk, kind))
		status = step_cursor(walk, kind);
	return status;
}

/* ---- entries ---- */

/* Checks an entry, and visits it if all before were sound. */
static enum store_status take_entry(struct walk *walk, const struct entry *entry)
{
	const char *wrong;
	switch (history_check_entry(&walk->check, entry, &wrong)) {
	case HISTORY_CHECK_NO_MEMORY:
		return STORE_NO_MEMORY;
	case HISTORY_CHECK_WRONG:
		report_finding(walk, "entry %" PRIu32 ": %s", entry->revision, wrong);
		return STORE_OK;
	case HISTORY_CHECK_SOUND:
		break;
	}
	if (entry->actor > walk->row.session.token_count) {
		report_finding(walk, "entry %" PRIu32 ": there is no token of its actor",
			       entry->revision);
		return STORE_OK;
	}
	walk->counts->entries++;
	if (walk->shown && walk->visitor->entry)
		walk->stopped = !walk->visitor->entry(walk->visitor->context,
						      walk->row.session.meta.size, entry);
	return walk->stopped ? STORE_STOPPED : STORE_OK;
}

/* Entries after the state of `check`, at most `most`. */
static enum store_status take_entries(struct walk *walk, const uint8_t *bytes, size_t length,
				      int64_t before_ms, size_t most)
{
	struct entry_reader reader;
	struct entry entry;
	enum store_status status = STORE_OK;
	entry_reader_init(&reader, walk->row.session.meta.size, bytes, length,
			  walk->check.history->revision + 1, before_ms);
	while (status == STORE_OK && walk->known) {
		enum entry_read read = entry_reader_next(&reader, &entry);
		if (read == ENTRY_END)
			break;
		if (read == ENTRY_NO_MEMORY)
			status = STORE_NO_MEMORY;
		else if (read == ENTRY_DAMAGED || most-- == 0)
			report_finding(walk, "entry %" PRIu32 " cannot be read", reader.revision);
		else
			status = take_entry(walk, &entry);
	}
	entry_reader_finish(&reader);
	return status;
}

/* ---- chunks and snapshots ---- */

/* Continues from a snapshot, if the state before it is unknown. */
static enum store_status begin_again(struct walk *walk, uint32_t first, const uint8_t *bytes,
				     size_t length)
{
	bool damaged;
	struct history *history =
		history_unpack(walk->row.session.meta.size, bytes, length, &damaged);
	if (!history && !damaged)
		return STORE_NO_MEMORY;
	if (!history || history->revision + 1 != first) {
		history_destroy(history);
		report_finding(walk, "the snapshot before entry %" PRIu32 " cannot be read", first);
		return STORE_OK;
	}
	if (!history_check_begin(&walk->check, history))
		return STORE_NO_MEMORY;
	walk->known = true;
	return STORE_OK;
}

static enum store_status compare_snapshot(struct walk *walk, const uint8_t *bytes, size_t length)
{
	const struct history *history = walk->check.history;
	size_t packed_bytes = history_packed_bytes(history);
	uint8_t *packed = malloc(packed_bytes);
	if (!packed)
		return STORE_NO_MEMORY;
	history_pack(history, packed);
	if (packed_bytes != length || memcmp(packed, bytes, length) != 0)
		report_finding(walk,
			       "the snapshot before entry %" PRIu32 " is not what the entries make",
			       history->revision + 1);
	free(packed);
	return STORE_OK;
}

/* Checks the snapshot before the current chunk. After it `check` is known and at `first` - 1, or
 * what follows cannot be checked. */
static enum store_status check_snapshot(struct walk *walk, uint32_t first)
{
	const struct cursor *cursor = &walk->cursors[SNAPSHOT];
	const uint8_t *bytes;
	size_t length;
	enum store_status status = STORE_OK;
	while (status == STORE_OK && row_is_here(walk, SNAPSHOT) && cursor->first < first) {
		report_finding(walk, "there is no chunk for the snapshot before entry %" PRId64,
			       cursor->first);
		status = step_cursor(walk, SNAPSHOT);
	}
	if (status != STORE_OK)
		return status;
	bool there = row_is_here(walk, SNAPSHOT) && cursor->first == first;
	if (first == 1 && !there)
		return STORE_OK;
	if (first == 1) {
		report_finding(walk, "there is a snapshot before entry 1");
		return step_cursor(walk, SNAPSHOT);
	}
	if (!there) {
		report_finding(walk, "the snapshot before entry %" PRIu32 " is missing", first);
		return STORE_OK;
	}
	status = cursor_blob(walk, SNAPSHOT, &bytes, &length);
	if (status == STORE_OK && walk->known)
		status = compare_snapshot(walk, bytes, length);
	if (status == STORE_OK && !walk->known)
		status = begin_again(walk, first, bytes, length);
	return status == STORE_OK ? step_cursor(walk, SNAPSHOT) : status;
}

/* Reports missing or repeated entries before the current row. */
static void check_follows(struct walk *walk, int64_t first)
{
	if (!walk->known)
		return;
	const int64_t expected = (int64_t)walk->check.history->revision + 1;
	if (first > expected)
		report_finding(walk, "entries %" PRId64 " to %" PRId64 " are missing", expected,
			       first - 1);
	else if (first < expected)
		report_finding(walk, "the chunk of entry %" PRId64 " is not after entry %" PRId64,
			       first, expected - 1);
}

static enum store_status check_chunk(struct walk *walk)
{
	const int64_t first = walk->cursors[HISTORY].first;
	const uint8_t *bytes;
	size_t length;
	walk->counts->chunks++;
	if (first < 1 || first >= HISTORY_NONE) {
		report_finding(walk, "there cannot be a chunk of entry %" PRId64, first);
		return step_cursor(walk, HISTORY);
	}
	enum store_status status = cursor_blob(walk, HISTORY, &bytes, &length);
	if (status != STORE_OK)
		return status;
	check_follows(walk, first);
	if (length == 0)
		report_finding(walk, "the chunk of entry %" PRId64 " is empty", first);
	status = check_snapshot(walk, (uint32_t)first);
	if (status == STORE_OK && walk->known && walk->check.history->revision + 1 == first) {
		int64_t before_ms = first == 1 ? walk->row.session.meta.created_ms
					       : walk->check.history->updated_ms;
		status = take_entries(walk, bytes, length, before_ms, SIZE_MAX);
	}
	return status == STORE_OK ? step_cursor(walk, HISTORY) : status;
}

/* Inline entries are the whole history, except for the log. */
static enum store_status check_opening(struct walk *walk)
{
	const struct session_row *row = &walk->row;
	if (!row->has_opening)
		return STORE_OK;
	if (row_is_here(walk, HISTORY))
		report_finding(walk, "there is a chunk beside its opening");
	else if (row->inline_entries_bytes == 0)
		report_finding(walk, "its opening is empty");
	else if (!inline_entries_is_room(row->inline_entries, row->inline_entries_bytes))
		return take_entries(walk, row->inline_entries, row->inline_entries_bytes,
				    row->session.meta.created_ms, SIZE_MAX);
	return STORE_OK;
}

/* ---- the log ---- */

/* Entries in chunks wait to be dropped; the others continue where the chunks end. */
static enum store_status check_log(struct walk *walk)
{
	const struct memtable_entry *entry =
		memtable_entries(&walk->log.memtable, walk->row.session.meta.key);
	enum store_status status = STORE_OK;
	for (; entry && walk->known && status == STORE_OK; entry = entry->next) {
		if (entry->revision <= walk->check.history->revision)
			continue;
		check_follows(walk, entry->revision);
		if (walk->known)
			status = take_entries(walk, entry->packed, entry->length, 0, 1);
	}
	return status;
}

/* ---- sessions ---- */

/* A session that is being purged has lost its first chunks. */
static bool is_going(const struct walk *walk)
{
	return walk->row.session.meta.deleted && row_is_here(walk, HISTORY) &&
	       walk->cursors[HISTORY].first > 1;
}

static enum store_status begin_session(struct walk *walk)
{
	const struct database_visitor *visitor = walk->visitor;
	walk->known = walk->shown = false;
	if (is_going(walk))
		return STORE_OK;
	struct history *history = session_first_state(&walk->row.session);
	if (!history || !history_check_begin(&walk->check, history))
		return STORE_NO_MEMORY;
	walk->known = walk->shown = true;
	if (visitor->session)
		walk->stopped = !visitor->session(visitor->context, &walk->row.session);
	return walk->stopped ? STORE_STOPPED : STORE_OK;
}

static enum store_status check_session(struct walk *walk)
{
	const struct database_visitor *visitor = walk->visitor;
	enum store_status status = begin_session(walk);
	bool begun = walk->shown;
	if (status == STORE_OK)
		status = check_opening(walk);
	while (status == STORE_OK && row_is_here(walk, HISTORY))
		status = check_chunk(walk);
	while (status == STORE_OK && row_is_here(walk, SNAPSHOT)) {
		report_finding(walk, "there is no chunk for the snapshot before entry %" PRId64,
			       walk->cursors[SNAPSHOT].first);
		status = step_cursor(walk, SNAPSHOT);
	}
	if (status == STORE_OK)
		status = check_log(walk);
	if (status != STORE_OK || !begun || !visitor->end)
		return status;
	walk->stopped = !visitor->end(visitor->context);
	return walk->stopped ? STORE_STOPPED : STORE_OK;
}

static enum store_status take_session(struct walk *walk)
{
	const char *wrong;
	walk->counts->sessions++;
	enum store_status status =
		session_row_take(&walk->row, walk->cursors[SESSION].statement, &wrong);
	if (status == STORE_OK)
		status = session_row_tokens(&walk->row, walk->connection, walk->tokens, &wrong);
	if (status == STORE_OK)
		status = session_row_patterns(&walk->row, walk->connection, walk->patterns, &wrong);
	if (status == STORE_OK) {
		status = check_session(walk);
	} else if (status == STORE_BROKEN) {
		report_finding(walk, "%s", wrong);
		status = STORE_OK;
		for (int kind = HISTORY; kind < KINDS && status == STORE_OK; kind++)
			status = skip_rows(walk, (enum kind)kind);
	}
	session_row_finish(&walk->row);
	logged_pass(&walk->log, walk->cursors[SESSION].session);
	return status == STORE_OK ? step_cursor(walk, SESSION) : status;
}

/* ---- all of it ---- */

static enum store_status open_cursors(struct walk *walk)
{
	enum store_status status = STORE_OK;
	for (int kind = 0; kind < KINDS && status == STORE_OK; kind++) {
		walk->result = sqlite3_prepare_v2(walk->connection->db, kind_sql[kind], -1,
						  &walk->cursors[kind].statement, NULL);
		status = connection_status(walk->connection, walk->result);
		if (status == STORE_OK)
			status = step_cursor(walk, (enum kind)kind);
	}
	if (status == STORE_OK)
		walk->result = sqlite3_prepare_v2(walk->connection->db, session_tokens_sql, -1,
						  &walk->tokens, NULL);
	if (status == STORE_OK && walk->result == SQLITE_OK)
		walk->result = sqlite3_prepare_v2(walk->connection->db, session_patterns_sql, -1,
						  &walk->patterns, NULL);
	return status == STORE_OK ? connection_status(walk->connection, walk->result) : status;
}

enum store_status database_scan(struct sqlite_connection *connection,
				const struct database_visitor *visitor,
				struct database_counts *counts)
{
	struct walk walk = {.connection = connection, .visitor = visitor, .counts = counts};
	enum store_status status =
		logged_read(&walk.log, connection, visitor, counts, &walk.result);
	if (status == STORE_OK)
		status = open_cursors(&walk);
	if (status == STORE_OK)
		status = report_orphans(&walk);
	while (status == STORE_OK && walk.cursors[SESSION].at_row) {
		status = take_session(&walk);
		if (status == STORE_OK)
			status = report_orphans(&walk);
	}
	if (status == STORE_OK)
		status = receipts_scan(connection, visitor, counts, &walk.result);
	if (status == STORE_OK)
		status = solves_scan(connection, visitor, counts, &walk.result);
	walk.stopped |= status == STORE_STOPPED;
	if (status != STORE_OK && !walk.stopped)
		database_report(visitor, counts, NULL, "reading ended early: %s",
				status == STORE_NO_MEMORY ? "no memory"
							  : sqlite3_errstr(walk.result));
	for (int kind = 0; kind < KINDS; kind++)
		sqlite3_finalize(walk.cursors[kind].statement);
	sqlite3_finalize(walk.tokens);
	sqlite3_finalize(walk.patterns);
	history_check_finish(&walk.check);
	logged_finish(&walk.log);
	return status;
}
