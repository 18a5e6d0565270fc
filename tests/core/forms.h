/* tests/core/forms.h: what the tests of the forms that are numbers have in common. */
#ifndef TESTS_CORE_FORMS_H
#define TESTS_CORE_FORMS_H

#include "tests/core/check.h"
#include "cube/cube.h"
#include "cube/facelets.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"

/* The long form makes a million of ten thousand. */
static inline uint32_t forms_rounds(uint32_t rounds)
{
	return gen_long() ? 100 * rounds : rounds;
}

static inline void forms_shuffle(struct cube *cube, struct gen *gen, int turns)
{
	for (int i = 0; i < turns; i++)
		cube_turn(cube, gen_turn(gen, cube->size));
}

/* The colours make a cube that looks like this one. */
static inline void forms_same_colors(const struct cube *cube, const uint8_t *colors,
				     struct cube *spare)
{
	ck_assert_uint_eq(cube_from_colors(spare, cube->size, colors, NULL, 0), 0);
	size_t same = 0;
	while (same < cube_facelets(cube->size) &&
	       cube_color_at(spare, same) == cube_color_at(cube, same))
		same++;
	ck_assert_uint_eq(same, cube_facelets(cube->size));
}

#endif
