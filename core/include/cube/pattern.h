/* cube/pattern.h: patterns of colours, and where a cube fits them.
 *
 * A pattern is six n by n arrays around a face A, laid flat:
 *
 *              A.up
 *     A.left   A      A.right
 *              A.down
 *              A.down.down
 *
 * in the order A, A.up, A.right, A.left, A.down, A.down.down, each row by row as it lies there: the
 * last row of A.up, the first column of A.right, the last column of A.left and the first row of
 * A.down touch A; the first row of A.down.down touches A.down. With A in front these are F U R L D
 * B, and B stands on its head. An item is
 *
 *     a colour    what is there shows it
 *     a generic   1 to 6: one colour, whichever, the same wherever this generic stands
 *     a star      anything
 *
 * and different items are different colours: two generics never bind one colour, and no generic
 * binds a colour that the pattern names.
 *
 * A cube fits a pattern in up to 24 ways: A may be each face, turned by 0, 1, 2 or 3 clockwise
 * quarters from its own up in the usual unfolding (U for F R B L; B for U; F for D). With rotation
 * 1 the pattern's up lies where the face's own right is. Fit number 4 * face + rotation; a set of
 * fits is 24 bits, 1 << number.
 *
 * How it is matched. The pattern is turned, once, into all 24 ways when it is made; states never
 * are. For a 2x2x2 and 3x3x3 a state becomes three bit planes, the bits of its colours by facelet.
 * A way of holding the pattern is a mask of facelets and the planes that its colours ask for:
 *
 *     wrong = mask & ((plane0 ^ want0) | (plane1 ^ want1) | (plane2 ^ want2))
 *
 * Planes are halves of 27 bits, so that an AVX2 register holds a half for eight ways. For a
 * generic, one facelet gives its colour; the places of that colour on the cube are a board of
 * facelets, one of six in a register, looked up by the colours of eight ways at once:
 *
 *     wrong |= facelets of the generic & ~board[colour],  and bit colour must be free
 *
 * It stops once all ways are wrong, so generics on more facelets come first. That no two generics
 * have one colour is checked in bytes, one for each of 24 ways. Some 16 ns for fixed colours,
 * 25 ns for a random state and six generics, 50 ns if these all fit (Sapphire Rapids;
 * tests/bench/pattern.c). Without AVX2 the fixed colours are compared in four ways at a time, and the
 * generics way by way. Larger cubes
 * compare items one by one, all of a class together, and leave a way at the first mismatch.
 *
 * All functions are pure; the caller gives all memory. Any number of threads may match one pattern.
 */
#ifndef CUBE_PATTERN_H
#define CUBE_PATTERN_H

#include "cube/size.h"

#define CUBE_FITS 24
#define CUBE_FITS_ALL 0xffffffu
#define CUBE_GENERICS 6

/* An item: a colour 0..5 (enum cube_face), CUBE_ITEM_GENERIC + 0..5 for the generics 1 to 6, or a
 * star. */
#define CUBE_ITEM_GENERIC 6
#define CUBE_ITEM_ANY 12

/* A fit's parts, and back. */
static inline int cube_fit(int face, int rotation)
{
	return 4 * face + rotation;
}
static inline int cube_fit_face(int fit)
{
	return fit / 4;
}
static inline int cube_fit_rotation(int fit)
{
	return fit % 4;
}
/* The hold (cube/hold.h) that takes A from the front, upright, to where the fit has it. */
CUBE_API int cube_fit_hold(int fit);

/* ---- reading ---- */

/* Names of the arrays for people, in their order: "A", "A.up", ... */
CUBE_DATA const char *const cube_pattern_arrays[CUBE_FACES];

/* One letter: a face, a WCA colour (either case), "1" to "6" or "*". -1 for any other letter. */
CUBE_API CUBE_MUST_USE int cube_pattern_item(char letter);
/* And back: '*', '1'..'6' or a face letter. */
CUBE_API char cube_pattern_letter(int item);

/* One row each: code, text for people (a sentence without its full stop). */
#define CUBE_PATTERN_TABLE(X)                                                                      \
	X(CUBE_PATTERN_OK, "no error")                                                             \
	X(CUBE_PATTERN_ITEM, "this is not a colour, a generic 1 to 6, or *")                       \
	X(CUBE_PATTERN_COUNT, "this array must have as many items as a face has")                  \
	X(CUBE_PATTERN_ARRAYS, "a pattern must have six arrays")                                   \
	X(CUBE_PATTERN_SIZE, "no cube has faces with this many items")

enum cube_pattern_code {
#define CUBE_PATTERN_ROW(code, text) code,
	CUBE_PATTERN_TABLE(CUBE_PATTERN_ROW)
#undef CUBE_PATTERN_ROW
		CUBE_PATTERN_CODES
};

struct cube_pattern_error {
	enum cube_pattern_code code;
	int array;       /* 0..5; for ARRAYS: how many there are */
	size_t item;     /* in its array, 0 the first; for COUNT and SIZE: how many there are */
	size_t expected; /* for COUNT: how many there should be; else 0 */
	size_t offset;   /* of the text, in bytes */
	size_t length;
};

/* The table's text for a code. */
CUBE_API const char *cube_pattern_text(enum cube_pattern_code code);

/* Reads the compact string: six arrays of letters, white space between, "1111 **22 3*3* *4*4 55**
 * ****"; without any white space, 6*n*n letters. `items` has room for
 * CUBE_FACELETS_MAX, or for `length` if that is less. The first array determines the size. O(length).
 */
CUBE_API CUBE_MUST_USE enum cube_pattern_code cube_pattern_parse(const char *text, size_t length,
								 uint8_t *items, int *size,
								 struct cube_pattern_error *error);

/* ---- making and matching ---- */

/* A pattern that is ready to match. Its inside is the library's. */
struct cube_pattern;

/* Bytes of a pattern for that size, aligned like malloc's; 2,864 for a 3x3x3. `stars` is how many
 * of the items are stars; 0 will do. */
CUBE_API size_t cube_pattern_bytes(int size, size_t stars);

/* Makes a pattern of 6*size*size valid items, array after array. O(n^2). */
CUBE_API void cube_pattern_make(struct cube_pattern *pattern, int size, const uint8_t *items);

CUBE_API int cube_pattern_size(const struct cube_pattern *pattern);

/* The colours 0..5 of a state by facelet, 6*n*n of them: what is matched. To scan many
 * states, keep these. Some 30 ns for a 3x3x3; O(n^2). */
CUBE_API void cube_colors(const struct cube *cube, uint8_t *colors);

/* The fits of `among` (CUBE_FITS_ALL) in which the colours (of the pattern's size) fit. */
CUBE_API uint32_t cube_pattern_match(const struct cube_pattern *pattern, const uint8_t *colors,
				     uint32_t among);

/* Finds the colours to which the generics are bound in `fit`, in which the pattern must fit: 0..5,
 * or -1 for a generic that is not in the pattern. */
CUBE_API void cube_pattern_bindings(const struct cube_pattern *pattern, const uint8_t *colors,
				    int fit, int8_t bound[CUBE_GENERICS]);

#endif
