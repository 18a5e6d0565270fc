/* cube/cubie.h: the two forms of Cubie, a simulator that turns pieces by matrices: flatten, pieces.
 *
 * Colours are numbered by axis: -x 0, +x 1, -y 2, +y 3, -z 4, +z 5, where x is to the right, y up
 * and z towards the viewer: L R D U B F. Its turns are cube_turn_from_axis() in cube/turn.h.
 *
 * After https://github.com/EvanZhouDev/cubie, README.md and index.js. */
#ifndef CUBE_CUBIE_H
#define CUBE_CUBIE_H

#include "cube/form.h"
#include "cube/size.h"

/* The colours of this library, 0..5 by face, as Cubie's numbers, and back. */
CUBE_DATA const uint8_t cube_cubie_of_color[CUBE_FACES];
CUBE_DATA const uint8_t cube_color_of_cubie[CUBE_FACES];

/* ---- flatten: six n by n arrays, any size ----
 *
 * The arrays come in the order of cube_flatten_keys, each row by row: 6*n*n numbers. Rows and
 * columns are those of the faces R L U D F B (cube/cube.h) but for "0,0,-1", whose rows run from
 * -y to +y, as in the published program: row i of it is row n-1-i of B. */

/* "1,0,0" "-1,0,0" "0,1,0" "0,-1,0" "0,0,1" "0,0,-1": the normals of the faces. */
CUBE_DATA const char cube_flatten_keys[CUBE_FACES][8];

/* Writes cube_facelets(size) numbers. */
CUBE_API void cube_flatten_write(const struct cube *cube, uint8_t *numbers);

/* Reads `count` numbers into colours 0..5 in facelet order. Errors: COUNT (expected:
 * 6*size*size), VALUE at `index`. */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_flatten_read(int size, const uint8_t *numbers,
							     size_t count, uint8_t *colors,
							     struct cube_form_error *error);

/* ---- pieces: where each of the 26 is, size 3 ----
 *
 * The order of the list is that of the homes, x slowest, each from -1 to 1; no turn changes it.
 * Cubie itself has a number for every component of the colour, also where no sticker is seen
 * (half numbers at first), and lets turns change their signs; here these components hold
 * CUBE_PIECE_HIDDEN, and numbers are absolute. */

#define CUBE_PIECES 26
#define CUBE_PIECE_HIDDEN 255

struct cube_piece {
	int8_t at[3];     /* -1..1 */
	uint8_t color[3]; /* Cubie's number on the x, y, z side, or CUBE_PIECE_HIDDEN */
};

CUBE_API void cube_pieces_write(const struct cube *cube, struct cube_piece pieces[CUBE_PIECES]);

/* Reads a list in any order into the colours of 54 facelets: each of the 26 positions is there
 * once. Errors, `index` being that of the piece: COUNT (expected: 26), PLACE (not -1..1, or the
 * middle of the cube), PLACE_TAKEN, and with `part` 0 x, 1 y, 2 z: SEEN (hidden where there is a
 * sticker), HIDDEN (a colour where none is seen), VALUE (no colour). */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_pieces_read(const struct cube_piece *pieces,
							    size_t count, uint8_t colors[54],
							    struct cube_form_error *error);

#endif
