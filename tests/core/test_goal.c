/* tests/core/test_goal.c: goals: shortest by all turns tried, tables against published numbers,
 * turns of every kind, and every way to end. */
#include "core/solve/goal/goal_internal.h"
#include "cube/facelets.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
static struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};

static struct cube_goal *made(const struct cube_goal_plan *plan)
{
	size_t bytes = cube_goal_bytes(plan);
	struct cube_goal *goal = aligned_alloc(CUBE_SOLVE_ALIGN, bytes);
	ck_assert_ptr_nonnull(goal);
	ck_assert(cube_goal_make(plan, goal));
	ck_assert_uint_eq(goal->bytes, bytes);
	return goal;
}

static bool shows(const struct cube *cube, const struct cube_query_node *query)
{
	uint8_t *colors = new_bytes(cube_facelets(cube->size));
	cube_colors(cube, colors);
	bool fits = cube_query_match(query, colors, CUBE_FITS_ALL) != 0;
	free(colors);
	return fits;
}

/* Turns the answer, which is then where it should be. */
static enum cube_solve_end solve(const struct cube_goal *goal, struct cube_solve_task task)
{
	int size = task.cube->size;
	struct cube *turned = new_cube(size);
	task.metric = goal->metric;
	task.work = new_bytes(cube_goal_work_bytes(size));
	enum cube_solve_end end = cube_goal_solve(goal, &task, &solution);
	if (solution.length >= 0) {
		int length = 0;
		cube_copy(turned, task.cube);
		cube_turn_all(turned, turns, solution.count);
		ck_assert(shows(turned, goal->query));
		for (size_t i = 0; i < solution.count; i++)
			length +=
				task.metric == CUBE_SOLVE_QTM && turns[i].quarters % 2 == 0 ? 2 : 1;
		ck_assert_int_eq(length, solution.length);
		ck_assert_int_eq(solution.bound, solution.length);
	}
	free(task.work);
	free(turned);
	return end;
}

/* ---- by trying all turns ---- */

/* A turn and all its amounts, or a half turn. */
static bool tried(struct cube *cube, const struct cube_query_node *query,
		  const struct cube_turn *generators, size_t count, int left)
{
	if (left == 0)
		return shows(cube, query);
	for (size_t i = 0; i < count; i++)
		for (int quarters = 1; quarters <= 3; quarters++) {
			struct cube_turn turn = generators[i];
			if (turn.quarters % 2 == 0 && quarters != 2)
				continue;
			turn.quarters = cube_quarters(quarters);
			cube_turn(cube, turn);
			bool found = tried(cube, query, generators, count, left - 1);
			cube_turn(cube, cube_turn_inverse(turn));
			if (found)
				return true;
		}
	return false;
}

static void check_shortest(const struct cube_goal *goal, const struct cube *cube,
			   const struct cube_turn *generators, size_t count, int longest)
{
	struct cube *copy = new_cube(cube->size);
	int length = 0;
	cube_copy(copy, cube);
	while (length <= longest && !tried(copy, goal->query, generators, count, length))
		length++;
	enum cube_solve_end end =
		solve(goal, (struct cube_solve_task){.cube = cube, .length_max = longest});
	if (length <= longest) {
		ck_assert_int_eq(end, CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, length);
	} else {
		ck_assert_int_eq(end, CUBE_SOLVE_ALL);
		ck_assert_int_eq(solution.length, -1);
		ck_assert_int_gt(solution.bound, longest);
	}
	free(copy);
}

struct named_goal {
	void *memory;
	struct cube_goal_plan plan;
	struct cube_goal *goal;
};

static struct named_goal metric_goal(const char *name, int size, int hold,
				     const struct cube_turn *generators, size_t count,
				     enum cube_solve_metric metric)
{
	const struct cube_named *named = cube_named_find(name, strlen(name));
	ck_assert_ptr_nonnull(named);
	struct named_goal result = {.memory = new_bytes(cube_named_bytes(named, size))};
	result.plan = (struct cube_goal_plan){.query = cube_named_make(named, size, result.memory),
					      .generators = generators,
					      .generator_count = count,
					      .metric = metric,
					      .size = size,
					      .hold = hold};
	result.goal = made(&result.plan);
	return result;
}

