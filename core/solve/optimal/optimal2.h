/* core/solve/optimal/optimal2.h: distances of the 2x2x2, for the files beside it and tests. */
#ifndef CORE_SOLVE_OPTIMAL_OPTIMAL2_H
#define CORE_SOLVE_OPTIMAL_OPTIMAL2_H

#include "cube/solve.h"

#define OPTIMAL2_STATES 3674160u

/* Returns how far the state with that index (cube/index.h) is from solved; `tables` are the
 * method's. */
int optimal2_distance(const void *tables, uint32_t index, enum cube_solve_metric metric);

/* Writes `length` turns of U, R and F that solve that state, none of the face of the one before
 * it; false if there are none. */
bool optimal2_walk(const void *tables, uint32_t index, int length, struct cube_turn *turns);

#endif
