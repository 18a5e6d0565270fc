/* facade_rows.c: rows of random cubes, as data sets have them. */
#include "bindings/wasm/facade.h"

#include <stdlib.h>

#include "cube/batch.h"
#include "cube/depth.h"
#include "cube/features.h"
#include "cube/solve.h"

/* The calls of cube/batch.h for a size; `write` by kind. */
static const struct sized {
	int actions;
	void (*random)(uint64_t seed, uint64_t first, size_t count, struct cube_state3 *states);
	void (*walk)(uint64_t seed, uint64_t first, size_t count, int shortest, int longest,
		     struct cube_state3 *states, uint8_t *lengths, uint8_t *last);
	int (*bound)(const void *tables, const struct cube_state3 *state);
	size_t width[FACADE_KINDS];
	void (*write[FACADE_KINDS])(const struct cube_state3 *states, size_t count,
				    uint8_t *numbers);
} sizes[] = {
	[2] = {CUBE_ACTIONS_2,
	       cube_batch_random_2,
	       cube_batch_walk_2,
	       cube_depth_of_2,
	       {CUBE_BATCH_COLORS_2, CUBE_BATCH_NUMBERS_2},
	       {cube_batch_colors_2, cube_batch_one_hot_2}},
	[3] = {CUBE_ACTIONS,
	       cube_batch_random,
	       cube_batch_walk,
	       cube_bound_of,
	       {CUBE_BATCH_COLORS, CUBE_BATCH_NUMBERS, CUBE_FEATURES},
	       {cube_batch_colors, cube_batch_one_hot, cube_batch_features}},
};

static void invert_actions(uint8_t *actions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (actions[i] < CUBE_ACTIONS)
			actions[i] = (uint8_t)cube_action_inverse(actions[i]);
}

/* Turns and mirrors each state by the symmetry of its row. The last action follows by what undoes it, which is an action
 * of the state. */
static bool change(int size, uint64_t seed, uint64_t first, size_t count,
		   struct cube_state3 *states, uint8_t *last)
{
	uint8_t *symmetries = malloc(count + 1);
	if (!symmetries)
		return false;
	cube_batch_symmetries(seed, first, count, symmetries);
	invert_actions(last, last ? count : 0);
	cube_batch_symmetric(size, symmetries, count, states, 1, last);
	invert_actions(last, last ? count : 0);
	free(symmetries);
	return true;
}

int facade_rows(int size, uint64_t seed, uint64_t first, size_t count, int shortest, int longest,
		int kind, int more)
{
	const struct sized *sized = &sizes[size];
	const size_t width = sized->width[kind];
	const size_t each = more & FACADE_CHILDREN ? 1 + (size_t)sized->actions : 1;
	if (count > INT32_MAX / (each * (width + sizeof(struct cube_state3))))
		return FACADE_NO_MEMORY;
	const size_t cubes = count * each, labels = shortest < 0 ? 0 : count;
	const size_t length = cubes * width + 2 * labels + (more & FACADE_BOUNDS ? cubes : 0);
	struct cube_state3 *states = facade_aligned(cubes * sizeof(*states));
	uint8_t *out = (uint8_t *)facade_room(length);
	bool made = states && out;
	if (made) {
		uint8_t *lengths = out + cubes * width, *last = labels ? lengths + labels : NULL;
		if (shortest < 0)
			sized->random(seed, first, count, states);
		else
			sized->walk(seed, first, count, shortest, longest, states, lengths, last);
		if (more & FACADE_SYMMETRIC)
			made = change(size, seed, first, count, states, last);
		if (more & FACADE_CHILDREN)
			cube_batch_children(size, states, count);
		sized->write[kind](states, cubes, out);
		for (size_t i = 0; more & FACADE_BOUNDS && i < cubes; i++)
			lengths[2 * labels + i] =
				(uint8_t)sized->bound(facade_optimal_tables(size), &states[i]);
		facade_set_length(length);
	}
	free(states);
	return made ? FACADE_OK : FACADE_NO_MEMORY;
}
