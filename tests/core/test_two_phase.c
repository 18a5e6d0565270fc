/* tests/core/test_two_phase.c: the two-phase method: every answer turned, near states shortest,
 * known hard positions, and every way to end a search. */
#include "cube/facelets.h"
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <pthread.h>

static const struct cube_solver *solver;
static void *tables;

static struct cube_turn turns[CUBE_SOLUTION_MAX];
static struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};

static enum cube_solve_end solve(const struct cube_solve_task *task)
{
	enum cube_solve_end end = solver->solve(tables, task, &solution);
	struct cube *turned = new_cube(3);
	ck_assert_int_eq(solution.length, solution.length < 0 ? -1 : (int)solution.count);
	if (solution.length >= 0) {
		cube_copy(turned, task->cube);
		cube_turn_all(turned, turns, solution.count);
		ck_assert(cube_is_solved(turned));
		ck_assert_int_le(solution.bound, solution.length);
		for (size_t i = 1; i < solution.count; i++)
			ck_assert(turns[i].face != turns[i - 1].face && turns[i].quarters != 0);
	}
	free(turned);
	return end;
}

static void solve_within(const struct cube *cube, int length)
{
	struct cube_solve_task task = {.cube = cube, .length_enough = length};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
	ck_assert_int_ge(solution.length, 0);
	ck_assert_int_le(solution.length, length);
}

static struct cube *cube_after(const char *moves)
{
	struct checked_cube both = checked_create(3);
	struct cube *cube = new_cube(3);
	ck_assert(checked_moves(&both, moves));
	cube_copy(cube, both.cube);
	checked_destroy(&both);
	return cube;
}

static void random_cube(struct gen *gen, struct cube *cube)
{
	cube_init(cube, 3);
	for (int i = 0; i < 60; i++)
		cube_turn(cube, gen_turn(gen, 3));
}

/* A thousand states that others drew, each within 21 moves. */
START_TEST(random_states)
{
	FILE *file = fopen("tests/data/random_states_1000.txt", "r");
	char line[64];
	struct cube *cube = new_cube(3), *held = new_cube(3);
	int count = 0;
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		uint8_t colors[54];
		int size;
		struct cube_error error;
		ck_assert_int_eq(cube_colors_parse(line, 54, colors, &size, &error), CUBE_OK);
		ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
		cube_hold_turn(held, cube, count % CUBE_HOLDS);
		solve_within(held, 21);
		count++;
	}
	ck_assert_int_eq(count, 1000);
	fclose(file);
	free(cube);
	free(held);
}
END_TEST

START_TEST(solved_however_held)
{
	struct cube *cube = new_cube(3), *held = new_cube(3);
	cube_init(cube, 3);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_hold_turn(held, cube, hold);
		solve_within(held, 0);
		ck_assert_uint_eq(solution.count, 0);
	}
	free(cube);
	free(held);
}
END_TEST

/* Computes distances of up to four moves, by all pairs of states up to two moves away, turned by
 * the library's turns. */
#define NEAR_STATES 262 /* 1 + 18 + 243 */

static struct cube_state3 near_state[NEAR_STATES];
static int near_length[NEAR_STATES];

static void find_near(void)
{
	struct cube *cube = new_cube(3);
	struct cube_cubies cubies;
	int count = 0;
	for (int pair = 0; pair < 19 * 19; pair++) {
		struct cube_state3 state;
		int length = 0;
		cube_init(cube, 3);
		for (int move = pair; move > 0; move /= 19) {
			if (move % 19 == 0)
				continue;
			cube_turn(cube, cube_turn_make(3, (move % 19 - 1) / 3, 1, 1,
						       (move % 19 - 1) % 3 + 1));
			length++;
		}
		cube_cubies_of(&cubies, cube);
		cube_state3_from_cubies(&state, &cubies);
		int at = 0;
		while (at < count && !cube_state3_equal(&near_state[at], &state))
			at++;
		if (at == count) {
			ck_assert_int_lt(count, NEAR_STATES);
			near_state[count] = state;
			near_length[count++] = length;
		}
		near_length[at] = length < near_length[at] ? length : near_length[at];
	}
	ck_assert_int_eq(count, NEAR_STATES);
	free(cube);
}

