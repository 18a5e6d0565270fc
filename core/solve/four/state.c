/* core/solve/four/state.c: reading a 4x4x4, its moves, and the 3x3x3 that it becomes. */
#include "core/solve/four/state.h"

#include <assert.h>
#include <string.h>

#include "core/format/orbit.h"
#include "core/permutation.h"
#include "cube/cube.h"
#include "cube/facelets.h"

static const uint8_t center_offset[4] = {5, 6, 9, 10};

static inline size_t center_facelet(int place)
{
	return (size_t)(16 * (place / 4) + center_offset[place % 4]);
}

struct cube_turn four_turn(int move, const uint8_t face[CUBE_FACES])
{
	int block = four_block(move), wide = four_is_wide(move);
	return cube_turn_make(4, face[block % CUBE_FACES], 1, wide ? 2 : 1, move % 3 + 1);
}

/* The wing that has a sticker, by its home facelet. */
static void wings_of_stickers(const struct orbit *wings, uint8_t wing_of[96])
{
	memset(wing_of, FOUR_WINGS, 96);
	for (uint8_t place = 0; place < FOUR_WINGS; place++)
		for (int i = 0; i < 2; i++)
			wing_of[wings->facelet[place][i]] = place;
}

static bool corners_odd(const struct cube *cube)
{
	struct orbit corners;
	uint8_t piece[CUBE_CORNERS];
	cube_orbit_corners(&corners, 4);
	for (int place = 0; place < CUBE_CORNERS; place++) {
		uint8_t seen[3];
		for (int i = 0; i < 3; i++)
			seen[i] = (uint8_t)cube_color_at(cube, corners.facelet[place][i]);
		piece[place] = (uint8_t)(cube_orbit_find(&corners, seen) / 4);
	}
	return cube_permutation_is_odd(piece, CUBE_CORNERS);
}

void four_read(struct four *four, const struct cube *cube)
{
	struct orbit wings;
	uint8_t wing_of[96];
	assert(cube->size == 4);
	cube_orbit_wings(&wings, 4, 1);
	wings_of_stickers(&wings, wing_of);
	for (int place = 0; place < FOUR_WINGS; place++)
		four->wing[place] = wing_of[cube->sticker[wings.facelet[place][0]]];
	for (int place = 0; place < FOUR_CENTERS; place++)
		four->center[place] = (uint8_t)cube_color_at(cube, center_facelet(place));
	four->corners_odd = corners_odd(cube);
}

void four_moves_make(struct four_moves *moves)
{
	static const uint8_t as_held[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
	for (int move = 0; move < FOUR_MOVES; move++) {
		union cube4 room;
		struct four four;
		cube_init(&room.cube, 4);
		cube_turn(&room.cube, four_turn(move, as_held));
		four_read(&four, &room.cube);
		memcpy(moves->wing_from[move], four.wing, sizeof(four.wing));
		for (int place = 0; place < FOUR_CENTERS; place++) {
			uint16_t sticker = room.cube.sticker[center_facelet(place)];
			int home = 0;
			while (center_facelet(home) != sticker)
				home++;
			moves->center_from[move][place] = (uint8_t)home;
		}
	}
}

void four_apply(const struct four_moves *moves, struct four *restrict result,
		const struct four *four, int move)
{
	for (int place = 0; place < FOUR_WINGS; place++)
		result->wing[place] = four->wing[moves->wing_from[move][place]];
	for (int place = 0; place < FOUR_CENTERS; place++)
		result->center[place] = four->center[moves->center_from[move][place]];
	result->corners_odd = four->corners_odd != !four_is_half(move);
}

bool four_wings_odd(const struct four *four)
{
	return cube_permutation_is_odd(four->wing, FOUR_WINGS);
}

bool four_reduce(const struct cube *cube, struct cube *reduced)
{
	uint8_t colors[54];
	for (int facelet = 0; facelet < 96; facelet++) {
		/* Both rows in the middle are the 3x3x3's middle one, both columns too. */
		int row = facelet / 4 % 4, column = facelet % 4;
		int to = 9 * (facelet / 16) + 3 * ((row + 1) / 2) + (column + 1) / 2;
		bool first = row != 2 && column != 2;
		int color = cube_color_at(cube, (size_t)facelet);
		if (first)
			colors[to] = (uint8_t)color;
		else if (colors[to] != color)
			return false;
	}
	return cube_from_colors(reduced, 3, colors, NULL, 0) == 0;
}
