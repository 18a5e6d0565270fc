/* core/solve/four/near.c: shortest solutions of a 4x4x4 that is up to four moves from solved.
 *
 * Two moves from the cube, and two from the solved one, which are kept in a table. Colours alone
 * identify a state, after it was turned as a whole until its corner DBL is home, so that the nine
 * blocks of the search are all that turns can do. */
#include <assert.h>
#include <string.h>

#include "core/solve/four/four_internal.h"
#include "cube/cube.h"

static const uint8_t as_held[CUBE_FACES] = {0, 1, 2, 3, 4, 5};

/* 64 bits of the colours of the cube when it is home: two states with the same ones are not to be
 * expected. */
static uint64_t key_of(const struct cube *cube)
{
	union cube4 home;
	uint64_t key = 0;
	cube_hold_home(&home.cube, cube);
	for (size_t facelet = 0; facelet < 96; facelet += 24) {
		uint64_t word = 0;
		for (size_t i = 0; i < 24; i++)
			word = word * 6 + (uint64_t)cube_color_at(&home.cube, facelet + i);
		key = (key ^ word) * 0x9e3779b97f4a7c15u;
		key ^= key >> 29;
	}
	return key;
}

/* Returns the number of keys that are less. */
static size_t rank_of(const struct four_near *near, size_t count, uint64_t key)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (near->key[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int distance_of(const struct four_near *near, const struct cube *cube)
{
	uint64_t key = key_of(cube);
	size_t at = rank_of(near, FOUR_NEAR_STATES, key);
	return at < FOUR_NEAR_STATES && near->key[at] == key ? near->distance[at] : 3;
}

/* Adds the solved cube after some moves, if it is not there yet. */
static void add_state(struct four_near *near, size_t *count, const uint8_t *moves, uint8_t length)
{
	union cube4 turned;
	cube_init(&turned.cube, 4);
	for (int i = 0; i < length; i++)
		cube_turn(&turned.cube, four_turn(moves[i], as_held));
	uint64_t key = key_of(&turned.cube);
	size_t at = rank_of(near, *count, key);
	if (at < *count && near->key[at] == key)
		return;
	assert(*count < FOUR_NEAR_STATES);
	memmove(&near->key[at + 1], &near->key[at], (*count - at) * sizeof(near->key[0]));
	memmove(&near->distance[at + 1], &near->distance[at], *count - at);
	near->key[at] = key;
	near->distance[at] = length;
	++*count;
}

void four_near_make(struct four_near *near)
{
	uint8_t moves[2] = {0};
	size_t count = 0;
	add_state(near, &count, moves, 0);
	for (moves[0] = 0; moves[0] < FOUR_MOVES; moves[0]++)
		add_state(near, &count, moves, 1);
	for (moves[0] = 0; moves[0] < FOUR_MOVES; moves[0]++)
		for (moves[1] = 0; moves[1] < FOUR_MOVES; moves[1]++)
			add_state(near, &count, moves, 2);
	assert(count == FOUR_NEAR_STATES);
}

static bool solve(const struct four_near *near, const struct cube *cube, int before, int left,
		  uint8_t *moves)
{
	if (left <= 2 && distance_of(near, cube) != left)
		return false;
	if (left == 0)
		return cube_is_solved(cube);
	for (uint8_t move = 0; move < FOUR_MOVES; move++) {
		union cube4 turned;
		if (!four_follows(four_block(move), before))
			continue;
		cube_copy(&turned.cube, cube);
		cube_turn(&turned.cube, four_turn(move, as_held));
		moves[0] = move;
		if (solve(near, &turned.cube, four_block(move), left - 1, moves + 1))
			return true;
	}
	return false;
}

int four_near_solve(const struct four_near *near, const struct cube *cube, uint8_t moves[FOUR_NEAR])
{
	for (int length = 0; length <= FOUR_NEAR; length++)
		if (solve(near, cube, FOUR_NONE, length, moves))
			return length;
	return -1;
}
