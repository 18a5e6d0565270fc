/* core/solve/reduction/bars.h: bounds for three orbits of centres together; internal. */
#ifndef CORE_SOLVE_REDUCTION_BARS_H
#define CORE_SOLVE_REDUCTION_BARS_H

#include "core/solve/reduction/centers.h"

/* Returns the state of an axis (0: U and D, 1: F and B, 2: R and L) that three orbits are in. */
static inline uint32_t bars_at(const struct centers *centers, int axis, uint32_t a, uint32_t b,
			       uint32_t c)
{
	int shift = 8 * axis;
	return centers->rank_byte[0][a >> shift & 255] + centers->rank_byte[1][b >> shift & 255] +
	       centers->rank_byte[2][c >> shift & 255];
}

/* The tables of a set and an axis.
 *
 * alone: the turns that bring an axis alone to its goal. share, rest: a turn's BARS_UNITS are
 * divided among the axes that it changes: all to that of an outer layer, half to each of the two
 * whose lines a block takes along. So the sum over the axes, in turns, is a bound for all of them.
 */
void bars_make(struct centers *centers, enum bars_set set, int axis);

#endif
