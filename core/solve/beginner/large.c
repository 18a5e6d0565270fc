/* core/solve/beginner/large.c: the 4x4x4 to the 7x7x7 as people reduce them: the centres, then the edges
 * paired, then the lesson of a 3x3x3, with the steps that only even sizes need (parity.c). */
#include "core/solve/beginner/large.h"

#include <assert.h>
#include <string.h>

#include "core/solve/beginner/beginner_internal.h"
#include "core/solve/common/methods.h"
#include "core/solve/common/poll.h"
#include "cube/cube.h"

/* Each ends where the pattern of that name (cube/named.h) holds. */
static const char *const stages[] = {
	"centers",    "edges-paired",        "cross",  "first-layer", "f2l", "last-cross",
	"last-edges", "last-corners-placed", "solved", NULL};

/* ---- turns ---- */

/* The other way round; a half turn is written as it is. */
static int other_way(int quarters)
{
	return quarters == 2 ? 2 : -quarters;
}

struct cube_turn large_back(struct cube_turn turn)
{
	turn.quarters = (int8_t)other_way(turn.quarters);
	return turn;
}

struct cube_turn large_columns(int size, int a, int b, bool wide, int quarters)
{
	const int cells = size - 2;
	const bool left = a + b < cells - 1;
	const int from = left ? a + 2 : cells - b + 1, to = left ? b + 2 : cells - a + 1;
	return cube_turn_make(size, left ? CUBE_L : CUBE_R, wide && from == 2 ? 1 : from, to,
			      left ? other_way(quarters) : quarters);
}

struct cube_turn large_rows(int size, int a, int b, int quarters)
{
	const int cells = size - 2;
	const bool below = a + b > cells - 1;
	return below ? cube_turn_make(size, CUBE_D, cells - b + 1, cells - a + 1,
				      other_way(quarters))
		     : cube_turn_make(size, CUBE_U, a + 2, b + 2, quarters);
}

struct row {
	uint8_t face, inner;
	int8_t quarters;
};

static int write_rows(const struct row *rows, int count, int size, int from, int to,
		      struct cube_turn *turns)
{
	for (int i = 0; i < count; i++)
		turns[i] = cube_turn_make(size, rows[i].face, rows[i].inner ? from : 1,
					  rows[i].inner ? to : 1, rows[i].quarters);
	return count;
}

/* 2R2 B2 U2 2L U2 2R' U2 2R U2 F2 2R F2 2L' B2 2R2 */
int large_flip(int size, int from, int to, struct cube_turn turns[LARGE_ALGORITHM])
{
	static const struct row rows[] = {
		{CUBE_R, 1, 2},  {CUBE_B, 0, 2}, {CUBE_U, 0, 2},  {CUBE_L, 1, 1}, {CUBE_U, 0, 2},
		{CUBE_R, 1, -1}, {CUBE_U, 0, 2}, {CUBE_R, 1, 1},  {CUBE_U, 0, 2}, {CUBE_F, 0, 2},
		{CUBE_R, 1, 1},  {CUBE_F, 0, 2}, {CUBE_L, 1, -1}, {CUBE_B, 0, 2}, {CUBE_R, 1, 2}};
	return write_rows(rows, sizeof rows / sizeof rows[0], size, from, to, turns);
}

/* 2R2 U2 2R2 Uw2 2R2 2U2 */
int large_exchange(int size, struct cube_turn turns[LARGE_ALGORITHM])
{
	static const struct row rows[] = {{CUBE_R, 1, 2}, {CUBE_U, 0, 2}, {CUBE_R, 1, 2},
					  {CUBE_U, 1, 2}, {CUBE_R, 1, 2}, {CUBE_U, 1, 2}};
	const int count = write_rows(rows, sizeof rows / sizeof rows[0], size, 2, size / 2, turns);
	turns[3].from = 1;
	return count;
}

/* ---- a step ---- */

void large_begin(struct large *large, enum large_stage stage, int hold)
{
	union large_cube turned;
	uint8_t color[CUBE_FACES];
	large->begin = large->solution->count;
	large->step = (struct cube_solve_step){.stage = (unsigned char)stage};
	large->step.rotations = beginner_rotate(large->solution, large->size, hold);
	cube_hold_turn(&turned.cube, &large->now.cube, hold);
	large->now = turned;
	memcpy(color, large->color, sizeof color);
	for (int side = 0; side < CUBE_FACES; side++)
		large->color[cube_hold_table.hold[hold].to[side]] = color[side];
	large->step.note = (struct cube_lesson_note){
		.hold = large->step.rotations > 0 ? WORD_HOLD_TURN : WORD_HOLD_KEEP,
		.size = (uint8_t)large->size,
		.first = large->first,
		.up = large->color[CUBE_U],
		.front = large->color[CUBE_F]};
}

