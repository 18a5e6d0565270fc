/* core/solve/reduction/steps.h: the centres of sizes 5 to 7 in few turns; internal. */
#ifndef CORE_SOLVE_REDUCTION_STEPS_H
#define CORE_SOLVE_REDUCTION_STEPS_H

#include "core/solve/reduction/centers.h"

/* The largest size whose centres are solved this way. */
#define STEPS_SIZE_MAX 7

/* A way to solve them, as turns of the reduction's cube. */
#define WAY_LENGTH 180
struct center_way {
	uint8_t count;
	struct cube_turn turn[WAY_LENGTH];
};

/* Finds a short way that solves the centres but for how the whole is held, and leaves all wings
 * even permutations. False if the search was stopped. `work` has steps_bytes(). */
bool steps_centers(struct reduction *reduction, const struct centers *centers, void *work,
		   struct center_way *way);
size_t steps_bytes(void);

#endif
