/* cube/ranks.h: the parts of a 2x2x2 or 3x3x3 as a number each, for tables of one part alone.
 *
 * Permutations are ranked by cube_rank(), all of them: below 8! and 12!. Twists are the digits, base 3, of
 * the first seven corners, below 3^7; flips those, base 2, of the first eleven edges, below 2^11; the first
 * is the most significant, and the last one follows from the sum. */
#ifndef CUBE_RANKS_H
#define CUBE_RANKS_H

#include "cube/index.h"

enum cube_rank_part {
	CUBE_RANK_CORNERS, /* corner_permutation */
	CUBE_RANK_TWISTS,  /* corner_orientation */
	CUBE_RANK_EDGES,   /* edge_permutation */
	CUBE_RANK_FLIPS,   /* edge_orientation */
	CUBE_RANK_PARTS
};

/* How many ranks a part has: 40320, 2187, 479001600, 2048. */
extern CUBE_API const uint32_t cube_rank_counts[CUBE_RANK_PARTS];

/* The ranks of cubies in range whose twists and flips add up; of a 2x2x2 only the corners mean something. */
CUBE_API void cube_ranks_of(const struct cube_cubies *cubies, uint32_t ranks[CUBE_RANK_PARTS]);

/* The same of a cube of size 2 or 3 that turns lead to, turned as a whole until its centres (2x2x2: its
 * corner DBL) are home, as for its index. */
CUBE_API void cube_ranks_of_cube(const struct cube *cube, uint32_t ranks[CUBE_RANK_PARTS]);

/* The arrays with these ranks, each below its count; centers are left alone. Corners and edges may then be
 * of different parity: cube_from_colors() reports it. */
CUBE_API void cube_ranks_cubies(const uint32_t ranks[CUBE_RANK_PARTS], struct cube_cubies *cubies);

#endif
