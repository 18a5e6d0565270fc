/* core/solve/scramble.c: scrambles: random states made by a solver, and random moves. */
#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/room.h"
#include "core/solve/common/methods.h"
#include "core/solve/four/state.h"
#include "core/solve/optimal/optimal2.h"
#include "core/solve/scramble_walk.h"
#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/index.h"
#include "cube/scramble.h"

#define LENGTH_2 11 /* moves of a scramble of the 2x2x2 */
#define NEAREST_2 4
#define NEAREST_3 2
#define NEAREST_4 2
/* Limits for the 3x3x3: turns that are few enough; how many positions are searched for that few;
 * and what then suffices. Chosen so that the mean is that of TNoodle's scrambles. */
#define FEW_3 19
#define FEW_3_NODES 32000
#define ENOUGH_3 20
#define ENDING_NODES 4000 /* positions for a solution of that length of a chosen end, at first */
#define ENDING_NODES_MOST (ENDING_NODES << 10)
#define ENOUGH_FMC 21
/* Random turns at the end of the way to a state that was drawn, and how many are tried. A state that is
 * nearly solved has ways of so few turns only that all undo some of them: then there are more. */
#define DRAWN_LAST 3
#define DRAWN_TRIES 50
#define DRAWN_LAST_NEAR 10
#define MOST_3 24

bool cube_scramble_has(int size, enum cube_scramble_variant variant)
{
	return cube_size_valid(size) &&
	       (variant == CUBE_SCRAMBLE_PLAIN || (variant == CUBE_SCRAMBLE_BLD && size >= 3) ||
		(variant == CUBE_SCRAMBLE_FMC && size == 3));
}

static uint32_t below(const struct cube_scramble_task *task, uint32_t bound)
{
	return (uint32_t)cube_random_below(&task->random, bound);
}

/* A turn of one of the first `faces`. What a seed makes depends on the order of the two draws. */
static struct cube_turn draw_turn(const struct cube_scramble_task *task, int size, uint32_t faces)
{
	const int quarters = 1 + (int)below(task, 3);
	const int face = (int)below(task, faces);
	return cube_turn_make(size, face, 1, 1, quarters);
}

static void make_state(const struct cube_cubies *cubies, int size, struct cube *cube)
{
	uint8_t colors[54];
	cube_cubies_paint(cubies, size, colors);
	size_t problems = cube_from_colors(cube, size, colors, NULL, 0);
	assert(problems == 0);
	(void)problems;
}

static void random_state(const struct cube_scramble_task *task, struct cube *cube)
{
	struct cube_cubies cubies;
	cube_random_cubies(&task->random, task->size, &cubies);
	make_state(&cubies, task->size, cube);
}

static void invert_turns(struct cube_turn *turns, size_t count)
{
	for (size_t i = 0; i < count - i; i++) {
		struct cube_turn first = turns[i], last = turns[count - 1 - i];
		turns[i] = cube_turn_inverse(last);
		turns[count - 1 - i] = cube_turn_inverse(first);
	}
}

/* A state of a set, by random turns that follow what makes the state before them. */
static size_t scramble_2_of_set(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	enum { FIRST = LENGTH_2 - DRAWN_LAST };
	struct cube_turn *last = turns + FIRST;
	struct cube_cubies cubies;
	union cube3 state, room;
	cube_set_draw(task->set, task->set_case, &task->random, &cubies);
	make_state(&cubies, 2, &state.cube);
	do {
		cube_copy(&room.cube, &state.cube);
		for (int i = DRAWN_LAST; i-- > 0;) {
			const int after = i + 1 < DRAWN_LAST ? last[i + 1].face : CUBE_FACES;
			do {
				last[i] = draw_turn(task, 2, 3);
			} while (last[i].face == after);
			cube_turn(&room.cube, cube_turn_inverse(last[i]));
		}
	} while (!optimal2_walk(task->optimal2, (uint32_t)cube_index_of(&room.cube).low, FIRST,
				turns) ||
		 turns[0].face == last[0].face);
	invert_turns(turns, FIRST);
	return LENGTH_2;
}

static size_t scramble_2(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	uint32_t index;
	do {
		index = below(task, OPTIMAL2_STATES);
	} while (optimal2_distance(task->optimal2, index, CUBE_SOLVE_HTM) < NEAREST_2);
	bool walked = optimal2_walk(task->optimal2, index, LENGTH_2, turns);
	assert(walked);
	(void)walked;
	invert_turns(turns, LENGTH_2);
	return LENGTH_2;
}

/* ---- 3x3x3 ---- */

