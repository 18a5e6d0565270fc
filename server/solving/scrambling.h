/* scrambling.h: scrambles (cube/scramble.h) by the system's randomness, or of a seed. */
#ifndef SERVER_SOLVING_SCRAMBLING_H
#define SERVER_SOLVING_SCRAMBLING_H

#include "cube/scramble.h"
#include "server/solving/table_cache.h"

#define SEED_BYTES_MAX 64

struct scrambling {
	struct cube_scramble_task task;
	struct cube_seeded seeded;
};

/* Begins a row of them; waits for tables where they are not open yet. `seed` NULL: by the system's
 * randomness, which nobody foresees. `scrambling` is not to be moved. */
MUST_USE enum table_cache_result scrambling_begin(struct scrambling *scrambling,
						  struct table_cache *table_cache, int size,
						  enum cube_scramble_variant variant,
						  const char *seed, size_t seed_length);

/* After it, whatever came back. */
void scrambling_end(struct scrambling *scrambling);

/* The next one, into cube_scramble_room(size) turns; how many. */
size_t scrambling_next(struct scrambling *scrambling, struct cube_turn *turns);

/* What one costs, in ns, roughly. */
uint64_t scrambling_cost(int size, enum cube_scramble_variant variant);

#endif
