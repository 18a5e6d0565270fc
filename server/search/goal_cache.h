/* goal_cache.h: goals made ready for searches, kept for later requests.
 *
 * Making the tables of a goal takes tens of milliseconds, searching with them often less than one. So
 * goals with a name are kept: one for each name, place, set of generators, metric, size and way to hold
 * the cube. Other goals are made for one search and freed after it. Any thread. */
#ifndef SERVER_SEARCH_GOAL_CACHE_H
#define SERVER_SEARCH_GOAL_CACHE_H

#include "server/search/goal.h"
#include "server/util/kept_cache.h"

/* The memory of goals that no search uses: some 0.5 MB for a cross, at most 8 MB for a goal. */
#define GOAL_CACHE_BYTES ((size_t)32 << 20)

MUST_USE struct kept_cache *goal_cache_create(size_t bytes_max);

/* Takes the goal for that cube, and makes it if it is not kept, as solve_goal_make() does: NULL if out of
 * memory, or, with `over` true, if the deadline was first. kept_cache_release() it before the question
 * ends. */
MUST_USE struct kept *goal_cache_take(struct kept_cache *cache, const struct solve_goal *goal,
				      const struct cube *cube, enum cube_solve_metric metric,
				      const struct table_cache_deadline *deadline, bool *over);
const struct cube_goal *kept_goal_tables(const struct kept *kept);

#endif
