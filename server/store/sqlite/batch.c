/* batch.c: the writer's statements, and one transaction of writes. */
#include "server/store/sqlite/sqlite_internal.h"

#include "cube/pack.h"

#include <stdlib.h>

const char *const writer_sql[W_STATEMENTS] = {
	[W_BEGIN] = "BEGIN IMMEDIATE",
	[W_COMMIT] = "COMMIT",
	[W_ROLLBACK] = "ROLLBACK",
	/* For these two, see create.c. */
	[W_CREATE] = "INSERT INTO session (key, id, created_ms, alike, opening, checksum)"
		     " SELECT ?2, ?1, ?3, ?4, " INLINE_ENTRIES_ROOM_SQL ", ?5"
		     " WHERE NOT EXISTS (" SESSION_KEY_SQL ")",
	[W_MORE] = "INSERT INTO session_more (session, size, access, updated_ms, deleted_ms, "
		   "policy, name,"
		   " scramble, base, assisted, listed)"
		   " VALUES (?1, nullif(?2, 3), nullif(?3, 1), ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
		   "?11)",
	[W_APPEND] = "INSERT INTO log (seq, entries) VALUES (?1, ?2)",
	[W_META] = "INSERT INTO session_more (session, name, access, updated_ms, policy, "
		   "listed)"
		   " SELECT key, ?2, nullif(?3, 1), ?4, ?5, ?6 FROM session WHERE key = ?1"
		   " ON CONFLICT (session) DO UPDATE SET name = excluded.name, access = "
		   "excluded.access,"
		   " updated_ms = excluded.updated_ms, policy = excluded.policy, listed = "
		   "excluded.listed"
		   " WHERE deleted_ms IS NULL",
	[W_DELETE] = "INSERT INTO session_more (session, deleted_ms) SELECT key, ?2 FROM session "
		     "WHERE key = ?1"
		     " ON CONFLICT (session) DO UPDATE SET deleted_ms = excluded.deleted_ms"
		     " WHERE deleted_ms IS NULL",
	[W_CLEAR_LOG] = "DELETE FROM log WHERE seq >= ?1 AND seq < ?2",
	[W_SESSION] =
		"SELECT ifnull(size, 3), created_ms, base, opening, checksum FROM " SESSION_TABLES
		" WHERE key = ?1",
	[W_CHUNK] = "SELECT first, entries, checksum FROM history WHERE session = ?1"
		    " ORDER BY first DESC LIMIT 1",
	[W_STATE] = "SELECT state, checksum FROM snapshot WHERE session = ?1 AND first = ?2",
	[W_SAVE_CHUNK] = "REPLACE INTO history (session, first, entries, checksum)"
			 " VALUES (?1, ?2, ?3, ?4)",
	[W_SAVE_STATE] = "REPLACE INTO snapshot (session, first, state, checksum)"
			 " VALUES (?1, ?2, ?3, ?4)",
	/* Never the newest session: its key would be used again. */
	[W_OLD_DELETED] =
		"SELECT session FROM session_more WHERE deleted_ms < ?1"
		" AND session < (SELECT max(key) FROM session) ORDER BY deleted_ms LIMIT 1",
	/* Oldest first, so that the newest state stays readable. */
	[W_PURGE_STATES] =
		"DELETE FROM snapshot WHERE session = ?1 AND first < coalesce((SELECT first"
		" FROM history WHERE session = ?1 ORDER BY first LIMIT 1 OFFSET 64), 1 << 40)",
	[W_PURGE_CHUNKS] =
		"DELETE FROM history WHERE session = ?1 AND first < coalesce((SELECT first"
		" FROM history WHERE session = ?1 ORDER BY first LIMIT 1 OFFSET 64), 1 << 40)",
	[W_PURGE_SESSION] = "DELETE FROM session WHERE key = ?1 AND NOT EXISTS"
			    " (SELECT 1 FROM history WHERE session = ?1)"
			    " AND NOT EXISTS (SELECT 1 FROM solve WHERE session = ?1)",
	[W_PURGE_MORE] = "DELETE FROM session_more WHERE session = ?1 AND NOT EXISTS"
			 " (SELECT 1 FROM session WHERE key = ?1)",
	[W_PURGE_TOKENS] = "DELETE FROM token WHERE session = ?1 AND NOT EXISTS"
			   " (SELECT 1 FROM session WHERE key = ?1)",
	[W_PURGE_PATTERNS] = "DELETE FROM pattern WHERE session = ?1 AND NOT EXISTS"
			     " (SELECT 1 FROM session WHERE key = ?1)",
	[W_TOKEN] = "REPLACE INTO token (session, " TOKEN_COLUMNS ")"
		    " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE " SESSION_LIVE,
	[W_DROP_RECEIPT] =
		"DELETE FROM receipt WHERE substr(key, 1, 8) = substr(?1, 1, 8) AND key = ?1",
	[W_RECEIPT] = "INSERT INTO receipt (" RECEIPT_COLUMNS ") VALUES (?1, ?2, ?3, ?4)",
	[W_PATTERN] = "REPLACE INTO pattern (session, token, name, pattern, updated_ms)"
		      " SELECT ?1, ?2, ?3, ?4, ?5 WHERE " SESSION_LIVE,
	[W_DROP_PATTERN] = "DELETE FROM pattern WHERE session = ?1 AND token = ?2 AND name = ?3",
	[W_ALIKE] = "UPDATE session SET alike = ?2 WHERE key = ?1 AND alike IS NOT ?2",
	[W_OPENING] = "UPDATE session SET alike = ifnull(?2, alike), opening = ?3, checksum = ?4"
		      " WHERE key = ?1",
	[W_UNKNOWN] = "SELECT key FROM " SESSION_TABLES " WHERE key > ?1 AND key <= ?1 + 1024"
		      " AND alike IS NULL AND deleted_ms IS NULL ORDER BY key LIMIT 64",
	[W_SOLVE] = "INSERT INTO solve (" SOLVE_VALUES
		    ") SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
		    " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21 WHERE " SESSION_LIVE,
	[W_SOLVE_CHANGE] =
		"UPDATE solve SET penalty_ms = ?2, comment = ?3, source = ?4, solution = ?5,"
		" clock = ?6, time_ms = ?7, assisted = ?8, event = ?9, list = ?10, list_name = ?11"
		" WHERE seq = ?1",
	[W_SOLVE_DROP] = "DELETE FROM solve WHERE seq = ?1",
	[W_ASSISTANCE] =
		"INSERT INTO session_more (session, assisted) SELECT ?1, ?2 WHERE " SESSION_LIVE
		" ON CONFLICT (session) DO UPDATE"
		" SET assisted = max(ifnull(assisted, 0), excluded.assisted)",
	[W_FRAME] = "REPLACE INTO solve_frame (session, frame) VALUES (?1, ?2)",
	/* Not those that are being written, see stage.c. */
	[W_PURGE_SOLVES] =
		"DELETE FROM solve WHERE seq IN"
		" (SELECT seq FROM solve WHERE session = ?1 AND " SOLVE_SEEN " LIMIT 4096)",
	[W_PURGE_FRAME] = "DELETE FROM solve_frame WHERE session = ?1",
	[W_DROP_ANSWER] = "DELETE FROM answer WHERE canonical = ?1 AND size = ?2 AND method = ?3",
	[W_ANSWER] = "INSERT INTO answer (" ANSWER_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[W_OLD_ANSWERS] = "DELETE FROM answer WHERE seq <= (SELECT max(seq) FROM answer) - ?1",
	/* They are in the order of time, unless the clock was set. */
	[W_PURGE_RECEIPTS] =
		"DELETE FROM receipt WHERE seq IN"
		" (SELECT seq FROM receipt ORDER BY seq LIMIT 256) AND created_ms < ?1",
	[W_LIVE] = "SELECT 1 WHERE " SESSION_LIVE,
	[W_STAGE] = "INSERT INTO solve (" SOLVE_VALUES
		    ", seq) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
		    " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, :seq)",
	[W_STAGE_BEGIN] =
		"INSERT INTO meta (name, value) VALUES ('staged_first', ?1), ('staged_last', ?2)",
	[W_STAGE_END] = "DELETE FROM meta WHERE name IN ('staged_first', 'staged_last')",
	[W_STAGE_DROP] = "DELETE FROM solve WHERE seq IN (SELECT seq FROM solve WHERE seq "
			 ">= " STAGED("staged_first") " AND seq < " STAGED(
				 "staged_last") " LIMIT " STAGE_DROP_TEXT ")",
	[W_STAGE_DROP_LAST] = "DELETE FROM solve WHERE seq = " STAGED("staged_last"),
	[W_NEXT_DELETED] =
		"SELECT session, deleted_ms FROM session_more WHERE deleted_ms >= ?1"
		" AND (deleted_ms, session) > (?1, ?2) ORDER BY deleted_ms, session LIMIT 1",
	[W_EMPTY] = "UPDATE session SET checksum = NULL, opening = " INLINE_ENTRIES_ROOM_SQL
		    ", alike = NULL WHERE key = ?1"
		    " AND NOT EXISTS (SELECT 1 FROM history WHERE session = ?1)"
		    " AND NOT EXISTS (SELECT 1 FROM solve WHERE session = ?1)",
	[W_EMPTY_MORE] = "UPDATE session_more SET base = NULL, scramble = NULL WHERE session = ?1",
	[W_EMPTY_PATTERNS] = "DELETE FROM pattern WHERE session = ?1",
};

