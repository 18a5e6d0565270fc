/* cube/state3.h: the pieces of a 3x3x3 in 32 bytes, and fast composition of them.
 *
 * For searches and tables. A byte for each place says which piece is there (bits 0..3) and how it
 * sits (bits 4..5, flip or twist); numbers, twist and flip are those of cube/cubies.h. Centres are
 * left out: turn the cube home first (cube/hold.h).
 *
 *     byte   0..11  edges     12..15  the values 12..15, no pieces
 *     byte  16..23  corners   24..31  the values 8..15, no pieces
 *
 * "a, then b" as everywhere: piece[i] = a.piece[b.piece[i]], with the turns of both added up mod 2
 * or 3 (the corners' by the corner places):
 *
 *     edge   i:  place e = b.edge[i]    ->  a.edge[e],   flip  (a.flip[e] + b.flip[i]) mod 2
 *     corner i:  place c = b.corner[i]  ->  a.corner[c], twist (a.twist[c] + b.twist[i]) mod 3
 *
 * What a processor can do best is asked of it at run time. The result is the same to the bit on
 * every one. */
#ifndef CUBE_STATE3_H
#define CUBE_STATE3_H

#include <stdalign.h>

#include "cube/cubies.h"
#include "cube/notation.h"

struct cube_state3 {
	alignas(32) uint8_t piece[32];
};

#define CUBE_STATE3_CORNERS 16 /* the first corner's byte */
#define CUBE_STATE3_PIECE 0x0f /* of a byte */
#define CUBE_STATE3_TURN 4     /* first bit of the flip or twist */

/* The solved state. */
CUBE_DATA const struct cube_state3 cube_state3_solved;

/* From cubies with values in range, and back; centers are taken no notice of, and come back home.
 */
CUBE_API void cube_state3_from_cubies(struct cube_state3 *state, const struct cube_cubies *cubies);
CUBE_API void cube_state3_to_cubies(const struct cube_state3 *state, struct cube_cubies *cubies);

/* Reads moves in a dialect, like cube_parse() (cube/notation.h): `nodes` has room for
 * cube_parse_nodes(). On CUBE_OK `state` is what they make of a solved cube, turned as a whole until its
 * centres are home: after `x` it is solved, and `M` is `L' R`. Else `error` is filled, and `state` is as it
 * was. Needs 17 KiB of stack. */
CUBE_API CUBE_MUST_USE enum cube_error_code
cube_state3_parse(const char *text, size_t length, enum cube_dialect dialect,
		  struct cube_node *nodes, struct cube_state3 *state, struct cube_error *error);

/* Returns true if turns lead to the state with the centres home: it has each piece once, and its
 * twists, flips and parity are possible. */
CUBE_API bool cube_state3_possible(const struct cube_state3 *state);

CUBE_API bool cube_state3_equal(const struct cube_state3 *a, const struct cube_state3 *b);

/* result = a, then b. `result` may be either. */
CUBE_API void cube_state3_compose(struct cube_state3 *result, const struct cube_state3 *a,
				  const struct cube_state3 *b);

/* result = the state that undoes it. `result` may be `state`. */
CUBE_API void cube_state3_invert(struct cube_state3 *result, const struct cube_state3 *state);

/* result[i] = a[i], then b[i], for i < count. `result` may be a or b. */
CUBE_API void cube_state3_compose_each(struct cube_state3 *result, const struct cube_state3 *a,
				       const struct cube_state3 *b, size_t count);

/* state = state, then table[moves[0]], then table[moves[1]] ..: a chain, kept in registers. The
 * table has a state for each number that `moves` uses and does not hold `state`. */
CUBE_API void cube_state3_apply(struct cube_state3 *state, const struct cube_state3 *table,
				const uint8_t *moves, size_t count);

/* ---- parts as numbers ----
 *
 * For tables of distances and of moves: what such a part is after a move depends only on what it was before.
 * Each is below the number beside it, dense, and 0 in the solved state. */

#define CUBE_STATE3_TWISTS 2187u
#define CUBE_STATE3_FLIPS 2048u
#define CUBE_STATE3_SLICES 495u
#define CUBE_STATE3_CORNER_RANKS 40320u
#define CUBE_STATE3_EDGE_RANKS 40320u
#define CUBE_STATE3_MIDDLE_RANKS 24u

/* Returns the twists of the first seven corners as digits of base 3; the last one follows. */
CUBE_API uint32_t cube_state3_twist(const struct cube_state3 *state);
/* Returns the flips of the first eleven edges as digits of base 2; the last one follows. */
CUBE_API uint32_t cube_state3_flip(const struct cube_state3 *state);
/* Returns in which four places the edges FR FL BL BR are: cube_rank_set() of 11 - place. */
CUBE_API uint32_t cube_state3_slice(const struct cube_state3 *state);
/* Returns the permutation of the corners: 40319 - cube_rank(). */
CUBE_API uint32_t cube_state3_corners(const struct cube_state3 *state);
/* Return the permutations of the eight edges of U and D, and of the four others. Only for states in which
 * these are in their own places: cube_state3_slice() is 0. */
CUBE_API uint32_t cube_state3_edges(const struct cube_state3 *state);
CUBE_API uint32_t cube_state3_middle(const struct cube_state3 *state);

#endif
