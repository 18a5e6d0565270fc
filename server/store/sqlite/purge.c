/* purge.c: forgets what is too old: receipts, and sessions that were deleted long ago. */
#include "server/store/sqlite/internal.h"

static int run_key(struct connection *writer, int statement, int64_t key)
{
	sqlite3_bind_int64(writer->statements[statement], 1, key);
	return connection_run(writer, statement);
}

static int purge_session(struct connection *writer, int64_t key)
{
	int result = run_key(writer, W_PURGE_STATES, key);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_CHUNKS, key);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_SOLVES, key);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_FRAME, key);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_SESSION, key);
	/* These only once the session itself is gone. */
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_MORE, key);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_TOKENS, key);
	if (result == SQLITE_OK)
		result = run_key(writer, W_PURGE_PATTERNS, key);
	return result;
}

static enum store_status purge_receipts(struct sqlite_store *store)
{
	struct connection *writer = &store->writer;
	int64_t oldest_ms = store->options.now_ms() - RECEIPT_KEPT_MS, there = 0;
	int result = connection_value(writer, "SELECT count(*) FROM (SELECT 1 FROM receipt LIMIT 1)",
	                              &there);
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

static enum store_status purge_deleted(struct sqlite_store *store)
{
	struct connection *writer = &store->writer;
	sqlite3_stmt *s = writer->statements[W_OLD_DELETED];
	sqlite3_bind_int64(s, 1, store->options.now_ms() - SESSION_DELETED_KEPT_MS);
	int result = sqlite3_step(s);
	int64_t key = result == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	if (result == SQLITE_DONE ||
	    (result == SQLITE_ROW && tail_entries(&store->tail, (uint64_t)key) != NULL))
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
