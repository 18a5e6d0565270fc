/* core/solve/common/moves.c: the 18 turns as states; cubes turned to the solved hold for a search, and
 * solutions turned back to the hold of the caller. */
#include "core/solve/common/moves.h"

#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/room.h"
#include "cube/algorithm.h"
#include "cube/cube.h"

#define DBL 6

static void state_of(struct cube_state3 *state, const struct cube *cube)
{
	struct cube_cubies cubies;
	cube_cubies_of(&cubies, cube);
	cube_state3_from_cubies(state, &cubies);
}

void moves_make(struct cube_state3 moves[MOVES])
{
	union cube3 room;
	for (int move = 0; move < MOVES; move++) {
		cube_init(&room.cube, 3);
		cube_turn(&room.cube,
			  cube_turn_make(3, move_face(move), 1, 1, move_quarters(move)));
		state_of(&moves[move], &room.cube);
	}
}

int moves_join_last(uint8_t *moves, int count)
{
	int face = move_face(moves[count - 1]), at = count - 2;
	if (at > 0 && move_face(moves[at]) % 3 == face % 3 && move_face(moves[at]) != face)
		at--;
	if (at < 0 || move_face(moves[at]) != face)
		return count;
	int quarters = (move_quarters(moves[at]) + move_quarters(moves[count - 1])) % 4;
	if (quarters > 0) {
		moves[at] = (uint8_t)(3 * face + quarters - 1);
		return count - 1;
	}
	memmove(&moves[at], &moves[at + 1], (size_t)(count - 2 - at));
	return count - 2;
}

void rotation_make(struct cube_state3 *rotation, int hold)
{
	union cube3 solved, turned;
	cube_init(&solved.cube, 3);
	cube_hold_turn(&turned.cube, &solved.cube, hold);
	state_of(rotation, &turned.cube);
}

void held_home(struct held *held, const struct cube *cube)
{
	union cube3 home;
	assert(cube->size == 3);
	int hold = cube_hold_home(&home.cube, cube);
	state_of(&held->state, &home.cube);
	memcpy(held->face, cube_hold_table.hold[hold].to, sizeof(held->face));
}

void held_renamed(struct held *held, const struct cube *cube)
{
	struct cube_state3 state, renaming;
	assert(cube->size == 2);
	state_of(&state, cube);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		/* The solved cube that has in DBL what this one has. */
		rotation_make(&renaming, hold);
		if (renaming.piece[CUBE_STATE3_CORNERS + DBL] !=
		    state.piece[CUBE_STATE3_CORNERS + DBL])
			continue;
		cube_state3_invert(&renaming, &renaming);
		cube_state3_compose(&held->state, &renaming, &state);
		break;
	}
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		held->face[face] = face;
}

struct cube_turn held_turn(const struct held *held, int move)
{
	int quarters = move_quarters(move);
	return (struct cube_turn){.face = held->face[move_face(move)],
				  .from = 1,
				  .to = 1,
				  .quarters = (int8_t)(quarters == 3 ? -1 : quarters)};
}

/* Returns true if the cube is solved after fewer of these turns. */
static bool solved_before(const struct cube *cube, const struct cube_turn *turns, int count)
{
	union cube3 room;
	cube_copy(&room.cube, cube);
	for (int i = 0; i < count; i++) {
		if (cube_is_solved(&room.cube))
			return true;
		cube_turn(&room.cube, turns[i]);
	}
	return false;
}

bool held_list(const struct held *held, const uint8_t *moves, int count,
	       const struct cube_solve_task *task, struct cube_solution *solution)
{
	assert((size_t)count <= solution->room);
	for (int i = 0; i < count; i++)
		solution->turns[i] = held_turn(held, moves[i]);
	cube_turns_order(task->cube->size, solution->turns, (size_t)count);
	return solved_before(task->cube, solution->turns, count) ||
	       task->each(task->each_context, solution->turns, (size_t)count);
}

void held_write(const struct held *held, const uint8_t *moves, int count,
		enum cube_solve_metric metric, struct cube_solution *solution)
{
	assert((size_t)count <= solution->room);
	solution->count = (size_t)count;
	solution->length = 0;
	for (int i = 0; i < count; i++) {
		solution->turns[i] = held_turn(held, moves[i]);
		solution->length += move_length(moves[i], metric);
	}
}
