/* open.h: the sqlite store, as store.c sees it. */
#ifndef SERVER_STORE_SQLITE_OPEN_H
#define SERVER_STORE_SQLITE_OPEN_H

#include "server/store/store.h"

/* Opens the database, or creates it, locks it and starts the writer's thread. NULL with a sentence
 * in `error`. */
MUST_USE struct store *store_sqlite_open(const char *path, const struct store_options *options,
					 struct error *error);

#endif
