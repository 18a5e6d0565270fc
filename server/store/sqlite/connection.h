/* connection.h: a connection to a database with its prepared statements, and what SQLite's failures
 * mean. One thread at a time. */
#ifndef SERVER_STORE_SQLITE_CONNECTION_H
#define SERVER_STORE_SQLITE_CONNECTION_H

#include <sqlite3.h>

#include "server/store/chunk.h"
#include "server/util/error.h"

#define STATEMENTS_MAX 64
#define CONNECTION_BUSY_MS 5000 /* for locks of other tools; ours never collide */

struct sqlite_connection {
	sqlite3 *db;
	int count;
	sqlite3_stmt *statements[STATEMENTS_MAX];
};

/* Results are SQLite's extended codes. connection_close() must follow, also after a failure. */
MUST_USE int connection_open(struct sqlite_connection *connection, const char *path, int flags);
/* The only way to open a connection other than the writer's: it can neither write nor checkpoint.
 * `flags`: additional ones of sqlite3_open_v2(). */
MUST_USE int connection_open_read_only(struct sqlite_connection *connection, const char *path,
				       int flags);
MUST_USE int connection_prepare(struct sqlite_connection *connection, const char *const *sql,
				int count);
void connection_close(struct sqlite_connection *connection);
/* Runs a prepared statement without rows, and resets it. */
MUST_USE int connection_run(struct sqlite_connection *connection, int statement);
/* The same after binding, whose results or'ed together are `bad`: SQLITE_NOMEM unless that is
 * SQLITE_OK. Clears the bindings. */
MUST_USE int connection_run_bound(struct sqlite_connection *connection, int statement, int bad);
/* Runs SQL text; the first column of the first row goes to *value unless that is NULL. */
MUST_USE int connection_value(struct sqlite_connection *connection, const char *sql,
			      int64_t *value);
/* Ends the transaction, if there is one. False if that fails. */
MUST_USE bool connection_rollback(struct sqlite_connection *connection);
/* Returns the meaning of a result for a write or a read; SQLITE_OK, ROW and DONE are STORE_OK. */
enum store_status connection_status(struct sqlite_connection *connection, int result);

/* The same for a checkpoint, which writes to the database file. */
enum store_status connection_checkpoint_status(struct sqlite_connection *connection, int result);

/* Copies a chunk of session `key` from a row (first, entries, checksum) and its state from another one
 * (state, checksum; NULL: none). STORE_DAMAGED if a checksum is wrong. */
MUST_USE enum store_status connection_chunk(sqlite3_stmt *entries, sqlite3_stmt *state,
					    uint64_t key, struct chunk *chunk);

#endif