static int length_of_near(const struct cube *cube)
{
	struct cube_cubies cubies;
	struct cube_state3 state, one, two;
	int least = 5;
	cube_cubies_of(&cubies, cube);
	cube_state3_from_cubies(&state, &cubies);
	for (int i = 0; i < NEAR_STATES; i++) {
		cube_state3_compose(&one, &state, &near_state[i]);
		for (int k = 0; k < NEAR_STATES; k++) {
			cube_state3_invert(&two, &near_state[k]);
			if (near_length[i] + near_length[k] < least &&
			    cube_state3_equal(&one, &two))
				least = near_length[i] + near_length[k];
		}
	}
	return least;
}

START_TEST(near_states_have_shortest_solutions)
{
	struct gen gen = {.state = 40};
	struct cube *cube = new_cube(3), *held = new_cube(3);
	find_near();
	for (int round = 0; round < 300; round++) {
		cube_init(cube, 3);
		for (int i = 0; i < 1 + round % 5; i++)
			cube_turn(cube, cube_turn_make(3, (int)gen_below(&gen, 6), 1, 1,
						       1 + gen_below(&gen, 3)));
		int length = length_of_near(cube);
		cube_hold_turn(held, cube, round % CUBE_HOLDS);
		struct cube_solve_task task = {.cube = held, .length_enough = 20};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_ge(solution.length, length);
		if (length <= 4) {
			ck_assert_int_eq(solution.length, length);
			ck_assert_int_eq(solution.bound, length);
			task.length_max = length - 1;
			if (length > 1) {
				ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
				ck_assert_int_eq(solution.length, -1);
			}
		}
	}
	free(cube);
	free(held);
}
END_TEST

/* Patterns that are the same from many sides leave a search fewer directions. */
START_TEST(known_positions)
{
	static const struct {
		const char *moves;
		int within;
	} positions[] = {
		/* Superflip: 20, M. Reid 1995. */
		{"R L U2 F U' D F2 R2 B2 L U2 F' B' U R2 D F2 U R2 U", 21},
		/* Four spots, six spots. */
		{"F2 B2 U D' R2 L2 U D'", 20},
		{"U D' R L' F B' U D'", 20},
		/* Checkerboards. */
		{"R2 L2 U2 D2 F2 B2", 20},
		{"M2 E2 S2", 20},
		{"F B2 R' D2 B R U D' R L' D' F' R2 D F2 B'", 20},
		{"R2 L2 U2 D2 F2 B2 R L' U D' F B' R L'", 21},
		{"U' R2 L2 F2 B2 U' R L F B' U F2 D2 R2 L2 F2 U2 F2 U' F2", 21},
		/* A cube in a cube, and one in that. */
		{"F L F U' R U F2 L2 U' L' B D' B' L2 U", 20},
		{"U' L' U' F' R2 B' R F U B2 U B' L U' F U R F'", 20},
		/* Held otherwise. */
		{"x y R U R' U' z M", 20},
	};
	for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
		struct cube *cube = cube_after(positions[i].moves);
		solve_within(cube, positions[i].within);
		free(cube);
	}
}
END_TEST

/* It is the same from all sides, so that one direction is all there is to search; 20 is the least
 * that any solution has. */
START_TEST(superflip_takes_20)
{
	if (!gen_long())
		return;
	struct cube *cube = cube_after("R L U2 F U' D F2 R2 B2 L U2 F' B' U R2 D F2 U R2 U");
	struct cube_solve_task task = {.cube = cube, .length_enough = 20, .nodes_max = 40000000};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
	ck_assert_int_eq(solution.length, 20);
	free(cube);
}
END_TEST

static bool never(void *context, const struct cube_solve_progress *progress)
{
	int *calls = context;
	++*calls;
	ck_assert_int_eq(progress->best, -1);
	ck_assert_uint_gt(progress->nodes, 0);
	return false;
}

START_TEST(searches_end_when_told)
{
	struct gen gen = {.state = 41};
	struct cube *cube = new_cube(3);
	random_cube(&gen, cube);
	int calls = 0;
	struct cube_solve_task task = {.cube = cube, .carry_on = never, .context = &calls};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_uint_lt(solution.nodes, 2000);

	task = (struct cube_solve_task){.cube = cube, .nodes_max = 20000};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_uint_ge(solution.nodes, 20000);
	ck_assert_uint_lt(solution.nodes, 21000);

	atomic_bool stop = true;
	task = (struct cube_solve_task){.cube = cube, .stop = &stop};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_uint_lt(solution.nodes, 2000);
	free(cube);
}
END_TEST

