/* goal_cache.c: goals made ready for searches, kept by name, place, generators and metric. */
#include "server/search/goal_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/hold.h"

struct kept_goal {
	struct kept kept; /* first: see kept_cache.h */
	/* The key. */
	const struct cube_named *named;
	uint32_t fits;
	enum cube_solve_metric metric;
	int size, hold;
	bool niss;
	size_t generator_count;
	struct cube_turn *generators;

	void *query; /* of a named goal: memory of its own, which outlives the request */
	struct cube_goal *tables;
};

static void free_goal(struct kept_goal *goal)
{
	free(goal->generators);
	free(goal->query);
	free(goal->tables);
	free(goal);
}

static void free_kept(struct kept *kept)
{
	free_goal((struct kept_goal *)kept);
}

static_assert(sizeof(struct cube_turn) == 5, "turns cannot be compared as bytes");

/* Styles count too: solutions are written with them. */
static bool has_same_turns(const struct kept_goal *a, const struct kept_goal *b)
{
	return a->generator_count == b->generator_count &&
	       (a->generator_count == 0 || memcmp(a->generators, b->generators,
						  a->generator_count * sizeof *a->generators) == 0);
}

static bool has_key(const struct kept *kept, const void *key)
{
	const struct kept_goal *a = (const struct kept_goal *)kept, *b = key;
	return a->named == b->named && a->fits == b->fits && a->metric == b->metric &&
	       a->size == b->size && a->hold == b->hold && a->niss == b->niss &&
	       has_same_turns(a, b);
}

struct kept_cache *goal_cache_create(size_t bytes_max)
{
	return kept_cache_create(bytes_max, has_key, free_kept);
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

struct kept *goal_cache_take(struct kept_cache *cache, const struct solve_goal *goal,
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
	struct kept *found = goal->named ? kept_cache_find(cache, &key) : NULL;
	*over = false;
	if (found)
		return found;
	struct kept_goal *made = copy_of(&key);
	if (!made)
		return NULL;
	struct solve_goal own = *goal;
	if (key.named)
		own.query = solve_goal_query(key.named, key.fits, key.size, made->query);
	made->tables = solve_goal_make(&own, cube, metric, deadline, &made->kept.bytes, over);
	if (!made->tables) {
		free_goal(made);
		return NULL;
	}
	made->kept.bytes += sizeof *made + key.generator_count * sizeof *key.generators;
	if (key.named)
		made->kept.bytes += solve_goal_query_bytes(key.named, key.size);
	return kept_cache_add(cache, &made->kept, key.named ? made : NULL);
}

const struct cube_goal *kept_goal_tables(const struct kept *kept)
{
	return ((const struct kept_goal *)kept)->tables;
}
