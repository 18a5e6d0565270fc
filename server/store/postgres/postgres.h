/* postgres.h: the store on PostgreSQL, as store.c sees it.
 *
 * Several processes may open the same database; each sees what the others write (`changes` in
 * server/store/store.h). */
#ifndef SERVER_STORE_POSTGRES_POSTGRES_H
#define SERVER_STORE_POSTGRES_POSTGRES_H

#include "server/store/store.h"

/* `conninfo` is what follows "postgresql:" in the location: "//user@host/database", or
 * "host=a,b dbname=cubed". Creates the tables in an empty database. NULL with a sentence in
 * `error`. */
MUST_USE struct store *
store_postgres_open(const char *conninfo, const struct store_options *options, struct error *error);

#endif
