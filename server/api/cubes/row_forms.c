/* row_forms.c: the forms of a row, one after another for many states. */
#include "server/api/cubes/row_forms.h"

#include <string.h>

#include "cube/features.h"
#include "cube/index.h"

#define CUBIES (2 * (CUBE_CORNERS + CUBE_EDGES))
#define CUBIES_2 (2 * CUBE_CORNERS)
#define INDEX_BYTES 8

static void write_cubies_2(const struct cube_state3 *states, size_t count, uint8_t *rows);
static void write_cubies(const struct cube_state3 *states, size_t count, uint8_t *rows);
static void write_index_2(const struct cube_state3 *states, size_t count, uint8_t *rows);
static void write_index(const struct cube_state3 *states, size_t count, uint8_t *rows);

const struct row_form row_forms[ROW_FORMS] = {
	{"colors",
	 1,
	 ROW_ARRAY,
	 {{CUBE_BATCH_COLORS_2, cube_batch_colors_2}, {CUBE_BATCH_COLORS, cube_batch_colors}}},
	{"onehot",
	 1,
	 ROW_ARRAY,
	 {{CUBE_BATCH_NUMBERS_2, cube_batch_one_hot_2}, {CUBE_BATCH_NUMBERS, cube_batch_one_hot}}},
	{"features", 1, ROW_ARRAY, {{0, NULL}, {CUBE_FEATURES, cube_batch_features}}},
	{"cubies", 1, ROW_CUBIES, {{CUBIES_2, write_cubies_2}, {CUBIES, write_cubies}}},
	{"permutation",
	 1,
	 ROW_ARRAY,
	 {{CUBE_BATCH_COLORS_2, cube_batch_stickers_2}, {CUBE_BATCH_COLORS, cube_batch_stickers}}},
	{"index", INDEX_BYTES, ROW_INDEX, {{1, write_index_2}, {2, write_index}}},
};

/* Writes the first `bytes` of the arrays, of which the corners' are the first and the centers the last. */
static inline void write_pieces(const struct cube_state3 *states, size_t count, size_t bytes,
				uint8_t *rows)
{
	for (size_t i = 0; i < count; i++, rows += bytes) {
		struct cube_cubies cubies;
		cube_state3_to_cubies(&states[i], &cubies);
		memcpy(rows, &cubies, bytes);
	}
}

_Static_assert(offsetof(struct cube_cubies, edge_permutation) == CUBIES_2 &&
		       offsetof(struct cube_cubies, centers) == CUBIES,
	       "the arrays have no gaps");

static void write_cubies_2(const struct cube_state3 *states, size_t count, uint8_t *rows)
{
	write_pieces(states, count, CUBIES_2, rows);
}

static void write_cubies(const struct cube_state3 *states, size_t count, uint8_t *rows)
{
	write_pieces(states, count, CUBIES, rows);
}

static struct cube_index index_of(const struct cube_state3 *state, int size)
{
	struct cube_cubies cubies;
	cube_state3_to_cubies(state, &cubies);
	return cube_index_of_cubies(&cubies, size);
}

static void write_number(uint64_t number, uint8_t bytes[INDEX_BYTES])
{
	for (int i = 0; i < INDEX_BYTES; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
}

static void write_index_2(const struct cube_state3 *states, size_t count, uint8_t *rows)
{
	for (size_t i = 0; i < count; i++)
		write_number(index_of(&states[i], 2).low, rows + INDEX_BYTES * i);
}

/* Writes 128 bits, since an index has 66: the lower 64 first. */
static void write_index(const struct cube_state3 *states, size_t count, uint8_t *rows)
{
	for (size_t i = 0; i < count; i++, rows += 2 * INDEX_BYTES) {
		const struct cube_index index = index_of(&states[i], 3);
		write_number(index.low, rows);
		write_number(index.high, rows + INDEX_BYTES);
	}
}
