/* subgroup_cache.h: the subgroups of generators (cube/subgroup.h), made when first needed and kept
 * for later scrambles. Making one takes from a millisecond to half a second, and it has up to 14 MB of
 * tables. Any thread. */
#ifndef SERVER_SEARCH_SUBGROUP_CACHE_H
#define SERVER_SEARCH_SUBGROUP_CACHE_H

#include "cube/subgroup.h"
#include "server/util/kept_cache.h"

/* The memory of subgroups that no scramble uses. */
#define SUBGROUP_CACHE_BYTES ((size_t)32 << 20)

/* `bytes_max`: beyond, what was used least recently is freed. NULL if out of memory. */
MUST_USE struct kept_cache *subgroup_cache_create(size_t bytes_max);

/* Takes the subgroup of these turns, and makes it if it is not kept; NULL if out of memory.
 * kept_cache_release() it. */
MUST_USE struct kept *subgroup_cache_take(struct kept_cache *cache, int size,
					  const struct cube_turn *generators, size_t count);
const struct cube_subgroup *kept_subgroup_tables(const struct kept *kept);

#endif
