/* stage.h: writes with thousands of solves, in slices; see stage.c. */
#ifndef SERVER_STORE_SQLITE_STAGE_H
#define SERVER_STORE_SQLITE_STAGE_H

#include "server/util/error.h"

struct sqlite_connection;
struct sqlite_store;
struct store_write;

/* Moves the writes that are too large for one transaction to their own list. Returns the others. */
MUST_USE struct store_write *stage_split(struct sqlite_store *store, struct store_write *batch);
/* Deletes a slice of what is left of a failed write, or else writes a slice of the first waiting
 * one, and answers it after the last slice. */
void stage_step(struct sqlite_store *store);
/* Looks for the rest of a write that a killed process has left: SQLite's result. */
MUST_USE int stage_find_left(struct sqlite_store *store);
/* Deletes the rows that are not visible from a copy: SQLite's result. */
MUST_USE int stage_forget(struct sqlite_connection *connection);

/* Most solves that a slice deletes. */
#define STAGE_DROP_ROWS 4096
#define STAGE_DROP_TEXT "4096"

/* A row of `solve` is visible: it does not belong to a write that is in progress or failed. */
#define STAGED(name) "(SELECT CAST(value AS INTEGER) FROM meta WHERE name = '" name "')"
#define SOLVE_SEEN                                                                                 \
	"solve.seq NOT BETWEEN ifnull(" STAGED("staged_first") ", 1) AND ifnull(" STAGED(          \
		"staged_last") ", 0)"

#endif
