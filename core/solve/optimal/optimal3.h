/* core/solve/optimal/optimal3.h: lower bounds of distances of the 3x3x3, for the files beside it. */
#ifndef CORE_SOLVE_OPTIMAL_OPTIMAL3_H
#define CORE_SOLVE_OPTIMAL_OPTIMAL3_H

#include "cube/state3.h"

/* Returns a lower bound of the length of every solution: the most that `tables`, any of the method's, say of
 * the state and of its inverse along the three axes. */
int optimal3_bound(const void *tables, const struct cube_state3 *state);

#endif