MUST_USE static int write_create(struct sqlite_store *store, struct store_write *write)
{
	struct new_session session = {.key = store->next_key, .meta = &write->meta};
	uint8_t *base = NULL, *scramble = NULL;
	int64_t canonical_index;
	bool there;
	int result = SQLITE_NOMEM;
	if (!canonical_index_first(write->meta.size, write->base, &canonical_index))
		return SQLITE_NOMEM;
	session.canonical_index = &canonical_index;
	if (write->base != NULL) {
		session.base_bytes = cube_packed_bytes(write->meta.size);
		session.base = base = malloc(session.base_bytes);
		if (base == NULL)
			goto done;
		cube_pack(write->base, base);
	}
	if (write->scramble != NULL && write->scramble_count > 0) {
		session.scramble = scramble = malloc(write->scramble_count * CUBE_PACKED_TURN_MAX);
		if (scramble == NULL)
			goto done;
		session.scramble_bytes = cube_turns_pack(write->scramble, write->scramble_count,
							 write->meta.size, scramble);
	}
	result = session_create(&store->writer, &session, &there);
	if (result == SQLITE_OK && there)
		write->status = STORE_CONFLICT; /* the id is taken: only this write fails */
	else if (result == SQLITE_OK)
		write->meta.key = (uint64_t)store->next_key++;
	if (result == SQLITE_OK && write->status == STORE_OK && write->token != NULL)
		result = write_token(store, write, write->meta.key);
done:
	free(base);
	free(scramble);
	return result;
}

