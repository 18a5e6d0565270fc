/* core/format/features.c: 3x3x3 cubes as 364 numbers for a neural network, and back to colours. */
#include "cube/cube.h"
#include "cube/features.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "core/cubies/cubies_internal.h"
#include "core/format/form.h"

#define FACELETS 54
#define PLACES (CUBE_CORNERS + CUBE_EDGES)

/* The facelets of a place in the order of its name. They are also the stickers of the piece of that
 * name, of the colours facelet / 9. */
static inline const uint8_t *place_facelets(int place)
{
	return place < CUBE_CORNERS ? cubies_corner_facelets[1][place]
				    : cubies_edge_facelets[place - CUBE_CORNERS];
}

/* By sticker: twice the number of its piece, and one more where it is the first-named one. */
static const uint8_t piece_of_sticker[FACELETS] = {
	5, 23, 7, 21, 0, 17, 3,  19, 1,  0,  16, 6, 32, 0, 38, 8,  24, 14,
	2, 18, 0, 35, 0, 33, 10, 26, 8,  11, 27, 9, 29, 0, 25, 13, 31, 15,
	4, 20, 2, 36, 0, 34, 12, 28, 10, 6,  22, 4, 39, 0, 37, 14, 30, 12,
};

/* One facelet's six numbers by colour, and two more so that a register is copied whole. */
static const uint8_t one_hot_bytes[CUBE_FACES][8] = {
	{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
static const float one_hot_floats[CUBE_FACES][8] = {
	{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};

/* The two numbers too many go where the next facelet's come, or the first flags. */
void cube_features_write(const struct cube *cube, uint8_t features[CUBE_FEATURES])
{
	assert(cube->size == 3);
	for (int i = 0; i < FACELETS; i++)
		memcpy(features + 6 * i, one_hot_bytes[cube->sticker[i] / 9],
		       sizeof(one_hot_bytes[0]));
	for (int place = 0; place < PLACES; place++) {
		uint8_t piece = piece_of_sticker[cube->sticker[place_facelets(place)[0]]];
		features[CUBE_FEATURES_PLACED + place] = piece >> 1 == place;
		features[CUBE_FEATURES_ORIENTED + place] = piece & 1;
	}
}

void cube_features_write_float(const struct cube *cube, float features[CUBE_FEATURES])
{
	assert(cube->size == 3);
	for (int i = 0; i < FACELETS; i++)
		memcpy(features + 6 * i, one_hot_floats[cube->sticker[i] / 9],
		       sizeof(one_hot_floats[0]));
	for (int place = 0; place < PLACES; place++) {
		uint8_t piece = piece_of_sticker[cube->sticker[place_facelets(place)[0]]];
		features[CUBE_FEATURES_PLACED + place] = piece >> 1 == place ? 1.0f : 0.0f;
		features[CUBE_FEATURES_ORIENTED + place] = piece & 1 ? 1.0f : 0.0f;
	}
}

/* ---- reading ---- */

/* Finds the piece whose colours a place shows, and whether it is turned; false for none. */
static bool find_piece(const uint8_t colors[FACELETS], int place, int *piece, bool *turned)
{
	bool corner = place < CUBE_CORNERS;
	int stickers = corner ? 3 : 2, first = corner ? 0 : CUBE_CORNERS;
	int beyond = corner ? CUBE_CORNERS : PLACES;
	for (int found = first; found < beyond; found++) {
		for (int turn = 0; turn < stickers; turn++) {
			int same = 0;
			for (int j = 0; j < stickers; j++) {
				int at = place_facelets(place)[(j + turn) % stickers];
				same += colors[at] == place_facelets(found)[j] / 9;
			}
			if (same == stickers) {
				*piece = found;
				*turned = turn > 0;
				return true;
			}
		}
	}
	return false;
}

static enum cube_form_code read_colors(const uint8_t *features, uint8_t colors[FACELETS],
				       struct cube_form_error *error)
{
	for (size_t i = 0; i < FACELETS; i++) {
		const uint8_t *six = features + CUBE_FACES * i;
		int ones = 0;
		for (int color = 0; color < CUBE_FACES; color++) {
			ones += six[color];
			if (six[color])
				colors[i] = (uint8_t)color;
		}
		if (ones != 1)
			return cube_form_fail(error, CUBE_FORM_ONE_HOT, CUBE_FACES * i, 0, -1);
	}
	return CUBE_FORM_OK;
}

static enum cube_form_code check_flag(const uint8_t *features, size_t index, bool expected,
				      struct cube_form_error *error)
{
	if (features[index] == expected)
		return CUBE_FORM_OK;
	return cube_form_fail(error, CUBE_FORM_FLAG, index, 0, expected);
}

enum cube_form_code cube_features_read(const uint8_t *features, size_t count, uint8_t colors[54],
				       struct cube_form_error *error)
{
	if (count != CUBE_FEATURES)
		return cube_form_fail(error, CUBE_FORM_COUNT, count, 0, CUBE_FEATURES);
	for (size_t i = 0; i < count; i++)
		if (features[i] > 1)
			return cube_form_fail(error, CUBE_FORM_VALUE, i, 0, -1);
	enum cube_form_code code = read_colors(features, colors, error);
	for (int oriented = 0; oriented < 2; oriented++) {
		for (int place = 0; code == CUBE_FORM_OK && place < PLACES; place++) {
			int piece;
			bool turned;
			if (!find_piece(colors, place, &piece, &turned))
				continue;
			int index =
				(oriented ? CUBE_FEATURES_ORIENTED : CUBE_FEATURES_PLACED) + place;
			code = check_flag(features, (size_t)index,
					  oriented ? !turned : piece == place, error);
		}
	}
	return code;
}
