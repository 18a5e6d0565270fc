/* core/solve/common/symmetry.c: the 48 symmetries, made of rotated solved cubes and one mirror. */
#include "core/solve/common/symmetry.h"

#include <assert.h>
#include <string.h>

#include "core/cubies/cubies_internal.h"

/* By letters as held: y2, z2, y, and x y, which takes U to R, R to F and F to U or the other way.
 */
#define HOLD_Y2 2
#define HOLD_Z2 10 /* x2 y2 */
#define HOLD_Y 1
#define HOLD_XY 5

void symmetries_conjugate(const struct symmetries *symmetries, int symmetry,
			  const struct cube_state3 *state, struct cube_state3 *result)
{
	cube_state3_compose(result, &symmetries->inverted[symmetry / 2], state);
	cube_state3_compose(result, result, &symmetries->rotation[symmetry / 2]);
	if (symmetry % 2)
		state3_mirror(result, result);
}

/* The symmetry that does to all moves what the first and then the second do. */
static int product(const struct symmetries *symmetries, int first, int second)
{
	uint8_t both[MOVES];
	for (int m = 0; m < MOVES; m++)
		both[m] = symmetries->move[second][symmetries->move[first][m]];
	for (int s = 0; s < SYMMETRIES; s++)
		if (memcmp(symmetries->move[s], both, sizeof(both)) == 0)
			return s;
	assert(false); /* the symmetries are a group */
	return 0;
}

static void make_rotations(struct symmetries *symmetries)
{
	for (int i = 0; i < SYMMETRIES / 2; i++) {
		int s = 2 * i, hold = 0;
		for (int k = s / SYMMETRIES_UD; k > 0; k--)
			hold = cube_hold_then(hold, HOLD_XY);
		hold = s & 4 ? cube_hold_then(hold, HOLD_Z2) : hold;
		hold = s & 2 ? cube_hold_then(hold, HOLD_Y2) : hold;
		hold = s & 8 ? cube_hold_then(hold, HOLD_Y) : hold;
		rotation_make(&symmetries->rotation[i], hold);
		cube_state3_invert(&symmetries->inverted[i], &symmetries->rotation[i]);
	}
}

void symmetries_make(struct symmetries *symmetries, const struct cube_state3 moves[MOVES])
{
	make_rotations(symmetries);
	for (int s = 0; s < SYMMETRIES; s++) {
		for (int m = 0; m < MOVES; m++) {
			struct cube_state3 seen;
			uint8_t as = 0;
			symmetries_conjugate(symmetries, s, &moves[m], &seen);
			while (!cube_state3_equal(&seen, &moves[as])) {
				as++;
				assert(as < MOVES);
			}
			symmetries->move[s][m] = as;
		}
	}
	for (int s = 0; s < SYMMETRIES_UD; s++)
		for (int t = 0; t < SYMMETRIES_UD; t++)
			symmetries->then[s][t] = (uint8_t)product(symmetries, s, t);
	for (int s = 0; s < SYMMETRIES; s++)
		for (uint8_t t = 0; t < SYMMETRIES; t++)
			if (product(symmetries, s, t) == 0)
				symmetries->inverse[s] = t;
}
