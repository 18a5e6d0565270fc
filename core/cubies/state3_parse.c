/* core/cubies/state3_parse.c: the compact state that moves lead to. */
#include <assert.h>

#include "core/cubies/cubies_internal.h"
#include "core/room.h"
#include "cube/cube.h"

/* Two cubes for each level of brackets, and two for all. */
#define SCRATCH_CUBES (2 * (CUBE_DEPTH_MAX + 1))
/* Scratch cubes begin at multiples of this many bytes. */
#define SCRATCH_ALIGNMENT 16

union scratch_cube {
	_Alignas(SCRATCH_ALIGNMENT) union cube3 cube;
};

enum cube_error_code cube_state3_parse(const char *text, size_t length, enum cube_dialect dialect,
				       struct cube_node *nodes, struct cube_state3 *state,
				       struct cube_error *error)
{
	union scratch_cube scratch[SCRATCH_CUBES];
	union cube3 turned;
	struct cube_cubies cubies;
	struct cube_alg alg;
	const enum cube_error_code code = cube_parse(text, length, 3, dialect, nodes, &alg, error);
	if (code != CUBE_OK)
		return code;
	assert(cube_alg_scratch_bytes(&alg) <= sizeof scratch);
	cube_init(&turned.cube, 3);
	cube_alg_apply(&turned.cube, &alg, scratch);
	cubies_home(&cubies, &turned.cube);
	cube_state3_from_cubies(state, &cubies);
	return CUBE_OK;
}
