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
	X(CUBE_ERROR_UTF8, "the text is not valid UTF-8; send it as UTF-8")                        \
	X(CUBE_ERROR_CHARACTER, "unknown character; write moves such as R, U' and F2")             \
	X(CUBE_ERROR_MOVE, "unknown move; write moves such as R, U', F2, Rw and M")                \
	X(CUBE_ERROR_LAYER, "the cube has no such layer; 1 is the outermost")                      \
	X(CUBE_ERROR_RANGE,                                                                        \
	  "a layer range runs from the smaller number to the larger one, as 2-3Rw")                \
	X(CUBE_ERROR_WHOLE_CUBE, "these layers make up the whole cube; write x, y or z")           \
	X(CUBE_ERROR_NO_MIDDLE, "a cube of even size has no middle layer; write m, e or s")        \
	X(CUBE_ERROR_PREFIX, "a layer number must be before U R F D L B, as 2R")                   \
	X(CUBE_ERROR_AMOUNT, "unknown amount; write R2, R' or R2'")                                \
	X(CUBE_ERROR_AMOUNT_LARGE, "the amount is too large")                                      \
	X(CUBE_ERROR_BRACKET_OPEN, "the bracket is never closed; write (R U)2, [R, U] or [R: U]")  \
	X(CUBE_ERROR_BRACKET_CLOSE,                                                                \
	  "the bracket was never opened; write (R U)2, [R, U] or [R: U]")                          \
	X(CUBE_ERROR_BRACKET_PARTS, "square brackets hold two parts, [R, U] or [R: U]")            \
	X(CUBE_ERROR_COMMENT, "the comment is never closed; end it with */")                       \
	X(CUBE_ERROR_DEPTH, "the brackets are nested deeper than 64 levels")                       \
	X(CUBE_ERROR_DIALECT, "the dialect has no such notation; write it in the dialect sign")    \
	X(CUBE_ERROR_AMBIGUOUS,                                                                    \
	  "the text can be read in two ways; write a space between the moves")                     \
	X(CUBE_ERROR_LONG, "too many moves when written out")                                      \
	X(CUBE_ERROR_SIZE, "the dialect is for 3x3x3 only; use sign")                              \
	X(CUBE_ERROR_LINK, "this link cannot be read; send its moves as text")                     \
	X(CUBE_ERROR_FACELETS_LENGTH, "no cube has this number of letters; a 3x3x3 has 54")        \
	X(CUBE_ERROR_LETTER, "unknown colour; use U R F D L B or W R G Y O B")                     \
	X(CUBE_ERROR_REID_NAME, "unknown piece; write names such as UF and UFR")                   \
	X(CUBE_ERROR_REID_COUNT,                                                                   \
	  "too few or too many pieces; write twelve edges, then eight corners")                    \
	X(CUBE_ERROR_INDEX, "an index is decimal digits without leading zeros, such as 0 or 2606") \
	X(CUBE_ERROR_INDEX_LARGE, "the cube has fewer states than this")                           \
	X(CUBE_ERROR_TIME, "a time is @ and whole milliseconds, as in R@250")                      \
	X(CUBE_ERROR_TIME_MISSING, "this move has no time; give every move a time, or none")       \
	X(CUBE_ERROR_TIME_ALONE, "a time must follow a single move, as in R@250")                  \
	X(CUBE_ERROR_TIME_BACK, "times must not go backwards")

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
	char expected[128];   /* the right text there, or "" */
	char suggestion[64];  /* a text to write instead of the `length` bytes, or "" */
	char readings[2][48]; /* the two readings of CUBE_ERROR_AMBIGUOUS, or "" */
};

/* The table's text for a code. */
CUBE_API const char *cube_error_text(enum cube_error_code code);

/* The column, in code points from 1, of a byte offset in UTF-8 text; a byte that
 * starts no valid sequence counts as one. `offset` <= `length`. */
CUBE_API size_t cube_text_column(const char *text, size_t length, size_t offset);

#endif
