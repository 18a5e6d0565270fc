/* goal_distances.h: the distances of states from goals (cube/distance.h), made when first needed and
 * kept: up to 340 KB for each of a few goals. Any thread. */
#ifndef SERVER_SOLVING_GOAL_DISTANCES_H
#define SERVER_SOLVING_GOAL_DISTANCES_H

#include "cube/distance.h"
#include "server/util/error.h"

struct goal_distances;

/* NULL if out of memory. */
MUST_USE struct goal_distances *goal_distances_create(void);
/* May be NULL. */
void goal_distances_destroy(struct goal_distances *made);

/* Returns the distances of a goal that has them; NULL if out of memory. The first call for a goal
 * takes some 40 ms, and calls from other threads wait meanwhile. */
MUST_USE const struct cube_distances *goal_distances_take(struct goal_distances *made,
							  const struct cube_goal_row *goal);

#endif
