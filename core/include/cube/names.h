/* cube/names.h: the facelets and stickers of a 2x2x2 or 3x3x3 by their names.
 *
 * A name has the letter of the side that the facelet is on, then those of the other sides of its cubie: U is
 * the centre of U, UB the facelet on U of the edge UB, and UBL, BUL and LUB are the three of the
 * corner UBL. The other sides are written in the order U D, F B, R L, as D. Singmaster's names of cubies
 * usually are ("Notes on Rubik's Magic Cube", 1979). A sticker has the name of the facelet that it is on
 * when the cube is solved. So a state is a name for each facelet, and distinguishes all stickers:
 * only the spins of the centres are not included.
 *
 * All functions are pure. */
#ifndef CUBE_NAMES_H
#define CUBE_NAMES_H

#include "cube/form.h"
#include "cube/size.h"

/* Bytes of the longest name, with its NUL. */
#define CUBE_FACELET_NAME_BYTES 4

/* Writes the name of a facelet, below cube_facelets(size); `size` is 2 or 3. */
CUBE_API void cube_facelet_name(int size, size_t facelet, char name[CUBE_FACELET_NAME_BYTES]);

/* The facelet with this name (not NUL-terminated); -1 if the cube has none. Letters are those of
 * cube/facelets.h, in either case; the other sides may be in any order: ULB is UBL, and FRD is FDR. */
CUBE_API CUBE_MUST_USE int cube_facelet_named(int size, const char *name, size_t length);

/* Reads which sticker is on each facelet into the colours of a cube of size 2 or 3. Every sticker must
 * be there once (CUBE_FORM_VALUE, CUBE_FORM_STICKER_TAKEN), and those of one cubie together, on a cubie of
 * their kind (CUBE_FORM_CUBIE). The `index` of an error is the facelet; its `expected` is, for
 * CUBE_FORM_STICKER_TAKEN, the facelet that has the sticker too. Whether the cubies make a cube is for
 * cube_from_colors() to say. O(n^2). */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_stickers_read(int size, const uint16_t *stickers,
							      uint8_t *colors,
							      struct cube_form_error *error);

#endif