/* More nodes make shorter solutions, never longer ones; and the requested limits are kept. */
START_TEST(time_makes_solutions_shorter)
{
	struct gen gen = {.state = 42};
	struct cube *cube = new_cube(3);
	int sum[3] = {0};
	for (int round = 0; round < 10; round++) {
		random_cube(&gen, cube);
		int before = 99;
		for (int i = 0; i < 3; i++) {
			struct cube_solve_task task = {
				.cube = cube, .nodes_max = (uint64_t[]){2000, 20000, 100000}[i]};
			solve(&task);
			if (solution.length >= 0) {
				ck_assert_int_le(solution.length, before);
				before = solution.length;
			}
			sum[i] += before;
		}
	}
	ck_assert_int_lt(sum[2], sum[1]);
	ck_assert_int_lt(sum[2], 10 * 20);
	free(cube);
}
END_TEST

/* The parts of a search find what the whole finds, and stop one another. */
START_TEST(searches_are_shared)
{
	struct gen gen = {.state = 43};
	struct cube *cube = new_cube(3);
	for (int round = 0; round < 20; round++) {
		random_cube(&gen, cube);
		struct cube_solve_shared shared = {0};
		int best = 99;
		for (unsigned unit = 0; unit < 3; unit++) {
			struct cube_solve_task task = {.cube = cube,
						       .nodes_max = 10000,
						       .shared = &shared,
						       .unit = unit,
						       .step = 3};
			solve(&task);
			/* Only solutions shorter than all before are reported. */
			if (solution.length >= 0) {
				ck_assert_int_lt(solution.length, best);
				best = solution.length;
			}
			ck_assert_int_eq(atomic_load(&shared.best), best == 99 ? 0 : best + 1);
		}
		ck_assert_int_le(best, 23);
	}
	free(cube);
}
END_TEST

/* Two threads, each with half of the directions, on one task. */
struct half {
	struct cube_solve_task task;
	struct cube_solution solution;
	struct cube_turn turns[CUBE_SOLUTION_MAX];
	enum cube_solve_end end;
};

static void *solve_half(void *argument)
{
	struct half *half = argument;
	half->solution.turns = half->turns;
	half->solution.room = CUBE_SOLUTION_MAX;
	half->end = solver->solve(tables, &half->task, &half->solution);
	return NULL;
}

START_TEST(threads_share_a_search)
{
	struct gen gen = {.state = 44};
	struct cube *cube = new_cube(3);
	for (int round = 0; round < 10; round++) {
		random_cube(&gen, cube);
		struct cube_solve_shared shared = {0};
		struct half halves[2] = {0};
		pthread_t threads[2];
		for (unsigned unit = 0; unit < 2; unit++) {
			halves[unit].task = (struct cube_solve_task){.cube = cube,
								     .nodes_max = 20000,
								     .shared = &shared,
								     .unit = unit,
								     .step = 2};
			ck_assert_int_eq(
				pthread_create(&threads[unit], NULL, solve_half, &halves[unit]), 0);
		}
		for (int unit = 0; unit < 2; unit++)
			pthread_join(threads[unit], NULL);
		int a = halves[0].solution.length, b = halves[1].solution.length;
		const struct half *best = &halves[a < 0 || (b >= 0 && b < a)];
		ck_assert_int_eq(best->solution.length, atomic_load(&shared.best) - 1);
		ck_assert_int_le(best->solution.length, 21);
		cube_turn_all(cube, best->turns, best->solution.count);
		ck_assert(cube_is_solved(cube));
	}
	free(cube);
}
END_TEST

/* Searches that share a task end when one of them has a solution that is enough: none goes on to
 * look for a shorter one. This is counted in nodes, as a search that goes on does so up to
 * nodes_max. */
