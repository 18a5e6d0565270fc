/* tests/core/test_reduction.c: larger cubes: every answer turned, near states shortest, lengths,
 * and every way to end a search. */
#include "core/solve/common/methods.h"
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"
#include "tests/core/sanitized.h"

#define STEPS 8
#define NEAR_MOST 4 /* turns of what is solved directly */

static const struct cube_solver *solver;
static void *tables, *base, *work;
static struct cube_turn *turns;
static struct cube_solve_step steps[STEPS];
static struct cube_solution solution;

static void *aligned(size_t bytes)
{
	return aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(bytes));
}

/* Room for a size, exactly as much as is said to be needed. */
static void prepare(int size)
{
	free(work);
	free(turns);
	solver = &solver_reduction;
	work = aligned(solver->work_bytes(size));
	turns = malloc(solver->room(size) * sizeof(turns[0]));
	solution = (struct cube_solution){
		.turns = turns, .room = solver->room(size), .steps = steps, .step_room = STEPS};
}

/* The reported length is that of the turns, inner blocks counted as two; the steps make them. */
static enum cube_solve_end solve(struct cube_solve_task *task)
{
	const struct cube *cube = task->cube;
	task->base = base;
	task->work = work;
	enum cube_solve_end end = solver->solve(tables, task, &solution);
	if (solution.length < 0) {
		ck_assert_uint_eq(solution.count, 0);
		return end;
	}
	struct cube *turned = new_cube(cube->size);
	size_t told = 0;
	int length = 0;
	cube_copy(turned, cube);
	cube_turn_all(turned, turns, solution.count);
	ck_assert(cube_is_solved(turned));
	for (size_t i = 0; i < solution.count; i++) {
		ck_assert(turns[i].quarters != 0 && turns[i].from <= turns[i].to);
		length += turns[i].from == 1 || turns[i].to == cube->size ? 1 : 2;
	}
	ck_assert_int_eq(solution.length, length);
	ck_assert_int_le(solution.bound, length);
	for (size_t i = 0; i < solution.step_count; i++) {
		ck_assert_ptr_nonnull(solver->stages[steps[i].stage]);
		ck_assert(i == 0 || steps[i].stage > steps[i - 1].stage);
		told += steps[i].count;
	}
	ck_assert_uint_eq(told, solution.count);
	free(turned);
	return end;
}

static void random_cube(struct gen *gen, struct cube *cube, int size)
{
	cube_init(cube, size);
	for (int i = 0; i < 25 * size; i++)
		cube_turn(cube, gen_turn(gen, size));
}

static double mean_of(int size, int count)
{
	struct gen gen = {.state = 50 + (uint64_t)size};
	struct cube *cube = new_cube(size);
	int sum = 0;
	prepare(size);
	for (int i = 0; i < count; i++) {
		struct cube_solve_task task = {.cube = cube};
		random_cube(&gen, cube, size);
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
		ck_assert_int_gt(solution.length, 0);
		sum += solution.length;
	}
	free(cube);
	return (double)sum / count;
}

START_TEST(random_states)
{
	ck_assert(cube_solver_tables_good(&solver->tables[0], tables));
	static const struct {
		int size, count, count_long, mean;
	} rows[] = {{4, 2, 200, 75},   {5, 1, 100, 110},  {6, 1, 50, 180},   {7, 0, 50, 250},
		    {8, 1, 50, 1450},  {9, 1, 50, 2000},  {10, 0, 50, 2500}, {11, 0, 20, 3000},
		    {20, 1, 20, 9500}, {21, 0, 20, 10500}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int count = gen_long() ? rows[i].count_long : rows[i].count;
		/* With sanitizers: mixed_a_little() has size 6, parities() has 8, and 20 is solved as 9. */
		if (SANITIZED && !gen_long())
			count = rows[i].size <= 5 || rows[i].size == 9;
		if (count == 0)
			continue;
		double mean = mean_of(rows[i].size, count);
		ck_assert_double_lt(mean, rows[i].mean);
	}
	if (gen_long()) {
		mean_of(50, 3);
		mean_of(99, 1);
		mean_of(100, 1);
	}
}
END_TEST

/* A cube that is mixed a little takes all its steps, and no long searches. */
START_TEST(mixed_a_little)
{
	const int size = 6 + _i;
	struct gen gen = {.state = 65};
	struct cube *cube = new_cube(size);
	prepare(size);
	cube_init(cube, size);
	for (int i = 0; i < 9; i++)
		cube_turn(cube, gen_turn(&gen, size));
	struct cube_solve_task task = {.cube = cube};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
	ck_assert_int_gt(solution.length, NEAR_MOST);
	ck_assert_int_lt(solution.length, 250);
	free(cube);
}
END_TEST

