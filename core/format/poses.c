/* core/format/poses.c: where each cubie is and how it is turned.
 *
 * One sticker is enough: from its home facelet to where it is, it has gone from a face to a
 * face and turned by some quarters in its plane, and that is one of the 24 rotations. The quarters
 * are seen from its row and column, for middle centres they are the spin. */
#include "cube/cube.h"
#include "cube/poses.h"

#include <assert.h>

#include "core/format/space.h"

/* Going through the faces in their order, each cubie is met once where what faces before have shown
 * is left out: rows and columns at the margins. */
static const struct margins {
	uint8_t top, bottom, left, right;
} margins[CUBE_FACES] = {
	[CUBE_R] = {.top = 1},
	[CUBE_F] = {.top = 1, .right = 1},
	[CUBE_D] = {.top = 1, .right = 1},
	[CUBE_L] = {.top = 1, .bottom = 1, .right = 1},
	[CUBE_B] = {.top = 1, .bottom = 1, .left = 1, .right = 1},
};

/* A place: a facelet with its face, row and column. */
struct facelet_place {
	int face, row, column;
};

/* From the first place on; false after the last. */
static const struct facelet_place first_place = {CUBE_U, 0, 0};

static inline bool next_place(int n, struct facelet_place *place)
{
	struct margins margin = margins[place->face];
	if (++place->column < n - margin.right)
		return true;
	place->column = margin.left;
	if (++place->row < n - margin.bottom)
		return true;
	if (++place->face == CUBE_FACES)
		return false;
	place->row = margins[place->face].top;
	place->column = margins[place->face].left;
	/* A 2x2x2 cube is seen whole before B. */
	return place->row < n - margins[place->face].bottom &&
	       place->column < n - margins[place->face].right;
}

/* The home of the sticker there. */
static inline struct facelet_place home_of(const struct cube *cube, const struct facelet_place *at)
{
	unsigned n = cube->size;
	unsigned sticker = cube->sticker[((unsigned)at->face * n + (unsigned)at->row) * n +
					 (unsigned)at->column];
	unsigned line = sticker / n, face = line / n;
	return (struct facelet_place){(int)face, (int)(line - face * n), (int)(sticker - line * n)};
}

/* Clockwise quarters of the face that take row and column of `home` to those of `at`: off the
 * middle one number of them does, and all four are tried at once. */
static inline int quarters_of(const struct cube *cube, const struct facelet_place *home,
			      const struct facelet_place *at)
{
	int last = cube->size - 1, row = home->row, column = home->column;
	if (2 * at->row == last && 2 * at->column == last)
		return cube->spin[at->face];
	int none = (at->row == row) & (at->column == column);
	int one = (at->row == column) & (at->column == last - row);
	int two = (at->row == last - row) & (at->column == last - column);
	int three = (at->row == last - column) & (at->column == row);
	assert(none + one + two + three == 1);
	(void)none;
	return one + 2 * two + 3 * three;
}

static inline int rotation_of(const struct cube *cube, const struct facelet_place *home,
			      const struct facelet_place *at)
{
	return cube_rotation_by[home->face][at->face][quarters_of(cube, home, at)];
}

static inline struct point point_of(int n, const struct facelet_place *place)
{
	return space_point(n, place->face, place->row, place->column);
}

void cube_poses_write(const struct cube *cube, struct cube_pose *poses)
{
	int n = cube->size;
	struct facelet_place at = first_place;
	do {
		struct facelet_place from = home_of(cube, &at);
		struct point home = point_of(n, &from), now = point_of(n, &at);
		struct cube_pose pose = {.rotation = (uint8_t)rotation_of(cube, &from, &at)};
		space_coordinates(n, &home, pose.home);
		space_coordinates(n, &now, pose.at);
		pose.stickers = (uint8_t)space_faces(n, &home, pose.face);
		for (int i = 0; i < pose.stickers; i++)
			pose.normal[i] = cube_hold_table.hold[pose.rotation].to[pose.face[i]];
		poses[space_index(n, &home)] = pose;
	} while (next_place(n, &at));
}

void cube_poses_write_compact(const struct cube *cube, int8_t (*rows)[4])
{
	int n = cube->size;
	struct facelet_place at = first_place;
	do {
		struct facelet_place from = home_of(cube, &at);
		struct point home = point_of(n, &from), now = point_of(n, &at);
		int8_t *row = rows[space_index(n, &home)];
		space_coordinates(n, &now, row);
		row[3] = (int8_t)rotation_of(cube, &from, &at);
	} while (next_place(n, &at));
}

size_t cube_turn_cubies(const struct cube *cube, struct cube_turn turn, uint32_t *indices)
{
	int n = cube->size;
	size_t count = 0;
	struct facelet_place at = first_place;
	assert(turn.face < CUBE_FACES && turn.from >= 1 && turn.from <= turn.to && turn.to <= n);
	if (turn.quarters == 0)
		return 0;
	do {
		struct point now = point_of(n, &at);
		int layer = n - space_along(n, &now, cube_views[turn.face].out);
		if (layer < turn.from || layer > turn.to)
			continue;
		struct facelet_place from = home_of(cube, &at);
		struct point home = point_of(n, &from);
		indices[count++] = (uint32_t)space_index(n, &home);
	} while (next_place(n, &at));
	return count;
}
