/* scrambling.h: scrambles (cube/scramble.h) by the system's randomness, or of a seed. */
#ifndef SERVER_SEARCH_SCRAMBLING_H
#define SERVER_SEARCH_SCRAMBLING_H

#include "cube/scramble.h"
#include "server/search/table_cache.h"

#define SEED_BYTES_MAX 64

struct scrambling {
	struct cube_scramble_task task;
	struct cube_seeded seeded;
};

/* Begins a series of scrambles; waits for tables that are not open yet. `seed` NULL: the system's
 * randomness, which is unpredictable. `scrambling` must not be moved. */
MUST_USE enum table_cache_result scrambling_begin(struct scrambling *scrambling,
						  struct table_cache *table_cache, int size,
						  enum cube_scramble_variant variant,
						  const char *seed, size_t seed_length);

/* After scrambling_begin() for a 3x3x3 that succeeded: only states that fit the query, which must
 * outlive the series, as must `draw`, of cube_draw_bytes(). False if none was found (cube/draw.h). */
MUST_USE bool scrambling_draw(struct scrambling *scrambling, struct cube_draw *draw,
			      const struct cube_query_node *query);

/* After scrambling_begin() of the set's size: only states of that case; NULL: of any of the set. */
void scrambling_of_set(struct scrambling *scrambling, const struct cube_set *set,
		       const struct cube_case *one);
/* The same for states at a distance from a goal; `distant` must outlive the series. */
void scrambling_draw_distant(struct scrambling *scrambling, const struct cube_distant *distant);

/* After scrambling_begin() of size 2 or 3: a random walk of these turns, which must outlive the series. */
void scrambling_walk(struct scrambling *scrambling, const struct cube_turn *generators,
		     size_t count);

/* The same for random states of a subgroup that cube_subgroup_writes(), which must outlive the series. */
void scrambling_of_subgroup(struct scrambling *scrambling, const struct cube_subgroup *subgroup);

/* After scrambling_begin(), whatever it returned. */
void scrambling_end(struct scrambling *scrambling);

/* Writes the next one, of at most cube_scramble_room(size) turns; returns how many. */
size_t scrambling_next(struct scrambling *scrambling, struct cube_turn *turns);

/* The approximate cost of one scramble, in ns. */
uint64_t scrambling_cost(int size, enum cube_scramble_variant variant);

#endif
