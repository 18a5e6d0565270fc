/* tests/core/test_depth.c: how far states are from solved: against all ways to meet in the middle, without the
 * library's table. */
#include "cube/depth.h"

#include "cube/batch.h"
#include "cube/index.h"
#include "cube/solve.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"
#include "tests/core/sanitized.h"

#include <string.h>

/* The states up to four turns away, ascending by index. */
#define HALF 4
#define NEAR_STATES 46741
struct near {
	uint64_t high, low;
	int distance;
	struct cube_state3 state;
};
static struct near near[NEAR_STATES];
static size_t near_count;
static struct cube_depths *depths;
static const void *bound_tables;

static struct near near_of(const struct cube_state3 *state, int distance)
{
	struct cube_cubies cubies;
	cube_state3_to_cubies(state, &cubies);
	const struct cube_index index = cube_index_of_cubies(&cubies, 3);
	return (struct near){index.high, index.low, distance, *state};
}

static int compare(const void *one, const void *other)
{
	const struct near *a = one, *b = other;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}

static const struct near *find(const struct cube_state3 *state)
{
	const struct near wanted = near_of(state, 0);
	return bsearch(&wanted, near, near_count, sizeof(near[0]), compare);
}

/* Breadth first; the states of a round are sorted, and of those that are there twice one is kept. */
static void make_near(void)
{
	static const size_t counts[HALF + 1] = {1, 18, 243, 3240, 43239};
	near[near_count++] = near_of(&cube_state3_solved, 0);
	for (int distance = 1; distance <= HALF; distance++) {
		const size_t before = near_count;
		struct near *next = malloc(before * CUBE_ACTIONS * sizeof(*next));
		size_t count = 0, kept = 0;
		for (size_t i = 0; i < before; i++) {
			for (int action = 0; action < CUBE_ACTIONS; action++) {
				struct cube_state3 state;
				if (near[i].distance < distance - 1)
					continue;
				cube_state3_compose(&state, &near[i].state, &cube_actions[action]);
				if (!find(&state))
					next[count++] = near_of(&state, distance);
			}
		}
		qsort(next, count, sizeof(*next), compare);
		for (size_t i = 0; i < count; i++)
			if (i == 0 || compare(&next[i], &next[i - 1]) != 0)
				next[kept++] = next[i];
		ck_assert_uint_eq(kept, counts[distance]);
		memcpy(near + before, next, kept * sizeof(*next));
		near_count += kept;
		qsort(near, near_count, sizeof(near[0]), compare);
		free(next);
	}
}

/* Returns the distance up to eight, else -1: tries all states near solved from both ends. */
static int model_distance(const struct cube_state3 *state)
{
	int best = -1;
	for (size_t i = 0; i < near_count; i++) {
		struct cube_state3 both;
		cube_state3_compose(&both, state, &near[i].state);
		const struct near *met = find(&both);
		if (met && (best < 0 || met->distance + near[i].distance < best))
			best = met->distance + near[i].distance;
	}
	return best;
}

/* Makes the smallest tables of the 3x3x3. */
static const void *bounds_make(void)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 3);
	void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(solver->tables[0].bytes));
	cube_solver_make(&solver->tables[0], tables);
	return tables;
}

static void setup(void)
{
	depths = malloc(cube_depths_bytes());
	cube_depths_make(depths);
	bound_tables = bounds_make();
	make_near();
}

START_TEST(near_states_have_their_distance)
{
	for (size_t i = 0; i < near_count; i++) {
		const int distance = near[i].distance;
		for (int most = 0; most <= HALF + 2; most++)
			ck_assert_int_eq(cube_depth_of(depths, &near[i].state, most),
					 distance <= most ? distance : -1);
	}
}
END_TEST

START_TEST(distances_are_those_of_all_ways)
{
	const size_t count = gen_states(60);
	int found[10] = {0};
	for (size_t i = 0; i < count; i++) {
		struct cube_state3 state;
		uint8_t length;
		cube_batch_walk(5, i, 1, 4, 9, &state, &length, NULL);
		int distance = model_distance(&state);
		distance = distance < 0 ? length : distance;
		ck_assert_int_le(distance, length);
		for (int most = 4; most <= 9; most++)
			ck_assert_int_eq(cube_depth_of(depths, &state, most),
					 distance <= most ? distance : -1);
		found[distance]++;
	}
	if (count >= 60)
		for (int distance = 4; distance <= 9; distance++)
			ck_assert_int_gt(found[distance], 0);
}
END_TEST

