/* core/solve/goal/table.c: distances of some pieces, of flips and of twists to a target. */
#include <assert.h>
#include <string.h>

#include "core/solve/goal/goal_internal.h"

#define PIECES 20
#define NARROW 12 /* a piece with more ways than that prunes too little */

/* ---- which tables ---- */

/* Corners first, as the places of a target. */
static int byte_of(int piece)
{
	return piece < CUBE_CORNERS ? CUBE_STATE3_CORNERS + piece : piece - CUBE_CORNERS;
}

/* The bits of a piece in what is allowed at places of its kind. */
static uint32_t bits_of(int byte)
{
	uint32_t turns = goal_turns(byte), piece = (uint32_t)byte % CUBE_STATE3_CORNERS;
	return ((1u << turns) - 1) << (turns * piece);
}

/* In how many ways, of 24, a piece may be somewhere. */
static int ways_of(const struct goal_target *target, int byte)
{
	int first = byte >= CUBE_STATE3_CORNERS ? 0 : CUBE_CORNERS;
	int end = byte >= CUBE_STATE3_CORNERS ? CUBE_CORNERS : GOAL_PLACES, ways = 0;
	for (int place = first; place < end; place++)
		ways += goal_count(target->allowed[place] & bits_of(byte));
	return ways;
}

/* The pieces of one kind that prune at all, those with the fewest ways first. */
static int narrow_ones(const struct goal_target *target, int first, int end, uint8_t *pieces)
{
	int count = 0;
	for (int ways = 0; ways <= NARROW; ways++)
		for (int piece = first; piece < end; piece++)
			if (ways_of(target, byte_of(piece)) == ways)
				pieces[count++] = (uint8_t)byte_of(piece);
	return count;
}

/* The turns that are allowed at a place, a bit each; of the inverse state. */
static unsigned turns_at(const struct goal_target *target, int place)
{
	unsigned turns = place < CUBE_CORNERS ? 3 : 2, allowed = 0;
	for (unsigned bit = 0; bit < GOAL_TURNED; bit++)
		if (target->allowed[place] >> bit & 1)
			allowed |= 1u << (turns - bit % turns) % turns;
	return allowed;
}

static bool turns_matter(const struct goal_target *target, int first, int end)
{
	for (int place = first; place < end; place++)
		if (turns_at(target, place) != (place < CUBE_CORNERS ? 7u : 3u))
			return true;
	return false;
}

static uint32_t power(uint32_t base, int exponent)
{
	uint32_t result = 1;
	while (exponent-- > 0)
		result *= base;
	return result;
}

size_t goal_tables_choose(const struct goal_target *target, struct goal_table *tables, size_t room)
{
	uint8_t pieces[PIECES + GOAL_GROUP];
	size_t count = 0;
	int edges = narrow_ones(target, CUBE_CORNERS, GOAL_PLACES, pieces);
	int all = edges + narrow_ones(target, 0, CUBE_CORNERS, pieces + edges), grouped = all;
	/* The last group is filled up with the first pieces. */
	for (int i = 0; i + GOAL_GROUP < all && grouped % GOAL_GROUP != 0; i++)
		pieces[grouped++] = pieces[i];
	for (int i = 0; i < grouped && count < room; i += GOAL_GROUP) {
		int group = grouped - i < GOAL_GROUP ? grouped - i : GOAL_GROUP;
		struct goal_table *table = &tables[count++];
		*table = (struct goal_table){.kind = GOAL_PIECES,
					     .count = (uint8_t)group,
					     .entries = power(GOAL_TURNED, group)};
		memcpy(table->piece, pieces + i, (size_t)group);
	}
	if (count < room && turns_matter(target, CUBE_CORNERS, GOAL_PLACES))
		tables[count++] = (struct goal_table){
			.kind = GOAL_FLIPS, .count = CUBE_EDGES, .entries = power(2, CUBE_EDGES)};
	if (count < room && turns_matter(target, 0, CUBE_CORNERS))
		tables[count++] = (struct goal_table){.kind = GOAL_TWISTS,
						      .count = CUBE_CORNERS,
						      .entries = power(3, CUBE_CORNERS)};
	return count;
}

/* ---- entries, digit by digit ---- */

#define DIGITS CUBE_EDGES /* at most */

static uint32_t base_of(const struct goal_table *table)
{
	return table->kind == GOAL_PIECES ? GOAL_TURNED : table->kind == GOAL_TWISTS ? 3 : 2;
}

/* In groups the first piece's digit is the highest, else the first place's the lowest. */
static void digits_of(const struct goal_table *table, uint32_t entry, uint8_t digit[DIGITS])
{
	uint32_t base = base_of(table);
	if (table->kind == GOAL_PIECES)
		for (int i = table->count - 1; i >= 0; i--, entry /= GOAL_TURNED)
			digit[i] = (uint8_t)(entry % GOAL_TURNED);
	else
		for (int i = 0; i < table->count; i++, entry /= base)
			digit[i] = (uint8_t)(entry % base);
}

static uint32_t entry_of(const struct goal_table *table, const uint8_t digit[DIGITS])
{
	uint32_t base = base_of(table), entry = 0;
	for (int i = 0; i < table->count; i++)
		entry = base * entry + digit[table->kind == GOAL_PIECES ? i : table->count - 1 - i];
	return entry;
}

