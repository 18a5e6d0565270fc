/* core/format/space.c: the views of the faces, rotations as matrices, the order of the cubies.
 *
 * Where rotations take the faces is in core/hold.c. */
#include "core/format/space.h"

#include <assert.h>

#define X 0
#define Y 1
#define Z 2

const struct face_view cube_views[CUBE_FACES] = {
	[CUBE_U] = {{Y, 1}, {X, 1}, {Z, 1}},   [CUBE_R] = {{X, 1}, {Z, -1}, {Y, -1}},
	[CUBE_F] = {{Z, 1}, {X, 1}, {Y, -1}},  [CUBE_D] = {{Y, -1}, {X, 1}, {Z, -1}},
	[CUBE_L] = {{X, -1}, {Z, 1}, {Y, -1}}, [CUBE_B] = {{Z, -1}, {X, -1}, {Y, -1}},
};

/* cube_hold_table the other way round. */
const uint8_t cube_rotation_by[CUBE_FACES][CUBE_FACES][4] = {
	{{0, 1, 2, 3},
	 {15, 16, 5, 22},
	 {12, 17, 6, 23},
	 {8, 11, 10, 9},
	 {13, 18, 7, 20},
	 {14, 19, 4, 21}},
	{{21, 22, 23, 20},
	 {0, 4, 8, 12},
	 {1, 5, 9, 13},
	 {17, 16, 19, 18},
	 {2, 6, 10, 14},
	 {3, 7, 11, 15}},
	{{4, 5, 6, 7},
	 {3, 19, 9, 23},
	 {0, 16, 10, 20},
	 {12, 15, 14, 13},
	 {1, 17, 11, 21},
	 {2, 18, 8, 22}},
	{{8, 9, 10, 11},
	 {7, 18, 13, 20},
	 {4, 19, 14, 21},
	 {0, 3, 2, 1},
	 {5, 16, 15, 22},
	 {6, 17, 12, 23}},
	{{19, 16, 17, 18},
	 {2, 14, 10, 6},
	 {3, 15, 11, 7},
	 {23, 22, 21, 20},
	 {0, 12, 8, 4},
	 {1, 13, 9, 5}},
	{{14, 15, 12, 13},
	 {1, 21, 11, 17},
	 {2, 22, 8, 18},
	 {6, 5, 4, 7},
	 {3, 23, 9, 19},
	 {0, 20, 10, 16}},
};

/* ---- rotations ---- */

void cube_face_normal(int face, int8_t normal[3])
{
	struct arrow out = cube_views[face].out;
	normal[X] = normal[Y] = normal[Z] = 0;
	normal[out.axis] = out.way;
}

void cube_rotation_matrix(int rotation, int8_t matrix[3][3])
{
	/* Column by column: where +x, +y and +z go. */
	static const uint8_t face_of_axis[3] = {CUBE_R, CUBE_U, CUBE_F};
	assert(rotation >= 0 && rotation < CUBE_HOLDS);
	for (int column = 0; column < 3; column++) {
		int8_t normal[3];
		cube_face_normal(cube_hold_table.hold[rotation].to[face_of_axis[column]], normal);
		for (int row = 0; row < 3; row++)
			matrix[row][column] = normal[row];
	}
}

int cube_rotation_find(const int8_t matrix[3][3])
{
	for (int rotation = 0; rotation < CUBE_HOLDS; rotation++) {
		int8_t other[3][3];
		int same = 0;
		cube_rotation_matrix(rotation, other);
		for (int i = 0; i < 9; i++)
			same += matrix[i / 3][i % 3] == other[i / 3][i % 3];
		if (same == 9)
			return rotation;
	}
	return -1;
}

/* ---- the order of cubies: space.h has the other way ---- */

size_t cube_poses_count(int size)
{
	assert(cube_size_valid(size));
	return 2 * (size_t)(size * size) + (size_t)(size - 2) * space_ring(size);
}

struct point cube_space_at(int n, size_t index)
{
	size_t m = (size_t)n, square = m * m, x = 0, rest = index;
	if (rest >= square) {
		x = 1 + (rest - square) / space_ring(n);
		if (x > m - 1)
			x = m - 1;
		rest -= square + (x - 1) * space_ring(n);
	}
	size_t y = rest / m, z = rest % m;
	if (x > 0 && x < m - 1 && rest >= m) {
		y = 1 + (rest - m) / 2;
		if (y > m - 1)
			y = m - 1;
		z = rest - m - 2 * (y - 1);
		if (y < m - 1)
			z *= m - 1;
	}
	return (struct point){{(int)x, (int)y, (int)z}};
}

bool cube_space_read(int n, const int8_t at[3], struct point *point)
{
	bool seen = false;
	for (int axis = 0; axis < 3; axis++) {
		int twice = at[axis] + n - 1;
		if (twice < 0 || twice > 2 * (n - 1) || twice % 2 != 0)
			return false;
		point->at[axis] = twice / 2;
		seen |= twice == 0 || twice == 2 * (n - 1);
	}
	return seen;
}

int32_t cube_pose_index(int size, const int8_t home[3])
{
	struct point point;
	assert(cube_size_valid(size));
	return cube_space_read(size, home, &point) ? (int32_t)space_index(size, &point) : -1;
}

void cube_pose_home(int size, size_t index, int8_t home[3])
{
	assert(index < cube_poses_count(size));
	struct point point = cube_space_at(size, index);
	space_coordinates(size, &point, home);
}
