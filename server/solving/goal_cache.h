/* goal_cache.h: goals made ready for searches, kept for later requests.
 *
 * Making the tables of a goal takes tens of milliseconds, searching with them often less than one. So
 * goals with a name are kept: one for each name, place, set of generators, metric, size and way to hold
 * the cube. Other goals are made for one search and freed after it.
 *
 * No lock is held while a goal is made: two threads that need the same one at the same time both make
 * it, and the second one keeps none. Any thread. */
#ifndef SERVER_SOLVING_GOAL_CACHE_H
#define SERVER_SOLVING_GOAL_CACHE_H

#include "server/solving/goal.h"

/* The memory of goals that no search uses: some 0.5 MB for a cross, at most 8 MB for a goal. */
#define GOAL_CACHE_BYTES ((size_t)32 << 20)

struct goal_cache;
struct kept_goal;

/* `bytes_max`: beyond, what was used least recently is freed. NULL if out of memory. */
MUST_USE struct goal_cache *goal_cache_create(size_t bytes_max);
/* Every goal was released. May be NULL. */
void goal_cache_destroy(struct goal_cache *cache);

/* Takes the goal for that cube, and makes it if it is not kept, as solve_goal_make() does: NULL if out of
 * memory, or, with `over` true, if the deadline was first. goal_cache_release() it before the question
 * ends. */
MUST_USE struct kept_goal *goal_cache_take(struct goal_cache *cache, const struct solve_goal *goal,
					   const struct cube *cube, enum cube_solve_metric metric,
					   const struct table_cache_deadline *deadline, bool *over);
const struct cube_goal *kept_goal_tables(const struct kept_goal *kept);
/* May be NULL. */
void goal_cache_release(struct goal_cache *cache, struct kept_goal *kept);

/* Counts for metrics and tests. */
struct goal_cache_count {
	unsigned made; /* since the beginning, the unnamed ones too */
	unsigned kept;
	size_t bytes; /* of those that are kept */
};
struct goal_cache_count goal_cache_count(struct goal_cache *cache);

#endif
