/* distances.h: how far states are from a goal (cube/distance.h) or from solved, or how far at least (cube/depth.h): tables that are made when they
 * are first needed, and kept. Any thread; while one makes a table, others that want one wait. */
#ifndef SERVER_SEARCH_DISTANCES_H
#define SERVER_SEARCH_DISTANCES_H

#include "cube/depth.h"
#include "cube/distance.h"
#include "server/util/error.h"

/* Making the tables of distances_from_solved() and of distances_bounds(). */
#define DISTANCES_FROM_SOLVED_NS 200000000
#define DISTANCES_BOUNDS_NS 200000000

struct distances;

/* NULL if out of memory. */
MUST_USE struct distances *distances_create(void);
/* May be NULL. */
void distances_destroy(struct distances *made);

/* Returns those of a goal that has them, up to 340 KB; NULL if out of memory. The first call for a goal takes some 40 ms. */
MUST_USE const struct cube_distances *distances_from_goal(struct distances *made,
							  const struct cube_goal_row *goal);

/* Returns those of the 3x3x3 near solved, 16 MiB; NULL if out of memory. */
MUST_USE const struct cube_depths *distances_from_solved(struct distances *made);

/* Returns the tables of cube_bound_of(), 1.9 MB: the smallest, whichever ones searches have, so that bounds are the same on every
 * server. NULL if out of memory. */
MUST_USE const void *distances_bounds(struct distances *made);

#endif
