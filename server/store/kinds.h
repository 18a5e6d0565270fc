/* kinds.h: the kinds of stores by the scheme of their locations: "sqlite:PATH", "memory:NAME",
 * "postgresql:CONNINFO".
 *
 * A kind that is in a module is added when the program begins. Without the module its scheme is
 * known, but has no kind. */
#ifndef SERVER_STORE_KINDS_H
#define SERVER_STORE_KINDS_H

#include "server/store/store.h"

struct database_kind;

struct store_kind {
	const char *scheme; /* "sqlite" */
	/* `rest` is the location without its scheme. NULL with a sentence in `error`. */
	struct store *(*open)(const char *rest, const struct store_options *options,
			      struct error *error);
	const struct database_kind *database; /* NULL: it does not last */
};

/* Adds the kind of a module; its scheme is one of those in kinds.c. Before a store is opened, by one
 * thread. */
void store_kind_add(const struct store_kind *kind);

/* Returns the kind of a location, and what follows its scheme; NULL if this program has none. */
const struct store_kind *store_kind_find(const char *location, const char **rest);

/* Returns the module that the location needs and this program does not have; NULL if there is none. */
const char *store_kind_missing(const char *location);

/* Sets a sentence about a location whose module is missing, without what follows its scheme. */
void store_kind_explain_missing(const char *location, struct error *error);

#define STORE_SCHEMES_BYTES 64
/* Lists the schemes that this program has, with their colons. */
void store_kind_schemes(char text[STORE_SCHEMES_BYTES]);

#endif
