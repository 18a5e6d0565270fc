/* core/format/cubie.c: Cubie's forms, written and read. */
#include "cube/cube.h"
#include "cube/cubie.h"

#include <assert.h>

#include "core/format/form.h"
#include "core/format/space.h"

/* Cubie's numbers stand for -x +x -y +y -z +z. */
const uint8_t cube_color_of_cubie[CUBE_FACES] = {CUBE_L, CUBE_R, CUBE_D, CUBE_U, CUBE_B, CUBE_F};
const uint8_t cube_cubie_of_color[CUBE_FACES] = {
	[CUBE_L] = 0, [CUBE_R] = 1, [CUBE_D] = 2, [CUBE_U] = 3, [CUBE_B] = 4, [CUBE_F] = 5};

/* ---- flatten ---- */

const char cube_flatten_keys[CUBE_FACES][8] = {"1,0,0",  "-1,0,0", "0,1,0",
					       "0,-1,0", "0,0,1",  "0,0,-1"};
static const uint8_t face_of_key[CUBE_FACES] = {CUBE_R, CUBE_L, CUBE_U, CUBE_D, CUBE_F, CUBE_B};

/* The facelet where a row of a key begins. */
static size_t row_begin(size_t n, size_t key, size_t row)
{
	size_t face = face_of_key[key];
	return (face * n + (face == CUBE_B ? n - 1 - row : row)) * n;
}

void cube_flatten_write(const struct cube *cube, uint8_t *numbers)
{
	size_t n = cube->size;
	/* A sticker's colour is sticker / n^2. Multiplied by a little more than 2^32 / n^2 instead,
	 * which is exact: what is too much adds up to less than 60,000 n^2 < 2^32. */
	uint64_t inverse = (UINT64_C(1) << 32) / (n * n) + 1;
	for (size_t key = 0; key < CUBE_FACES; key++) {
		for (size_t row = 0; row < n; row++) {
			const uint16_t *sticker = cube->sticker + row_begin(n, key, row);
			for (size_t column = 0; column < n; column++)
				*numbers++ = cube_cubie_of_color[sticker[column] * inverse >> 32];
		}
	}
}

enum cube_form_code cube_flatten_read(int size, const uint8_t *numbers, size_t count,
				      uint8_t *colors, struct cube_form_error *error)
{
	size_t n = (size_t)size;
	assert(cube_size_valid(size));
	if (count != cube_facelets(size))
		return cube_form_fail(error, CUBE_FORM_COUNT, count, 0, (long)cube_facelets(size));
	for (size_t i = 0; i < count; i++) {
		if (numbers[i] >= CUBE_FACES)
			return cube_form_fail(error, CUBE_FORM_VALUE, i, 0, -1);
		size_t facelet = row_begin(n, i / n / n, i / n % n) + i % n;
		colors[facelet] = cube_color_of_cubie[numbers[i]];
	}
	return CUBE_FORM_OK;
}

/* ---- pieces ---- */

static const struct cube_piece nothing_seen = {
	.color = {CUBE_PIECE_HIDDEN, CUBE_PIECE_HIDDEN, CUBE_PIECE_HIDDEN}};

/* The order of the homes is that of the poses, of which every pose has what is wanted. */
void cube_pieces_write(const struct cube *cube, struct cube_piece pieces[CUBE_PIECES])
{
	struct cube_pose poses[CUBE_PIECES];
	assert(cube->size == 3);
	cube_poses_write(cube, poses);
	for (int i = 0; i < CUBE_PIECES; i++) {
		struct cube_piece piece = nothing_seen;
		for (int axis = 0; axis < 3; axis++)
			piece.at[axis] = (int8_t)(poses[i].at[axis] / 2);
		for (int j = 0; j < poses[i].stickers; j++)
			piece.color[cube_views[poses[i].normal[j]].out.axis] =
				cube_cubie_of_color[poses[i].face[j]];
		pieces[i] = piece;
	}
}

static enum cube_form_code read_piece(const struct cube_piece *piece, size_t index,
				      const struct point *at, uint8_t colors[54],
				      struct cube_form_error *error)
{
	for (int axis = 0; axis < 3; axis++) {
		uint8_t color = piece->color[axis];
		if (piece->at[axis] == 0 && color != CUBE_PIECE_HIDDEN)
			return cube_form_fail(error, CUBE_FORM_HIDDEN, index, axis, -1);
		if (piece->at[axis] == 0)
			continue;
		if (color == CUBE_PIECE_HIDDEN)
			return cube_form_fail(error, CUBE_FORM_SEEN, index, axis, -1);
		if (color >= CUBE_FACES)
			return cube_form_fail(error, CUBE_FORM_VALUE, index, axis, -1);
		/* The face at that end of the axis has the same number as its colour. */
		int face = cube_color_of_cubie[2 * axis + (piece->at[axis] > 0)];
		colors[space_facelet(3, face, at)] = cube_color_of_cubie[color];
	}
	return CUBE_FORM_OK;
}

enum cube_form_code cube_pieces_read(const struct cube_piece *pieces, size_t count,
				     uint8_t colors[54], struct cube_form_error *error)
{
	bool taken[CUBE_PIECES] = {false};
	if (count != CUBE_PIECES)
		return cube_form_fail(error, CUBE_FORM_COUNT, count, 0, CUBE_PIECES);
	for (size_t i = 0; i < count; i++) {
		int8_t at[3];
		struct point point;
		for (int axis = 0; axis < 3; axis++) {
			if (pieces[i].at[axis] < -1 || pieces[i].at[axis] > 1)
				return cube_form_fail(error, CUBE_FORM_PLACE, i, axis, -1);
			at[axis] = (int8_t)(2 * pieces[i].at[axis]);
		}
		if (!cube_space_read(3, at, &point))
			return cube_form_fail(error, CUBE_FORM_PLACE, i, 0, -1);
		bool *met = &taken[space_index(3, &point)];
		if (*met)
			return cube_form_fail(error, CUBE_FORM_PLACE_TAKEN, i, 0, -1);
		*met = true;
		enum cube_form_code code = read_piece(&pieces[i], i, &point, colors, error);
		if (code != CUBE_FORM_OK)
			return code;
	}
	return CUBE_FORM_OK;
}
