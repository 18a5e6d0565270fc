/* room.h: the limit of the database's size, the reserve for deletions, and making room; see
 * room.c. */
#ifndef SERVER_STORE_SQLITE_ROOM_H
#define SERVER_STORE_SQLITE_ROOM_H

#include "server/store/store.h"
#include "server/util/error.h"

struct sqlite_store;

/* Sets the limit of the database's size from the options. A database that is larger already may
 * keep its size. */
MUST_USE bool room_limit(struct sqlite_store *store);
/* Sets the gauges of the database's size and of free space on its disk, at most once a second. */
void room_measure(struct sqlite_store *store);
/* True if fewer than a few pages are left below the limit. */
bool room_is_out(struct sqlite_store *store);
/* True if the database has as many pages in use as it may have, or more. */
bool room_is_exceeded(struct sqlite_store *store);
/* Called after a batch with deletions: if room is short, the contents of deleted sessions are
 * removed soon. */
void room_freed(struct sqlite_store *store, const struct store_write *batch);
/* If the disk is full, truncates the file that is reserved for deletions, before the database is
 * opened, which takes room too. False: there was nothing to truncate, or the disk is not full. */
MUST_USE bool room_release(const struct sqlite_store *store);
/* Opens the file that is reserved for deletions on a full disk, or creates it, and grows it as far
 * as there is room. */
void room_reserve(struct sqlite_store *store, bool create);
/* Grows the file again, as far as there is room. */
void room_refill(struct sqlite_store *store);
/* Runs a transaction that only frees room. If it fails with STORE_FULL, runs it again above the
 * limit of size, and then, with `reserve`, once more with the reserved file truncated. */
typedef enum store_status room_transaction(struct sqlite_store *store, void *context);
MUST_USE enum store_status room_run(struct sqlite_store *store, bool reserve, room_transaction *run,
				    void *context);
/* If room is short, a slice of what makes room: compacts entries, and empties deleted sessions. */
void room_make(struct sqlite_store *store);

#endif
