/* core/solve/common/symmetry.c: the 48 symmetries, made of rotated solved cubes and one mirror. */
#include "core/solve/common/symmetry.h"

#include <assert.h>
#include <string.h>

#include "core/cubies/cubies_internal.h"

/* Not inlined: in the amalgamation, where compositions are, clang 14 for WebAssembly takes more than ten minutes to
 * select the instructions of optimal3_bound(). It asks which bytes of each vector are used, once for each use of it, and
 * a composition uses its sum twice. */
__attribute__((noinline)) void symmetries_conjugate(const struct symmetries *symmetries,
						    int symmetry, const struct cube_state3 *state,
						    struct cube_state3 *result)
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
	struct rotation rotations[ROTATIONS];
	rotations_make(rotations);
	for (int i = 0; i < ROTATIONS; i++) {
		symmetries->rotation[i] = rotations[i].state;
		cube_state3_invert(&symmetries->inverted[i], &rotations[i].state);
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