void large_turn(struct large *large, struct cube_turn turn, bool setup)
{
	struct cube_lesson_note *note = &large->step.note;
	struct cube_solution *solution = large->solution;
	assert(solution->count < solution->room && note->turns < CUBE_LESSON_TURNS);
	solution->turns[solution->count++] = turn;
	note->turn[note->turns++] = turn;
	note->setup += setup;
	cube_turn(&large->now.cube, turn);
}

void large_end(struct large *large)
{
	struct cube_solution *solution = large->solution;
	large->step.count = solution->count - large->begin;
	if (solution->steps && solution->step_count < solution->step_room)
		solution->steps[solution->step_count++] = large->step;
}

/* ---- the 3x3x3 that is left ---- */

/* The facelet of a 3x3x3 that one of a larger cube is a part of. */
static size_t facelet_of_3(int size, size_t facelet)
{
	const size_t n = (size_t)size, face = facelet / (n * n);
	const size_t row = facelet / n % n, column = facelet % n;
	const size_t r = row == 0 ? 0 : row == n - 1 ? 2 : 1;
	const size_t c = column == 0 ? 0 : column == n - 1 ? 2 : 1;
	return face * 9 + r * 3 + c;
}

static void reduce(const struct cube *cube, struct cube *reduced)
{
	cube_init(reduced, 3);
	for (size_t i = 0; i < cube_facelets(cube->size); i++)
		reduced->sticker[facelet_of_3(cube->size, i)] =
			(uint16_t)facelet_of_3(cube->size, cube->sticker[i]);
}

static bool teach_3(struct large *large)
{
	union large_cube reduced;
	struct cube_solve_task task = *large->task;
	reduce(&large->now.cube, &reduced.cube);
	task.cube = &reduced.cube;
	task.first = large->first;
	return beginner_teach(&task, large->size, LARGE_STAGES, large->solution);
}

/* ---- all of it ---- */

static bool teach(struct large *large)
{
	enum large_found found = LARGE_MADE;
	large_edges_init(large);
	large_assign(large);
	do {
		if (poll_stopped(large->task, large->solution->nodes, 0, -1))
			return false;
	} while (large_center_step(large));
	for (; found == LARGE_MADE; found = large_edge_step(large))
		if (poll_stopped(large->task, large->solution->nodes, 0, -1))
			return false;
	return found == LARGE_DONE && teach_3(large);
}

static enum cube_solve_end solve(const void *tables, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	struct large large = {.size = task->cube->size,
			      .cells = task->cube->size - 2,
			      .first = task->first,
			      .solution = solution,
			      .task = task};
	struct cube_metrics metrics;
	(void)tables;
	assert(task->metric == CUBE_SOLVE_HTM);
	solution->count = solution->step_count = 0;
	solution->length = 0;
	solution->nodes = 1;
	solution->bound = !cube_is_solved(task->cube);
	if (solution->bound == 0)
		return CUBE_SOLVE_ENOUGH;
	cube_copy(&large.now.cube, task->cube);
	const bool taught = teach(&large);
	cube_turns_metrics(large.size, solution->turns, solution->count, &metrics);
	solution->length = (int)metrics.htm;
	if (taught && (task->length_max == 0 || solution->length <= task->length_max))
		return solution->length <= task->length_enough ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_ALL;
	solution->count = solution->step_count = 0;
	solution->length = -1;
	return taught ? CUBE_SOLVE_ALL : CUBE_SOLVE_STOPPED;
}

/* Each centre piece takes a step of at most 12 turns, each piece of an edge one of at most 14. */
static size_t room_for(int size)
{
	const size_t cells = (size_t)size - 2;
	return 6 * cells * cells * 12 + 12 * cells * 14 + 500;
}

const struct cube_solver solver_beginner_large = {.name = "beginner",
						  .size_min = LARGE_MIN,
						  .size_max = LARGE_MAX,
						  .teaches = true,
						  .stages = stages,
						  .room = room_for,
						  .units = 1,
						  .solve = solve};
