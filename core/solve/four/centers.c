/* core/solve/four/centers.c: tables of all distances of the centres of a 4x4x4, by breadth-first
 * search. */
#include "core/solve/four/centers.h"

#include <assert.h>
#include <string.h>

#define UNSEEN 0xff
#define ENDS_PLACES 8
#define BELT_PLACES 16

const uint8_t four_moves_2[FOUR_MOVES_2] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
					    12, 13, 14, 15, 16, 17, 19, 22, 24, 25, 26};
const uint8_t four_moves_3[FOUR_MOVES_3] = {0,  1,  2,  3,  4,  5,  7,  9, 10,
					    11, 12, 13, 14, 16, 19, 22, 25};

/* The faces of an axis, and those around F and B: the places of ends and belts, in this order. */
static const uint8_t axis_face[FOUR_AXES][2] = {
	{CUBE_U, CUBE_D}, {CUBE_R, CUBE_L}, {CUBE_F, CUBE_B}};
static const uint8_t belt_face[4] = {CUBE_U, CUBE_R, CUBE_D, CUBE_L};

/* The next larger number with as many bits. */
static inline uint32_t next_set(uint32_t set)
{
	uint32_t lowest = set & -set, carried = set + lowest;
	return carried | ((set ^ carried) >> 2) / lowest;
}

/* A set of places on some faces after a move. */
static uint32_t moved(const struct four_moves *moves, const uint8_t *faces, int places, int move,
		      uint32_t set)
{
	uint32_t all = 0, result = 0;
	for (int i = 0; i < places; i++)
		all |= (set >> i & 1) << (4 * faces[i / 4] + i % 4);
	for (int i = 0; i < places; i++) {
		int from = moves->center_from[move][4 * faces[i / 4] + i % 4];
		result |= (all >> from & 1) << i;
	}
	return result;
}

uint32_t four_centers_set(const struct four *four, int pair)
{
	uint32_t set = 0;
	for (int place = 0; place < FOUR_CENTERS; place++)
		set |= (uint32_t)(four->center[place] % 3 == pair) << place;
	return set;
}

uint32_t four_belt(const struct four_centers *centers, const struct four *four, int pair)
{
	uint32_t set = 0;
	for (int i = 0; i < BELT_PLACES; i++)
		set |= (uint32_t)(four->center[4 * belt_face[i / 4] + i % 4] % 3 == pair) << i;
	return centers->belt_of[set];
}

uint32_t four_ends(const struct four_centers *centers, const struct four *four, int axis)
{
	uint32_t set = 0;
	for (int i = 0; i < ENDS_PLACES; i++)
		set |= (uint32_t)(four->center[4 * axis_face[axis][i / 4] + i % 4] < CUBE_D) << i;
	return centers->ends_of[set];
}

/* ---- phase 1 ---- */

static void make_sets(struct four_centers *centers, const struct four_moves *moves)
{
	uint32_t rank = 0, seen[13] = {0}, of_bits[13] = {0};
	for (int move = 0; move < FOUR_MOVES; move++)
		for (int place = 0; place < FOUR_CENTERS; place++)
			for (uint32_t byte = 0; byte < 256; byte++) {
				int from = moves->center_from[move][place];
				centers->image[move][from / 8][byte] |= (byte >> from % 8 & 1)
									<< place;
			}
	for (uint32_t low = 0; low < 4096; low++)
		centers->rank_low[low] = (uint16_t)of_bits[four_bits(low)]++;
	memcpy(seen, of_bits, sizeof(seen));
	for (uint32_t high = 0; high < 4096; high++) {
		centers->rank_high[high] = rank;
		rank += four_bits(high) <= 8 ? seen[8 - four_bits(high)] : 0;
	}
	assert(rank == FOUR_SETS);
}

static void make_phase1(struct four_centers *centers)
{
	const uint32_t first = 0xff, solved = 0x00f00f00u << 0;
	uint32_t found = 1;
	memset(centers->distance_1, UNSEEN, sizeof(centers->distance_1));
	centers->distance_1[centers->rank_high[solved >> 12] + centers->rank_low[solved & 4095]] =
		0;
	for (uint8_t depth = 0; found > 0; depth++) {
		uint32_t set = first;
		found = 0;
		for (uint32_t rank = 0; rank < FOUR_SETS; rank++, set = next_set(set)) {
			if (centers->distance_1[rank] != depth)
				continue;
			for (int move = 0; move < FOUR_MOVES; move++) {
				uint32_t to = four_set_after(centers, set, move);
				uint8_t *entry = &centers->distance_1[centers->rank_high[to >> 12] +
								      centers->rank_low[to & 4095]];
				found += *entry == UNSEEN;
				*entry = *entry == UNSEEN ? depth + 1 : *entry;
			}
		}
	}
}

/* ---- phase 2 ---- */

