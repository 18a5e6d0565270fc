/* core/cubies/state3_parts.c: parts of a compact state as numbers, for tables. */
#include "cube/state3.h"

#include "cube/ranks.h"

#define CORNERS CUBE_STATE3_CORNERS
#define PIECE CUBE_STATE3_PIECE
#define FIRST_MIDDLE 8 /* edges 0..7 belong to U and D, 8..11 between them */

/* Reads turns as digits: all but the last one, which follows. */
static uint32_t digits_of(const uint8_t *pieces, uint32_t count, uint32_t base)
{
	uint32_t value = 0;
	for (uint32_t i = 0; i + 1 < count; i++)
		value = value * base + (pieces[i] >> CUBE_STATE3_TURN);
	return value;
}

uint32_t cube_state3_twist(const struct cube_state3 *state)
{
	return digits_of(state->piece + CORNERS, CUBE_CORNERS, 3);
}

uint32_t cube_state3_flip(const struct cube_state3 *state)
{
	return digits_of(state->piece, CUBE_EDGES, 2);
}

/* Places are numbered from the last one on, so that the own places of these edges are 0. */
uint32_t cube_state3_slice(const struct cube_state3 *state)
{
	uint32_t set = 0;
	for (uint32_t i = 0; i < CUBE_EDGES; i++)
		if ((state->piece[CUBE_EDGES - 1 - i] & PIECE) >= FIRST_MIDDLE)
			set |= 1u << i;
	return cube_rank_set(set);
}

/* Ranks `count` pieces, the smallest of which is `first`, from the last rank on: the solved one's, so
 * that it has 0. */
static uint32_t permutation_of(const uint8_t *pieces, uint32_t values, int count, int first)
{
	uint8_t permutation[CUBE_CORNERS];
	for (int i = 0; i < count; i++)
		permutation[i] = (uint8_t)((pieces[i] & PIECE) - first);
	return values - 1 - (uint32_t)cube_rank(permutation, count);
}

uint32_t cube_state3_corners(const struct cube_state3 *state)
{
	return permutation_of(state->piece + CORNERS, CUBE_STATE3_CORNER_RANKS, CUBE_CORNERS, 0);
}

uint32_t cube_state3_edges(const struct cube_state3 *state)
{
	return permutation_of(state->piece, CUBE_STATE3_EDGE_RANKS, FIRST_MIDDLE, 0);
}

uint32_t cube_state3_middle(const struct cube_state3 *state)
{
	return permutation_of(state->piece + FIRST_MIDDLE, CUBE_STATE3_MIDDLE_RANKS,
			      CUBE_EDGES - FIRST_MIDDLE, FIRST_MIDDLE);
}