/* Searches at most `nodes` positions (0: no limit); returns false if no solution of at most `enough`
 * turns was found. */
static bool solve_3(const struct cube_scramble_task *task, const struct cube *cube, int enough,
		    int unit, uint64_t nodes, struct cube_solution *solution)
{
	const struct cube_solve_task solve = {.cube = cube,
					      .length_enough = enough,
					      .nodes_max = nodes,
					      .unit = unit < 0 ? 0 : (unsigned)unit,
					      .step = unit < 0 ? 0 : solver_two_phase.units};
	solver_two_phase.solve(task->two_phase, &solve, solution);
	return solution->length >= 0 && solution->length <= enough;
}

/* One of FEW_3 turns if it is found soon, else of ENOUGH_3. */
static void solve_3_few(const struct cube_scramble_task *task, const struct cube *cube,
			struct cube_solution *solution)
{
	if (!solve_3(task, cube, FEW_3, -1, FEW_3_NODES, solution) && solution->length != ENOUGH_3)
		solve_3(task, cube, ENOUGH_3, -1, 0, solution);
}

static size_t scramble_3(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	struct cube_solution solution = {.turns = turns, .room = cube_scramble_room(3)};
	union cube3 room;
	do {
		random_state(task, &room.cube);
		solve_3_few(task, &room.cube, &solution);
	} while (solution.length < NEAREST_3);
	invert_turns(turns, solution.count);
	return solution.count;
}

/* Returns true if two turns that meet, or would if one beside them of the other side changed places
 * with it, are of one face. */
static bool cancels(const struct cube_turn *turns, size_t count, size_t at)
{
	for (size_t before = at; before-- > 0 && turns[before].face % 3 == turns[at].face % 3;)
		if (turns[before].face == turns[at].face)
			return true;
	for (size_t after = at + 1; after < count && turns[after].face % 3 == turns[at].face % 3;
	     after++)
		if (turns[after].face == turns[at].face)
			return true;
	return false;
}

static void draw_cubies(const struct cube_scramble_task *task, struct cube_cubies *cubies)
{
	if (task->set)
		cube_set_draw(task->set, task->set_case, &task->random, cubies);
	else if (task->distant)
		cube_distant_draw(task->distant, &task->random, cubies);
	else
		while (!cube_draw_next(task->draw, &task->random, cubies))
			continue;
}

/* A state that was drawn, by random turns that follow what makes the state before them. */
static size_t scramble_drawn(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	struct cube_solution solution = {.turns = turns,
					 .room = cube_scramble_room(3) - DRAWN_LAST_NEAR};
	struct cube_turn last[DRAWN_LAST_NEAR];
	struct cube_cubies cubies;
	union cube3 state, room;
	draw_cubies(task, &cubies);
	make_state(&cubies, 3, &state.cube);
	for (int tries = 0;; tries++) {
		const int drawn = tries < DRAWN_TRIES ? DRAWN_LAST : DRAWN_LAST_NEAR;
		cube_copy(&room.cube, &state.cube);
		for (int i = drawn; i-- > 0;) {
			const uint8_t after = i + 1 < drawn ? last[i + 1].face % 3 : 3;
			do {
				last[i] = draw_turn(task, 3, CUBE_FACES);
			} while (last[i].face % 3 == after);
			cube_turn(&room.cube, cube_turn_inverse(last[i]));
		}
		solve_3_few(task, &room.cube, &solution);
		const size_t count = solution.count;
		invert_turns(turns, count);
		memcpy(turns + count, last, (size_t)drawn * sizeof(*last));
		if (count > 0 && !cancels(turns, count + (size_t)drawn, count))
			return count + (size_t)drawn;
	}
}

/* The state by turns of which the last is not about the axis of `face`: a solution of one of the
 * directions of the search, which have solutions of their own, in at most `enough` turns, or one
 * of a turn less with a turn of another face put behind. No search takes longer than `nodes`. */
static size_t scramble_3_ending(const struct cube_scramble_task *task, const struct cube *state,
				int face, int enough, uint64_t nodes, struct cube_turn *turns)
{
	struct cube_solution solution = {.turns = turns, .room = cube_scramble_room(3) - 1};
	union cube3 room;
	for (int unit = 0; unit < (int)solver_two_phase.units; unit++) {
		if (!solve_3(task, state, enough, unit, nodes, &solution) || solution.count == 0 ||
		    turns[0].face % 3 == face % 3)
			continue;
		invert_turns(turns, solution.count);
		return solution.count;
	}
	for (int last = 0; last < 3 * CUBE_FACES; last++) {
		const struct cube_turn turn = cube_turn_make(3, last / 3, 1, 1, 1 + last % 3);
		if (last / 3 % 3 == face % 3)
			continue;
		cube_copy(&room.cube, state);
		cube_turn(&room.cube, cube_turn_inverse(turn));
		if (!solve_3(task, &room.cube, enough - 1, -1, nodes, &solution))
			continue;
		invert_turns(turns, solution.count);
		turns[solution.count] = turn;
		if (!cancels(turns, solution.count + 1, solution.count))
			return solution.count + 1;
	}
	return 0;
}