static void make_coordinates(struct four_centers *centers, const struct four_moves *moves)
{
	uint32_t set = 0xff;
	for (uint32_t belt = 0; belt < FOUR_BELTS; belt++, set = next_set(set))
		centers->belt_of[set] = (uint16_t)belt;
	set = 0xff;
	for (uint32_t belt = 0; belt < FOUR_BELTS; belt++, set = next_set(set))
		for (int m = 0; m < FOUR_MOVES_2; m++)
			centers->belt_move[belt][m] = centers->belt_of[moved(
				moves, belt_face, BELT_PLACES, four_moves_2[m], set)];
	set = 0xf;
	for (uint32_t ends = 0; ends < FOUR_ENDS; ends++, set = next_set(set))
		centers->ends_of[set] = (uint8_t)ends;
	set = 0xf;
	for (uint32_t ends = 0; ends < FOUR_ENDS; ends++, set = next_set(set)) {
		for (int m = 0; m < FOUR_MOVES_2; m++)
			centers->ends_move[ends][m] = centers->ends_of[moved(
				moves, axis_face[2], ENDS_PLACES, four_moves_2[m], set)];
		for (int axis = 0; axis < FOUR_AXES; axis++)
			for (int m = 0; m < FOUR_MOVES_3; m++)
				centers->axis_move[axis][ends][m] = centers->ends_of[moved(
					moves, axis_face[axis], ENDS_PLACES, four_moves_3[m], set)];
	}
}

/* Finds the ends on F and B that can be solved in phase 3: all that its moves make of solved
 * ones. */
static void make_ends_3(struct four_centers *centers)
{
	uint8_t list[FOUR_ENDS_3] = {centers->ends_of[0x0f]}, count = 1;
	memset(centers->ends_3, FOUR_ENDS_3, sizeof(centers->ends_3));
	centers->ends_3[list[0]] = 0;
	for (uint8_t i = 0; i < count; i++) {
		for (int m = 0; m < FOUR_MOVES_3; m++) {
			uint8_t to = centers->axis_move[2][list[i]][m];
			if (centers->ends_3[to] < FOUR_ENDS_3)
				continue;
			assert(count < FOUR_ENDS_3);
			centers->ends_3[to] = count;
			list[count++] = to;
		}
	}
	assert(count == FOUR_ENDS_3);
}

static void make_phase2(struct four_centers *centers)
{
	uint32_t found = 1;
	uint8_t *all = &centers->distance_2[0][0][0];
	memset(all, UNSEEN, sizeof(centers->distance_2));
	for (uint32_t ends = 0; ends < FOUR_ENDS; ends++)
		if (centers->ends_3[ends] < FOUR_ENDS_3)
			centers->distance_2[centers->belt_of[0x0f0f]][ends][0] =
				centers->distance_2[centers->belt_of[0xf0f0]][ends][0] = 0;
	for (uint8_t depth = 0; found > 0; depth++) {
		found = 0;
		for (uint32_t i = 0; i < sizeof(centers->distance_2); i++) {
			if (all[i] != depth)
				continue;
			uint32_t belt = i / (2 * FOUR_ENDS), ends = i / 2 % FOUR_ENDS;
			for (int m = 0; m < FOUR_MOVES_2; m++) {
				int move = four_moves_2[m];
				bool turns_odd = four_is_wide(move) && !four_is_half(move);
				uint8_t *entry = &centers->distance_2[centers->belt_move[belt][m]]
								     [centers->ends_move[ends][m]]
								     [i % 2 != turns_odd];
				found += *entry == UNSEEN;
				*entry = *entry == UNSEEN ? depth + 1 : *entry;
			}
		}
	}
}

/* ---- phase 3 ---- */

static void make_phase3(struct four_centers *centers)
{
	const uint8_t solved[2] = {centers->ends_of[0x0f], centers->ends_of[0xf0]};
	uint8_t *all = &centers->distance_3[0][0][0][0], fb_move[FOUR_ENDS_3][FOUR_MOVES_3];
	uint32_t found = 1;
	for (uint32_t ends = 0; ends < FOUR_ENDS; ends++)
		for (int m = 0; m < FOUR_MOVES_3 && centers->ends_3[ends] < FOUR_ENDS_3; m++)
			fb_move[centers->ends_3[ends]][m] =
				centers->ends_3[centers->axis_move[2][ends][m]];
	memset(all, UNSEEN, sizeof(centers->distance_3));
	/* The other way round on none or two of the axes. */
	for (int i = 0; i < 4; i++)
		centers->distance_3[solved[i & 1]][solved[i >> 1]]
				   [centers->ends_3[solved[(i ^ i >> 1) & 1]]][0] = 0;
	for (uint8_t depth = 0; found > 0; depth++) {
		found = 0;
		for (uint32_t i = 0; i < sizeof(centers->distance_3); i++) {
			uint32_t rest = i / 2, fb = rest % FOUR_ENDS_3;
			uint32_t rl = rest / FOUR_ENDS_3 % FOUR_ENDS;
			uint32_t ud = rest / FOUR_ENDS_3 / FOUR_ENDS;
			if (all[i] != depth)
				continue;
			for (int m = 0; m < FOUR_MOVES_3; m++) {
				uint8_t *entry =
					&centers->distance_3[centers->axis_move[0][ud][m]]
							    [centers->axis_move[1][rl][m]]
							    [fb_move[fb][m]]
							    [i % 2 !=
							     four_is_wide(four_moves_3[m])];
				found += *entry == UNSEEN;
				*entry = *entry == UNSEEN ? depth + 1 : *entry;
			}
		}
	}
}

void four_centers_make(struct four_centers *centers, const struct four_moves *moves)
{
	memset(centers, 0, sizeof(*centers));
	make_sets(centers, moves);
	make_phase1(centers);
	make_coordinates(centers, moves);
	make_ends_3(centers);
	make_phase2(centers);
	make_phase3(centers);
}