/* Farther states are found by their walk: at most as far, and no nearer than a neighbour less one. */
START_TEST(ten_turns_are_the_most)
{
	struct cube_state3 state;
	cube_batch_walk(5, 0, 1, 10, 10, &state, NULL, NULL);
	const int distance = cube_depth_of(depths, &state, CUBE_DEPTH_MOST);
	ck_assert(distance > 0);
	ck_assert_int_eq(cube_depth_of(depths, &state, distance - 1), -1);
	cube_batch_random(5, 0, 1, &state);
	ck_assert_int_eq(cube_depth_of(depths, &state, 8), -1);
}
END_TEST

START_TEST(a_2x2x2_has_its_distance)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 2);
	void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(solver->tables[0].bytes));
	struct cube *cube = new_cube(2);
	cube_solver_make(&solver->tables[0], tables);
	for (size_t i = 0; i < 500; i++) {
		struct cube_state3 state;
		uint8_t colors[CUBE_BATCH_COLORS_2];
		struct cube_turn turns[CUBE_SOLUTION_MAX];
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		struct cube_solve_task task = {.cube = cube};
		if (i % 2)
			cube_batch_random_2(4, i, 1, &state);
		else
			cube_batch_walk_2(4, i, 1, 0, 8, &state, NULL, NULL);
		cube_batch_colors_2(&state, 1, colors);
		ck_assert_uint_eq(cube_from_colors(cube, 2, colors, NULL, 0), 0);
		solver->solve(tables, &task, &solution);
		ck_assert_int_eq(cube_depth_of_2(tables, &state), solution.length);
	}
	free(tables);
	free(cube);
}
END_TEST

/* Checks that the inverse and the images of a state have its bound. */
static void check_bound(const struct cube_state3 *state, int bound)
{
	struct cube_state3 other;
	cube_state3_invert(&other, state);
	ck_assert_int_eq(cube_bound_of(bound_tables, &other), bound);
	for (uint8_t symmetry = 0; symmetry < CUBE_SYMMETRIES; symmetry++) {
		other = *state;
		cube_batch_symmetric(3, &symmetry, 1, &other, 0, NULL);
		ck_assert_int_eq(cube_bound_of(bound_tables, &other), bound);
	}
}

START_TEST(no_bound_is_above_the_distance)
{
	const size_t count = gen_states(1000);
	long distances = 0, bounds = 0;
	for (size_t i = 0; i < near_count; i++) {
		const int bound = cube_bound_of(bound_tables, &near[i].state);
		ck_assert_int_le(bound, near[i].distance);
		ck_assert_int_eq(bound == 0, near[i].distance == 0);
		distances += near[i].distance;
		bounds += bound;
	}
	ck_assert_int_gt(10 * bounds, 8 * distances);
	for (size_t i = 0; i < count; i++) {
		struct cube_state3 state;
		const bool is_walk = i % 2;
		if (is_walk)
			cube_batch_walk(6, i, 1, 5, 8, &state, NULL, NULL);
		else
			cube_batch_random(6, i, 1, &state);
		const int bound = cube_bound_of(bound_tables, &state);
		const int distance = is_walk ? cube_depth_of(depths, &state, 8) : 20;
		ck_assert_int_le(bound, distance);
		ck_assert_int_ge(bound, is_walk ? 1 : 4);
		check_bound(&state, bound);
	}
}
END_TEST

/* Superflip is 20 turns away, and its neighbours are not solved either. */
START_TEST(states_that_tables_call_solved_are_not)
{
	struct cube_state3 state = cube_state3_solved;
	static const uint8_t checkers[] = {1, 4, 7, 10, 13, 16}; /* U2 R2 F2 D2 L2 B2 */
	ck_assert_int_eq(cube_bound_of(bound_tables, &state), 0);
	cube_state3_apply(&state, cube_actions, checkers, sizeof(checkers));
	ck_assert_int_eq(cube_bound_of(bound_tables, &state), 1);
	for (int i = 0; i < CUBE_EDGES; i++)
		state.piece[i] = (uint8_t)(i | 1 << CUBE_STATE3_TURN);
	ck_assert_int_le(cube_bound_of(bound_tables, &state), 20);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("depth");
	TCase *tcase = tcase_create("depth");
	tcase_add_unchecked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, near_states_have_their_distance);
	tcase_add_test(tcase, distances_are_those_of_all_ways);
	tcase_add_test(tcase, ten_turns_are_the_most);
	tcase_add_test(tcase, a_2x2x2_has_its_distance);
	tcase_add_test(tcase, no_bound_is_above_the_distance);
	tcase_add_test(tcase, states_that_tables_call_solved_are_not);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 6);
}
