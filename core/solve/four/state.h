/* core/solve/four/state.h: a 4x4x4 as its solver takes it: wings, centres, the parity of the
 * corners.
 *
 * Moves are turns of nine blocks: the six faces and Uw, Rw, Fw. Dw is Uw' and another way to hold
 * the cube, which does not matter: the four layers of an axis are turned against each other in all
 * ways by three blocks. Move 3 * block + quarters - 1: U U2 U' R .. B', Uw Uw2 Uw' Rw .. Fw'.
 *
 * The 24 wings, places and pieces alike, are 2 * edge + side, edges in Kociemba's order. A wing
 * fits a place in one way only. Half turns, and all turns of U D R L, keep the sides apart: a wing
 * on side 0 stays on side 0, as an edge of the 3x3x3 keeps its flip by those. Quarter turns of F B
 * and of inner layers do not. The 24 centres are 4 * face + place on the face. */
#ifndef CORE_SOLVE_FOUR_STATE_H
#define CORE_SOLVE_FOUR_STATE_H

#include "core/room.h"
#include "core/solve/common/moves.h"

#define FOUR_BLOCKS 9
#define FOUR_MOVES (3 * FOUR_BLOCKS)
#define FOUR_WINGS 24
#define FOUR_CENTERS 24
#define FOUR_EDGES 12
#define FOUR_AXES 3
#define FOUR_NONE FOUR_BLOCKS /* the block before the first move */

struct four {
	uint8_t wing[FOUR_WINGS];     /* the piece by place */
	uint8_t center[FOUR_CENTERS]; /* the colour by place */
	bool corners_odd;             /* as a permutation */
};

/* The effects of moves: after a move, what was in from[place] is in place. */
struct four_moves {
	uint8_t wing_from[FOUR_MOVES][FOUR_WINGS];
	uint8_t center_from[FOUR_MOVES][FOUR_CENTERS];
};

static inline int four_block(int move)
{
	return move / 3;
}

/* 0 that of U and D, 1 R and L, 2 F and B. */
static inline int four_axis(int block)
{
	return block % 3;
}

static inline bool four_is_half(int move)
{
	return move % 3 == 1;
}

static inline bool four_is_wide(int move)
{
	return move >= 18;
}

/* Blocks of an axis commute, so each may follow those before it and no other. */
static inline bool four_follows(int block, int before)
{
	return before == FOUR_NONE || four_axis(block) != four_axis(before) || block > before;
}

/* The compiler's own would call a library if the processor may lack the instruction. */
static inline int four_bits(uint32_t word)
{
	int bits = 0;
	for (; word != 0; word &= word - 1)
		bits++;
	return bits;
}

/* A move as a turn, of a cube held so that the searched cube's face f is face[f]: these take U, R
 * and F to each other or leave them. */
struct cube_turn four_turn(int move, const uint8_t face[CUBE_FACES]);

void four_moves_make(struct four_moves *moves);

/* Reads a cube of size 4. */
void four_read(struct four *four, const struct cube *cube);

/* Wings and centres after a move, and the corners'; `result` is not `four`. */
void four_apply(const struct four_moves *moves, struct four *restrict result,
		const struct four *four, int move);

/* Returns true if the wings are an odd permutation: each quarter turn of an inner layer changes
 * that. */
bool four_wings_odd(const struct four *four);

/* The 3x3x3 that it is when the centres are whole and the edges paired; false if they are not.
 * `reduced` has room for size 3. */
bool four_reduce(const struct cube *cube, struct cube *reduced);

#endif
