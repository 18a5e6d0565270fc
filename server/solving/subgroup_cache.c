/* subgroup_cache.c: the subgroups of generators, the most recently used ones. */
#include "server/solving/subgroup_cache.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "server/util/lock.h"

struct kept_subgroup {
	struct kept_subgroup *prev, *next; /* in the cache: the most recently used first */
	unsigned users;
	bool listed;
	size_t bytes; /* of all of it */
	struct cube_subgroup *subgroup;
	/* The key. */
	int size;
	size_t count;
	struct cube_turn generators[];
};

struct subgroup_cache {
	struct lock lock;
	size_t bytes_max;
	struct kept_subgroup *subgroups;
	struct subgroup_cache_count count;
};

struct subgroup_cache *subgroup_cache_create(size_t bytes_max)
{
	struct subgroup_cache *cache = calloc(1, sizeof *cache);
	if (cache && !lock_init(&cache->lock)) {
		free(cache);
		return NULL;
	}
	if (cache)
		cache->bytes_max = bytes_max;
	return cache;
}

static void free_subgroup(struct kept_subgroup *kept)
{
	free(kept->subgroup);
	free(kept);
}

void subgroup_cache_destroy(struct subgroup_cache *cache)
{
	struct kept_subgroup *kept, *next;
	if (!cache)
		return;
	DL_FOREACH_SAFE (cache->subgroups, kept, next)
		free_subgroup(kept);
	lock_destroy(&cache->lock);
	free(cache);
}

/* ---- the list ---- */

/* Styles count too: scrambles are written with them. */
static bool has_key(const struct kept_subgroup *kept, int size, const struct cube_turn *generators,
		    size_t count)
{
	if (kept->size != size || kept->count != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct cube_turn *a = &kept->generators[i], *b = &generators[i];
		if (a->face != b->face || a->from != b->from || a->to != b->to ||
		    a->quarters != b->quarters || a->style != b->style)
			return false;
	}
	return true;
}

/* Puts the subgroup with that key first in the list and counts a user; NULL if there is none. */
static struct kept_subgroup *find(struct subgroup_cache *cache, int size,
				  const struct cube_turn *generators, size_t count)
{
	struct kept_subgroup *kept;
	lock_assert_held(&cache->lock);
	DL_FOREACH(cache->subgroups, kept)
	if (has_key(kept, size, generators, count)) {
		DL_DELETE(cache->subgroups, kept);
		DL_PREPEND(cache->subgroups, kept);
		kept->users++;
		return kept;
	}
	return NULL;
}

/* Moves the least recently used ones to *freed until the others fit; those that are in use are
 * freed by their last user. */
static void evict(struct subgroup_cache *cache, struct kept_subgroup **freed)
{
	lock_assert_held(&cache->lock);
	while (cache->count.bytes > cache->bytes_max) {
		struct kept_subgroup *last = cache->subgroups->prev;
		DL_DELETE(cache->subgroups, last);
		last->listed = false;
		cache->count.kept--;
		cache->count.bytes -= last->bytes;
		if (last->users == 0)
			DL_PREPEND(*freed, last);
	}
}

/* Lists a new one; or returns the one that another thread has listed meanwhile. */
static struct kept_subgroup *add(struct subgroup_cache *cache, struct kept_subgroup *kept)
{
	struct kept_subgroup *freed = NULL, *each, *next;
	lock_acquire(&cache->lock);
	struct kept_subgroup *other = find(cache, kept->size, kept->generators, kept->count);
	cache->count.made++;
	if (other) {
		DL_PREPEND(freed, kept);
	} else {
		DL_PREPEND(cache->subgroups, kept);
		kept->listed = true;
		cache->count.kept++;
		cache->count.bytes += kept->bytes;
		evict(cache, &freed);
	}
	lock_release(&cache->lock);
	DL_FOREACH_SAFE (freed, each, next)
		free_subgroup(each);
	return other ? other : kept;
}

/* ---- making ---- */

/* Makes one, and gives back the memory that it does not need. */
static struct kept_subgroup *make(int size, const struct cube_turn *generators, size_t count)
{
	struct kept_subgroup *kept = malloc(sizeof *kept + count * sizeof *generators);
	if (!kept)
		return NULL;
	*kept = (struct kept_subgroup){.users = 1, .size = size, .count = count};
	kept->subgroup = malloc(CUBE_SUBGROUP_BYTES);
	if (!kept->subgroup) {
		free(kept);
		return NULL;
	}
	memcpy(kept->generators, generators, count * sizeof *generators);
	kept->bytes = cube_subgroup_make(size, generators, count, kept->subgroup);
	struct cube_subgroup *smaller = realloc(kept->subgroup, kept->bytes);
	if (smaller)
		kept->subgroup = smaller;
	else
		kept->bytes = CUBE_SUBGROUP_BYTES;
	kept->bytes += sizeof *kept + count * sizeof *generators;
	return kept;
}

struct kept_subgroup *subgroup_cache_take(struct subgroup_cache *cache, int size,
					  const struct cube_turn *generators, size_t count)
{
	lock_acquire(&cache->lock);
	struct kept_subgroup *kept = find(cache, size, generators, count);
	lock_release(&cache->lock);
	if (kept)
		return kept;
	kept = make(size, generators, count);
	return kept ? add(cache, kept) : NULL;
}

const struct cube_subgroup *kept_subgroup_tables(const struct kept_subgroup *kept)
{
	return kept->subgroup;
}

void subgroup_cache_release(struct subgroup_cache *cache, struct kept_subgroup *kept)
{
	if (!kept)
		return;
	lock_acquire(&cache->lock);
	const bool over = --kept->users == 0 && !kept->listed;
	lock_release(&cache->lock);
	if (over)
		free_subgroup(kept);
}

struct subgroup_cache_count subgroup_cache_count(struct subgroup_cache *cache)
{
	lock_acquire(&cache->lock);
	const struct subgroup_cache_count count = cache->count;
	lock_release(&cache->lock);
	return count;
}