/* Writes the row of the log under construction, if there is one. */
MUST_USE static int end_log_row(struct sqlite_store *store)
{
	struct buffer *row = &store->log_row;
	if (row->length == 0)
		return SQLITE_OK;
	sqlite3_stmt *s = store->writer.statements[W_APPEND];
	int bad = sqlite3_bind_int64(s, 1, store->next_seq++);
	bad |= sqlite3_bind_blob64(s, 2, row->bytes, row->length, SQLITE_STATIC);
	int result = connection_run_bound(&store->writer, W_APPEND, bad);
	row->length = 0;
	return result;
}

MUST_USE static int write_append(struct sqlite_store *store, struct store_write *write,
				 struct memtable_entry ***last)
{
	if (!log_row_has_room(&store->log_row, write->packed_bytes)) {
		int result = end_log_row(store);
		if (result != SQLITE_OK)
			return result;
	}
	if (!log_row_add(&store->log_row, write->meta.key, write->revision, write->packed,
			 write->packed_bytes))
		return SQLITE_NOMEM;
	struct memtable_entry *entry =
		memtable_prepare(&store->memtable, write->meta.key, store->next_seq,
				 write->revision, write->packed, write->packed_bytes);
	if (entry == NULL)
		return SQLITE_NOMEM;
	**last = entry;
	*last = &entry->next;
	return SQLITE_OK;
}

