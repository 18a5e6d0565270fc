/* core/sets/algorithms.c: the algorithms of the cases. */
#include "cube/cube.h"
#include "cube/sets.h"

#include <assert.h>
#include <string.h>

#include "core/room.h"
#include "cube/facelets.h"
#include "cube/notation.h"

static const struct cube_case_algorithm algorithms[] = {
#include "core/sets/algorithms.def"
};

#define ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

static uint32_t key_of(const struct cube_case_algorithm *algorithm)
{
	return (uint32_t)algorithm->set << 16 | algorithm->place;
}

/* The table is sorted by set, then by case. */
const struct cube_case_algorithm *cube_case_algorithms(const struct cube_set *set, size_t place,
						       size_t *count)
{
	const uint32_t key = (uint32_t)(set - cube_sets) << 16 | (uint32_t)place;
	size_t low = 0, high = ALGORITHMS;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (key_of(&algorithms[middle]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < ALGORITHMS && key_of(&algorithms[low + *count]) == key)
		++*count;
	return *count > 0 ? &algorithms[low] : NULL;
}

/* Turns of the table can always be read. */
static void apply(struct cube *cube, const char *moves)
{
	struct cube_node nodes[CUBE_ALGORITHM_BYTES];
	struct cube_error error;
	struct cube_alg alg;
	const enum cube_error_code code = cube_parse(moves, strlen(moves), cube->size,
						     CUBE_DIALECT_SIGN, nodes, &alg, &error);
	assert(code == CUBE_OK);
	(void)code;
	cube_alg_apply(cube, &alg, NULL);
}

void cube_case_cube(const struct cube_set *set, const struct cube_case *cases, size_t place,
		    struct cube *cube)
{
	size_t count;
	const struct cube_case_algorithm *first = cube_case_algorithms(set, place, &count);
	if (first) {
		union cube3 room;
		cube_init(&room.cube, set->size);
		apply(&room.cube, first->moves);
		cube_invert(cube, &room.cube);
		return;
	}
	struct cube_cubies cubies;
	uint8_t colors[54];
	cube_case_state(set, &cases[place], &cubies);
	cube_cubies_paint(&cubies, set->size, colors);
	const size_t problems = cube_from_colors(cube, set->size, colors, NULL, 0);
	assert(problems == 0);
	(void)problems;
}
