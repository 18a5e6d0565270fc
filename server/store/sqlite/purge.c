/* purge.c: deletes what is too old: receipts, and sessions that were deleted long ago; if room is
 * needed, also the contents of sessions deleted just now. */
#include "server/store/sqlite/sqlite_internal.h"

MUST_USE static int run_key(struct sqlite_connection *writer, int statement, int64_t key)
{
	sqlite3_bind_int64(writer->statements[statement], 1, key);
	return connection_run(writer, statement);
}

/* Runs the statements one after another, up to the first that fails. */
MUST_USE static int run_keys(struct sqlite_connection *writer, const int *statements, size_t count,
			     int64_t key)
{
	int result = SQLITE_OK;
	for (size_t i = 0; i < count && result == SQLITE_OK; i++)
		result = run_key(writer, statements[i], key);
	return result;
}

MUST_USE static int purge_session(struct sqlite_connection *writer, int64_t key)
{
	/* The last three only once the session itself is gone. */
	static const int all[] = {W_PURGE_STATES, W_PURGE_CHUNKS,  W_PURGE_SOLVES,
				  W_PURGE_FRAME,  W_PURGE_SESSION, W_PURGE_MORE,
				  W_PURGE_TOKENS, W_PURGE_PATTERNS};
	return run_keys(writer, all, sizeof(all) / sizeof(all[0]), key);
}

MUST_USE static enum store_status purge_receipts(struct sqlite_store *store)
{
	struct sqlite_connection *writer = &store->writer;
	int64_t oldest_ms = store->options.now_ms() - RECEIPT_KEPT_MS, there = 0;
	int result = connection_value(
		writer, "SELECT count(*) FROM (SELECT 1 FROM receipt LIMIT 1)", &there);
	if (result == SQLITE_OK && there == 0)
		return STORE_NOT_FOUND;
	if (result == SQLITE_OK)
		result = connection_run(writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_RECEIPTS, oldest_ms);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(writer, result));
	bool any = sqlite3_changes(writer->db) > 0;
	enum store_status status = writer_commit(store);
	return status == STORE_OK && !any ? STORE_NOT_FOUND : status;
}

MUST_USE static enum store_status purge_deleted(struct sqlite_store *store)
{
	struct sqlite_connection *writer = &store->writer;
	sqlite3_stmt *s = writer->statements[W_OLD_DELETED];
	sqlite3_bind_int64(s, 1, store->options.now_ms() - SESSION_DELETED_KEPT_MS);
	int result = sqlite3_step(s);
	int64_t key = result == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	if (result == SQLITE_DONE ||
	    (result == SQLITE_ROW && memtable_entries(&store->memtable, (uint64_t)key) != NULL))
		return STORE_NOT_FOUND;
	if (result == SQLITE_ROW)
		result = connection_run(writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = purge_session(writer, key);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(writer, result));
	return writer_commit(store);
}

enum store_status purge_slice(struct sqlite_store *store)
{
	enum store_status status = purge_receipts(store);
	return status == STORE_NOT_FOUND ? purge_deleted(store) : status;
}

/* ---- making room ---- */

/* Deletes part of the contents. *empty: that was the last part. */
MUST_USE static int empty_session(struct sqlite_connection *writer, int64_t key, bool *empty)
{
	static const int all[] = {W_PURGE_STATES,   W_PURGE_CHUNKS, W_PURGE_SOLVES, W_PURGE_FRAME,
				  W_EMPTY_PATTERNS, W_EMPTY_MORE,   W_EMPTY};
	int result = run_keys(writer, all, sizeof(all) / sizeof(all[0]), key);
	*empty = result == SQLITE_OK && sqlite3_changes(writer->db) > 0;
	return result;
}

/* The next deleted session after (room_ms, room_key): SQLITE_ROW or DONE. */
MUST_USE static int next_deleted(struct sqlite_store *store, int64_t *key, int64_t *deleted_ms)
{
	sqlite3_stmt *s = store->writer.statements[W_NEXT_DELETED];
	int bad = sqlite3_bind_int64(s, 1, store->room_ms);
	bad |= sqlite3_bind_int64(s, 2, store->room_key);
	int result = bad != SQLITE_OK ? SQLITE_NOMEM : sqlite3_step(s);
	if (result == SQLITE_ROW) {
		*key = sqlite3_column_int64(s, 0);
		*deleted_ms = sqlite3_column_int64(s, 1);
	}
	sqlite3_reset(s);
	return result;
}

enum store_status purge_for_room(struct sqlite_store *store)
{
	struct sqlite_connection *writer = &store->writer;
	int64_t key = 0, deleted_ms = 0;
	bool empty = false;
	enum store_status status = purge_slice(store);
	if (status != STORE_NOT_FOUND)
		return status;
	int result = next_deleted(store, &key, &deleted_ms);
	if (result == SQLITE_DONE) {
		/* Another one may be deleted in the same millisecond. */
		const int64_t now_ms = store->options.now_ms();
		store->room_ms = (store->room_ms < now_ms ? store->room_ms : now_ms) - 1;
		store->room_key = 0;
		return STORE_NOT_FOUND;
	}
	if (result == SQLITE_ROW)
		result = connection_run(writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = empty_session(writer, key, &empty);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(writer, result));
	status = writer_commit(store);
	if (status == STORE_OK && empty) {
		store->room_ms = deleted_ms;
		store->room_key = key;
	}
	return status;
}
