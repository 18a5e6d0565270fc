/* core/format/space.h: cubies as points, faces as arrows. Internal to the library.
 *
 * A point is three numbers 0..n-1, one an axis: (coordinate + n - 1) / 2. */
#ifndef CORE_FORMAT_SPACE_H
#define CORE_FORMAT_SPACE_H

#include "core/hold.h"
#include "cube/poses.h"

/* A direction: an axis and a way along it, +1 or -1. */
struct arrow {
	uint8_t axis;
	int8_t way;
};

/* The way to look at a face (docs/reference/conventions.md): out of it, and the directions in which
 * columns and rows count up. */
struct face_view {
	struct arrow out, right, down;
};
extern const struct face_view cube_views[CUBE_FACES];

/* Whole words, so that what is stored is read again as it was stored. */
struct point {
	int at[3];
};

/* The rotation that takes the first face to the second turned by so many quarters. */
extern const uint8_t cube_rotation_by[CUBE_FACES][CUBE_FACES][4];

/* Returns how far along an arrow a point is, 0..n-1. */
static inline int space_along(int n, const struct point *point, struct arrow arrow)
{
	return arrow.way > 0 ? point->at[arrow.axis] : n - 1 - point->at[arrow.axis];
}

static inline void space_put(int n, struct point *point, struct arrow arrow, int along)
{
	point->at[arrow.axis] = arrow.way > 0 ? along : n - 1 - along;
}

/* The point of the cubie that the facelet is on, and the facelet that it has on a face. */
static inline struct point space_point(int n, int face, int row, int column)
{
	const struct face_view *view = &cube_views[face];
	struct point point;
	space_put(n, &point, view->out, n - 1);
	space_put(n, &point, view->right, column);
	space_put(n, &point, view->down, row);
	return point;
}

static inline size_t space_facelet(int n, int face, const struct point *point)
{
	const struct face_view *view = &cube_views[face];
	int row = space_along(n, point, view->down), column = space_along(n, point, view->right);
	return (size_t)((face * n + row) * n + column);
}

/* The faces that the cubie there shows on, ascending; returns how many, 0 inside. */
static inline int space_faces(int n, const struct point *point, uint8_t faces[3])
{
	int count = 0;
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		if (space_along(n, point, cube_views[face].out) == n - 1)
			faces[count++] = face;
	return count;
}

/* Returns where the rotation takes a point. */
static inline struct point space_rotate(int n, const struct cube_hold *rotation,
					const struct point *point)
{
	struct point to;
	for (int face = 0; face < 3; face++)
		space_put(n, &to, cube_views[rotation->to[face]].out,
			  space_along(n, point, cube_views[face].out));
	return to;
}

/* The coordinates 1-n .. n-1 of a point. */
static inline void space_coordinates(int n, const struct point *point, int8_t at[3])
{
	for (int axis = 0; axis < 3; axis++)
		at[axis] = (int8_t)(2 * point->at[axis] + 1 - n);
}

/* The point of coordinates; false if the cube has no cubie there that is seen. */
bool cube_space_read(int n, const int8_t at[3], struct point *point);

/* ---- the order of cubies ----
 *
 * Slices of x: the first and the last are full squares of n*n, those between are rings of 4*(n-1),
 * of which the first and the last y are full and those between have two cubies. */

static inline size_t space_ring(int n)
{
	return 4 * (size_t)(n - 1);
}

/* The index of a point on the surface. All is worked out and then chosen: nothing here could be
 * foreseen by a processor. */
static inline size_t space_index(int n, const struct point *point)
{
	size_t m = (size_t)n, x = (size_t)point->at[0], y = (size_t)point->at[1],
	       z = (size_t)point->at[2];
	size_t slices = m * m - space_ring(n) + x * space_ring(n);
	size_t rows = m - 2 + 2 * y, square = y * m + z;
	bool full_slice = x == 0 || x == m - 1, full_row = y == 0 || y == m - 1;
	size_t ring = (y == 0 ? 0 : rows) + (full_row ? z : z != 0);
	return (x == 0 ? 0 : slices) + (full_slice ? square : ring);
}

/* The point of an index. */
struct point cube_space_at(int n, size_t index);

#endif
