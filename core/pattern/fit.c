/* core/pattern/fit.c: where the facelets of a pattern go in each of the 24 ways. */
#include <assert.h>

#include "core/hold.h"
#include "core/pattern/pattern_internal.h"
#include "cube/cube.h"

/* The rotation that takes F to the fit's face and turns it by the fit's quarters on the way:
 * test_pattern.c finds them again in core/hold.c's table. */
int cube_fit_hold(int fit)
{
	static const uint8_t holds[CUBE_FITS] = {
		4,  5,  6,  7,  3, 19, 9,  23, 0, 16, 10, 20,
		12, 15, 14, 13, 1, 17, 11, 21, 2, 18, 8,  22,
	};
	assert(fit >= 0 && fit < CUBE_FITS);
	return holds[fit];
}

void fit_faces(struct fit_face faces[CUBE_FACES], int size, int fit)
{
	const struct cube_hold *rotation = &cube_hold_table.hold[cube_fit_hold(fit)];
	int n = size, last = n - 1, area = n * n;
	/* By the clockwise quarters that a face is turned on its way. */
	const struct fit_face turned[4] = {
		{0, n, 1}, {last, -1, n}, {area - 1, -n, -1}, {last * n, 1, -n}};
	for (int face = 0; face < CUBE_FACES; face++) {
		faces[face] = turned[rotation->spin[face]];
		faces[face].origin += rotation->to[face] * area;
	}
}

size_t fit_home_facelet(int size, int array, int row, int column)
{
	static const uint8_t home[CUBE_FACES] = {CUBE_F, CUBE_U, CUBE_R, CUBE_L, CUBE_D, CUBE_B};
	if (home[array] == CUBE_B) { /* it stands on its head */
		row = size - 1 - row;
		column = size - 1 - column;
	}
	return (size_t)((home[array] * size + row) * size + column);
}
