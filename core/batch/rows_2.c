/* core/batch/rows_2.c: many states of a 2x2x2 as stickers, colours and numbers. */
#include <string.h>

#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"

#define AREA 4

void cube_batch_stickers_2(const struct cube_state3 *states, size_t count, uint8_t *stickers)
{
	for (size_t i = 0; i < count; i++, stickers += CUBE_BATCH_COLORS_2)
		place_corners(&states[i], cubies_corner_facelets[0], stickers);
}

void cube_batch_colors_2(const struct cube_state3 *states, size_t count, uint8_t *colors)
{
	cube_batch_stickers_2(states, count, colors);
	for (size_t i = 0; i < CUBE_BATCH_COLORS_2 * count; i++)
		colors[i] /= AREA;
}

void cube_batch_one_hot_2(const struct cube_state3 *states, size_t count, uint8_t *numbers)
{
	uint8_t colors[CUBE_BATCH_COLORS_2];
	memset(numbers, 0, CUBE_BATCH_NUMBERS_2 * count);
	for (size_t i = 0; i < count; i++, numbers += CUBE_BATCH_NUMBERS_2) {
		cube_batch_colors_2(&states[i], 1, colors);
		for (int j = 0; j < CUBE_BATCH_COLORS_2; j++)
			numbers[CUBE_FACES * j + colors[j]] = 1;
	}
}
