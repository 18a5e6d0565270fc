/* postgres.h: the store on PostgreSQL, as a kind of stores.
 *
 * Several processes may open the same database; each sees what the others write (`changes` in
 * server/store/store.h). */
#ifndef SERVER_STORE_POSTGRES_POSTGRES_H
#define SERVER_STORE_POSTGRES_POSTGRES_H

#include "server/store/database_kind.h"
#include "server/store/kinds.h"

/* `conninfo` is what follows "postgresql:" in the location: "//user@host/database", or
 * "host=a,b dbname=cubed". Creates the tables in an empty database. NULL with a sentence in
 * `error`. */
MUST_USE struct store *
store_postgres_open(const char *conninfo, const struct store_options *options, struct error *error);

/* Reads and fills a database outside the service (walk.c, load.c). */
extern const struct database_kind database_postgres;

/* Both, for store_kind_add(). */
extern const struct store_kind store_kind_postgres;

#endif
