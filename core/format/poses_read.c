/* core/format/poses_read.c: makes a state of poses, or says which of them cannot be. */
#include "cube/cube.h"
#include "cube/poses.h"

#include <assert.h>
#include <string.h>

#include "core/format/form.h"
#include "core/format/space.h"

#define NOTHING UINT16_MAX /* no sticker has this number */

static void begin_cube(struct cube *cube, int size)
{
	assert(cube_size_valid(size));
	memset(cube, 0, sizeof(*cube));
	cube->size = (uint8_t)size;
	for (size_t i = 0; i < cube_facelets(size); i++)
		cube->sticker[i] = NOTHING;
}

/* Puts a cubie where its pose says. */
static enum cube_form_code place_cubie(struct cube *cube, const struct point *home,
				       const int8_t at[3], int rotation, size_t index,
				       struct cube_form_error *error)
{
	int n = cube->size;
	struct point now, turned;
	uint8_t faces[3];
	if (!cube_space_read(n, at, &now))
		return cube_form_fail(error, CUBE_FORM_PLACE, index, 0, -1);
	if (rotation < 0 || rotation >= CUBE_HOLDS)
		return cube_form_fail(error, CUBE_FORM_VALUE, index, 0, -1);
	turned = space_rotate(n, &cube_hold_table.hold[rotation], home);
	if (memcmp(&turned, &now, sizeof(now)) != 0)
		return cube_form_fail(error, CUBE_FORM_ROTATION, index, 0, -1);
	int count = space_faces(n, home, faces);
	for (int i = 0; i < count; i++) {
		int to = cube_hold_table.hold[rotation].to[faces[i]];
		uint16_t *sticker = &cube->sticker[space_facelet(n, to, &now)];
		if (*sticker != NOTHING)
			return cube_form_fail(error, CUBE_FORM_PLACE_TAKEN, index, 0, -1);
		*sticker = (uint16_t)space_facelet(n, faces[i], home);
		/* A centre in the middle: of its three coordinates two are 0. */
		int last = n - 1, middles = 0;
		for (int axis = 0; axis < 3; axis++)
			middles += 2 * home->at[axis] == last;
		if (middles == 2)
			cube->spin[to] = cube_hold_table.hold[rotation].spin[faces[i]];
	}
	return CUBE_FORM_OK;
}

/* The stickers given must be those that home and rotation imply. */
static enum cube_form_code check_stickers(int n, const struct cube_pose *pose,
					  const struct point *home, size_t index,
					  struct cube_form_error *error)
{
	uint8_t faces[3], seen = 0;
	int count = space_faces(n, home, faces);
	if (pose->stickers == 0)
		return CUBE_FORM_OK;
	if (pose->stickers != count)
		return cube_form_fail(error, CUBE_FORM_STICKER, index, 3, count);
	for (int i = 0; i < count; i++) {
		bool found = false;
		for (int j = 0; j < count; j++)
			found |= pose->face[i] == faces[j];
		if (!found || seen >> pose->face[i] & 1 ||
		    pose->normal[i] != cube_hold_table.hold[pose->rotation].to[pose->face[i]])
			return cube_form_fail(error, CUBE_FORM_STICKER, index, i, -1);
		seen |= (uint8_t)(1 << pose->face[i]);
	}
	return CUBE_FORM_OK;
}

enum cube_form_code cube_poses_read(struct cube *cube, int size, const struct cube_pose *poses,
				    size_t count, uint8_t *seen, struct cube_form_error *error)
{
	size_t right = cube_poses_count(size);
	if (count != right)
		return cube_form_fail(error, CUBE_FORM_COUNT, count, 0, (long)right);
	begin_cube(cube, size);
	memset(seen, 0, count);
	for (size_t i = 0; i < count; i++) {
		struct point home;
		if (!cube_space_read(size, poses[i].home, &home))
			return cube_form_fail(error, CUBE_FORM_HOME, i, 0, -1);
		uint8_t *met = &seen[space_index(size, &home)];
		if (*met)
			return cube_form_fail(error, CUBE_FORM_HOME_TAKEN, i, 0, -1);
		*met = 1;
		enum cube_form_code code =
			place_cubie(cube, &home, poses[i].at, poses[i].rotation, i, error);
		if (code == CUBE_FORM_OK)
			code = check_stickers(size, &poses[i], &home, i, error);
		if (code != CUBE_FORM_OK)
			return code;
	}
	return CUBE_FORM_OK;
}

enum cube_form_code cube_poses_read_compact(struct cube *cube, int size, const int8_t (*rows)[4],
					    size_t count, struct cube_form_error *error)
{
	size_t right = cube_poses_count(size);
	if (count != right)
		return cube_form_fail(error, CUBE_FORM_COUNT, count, 0, (long)right);
	begin_cube(cube, size);
	for (size_t i = 0; i < count; i++) {
		struct point home = cube_space_at(size, i);
		enum cube_form_code code = place_cubie(cube, &home, rows[i], rows[i][3], i, error);
		if (code != CUBE_FORM_OK)
			return code;
	}
	return CUBE_FORM_OK;
}
