/* kept_cache.c: a list, the most recently used first. What is in use when it leaves the list is freed by
 * its last user. */
#include "server/util/kept_cache.h"

#include <stdlib.h>
#include <utlist.h>

#include "server/util/lock.h"

struct kept_cache {
	struct lock lock;
	size_t bytes_max;
	bool (*has_key)(const struct kept *kept, const void *key);
	void (*free_kept)(struct kept *kept);
	struct kept *first;
	struct kept_count count;
};

struct kept_cache *kept_cache_create(size_t bytes_max,
				     bool (*has_key)(const struct kept *kept, const void *key),
				     void (*free_kept)(struct kept *kept))
{
	struct kept_cache *cache = calloc(1, sizeof *cache);
	if (!cache)
		return NULL;
	if (!lock_init(&cache->lock)) {
		free(cache);
		return NULL;
	}
	cache->bytes_max = bytes_max;
	cache->has_key = has_key;
	cache->free_kept = free_kept;
	return cache;
}

static void free_list(const struct kept_cache *cache, struct kept *first)
{
	struct kept *kept, *next;
	DL_FOREACH_SAFE (first, kept, next)
		cache->free_kept(kept);
}

void kept_cache_destroy(struct kept_cache *cache)
{
	if (!cache)
		return;
	free_list(cache, cache->first);
	lock_destroy(&cache->lock);
	free(cache);
}

/* Puts the one with that key first in the list and counts a user; NULL: there is none. */
static struct kept *take(struct kept_cache *cache, const void *key)
{
	struct kept *kept;
	lock_assert_held(&cache->lock);
	DL_FOREACH(cache->first, kept)
	if (cache->has_key(kept, key)) {
		DL_DELETE(cache->first, kept);
		DL_PREPEND(cache->first, kept);
		kept->users++;
		return kept;
	}
	return NULL;
}

struct kept *kept_cache_find(struct kept_cache *cache, const void *key)
{
	lock_acquire(&cache->lock);
	struct kept *kept = take(cache, key);
	lock_release(&cache->lock);
	return kept;
}

/* Moves the least recently used ones to *freed until the others fit. */
static void evict(struct kept_cache *cache, struct kept **freed)
{
	lock_assert_held(&cache->lock);
	while (cache->count.bytes > cache->bytes_max) {
		struct kept *last = cache->first->prev;
		DL_DELETE(cache->first, last);
		last->listed = false;
		cache->count.kept--;
		cache->count.bytes -= last->bytes;
		if (last->users == 0)
			DL_PREPEND(*freed, last);
	}
}

struct kept *kept_cache_add(struct kept_cache *cache, struct kept *kept, const void *key)
{
	struct kept *freed = NULL;
	kept->users = 1;
	lock_acquire(&cache->lock);
	struct kept *other = key ? take(cache, key) : NULL;
	cache->count.made++;
	if (other) {
		DL_PREPEND(freed, kept);
	} else if (key) {
		DL_PREPEND(cache->first, kept);
		kept->listed = true;
		cache->count.kept++;
		cache->count.bytes += kept->bytes;
		evict(cache, &freed);
	}
	lock_release(&cache->lock);
	free_list(cache, freed);
	return other ? other : kept;
}

void kept_cache_release(struct kept_cache *cache, struct kept *kept)
{
	if (!kept)
		return;
	lock_acquire(&cache->lock);
	const bool over = --kept->users == 0 && !kept->listed;
	lock_release(&cache->lock);
	if (over)
		cache->free_kept(kept);
}

struct kept_count kept_cache_count(struct kept_cache *cache)
{
	lock_acquire(&cache->lock);
	const struct kept_count count = cache->count;
	lock_release(&cache->lock);
	return count;
}
