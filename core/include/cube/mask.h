/* cube/mask.h: which stickers belong to a stage of solving, for pictures that show the others grey.
 *
 * A mask has a byte for each facelet of the solved cube, with U up and F in front: 1 if the sticker that
 * belongs there is of interest. It stays with the sticker when the cube is turned.
 *
 * The text of a mask is one of
 *
 *     a stage       "cross", "f2l", "oll", "cmll", "2x2x3": see mask.c. First layers are at D, last
 *                   ones at U
 *     a pattern     with a name (cube/named.h): the stickers that it fixes, of its first alternative
 *     six arrays    of a pattern of colours (cube/pattern.h), around F: all but the stars
 *
 * and of the first two perhaps "-" and rotations of the cube by which the mask is turned: "cross-x2"
 * is the cross at U. */
#ifndef CUBE_MASK_H
#define CUBE_MASK_H

#include "cube/size.h"

/* Scratch for cube_mask_parse. */
#define CUBE_MASK_SCRATCH(size) (2 * cube_facelets(size) + 2 * cube_bytes(size))

/* Reads it for cubes of that size; `mask` has 6*n*n bytes, `scratch` CUBE_MASK_SCRATCH, aligned like
 * malloc's. False if it is something else. O(n^2). */
CUBE_API CUBE_MUST_USE bool cube_mask_parse(const char *text, size_t length, int size,
					    uint8_t *mask, void *scratch);

/* The names of stages; NULL past the last. */
CUBE_API const char *cube_mask_stage(size_t index);

#endif
