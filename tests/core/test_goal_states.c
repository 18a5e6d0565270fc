/* tests/core/test_goal_states.c: states as goals: patterns that only they fit, and cubes renamed.
 */
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
static struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};

static bool shows(const struct cube *cube, const struct cube_query_node *query)
{
	uint8_t *colors = new_bytes(cube_facelets(cube->size));
	cube_colors(cube, colors);
	bool fits = cube_query_match(query, colors, CUBE_FITS_ALL) != 0;
	free(colors);
	return fits;
}

static void random_cube(struct gen *gen, struct cube *cube)
{
	for (int i = 0; i < 40; i++)
		cube_turn(cube, gen_turn(gen, cube->size));
}

/* A state that is some turns away, as it is held, on any size. */
START_TEST(states)
{
	struct gen gen = {5};
	for (int size = 2; size <= 5; size++) {
		struct cube *state = new_cube(size), *cube = new_cube(size);
		struct cube_pattern *pattern = new_bytes(cube_pattern_bytes(size, 0));
		struct cube_query_node node = {
			.kind = CUBE_QUERY_COLORS, .held = true, .span = 1, .pattern = pattern};
		uint8_t *items = new_bytes(cube_facelets(size));
		cube_init(state, size);
		random_cube(&gen, state);
		cube_goal_items(state, items);
		cube_pattern_make(pattern, size, items);
		cube_query_prepare(&node);
		ck_assert(shows(state, &node));
		cube_copy(cube, state);
		int moves = size > 3 ? 2 : 4;
		for (int i = 0; i < moves; i++)
			cube_turn(cube, cube_turn_make(size, i % 3, 1, 1, i + 1));
		ck_assert(!shows(cube, &node));
		struct cube_goal_plan plan = {
			.query = &node, .size = size, .hold = cube_hold_of(cube)};
		struct cube_goal *goal = aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
		ck_assert(cube_goal_make(&plan, goal));
		struct cube_solve_task task = {.cube = cube,
					       .length_max = moves,
					       .work = new_bytes(cube_goal_work_bytes(size))};
		cube_goal_solve(goal, &task, &solution);
		free(task.work);
		ck_assert_int_ge(solution.length, 0);
		cube_turn_all(cube, turns, solution.count);
		for (size_t i = 0; i < cube_facelets(size); i++)
			ck_assert_int_eq(cube_color_at(cube, i), cube_color_at(state, i));
		free(goal);
		free(items);
		free(pattern);
		free(cube);
		free(state);
	}
}
END_TEST

/* The turns that solve the relabelled cube lead from the cube to the state. */
START_TEST(relabels)
{
	const struct cube_solver *solver = cube_solver_find("beginner", 8, 3);
	struct gen gen = {6};
	struct cube *state = new_cube(3), *cube = new_cube(3), *scratch = new_cube(3);
	struct cube *relabelled = new_cube(3);
	struct cube_turn all[400];
	for (int i = 0; i < 50; i++) {
		struct cube_solution lesson = {.turns = all, .room = 400};
		cube_init(state, 3);
		cube_init(cube, 3);
		random_cube(&gen, state);
		random_cube(&gen, cube);
		cube_goal_relabel(relabelled, cube, state, scratch);
		struct cube_solve_task task = {.cube = relabelled};
		solver->solve(NULL, &task, &lesson);
		cube_turn_all(cube, all, lesson.count);
		cube_hold_home(scratch, cube);
		cube_hold_home(relabelled, state);
		for (size_t k = 0; k < 54; k++)
			ck_assert_int_eq(cube_color_at(scratch, k), cube_color_at(relabelled, k));
	}
	free(relabelled);
	free(scratch);
	free(cube);
	free(state);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("goal_states");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, states);
	tcase_add_test(tcase, relabels);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 2);
}
