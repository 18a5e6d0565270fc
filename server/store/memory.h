/* memory.h: what tests may do to a memory store besides using it. */
#ifndef SERVER_STORE_MEMORY_H
#define SERVER_STORE_MEMORY_H

#include "server/store/store.h"

/* The next write is not kept and is answered `status` as a failed commit is: the generation rises, and
 * writes of the older generation fail with it; after STORE_BROKEN all later ones do. `store` was made by
 * store_memory_open. */
void store_memory_fail_next(struct store *store, enum store_status status);

#endif
