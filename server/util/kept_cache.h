/* kept_cache.h: things that take long to make, shared by all who need them, and kept for later: the
 * most recently used ones, up to a number of bytes. What they are, how they are made and found is up
 * to the owner.
 *
 * No lock is held while one is made: two threads that need the same one at the same time both make it,
 * and the second one uses that of the first. Any thread, except create and destroy. */
#ifndef SERVER_UTIL_KEPT_CACHE_H
#define SERVER_UTIL_KEPT_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/util/error.h"

struct kept_cache;

/* The first member of what is kept. */
struct kept {
	struct kept *prev, *next; /* in the cache: the most recently used first */
	unsigned users;
	bool listed;
	size_t bytes; /* set by the owner: of all of it */
};

/* `bytes_max`: beyond, what was used least recently is freed. `has_key` says if one is what is looked
 * for; it is called with a lock held, and must not take another. NULL if out of memory. */
MUST_USE struct kept_cache *
kept_cache_create(size_t bytes_max, bool (*has_key)(const struct kept *kept, const void *key),
		  void (*free_kept)(struct kept *kept));
/* All are released. May be NULL. */
void kept_cache_destroy(struct kept_cache *cache);

/* Takes the one with that key; NULL if none is kept. */
MUST_USE struct kept *kept_cache_find(struct kept_cache *cache, const void *key);

/* Takes and keeps a new one, all zero but for its bytes and what the owner has set; `key` is its own.
 * Returns it, or the same one that another thread has added meanwhile: then the new one is freed. With
 * `key` NULL it is only counted, and freed with its last user. */
struct kept *kept_cache_add(struct kept_cache *cache, struct kept *kept, const void *key);

/* One that was taken is not used any more. May be NULL. */
void kept_cache_release(struct kept_cache *cache, struct kept *kept);

/* Counts for metrics and tests. */
struct kept_count {
	unsigned made; /* added since the beginning, those without a key too */
	unsigned kept;
	size_t bytes; /* of those that are kept */
};
struct kept_count kept_cache_count(struct kept_cache *cache);

#endif
