/* cube/index.h: one number for every state of a 2x2x2 or 3x3x3.
 *
 * The cube is first turned as a whole until its centres (2x2x2: its corner DBL) are home. Its
 * states and the numbers from 0 to one less than their count then belong together one to one:
 *
 *     3x3x3   ((C * 12!/2 + E) * 3^7 + T) * 2^11 + F     below 43,252,003,274,489,856,000
 *       C     rank of corner_permutation, below 8!
 *       E     rank of edge_permutation modulo 12!/2
 *       T     the twists of the first seven corners, base 3, the first the most significant
 *       F     the flips of the first eleven edges, base 2, the first the most significant
 *
 *     2x2x2   C * 3^6 + T                                below 3,674,160
 *       C     rank of the corners in the places but DBL, below 7!; places and pieces are numbered
 *             0..6 in Kociemba's order without DBL
 *       T     the twists of the first six of them, base 3, the first the most significant
 *
 * Arrays are those of cube/cubies.h, ranks those of cube_rank below. The last twist and flip
 * follow from the others, since the twists add up to 0 mod 3 and the flips to 0 mod 2.
 *
 * The parity. The rank writes a permutation of n as a product of transpositions (i, d_i), one for
 * each i = n-1 .. 1 and with 0 <= d_i <= i, and is
 *     d_{n-1} + n (d_{n-2} + (n-1) (d_{n-3} + ... + 3 d_1)).
 * The last digit d_1 weighs n!/2. It is 0 or 1, and (1, 0) is a swap where (1, 1) is none; so
 * whatever the other digits are, one value of d_1 makes the permutation even and the other odd.
 * Edges and corners of a cube with its centres home are both even or both odd, so C settles d_1 of
 * the edges, and the rank modulo 12!/2 is all of the rest, each value once.
 *
 * The identity has the highest rank, n! - 1, so the solved cube is not 0: docs/reference/models.md has the
 * numbers of known positions.
 *
 * Source: W. Myrvold and F. Ruskey, "Ranking and unranking permutations in linear time",
 * Information Processing Letters 79 (2001), the functions rank1 and unrank1. */
#ifndef CUBE_INDEX_H
#define CUBE_INDEX_H

#include "cube/cubies.h"
#include "cube/error.h"

/* high * 2^64 + low: the indices of a 3x3x3 need 66 bits. */
struct cube_index {
	uint64_t high, low;
};

/* Returns the number of states: 3674160 for size 2, 43252003274489856000 for 3. */
CUBE_API struct cube_index cube_index_count(int size);

/* The index of a cube of size 2 or 3 that turns lead to, however it is held. O(1). */
CUBE_API struct cube_index cube_index_of(const struct cube *cube);

/* The same of cubies whose centres (2x2x2: DBL, untwisted) are home. */
CUBE_API struct cube_index cube_index_of_cubies(const struct cube_cubies *cubies, int size);

/* The cubies with that index; false if it is not below the count. */
CUBE_API CUBE_MUST_USE bool cube_index_cubies(struct cube_index index, int size,
					      struct cube_cubies *cubies);

/* Bytes of an index as text, with its NUL. */
#define CUBE_INDEX_BYTES 21

/* Writes the index in decimal with a NUL; returns the length without it. */
CUBE_API size_t cube_index_print(struct cube_index index, char text[CUBE_INDEX_BYTES]);

/* Reads decimal digits only: no sign, exponent, space, fraction, or leading zero (except "0"
 * itself). CUBE_ERROR_INDEX for any other text, CUBE_ERROR_INDEX_LARGE if the number is not below
 * the count; `index` is then unchanged. No byte outside the text is read. */
CUBE_API CUBE_MUST_USE enum cube_error_code cube_index_parse(const char *text, size_t length,
							     int size, struct cube_index *index,
							     struct cube_error *error);

/* ---- permutations ---- */

#define CUBE_RANK_MAX 16

/* The rank (rank1), 0 .. n! - 1, of a permutation of 0 .. n-1; n is 1..CUBE_RANK_MAX. O(n). */
CUBE_API uint64_t cube_rank(const uint8_t *permutation, int n);

/* The permutation of that rank, which is below n! (unrank1). O(n). */
CUBE_API void cube_unrank(uint64_t rank, int n, uint8_t *permutation);

#endif
