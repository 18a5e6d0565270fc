/* tests/core/test_optimal2.c: the table of the 2x2x2 against the published counts, its solutions
 * by turning; and how tables are made and checked. */
#include "core/solve/optimal/optimal2.h"
#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/hold.h"
#include "cube/index.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static const struct cube_solver *solver;
static void *tables;

static struct cube_turn turns[CUBE_SOLUTION_MAX];
static struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};

static enum cube_solve_end solve(const struct cube *cube, enum cube_solve_metric metric)
{
	struct cube_solve_task task = {.cube = cube, .metric = metric};
	return solver->solve(tables, &task, &solution);
}

/* The numbers of states at each distance in half turns and in quarter turns: the sums are
 * 3674160. */
static const uint32_t published[CUBE_SOLVE_OUTER_METRICS][15] = {
	{1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644},
	{1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280,
	 276}};

START_TEST(counts_are_the_published_ones)
{
	for (enum cube_solve_metric metric = 0; metric < CUBE_SOLVE_OUTER_METRICS; metric++) {
		uint32_t count[16] = {0};
		for (uint32_t index = 0; index < 3674160; index++) {
			count[optimal2_distance(tables, index, metric) & 15]++;
		}
		ck_assert_mem_eq(count, published[metric], sizeof(published[metric]));
	}
}
END_TEST

/* A cube with that index, held as `hold`. */
static void make_cube(struct cube *cube, uint32_t index, int hold)
{
	struct cube_cubies cubies;
	uint8_t colors[24];
	struct cube *home = new_cube(2);
	ck_assert(cube_index_cubies((struct cube_index){.low = index}, 2, &cubies));
	cube_cubies_paint(&cubies, 2, colors);
	ck_assert_uint_eq(cube_from_colors(home, 2, colors, NULL, 0), 0);
	cube_hold_turn(cube, home, hold);
	free(home);
}

static void check_solution(const struct cube *cube, enum cube_solve_metric metric)
{
	struct cube *turned = new_cube(2);
	struct cube_metrics metrics;
	cube_copy(turned, cube);
	cube_turn_all(turned, turns, solution.count);
	ck_assert(cube_is_solved(turned));
	cube_turns_metrics(2, turns, solution.count, &metrics);
	ck_assert_uint_eq((uint64_t)solution.length,
			  metric == CUBE_SOLVE_HTM ? metrics.htm : metrics.qtm);
	for (size_t i = 0; i < solution.count; i++)
		ck_assert(turns[i].face <= CUBE_F && turns[i].from == 1 && turns[i].to == 1);
	free(turned);
}

/* States of every kind, however they are held: as short as the table says, by U R F alone. */
START_TEST(solutions_are_shortest)
{
	struct gen gen = {.state = 30};
	struct cube *cube = new_cube(2);
	for (uint32_t round = 0; round < gen_states(5000); round++) {
		uint32_t index = gen_below(&gen, 3674160);
		make_cube(cube, index, (int)(round % CUBE_HOLDS));
		for (enum cube_solve_metric m = 0; m < CUBE_SOLVE_OUTER_METRICS; m++) {
			ck_assert_int_eq(solve(cube, m), CUBE_SOLVE_ALL);
			check_solution(cube, m);
			ck_assert_int_eq(solution.length, optimal2_distance(tables, index, m));
			ck_assert_int_eq(solution.bound, solution.length);
		}
	}
	free(cube);
}
END_TEST

/* The table itself: next to a state at distance d > 0 is one nearer by the move's length, and
 * none nearer than that. The moves are those of a real cube. */
START_TEST(distances_are_those_of_turns)
{
	struct gen gen = {.state = 31};
	struct cube *cube = new_cube(2), *next = new_cube(2);
	for (uint32_t round = 0; round < gen_states(2000); round++) {
		uint32_t index = gen_below(&gen, 3674160);
		make_cube(cube, index, 0);
		for (enum cube_solve_metric m = 0; m < CUBE_SOLVE_OUTER_METRICS; m++) {
			int distance = optimal2_distance(tables, index, m), nearest = 99;
			for (int turn = 0; turn < 18; turn++) {
				int quarters = turn % 3 + 1;
				int length = m == CUBE_SOLVE_QTM && quarters == 2 ? 2 : 1;
				cube_copy(next, cube);
				cube_turn(next, cube_turn_make(2, turn / 3, 1, 1, quarters));
				uint32_t at = (uint32_t)cube_index_of(next).low;
				int d = optimal2_distance(tables, at, m) + length;
				nearest = d < nearest ? d : nearest;
			}
			ck_assert_int_eq(nearest, distance == 0 ? 2 : distance);
		}
	}
	free(cube);
	free(next);
}
END_TEST

