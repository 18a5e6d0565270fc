/* core/solve/four/pairs.h: how far the edges of a 4x4x4 are from being paired, by phase 3's moves.
 *
 * If of every pair of wings one is on side 0 and one on side 1 (state.h), phase 3's moves keep it
 * so, and which pair is which does not matter to them. What is left is a permutation of the twelve
 * edges: the partner of the wing on side 0 of edge e is on side 1 of edge pair[e]. When all
 * are paired it is the identity. A turn of a face takes both sides alike, and makes of it a
 * conjugate, which is as even; a half turn of an inner layer swaps two wings on each side. So of
 * the permutations only the even ones, 12!/2, can be solved.
 *
 * The number of wide turns of a phase 3, odd or even, is known before: each is a half turn, which
 * swaps two pieces on side 0 and leaves the corners as even as they were; a quarter turn of a face
 * changes both; and in a 3x3x3 that can be solved corners and edges are as even. Distances are by
 * this parity too.
 *
 * Eight symmetries keep the sides and the moves. They also keep the four edges UR UL DR DL, so that
 * where the partners of these are, 11,880 ways, is one of 1,538 but for symmetry. With the 20,160
 * ways to place the other eight, both parities in a byte, all distances are a table of 31 MB.
 *
 * After Shuang Chen's TPR-4x4x4-Solver, which has such a table without that parity. */
#ifndef CORE_SOLVE_FOUR_PAIRS_H
#define CORE_SOLVE_FOUR_PAIRS_H

#include "core/solve/four/centers.h"

#define FOUR_ROWS 11880u
#define FOUR_CLASSES 1538u
#define FOUR_COLUMNS 20160u
#define FOUR_SYMMETRIES 8
#define FOUR_PAIRS_DEPTH 9 /* distances up to here are exact, others one more */

struct four_pairs {
	/* After a move, pair[e] is to[pair before[from[e]]]. */
	uint8_t from[FOUR_MOVES_3][FOUR_EDGES], to[FOUR_MOVES_3][FOUR_EDGES];
	/* The same, seen through a symmetry: of the eight edges that are not the row's. */
	uint8_t seen_from[FOUR_MOVES_3][FOUR_SYMMETRIES][8];
	uint8_t seen_to[FOUR_MOVES_3][FOUR_SYMMETRIES][FOUR_EDGES];
	uint8_t symmetry[FOUR_SYMMETRIES][FOUR_EDGES], inverse[FOUR_SYMMETRIES][FOUR_EDGES];
	uint16_t row_of[65536];           /* of the partners of UR UL DR DL: 8 * class + symmetry */
	uint16_t class_row[FOUR_CLASSES]; /* the rows of the class itself */
	uint8_t class_fixed[FOUR_CLASSES];       /* bit s: symmetry s leaves these as they are */
	uint8_t label[FOUR_CLASSES][FOUR_EDGES]; /* the other eight, 0 .. 7 */
	uint16_t column_first[4096];             /* of the first four labels, of three bits each, */
	uint8_t column_last[4096];               /* and the last */
	uint8_t distance[FOUR_CLASSES][FOUR_COLUMNS]; /* low half: not odd */
};

void four_pairs_make(struct four_pairs *pairs, const struct four_moves *moves);

/* Writes how the wings are paired; returns false if they are not apart by their sides, or not in an
 * even way. */
bool four_pairs_of(const struct four *four, uint8_t pair[FOUR_EDGES]);

/* pair after move m of phase 3. */
static inline void four_pairs_after(const struct four_pairs *pairs, int m,
				    const uint8_t *restrict pair, uint8_t *restrict result)
{
	for (int edge = 0; edge < FOUR_EDGES; edge++)
		result[edge] = pairs->to[m][pair[pairs->from[m][edge]]];
}

/* Return the place in the table with the distances of a pairing, and of what move m of phase 3
 * makes of it: so that they can be fetched before they are needed. */
const uint8_t *four_pairs_at(const struct four_pairs *pairs, const uint8_t pair[FOUR_EDGES]);
const uint8_t *four_pairs_after_at(const struct four_pairs *pairs, int m, const uint8_t *pair);

/* Moves to the identity, of them an odd number of wide ones or an even one; FOUR_PAIRS_DEPTH + 1
 * where there are more. */
static inline int four_pairs_distance(const uint8_t *at, bool odd)
{
	return *at >> 4 * odd & 15;
}

#endif
