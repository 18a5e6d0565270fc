/* core/solve/four/centers.h: how far the centres of a 4x4x4 are from where each phase wants them.
 *
 *     phase 1   the eight centres of two opposite colours are on F and B. All moves.
 *               in which of the 24 places they are: 735,471
 *     phase 2   those of two opposite colours on U and D, of the others on R and L, and F and B
 *               such as phase 3 can solve; the wings an even permutation. All moves but quarter
 *               turns of Uw and Rw.
 *               belt: which of the 16 on U R D L are of one of the two pairs: 12,870
 *               ends: which of the eight on F B are of the first of their two colours: 70
 *               odd: whether the wings are an odd permutation
 *     phase 3   every face has one colour, in a way that a cube can be held. U R D L by quarter
 *               turns, F B Uw Rw Fw by half turns.
 *               ud, rl, fb: as ends, for the three axes; of fb 12 values can be solved
 *               odd: whether an odd number of wide turns is needed, see pairs.h
 *
 * Distances are exact: tables of all states, made by breadth-first search. Sets are masks, a bit a
 * place; their numbers are their ranks among those with as many bits. */
#ifndef CORE_SOLVE_FOUR_CENTERS_H
#define CORE_SOLVE_FOUR_CENTERS_H

#include "core/solve/four/state.h"

#define FOUR_SETS 735471u /* of 8 in 24 */
#define FOUR_BELTS 12870u /* of 8 in 16 */
#define FOUR_ENDS 70u     /* of 4 in 8 */
#define FOUR_ENDS_3 12u   /* of them, those that phase 3 solves */
#define FOUR_MOVES_2 23
#define FOUR_MOVES_3 17

/* The moves of phases 2 and 3, ascending. */
extern const uint8_t four_moves_2[FOUR_MOVES_2], four_moves_3[FOUR_MOVES_3];

struct four_centers {
	/* Phase 1. */
	uint32_t image[FOUR_MOVES][3][256]; /* of a set, by its three bytes */
	uint32_t rank_high[4096];           /* of its upper twelve bits, */
	uint16_t rank_low[4096];            /* and its lower ones */
	uint8_t distance_1[FOUR_SETS];

	/* Phase 2. */
	uint16_t belt_of[65536];
	uint16_t belt_move[FOUR_BELTS][FOUR_MOVES_2];
	uint8_t ends_of[256];
	uint8_t ends_move[FOUR_ENDS][FOUR_MOVES_2];
	uint8_t distance_2[FOUR_BELTS][FOUR_ENDS][2]; /* by odd */

	/* Phase 3; the ends of each axis by itself. */
	uint8_t axis_move[FOUR_AXES][FOUR_ENDS][FOUR_MOVES_3];
	uint8_t ends_3[FOUR_ENDS]; /* 0 .. 11, or FOUR_ENDS_3 */
	uint8_t distance_3[FOUR_ENDS][FOUR_ENDS][FOUR_ENDS_3][2];
};

/* `moves` are those of four_moves_make. */
void four_centers_make(struct four_centers *centers, const struct four_moves *moves);

/* The places that show a colour of the pair (0: U and D, 1: R and L, 2: F and B). */
uint32_t four_centers_set(const struct four *four, int pair);

static inline uint32_t four_set_after(const struct four_centers *centers, uint32_t set, int move)
{
	const uint32_t(*image)[256] = centers->image[move];
	return image[0][set & 255] | image[1][set >> 8 & 255] | image[2][set >> 16];
}

static inline int four_distance_1(const struct four_centers *centers, uint32_t set)
{
	return centers->distance_1[centers->rank_high[set >> 12] + centers->rank_low[set & 4095]];
}

static inline int four_distance_3(const struct four_centers *centers, const uint8_t ends[FOUR_AXES],
				  bool odd)
{
	return centers->distance_3[ends[0]][ends[1]][centers->ends_3[ends[2]]][odd];
}

/* The belt with the places of `pair`, which has no centre on F and B. */
uint32_t four_belt(const struct four_centers *centers, const struct four *four, int pair);

/* An axis (0 .. 2) that shows two opposite colours and no others: where the one of U, R, F is. */
uint32_t four_ends(const struct four_centers *centers, const struct four *four, int axis);

#endif
