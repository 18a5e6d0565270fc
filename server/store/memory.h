/* memory.h: the memory store: sessions that live as long as the process. */
#ifndef SERVER_STORE_MEMORY_H
#define SERVER_STORE_MEMORY_H

#include "server/store/store.h"

/* Stores of one name share their sessions while any of them is open; "" is private to this store.
 * NULL with a sentence in `error` if out of memory. */
MUST_USE struct store *store_memory_open(const char *name, const struct store_options *options,
					 struct error *error);

/* For tests: the next write fails with `status`, as a failed commit does: the generation rises, and
 * writes of the older generation fail too; after STORE_BROKEN all later ones do. `store` was made
 * by store_memory_open(). */
void store_memory_fail_next(struct store *store, enum store_status status);

/* For tests: as if the reader's store had posted its notices `ms` earlier. */
void store_memory_silent(struct store_reader *reader, int64_t ms);

#endif