/* Each turn is one. */
static struct named_goal named_goal(const char *name, int size, int hold,
				    const struct cube_turn *generators, size_t count)
{
	return metric_goal(name, size, hold, generators, count,
			   count > 0 ? CUBE_SOLVE_ETM : CUBE_SOLVE_HTM);
}

static void named_free(struct named_goal *goal)
{
	free(goal->goal);
	free(goal->memory);
}

#define FACES "U R F D L B"

struct row {
	const char *name;
	int size;
	const char *generators;
	int moves; /* the greatest distance of the cube */
};

static const struct row rows[] = {
	{"cross", 3, FACES, 3},
	{"f2l-2", 3, FACES, 3},
	{"eo-line", 3, FACES, 3},
	{"domino", 3, FACES, 3},
	{"corners-oriented", 3, FACES, 2},
	{"first-block", 3, FACES, 3},
	{"home", 3, FACES, 3},
	{"superflip", 3, FACES, 3},
	{"oll-27", 3, FACES, 2},
	{"solved", 3, "R U", 5},
	{"solved", 3, "R U2 L2", 5},
	{"cross", 3, "M U", 5},
	{"home", 3, "Rw U", 5},
	{"home", 3, "x y R", 4},
	{"six-spots", 3, "M E S", 4},
	{"f2l", 3, "R U F", 4},
	{"solved", 2, "R U", 6},
	{"first-layer", 2, FACES, 3},
	{"opposite-faces", 2, "R2 U2 F", 4},
	{"face", 2, "x R U", 4},
	{"home", 2, FACES, 3},
	{"cross", 4, "R U F D L B Rw Uw Fw Dw Lw Bw", 2},
	{"centers", 4, "Rw Uw", 4},
	{"solved", 5, "3Rw Uw", 3},
};

/* From where the pattern is, some turns away; held in some way. */
START_TEST(shortest)
{
	const struct row *row = &rows[_i];
	struct cube_turn generators[16];
	struct gen gen = {(uint64_t)_i + 77};
	size_t count = parsed_turns(row->generators, row->size, generators);
	bool all = strcmp(row->generators, FACES) == 0;
	const struct cube_named *named = cube_named_find(row->name, strlen(row->name));
	struct cube *cube = new_cube(row->size);
	struct checked_cube setup = checked_create(row->size);
	ck_assert(checked_moves(&setup, named->setup));
	int hold = row->size == 3 ? (int)gen_below(&gen, CUBE_HOLDS) : 0;
	struct named_goal goal =
		named_goal(row->name, row->size, hold, all ? NULL : generators, all ? 0 : count);
	ck_assert_int_eq(goal.goal->plain, row->size > 3);
	for (uint32_t i = 0; i < gen_rounds(4); i++) {
		int moves = (int)gen_below(&gen, (uint32_t)row->moves + 1);
		cube_init(cube, row->size);
		if (strcmp(row->generators, FACES) == 0)
			cube_copy(cube, setup.cube);
		for (int k = 0; k < moves; k++)
			cube_turn(cube, generators[gen_below(&gen, (uint32_t)count)]);
		struct cube *held = new_cube(row->size), *home = new_cube(row->size);
		cube_hold_home(home, cube);
		cube_hold_turn(held, home, hold);
		check_shortest(goal.goal, row->size == 3 ? held : cube, generators, count,
			       row->moves);
		free(home);
		free(held);
	}
	named_free(&goal);
	checked_destroy(&setup);
	free(cube);
}
END_TEST

/* ---- against what is known ---- */

/* The cross of one colour, from all its states: https://www.cubezone.be/crossstudy.html */
static const uint32_t cross_states[] = {1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102};

