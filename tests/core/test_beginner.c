/* tests/core/test_beginner.c: the beginner's method: every lesson turned step by step, the pattern
 * of each stage, the text of each step, and the longest of all lessons. */
#include "cube/facelets.h"
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define ROOM 500
#define STEPS 64
#define STAGES 7

static const struct cube_solver *solver;
static struct cube_turn turns[ROOM];
static struct cube_solve_step steps[STEPS];
static struct cube_solution solution;
static struct cube_query_node *patterns[STAGES];
static struct cube *now, *held;

static enum cube_solve_end solve(const struct cube *cube, const struct cube_solve_task *options)
{
	struct cube_solve_task task = options ? *options : (struct cube_solve_task){0};
	task.cube = cube;
	solution = (struct cube_solution){
		.turns = turns, .room = ROOM, .steps = steps, .step_room = STEPS};
	return solver->solve(NULL, &task, &solution);
}

static bool shows(const struct cube *cube, int stage)
{
	uint8_t colors[54];
	cube_colors(cube, colors);
	return cube_query_match(patterns[stage], colors, CUBE_FITS_ALL) != 0;
}

/* Returns true if the piece with these colours is between its own middles, with the right
 * orientation. */
static bool is_at_home(const struct cube *cube, const char *name)
{
	struct cube_cubies cubies;
	struct cube *home = new_cube(3);
	cube_hold_home(home, cube);
	cube_cubies_of(&cubies, home);
	int place = cube_place_find(name, strlen(name)), edge = place - CUBE_CORNERS;
	ck_assert_int_ge(place, 0);
	free(home);
	if (edge >= 0)
		return cubies.edge_permutation[edge] == edge && cubies.edge_orientation[edge] == 0;
	return cubies.corner_permutation[place] == place && cubies.corner_orientation[place] == 0;
}

/* Turns what each step says. */
static void check_lesson(const struct cube *cube)
{
	size_t at = 0, sum = 0;
	cube_copy(now, cube);
	for (size_t i = 0; i < solution.step_count; i++) {
		const struct cube_solve_step *step = &steps[i];
		ck_assert_uint_gt(step->count, step->rotations);
		ck_assert_uint_gt(step->note.main, 0);
		ck_assert(i == 0 || step->stage >= steps[i - 1].stage);
		for (size_t k = 0; k < step->count; k++) {
			ck_assert_int_ne(turns[at].quarters, 0);
			ck_assert_int_eq(turns[at].to, k < step->rotations ? 3 : 1);
			cube_turn(now, turns[at++]);
		}
		if (step->piece[0] != '\0' && step->stage < 3)
			ck_assert(is_at_home(now, step->piece));
		if (i + 1 == solution.step_count || steps[i + 1].stage != step->stage)
			for (int stage = 0; stage <= step->stage; stage++)
				ck_assert_msg(shows(now, stage), "%s", solver->stages[stage]);
		sum += step->count;
	}
	ck_assert_uint_eq(sum, solution.count);
	ck_assert(cube_is_solved(now));
}

static const char *const rows[] = {
#define CASE(stage, moves, main, name, learn) moves,
#include "core/solve/beginner/cases.def"
#undef CASE
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* A thousand states that others drew, held in all ways: solved, short on average, and every row of
 * the table is of use. */
START_TEST(random_states)
{
	FILE *file = fopen("tests/data/random_states_1000.txt", "r");
	char line[64];
	int count = 0, total = 0;
	bool used[ROWS] = {false};
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		uint8_t colors[54];
		int size;
		struct cube_error error;
		struct cube *cube = new_cube(3);
		ck_assert_int_eq(cube_colors_parse(line, 54, colors, &size, &error), CUBE_OK);
		ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
		cube_hold_turn(held, cube, count % CUBE_HOLDS);
		ck_assert_int_eq(solve(held, NULL), CUBE_SOLVE_ALL);
		check_lesson(held);
		total += solution.length;
		for (size_t i = 0; i < solution.step_count; i++) {
			used[steps[i].note.row] = true;
			ck_assert_int_eq(cube_face_letters[steps[i].note.up], 'D');
		}
		count++;
		free(cube);
	}
	fclose(file);
	ck_assert_int_eq(count, 1000);
	printf("beginner: %.1f turns on average\n", (double)total / count);
	ck_assert_int_lt(total, 130 * count);
	for (size_t k = 0; k < ROWS; k++)
		ck_assert_msg(used[k], "%s", rows[k]);
}
END_TEST

