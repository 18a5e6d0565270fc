/* goal_cache.c: goals made ready for searches, kept by name, place, generators and metric. */
#include "server/solving/goal_cache.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "cube/hold.h"
#include "server/util/lock.h"

struct kept_goal {
	struct kept_goal *prev, *next; /* in the cache: the most recently used first */
	unsigned users;
	bool listed;
	/* The key. */
	const struct cube_named *named;
	uint32_t fits;
	enum cube_solve_metric metric;
	int size, hold;
	bool niss;
	size_t generator_count;
	struct cube_turn *generators;

	size_t bytes;
	void *query; /* of a named goal: memory of its own, which outlives the request */
	struct cube_goal *tables;
};

struct goal_cache {
	struct lock lock;
	size_t bytes_max;
	struct kept_goal *goals;
	struct goal_cache_count count;
};

struct goal_cache *goal_cache_create(size_t bytes_max)
{
	struct goal_cache *cache = calloc(1, sizeof *cache);
	if (cache && !lock_init(&cache->lock)) {
		free(cache);
		return NULL;
	}
	if (cache)
		cache->bytes_max = bytes_max;
	return cache;
}

static void free_goal(struct kept_goal *kept)
{
	free(kept->generators);
	free(kept->query);
	free(kept->tables);
	free(kept);
}

void goal_cache_destroy(struct goal_cache *cache)
{
	struct kept_goal *kept, *next;
	if (!cache)
		return;
	DL_FOREACH_SAFE (cache->goals, kept, next)
		free_goal(kept);
	lock_destroy(&cache->lock);
	free(cache);
}

/* ---- the list ---- */

/* Styles count too: solutions are written with them. */
static bool same_turns(const struct cube_turn *a, const struct cube_turn *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i].face != b[i].face || a[i].from != b[i].from || a[i].to != b[i].to ||
		    a[i].quarters != b[i].quarters || a[i].style != b[i].style)
			return false;
	return true;
}

static bool same_key(const struct kept_goal *a, const struct kept_goal *b)
{
	return a->named == b->named && a->fits == b->fits && a->metric == b->metric &&
	       a->size == b->size && a->hold == b->hold && a->niss == b->niss &&
	       a->generator_count == b->generator_count &&
	       same_turns(a->generators, b->generators, a->generator_count);
}

/* With the lock. Takes the goal with that key out of the list; NULL if there is none. */
static struct kept_goal *unlist(struct goal_cache *cache, const struct kept_goal *key)
{
	struct kept_goal *kept;
	lock_assert_held(&cache->lock);
	DL_FOREACH(cache->goals, kept)
	if (same_key(kept, key)) {
		DL_DELETE(cache->goals, kept);
		return kept;
	}
	return NULL;
}

/* Puts the goal with that key first in the list and counts a user; NULL if there is none. */
static struct kept_goal *find(struct goal_cache *cache, const struct kept_goal *key)
{
	lock_acquire(&cache->lock);
	struct kept_goal *kept = unlist(cache, key);
	if (kept) {
		kept->users++;
		DL_PREPEND(cache->goals, kept);
	}
	lock_release(&cache->lock);
	return kept;
}

/* With the lock. Moves the least recently used goals to *freed until the others fit; those that are in
 * use are freed by their last user. */
static void evict(struct goal_cache *cache, struct kept_goal **freed)
{
	lock_assert_held(&cache->lock);
	while (cache->count.bytes > cache->bytes_max) {
		struct kept_goal *last = cache->goals->prev;
		DL_DELETE(cache->goals, last);
		last->listed = false;
		cache->count.kept--;
		cache->count.bytes -= last->bytes;
		if (last->users == 0)
			DL_PREPEND(*freed, last);
	}
}

/* Lists a new goal, unless another thread has listed the same one meanwhile. */
static void add(struct goal_cache *cache, struct kept_goal *kept)
{
	struct kept_goal *freed = NULL, *next, *other = NULL;
	lock_acquire(&cache->lock);
	cache->count.made++;
	if (kept->named)
		other = unlist(cache, kept);
	if (other) {
		DL_PREPEND(cache->goals, other);
	} else if (kept->named) {
		DL_PREPEND(cache->goals, kept);
		kept->listed = true;
		cache->count.kept++;
		cache->count.bytes += kept->bytes;
		evict(cache, &freed);
	}
	lock_release(&cache->lock);
	DL_FOREACH_SAFE (freed, kept, next)
		free_goal(kept);
}

/* ---- making ---- */

/* A copy of the key with all that it points to; NULL if out of memory. */
static struct kept_goal *copy_of(const struct kept_goal *key)
{
	struct kept_goal *kept = malloc(sizeof *kept);
	const size_t bytes = key->generator_count * sizeof *key->generators;
	if (!kept)
		return NULL;
	*kept = *key;
	kept->users = 1;
	kept->generators = malloc(bytes + 1);
	kept->query = key->named ? malloc(solve_goal_query_bytes(key->named, key->size)) : NULL;
	if (kept->generators && (!key->named || kept->query)) {
		if (bytes > 0)
			memcpy(kept->generators, key->generators, bytes);
		return kept;
	}
	free_goal(kept);
	return NULL;
}

struct kept_goal *goal_cache_take(struct goal_cache *cache, const struct solve_goal *goal,
				  const struct cube *cube, enum cube_solve_metric metric,
				  const struct table_cache_deadline *deadline, bool *over)
{
	const struct kept_goal key = {.named = goal->named,
				      .fits = goal->fits,
				      .metric = metric,
				      .size = cube->size,
				      .hold = cube->size == 3 ? cube_hold_of(cube) : 0,
				      .niss = goal->niss,
				      .generator_count = goal->generator_count,
				      .generators =
					      (struct cube_turn *)(uintptr_t)goal->generators};
	struct kept_goal *kept = goal->named ? find(cache, &key) : NULL;
	*over = false;
	if (kept)
		return kept;
	kept = copy_of(&key);
	if (!kept)
		return NULL;
	struct solve_goal own = *goal;
	if (key.named)
		own.query = solve_goal_query(key.named, key.fits, key.size, kept->query);
	kept->tables = solve_goal_make(&own, cube, metric, deadline, &kept->bytes, over);
	if (!kept->tables) {
		free_goal(kept);
		return NULL;
	}
	kept->bytes += sizeof *kept + key.generator_count * sizeof *key.generators;
	if (key.named)
		kept->bytes += solve_goal_query_bytes(key.named, key.size);
	add(cache, kept);
	return kept;
}

const struct cube_goal *kept_goal_tables(const struct kept_goal *kept)
{
	return kept->tables;
}

void goal_cache_release(struct goal_cache *cache, struct kept_goal *kept)
{
	if (!kept)
		return;
	lock_acquire(&cache->lock);
	const bool over = --kept->users == 0 && !kept->listed;
	lock_release(&cache->lock);
	if (over)
		free_goal(kept);
}

struct goal_cache_count goal_cache_count(struct goal_cache *cache)
{
	lock_acquire(&cache->lock);
	const struct goal_cache_count count = cache->count;
	lock_release(&cache->lock);
	return count;
}