#define SHARERS 4
#define SHARED_NODES_MAX 3000000
START_TEST(one_solution_is_enough_for_all_threads)
{
	struct gen gen = {.state = 45};
	struct cube *cube = new_cube(3);
	for (int round = 0; round < 300; round++) {
		random_cube(&gen, cube);
		struct cube_solve_shared shared = {0};
		struct half parts[SHARERS] = {0};
		pthread_t threads[SHARERS];
		int best = 99;
		for (unsigned unit = 0; unit < SHARERS; unit++) {
			parts[unit].task = (struct cube_solve_task){.cube = cube,
								    .length_max = 21,
								    .length_enough = 21,
								    .nodes_max = SHARED_NODES_MAX,
								    .shared = &shared,
								    .unit = unit,
								    .step = SHARERS};
			ck_assert_int_eq(
				pthread_create(&threads[unit], NULL, solve_half, &parts[unit]), 0);
		}
		for (int unit = 0; unit < SHARERS; unit++) {
			pthread_join(threads[unit], NULL);
			ck_assert_int_eq(parts[unit].end, CUBE_SOLVE_ENOUGH);
			ck_assert_uint_lt(parts[unit].solution.nodes, SHARED_NODES_MAX);
			int length = parts[unit].solution.length;
			best = length >= 0 && length < best ? length : best;
		}
		ck_assert_int_le(best, 21);
	}
	free(cube);
}
END_TEST

/* Nodes visited when a solution was first seen to be enough. */
struct watch {
	int enough;
	uint64_t found_at; /* 0: not yet */
};

static bool watch_best(void *context, const struct cube_solve_progress *progress)
{
	struct watch *watch = context;
	if (watch->found_at == 0 && progress->best >= 0 && progress->best <= watch->enough)
		watch->found_at = progress->nodes;
	return true;
}

/* A search that is alone ends with its solution, too: it does not look through what is left of that
 * length. Short ones take longest; a few hundred thousand nodes were visited in vain. */
START_TEST(what_is_enough_ends_a_search_at_once)
{
	struct gen gen = {.state = 47};
	struct cube *cube = new_cube(3);
	const int rounds = gen_long() ? 360 : (int)gen_rounds(360);
	int found = 0;
	for (int round = 0; round < rounds; round++) {
		const int enough = round < rounds / 6 ? 19 : 20 + round % 3;
		struct watch watch = {.enough = enough};
		struct cube_solve_task task = {.cube = cube,
					       .length_max = enough,
					       .length_enough = enough,
					       .nodes_max = enough == 19 ? 200000 : 0,
					       .carry_on = watch_best,
					       .context = &watch};
		random_cube(&gen, cube);
		enum cube_solve_end end = solve(&task);
		ck_assert_int_eq(end, solution.length < 0 ? CUBE_SOLVE_STOPPED : CUBE_SOLVE_ENOUGH);
		/* It asks whether to go on every 128 nodes, so it was not asked again. */
		ck_assert_uint_eq(watch.found_at, 0);
		found += solution.length >= 0;
	}
	ck_assert_int_ge(12 * found, 11 * rounds);
	free(cube);
}
END_TEST

/* The same without threads: what another one has found is enough. */
START_TEST(what_others_found_is_enough)
{
	struct gen gen = {.state = 46};
	struct cube *cube = new_cube(3);
	for (int round = 0; round < 20; round++) {
		random_cube(&gen, cube);
		struct cube_solve_shared shared = {.best = 20 + 1};
		struct cube_solve_task task = {.cube = cube,
					       .length_enough = round % 2 ? 20 : 22,
					       .nodes_max = 200000,
					       .shared = &shared,
					       .unit = 1,
					       .step = 3};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, -1);
		ck_assert_uint_lt(solution.nodes, 1000);
		/* Not where something shorter is wanted. */
		task.length_enough = 19;
		ck_assert(solve(&task) != CUBE_SOLVE_ENOUGH || solution.length >= 0);
	}
	free(cube);
}
END_TEST

int main(void)
{
	solver = cube_solver_find("two_phase", 9, 3);
	tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], tables);
	Suite *suite = suite_create("two_phase");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, random_states);
	tcase_add_test(all, solved_however_held);
	tcase_add_test(all, near_states_have_shortest_solutions);
	tcase_add_test(all, known_positions);
	tcase_add_test(all, searches_end_when_told);
	tcase_add_test(all, time_makes_solutions_shorter);
	tcase_add_test(all, searches_are_shared);
	tcase_add_test(all, superflip_takes_20);
	tcase_add_test(all, what_is_enough_ends_a_search_at_once);
	tcase_add_test(all, what_others_found_is_enough);
	suite_add_tcase(suite, all);
	TCase *threads = tcase_create("threads");
	tcase_set_timeout(threads, 120);
	tcase_add_test(threads, threads_share_a_search);
	tcase_add_test(threads, one_solution_is_enough_for_all_threads);
	suite_add_tcase(suite, threads);
	int status = run_suite(suite, 12);
	free(tables);
	return status;
}
