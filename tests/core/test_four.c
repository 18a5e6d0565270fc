/* tests/core/test_four.c: reduction of the 4x4x4: every answer turned, near states shortest,
 * parities, and every way to end it. */
#include "core/solve/four/four_internal.h"
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static const struct cube_solver *solver;
static void *tables, *base;
static struct four_search *work;

static struct cube_turn turns[FOUR_ROOM];
static struct cube_solve_step steps[FOUR_STAGES];
static struct cube_solution solution = {
	.turns = turns, .room = FOUR_ROOM, .steps = steps, .step_room = FOUR_STAGES};

static void random_cube(struct gen *gen, struct cube *cube)
{
	cube_init(cube, 4);
	for (int i = 0; i < 80; i++)
		cube_turn(cube, gen_turn(gen, 4));
}

static bool reduced(const struct cube *cube)
{
	union cube4 room;
	return four_reduce(cube, &room.cube);
}

static enum cube_solve_end solve(const struct cube_solve_task *asked)
{
	struct cube_solve_task task = *asked;
	union cube4 room;
	task.work = work;
	task.base = base;
	enum cube_solve_end end = solver->solve(tables, &task, &solution);
	ck_assert_int_eq(solution.length, solution.length < 0 ? -1 : (int)solution.count);
	if (solution.length < 0)
		return end;
	ck_assert_int_le(solution.bound, solution.length);
	ck_assert(task.length_max == 0 || solution.length <= task.length_max);
	cube_copy(&room.cube, task.cube);
	size_t told = 0;
	for (size_t i = 0; i < solution.step_count; i++) {
		ck_assert(i == 0 || steps[i].stage > steps[i - 1].stage);
		ck_assert_uint_gt(steps[i].count, 0);
		ck_assert((steps[i].stage == 0) == (solution.count <= FOUR_NEAR));
		ck_assert(steps[i].stage < 4 || reduced(&room.cube));
		cube_turn_all(&room.cube, turns + told, steps[i].count);
		told += steps[i].count;
	}
	ck_assert_uint_eq(told, solution.count);
	ck_assert(cube_is_solved(&room.cube));
	for (size_t i = 0; i < solution.count; i++) {
		ck_assert(turns[i].from == 1 && turns[i].quarters != 0);
		ck_assert_int_le(turns[i].to, turns[i].face < CUBE_D ? 2 : 1);
		for (size_t k = i; k-- > 0 && turns[k].face % 3 == turns[i].face % 3;)
			ck_assert(turns[k].face != turns[i].face || turns[k].to != turns[i].to);
	}
	return end;
}

/* ---- answers ---- */

START_TEST(random_states)
{
	struct gen gen = {.state = 50};
	union cube4 room;
	int rounds = gen_long() ? 200 : (int)gen_rounds(8), sum = 0;
	for (int round = 0; round < rounds; round++) {
		random_cube(&gen, &room.cube);
		struct cube_solve_task task = {.cube = &room.cube};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
		ck_assert_int_gt(solution.length, 30);
		ck_assert_int_le(solution.length, 52);
		sum += solution.length;
	}
	ck_assert_int_le(sum, 48 * rounds);
}
END_TEST

START_TEST(solved_however_held)
{
	union cube4 solved, held;
	cube_init(&solved.cube, 4);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_hold_turn(&held.cube, &solved.cube, hold);
		struct cube_solve_task task = {.cube = &held.cube};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, 0);
	}
}
END_TEST

/* All states up to two turns of any block away, their colours when they are home. */
#define BLOCK_TURNS 54
static struct {
	uint8_t colors[96];
	int length;
} near_state[1 + BLOCK_TURNS + BLOCK_TURNS * BLOCK_TURNS];
static size_t near_count;

static void near_turn(struct cube *cube, int number)
{
	cube_turn(cube, cube_turn_make(4, number / 9, 1, 1 + number / 3 % 3, 1 + number % 3));
}

static void home_colors(const struct cube *cube, uint8_t colors[96])
{
	union cube4 home;
	cube_hold_home(&home.cube, cube);
	for (size_t i = 0; i < 96; i++)
		colors[i] = (uint8_t)cube_color_at(&home.cube, i);
}

static int near_find(const struct cube *cube)
{
	uint8_t colors[96];
	home_colors(cube, colors);
	for (size_t i = 0; i < near_count; i++)
		if (memcmp(colors, near_state[i].colors, 96) == 0)
			return near_state[i].length;
	return 5;
}

static void find_near(void)
{
	for (int length = 0; length <= 2; length++) {
		for (int a = 0; a < (length > 0 ? BLOCK_TURNS : 1); a++) {
			for (int b = 0; b < (length > 1 ? BLOCK_TURNS : 1); b++) {
				union cube4 room;
				cube_init(&room.cube, 4);
				if (length > 0)
					near_turn(&room.cube, a);
				if (length > 1)
					near_turn(&room.cube, b);
				if (near_find(&room.cube) < 5)
					continue;
				home_colors(&room.cube, near_state[near_count].colors);
				near_state[near_count++].length = length;
			}
		}
	}
	ck_assert_uint_eq(near_count, FOUR_NEAR_STATES);
}

static int length_of_near(const struct cube *cube)
{
	int least = near_find(cube);
	for (int a = 0; a < BLOCK_TURNS && least > 2; a++) {
		union cube4 one;
		cube_copy(&one.cube, cube);
		near_turn(&one.cube, a);
		int length = 1 + near_find(&one.cube);
		least = length < least ? length : least;
		for (int b = 0; b < BLOCK_TURNS && least > 3; b++) {
			union cube4 two = one;
			near_turn(&two.cube, b);
			length = 2 + near_find(&two.cube);
			least = length < least ? length : least;
		}
	}
	return least;
}

