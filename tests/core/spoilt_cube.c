/* tests/core/spoilt_cube.c: a cube whose colours are about to be spoilt, and what is said of it. */
#include "cube/cube.h"
#include "tests/core/check.h"
#include "tests/core/spoilt_cube.h"

#include <stdlib.h>
#include <string.h>

#include "tests/core/checked_cube.h"
#include "tests/core/hand_repair.h"

struct spoilt_cube *spoilt_create(int n)
{
	struct spoilt_cube *spoilt = new_bytes(sizeof(*spoilt));
	*spoilt = (struct spoilt_cube){.n = n, .cube = new_cube(n), .back = new_cube(n)};
	spoilt->colors = new_bytes(cube_facelets(n));
	spoilt->repaired = new_bytes(cube_facelets(n));
	spoilt_turn(spoilt, NULL, 0);
	return spoilt;
}

void spoilt_destroy(struct spoilt_cube *spoilt)
{
	free(spoilt->cube);
	free(spoilt->back);
	free(spoilt->colors);
	free(spoilt->repaired);
	free(spoilt);
}

void spoilt_turn(struct spoilt_cube *spoilt, struct gen *gen, int turns)
{
	for (int i = 0; i < turns; i++)
		cube_turn(spoilt->cube, gen_turn(gen, spoilt->n));
	for (size_t i = 0; i < cube_facelets(spoilt->n); i++)
		spoilt->colors[i] = (uint8_t)cube_color_at(spoilt->cube, i);
}

void spoilt_read(struct spoilt_cube *spoilt)
{
	/* Anything written after the last problem would overwrite this pattern. */
	memset(spoilt->problems, 0x55, sizeof(spoilt->problems));
	spoilt->found = cube_from_colors(spoilt->back, spoilt->n, spoilt->colors, spoilt->problems,
					 SPOILT_PROBLEMS);
	ck_assert_uint_le(spoilt->found, SPOILT_PROBLEMS);
	memset(spoilt->kinds, 0, sizeof(spoilt->kinds));
	spoilt->repairs = 0;
	for (size_t i = 0; i < spoilt->found; i++) {
		const struct cube_problem *problem = &spoilt->problems[i];
		ck_assert_uint_lt(problem->kind, CUBE_PROBLEM_KINDS);
		ck_assert_ptr_nonnull(memchr(problem->repair, 0, sizeof(problem->repair)));
		spoilt->kinds[problem->kind]++;
		spoilt->repairs += problem->repair[0] != '\0';
	}
	if (spoilt->found < SPOILT_PROBLEMS)
		ck_assert_int_eq(spoilt->problems[spoilt->found].place[0], 0x55);
	/* Problems that do not fit are counted all the same. */
	ck_assert_uint_eq(cube_from_colors(spoilt->back, spoilt->n, spoilt->colors, NULL, 0),
			  spoilt->found);
}

bool spoilt_repair(struct spoilt_cube *spoilt)
{
	memcpy(spoilt->repaired, spoilt->colors, cube_facelets(spoilt->n));
	for (size_t i = 0; i < spoilt->found; i++)
		if (spoilt->problems[i].repair[0] &&
		    !hand_repair(spoilt->n, spoilt->repaired, spoilt->problems[i].repair))
			return false;
	return cube_from_colors(spoilt->back, spoilt->n, spoilt->repaired, NULL, 0) == 0;
}

bool spoilt_is_solved(const struct spoilt_cube *spoilt)
{
	size_t area = (size_t)spoilt->n * (size_t)spoilt->n;
	for (size_t i = 0; i < CUBE_FACES * area; i++)
		if (spoilt->repaired[i] != spoilt->repaired[i / area * area])
			return false;
	return true;
}

void spoilt_expect_one(const struct spoilt_cube *spoilt, enum cube_problem_kind kind)
{
	ck_assert_uint_eq(spoilt->found, 1);
	ck_assert_int_eq(spoilt->problems[0].kind, kind);
	ck_assert_uint_eq(spoilt->repairs, 1);
}

uint8_t *spoilt_color(struct spoilt_cube *spoilt, int face, int row, int column)
{
	return &spoilt->colors[(face * spoilt->n + row) * spoilt->n + column];
}

/* One of the 24 ways to hold a cube that is else as it was. */
void spoilt_hold(struct spoilt_cube *spoilt, int number)
{
	cube_init(spoilt->cube, spoilt->n);
	for (int i = 0; i < number % 4; i++)
		cube_turn(spoilt->cube, cube_turn_make(spoilt->n, CUBE_U, 1, spoilt->n, 1));
	int face = number / 4 < 4 ? CUBE_R : CUBE_F,
	    times = number / 4 < 4 ? number / 4 : 2 * (number / 4) - 7;
	for (int i = 0; i < times; i++)
		cube_turn(spoilt->cube, cube_turn_make(spoilt->n, face, 1, spoilt->n, 1));
	spoilt_turn(spoilt, NULL, 0);
}
