/* scan_log.c: the log for scan.c: all of it in memory, by session. */
#include "server/store/sqlite/database_internal.h"

#include <stdlib.h>

MUST_USE static int read_rows(struct memtable *memtable, sqlite3_stmt *rows,
			      const struct database_visitor *visitor,
			      struct database_counts *counts)
{
	int result;
	while ((result = sqlite3_step(rows)) == SQLITE_ROW) {
		result = log_row_load(memtable, rows);
		if (result == SQLITE_CORRUPT)
			database_report(visitor, counts, NULL, "row %lld of the log cannot be read",
					(long long)sqlite3_column_int64(rows, 0));
		else if (result != SQLITE_OK)
			return result;
	}
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

enum store_status logged_read(struct logged *logged, struct sqlite_connection *connection,
			      const struct database_visitor *visitor,
			      struct database_counts *counts, int *result)
{
	sqlite3_stmt *rows = NULL;
	logged->made = memtable_init(&logged->memtable);
	if (!logged->made)
		return STORE_NO_MEMORY;
	*result = sqlite3_prepare_v2(connection->db, log_rows_sql, -1, &rows, NULL);
	if (*result == SQLITE_OK)
		*result = read_rows(&logged->memtable, rows, visitor, counts);
	sqlite3_finalize(rows);
	if (*result != SQLITE_OK)
		return connection_status(connection, *result);
	if (!memtable_keys(&logged->memtable, &logged->keys, &logged->left))
		return STORE_NO_MEMORY;
	counts->log = logged->memtable.entries;
	return STORE_OK;
}

int64_t logged_next(struct logged *logged, int64_t before)
{
	if (logged->left == 0 || (int64_t)logged->keys[logged->left - 1] >= before)
		return INT64_MAX;
	return (int64_t)logged->keys[--logged->left];
}

void logged_pass(struct logged *logged, int64_t key)
{
	if (logged->left > 0 && (int64_t)logged->keys[logged->left - 1] == key)
		logged->left--;
}

void logged_finish(struct logged *logged)
{
	if (logged->made)
		memtable_finish(&logged->memtable);
	free(logged->keys);
}
