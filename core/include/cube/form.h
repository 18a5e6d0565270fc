/* cube/form.h: what was wrong with a cube given as numbers.
 *
 * For the forms that are lists of numbers: features, flatten, pieces, rubyks, poses, stickers. As with text
 * (cube/error.h) an error is a value. Reading gives colours, of which cube_from_colors() in
 * cube/facelets.h makes the state or reports what no turn can reach; poses give the state itself. */
#ifndef CUBE_FORM_H
#define CUBE_FORM_H

#include <stddef.h>

#include "cube/api.h"

/* One row each: code, short text for people (a sentence without its full stop). */
#define CUBE_FORM_TABLE(X)                                                                         \
	X(CUBE_FORM_OK, "no error")                                                                \
	X(CUBE_FORM_COUNT, "too few or too many items")                                            \
	X(CUBE_FORM_VALUE, "this number is out of range")                                          \
	X(CUBE_FORM_ONE_HOT, "exactly one of the six numbers of a facelet must be 1")              \
	X(CUBE_FORM_FLAG, "this number does not agree with the colours")                           \
	X(CUBE_FORM_PLACE, "the cube has no cubie at this position")                               \
	X(CUBE_FORM_PLACE_TAKEN, "another cubie is already at this position")                      \
	X(CUBE_FORM_HOME, "the cube has no cubie with this home")                                  \
	X(CUBE_FORM_HOME_TAKEN, "another cubie has the same home")                                 \
	X(CUBE_FORM_HIDDEN, "no sticker is visible on this side")                                  \
	X(CUBE_FORM_SEEN, "a sticker is visible on this side")                                     \
	X(CUBE_FORM_ROTATION,                                                                      \
	  "the rotation does not take this cubie from its home to its position")                   \
	X(CUBE_FORM_STICKER, "this sticker does not agree with the home and rotation of the "      \
			     "cubie")                                                              \
	X(CUBE_FORM_STICKER_TAKEN, "this sticker is on another facelet too")                       \
	X(CUBE_FORM_CUBIE, "the stickers on this cubie are not those of one cubie")

enum cube_form_code {
#define CUBE_FORM_ROW(code, text) code,
	CUBE_FORM_TABLE(CUBE_FORM_ROW)
#undef CUBE_FORM_ROW
		CUBE_FORM_CODES
};

struct cube_form_error {
	enum cube_form_code code;
	size_t index;  /* of the item of the list, 0 the first; for COUNT: how many there are */
	int part;      /* which number of the item, see the reading function; else 0 */
	long expected; /* the right value, if there is only one; else -1 */
};

/* The table's text for a code. */
CUBE_API const char *cube_form_text(enum cube_form_code code);

#endif
