/* connection.c: a connection with its statements, and what SQLite's failures mean. */
#include "server/store/sqlite/connection.h"

#include "server/store/sqlite/checksum.h"

#include <errno.h>

int connection_open(struct sqlite_connection *connection, const char *path, int flags)
{
	*connection = (struct sqlite_connection){0};
	int result = sqlite3_open_v2(path, &connection->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (connection->db == NULL)
		return SQLITE_NOMEM;
	sqlite3_extended_result_codes(connection->db, 1);
	/* Never mapped, however SQLite was built: if the file is cut short or unreadable, a mapping
	 * raises SIGBUS, which ends the process; a read returns an error. */
	if (result == SQLITE_OK)
		result = connection_value(connection, "PRAGMA mmap_size=0", NULL);
	return result;
}

/* Read-only in three ways: see "One writer" in docs/internals/storage.md. */
int connection_open_read_only(struct sqlite_connection *c, const char *path, int flags)
{
	int result = connection_open(c, path, SQLITE_OPEN_READONLY | flags);
	if (result == SQLITE_OK)
		result = sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_busy_timeout(c->db, CONNECTION_BUSY_MS);
	if (result == SQLITE_OK)
		result = connection_value(c, "PRAGMA query_only=1", NULL);
	if (result == SQLITE_OK)
		result = connection_value(c, "PRAGMA wal_autocheckpoint=0", NULL);
	return result;
}

int connection_prepare(struct sqlite_connection *connection, const char *const *sql, int count)
{
	for (int i = 0; i < count; i++) {
		int result =
			sqlite3_prepare_v3(connection->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
					   &connection->statements[i], NULL);
		if (result != SQLITE_OK)
			return result;
		connection->count = i + 1;
	}
	return SQLITE_OK;
}

void connection_close(struct sqlite_connection *connection)
{
	for (int i = 0; i < connection->count; i++)
		sqlite3_finalize(connection->statements[i]);
	sqlite3_close(connection->db);
	*connection = (struct sqlite_connection){0};
}

int connection_run(struct sqlite_connection *connection, int statement)
{
	int result = sqlite3_step(connection->statements[statement]);
	/* sqlite3_reset() returns the step's failure again. */
	sqlite3_reset(connection->statements[statement]);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

int connection_run_bound(struct sqlite_connection *connection, int statement, int bad)
{
	int result = bad != SQLITE_OK ? SQLITE_NOMEM : connection_run(connection, statement);
	sqlite3_clear_bindings(connection->statements[statement]);
	return result;
}

int connection_value(struct sqlite_connection *connection, const char *sql, int64_t *value)
{
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(connection->db, sql, -1, &statement, NULL);
	if (result != SQLITE_OK)
		return result;
	result = sqlite3_step(statement);
	if (result == SQLITE_ROW && value != NULL)
		*value = sqlite3_column_int64(statement, 0);
	while (result == SQLITE_ROW)
		result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

bool connection_rollback(struct sqlite_connection *connection)
{
	/* After some failures SQLite has rolled back already. */
	if (sqlite3_get_autocommit(connection->db))
		return true;
	sqlite3_exec(connection->db, "ROLLBACK", NULL, NULL, NULL);
	return sqlite3_get_autocommit(connection->db) != 0;
}

/* The errno of the last failed write to the log, or to the database. SQLite distinguishes ENOSPC
 * from I/O errors, but not a quota; and a failing COMMIT does not set sqlite3_system_errno. */
static int write_errno(sqlite3 *db, bool log)
{
	sqlite3_file *file = NULL;
	int cause = 0;
	int which = log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER;
	if (sqlite3_file_control(db, "main", which, &file) == SQLITE_OK && file != NULL &&
	    file->pMethods != NULL)
		file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &cause);
	return cause;
}

static enum store_status io_status(struct sqlite_connection *connection, int result, bool log)
{
	if (result == SQLITE_IOERR_NOMEM)
		return STORE_NO_MEMORY;
	/* After a failed write nothing is committed; after a failed fsync that is unknown. */
	int cause = result == SQLITE_IOERR_WRITE ? write_errno(connection->db, log) : 0;
	return cause == EDQUOT || cause == ENOSPC ? STORE_FULL : STORE_BROKEN;
}

enum store_status connection_checkpoint_status(struct sqlite_connection *connection, int result)
{
	if ((result & 0xff) == SQLITE_IOERR)
		return io_status(connection, result, false);
	return connection_status(connection, result);
}

enum store_status connection_status(struct sqlite_connection *connection, int result)
{
	switch (result & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return STORE_OK;
	case SQLITE_FULL:
		return STORE_FULL;
	case SQLITE_NOMEM:
		return STORE_NO_MEMORY;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return STORE_BUSY;
	case SQLITE_IOERR:
		return io_status(connection, result, true);
	default:
		return STORE_BROKEN;
	}
}

enum store_status connection_chunk(sqlite3_stmt *entries, sqlite3_stmt *state, uint64_t key,
				   struct chunk *chunk)
{
	int64_t first = sqlite3_column_int64(entries, 0);
	const void *state_bytes = state == NULL ? NULL : sqlite3_column_blob(state, 0);
	const void *bytes = sqlite3_column_blob(entries, 1);
	size_t state_length = state == NULL ? 0 : (size_t)sqlite3_column_bytes(state, 0);
	size_t length = (size_t)sqlite3_column_bytes(entries, 1);
	if (first < 1 || first >= HISTORY_NONE)
		return STORE_BROKEN;
	/* SQLite returns NULL for a blob with bytes if it is out of memory. */
	if ((bytes == NULL && length > 0) || (state_bytes == NULL && state_length > 0))
		return STORE_NO_MEMORY;
	if (!checksum_matches(entries, 2, CHECKSUM_CHUNK, key, (uint32_t)first, bytes, length) ||
	    (state != NULL && !checksum_matches(state, 1, CHECKSUM_STATE, key, (uint32_t)first,
						state_bytes, state_length)))
		return STORE_DAMAGED;
	return chunk_set(chunk, (uint32_t)first, state_bytes, state_length, bytes, length);
}
