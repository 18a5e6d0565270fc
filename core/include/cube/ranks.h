/* cube/ranks.h: the parts of a 2x2x2 or 3x3x3 as a number each, for tables of one part alone, and
 * chosen pieces as numbers, for tables of these pieces.
 *
 * Every rank is dense: each number below its count is the rank of something, and of one thing only. All
 * functions are pure. */
#ifndef CUBE_RANKS_H
#define CUBE_RANKS_H

#include "cube/index.h"

/* ---- what ranks are made of; permutations are ranked by cube_rank() ---- */

/* Twists (base 3) or flips (base 2) that add up to 0 modulo `base`: all but the last one as digits, the
 * first the most significant; so below base^(count - 1). `count` is at least 1. O(count). */
CUBE_API uint32_t cube_rank_turns(const uint8_t *turns, int count, uint32_t base);
/* The turns with that rank; the last one makes the sum 0. */
CUBE_API void cube_unrank_turns(uint32_t rank, int count, uint32_t base, uint8_t *turns);

/* Ranks the places of k pieces among n: `places` are k different numbers below n, in the order of
 * the pieces; the rank is below n!/(n-k)!, at most n!. 1 <= n <= CUBE_RANK_MAX, 0 <= k <= n. O(k + n).
 *
 * This is rank1 of Myrvold and Ruskey (cube/index.h), ended after k steps: the places are taken for the last k
 * values of a permutation, and each step needs only what is known of these. So it is cube_rank() of any
 * permutation that ends in them, modulo n!/(n-k)!, and if k = n, cube_rank() itself. */
CUBE_API uint64_t cube_rank_some(const uint8_t *places, int k, int n);
/* Writes the k places with that rank. */
CUBE_API void cube_unrank_some(uint64_t rank, int k, int n, uint8_t *places);

/* Returns the rank of a set of at most 12 numbers of 0..11, given as bits, among the sets of as
 * many, below C(n, k) if all k are below n. With members c_1 < c_2 < ... < c_k it is
 *     C(c_1, 1) + C(c_2, 2) + ... + C(c_k, k)
 * the combinatorial number system (D. E. Knuth, The Art of Computer Programming 4A, 7.2.1.3). O(k). */
CUBE_API uint32_t cube_rank_set(uint32_t set);
/* The set of k members with that rank, below C(12, k). */
CUBE_API uint32_t cube_unrank_set(uint32_t rank, int k);

/* ---- the parts ----
 *
 * Permutations are ranked by cube_rank(), all of them: below 8! and 12!. Twists and flips are those of all
 * places, below 3^7 and 2^11. */

enum cube_rank_part {
	CUBE_RANK_CORNERS, /* corner_permutation */
	CUBE_RANK_TWISTS,  /* corner_orientation */
	CUBE_RANK_EDGES,   /* edge_permutation */
	CUBE_RANK_FLIPS,   /* edge_orientation */
	CUBE_RANK_PARTS
};

/* The number of ranks of each part: 40320, 2187, 479001600, 2048. */
CUBE_DATA const uint32_t cube_rank_counts[CUBE_RANK_PARTS];

/* The ranks of cubies in range whose twists and flips add up; of a 2x2x2 only the corners mean something. */
CUBE_API void cube_ranks_of(const struct cube_cubies *cubies, uint32_t ranks[CUBE_RANK_PARTS]);

/* The same of a cube of size 2 or 3 that turns lead to, turned as a whole until its centres (2x2x2: its
 * corner DBL) are home, as for its index. */
CUBE_API void cube_ranks_of_cube(const struct cube *cube, uint32_t ranks[CUBE_RANK_PARTS]);

/* The arrays with these ranks, each below its count; centers are left alone. Corners and edges may then be
 * of different parity: cube_from_colors() reports it. */
CUBE_API void cube_ranks_cubies(const uint32_t ranks[CUBE_RANK_PARTS], struct cube_cubies *cubies);

