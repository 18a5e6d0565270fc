/* cube/reid.h: the Singmaster and Reid string of a 3x3x3.
 *
 * Twenty names of pieces, one for each place, in the order
 *
 *     UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR
 *
 * A name lists the colours at the place's facelets in the order of the place's name; so this very
 * text is the solved cube, and RU in the first place means that the piece UR is at UF with its R
 * sticker up. The centres are not included: the string is that of the cube turned as a whole until
 * they are home.
 *
 * Source: M. Reid's posts to the Cube-Lovers mailing list, which use D. Singmaster's names of
 * places. */
#ifndef CUBE_REID_H
#define CUBE_REID_H

#include "cube/error.h"
#include "cube/size.h"

/* Bytes of the text, with its NUL. */
#define CUBE_REID_BYTES 68

/* Writes the text of a 3x3x3 that turns lead to, however it is held. O(1). */
CUBE_API void cube_reid_print(const struct cube *cube, char text[CUBE_REID_BYTES]);

/* Reads a text into the 54 colours of a cube whose centres are home. Letters are those of
 * cube/facelets.h; one or more spaces, tabs or line ends separate the names, and may also stand
 * before and after them. Only the form is checked: twelve names of two letters, eight of three
 * (CUBE_ERROR_REID_NAME, CUBE_ERROR_REID_COUNT, CUBE_ERROR_LETTER). Whether these are the pieces
 * of a cube is for cube_from_colors() to say. No byte outside the text is read; linear in its
 * length. */
CUBE_API CUBE_MUST_USE enum cube_error_code
cube_reid_parse(const char *text, size_t length, uint8_t colors[54], struct cube_error *error);

#endif