START_TEST(near_states_have_shortest_solutions)
{
	struct gen gen = {.state = 51};
	union cube4 room, held;
	find_near();
	for (int round = 0; round < (gen_long() ? 400 : 12); round++) {
		cube_init(&room.cube, 4);
		for (int i = 0; i < 1 + round % 4; i++)
			near_turn(&room.cube, (int)gen_below(&gen, BLOCK_TURNS));
		int length = length_of_near(&room.cube);
		ck_assert_int_le(length, 4);
		cube_hold_turn(&held.cube, &room.cube, round % CUBE_HOLDS);
		struct cube_solve_task task = {.cube = &held.cube, .length_enough = length};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, length);
		ck_assert_int_eq(solution.bound, length);
		if (length > 1) {
			task.length_max = length - 1;
			ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
			ck_assert_int_eq(solution.length, -1);
		}
	}
}
END_TEST

/* Tests the leftovers of a 4x4x4 that was solved without care: an edge turned over, two edges or
 * corners exchanged, and both; and an inner layer. */
START_TEST(parities)
{
	static const char *const moves[] = {
		"Rw U2 x Rw U2 Rw U2 Rw' U2 Lw U2 Rw' U2 Rw U2 Rw' U2 Rw'",
		"2R2 U2 2R2 Uw2 2R2 Uw2",
		"Rw U2 x Rw U2 Rw U2 Rw' U2 Lw U2 Rw' U2 Rw U2 Rw' U2 Rw' 2R2 U2 2R2 Uw2 2R2 Uw2",
		"2R U 2F' 2L2 D 2R",
		"R U R' U' F2 L D2 B R2",
		"2R2 2L2 2U2 2D2 2F2 2B2",
	};
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		struct checked_cube both = checked_create(4);
		ck_assert(checked_moves(&both, moves[i]));
		struct cube_solve_task task = {.cube = both.cube};
		solve(&task);
		ck_assert_int_ge(solution.length, 0);
		ck_assert_int_le(solution.length, 48);
		checked_destroy(&both);
	}
}
END_TEST

/* If only inner layers were turned, the edges seem near but are not; that must not take long. */
START_TEST(inner_layers_only)
{
	struct gen gen = {.state = 57};
	union cube4 room;
	for (int round = 0; round < (gen_long() ? 200 : (int)gen_rounds(4)); round++) {
		cube_init(&room.cube, 4);
		for (int i = 0; i < 40; i++)
			cube_turn(&room.cube, cube_turn_make(4, (int)gen_below(&gen, 6), 2, 2,
							     1 + gen_below(&gen, 3)));
		struct cube_solve_task task = {.cube = &room.cube};
		solve(&task);
		ck_assert_int_ge(solution.length, 0);
		ck_assert_int_le(solution.length, 50);
		ck_assert_uint_lt(solution.nodes, 10000000);
	}
}
END_TEST

/* ---- ends ---- */

static bool never(void *context, const struct cube_solve_progress *progress)
{
	++*(int *)context;
	ck_assert_int_eq(progress->best, -1);
	ck_assert_uint_gt(progress->nodes, 0);
	return false;
}

START_TEST(searches_end_when_told)
{
	struct gen gen = {.state = 55};
	union cube4 room;
	random_cube(&gen, &room.cube);
	int calls = 0;
	struct cube_solve_task task = {.cube = &room.cube, .carry_on = never, .context = &calls};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_uint_lt(solution.nodes, 3000);

	task = (struct cube_solve_task){.cube = &room.cube, .nodes_max = 20000};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_uint_ge(solution.nodes, 20000);
	ck_assert_uint_lt(solution.nodes, 22000);

	atomic_bool stop = true;
	task = (struct cube_solve_task){.cube = &room.cube, .stop = &stop};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_uint_lt(solution.nodes, 3000);
}
END_TEST

/* More is tried until it is short enough, or nobody waits any longer. */
START_TEST(shorter_where_wanted)
{
	struct gen gen = {.state = 56};
	union cube4 room;
	random_cube(&gen, &room.cube);
	struct cube_solve_task task = {.cube = &room.cube};
	solve(&task);
	int first = solution.length;
	task.length_enough = first - 1;
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
	ck_assert_int_lt(solution.length, first);

	task = (struct cube_solve_task){.cube = &room.cube, .length_max = 20, .nodes_max = 100000};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_int_eq(solution.length, -1);
}
END_TEST

int main(void)
{
	solver = cube_solver_find("reduction", 9, 4);
	tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	base = aligned_alloc(CUBE_SOLVE_ALIGN, solver->base->tables[0].bytes);
	work = malloc(solver->work_bytes(4));
	cube_solver_make(&solver->tables[0], tables);
	cube_solver_make(&solver->base->tables[0], base);
	Suite *suite = suite_create("four");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, random_states);
	tcase_add_test(all, solved_however_held);
	tcase_add_test(all, near_states_have_shortest_solutions);
	tcase_add_test(all, parities);
	tcase_add_test(all, inner_layers_only);
	tcase_add_test(all, searches_end_when_told);
	tcase_add_test(all, shorter_where_wanted);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 7);
	free(tables);
	free(base);
	free(work);
	return status;
}
