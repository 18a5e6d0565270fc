/* core/solve/optimal/optimal3_bound.c: lower bounds of distances of the 3x3x3. */
#include "core/solve/optimal/optimal3.h"

#include "core/solve/optimal/optimal3_look.h"

/* Returns the most that the tables say of a state along the three axes. All see the same split. */
static int bound_along_axes(const struct optimal3 *tables, const struct cube_state3 *state)
{
	uint8_t split, turned[AXES];
	int bound = 0;
	splits_of(tables, state, &split, turned);
	for (int axis = 0; axis < AXES; axis++) {
		struct cube_state3 seen;
		symmetries_conjugate(&tables->symmetries, SYMMETRIES_UD * axis, state, &seen);
		const struct table_look look = look_up(tables, place_of(tables, &seen));
		const int distance =
			optimal3_distance(tables, axis, look.symmetry, look_read(&look), split);
		bound = distance > bound ? distance : bound;
	}
	return bound;
}

int optimal3_bound(const void *tables, const struct cube_state3 *state)
{
	struct cube_state3 inverse;
	cube_state3_invert(&inverse, state);
	const int here = bound_along_axes(tables, state);
	const int there = bound_along_axes(tables, &inverse);
	if (here == 0 && there == 0)
		return !cube_state3_equal(state, &cube_state3_solved);
	return here > there ? here : there;
}
