/* core/batch/rows.c: many states as numbers 0 and 1, as bytes and as floats. */
#include <string.h>

#include "core/batch/batch_internal.h"
#include "cube/features.h"

/* States whose colours are kept at a time. */
#define BLOCK 32

/* One facelet's six numbers by colour, and two more so that a register is copied whole. These two go where the next
 * facelet's come. */
static const uint8_t one_hot_bytes[CUBE_FACES][8] = {
	{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
static const float one_hot_floats[CUBE_FACES][8] = {
	{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};

static inline void bytes_of(const uint8_t *colors, uint8_t *numbers)
{
	int last = CUBE_BATCH_COLORS - 1;
	for (int i = 0; i < last; i++)
		memcpy(numbers + CUBE_FACES * i, one_hot_bytes[colors[i]], 8);
	memcpy(numbers + CUBE_FACES * last, one_hot_bytes[colors[last]], CUBE_FACES);
}

/* Writes the flags of the places, corners first: `placed`, and twenty numbers further `oriented`. */
#define FLAGS_OF(piece, flags)                                                                     \
	for (int i = 0; i < CUBE_CORNERS + CUBE_EDGES; i++) {                                      \
		int corner = i < CUBE_CORNERS, place = corner ? i : i - CUBE_CORNERS;              \
		uint8_t at = (piece)[corner ? CUBE_STATE3_CORNERS + place : place];                \
		(flags)[i] = (at & CUBE_STATE3_PIECE) == place;                                    \
		(flags)[i + CUBE_CORNERS + CUBE_EDGES] = at >> CUBE_STATE3_TURN == 0;              \
	}

static inline void byte_flags(const uint8_t *piece, uint8_t *flags)
{
	FLAGS_OF(piece, flags)
}

static inline void float_flags(const uint8_t *piece, float *flags)
{
	FLAGS_OF(piece, flags)
}

static inline size_t block_of(size_t count)
{
	return count < BLOCK ? count : BLOCK;
}

/* Writes rows of `width` numbers: those of the colours, and in a row of features the flags. */
static inline void byte_rows(const struct cube_state3 *states, size_t count, uint8_t *row,
			     size_t width)
{
	uint8_t colors[BLOCK * CUBE_BATCH_COLORS];
	for (size_t some; count > 0; states += some, count -= some) {
		some = block_of(count);
		cube_batch_colors(states, some, colors);
		for (size_t i = 0; i < some; i++, row += width) {
			bytes_of(colors + CUBE_BATCH_COLORS * i, row);
			if (width == CUBE_FEATURES)
				byte_flags(states[i].piece, row + CUBE_FEATURES_PLACED);
		}
	}
}

void cube_batch_one_hot(const struct cube_state3 *states, size_t count, uint8_t *numbers)
{
	byte_rows(states, count, numbers, CUBE_BATCH_NUMBERS);
}

void cube_batch_features(const struct cube_state3 *states, size_t count, uint8_t *features)
{
	byte_rows(states, count, features, CUBE_FEATURES);
}

void cube_batch_features_float(const struct cube_state3 *states, size_t count, float *features)
{
	uint8_t colors[BLOCK * CUBE_BATCH_COLORS];
	for (size_t some; count > 0; states += some, count -= some) {
		some = block_of(count);
		cube_batch_colors(states, some, colors);
		for (size_t i = 0; i < some; i++, features += CUBE_FEATURES) {
			const uint8_t *color = colors + CUBE_BATCH_COLORS * i;
			for (int j = 0; j < CUBE_BATCH_COLORS; j++)
				memcpy(features + CUBE_FACES * j, one_hot_floats[color[j]],
				       sizeof(one_hot_floats[0]));
			float_flags(states[i].piece, features + CUBE_FEATURES_PLACED);
		}
	}
}
