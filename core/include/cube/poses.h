/* cube/poses.h: where each cubie is in space and how it is turned, for drawing the cube.
 *
 * Coordinates of a cubie are 1-n, 3-n .. n-1: x to the right, y up, z towards the viewer, the
 * middle of the cube 0. A cubie has a home and a rotation that turns it from there to where it
 * is now:
 *
 *     at = rotation * home        the matrix acts on column vectors
 *
 * The rotation is true for every cubie, also for centres, whose stickers do not show it: a
 * sticker that keeps its identity goes from its home facelet to a facelet of its orbit with one
 * of four quarter turns in the plane of the face, and only one of the four takes its point, off
 * the axis of the face, to its point. For the middle centres, whose point is on that axis,
 * struct cube keeps the quarter turn: the spin. So poses and struct cube say the same, and
 * either is made of the other.
 *
 * The order of cubies is that of their homes: x slowest, then y, z fastest, each upwards. Cubies
 * inside, of which nothing is seen, are left out: n^3 - (n-2)^3 are listed.
 *
 * Rotations are numbered 0..23 as the ways to hold a cube are in cube/hold.h: 4*i + j is the i-th
 * of nothing, x, x2, x', z, z', then y j times. cube_rotation_matrix() writes their matrices. */
#ifndef CUBE_POSES_H
#define CUBE_POSES_H

#include "cube/form.h"
#include "cube/hold.h"
#include "cube/size.h"
#include "cube/turn.h"

/* ---- rotations ---- */

/* The matrix of a rotation, 0..23: entries -1, 0, 1, one in each row and column, determinant 1. */
CUBE_API void cube_rotation_matrix(int rotation, int8_t matrix[3][3]);
/* The number of a matrix; -1 if it is not a rotation of the cube. */
CUBE_API CUBE_MUST_USE int cube_rotation_find(const int8_t matrix[3][3]);
/* The normal of a face: U is 0, 1, 0. */
CUBE_API void cube_face_normal(int face, int8_t normal[3]);

/* ---- cubies ---- */

/* Returns the number of visible cubies: n^3 - (n-2)^3; 8, 26, 56 ... 58,808. */
CUBE_API size_t cube_poses_count(int size);
/* The index of the cubie with that home; -1 if the cube has none that is seen. */
CUBE_API CUBE_MUST_USE int32_t cube_pose_index(int size, const int8_t home[3]);
/* The home of a cubie; index < cube_poses_count(size). */
CUBE_API void cube_pose_home(int size, size_t index, int8_t home[3]);

/* ---- poses ---- */

struct cube_pose {
	int8_t home[3], at[3];
	uint8_t rotation;  /* 0..23 */
	uint8_t stickers;  /* 1 centre, 2 edge, 3 corner */
	uint8_t face[3];   /* the colour of each sticker, 0..5; ascending; beyond `stickers` 0 */
	uint8_t normal[3]; /* the face it points to now */
};

/* Writes cube_poses_count(size) poses in the order of the homes. Each cubie of the state is
 * whole, as it is wherever this library makes one. O(n^2); uses no memory except the poses. */
CUBE_API void cube_poses_write(const struct cube *cube, struct cube_pose *poses);

/* The same in four bytes a cubie: x, y, z of `at` and the rotation. */
CUBE_API void cube_poses_write_compact(const struct cube *cube, int8_t (*rows)[4]);

/* Makes a state of poses in any order; home, at, rotation and stickers of each are read
 * (stickers in any order; 0 of them asks for no comparison). `cube` has room for
 * cube_bytes(size), `seen` is scratch of cube_poses_count(size) bytes. Errors, `index` being
 * that of the pose: COUNT, HOME, HOME_TAKEN, PLACE, VALUE (no such rotation), ROTATION,
 * PLACE_TAKEN, STICKER (`part` which; their number: part 3). `cube` is defined on CUBE_FORM_OK only.
 *
 * Each cubie is then in a possible place. Whether turns can reach the state (twists, flips, parity)
 * is checked on its colours with cube_from_colors() in cube/facelets.h, as for any other form. A cube whose centres and spins were assumed, because it was read from colours, is
 * read back here as it was. */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_poses_read(struct cube *cube, int size,
							   const struct cube_pose *poses,
							   size_t count, uint8_t *seen,
							   struct cube_form_error *error);

/* The same of rows in the order of the homes. */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_poses_read_compact(struct cube *cube, int size,
								   const int8_t (*rows)[4],
								   size_t count,
								   struct cube_form_error *error);

/* Lists the cubies, by index of home, that a turn of this state moves, in the order of the
 * places where they are; none if the turn is of 0 quarters. `indices` has room for
 * cube_poses_count(size). Returns how many. */
CUBE_API size_t cube_turn_cubies(const struct cube *cube, struct cube_turn turn, uint32_t *indices);

#endif
