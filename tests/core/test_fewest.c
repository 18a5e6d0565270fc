/* tests/core/test_fewest.c: solutions by stages. Each answer is turned; after each stage the state of both
 * sides is made as it is defined (cube/goal.h) and matched by the patterns of the goals with names; the tables are
 * compared with turns of a cube of facelets. */
#include "core/solve/fewest/tables.h"
#include "cube/facelets.h"
#include "cube/goal.h"
#include "cube/goals.h"
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define ROOM 96
#define STEPS 4

static const struct cube_solver *solver, *two_phase;
static void *tables, *base;

static struct cube_turn turns[ROOM];
static struct cube_solve_step steps[STEPS];
static struct cube_solution solution = {
	.turns = turns, .room = ROOM, .steps = steps, .step_room = STEPS};

/* ---- goals ---- */

struct goal {
	void *memory;
	struct cube_query_node *nodes;
};
/* By axis for eo and dr; htr. */
static struct goal goals[3][3];
static const char *const goal_names[3] = {"eo", "dr", "htr"};
static const char *const axes[3] = {"ud", "rl", "fb"};

static void make_goals(void)
{
	for (int g = 0; g < 3; g++)
		for (int axis = 0; axis < (g < 2 ? 3 : 1); axis++) {
			const struct cube_goal_row *row =
				cube_goal_find(goal_names[g], strlen(goal_names[g]));
			const struct cube_named *named =
				cube_named_find(row->pattern, strlen(row->pattern));
			struct goal *goal = &goals[g][axis];
			goal->memory = new_bytes(cube_named_bytes(named, 3));
			struct cube_query_node *pattern = cube_named_make(named, 3, goal->memory);
			goal->nodes = new_bytes((pattern->span + 1) * sizeof *goal->nodes);
			goal->nodes[0] = (struct cube_query_node){
				.kind = CUBE_QUERY_AMONG,
				.span = pattern->span + 1,
				.among =
					g < 2 ? cube_goal_fits(row, axes[axis], 2) : CUBE_FITS_ALL};
			memcpy(goal->nodes + 1, pattern, pattern->span * sizeof *goal->nodes);
			cube_query_prepare(goal->nodes);
		}
}

static void free_goals(void)
{
	for (int g = 0; g < 3; g++)
		for (int axis = 0; axis < 3; axis++) {
			free(goals[g][axis].memory);
			free(goals[g][axis].nodes);
		}
}

static bool reaches(const struct cube *cube, int g, int axis)
{
	uint8_t colors[54];
	for (size_t i = 0; i < sizeof colors; i++)
		colors[i] = (uint8_t)cube_color_at(cube, i);
	return cube_query_match(goals[g][axis].nodes, colors, CUBE_FITS_ALL) != 0;
}

/* ---- answers ---- */

/* All so far of a side, and what a reader of the stages would count. */
struct side {
	struct cube_turn turn[ROOM];
	size_t count;
};

static void add(struct side *side, const struct cube_turn *more, size_t count)
{
	for (size_t i = 0; i < count; i++)
		side->turn[side->count++] = more[i];
}

static int merged(const struct side *side)
{
	struct cube_turn copy[ROOM];
	memcpy(copy, side->turn, side->count * sizeof *copy);
	return (int)cube_turns_simplify(3, copy, side->count);
}

static void check_stage(const struct cube_solve_step *step, const struct cube *scramble,
			const struct side side[2])
{
	struct cube *cube = new_cube(3);
	cube_goal_premove(cube, scramble, side[1].turn, side[1].count);
	cube_turn_all(cube, side[0].turn, side[0].count);
	if (step->stage < 2) {
		int axis = 0;
		while (strcmp(step->axis, axes[axis]) != 0)
			axis++;
		ck_assert(reaches(cube, step->stage, axis));
		ck_assert_int_eq(step->total, merged(&side[0]) + merged(&side[1]));
	} else if (step->stage == 2) {
		ck_assert(reaches(cube, 2, 0));
		ck_assert_str_eq(step->axis, "");
	} else {
		ck_assert(cube_is_solved(cube));
		ck_assert_uint_eq(step->inverse, 0);
		ck_assert_int_eq(step->total, solution.length);
	}
	free(cube);
}

/* Quarter turns of these faces are in no stage from that one on. */
static void check_turns(const struct cube_solve_step *step, const struct cube_turn *turn,
			const bool oriented[3])
{
	for (size_t i = 0; i < step->count; i++)
		ck_assert(turn[i].quarters == 2 || turn[i].quarters == -2 ||
			  !oriented[turn[i].face % 3]);
}

