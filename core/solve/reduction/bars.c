/* core/solve/reduction/bars.c: makes the tables of bars, by the turns that a state needs.
 *
 * In the stage `face` the two faces of an axis have eight places of each orbit, four of either
 * colour: 70 ways, and 343,000 of three orbits. */
#include "core/solve/reduction/bars.h"

#include <string.h>

#define ORBITS 3
#define BLOCKS 3
#define MOVES_MAX (CUBE_FACES * BLOCKS * 3)
#define FAR 255

/* The orbits, and how many of each one's lines blocks of one, two and three layers hold. */
static const struct {
	uint8_t kind[ORBITS], lines[ORBITS][BLOCKS];
	uint8_t blocks;
} sets[BARS_SETS] = {
	[BARS_INNER] = {{CENTER_X, CENTER_LEFT, CENTER_RIGHT},
			{{0, 0, 2}, {0, 1, 2}, {0, 1, 2}},
			3},
	[BARS_MIDDLE] = {{CENTER_T, CENTER_LEFT, CENTER_T}, {{0, 0, 1}, {0, 1, 2}, {0, 1, 1}}, 3},
	[BARS_OUTER] = {{CENTER_X, CENTER_T, CENTER_T}, {{0, 2, 0}, {0, 1, 0}, {0, 0, 0}}, 2}};

struct map {
	uint8_t to[MOVES_MAX][ORBITS][CENTER_WAYS];
	uint8_t cost[MOVES_MAX];
	int moves;
};

/* Makes the map of what moves do to an axis. `costs`: of an outer layer, of a block about the axis,
 * and of one about another. Blocks that are larger than `layers` turn about the axis `done` alone;
 * -1: about all. */
static void make_map(const struct centers *centers, enum bars_set set, int axis, int done,
		     int layers, const uint8_t costs[3], struct map *map)
{
	static const uint8_t axis_of[3] = {0, 2, 1}; /* U R F */
	memset(map, 0, sizeof(*map));
	for (int i = 0; i < MOVES_MAX; i++) {
		int face = i / 9, block = i / 3 % 3, quarters = i % 3 + 1;
		bool own = axis_of[face % 3] == axis;
		if (block >= sets[set].blocks || (block == 0 ? !own : quarters != 2))
			continue;
		if (block >= layers && done >= 0 && axis_of[face % 3] != done)
			continue;
		map->cost[map->moves] = block == 0 ? costs[0] : own ? costs[1] : costs[2];
		for (int k = 0; k < ORBITS; k++) {
			int move = center_move(face, sets[set].lines[k][block], quarters);
			for (uint32_t byte = 0; byte < 256; byte++) {
				uint32_t bits = center_moved(
					centers->moved[sets[set].kind[k]][move], byte << 8 * axis);
				if (center_count(byte) == 4)
					map->to[map->moves][k][centers->rank_byte[0][byte]] =
						(uint8_t)centers
							->rank_byte[0][bits >> 8 * axis & 255];
			}
		}
		map->moves++;
	}
}

static uint32_t index_of(uint32_t a, uint32_t b, uint32_t c)
{
	return a + CENTER_WAYS * (b + CENTER_WAYS * c);
}

/* Neighbours of a state; whether one is as far that the search is past. */
static bool expand_state(const struct map *map, uint8_t *table, uint32_t at)
{
	bool again = false;
	uint32_t a = at % CENTER_WAYS, b = at / CENTER_WAYS % CENTER_WAYS,
		 c = at / CENTER_WAYS / CENTER_WAYS;
	for (int m = 0; m < map->moves; m++) {
		uint32_t to = index_of(map->to[m][0][a], map->to[m][1][b], map->to[m][2][c]);
		int far = table[at] + map->cost[m];
		if (table[to] > far) {
			table[to] = (uint8_t)far;
			again |= to < at && map->cost[m] == 0;
		}
	}
	return again;
}

static void fill(const struct centers *centers, enum bars_set set, const struct map *map,
		 uint8_t *table)
{
	uint32_t home = centers->rank_byte[0][0x0f];
	memset(table, FAR, CENTER_FACES);
	for (uint32_t way = 0; way < CENTER_WAYS; way++) {
		bool outer = set == BARS_OUTER; /* the third is none */
		if (!outer || way == home)
			table[index_of(home, way, outer ? home : way)] = 0;
	}
	for (int far = 0, idle = 0; idle <= BARS_UNITS;) {
		bool again = false, any = false;
		for (uint32_t at = 0; at < CENTER_FACES; at++) {
			if (table[at] == far) {
				any = true;
				again |= expand_state(map, table, at);
			}
		}
		idle = any ? 0 : idle + 1;
		far += !again;
	}
}

void bars_make(struct centers *centers, enum bars_set set, int axis)
{
	static const uint8_t turns[3] = {1, 1, 1}, units[3] = {BARS_UNITS, 0, BARS_UNITS / 2};
	struct map map;
	for (int done = 0; done < 3 && set < BARS_ALONE; done++) {
		make_map(centers, set, axis, done == axis ? -1 : done, 2, turns, &map);
		fill(centers, set, &map, centers->alone[set][done][axis]);
		if (done == axis)
			continue;
		make_map(centers, set, axis, done, 1, units, &map);
		fill(centers, set, &map, centers->rest[set][done][axis]);
	}
	make_map(centers, set, axis, -1, 2, units, &map);
	fill(centers, set, &map, centers->share[set][axis]);
}