/* META and DELETE: rows that must exist. */
MUST_USE static int write_update(struct sqlite_store *store, struct store_write *write)
{
	bool meta = write->kind == WRITE_META;
	int which = meta ? W_META : W_DELETE;
	sqlite3_stmt *s = store->writer.statements[which];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)write->meta.key);
	if (meta) {
		if (write->meta.name[0] != '\0')
			bad |= sqlite3_bind_text(s, 2, write->meta.name, -1, SQLITE_STATIC);
		bad |= sqlite3_bind_int(s, 3, write->meta.access);
		bad |= sqlite3_bind_int64(s, 4, write->meta.updated_ms);
		if (write->meta.policy != POLICY_FREE)
			bad |= sqlite3_bind_int(s, 5, write->meta.policy);
		if (write->meta.listed)
			bad |= sqlite3_bind_int(s, 6, 1);
	} else {
		bad |= sqlite3_bind_int64(s, 2, write->meta.updated_ms);
	}
	int result = connection_run_bound(&store->writer, which, bad);
	if (result == SQLITE_OK && sqlite3_changes(store->writer.db) == 0)
		write->status = STORE_NOT_FOUND;
	return result;
}

MUST_USE static int write_change(struct sqlite_store *store, struct store_write *write,
				 struct memtable_entry ***last)
{
	switch (write->kind) {
	case WRITE_CREATE:
		return write_create(store, write);
	case WRITE_APPEND:
		return write_append(store, write, last);
	case WRITE_META:
	case WRITE_DELETE:
		return write_update(store, write);
	case WRITE_TOKEN:
		return write_token(store, write, write->meta.key);
	case WRITE_PATTERN:
		return write_pattern(store, write);
	case WRITE_SOLVES:
		return SQLITE_OK;
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
		return write_solve_changed(store, write);
	case WRITE_ASSISTANCE:
		return write_assistance(store, write);
	case WRITE_ANSWER:
		return write_answer(store, write);
	}
	return SQLITE_MISUSE;
}

MUST_USE static int write_one(struct sqlite_store *store, struct store_write *write,
			      struct memtable_entry ***last)
{
	int result = write_change(store, write, last);
	if (result == SQLITE_OK && write->status == STORE_OK)
		result = write_solves(store, write);
	if (result != SQLITE_OK || write->status != STORE_OK || write->receipt == NULL)
		return result;
	return write_receipt(&store->writer, write->receipt);
}

int batch_write_rest(struct sqlite_store *store, struct store_write *write)
{
	struct memtable_entry *none = NULL, **last = &none;
	const size_t count = write->solve_count;
	write->solve_count = 0;
	int result = write_one(store, write, &last);
	write->solve_count = count;
	return result;
}

/* While a write is processed, fetches the memory of the next from the core that made it. */
static void prefetch_write(const struct sqlite_store *store, const struct store_write *write)
{
	__builtin_prefetch(write->packed);
	memtable_expect(&store->memtable, write->meta.key);
}

enum store_status batch_commit(struct sqlite_store *store, struct store_write *batch)
{
	struct memtable_entry *entries = NULL, **last = &entries;
	const int64_t next_key = store->next_key, next_seq = store->next_seq;
	enum store_status status;
	log_row_begin(&store->log_row);
	int result = connection_run(&store->writer, W_BEGIN);
	for (struct store_write *write = batch; write != NULL && result == SQLITE_OK;
	     write = write->next) {
		if (write->next != NULL)
			prefetch_write(store, write->next);
		if (write->status == STORE_OK)
			result = write_one(store, write, &last);
	}
	if (result == SQLITE_OK)
		result = end_log_row(store);
	if (result == SQLITE_OK)
		status = writer_commit(store);
	else
		status = writer_abort(store, connection_status(&store->writer, result));
	if (status == STORE_OK) {
		*last = NULL;
		memtable_publish(&store->memtable, entries);
		return STORE_OK;
	}
	*last = NULL;
	memtable_discard(entries);
	store->next_key = next_key;
	store->next_seq = next_seq;
	return status;
}
