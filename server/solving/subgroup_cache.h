/* subgroup_cache.h: the subgroups of generators (cube/subgroup.h), made when first needed and kept
 * for later scrambles.
 *
 * Making one takes from a millisecond to half a second, and it has up to 14 MB of tables. No lock
 * is held meanwhile: two threads that need the same one at the same time both make it, and the
 * second one keeps none. Any thread. */
#ifndef SERVER_SOLVING_SUBGROUP_CACHE_H
#define SERVER_SOLVING_SUBGROUP_CACHE_H

#include "cube/subgroup.h"
#include "server/util/error.h"

/* The memory of subgroups that no scramble uses. */
#define SUBGROUP_CACHE_BYTES ((size_t)32 << 20)

struct subgroup_cache;
struct kept_subgroup;

/* `bytes_max`: beyond, what was used least recently is freed. NULL if out of memory. */
MUST_USE struct subgroup_cache *subgroup_cache_create(size_t bytes_max);
/* Every subgroup was released. May be NULL. */
void subgroup_cache_destroy(struct subgroup_cache *cache);

/* Takes the subgroup of these turns, and makes it if it is not kept; NULL if out of memory.
 * subgroup_cache_release() it. */
MUST_USE struct kept_subgroup *subgroup_cache_take(struct subgroup_cache *cache, int size,
						   const struct cube_turn *generators,
						   size_t count);
const struct cube_subgroup *kept_subgroup_tables(const struct kept_subgroup *kept);
/* `kept` may be NULL. */
void subgroup_cache_release(struct subgroup_cache *cache, struct kept_subgroup *kept);

/* Counts for metrics and tests. */
struct subgroup_cache_count {
	unsigned made; /* since the beginning */
	unsigned kept;
	size_t bytes; /* of those that are kept */
};
struct subgroup_cache_count subgroup_cache_count(struct subgroup_cache *cache);

#endif