/* The requirements of a target for a group. */
struct wanted {
	uint32_t place[GOAL_GROUP][GOAL_TURNED]; /* by digit: the place's bit, 0 if not allowed */
	uint32_t places;                         /* places without other pieces */
};

static void want(struct wanted *wanted, const struct goal_table *table,
		 const struct goal_target *target)
{
	uint32_t mine[2] = {0, 0};
	for (int i = 0; i < table->count; i++) {
		int byte = table->piece[i], turns = (int)goal_turns(byte);
		int piece = byte % CUBE_STATE3_CORNERS;
		mine[byte >= CUBE_STATE3_CORNERS] |= bits_of(byte);
		for (int digit = 0; digit < GOAL_TURNED; digit++) {
			int place =
				digit / turns + (byte >= CUBE_STATE3_CORNERS ? 0 : CUBE_CORNERS);
			int turn = (turns - digit % turns) % turns;
			bool allowed = target->allowed[place] >> (turns * piece + turn) & 1;
			wanted->place[i][digit] = (uint32_t)allowed << place;
		}
	}
	wanted->places = 0;
	for (int place = 0; place < GOAL_PLACES; place++)
		if ((target->allowed[place] & ~mine[place < CUBE_CORNERS]) == 0)
			wanted->places |= 1u << place;
}

static bool group_fits(const struct goal_table *table, const struct wanted *wanted,
		       const uint8_t digit[DIGITS])
{
	uint32_t there = 0;
	for (int i = 0; i < table->count; i++) {
		uint32_t place = wanted->place[i][digit[i]];
		if (place == 0 || (there & place) != 0)
			return false;
		there |= place;
	}
	return (wanted->places & ~there) == 0;
}

static bool turns_fit(const struct goal_table *table, const struct goal_target *target,
		      const uint8_t digit[DIGITS])
{
	int first = table->kind == GOAL_TWISTS ? 0 : CUBE_CORNERS;
	unsigned sum = 0;
	for (int i = 0; i < table->count; i++) {
		if (!(turns_at(target, first + i) >> digit[i] & 1))
			return false;
		sum += digit[i];
	}
	return sum % base_of(table) == 0;
}

/* ---- breadth first ---- */

/* The number that the digit at a position adds to the entry after a move. */
struct moved {
	uint32_t part[GOAL_TURNED];
};

static void follow_move(const struct goal_table *table, const struct cube_state3 *move,
			struct moved moved[DIGITS])
{
	for (int i = 0; i < table->count; i++)
		for (uint32_t digit = 0; digit < base_of(table); digit++) {
			uint8_t after[DIGITS] = {0};
			int first = table->kind == GOAL_TWISTS ? CUBE_STATE3_CORNERS : 0;
			uint32_t to = move->piece[first + i],
				 turns = table->kind == GOAL_TWISTS ? 3 : 2;
			if (table->kind == GOAL_PIECES) {
				turns = goal_turns(table->piece[i]);
				to = move->piece[(table->piece[i] & CUBE_STATE3_CORNERS) +
						 digit / turns];
			}
			uint32_t turn = (digit % turns + (to >> CUBE_STATE3_TURN)) % turns;
			uint32_t place = to & CUBE_STATE3_PIECE;
			if (table->kind == GOAL_PIECES)
				after[i] = (uint8_t)(turns * place + turn);
			else
				after[place] = (uint8_t)turn;
			moved[i].part[digit] = entry_of(table, after);
		}
}

/* Passes distances from states to their neighbours, which may be nearer by another way so far;
 * returns the longest distance given, or `far`. */
static int spread(const struct goal_table *table, const struct goal_cost_move *moves,
		  const struct moved (*moved)[DIGITS], size_t count, int depth, int far,
		  uint8_t *distance)
{
	uint8_t digit[DIGITS];
	for (uint32_t entry = 0; entry < table->entries; entry++) {
		if (distance[entry] != depth)
			continue;
		digits_of(table, entry, digit);
		for (size_t m = 0; m < count; m++) {
			const int next = depth + moves[m].cost;
			uint32_t after = 0;
			for (int i = 0; i < table->count; i++)
				after += moved[m][i].part[digit[i]];
			if (distance[after] <= next)
				continue;
			distance[after] = (uint8_t)next;
			far = next > far ? next : far;
		}
	}
	return far;
}

void goal_table_make(const struct goal_table *table, const struct goal_target *target,
		     const struct goal_cost_move *moves, size_t count, uint8_t *distance)
{
	struct moved moved[GOAL_STATE_MOVES_MAX][DIGITS];
	struct wanted wanted = {.places = 0};
	uint8_t digit[DIGITS];
	int far = 0;
	assert(count <= GOAL_STATE_MOVES_MAX);
	if (table->kind == GOAL_PIECES)
		want(&wanted, table, target);
	for (size_t m = 0; m < count; m++)
		follow_move(table, &moves[m].inverse, moved[m]);
	for (uint32_t entry = 0; entry < table->entries; entry++) {
		digits_of(table, entry, digit);
		bool fits = table->kind == GOAL_PIECES ? group_fits(table, &wanted, digit)
						       : turns_fit(table, target, digit);
		distance[entry] = fits ? 0 : GOAL_FAR;
	}
	for (int depth = 0; depth <= far && depth < GOAL_FAR; depth++)
		far = spread(table, moves, (const struct moved(*)[DIGITS])moved, count, depth, far,
			     distance);
}
