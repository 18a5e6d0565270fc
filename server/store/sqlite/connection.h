/* connection.h: a connection to a database with its prepared statements, and what SQLite's failures mean.
 * One thread at a time. */
#ifndef SERVER_STORE_SQLITE_CONNECTION_H
#define SERVER_STORE_SQLITE_CONNECTION_H

#include <sqlite3.h>

#include "server/store/chunk.h"
#include "server/util/error.h"

#define STATEMENTS_MAX 64
#define CONNECTION_BUSY_MS 5000 /* for locks of foreign tools; ours never collide */

struct sqlite_connection {
	sqlite3 *db;
	int count;
	sqlite3_stmt *statements[STATEMENTS_MAX];
};

/* Result codes are SQLite's, extended. The connection can be closed whatever open answered. */
MUST_USE int connection_open(struct sqlite_connection *connection, const char *path, int flags);
/* The only way to open a connection that is not the writer's: it can neither write nor checkpoint. `flags` are further
 * ones. */
MUST_USE int connection_open_read_only(struct sqlite_connection *connection, const char *path,
				       int flags);
MUST_USE int connection_prepare(struct sqlite_connection *connection, const char *const *sql,
				int count);
void connection_close(struct sqlite_connection *connection);
/* Runs a prepared statement that gives no rows, and resets it. */
MUST_USE int connection_run(struct sqlite_connection *connection, int statement);
/* The same after binding, which answered `bad` (SQLITE_OK, or codes or'ed together); clears the bindings. */
MUST_USE int connection_run_bound(struct sqlite_connection *connection, int statement, int bad);
/* Runs text; one integer of its first row in *value unless that is NULL. */
MUST_USE int connection_value(struct sqlite_connection *connection, const char *sql,
			      int64_t *value);
/* Ends a transaction that may or may not be there. False if it cannot be ended. */
MUST_USE bool connection_rollback(struct sqlite_connection *connection);
/* What a failure means for those who wait; SQLITE_OK, ROW and DONE are STORE_OK. */
enum store_status connection_status(struct sqlite_connection *connection, int result);

/* The same for a checkpoint, which writes to the database itself. */
enum store_status connection_checkpoint_status(struct sqlite_connection *connection, int result);

/* Copies a chunk out of a row (first, entries) and one (state), NULL if there is none. */
MUST_USE enum store_status connection_chunk(sqlite3_stmt *entries, sqlite3_stmt *state,
					    struct chunk *chunk);

#endif
