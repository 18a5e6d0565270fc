/* core/cubies/rotations.c: the 24 turns of the whole cube, as states and as what they make of faces. */
#include "core/cubies/cubies_internal.h"

/* A turn of the whole cube about one axis or, x y, about the corners URF and DBL. Clang-format would put a number on each line. */
/* clang-format off */
static const struct rotation y2 = {
	{{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 12, 13, 14, 15, 2, 3, 0, 1, 6, 7, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}},
	{0, 4, 5, 3, 1, 2}};
static const struct rotation z2 = {
	{{6, 5, 4, 7, 2, 1, 0, 3, 9, 8, 11, 10, 12, 13, 14, 15, 5, 4, 7, 6, 1, 0, 3, 2, 8, 9, 10, 11, 12, 13, 14, 15}},
	{3, 4, 2, 0, 1, 5}};
static const struct rotation y = {
	{{3, 0, 1, 2, 7, 4, 5, 6, 27, 24, 25, 26, 12, 13, 14, 15, 3, 0, 1, 2, 7, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15}},
	{0, 2, 4, 3, 5, 1}};
static const struct rotation xy = {
	{{17, 8, 21, 9, 19, 11, 23, 10, 16, 20, 22, 18, 12, 13, 14, 15, 16, 36, 21, 33, 35, 23, 38, 18, 8, 9, 10, 11, 12, 13, 14, 15}},
	{1, 2, 0, 4, 5, 3}};
/* clang-format on */

static void then(struct rotation *rotation, const struct rotation *next)
{
	cube_state3_compose(&rotation->state, &rotation->state, &next->state);
	for (int face = 0; face < CUBE_FACES; face++)
		rotation->face[face] = next->face[rotation->face[face]];
}

void rotations_make(struct rotation rotations[ROTATIONS])
{
	for (int i = 0; i < ROTATIONS; i++) {
		const int symmetry = 2 * i;
		rotations[i] = (struct rotation){cube_state3_solved, {0, 1, 2, 3, 4, 5}};
		for (int k = symmetry / 16; k > 0; k--)
			then(&rotations[i], &xy);
		if (symmetry & 4)
			then(&rotations[i], &z2);
		if (symmetry & 2)
			then(&rotations[i], &y2);
		if (symmetry & 8)
			then(&rotations[i], &y);
	}
}