/* ---- chosen pieces ----
 *
 * A pattern database has, for each way in which some pieces can be in the cube, how many turns at least
 * bring these home: a lower bound for the whole cube, by which a search is pruned (R. E. Korf, "Finding
 * Optimal Solutions to Rubik's Cube Using Pattern Databases", AAAI 1997: the eight corners in 88,179,840
 * ways, and six edges twice, 42,577,920 each). Its rows are numbered by two of the ranks here: of k chosen
 * pieces of a kind that has n,
 *
 *     permutation   where each of them is: cube_rank_some() of their places, below n!/(n-k)!
 *     orientation   how each of them is turned: digits of base b (3: twists, 2: flips), that of the first
 *                   piece the most significant, below b^k; if k = n the last one follows: below b^(n-1)
 *
 * so that permutation * b^k + orientation is dense, too. Both follow the pieces: after a turn they depend
 * only on what they were before it. For coarser tables there is
 *
 *     places        in which places they are, whichever is where: cube_rank_set() of n - 1 - place,
 *                   below C(n, k). Of the edges FR FL BL BR it is H. Kociemba's UDSlice coordinate,
 *                   0..494, 0 if these places have them
 *
 * Twist and flip are those of cube/cubies.h, at the place where the piece is. If all pieces of a kind are
 * chosen, in Kociemba's order, its permutation is cube_rank() of the inverse of the array in struct
 * cube_cubies, because it says where each piece is, and the parts above, which piece is in each place; so
 * both have the same count, and the solved cube the same ranks.
 *
 * On a 2x2x2 places are the seven but DBL, which is always home and not a piece that can be chosen: n is 7
 * there, of a 3x3x3 8 corners and 12 edges. */

struct cube_piece_list {
	uint8_t size;                 /* 2 or 3 */
	uint8_t corners, edges;       /* numbers of chosen ones; of a 2x2x2 up to 7 corners */
	uint8_t corner[CUBE_CORNERS]; /* which, Kociemba's numbers, each once, in any order */
	uint8_t edge[CUBE_EDGES];
};

enum cube_piece_rank {
	CUBE_PIECE_CORNER_PLACES,
	CUBE_PIECE_CORNERS,
	CUBE_PIECE_TWISTS,
	CUBE_PIECE_EDGE_PLACES,
	CUBE_PIECE_EDGES,
	CUBE_PIECE_FLIPS,
	CUBE_PIECE_RANKS
};

/* Returns true if cubes of that size have the piece, and it can be chosen. `place` is one of
 * cube/query.h, corners first. */
CUBE_API CUBE_MUST_USE bool cube_piece_can_be_listed(int size, int place);

/* Writes the numbers of ranks, by enum cube_piece_rank; 1 if no such piece is chosen. */
CUBE_API void cube_piece_rank_counts(const struct cube_piece_list *list,
				     uint32_t counts[CUBE_PIECE_RANKS]);

/* The ranks of cubies in range, each piece there once; of a 2x2x2 with DBL home. Up to 0.2 us. */
CUBE_API void cube_piece_ranks_of(const struct cube_piece_list *list,
				  const struct cube_cubies *cubies,
				  uint32_t ranks[CUBE_PIECE_RANKS]);
/* The same of a cube of the list's size, turned as a whole as for cube_ranks_of_cube(). */
CUBE_API void cube_piece_ranks_of_cube(const struct cube_piece_list *list, const struct cube *cube,
				       uint32_t ranks[CUBE_PIECE_RANKS]);

/* Cubies in which the chosen pieces have these permutations and orientations, each below its count (`places`
 * are not looked at). The others are filled in: home where that place is free, then the rest in ascending
 * order, all unturned but one, which makes the sum 0; and if corners and edges are of different parity, two
 * of them are exchanged. So turns lead to the cube, unless too many pieces are chosen for that: less than
 * two edges and less than two corners are left, and the parity differs. centers are left alone. */
CUBE_API void cube_piece_ranks_cubies(const struct cube_piece_list *list,
				      const uint32_t ranks[CUBE_PIECE_RANKS],
				      struct cube_cubies *cubies);

#endif
