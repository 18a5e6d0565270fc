/* core/format/rubyks.c: the six arrays of Rubyks, written and read. */
#include "cube/cube.h"
#include "cube/rubyks.h"

#include <assert.h>

#include "core/format/form.h"

const uint8_t cube_rubyks_of_color[CUBE_FACES] = {
	[CUBE_U] = 0, [CUBE_L] = 1, [CUBE_B] = 2, [CUBE_R] = 3, [CUBE_F] = 4, [CUBE_D] = 5};
const uint8_t cube_color_of_rubyks[CUBE_FACES] = {CUBE_U, CUBE_L, CUBE_B, CUBE_R, CUBE_F, CUBE_D};

/* The facelet of each element: centre, 12 o'clock, and on clockwise. */
static const uint8_t facelets[CUBE_RUBYKS] = {
	4,  3,  0,  1,  2,  5,  8,  7,  6,  /* top: 12 o'clock at L */
	40, 43, 42, 39, 36, 37, 38, 41, 44, /* left: at D */
	49, 50, 53, 52, 51, 48, 45, 46, 47, /* back: at L */
	13, 10, 11, 14, 17, 16, 15, 12, 9,  /* right: at U */
	22, 21, 18, 19, 20, 23, 26, 25, 24, /* front: at L */
	31, 30, 27, 28, 29, 32, 35, 34, 33, /* bottom: at L */
};

void cube_rubyks_write(const struct cube *cube, uint8_t sides[CUBE_RUBYKS])
{
	assert(cube->size == 3);
	for (int i = 0; i < CUBE_RUBYKS; i++)
		sides[i] = cube_rubyks_of_color[cube_color_at(cube, facelets[i])];
}

enum cube_form_code cube_rubyks_read(const uint8_t *sides, size_t count, uint8_t colors[54],
				     struct cube_form_error *error)
{
	if (count != CUBE_RUBYKS)
		return cube_form_fail(error, CUBE_FORM_COUNT, count, 0, CUBE_RUBYKS);
	for (size_t i = 0; i < count; i++) {
		if (sides[i] >= CUBE_FACES)
			return cube_form_fail(error, CUBE_FORM_VALUE, i, 0, -1);
		colors[facelets[i]] = cube_color_of_rubyks[sides[i]];
	}
	return CUBE_FORM_OK;
}