START_TEST(cross_of_one_color)
{
	static const struct cube_piece_rule rules[] = {{CUBE_CORNERS + 4, CUBE_PIECE_HOME},
						       {CUBE_CORNERS + 5, CUBE_PIECE_HOME},
						       {CUBE_CORNERS + 6, CUBE_PIECE_HOME},
						       {CUBE_CORNERS + 7, CUBE_PIECE_HOME}};
	struct cube_pieces *pieces = new_bytes(cube_pieces_bytes(3, 4));
	struct cube_query_node node = {
		.kind = CUBE_QUERY_PIECES, .held = true, .span = 1, .pieces = pieces};
	uint32_t states[9] = {0};
	cube_pieces_make(pieces, 3, rules, 4);
	cube_query_prepare(&node);
	struct cube_goal_plan plan = {.query = &node, .size = 3};
	struct cube_goal *goal = made(&plan);
	ck_assert_uint_eq(goal->root_count, 1);
	for (uint32_t i = 0; i < goal->table[0].entries; i++) {
		uint8_t distance = goal_distances(goal, 0)[i];
		ck_assert(distance <= 8 || distance == GOAL_FAR);
		if (distance <= 8)
			states[distance]++;
	}
	for (int i = 0; i <= 8; i++)
		ck_assert_uint_eq(states[i], cross_states[i]);
	free(goal);
	free(pieces);
}
END_TEST

/* The cross of any colour, of states that others drew, all within eight turns. */
START_TEST(crosses)
{
	FILE *file = fopen("tests/data/random_states_1000.txt", "r");
	char line[64];
	struct named_goal goal = named_goal("cross", 3, 0, NULL, 0);
	struct cube *cube = new_cube(3);
	uint64_t nodes = 0;
	int sum = 0;
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(goal.goal->root_count, 6);
	ck_assert_uint_eq(goal.goal->base_count, 1);
	for (int i = 0; i < 200; i++) {
		uint8_t colors[54];
		int size;
		struct cube_error error;
		ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
		ck_assert_int_eq(cube_colors_parse(line, 54, colors, &size, &error), CUBE_OK);
		ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
		solve(goal.goal, (struct cube_solve_task){.cube = cube, .length_max = 8});
		ck_assert_int_ge(solution.length, 0);
		nodes += solution.nodes;
		sum += solution.length;
	}
	/* 4.81 of random states, as cubers have counted. */
	ck_assert_int_lt(sum, 985);
	ck_assert_int_gt(sum, 940);
	ck_assert_uint_lt(nodes, 200 * 100);
	fclose(file);
	free(cube);
	named_free(&goal);
}
END_TEST

/* Solved 2x2x2s, by tables of another kind. */
START_TEST(as_far_as_the_optimal_solver_has_it)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 2);
	void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	struct named_goal goal[] = {metric_goal("solved", 2, 0, NULL, 0, CUBE_SOLVE_HTM),
				    metric_goal("solved", 2, 0, NULL, 0, CUBE_SOLVE_QTM)};
	struct cube *cube = new_cube(2);
	struct gen gen = {9};
	cube_solver_make(&solver->tables[0], tables);
	for (int i = 0; i < 40; i++) {
		struct cube_turn all[CUBE_SOLUTION_MAX];
		struct cube_solution optimal = {.turns = all, .room = CUBE_SOLUTION_MAX};
		struct cube_solve_task task = {
			.cube = cube, .metric = i % 2 == 0 ? CUBE_SOLVE_HTM : CUBE_SOLVE_QTM};
		cube_init(cube, 2);
		for (int k = 0; k < i; k++)
			cube_turn(cube, gen_turn(&gen, 2));
		solver->solve(tables, &task, &optimal);
		ck_assert_int_eq(solve(goal[i % 2].goal, task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, optimal.length);
	}
	free(cube);
	free(tables);
	named_free(&goal[0]);
	named_free(&goal[1]);
}
END_TEST

/* ---- ends ---- */

static bool never(void *context, const struct cube_solve_progress *progress)
{
	(void)progress;
	++*(int *)context;
	return false;
}