START_TEST(solved_however_held)
{
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_init(now, 3);
		cube_hold_turn(held, now, hold);
		ck_assert_int_eq(solve(held, NULL), CUBE_SOLVE_ENOUGH);
		ck_assert_uint_eq(solution.count, 0);
		ck_assert_uint_eq(solution.step_count, 0);
		ck_assert_int_eq(solution.length, 0);
		ck_assert_int_eq(solution.bound, 0);
	}
}
END_TEST

/* If the first layer is left open, the face that is below comes first, but for a cube that is already
 * further with another. */
START_TEST(goes_on_where_it_is)
{
	const struct cube_solve_task any = {.first = CUBE_FACES};
	struct cube *cube = new_cube(3);
	struct checked_cube both = checked_create(3);
	ck_assert(checked_moves(&both, "F R U R' U' F' R U R' U R U2 R'"));
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_hold_turn(cube, both.cube, hold);
		solve(cube, &any);
		check_lesson(cube);
		ck_assert_int_ge(steps[0].stage, 3);
	}
	cube_init(cube, 3);
	cube_turn_all(cube,
		      (struct cube_turn[]){cube_turn_make(3, CUBE_R, 1, 1, 1),
					   cube_turn_make(3, CUBE_U, 1, 1, 1),
					   cube_turn_make(3, CUBE_F, 1, 1, 1)},
		      3);
	solve(cube, &any);
	ck_assert_int_eq(steps[0].stage, 0);
	for (size_t i = 0; i < solution.step_count && steps[i].stage == 0; i++)
		ck_assert(steps[i].piece[0] == '\0' || strchr(steps[i].piece, 'D'));
	checked_destroy(&both);
	free(cube);
}
END_TEST

static bool never(void *context, const struct cube_solve_progress *progress)
{
	(void)progress;
	++*(int *)context;
	return false;
}

START_TEST(ends)
{
	struct checked_cube both = checked_create(3);
	int asked = 0;
	atomic_bool stop = true;
	ck_assert(checked_moves(&both, "R U2 F' L D2 B R' U L2 F D' B2 R U' F2 L' D"));
	const struct cube_solve_task tasks[] = {{.stop = &stop},
						{.nodes_max = 100},
						{.carry_on = never, .context = &asked},
						{.length_max = 30}};
	for (size_t i = 0; i < 4; i++) {
		enum cube_solve_end end = solve(both.cube, &tasks[i]);
		ck_assert_int_eq(end, i < 3 ? CUBE_SOLVE_STOPPED : CUBE_SOLVE_ALL);
		ck_assert_int_eq(solution.length, -1);
		ck_assert_uint_eq(solution.count, 0);
		ck_assert_uint_eq(solution.step_count, 0);
	}
	ck_assert_int_eq(asked, 1);
	/* Steps that find no room are left out, turns are not; half turns are two in QTM. */
	struct cube_solve_task task = {.cube = both.cube, .metric = CUBE_SOLVE_QTM};
	int quarters = 0;
	solution = (struct cube_solution){
		.turns = turns, .room = ROOM, .steps = steps, .step_room = 2};
	solver->solve(NULL, &task, &solution);
	ck_assert_uint_eq(solution.step_count, 2);
	for (size_t i = 0; i < solution.count; i++)
		quarters += turns[i].to == 3 ? 0 : turns[i].quarters % 2 == 0 ? 2 : 1;
	ck_assert_int_eq(solution.length, quarters);
	cube_turn_all(both.cube, turns, solution.count);
	ck_assert(cube_is_solved(both.cube));
	checked_destroy(&both);
}
END_TEST

/* ---- the longest lessons: all states of each stage, or every so many of them ---- */

/* Some pieces (bytes of struct cube_state3) of which the first `count` are put anywhere, turned in
 * any way; the last one makes the sum of turns right. */
struct list {
	int length, count, kinds; /* kinds: of twists or flips */
	uint8_t piece[12];
};

static const struct list cross = {12, 4, 2, {4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3}};
static const struct list corners = {8, 4, 3, {20, 21, 22, 23, 16, 17, 18, 19}};
static const struct list middle = {8, 4, 2, {8, 9, 10, 11, 0, 1, 2, 3}};
static const struct list last_edges = {4, 4, 2, {0, 1, 2, 3}};
static const struct list last_corners = {4, 4, 3, {16, 17, 18, 19}};

static int turned(const struct list *list)
{
	return list->count < list->length ? list->count : list->length - 1;
}

static uint32_t states_of(const struct list *list)
{
	uint32_t states = 1;
	for (int i = 0; i < list->count; i++)
		states *= (uint32_t)(list->length - i);
	for (int i = 0; i < turned(list); i++)
		states *= (uint32_t)list->kinds;
	return states;
}

static void swap(struct cube_state3 *state, int a, int b)
{
	uint8_t piece = state->piece[a];
	state->piece[a] = state->piece[b];
	state->piece[b] = piece;
}