/* The same state by turns of which the last is not about the axis of `face`. */
static size_t scramble_3_again(const struct cube_scramble_task *task, struct cube_turn *turns,
			       size_t count, int face)
{
	union cube3 state;
	cube_init(&state.cube, 3);
	cube_turn_all(&state.cube, turns, count);
	count = 0;
	for (uint64_t nodes = ENDING_NODES; count == 0 && nodes <= ENDING_NODES_MOST; nodes *= 2)
		count = scramble_3_ending(task, &state.cube, face, ENOUGH_3, nodes, turns);
	return count > 0 ? count
			 : scramble_3_ending(task, &state.cube, face, ENOUGH_3 + 1, 0, turns);
}

/* P M P makes the state A where M makes P' A P'. Each direction of the search has solutions of its
 * own, so there is one without a cancelling turn soon, and the state remains as it was drawn. */
static size_t scramble_fmc(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	static const struct cube_turn padding[3] = {{CUBE_R, 1, 1, -1, CUBE_STYLE_LAYERS},
						    {CUBE_U, 1, 1, -1, CUBE_STYLE_LAYERS},
						    {CUBE_F, 1, 1, 1, CUBE_STYLE_LAYERS}};
	struct cube_solution solution = {.turns = turns + 3, .room = cube_scramble_room(3) - 6};
	union cube3 state, undo, room;
	cube_init(&undo.cube, 3);
	for (int i = 3; i-- > 0;)
		cube_turn(&undo.cube, cube_turn_inverse(padding[i]));
	for (;;) {
		random_state(task, &state.cube);
		solve_3(task, &state.cube, MOST_3, -1, 0, &solution);
		if (solution.length < NEAREST_3)
			continue;
		cube_compose(&room.cube, &undo.cube, &state.cube);
		cube_compose(&state.cube, &room.cube, &undo.cube);
		for (int enough = ENOUGH_FMC; enough <= MOST_3; enough++) {
			for (int unit = 0; unit < (int)solver_two_phase.units; unit++) {
				solve_3(task, &state.cube, enough, unit, 0, &solution);
				size_t count = solution.count + 6;
				invert_turns(turns + 3, solution.count);
				memcpy(turns, padding, sizeof(padding));
				memcpy(turns + 3 + solution.count, padding, sizeof(padding));
				if (solution.count > 1 && !cancels(turns, count, 2) &&
				    !cancels(turns, count, count - 3))
					return count;
			}
		}
	}
}

/* ---- 4x4x4 ---- */

/* The turns whose inverses, last one first, lead from `hold` to what they solve, turned round:
 * so that they lead there from home, and none is of Dw, Lw or Bw. Dw is Uw and the cube turned as
 * a whole, after which all turns are of other faces. */
static void invert_turns_4(struct cube_turn *turns, size_t count, int hold)
{
	/* y x z, and D L B as wholes. */
	static const int whole[CUBE_FACES] = {1, 4, 16, 3, 12, 20};
	invert_turns(turns, count);
	for (size_t i = 0; i < count; i++) {
		int back = cube_hold_inverse(hold), quarters = turns[i].quarters;
		uint8_t face = cube_hold_table.hold[back].to[turns[i].face];
		turns[i].face = face;
		if (turns[i].to == 1 || face < CUBE_D)
			continue;
		turns[i].face = face - CUBE_D;
		for (int k = 0; k < (quarters & 3); k++)
			hold = cube_hold_then(whole[face], hold);
	}
}

static size_t scramble_4(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	struct cube_solution solution = {.turns = turns, .room = cube_scramble_room(4)};
	union cube4 room;
	uint8_t colors[96];
	struct cube_solve_task solve = {
		.cube = &room.cube, .base = task->two_phase, .work = task->work};
	do {
		cube_random_cube(&task->random, 4, &room.cube, colors);
		solver_four.solve(task->reduction, &solve, &solution);
	} while (solution.length < NEAREST_4);
	cube_turn_all(&room.cube, turns, solution.count);
	invert_turns_4(turns, solution.count, cube_hold_of(&room.cube));
	return solution.count;
}

/* ---- larger cubes ---- */