START_TEST(solved_however_held)
{
	struct cube *cube = new_cube(2), *held = new_cube(2);
	cube_init(cube, 2);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_hold_turn(held, cube, hold);
		ck_assert_int_eq(solve(held, CUBE_SOLVE_HTM), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, 0);
		ck_assert_uint_eq(solution.count, 0);
	}
	free(cube);
	free(held);
}
END_TEST

START_TEST(bounds_are_kept)
{
	struct cube *cube = new_cube(2);
	cube_init(cube, 2);
	for (int i = 0; i < 5; i++) /* R U R U R: nothing shorter */
		cube_turn(cube, cube_turn_make(2, i % 2 ? CUBE_U : CUBE_R, 1, 1, 1));
	struct cube_solve_task task = {.cube = cube, .length_max = 4};
	ck_assert_int_eq(solver->solve(tables, &task, &solution), CUBE_SOLVE_ALL);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_int_eq(solution.bound, 5);
	ck_assert_uint_eq(solution.count, 0);
	task.length_max = 5;
	task.length_enough = 5;
	ck_assert_int_eq(solver->solve(tables, &task, &solution), CUBE_SOLVE_ENOUGH);
	ck_assert_int_eq(solution.length, 5);
	free(cube);
}
END_TEST

START_TEST(damage_is_found)
{
	uint8_t *bytes = tables;
	const struct cube_solver_tables *row = &solver->tables[0];
	struct gen gen = {.state = 32};
	ck_assert(cube_solver_tables_good(row, tables));
	for (int i = 0; i < 64; i++) {
		/* Every byte of the head that says something, then any. */
		size_t at = i < 24 ? (size_t)i : gen_below(&gen, (uint32_t)row->bytes);
		if (at >= 24 && at < 64)
			continue;
		uint8_t bit = (uint8_t)(1 << gen_below(&gen, 8));
		bytes[at] ^= bit;
		ck_assert_msg(!cube_solver_tables_good(row, tables), "byte %zu", at);
		bytes[at] ^= bit;
	}
	ck_assert(cube_solver_tables_good(row, tables));
}
END_TEST

START_TEST(methods_are_found)
{
	for (size_t i = 0; cube_solver_at(i); i++) {
		const struct cube_solver *at = cube_solver_at(i);
		ck_assert_ptr_eq(cube_solver_find(at->name, strlen(at->name), at->size_min), at);
		ck_assert_ptr_null(cube_solver_find(at->name, strlen(at->name) - 1, at->size_min));
		ck_assert(at->size_min >= 2 && at->size_min <= at->size_max);
		for (size_t k = 0; k < at->table_count; k++) {
			ck_assert_uint_eq(at->tables[k].bytes % CUBE_SOLVE_ALIGN, 0);
			ck_assert(k == 0 || at->tables[k].bytes > at->tables[k - 1].bytes);
			for (size_t j = 0; j < k; j++)
				ck_assert(at->tables[j].magic != at->tables[k].magic);
		}
	}
	ck_assert_ptr_null(cube_solver_find("", 0, 3));
	ck_assert_ptr_eq(cube_solver_default(2), solver);
	ck_assert_ptr_null(cube_solver_default(1));
}
END_TEST

int main(void)
{
	solver = cube_solver_find("optimal", 7, 2);
	tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], tables);
	Suite *suite = suite_create("optimal2");
	TCase *all = tcase_create("all");
	tcase_add_test(all, counts_are_the_published_ones);
	tcase_add_test(all, solutions_are_shortest);
	tcase_add_test(all, distances_are_those_of_turns);
	tcase_add_test(all, solved_however_held);
	tcase_add_test(all, bounds_are_kept);
	tcase_add_test(all, damage_is_found);
	tcase_add_test(all, methods_are_found);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 7);
	free(tables);
	return status;
}
