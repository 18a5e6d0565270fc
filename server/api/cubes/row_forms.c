/* row_forms.c: the forms of a row, one after another for many states. */
#include "server/api/cubes/row_forms.h"

#include <string.h>

#include "cube/features.h"
#include "cube/index.h"

#define CUBIES (2 * (CUBE_CORNERS + CUBE_EDGES))
#define INDEX_BYTES 8

static void write_cubies(const struct cube_state3 *states, size_t count, uint8_t *rows);
static void write_index(const struct cube_state3 *states, size_t count, uint8_t *rows);

const struct row_form row_forms[ROW_FORMS] = {
	{"colors", CUBE_BATCH_COLORS, 1, ROW_ARRAY, cube_batch_colors},
	{"onehot", CUBE_BATCH_NUMBERS, 1, ROW_ARRAY, cube_batch_one_hot},
	{"features", CUBE_FEATURES, 1, ROW_ARRAY, cube_batch_features},
	{"cubies", CUBIES, 1, ROW_CUBIES, write_cubies},
	{"permutation", CUBE_BATCH_COLORS, 1, ROW_ARRAY, cube_batch_stickers},
	{"index", 2, INDEX_BYTES, ROW_INDEX, write_index},
};

static void write_cubies(const struct cube_state3 *states, size_t count, uint8_t *rows)
{
	for (size_t i = 0; i < count; i++, rows += CUBIES) {
		struct cube_cubies cubies;
		cube_state3_to_cubies(&states[i], &cubies);
		memcpy(rows, &cubies, CUBIES); /* all but the centers, which are last */
	}
}

_Static_assert(offsetof(struct cube_cubies, centers) == CUBIES, "the arrays have no gaps");

static void write_number(uint64_t number, uint8_t bytes[INDEX_BYTES])
{
	for (int i = 0; i < INDEX_BYTES; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
}

/* Writes 128 bits, since an index has 66: the lower 64 first. */
static void write_index(const struct cube_state3 *states, size_t count, uint8_t *rows)
{
	for (size_t i = 0; i < count; i++, rows += 2 * INDEX_BYTES) {
		struct cube_cubies cubies;
		cube_state3_to_cubies(&states[i], &cubies);
		const struct cube_index index = cube_index_of_cubies(&cubies, 3);
		write_number(index.low, rows);
		write_number(index.high, rows + INDEX_BYTES);
	}
}