/* The stages: their turns, their goals, and that they make the solution. */
static void check_steps(const struct cube *scramble)
{
	struct side side[2] = {0};
	const struct cube_turn *turn = turns + solution.step_turns;
	bool oriented[3] = {false};
	int before = -1;
	for (size_t i = 0; i < solution.step_count; i++) {
		const struct cube_solve_step *step = &steps[i];
		const size_t normal = step->count - step->inverse;
		ck_assert_int_gt(step->stage, before);
		ck_assert_uint_gt(step->count, 0);
		before = step->stage;
		check_turns(step, turn, oriented);
		add(&side[0], turn, normal);
		add(&side[1], turn + normal, step->inverse);
		turn += step->count;
		check_stage(step, scramble, side);
		for (int axis = 0; axis < 3; axis++)
			oriented[axis] |=
				step->stage == 2 ||
				(step->stage == 0 && strcmp(step->axis, axes[axis]) == 0) ||
				(step->stage == 1 && strcmp(step->axis, axes[axis]) != 0);
	}
	ck_assert_uint_le((size_t)(turn - turns), ROOM);
	/* A, then what undoes B. */
	while (side[1].count > 0)
		add(&side[0],
		    (struct cube_turn[]){cube_turn_inverse(side[1].turn[--side[1].count])}, 1);
	struct cube *cube = new_cube(3), *other = new_cube(3);
	cube_copy(cube, scramble);
	cube_copy(other, scramble);
	cube_turn_all(cube, side[0].turn, side[0].count);
	cube_turn_all(other, turns, solution.count);
	ck_assert(cube_equal(cube, other));
	ck_assert_int_eq(merged(&side[0]), solution.length);
	free(cube);
	free(other);
}

static enum cube_solve_end solve(struct cube_solve_task *task)
{
	task->base = base;
	enum cube_solve_end end = solver->solve(tables, task, &solution);
	ck_assert_int_eq(solution.length, solution.length < 0 ? -1 : (int)solution.count);
	if (solution.length >= 0) {
		struct cube *turned = new_cube(3);
		cube_copy(turned, task->cube);
		cube_turn_all(turned, turns, solution.count);
		ck_assert(cube_is_solved(turned));
		free(turned);
		ck_assert_int_le(solution.bound, solution.length);
		for (size_t i = 1; i < solution.count; i++)
			ck_assert(turns[i].face != turns[i - 1].face && turns[i].quarters != 0);
		check_steps(task->cube);
	}
	return end;
}

static void random_cube(struct gen *gen, struct cube *cube)
{
	cube_init(cube, 3);
	for (int i = 0; i < 60; i++)
		cube_turn(cube, gen_turn(gen, 3));
}

/* Held in any way, as gen_turn turns the whole cube too. */
START_TEST(every_stage_reaches_its_goal)
{
	struct gen gen = {.state = 60};
	struct cube *cube = new_cube(3);
	uint32_t inverse = 0, count = gen_states(250);
	double sum = 0;
	count = count > 20000 ? 20000 : count;
	for (uint32_t i = 0; i < count; i++) {
		random_cube(&gen, cube);
		struct cube_solve_task task = {.cube = cube, .nodes_max = 20000};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
		ck_assert_int_ge(solution.length, solution.bound);
		sum += solution.length;
		for (size_t k = 0; k < solution.step_count; k++)
			inverse += steps[k].inverse > 0;
	}
	ck_assert_uint_gt(inverse, count / 2);
	ck_assert(sum / count < 23);
	free(cube);
}
END_TEST

START_TEST(solved_however_held)
{
	struct cube *cube = new_cube(3), *held = new_cube(3);
	cube_init(cube, 3);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_hold_turn(held, cube, hold);
		struct cube_solve_task task = {.cube = held};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_uint_eq(solution.count, 0);
		ck_assert_uint_eq(solution.step_count, 0);
	}
	free(cube);
	free(held);
}
END_TEST

/* two_phase promises shortest solutions up to four turns, too, and is tested against all ways. */
START_TEST(near_states_have_shortest_solutions)
{
	struct gen gen = {.state = 61};
	struct cube *cube = new_cube(3);
	struct cube_turn other_turns[CUBE_SOLUTION_MAX];
	struct cube_solution other = {.turns = other_turns, .room = CUBE_SOLUTION_MAX};
	for (int round = 0; round < 60; round++) {
		cube_init(cube, 3);
		const int made = 1 + round % 4;
		for (int i = 0; i < made; i++)
			cube_turn(cube, cube_turn_make(3, (int)gen_below(&gen, 6), 1, 1,
						       1 + gen_below(&gen, 3)));
		struct cube_solve_task task = {.cube = cube, .length_enough = 30};
		ck_assert_int_eq(two_phase->solve(base, &task, &other), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, other.length);
		ck_assert_int_eq(solution.bound, other.length);
		task.length_max = other.length - 1;
		if (task.length_max > 0) {
			ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
			ck_assert_int_eq(solution.length, -1);
		}
	}
	free(cube);
}
END_TEST

