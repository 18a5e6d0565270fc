/* cube/error.h: what was wrong with an input, and where.
 *
 * An error is a value. Functions that read text return a code and, if it is
 * not CUBE_OK, fill a struct cube_error; nothing else is changed for the caller. */
#ifndef CUBE_ERROR_H
#define CUBE_ERROR_H

#include <stddef.h>

#include "cube/api.h"

/* One row each: code, short text for people (a sentence without its full stop). */
#define CUBE_ERROR_TABLE(X)                                                                        \
	X(CUBE_OK, "no error")                                                                     \
	X(CUBE_ERROR_UTF8, "the text is not valid UTF-8")                                          \
	X(CUBE_ERROR_CHARACTER, "unknown character in move notation")                              \
	X(CUBE_ERROR_MOVE, "this is not a valid move")                                             \
	X(CUBE_ERROR_LAYER, "this cube has no such layer")                                         \
	X(CUBE_ERROR_RANGE, "a layer range must run from the smaller number to the larger one")    \
	X(CUBE_ERROR_WHOLE_CUBE, "these layers make up the whole cube")                            \
	X(CUBE_ERROR_NO_MIDDLE, "a cube of even size has no middle layer")                         \
	X(CUBE_ERROR_PREFIX, "no layer number is allowed before this move")                        \
	X(CUBE_ERROR_AMOUNT, "this is not a valid amount")                                         \
	X(CUBE_ERROR_AMOUNT_LARGE, "this amount is too large")                                     \
	X(CUBE_ERROR_BRACKET_OPEN, "this bracket is never closed")                                 \
	X(CUBE_ERROR_BRACKET_CLOSE, "this bracket was never opened")                               \
	X(CUBE_ERROR_BRACKET_PARTS, "square brackets must hold two parts, [A, B] or [A: B]")       \
	X(CUBE_ERROR_COMMENT, "this comment is never closed")                                      \
	X(CUBE_ERROR_DEPTH, "the brackets are nested too deep")                                    \
	X(CUBE_ERROR_DIALECT, "this dialect has no such notation")                                 \
	X(CUBE_ERROR_AMBIGUOUS, "this can be read in two ways")                                    \
	X(CUBE_ERROR_LONG, "there are too many moves when written out")                            \
	X(CUBE_ERROR_SIZE, "this dialect does not support this size of cube")                      \
	X(CUBE_ERROR_LINK, "this link cannot be read")                                             \
	X(CUBE_ERROR_FACELETS_LENGTH, "no cube has this number of facelets")                       \
	X(CUBE_ERROR_LETTER, "this is not the letter of a face or a colour")                       \
	X(CUBE_ERROR_REID_NAME, "this is not a valid name of a piece")                             \
	X(CUBE_ERROR_REID_COUNT, "there are too few or too many names of pieces")                  \
	X(CUBE_ERROR_INDEX, "an index must be decimal digits without leading zeros")               \
	X(CUBE_ERROR_INDEX_LARGE, "there are fewer states than this")

enum cube_error_code {
#define CUBE_ERROR_ROW(code, text) code,
	CUBE_ERROR_TABLE(CUBE_ERROR_ROW)
#undef CUBE_ERROR_ROW
		CUBE_ERROR_COUNT
};

struct cube_error {
	enum cube_error_code code;
	size_t offset;        /* in bytes of the text, 0 the first */
	size_t length;        /* in bytes; at least 1 unless the fault is the end of the text */
	char expected[128];   /* what would be right there, or "" */
	char suggestion[64];  /* what to write instead of the `length` bytes, or "" */
	char readings[2][48]; /* the two readings of CUBE_ERROR_AMBIGUOUS, or "" */
};

/* The table's text for a code. */
CUBE_API const char *cube_error_text(enum cube_error_code code);

/* The column, in code points from 1, of a byte offset in UTF-8 text; a byte that
 * starts no valid sequence counts as one. `offset` <= `length`. */
CUBE_API size_t cube_text_column(const char *text, size_t length, size_t offset);

#endif