/* Returns the thickness that a block of a face may have: no block has two descriptions. */
static int thickest(int size, int face)
{
	return face <= CUBE_F ? size / 2 : (size - 1) / 2;
}

/* `last_axis` is one that the last of them does not turn about, or -1. */
static size_t random_moves(const struct cube_scramble_task *task, int last_axis,
			   struct cube_turn *turns)
{
	const int size = task->size;
	const size_t count = (size_t)(20 * size - 40);
	const uint32_t blocks = 3 * (uint32_t)(size / 2 + (size - 1) / 2);
	for (size_t i = 0; i < count;) {
		int face = 0, thick = 1 + (int)below(task, blocks);
		for (; thick > thickest(size, face); face++)
			thick -= thickest(size, face);
		turns[i] = cube_turn_make(size, face, 1, thick, 1 + below(task, 3));
		bool again = i + 1 == count && turns[i].face % 3 == last_axis;
		for (size_t k = i; k-- > 0 && turns[k].face % 3 == turns[i].face % 3;)
			again |= turns[k].face == turns[i].face && turns[k].to == turns[i].to;
		i += !again;
	}
	return count;
}

/* The 24 ways to hold it, each as likely: at most two turns. */
static size_t orient(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	static const struct {
		uint8_t face;
		int8_t quarters;
	} tilt[6] = {{CUBE_U, 0},  {CUBE_R, 1}, {CUBE_R, 2},
		     {CUBE_R, -1}, {CUBE_F, 1}, {CUBE_F, -1}};
	const int thick = task->size % 2 ? (task->size + 1) / 2 : task->size;
	uint32_t way = below(task, 24), count = 0;
	if (way / 4 > 0)
		turns[count++] = cube_turn_make(task->size, tilt[way / 4].face, 1, thick,
						tilt[way / 4].quarters);
	if (way % 4 > 0)
		turns[count++] = cube_turn_make(task->size, CUBE_U, 1, thick, way % 4);
	return count;
}

/* A wide turn that only holds the cube differently does not follow a turn about its own axis, as in
 * "R Rw". The rotations of a 4x4x4 turn no layer against another, so its last turn is free. */
static size_t scramble_bld(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	struct cube_turn hold[2];
	size_t count;
	if (task->size != 3 && task->size != 4) {
		const size_t held = orient(task, hold);
		count = random_moves(task, held > 0 ? hold[0].face % 3 : -1, turns);
		memcpy(turns + count, hold, held * sizeof(*hold));
		return count + held;
	}
	count = task->size == 3   ? scramble_3(task, turns)
		: task->reduction ? scramble_4(task, turns)
				  : random_moves(task, -1, turns);
	const size_t held = orient(task, hold);
	if (task->size == 3 && held > 0 && turns[count - 1].face % 3 == hold[0].face % 3)
		count = scramble_3_again(task, turns, count, hold[0].face);
	memcpy(turns + count, hold, held * sizeof(*hold));
	return count + held;
}

static size_t scramble_of_subgroup(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	union cube3 room;
	int count;
	_Static_assert(CUBE_SUBGROUP_LONGEST <= 40, "cube_scramble_room(3)");
	do {
		cube_subgroup_draw(task->subgroup, &task->random, &room.cube);
		count = cube_is_solved(&room.cube)
				? -1
				: cube_subgroup_turns(task->subgroup, &room.cube, turns);
	} while (count < 0);
	return (size_t)count;
}

size_t cube_scramble(const struct cube_scramble_task *task, struct cube_turn *turns)
{
	if (task->subgroup)
		return scramble_of_subgroup(task, turns);
	if (task->generators)
		return scramble_walk(task, turns);
	assert(cube_scramble_has(task->size, task->variant));
	const bool drawn = task->draw || task->distant;
	assert(!drawn || (task->size == 3 && task->variant == CUBE_SCRAMBLE_PLAIN));
	assert(!task->set ||
	       (task->size == task->set->size && task->variant == CUBE_SCRAMBLE_PLAIN));
	if (task->variant == CUBE_SCRAMBLE_BLD)
		return scramble_bld(task, turns);
	return task->variant == CUBE_SCRAMBLE_FMC   ? scramble_fmc(task, turns)
	       : task->size == 2 && task->set       ? scramble_2_of_set(task, turns)
	       : task->size == 2                    ? scramble_2(task, turns)
	       : drawn || task->set                 ? scramble_drawn(task, turns)
	       : task->size == 3                    ? scramble_3(task, turns)
	       : task->size == 4 && task->reduction ? scramble_4(task, turns)
						    : random_moves(task, -1, turns);
}