/* Puts pieces into the first places; in its inverse, the first pieces are in those places. Returns
 * the parity. */
static int put(struct cube_state3 *state, const struct list *list, uint32_t number)
{
	int sum = 0, parity = 0;
	for (int i = 0; i < list->count; i++) {
		int with = i + (int)(number % (uint32_t)(list->length - i));
		number /= (uint32_t)(list->length - i);
		swap(state, list->piece[i], list->piece[with]);
		parity ^= with != i;
	}
	for (int i = 0; i < turned(list); i++) {
		int turn = (int)(number % (uint32_t)list->kinds);
		number /= (uint32_t)list->kinds;
		state->piece[list->piece[i]] |= (uint8_t)(turn << CUBE_STATE3_TURN);
		sum += turn;
	}
	sum = (list->kinds - sum % list->kinds) % list->kinds;
	state->piece[list->piece[list->length - 1]] |= (uint8_t)(sum << CUBE_STATE3_TURN);
	return parity;
}

static void cube_of(struct cube *cube, struct cube_state3 *state, int parity)
{
	struct cube_cubies cubies;
	uint8_t colors[54];
	if (parity != 0)
		swap(state, 2, 3);
	cube_state3_invert(state, state);
	cube_state3_to_cubies(state, &cubies);
	cube_cubies_paint(&cubies, 3, colors);
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
}

/* Ends a lesson when its stage is over; what its turns were. */
struct stage_length {
	int stage, turns;
};

static bool until_over(void *context, const struct cube_solve_progress *progress)
{
	struct stage_length *length = context;
	bool over = solution.step_count > 0 && steps[solution.step_count - 1].stage > length->stage;
	if (!over)
		length->turns = progress->depth;
	return !over;
}

/* The most turns for the stage of any of the states tried. */
static int longest(int stage, const struct list *list, const struct list *other, uint32_t every,
		   enum cube_solve_metric metric)
{
	uint32_t count = states_of(list) * (other ? states_of(other) : 1);
	int most = 0;
	for (uint32_t number = 0; number < count; number += every) {
		struct cube_state3 state = cube_state3_solved;
		struct stage_length length = {.stage = stage};
		struct cube_solve_task task = {.metric = metric,
					       .carry_on = until_over,
					       .context = &length,
					       .first = CUBE_D};
		int parity = put(&state, list, number % states_of(list));
		if (other)
			parity ^= put(&state, other, number / states_of(list));
		cube_of(held, &state, parity);
		if (solve(held, &task) != CUBE_SOLVE_STOPPED)
			length.turns = solution.length;
		most = length.turns > most ? length.turns : most;
	}
	return most;
}

/* A stage may begin with a face that was just turned: that may cost some turns more. */
#define BEGIN 4

START_TEST(longest_lessons)
{
	for (enum cube_solve_metric metric = 0; metric < CUBE_SOLVE_OUTER_METRICS; metric++) {
		uint32_t every = gen_long() ? 1 : 997;
		int most[] = {longest(0, &cross, NULL, every, metric),
			      longest(1, &corners, NULL, every, metric),
			      longest(2, &middle, NULL, every, metric),
			      longest(6, &last_edges, &last_corners, every, metric)};
		int sum = most[0] + most[1] + most[2] + most[3] + 6 * BEGIN;
		printf("beginner, %s: at most %d + %d + %d + %d turns\n",
		       metric == CUBE_SOLVE_HTM ? "HTM" : "QTM", most[0], most[1], most[2],
		       most[3]);
		ck_assert_int_le(sum, solver->length_max[metric]);
		ck_assert_uint_le((unsigned)sum, solver->room(3));
	}
}
END_TEST

static Suite *suite_of_beginner(void)
{
	Suite *suite = suite_create("beginner");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, random_states);
	tcase_add_test(tcase, solved_however_held);
	tcase_add_test(tcase, goes_on_where_it_is);
	tcase_add_test(tcase, ends);
	tcase_add_test(tcase, longest_lessons);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	void *memory[STAGES];
	solver = cube_solver_find("beginner", 8, 3);
	now = new_cube(3);
	held = new_cube(3);
	for (int stage = 0; stage < STAGES; stage++) {
		const char *name = solver->stages[stage];
		const struct cube_named *named = cube_named_find(name, strlen(name));
		memory[stage] = new_bytes(cube_named_bytes(named, 3));
		patterns[stage] = cube_named_make(named, 3, memory[stage]);
	}
	int result = run_suite(suite_of_beginner(), 5);
	for (int stage = 0; stage < STAGES; stage++)
		free(memory[stage]);
	free(now);
	free(held);
	return result;
}