START_TEST(ends)
{
	struct checked_cube both = checked_create(3);
	struct cube_turn right = cube_turn_make(3, CUBE_R, 1, 1, 1);
	atomic_bool stop = true;
	int asked = 0;
	ck_assert(checked_moves(&both, "R U2 F' L D2 B R' U L2 F D' B2 R U' F2 L' D"));
	struct named_goal goal = named_goal("solved", 3, 0, NULL, 0);
	const struct cube_solve_task tasks[] = {
		{.cube = both.cube, .stop = &stop},
		{.cube = both.cube, .nodes_max = 20000},
		{.cube = both.cube, .carry_on = never, .context = &asked},
		{.cube = both.cube, .length_max = 5}};
	for (int i = 0; i < 4; i++) {
		enum cube_solve_end end = solve(goal.goal, tasks[i]);
		ck_assert_int_eq(end, i < 3 ? CUBE_SOLVE_STOPPED : CUBE_SOLVE_ALL);
		ck_assert_int_eq(solution.length, -1);
		ck_assert_uint_eq(solution.count, 0);
		ck_assert_int_gt(solution.bound, 5);
	}
	ck_assert_int_eq(asked, 1);
	named_free(&goal);
	/* Nor does a search that tries all turns go on when it must end. */
	checked_destroy(&both);
	both = checked_create(4);
	ck_assert(checked_moves(&both, "Rw U2 Fw' L D2 B R'"));
	goal = named_goal("solved", 4, 0, NULL, 0);
	asked = 0;
	solve(goal.goal,
	      (struct cube_solve_task){.cube = both.cube, .carry_on = never, .context = &asked});
	ck_assert_int_eq(asked, 1);
	ck_assert_uint_eq(solution.nodes, 1);
	solve(goal.goal, (struct cube_solve_task){.cube = both.cube, .nodes_max = 3000});
	ck_assert_uint_lt(solution.nodes, 4000);
	named_free(&goal);
	checked_destroy(&both);
	both = checked_create(3);
	ck_assert(checked_moves(&both, "R U2 F' L D2 B R' U L2 F D' B2 R U' F2 L' D"));
	/* R alone makes no cross of this one. */
	goal = named_goal("cross", 3, 0, &right, 1);
	ck_assert_int_eq(solve(goal.goal, (struct cube_solve_task){.cube = both.cube}),
			 CUBE_SOLVE_ALL);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_int_eq(solution.bound, CUBE_GOAL_NEVER);
	named_free(&goal);
	/* A half turn is two quarter turns. */
	goal = metric_goal("solved", 3, 0, NULL, 0, CUBE_SOLVE_QTM);
	checked_solve(&both);
	ck_assert(checked_moves(&both, "R2 U"));
	solve(goal.goal, (struct cube_solve_task){.cube = both.cube});
	ck_assert_int_eq(solution.length, 3);
	named_free(&goal);
	checked_destroy(&both);
}
END_TEST

struct patience {
	unsigned asked, most;
};

static bool is_patient(void *context)
{
	struct patience *patience = context;
	return patience->asked++ < patience->most;
}

/* It is asked before each table; once it refuses, no more are made. */
START_TEST(making_ends_early)
{
	const struct cube_named *named = cube_named_find("f2l", 3);
	struct patience patience = {.most = UINT32_MAX};
	void *memory = new_bytes(cube_named_bytes(named, 3));
	const struct cube_goal_plan plan = {.size = 3,
					    .query = cube_named_make(named, 3, memory),
					    .carry_on = is_patient,
					    .context = &patience};
	struct cube_goal *goal = made(&plan);
	const unsigned tables = (unsigned)goal->table_count;
	ck_assert_uint_ge(tables, 2);
	ck_assert_uint_eq(patience.asked, tables);
	for (unsigned most = 0; most < 2; most++) {
		patience = (struct patience){.most = most};
		ck_assert(!cube_goal_make(&plan, goal));
		ck_assert_uint_eq(patience.asked, most + 1);
	}
	free(goal);
	free(memory);
}
END_TEST

static Suite *suite_of_goals(void)
{
	Suite *suite = suite_create("goal");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, shortest, 0, (int)(sizeof(rows) / sizeof(rows[0])));
	tcase_add_test(tcase, cross_of_one_color);
	tcase_add_test(tcase, crosses);
	tcase_add_test(tcase, as_far_as_the_optimal_solver_has_it);
	tcase_add_test(tcase, ends);
	tcase_add_test(tcase, making_ends_early);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_goals(), 29);
}
