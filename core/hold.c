/* core/hold.c: the 24 ways to hold a cube. The table was written by composing quarter turns; test_hold.c
 * derives it again from points in space. */
#include "core/hold.h"
#include "cube/cube.h"

#include <assert.h>
#include <string.h>

const struct cube_holds cube_hold_table = {
	.hold =
		{
			{{0, 1, 2, 3, 4, 5}, {0, 0, 0, 0, 0, 0}},
			{{0, 2, 4, 3, 5, 1}, {1, 0, 0, 3, 0, 0}},
			{{0, 4, 5, 3, 1, 2}, {2, 0, 0, 2, 0, 0}},
			{{0, 5, 1, 3, 2, 4}, {3, 0, 0, 1, 0, 0}},
			{{5, 1, 0, 2, 4, 3}, {2, 1, 0, 0, 3, 2}},
			{{1, 2, 0, 4, 5, 3}, {2, 1, 1, 0, 3, 1}},
			{{2, 4, 0, 5, 1, 3}, {2, 1, 2, 0, 3, 0}},
			{{4, 5, 0, 1, 2, 3}, {2, 1, 3, 0, 3, 3}},
			{{3, 1, 5, 0, 4, 2}, {0, 2, 2, 0, 2, 2}},
			{{3, 2, 1, 0, 5, 4}, {3, 2, 2, 1, 2, 2}},
			{{3, 4, 2, 0, 1, 5}, {2, 2, 2, 2, 2, 2}},
			{{3, 5, 4, 0, 2, 1}, {1, 2, 2, 3, 2, 2}},
			{{2, 1, 3, 5, 4, 0}, {0, 3, 0, 2, 1, 2}},
			{{4, 2, 3, 1, 5, 0}, {0, 3, 3, 2, 1, 3}},
			{{5, 4, 3, 2, 1, 0}, {0, 3, 2, 2, 1, 0}},
			{{1, 5, 3, 4, 2, 0}, {0, 3, 1, 2, 1, 1}},
			{{1, 3, 2, 4, 0, 5}, {1, 1, 1, 1, 1, 3}},
			{{2, 3, 4, 5, 0, 1}, {1, 0, 1, 1, 2, 3}},
			{{4, 3, 5, 1, 0, 2}, {1, 3, 1, 1, 3, 3}},
			{{5, 3, 1, 2, 0, 4}, {1, 2, 1, 1, 0, 3}},
			{{4, 0, 2, 1, 3, 5}, {3, 3, 3, 3, 3, 1}},
			{{5, 0, 4, 2, 3, 1}, {3, 0, 3, 3, 2, 1}},
			{{1, 0, 5, 4, 3, 2}, {3, 1, 3, 3, 1, 1}},
			{{2, 0, 1, 5, 3, 4}, {3, 2, 3, 3, 0, 1}},
		},
	.of =
		{
			{-1, 3, 0, -1, 1, 2},
			{5, -1, 16, 15, -1, 22},
			{6, 23, -1, 12, 17, -1},
			{-1, 9, 10, -1, 11, 8},
			{7, -1, 20, 13, -1, 18},
			{4, 19, -1, 14, 21, -1},
		},
};

static const char moves[CUBE_HOLDS][6] = {
	"",   "y",    "y2",    "y'",    "x", "x y", "x y2", "x y'", "x2", "x2 y", "x2 y2", "x2 y'",
	"x'", "x' y", "x' y2", "x' y'", "z", "z y", "z y2", "z y'", "z'", "z' y", "z' y2", "z' y'",
};

static inline int opposite(int face)
{
	return (face + 3) % CUBE_FACES;
}

const char *cube_hold_moves(int hold)
{
	assert(hold >= 0 && hold < CUBE_HOLDS);
	return moves[hold];
}

int cube_hold_then(int first, int second)
{
	assert(first >= 0 && first < CUBE_HOLDS && second >= 0 && second < CUBE_HOLDS);
	const uint8_t *a = cube_hold_table.hold[first].to, *b = cube_hold_table.hold[second].to;
	return cube_hold_table.of[b[a[CUBE_U]]][b[a[CUBE_F]]];
}

int cube_hold_inverse(int hold)
{
	assert(hold >= 0 && hold < CUBE_HOLDS);
	const uint8_t *to = cube_hold_table.hold[hold].to;
	int up = 0, front = 0;
	while (to[up] != CUBE_U)
		up++;
	while (to[front] != CUBE_F)
		front++;
	return cube_hold_table.of[up][front];
}

/* The face on which the sticker of a corner lies, -1 if it lies on none's corner. */
static int corner_face(const struct cube *cube, size_t sticker)
{
	size_t n = cube->size, corners[] = {0, n - 1, n * n - n, n * n - 1};
	for (size_t face = 0; face < CUBE_FACES; face++)
		for (size_t i = 0; i < 4; i++)
			if (cube->sticker[face * n * n + corners[i]] == sticker)
				return (int)face;
	return -1;
}

static int hold_of_middles(const struct cube *cube)
{
	size_t area = (size_t)cube->size * cube->size;
	int at[CUBE_FACES];
	memset(at, -1, sizeof(at));
	for (int face = 0; face < CUBE_FACES; face++)
		at[cube_color_at(cube, (size_t)face * area + area / 2)] = face;
	for (int face = 0; face < CUBE_FACES; face++)
		if (at[face] < 0)
			return -1;
	int hold = cube_hold_table.of[at[CUBE_U]][at[CUBE_F]];
	for (int face = 0; hold >= 0 && face < CUBE_FACES; face++)
		if (cube_hold_table.hold[hold].to[face] != at[face])
			return -1;
	return hold;
}

static int hold_of_corner(const struct cube *cube)
{
	size_t n = cube->size, area = n * n;
	int down = corner_face(cube, CUBE_D * area + area - n);
	int left = corner_face(cube, CUBE_L * area + area - n);
	int back = corner_face(cube, CUBE_B * area + area - 1);
	if (down < 0 || left < 0 || back < 0)
		return -1;
	int hold = cube_hold_table.of[opposite(down)][opposite(back)];
	return hold >= 0 && cube_hold_table.hold[hold].to[CUBE_L] == left ? hold : -1;
}

int cube_hold_of(const struct cube *cube)
{
	return cube->size % 2 != 0 ? hold_of_middles(cube) : hold_of_corner(cube);
}

void cube_hold_turn(struct cube *restrict result, const struct cube *cube, int hold)
{
	assert(result != cube && hold >= 0 && hold < CUBE_HOLDS);
	const struct cube_hold *rotation = &cube_hold_table.hold[hold];
	int n = cube->size;
	memset(result, 0, sizeof(*result));
	result->size = cube->size;
	const uint16_t *sticker = cube->sticker;
	for (int face = 0; face < CUBE_FACES; face++) {
		for (int row = 0; row < n; row++)
			for (int column = 0; column < n; column++)
				result->sticker[cube_hold_facelet(rotation, n, face, row, column)] =
					*sticker++;
		if (n % 2 != 0)
			result->spin[rotation->to[face]] =
				(cube->spin[face] + rotation->spin[face]) & 3;
	}
}

int cube_hold_home(struct cube *restrict result, const struct cube *cube)
{
	int hold = cube_hold_of(cube);
	assert(hold >= 0);
	cube_hold_turn(result, cube, cube_hold_inverse(hold));
	return hold;
}
