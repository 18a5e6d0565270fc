/* log_row.h: a row of the log: entries of one commit, one after another.
 *
 * A row costs more than its content: its statement, its key, its place in the tree. So entries that
 * are committed together share a row, as long as it fits a page. Each is its session, revision and
 * length as varints (server/util/varint.h), and the packed entry. A longer entry has its own row.
 * If a row ends within an entry, or has an impossible session or revision, all of it counts as
 * damaged. */
#ifndef SERVER_STORE_SQLITE_LOG_ROW_H
#define SERVER_STORE_SQLITE_LOG_ROW_H

#include "server/store/sqlite/memtable.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

#include <sqlite3.h>

/* The bytes that fit a leaf of 4,096 bytes without overflow, less the row's head. */
#define LOG_ROW_BYTES 4000

/* Empties the row. */
void log_row_begin(struct buffer *row);
/* Returns true if an entry of this length still fits; any fits an empty row. */
bool log_row_has_room(const struct buffer *row, size_t length);
/* False if out of memory. */
MUST_USE bool log_row_add(struct buffer *row, uint64_t session, uint32_t revision,
			  const uint8_t *packed, size_t length);

/* All rows in order: seq, entries. */
extern const char log_rows_sql[];
/* Adds the entries of such a row to the memtable; none if it fails: SQLITE_NOMEM, or SQLITE_CORRUPT
 * if it is damaged. */
MUST_USE int log_row_load(struct memtable *memtable, sqlite3_stmt *row);

/* Defines log_row(session, revision, entry) in SQL: the row of one entry. */
MUST_USE int log_row_define(sqlite3 *db);

#endif
