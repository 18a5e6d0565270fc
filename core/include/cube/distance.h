/* cube/distance.h: random states of a 3x3x3 that are exactly so many turns away from a goal, each as
 * likely as the others: a cross of six turns, edges that are oriented by five.
 *
 * Turns are those of outer layers, a half turn is one (HTM). How far a state is from such a goal
 * depends on few of its pieces: for a cross on where four edges are and how they are flipped, 24 * 22 *
 * 20 * 18 = 190,080 arrangements. A table has the distance of each (core/solve/goal/table.c, breadth
 * first from the goal). A state is drawn in two steps: one of the arrangements of that distance, each
 * as likely; then the other pieces among all that make a cube that turns lead to. Every arrangement
 * has as many of them, so all states are as likely.
 *
 *     eo      all edges oriented: 2,048 arrangements, up to 7 turns
 *     2x2x2   a corner and three edges: 253,440, up to 8 turns
 *     cross   four edges: 190,080, up to 8 turns: 1, 15, 158, 1394, 9809, 46381, 97254, 34966 and
 *             102, as speedcubers have long known
 *
 * The other goals of cube/goals.h have too many arrangements for such a table, or, as a square whose
 * colours are free but for its centre's, more than one that is the goal. */
#ifndef CUBE_DISTANCE_H
#define CUBE_DISTANCE_H

#include "cube/goals.h"
#include "cube/random.h"

/* Opaque. The same for all places of a goal. */
struct cube_distances;

/* Bytes of it, aligned like malloc's: up to 340 KB. 0 if the goal is none of these
 * (goal->farthest < 0). */
CUBE_API size_t cube_distances_bytes(const struct cube_goal_row *goal);
/* Makes it; some 40 ms for a cross. Constant then: any number of threads may use it. */
CUBE_API void cube_distances_make(const struct cube_goal_row *goal,
				  struct cube_distances *distances);
/* Returns the number of arrangements that are so many turns away; 0 beyond goal->farthest. */
CUBE_API uint32_t cube_distances_count(const struct cube_distances *distances, int distance);

/* States at one distance, 0..goal->farthest, from the goal at one place: `fits` are those of the place
 * (cube_goal_fits), not 0. */
struct cube_distant {
	const struct cube_distances *distances;
	uint32_t fits;
	int distance;
};

/* Draws one of them, with its centres home. Some 20 microseconds. */
CUBE_API void cube_distant_draw(const struct cube_distant *distant,
				const struct cube_random *random, struct cube_cubies *cubies);

#endif