/* A search that ends before its limits has left nothing out: its result is a shortest solution. */
START_TEST(whole_searches_prove)
{
	static const char *const optimal = "optimal";
	const struct cube_solver *other = cube_solver_find(optimal, strlen(optimal), 3);
	void *small = aligned_alloc(CUBE_SOLVE_ALIGN, other->tables[0].bytes);
	struct gen gen = {.state = 62};
	struct cube *cube = new_cube(3);
	struct cube_turn other_turns[CUBE_SOLUTION_MAX];
	struct cube_solution shortest = {.turns = other_turns, .room = CUBE_SOLUTION_MAX};
	cube_solver_make(&other->tables[0], small);
	for (int round = 0; round < 4; round++) {
		cube_init(cube, 3);
		for (int i = 0; i < 5 + round % 2; i++)
			cube_turn(cube, cube_turn_make(3, (int)gen_below(&gen, 6), 1, 1,
						       1 + gen_below(&gen, 3)));
		struct cube_solve_task task = {.cube = cube};
		ck_assert_int_eq(other->solve(small, &task, &shortest), CUBE_SOLVE_ALL);
		ck_assert_int_ne(solve(&task), CUBE_SOLVE_STOPPED);
		ck_assert_int_eq(solution.length, shortest.length);
		ck_assert_int_eq(solution.bound, shortest.length);
	}
	free(small);
	free(cube);
}
END_TEST

static bool never(void *context, const struct cube_solve_progress *progress)
{
	int *calls = context;
	++*calls;
	return progress->nodes == 0;
}

START_TEST(searches_end_when_told)
{
	struct gen gen = {.state = 63};
	struct cube *cube = new_cube(3);
	random_cube(&gen, cube);
	int calls = 0;
	struct cube_solve_task task = {.cube = cube, .carry_on = never, .context = &calls};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_uint_eq(solution.step_count, 0);
	atomic_bool stop = true;
	task = (struct cube_solve_task){.cube = cube, .stop = &stop};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_uint_lt(solution.nodes, 2000);
	/* The same nodes find the same; more find nothing longer. */
	int before = 99;
	for (uint64_t nodes = 5000; nodes <= 500000; nodes *= 10) {
		struct cube_turn first[ROOM];
		task = (struct cube_solve_task){.cube = cube, .nodes_max = nodes};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
		ck_assert_uint_ge(solution.nodes, nodes);
		ck_assert_uint_lt(solution.nodes, nodes + 1000);
		ck_assert_int_le(solution.length, before);
		before = solution.length;
		memcpy(first, turns, solution.count * sizeof *first);
		solve(&task);
		ck_assert_int_eq(solution.length, before);
		ck_assert_int_eq(memcmp(first, turns, solution.count * sizeof *first), 0);
	}
	/* The first one that is short enough. */
	task = (struct cube_solve_task){.cube = cube, .length_max = 22, .length_enough = 22};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
	ck_assert_int_le(solution.length, 22);
	/* Without steps. */
	struct cube_solution bare = {.turns = turns, .room = CUBE_SOLUTION_MAX};
	ck_assert_int_eq(solver->solve(tables, &task, &bare), CUBE_SOLVE_ENOUGH);
	ck_assert_int_eq(bare.length, solution.length);
	ck_assert_uint_eq(bare.step_count, 0);
	free(cube);
}
END_TEST

/* Each unit has its own eo, and none looks for what is longer than another one has. */
START_TEST(searches_are_shared)
{
	struct gen gen = {.state = 64};
	struct cube *cube = new_cube(3);
	for (int round = 0; round < 5; round++) {
		random_cube(&gen, cube);
		struct cube_solve_shared shared = {0};
		int best = 99;
		for (unsigned unit = 0; unit < 3; unit++) {
			struct cube_solve_task task = {.cube = cube,
						       .nodes_max = 30000,
						       .shared = &shared,
						       .unit = unit,
						       .step = 3};
			solve(&task);
			if (solution.length >= 0) {
				ck_assert_int_lt(solution.length, best);
				best = solution.length;
			}
			ck_assert_int_eq(atomic_load(&shared.best), best == 99 ? 0 : best + 1);
		}
		ck_assert_int_le(best, 24);
		struct cube_solve_task task = {
			.cube = cube, .length_enough = 24, .shared = &shared, .step = 3};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(solution.length, -1);
	}
	free(cube);
}
END_TEST

/* ---- tables ---- */

static struct cube_state3 state_of(const struct cube *cube)
{
	struct cube_cubies cubies;
	struct cube_state3 state;
	cube_cubies_of(&cubies, cube);
	cube_state3_from_cubies(&state, &cubies);
	return state;
}

static int eo_distance(const struct fewest_tables *all, const struct cube_state3 *state)
{
	return all->eo[coordinate_flip.of(state)];
}

