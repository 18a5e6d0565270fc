/* core/cubies/cubies.c: cubies from stickers and colours from cubies, for 2x2x2 and 3x3x3. */
#include "cube/cube.h"
#include "cube/cubies.h"

#include <assert.h>

#include "core/cubies/cubies_internal.h"

/* Places by Kociemba's names; the facelets of a corner go clockwise around it. */
const uint8_t cubies_corner_facelets[2][CUBE_CORNERS][3] = {
	{{3, 4, 9},
	 {2, 8, 17},
	 {0, 16, 21},
	 {1, 20, 5},
	 {13, 11, 6},
	 {12, 19, 10},
	 {14, 23, 18},
	 {15, 7, 22}},
	{{8, 9, 20},
	 {6, 18, 38},
	 {0, 36, 47},
	 {2, 45, 11},
	 {29, 26, 15},
	 {27, 44, 24},
	 {33, 53, 42},
	 {35, 17, 51}},
};
const uint8_t cubies_edge_facelets[CUBE_EDGES][2] = {
	{5, 10},  {7, 19},  {3, 37},  {1, 46},  {32, 16}, {28, 25},
	{30, 43}, {34, 52}, {23, 12}, {21, 41}, {50, 39}, {48, 14},
};

/* The other way round: 3 * corner + k, or 2 * edge + k, for the sticker that is k-th in its name.
 */
#define NO 0xff
static const uint8_t corner_of_sticker[2][54] = {
	{
		6,  9,  3,  0,  1, 11, 14, 22, 4,  2, 17, 13,
		15, 12, 18, 21, 7, 5,  20, 16, 10, 8, 23, 19,
	},
	{
		6, NO, 9, NO, NO, NO, 3,  NO, 0,  1,  NO, 11, NO, NO, NO, 14, NO, 22,
		4, NO, 2, NO, NO, NO, 17, NO, 13, 15, NO, 12, NO, NO, NO, 18, NO, 21,
		7, NO, 5, NO, NO, NO, 20, NO, 16, 10, NO, 8,  NO, NO, NO, 23, NO, 19,
	},
};
static const uint8_t edge_of_sticker[54] = {
	NO, 6, NO, 4,  NO, 0,  NO, 2,  NO, NO, 1,  NO, 17, NO, 23, NO, 9,  NO,
	NO, 3, NO, 18, NO, 16, NO, 11, NO, NO, 10, NO, 12, NO, 8,  NO, 14, NO,
	NO, 5, NO, 21, NO, 19, NO, 13, NO, NO, 7,  NO, 22, NO, 20, NO, 15, NO,
};

#define ARRAY(member, values)                                                                      \
	{                                                                                          \
#member, offsetof(struct cube_cubies, member),                                     \
			sizeof(((struct cube_cubies *)0)->member), values                          \
	}

const struct cube_cubies_array cube_cubies_arrays[CUBE_CUBIES_ARRAYS] = {
	ARRAY(corner_permutation, CUBE_CORNERS),
	ARRAY(corner_orientation, 3),
	ARRAY(edge_permutation, CUBE_EDGES),
	ARRAY(edge_orientation, 2),
	ARRAY(centers, CUBE_FACES),
};

bool cube_cubies_in_range(const struct cube_cubies *cubies, int size, int *array, int *index)
{
	int arrays = size == 2 ? CUBE_CUBIES_ARRAYS_2 : CUBE_CUBIES_ARRAYS;
	for (int i = 0; i < arrays; i++) {
		const struct cube_cubies_array *row = &cube_cubies_arrays[i];
		const uint8_t *values = (const uint8_t *)cubies + row->offset;
		for (int j = 0; j < row->count; j++) {
			if (values[j] < row->values)
				continue;
			*array = i;
			*index = j;
			return false;
		}
	}
	return true;
}

void cube_cubies_of(struct cube_cubies *cubies, const struct cube *cube)
{
	/* By where in its name the piece has the sticker that is on the place's U or D facelet: the
	 * names go around clockwise, so its U or D sticker is that much further on the other way.
	 */
	static const uint8_t twists[3] = {0, 2, 1};
	int size = cube->size;
	assert(size == 2 || size == 3);
	for (int i = 0; i < CUBE_CORNERS; i++) {
		uint16_t sticker = cube->sticker[cubies_corner_facelets[size - 2][i][0]];
		uint8_t shown = corner_of_sticker[size - 2][sticker];
		assert(shown != NO);
		cubies->corner_permutation[i] = shown / 3;
		cubies->corner_orientation[i] = twists[shown % 3];
	}
	for (uint8_t i = 0; i < CUBE_EDGES; i++) {
		uint8_t shown = (uint8_t)(2 * i);
		if (size == 3)
			shown = edge_of_sticker[cube->sticker[cubies_edge_facelets[i][0]]];
		assert(shown != NO);
		cubies->edge_permutation[i] = shown / 2;
		cubies->edge_orientation[i] = shown % 2;
	}
	for (uint8_t i = 0; i < CUBE_FACES; i++)
		cubies->centers[i] = size == 3 ? (uint8_t)cube_color_at(cube, i * 9u + 4) : i;
}

void cube_cubies_paint(const struct cube_cubies *cubies, int size, uint8_t *colors)
{
	assert(size == 2 || size == 3);
	const uint8_t(*corners)[3] = cubies_corner_facelets[size - 2];
	for (int i = 0; i < CUBE_CORNERS; i++) {
		const uint8_t *piece = cubies_corner_facelets[1][cubies->corner_permutation[i]];
		for (int j = 0, at = cubies->corner_orientation[i]; j < 3; j++) {
			colors[corners[i][at]] = piece[j] / 9;
			at = at < 2 ? at + 1 : 0;
		}
	}
	if (size == 2)
		return;
	for (int i = 0; i < CUBE_EDGES; i++) {
		const uint8_t *piece = cubies_edge_facelets[cubies->edge_permutation[i]];
		for (int j = 0; j < 2; j++)
			colors[cubies_edge_facelets[i][j ^ cubies->edge_orientation[i]]] =
				piece[j] / 9;
	}
	for (int i = 0; i < CUBE_FACES; i++)
		colors[9 * i + 4] = cubies->centers[i];
}
