/* core/solve/reduction/centers.c: makes the tables of centres, by breadth-first search. */
#include <string.h>

#include "core/solve/reduction/bars.h"

#define UNSEEN 255

/* A cube that has all kinds; a cell of each. */
#define SIZE 7
static const struct {
	uint8_t row, column;
	uint8_t layers[CENTER_LINES -
		       1]; /* of a block that holds so many lines; 0: there is none */
} cells[CENTER_KINDS] = {
	{1, 1, {1, 0, 2}}, {1, 3, {1, 2, 0}}, {1, 2, {1, 2, 3}}, {1, 4, {1, 2, 3}}};

/* The lines that blocks hold, for each kind that has distances. */
static const uint8_t lines_of[CENTER_TABLES] = {2, 1};

/* In the order of reduction_sides: U and D, F and B, R and L have a byte each. */
static const uint32_t goal[CENTER_STAGES] = {0xff0000, 0x00ff00, 0x0f0f0f};

static int bits_in(uint32_t bits)
{
	return center_count(bits);
}

/* ---- numbers ---- */

static void make_ranks(struct centers *centers)
{
	uint32_t count[9] = {0}, before = 0;
	for (uint32_t low = 0; low < 4096; low++)
		if (bits_in(low) <= 8)
			centers->rank_low[low] = count[bits_in(low)]++;
	for (uint32_t high = 0; high < 4096; high++) {
		centers->rank_high[high] = before;
		if (bits_in(high) <= 8)
			before += count[8 - bits_in(high)];
	}
	uint32_t rank = 0;
	for (uint32_t byte = 0; byte < 256; byte++) {
		if (bits_in(byte) != 4)
			continue;
		centers->rank_byte[0][byte] = rank;
		centers->rank_byte[1][byte] = rank * 70;
		centers->rank_byte[2][byte] = rank * 4900;
		rank++;
	}
}

/* The next larger number with as many bits. */
static uint32_t next_bits(uint32_t bits)
{
	uint32_t lowest = bits & -bits, carried = bits + lowest;
	return carried | ((bits ^ carried) / lowest >> 2);
}

/* ---- moves ---- */

static void make_moves(struct centers *centers, int kind)
{
	for (int move = 0; move < CENTER_MOVES; move++) {
		int face = move / 3 / CENTER_LINES, lines = move / 3 % CENTER_LINES;
		bool middle = lines == CENTER_MIDDLE;
		int first = middle ? SIZE / 2 + 1 : 1,
		    last = middle ? first : cells[kind].layers[lines];
		uint8_t from[ORBIT];
		uint32_t(*moved)[256] = centers->moved[kind][move];
		memset(moved, 0, sizeof(centers->moved[kind][move]));
		if (last == 0)
			continue;
		orbit_turn(SIZE, cells[kind].row, cells[kind].column,
			   cube_turn_make(SIZE, face, first, last, move % 3 + 1), from);
		for (int place = 0; place < ORBIT; place++)
			for (int byte = 0; byte < 256; byte++)
				moved[from[place] / 8][byte] |=
					(uint32_t)(byte >> from[place] % 8 & 1) << place;
	}
}

/* ---- distances ---- */

static uint8_t *distance_at(struct centers *centers, enum center_stage stage, int table,
			    uint32_t bits)
{
	if (stage == CENTER_AXIS)
		return &centers->axis[table][centers->rank_high[bits >> 12] +
					     centers->rank_low[bits & 4095]];
	if (stage == CENTER_SPLIT)
		return &centers->split[table][bits & 0xffff];
	return &centers->face[table][centers->rank_byte[0][bits & 255] +
				     centers->rank_byte[1][bits >> 8 & 255] +
				     centers->rank_byte[2][bits >> 16]];
}

/* Neighbours of those that are `depth` away; returns how many are new. */
static uint32_t expand_set(struct centers *centers, enum center_stage stage, int table,
			   uint32_t bits, int depth)
{
	uint32_t found = 0;
	if (*distance_at(centers, stage, table, bits) != depth)
		return 0;
	for (int move = 0; move < CENTER_MOVES; move++) {
		int lines = move / 3 % CENTER_LINES;
		if ((lines != 0 && lines != lines_of[table]) ||
		    !center_allowed(stage, move / 3 / CENTER_LINES, lines, move % 3 + 1))
			continue;
		uint8_t *at = distance_at(centers, stage, table,
					  center_moved(centers->moved[table][move], bits));
		if (*at == UNSEEN) {
			*at = (uint8_t)(depth + 1);
			found++;
		}
	}
	return found;
}

/* All bits of a stage, one after the other; 0 after the last. */
static uint32_t next_of(enum center_stage stage, uint32_t bits)
{
	if (stage == CENTER_AXIS)
		return bits == 0xff0000 ? 0 : next_bits(bits);
	if (stage == CENTER_SPLIT)
		return bits == 0xff00 ? 0 : next_bits(bits);
	for (int byte = 0; byte < 3; byte++) {
		uint32_t part = bits >> 8 * byte & 255;
		bits &= ~(255u << 8 * byte);
		if (part != 0xf0)
			return bits | next_bits(part) << 8 * byte;
		bits |= 15u << 8 * byte;
	}
	return 0;
}

static void search(struct centers *centers, enum center_stage stage, int table)
{
	static const uint32_t first[CENTER_STAGES] = {0xff, 0xff, 0x0f0f0f};
	uint32_t found = 1;
	*distance_at(centers, stage, table, goal[stage]) = 0;
	for (int depth = 0; found > 0; depth++) {
		found = 0;
		for (uint32_t bits = first[stage]; bits != 0; bits = next_of(stage, bits))
			found += expand_set(centers, stage, table, bits, depth);
	}
}

/* The kinds that have tables are the first parts of their step, the sets of bars the others. */
void centers_make(struct centers *centers, unsigned step, unsigned part)
{
	if (step == 0) {
		make_moves(centers, (int)part);
		if (part == 0)
			make_ranks(centers);
		return;
	}
	if (part >= CENTER_TABLES) {
		for (unsigned set = part - CENTER_TABLES; set < BARS_SETS; set += CENTER_TABLES)
			for (int axis = 0; axis < 3; axis++)
				bars_make(centers, (enum bars_set)set, axis);
		return;
	}
	memset(centers->axis[part], UNSEEN, sizeof(centers->axis[part]));
	memset(centers->split[part], UNSEEN, sizeof(centers->split[part]));
	memset(centers->face[part], UNSEEN, sizeof(centers->face[part]));
	for (int stage = 0; stage < CENTER_STAGES; stage++)
		search(centers, (enum center_stage)stage, (int)part);
}
