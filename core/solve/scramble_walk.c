/* core/solve/scramble_walk.c: scrambles of a few generators, by random turns of these. */
#include "core/solve/scramble_walk.h"

#include <assert.h>

#include "core/room.h"
#include "cube/cube.h"

#define SHORTEST 29
#define LENGTHS 12 /* SHORTEST and the next: the usual orders of products of half turns divide it */

bool cube_scramble_walks(int size, const struct cube_turn *generators, size_t count)
{
	bool axes[3] = {false, false, false};
	for (size_t i = 0; i < count; i++) {
		const struct cube_turn turn = generators[i];
		if (turn.quarters == 0 || (turn.from == 1 && turn.to == size))
			return false;
		axes[turn.face % 3] = true;
	}
	return axes[0] + axes[1] + axes[2] > 1;
}

/* Returns true if two turns about one axis turn the same layers, counted from either face. */
static bool same_layers(int size, struct cube_turn a, struct cube_turn b)
{
	if (a.face == b.face)
		return a.from == b.from && a.to == b.to;
	return a.from == size + 1 - b.to && a.to == size + 1 - b.from;
}

/* Returns true if the last turn repeats the layers of one before it, with only turns about its axis
 * between. */
static bool repeats(int size, const struct cube_turn *turns, size_t at)
{
	const struct cube_turn turn = turns[at];
	while (at-- > 0 && turns[at].face % 3 == turn.face % 3)
		if (same_layers(size, turns[at], turn))
			return true;
	return false;
}

size_t scramble_walk(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	static const int8_t quarters[3] = {1, 2, -1};
	const struct cube_random *random = &task->random;
	union cube3 room;
	size_t count;
	assert(task->size <= 3 &&
	       cube_scramble_walks(task->size, task->generators, task->generator_count));
	do {
		count = SHORTEST + (size_t)cube_random_below(random, LENGTHS);
		cube_init(&room.cube, task->size);
		for (size_t i = 0; i < count;) {
			struct cube_turn *turn = &turns[i];
			*turn = task->generators[cube_random_below(random, task->generator_count)];
			if (turn->quarters % 2 != 0)
				turn->quarters = quarters[cube_random_below(random, 3)];
			i += !repeats(task->size, turns, i);
		}
		cube_turn_all(&room.cube, turns, count);
	} while (cube_is_solved(&room.cube));
	return count;
}
