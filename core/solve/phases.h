/* core/solve/phases.h: the small tables of the two-phase method: moves, classes, pruning. 2.3 MB.
 *
 * In phase 1 a state is (twist, flip, ribbon), all 0 at its end; in phase 2 (corners, edges,
 * spread) under the ten moves that stay in the group. Each pruning table takes two of the three. */
#ifndef CORE_SOLVE_PHASES_H
#define CORE_SOLVE_PHASES_H

#include "core/solve/prune.h"

#define MOVES_2 10 /* of phase 2 */

#define FLIP_CLASSES 336u /* under the 8 symmetries that keep the axes */
#define RIBBON_CLASSES 1107u
#define CORNER_CLASSES 2768u /* under the 16 that keep the axis of U and D */
#define EDGE_CLASSES 2768u

/* The moves of phase 2, by number there, as the 18 are numbered: U U2 U' R2 F2 D D2 D' L2 B2. */
extern const uint8_t phase2_moves[MOVES_2];

struct phases {
	struct cube_state3 moves[MOVES];
	struct symmetries symmetries;

	/* Phase 1. */
	uint32_t follow[CUBE_FACES]; /* bit m: move m may follow a turn of the face */
	uint16_t twist_move[TWISTS][MOVES];
	uint16_t flip_move[FLIPS][MOVES];
	uint16_t ribbon_move[RIBBONS][MOVES];
	uint16_t twist_image[SYMMETRIES_ALL][TWISTS];
	uint16_t slice_image[SYMMETRIES_ALL][SLICES];
	uint16_t flip_class[FLIPS]; /* 16 * class + symmetry */
	uint16_t ribbon_class[RIBBONS];
	uint16_t flip_class_move[FLIP_CLASSES][MOVES];
	uint16_t ribbon_class_move[RIBBON_CLASSES][MOVES];
	uint16_t flip_fixed[FLIP_CLASSES];
	uint16_t ribbon_fixed[RIBBON_CLASSES];
	uint8_t flip_slice[FLIP_CLASSES][SLICES];
	uint8_t flip_twist[FLIP_CLASSES][TWISTS];
	uint8_t ribbon_twist[RIBBON_CLASSES][TWISTS];

	/* Phase 2. */
	uint16_t follow_2[CUBE_FACES]; /* bit m: its move m may follow a turn of the face */
	uint8_t move_2[SYMMETRIES_UD][MOVES_2]; /* what symmetries make of its moves */
	uint16_t corner_class[CORNERS];
	uint16_t edge_class[EDGES];
	uint16_t corner_class_move[CORNER_CLASSES][MOVES_2];
	uint16_t edge_class_move[EDGE_CLASSES][MOVES_2];
	uint16_t corner_fixed[CORNER_CLASSES];
	uint16_t edge_fixed[EDGE_CLASSES];
	uint16_t spread_move[SPREADS][MOVES_2];
	uint16_t spread_image[SYMMETRIES_UD][SPREADS];
	uint16_t middle_image[SYMMETRIES_UD][MIDDLES];
	uint8_t corner_spread[CORNER_CLASSES][SPREADS];
	uint8_t edge_middle[EDGE_CLASSES][MIDDLES];
};

void phases_make(struct phases *phases);

/* A lower bound of the moves to the group. */
static inline int phase1_bound(const struct phases *phases, uint32_t twist, uint32_t flip,
			       uint32_t ribbon)
{
	uint32_t f = phases->flip_class[flip], r = phases->ribbon_class[ribbon];
	int a = phases->ribbon_twist[r / 16][phases->twist_image[r % 16][twist]];
	int b = phases->flip_twist[f / 16][phases->twist_image[f % 16][twist]];
	int c = phases->flip_slice[f / 16][phases->slice_image[f % 16][ribbon / 16]];
	a = a > b ? a : b;
	return a > c ? a : c;
}

/* Where a move of phase 2 leads from a class and symmetry: corners or edges. */
static inline uint32_t phase2_after(const struct phases *phases, uint32_t from,
				    const uint16_t move[][MOVES_2], uint32_t m)
{
	uint32_t to = move[from / 16][phases->move_2[from % 16][m]];
	return (to & ~15u) | phases->symmetries.then[from % 16][to % 16];
}

/* A lower bound of the moves of phase 2 to the solved state; classes as in corner_class. */
static inline int phase2_bound(const struct phases *phases, uint32_t corners, uint32_t edges,
			       uint32_t spread)
{
	int a = phases->corner_spread[corners / 16][phases->spread_image[corners % 16][spread]];
	int b = phases->edge_middle[edges / 16][phases->middle_image[edges % 16][spread % MIDDLES]];
	return a > b ? a : b;
}

#endif