/* The group of a stage: where its states are, where it leads, by which goal. */
static const struct stage {
	const char *turns;
	int goal, axis;
	int (*distance)(const struct fewest_tables *, const struct cube_state3 *);
} stages[] = {
	{"U R F D L B", 0, 2, eo_distance},
	{"U R D L F2 B2", 1, 0, fewest_dr},
	{"U D R2 L2 F2 B2", 2, 0, fewest_htr},
	{"U2 R2 F2 D2 L2 B2", -1, 0, fewest_finish},
};

static size_t turns_of(const char *text, struct cube_turn list[18])
{
	size_t count = 0;
	for (; *text; text++) {
		const char *face = strchr(cube_face_letters, *text);
		if (*text == ' ' || !face)
			continue;
		for (int quarters = 1; quarters <= 3; quarters++)
			if (text[1] != '2' || quarters == 2)
				list[count++] = cube_turn_make(3, (int)(face - cube_face_letters),
							       1, 1, quarters);
		text += text[1] == '2';
	}
	return count;
}

/* Distances are exact if they are 0 just where the goal is, change by at most one with each turn, and some
 * turn makes those that are not 0 smaller. */
START_TEST(distances_are_exact)
{
	const struct stage *stage = &stages[_i];
	struct gen gen = {.state = 65 + (uint64_t)_i};
	struct cube *cube = new_cube(3), *next = new_cube(3);
	struct cube_turn list[18];
	const size_t count = turns_of(stage->turns, list);
	cube_init(cube, 3);
	for (uint32_t i = gen_states(1500); i > 0; i--) {
		cube_turn(cube, list[gen_below(&gen, (uint32_t)count)]);
		struct cube_state3 state = state_of(cube);
		const int distance = stage->distance(tables, &state);
		int least = 99;
		ck_assert_int_eq(distance == 0, stage->goal >= 0
							? reaches(cube, stage->goal, stage->axis)
							: cube_is_solved(cube));
		for (size_t k = 0; k < count; k++) {
			cube_copy(next, cube);
			cube_turn(next, list[k]);
			state = state_of(next);
			const int other = stage->distance(tables, &state);
			ck_assert_int_le(abs(other - distance), 1);
			least = other < least ? other : least;
		}
		ck_assert(distance == 0 || least == distance - 1);
	}
	free(cube);
	free(next);
}
END_TEST

static int farthest(const uint8_t *distance, size_t count)
{
	int most = 0;
	for (size_t i = 0; i < count; i++)
		most = distance[i] > most ? distance[i] : most;
	return most;
}

/* Checks how many states of the half turns are at each distance, and how far the farthest of each
 * stage is. */
START_TEST(counts_by_distance)
{
	static const uint32_t known[] = {1,     6,      27,     120,    519,   1932,  6484, 20310,
					 55034, 113892, 178495, 179196, 89728, 16176, 1488, 144};
	const struct fewest_tables *all = tables;
	uint32_t found[256] = {0};
	ck_assert(cube_solver_tables_good(&solver->tables[0], tables));
	for (size_t i = 0; i < HALF_STATES; i++)
		found[all->finish[i]]++;
	for (size_t i = 0; i < 256; i++)
		ck_assert_uint_eq(found[i], i < sizeof known / sizeof *known ? known[i] : 0);
	ck_assert_int_eq(farthest(all->eo, sizeof all->eo), 7);
	ck_assert_int_eq(farthest((const uint8_t *)all->dr, sizeof all->dr), 10);
	ck_assert_int_eq(farthest((const uint8_t *)all->htr, sizeof all->htr), 13);
}
END_TEST

static void *make_tables(const struct cube_solver *of)
{
	void *memory = aligned_alloc(CUBE_SOLVE_ALIGN, of->tables[0].bytes);
	cube_solver_make(&of->tables[0], memory);
	return memory;
}

int main(void)
{
	solver = cube_solver_find("fewest", 6, 3);
	two_phase = cube_solver_find("two_phase", 9, 3);
	tables = make_tables(solver);
	base = make_tables(two_phase);
	make_goals();
	Suite *suite = suite_create("fewest");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 0);
	tcase_add_test(all, every_stage_reaches_its_goal);
	tcase_add_test(all, solved_however_held);
	tcase_add_test(all, near_states_have_shortest_solutions);
	tcase_add_test(all, whole_searches_prove);
	tcase_add_test(all, searches_end_when_told);
	tcase_add_test(all, searches_are_shared);
	tcase_add_loop_test(all, distances_are_exact, 0, 4);
	tcase_add_test(all, counts_by_distance);
	suite_add_tcase(suite, all);
	const int result = run_suite(suite, 7 + 4);
	free_goals();
	free(tables);
	free(base);
	return result;
}
