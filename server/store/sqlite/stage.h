/* stage.h: writes with thousands of solves, in slices; see stage.c. */
#ifndef SERVER_STORE_SQLITE_STAGE_H
#define SERVER_STORE_SQLITE_STAGE_H

#include "server/util/error.h"

struct sqlite_connection;
struct sqlite_store;
struct store_write;

/* Moves the writes that are too large for one transaction to a list of their own. Returns the others. */
MUST_USE struct store_write *stage_split(struct sqlite_store *store, struct store_write *batch);
/* Deletes a slice of what is left of one that failed, or else writes a slice of the first that waits, and
 * answers it after the last slice. */
void stage_step(struct sqlite_store *store);
/* Looks for what a process that was killed left of one. SQLite's result. */
MUST_USE int stage_find_left(struct sqlite_store *store);
/* Deletes from a copy all that is not visible. SQLite's result. */
MUST_USE int stage_forget(struct sqlite_connection *connection);

/* Solves that a slice deletes at most. */
#define STAGE_DROP_ROWS 4096
#define STAGE_DROP_TEXT "4096"

/* A row of `solve` is visible: it is not of a write that is under way or failed. */
#define STAGED(name) "(SELECT CAST(value AS INTEGER) FROM meta WHERE name = '" name "')"
#define SOLVE_SEEN                                                                                 \
	"solve.seq NOT BETWEEN ifnull(" STAGED("staged_first") ", 1) AND ifnull(" STAGED(          \
		"staged_last") ", 0)"

#endif