START_TEST(solved_however_held)
{
	for (int size = 4; size <= 7; size++) {
		struct cube *cube = new_cube(size), *held = new_cube(size);
		prepare(size);
		cube_init(cube, size);
		for (int hold = 0; hold < CUBE_HOLDS; hold++) {
			struct cube_solve_task task = {.cube = held};
			cube_hold_turn(held, cube, hold);
			ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
			ck_assert_uint_eq(solution.count, 0);
			ck_assert_int_eq(solution.length, 0);
		}
		free(cube);
		free(held);
	}
}
END_TEST

/* Up to four turns away: no longer than the way there, however many of it undo others. That none is
 * shorter than can be: turns of different axes, and of outer blocks of different size, that are so
 * few do not undo each other, so that these need as many. */
START_TEST(near_states_have_shortest_solutions)
{
	static const int sizes[] = {4, 5, 6, 7, 8, 21};
	struct gen gen = {.state = 60};
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		int size = sizes[s];
		struct cube *cube = new_cube(size);
		prepare(size);
		for (int round = 0; round < (size < 10 ? 40 : 8); round++) {
			int length = 1 + round % 4, block = 0;
			bool apart = true;
			uint8_t before = 0;
			cube_init(cube, size);
			for (int i = 0; i < length; i++) {
				uint8_t face = (uint8_t)gen_below(&gen, 6);
				block = 1 + (int)gen_below(&gen, (uint32_t)(size - 1));
				apart &= i == 0 || face % 3 != before % 3;
				before = face;
				cube_turn(cube, cube_turn_make(size, face, 1, block,
							       1 + gen_below(&gen, 3)));
			}
			struct cube_solve_task task = {.cube = cube, .length_enough = 4};
			ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
			ck_assert_int_le(solution.length, length);
			ck_assert_int_eq(solution.length, solution.bound);
			ck_assert(!apart || length > 2 || solution.length == length);
		}
		free(cube);
	}
}
END_TEST

/* Every wing orbit odd or even, corners and edges odd or even: the two parities. */
START_TEST(parities)
{
	for (int size = 4; size <= (gen_long() ? 12 : 8); size += gen_long() ? 1 : 4) {
		struct gen gen = {.state = 70};
		struct cube *cube = new_cube(size);
		prepare(size);
		for (int odd = 0; odd < 1 << ((size - 2) / 2); odd++) {
			for (int outer = 0; outer < 2; outer++) {
				struct cube_solve_task task = {.cube = cube};
				cube_init(cube, size);
				for (int k = 0; k < (size - 2) / 2; k++)
					if (odd >> k & 1)
						cube_turn(cube, cube_turn_make(size, CUBE_R, k + 2,
									       k + 2, 1));
				for (int i = 0; i < 20 + outer; i++)
					cube_turn(cube,
						  cube_turn_make(size, (int)gen_below(&gen, 6), 1,
								 1, 1));
				ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
			}
		}
		free(cube);
	}
}
END_TEST

static bool never(void *context, const struct cube_solve_progress *progress)
{
	++*(int *)context;
	ck_assert_uint_gt(progress->nodes, 0);
	return false;
}

START_TEST(searches_end_when_told)
{
	struct gen gen = {.state = 80};
	for (int size = 4; size <= 9; size += 5) {
		struct cube *cube = new_cube(size);
		int calls = 0;
		prepare(size);
		random_cube(&gen, cube, size);
		struct cube_solve_task task = {.cube = cube, .carry_on = never, .context = &calls};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
		ck_assert_int_eq(calls, 1);
		ck_assert_int_eq(solution.length, -1);
		ck_assert_uint_eq(solution.step_count, 0);

		task = (struct cube_solve_task){.cube = cube, .nodes_max = 300};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);

		atomic_bool stop = true;
		task = (struct cube_solve_task){.cube = cube, .stop = &stop};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);

		task = (struct cube_solve_task){.cube = cube, .length_max = 20};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
		ck_assert_int_eq(solution.length, -1);

		/* Room that is too small does no harm. */
		solution.room = 30;
		task = (struct cube_solve_task){.cube = cube};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
		free(cube);
	}
}
END_TEST

int main(void)
{
	solver = &solver_reduction;
	tables = aligned(solver->tables[0].bytes);
	base = aligned(solver->base->tables[0].bytes);
	cube_solver_make(&solver->tables[0], tables);
	cube_solver_make(&solver->base->tables[0], base);
	Suite *suite = suite_create("reduction");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 600);
	tcase_add_test(all, random_states);
	tcase_add_loop_test(all, mixed_a_little, 0, 2);
	tcase_add_test(all, solved_however_held);
	tcase_add_test(all, near_states_have_shortest_solutions);
	tcase_add_test(all, parities);
	tcase_add_test(all, searches_end_when_told);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 7);
	free(tables);
	free(base);
	free(work);
	free(turns);
	return status;
}
