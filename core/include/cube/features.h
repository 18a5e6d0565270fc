/* cube/features.h: a 3x3x3 cube as 364 numbers 0 or 1, for a neural network to learn from.
 *
 *   0..323    one-hot: six numbers a facelet, facelet order, colour order U R F D L B
 *   324..343  whether the place holds its own piece
 *   344..363  whether the piece in the place is not twisted or flipped
 *
 * Both rows of twenty go by places, eight corners and twelve edges in Kociemba's order (URF UFL ULB
 * UBR DFR DLF DBL DRB; UR UF UL UB DR DF DL DB FR FL BL BR), and are those of the cube as it is
 * held: places are fixed in space, pieces are named by their colours. A corner is not twisted where
 * its U or D sticker is on U or D. An edge is not flipped where its first-named sticker (that on U
 * or D at home, else that on F or B) is on the place's first-named facelet.
 *
 * After the document "Cube Data Model" (pavelsavara), section CubeFeatures. */
#ifndef CUBE_FEATURES_H
#define CUBE_FEATURES_H

#include "cube/form.h"
#include "cube/size.h"

#define CUBE_FEATURES 364
#define CUBE_FEATURES_PLACED 324   /* the first of the twenty about places */
#define CUBE_FEATURES_ORIENTED 344 /* the first of the twenty about twists and flips */

/* Writes the features of a cube of size 3, as bytes or as floats 0.0f and 1.0f, so that many
 * cubes make a matrix. Reads no further than the cube and writes CUBE_FEATURES numbers. Some
 * tens of ns. */
CUBE_API void cube_features_write(const struct cube *cube, uint8_t features[CUBE_FEATURES]);
CUBE_API void cube_features_write_float(const struct cube *cube, float features[CUBE_FEATURES]);

/* Reads `count` numbers into the colours 0..5 of 54 facelets. Errors, `index` being that of the
 * number: COUNT (expected: 364), VALUE (neither 0 nor 1), ONE_HOT (the first of the facelet's six),
 * FLAG (one of the last forty disagrees with the colours; expected: what it should be). Flags of a
 * place whose colours do not form a piece are not checked: cube_from_colors() refuses that cube. */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_features_read(const uint8_t *features, size_t count,
							      uint8_t colors[54],
							      struct cube_form_error *error);

#endif
