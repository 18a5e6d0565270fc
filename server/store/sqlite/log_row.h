/* log_row.h: a row of the log: entries of one commit, one after another.
 *
 * A row costs more than what is in it: its statement, its key, its place in the tree. So those that are
 * committed together share one, as long as it fits a page: of each its session, revision and length as
 * varints (server/util/varint.h), and the packed entry, by itself. A longer entry has a row of its own.
 * Where a row ends within one of these, or has a session or revision that cannot be, none of it is
 * believed. */
#ifndef SERVER_STORE_SQLITE_LOG_ROW_H
#define SERVER_STORE_SQLITE_LOG_ROW_H

#include "server/store/sqlite/memtable.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

#include <sqlite3.h>

/* What a leaf of 4,096 bytes takes without overflow, less the row's head. */
#define LOG_ROW_BYTES 4000

/* An empty row. */
void log_row_begin(struct buffer *row);
/* Whether an entry of that length may still go into it; into an empty one each may. */
bool log_row_has_room(const struct buffer *row, size_t length);
/* False if out of memory. */
MUST_USE bool log_row_add(struct buffer *row, uint64_t session, uint32_t revision,
			  const uint8_t *packed, size_t length);

/* All rows in order: seq, entries. */
extern const char log_rows_sql[];
/* Puts the entries of such a row into the memtable; nothing where it fails: SQLITE_NOMEM, or
 * SQLITE_CORRUPT where it cannot be read. */
MUST_USE int log_row_load(struct memtable *memtable, sqlite3_stmt *row);

/* Defines log_row(session, revision, entry) in SQL: the row of one entry. */
MUST_USE int log_row_define(sqlite3 *db);

#endif
