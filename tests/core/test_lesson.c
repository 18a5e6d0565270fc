/* tests/core/test_lesson.c: lessons followed by hands that know only what is said (follower.h). */
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/follower.h"
#include "tests/core/generate.h"

#include <ctype.h>
#include <string.h>

#define ROOM 4000
#define STEPS 200

static struct cube_turn turns[ROOM];
static struct cube_solve_step steps[STEPS];
static struct cube_solution solution;

static const struct cube_lesson_words usual = {0};
static const struct cube_lesson_words named = {
	.colors = {"black", "light blue", "pink", "grey", "brown", "purple"}};

/* The sentences of a text stand alone: none refers to another one. */
static void check_text(const char *text)
{
	static const char *const wrong[] = {"the same", "mirror", "the other way", "as before", "{",
					    "}",        "  ",     "(null)"};
	bool good = strlen(text) > 20 && isupper((unsigned char)text[0]) &&
		    strchr(".?", text[strlen(text) - 1]) != NULL;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		good = good && !strstr(text, wrong[i]);
	if (!good)
		ck_abort_msg("%s", text);
}

static void print_moves(int size, const struct cube_turn *from, size_t count, char text[256])
{
	for (size_t i = 0; i < count; i++)
		if (from[i].to == size && from[i].from == 1)
			ck_abort_msg("a rotation between the moves of a step");
	ck_assert_uint_lt(cube_turns_print(size, from, count, text, 256), 256);
}

/* Checks, for a larger cube, that finished stages stay finished. */
static void check_kept(const struct follower *follower, const struct cube_solve_step *step,
		       int centers)
{
	if (follower->size < 4)
		return;
	/* Without a middle one, a centre may be of one colour by chance, on the wrong side. */
	EXPECT(follower->size % 2 == 0 || follower_centers(follower) >= centers, follower);
	EXPECT(step->stage < 1 || centers == CUBE_FACES, follower);
	EXPECT(step->stage < 2 || follower_pairs(follower) == 12, follower);
}

/* Arrows go from where a piece is before the step to where it is afterwards. */
static struct {
	char colors[4], to[4];
} arrows[CUBE_LESSON_ARROWS];

static void arrows_begin(const struct follower *follower, const struct cube_solve_step *step)
{
	memset(arrows, 0, sizeof arrows);
	if (follower->size > 3 && follower->size % 2 == 0 && step->stage < 2)
		return; /* no piece of an edge is the one in the middle */
	for (size_t i = 0; i < CUBE_LESSON_ARROWS; i++) {
		char from[4];
		if (!cube_lesson_arrow(&step->note, i, from, arrows[i].to))
			break;
		const size_t place = follower_place(from);
		EXPECT(place < FOLLOWER_PLACES, follower);
		for (size_t k = 0; k < strlen(from); k++)
			arrows[i].colors[k] = cube_face_letters[follower_color(
				follower, follower_facelets[place][k])];
	}
}

static void arrows_end(const struct follower *follower)
{
	for (size_t i = 0; i < CUBE_LESSON_ARROWS && arrows[i].to[0]; i++)
		EXPECT(follower_sees(follower, arrows[i].colors, arrows[i].to), follower);
}

static bool shown;

/* Follows one step; returns where the turns of the next one begin. */
static size_t follow_step(struct follower *follower, const struct cube_solve_step *step, size_t at)
{
	char text[CUBE_LESSON_TEXT], moves[256];
	const int claims = follower->claims;
	const int centers = follower->size > 3 ? follower_centers(follower) : 0;
	cube_turn_all(follower->cube, turns + at, step->rotations);
	follower_hold(follower,
		      cube_lesson_say(follower->words, CUBE_LESSON_HOLD, &step->note, text), step);
	if (shown)
		printf("%s\n", text);
	check_text(text);
	follower->made[0] = '\0';
	follower->stays[0][0] = '\0';
	cube_lesson_say(follower->words, CUBE_LESSON_HINT, &step->note, text);
	if (shown)
		printf("  ? %s\n", text);
	check_text(text);
	follower_do(follower, text);
	EXPECT(follower->made[0] == '\0', follower);
	cube_lesson_say(follower->words, CUBE_LESSON_STEP, &step->note, text);
	print_moves(follower->size, turns + at + step->rotations, step->count - step->rotations,
		    moves);
	if (shown)
		printf("  = %s\n    %s\n", text, moves);
	check_text(text);
	arrows_begin(follower, step);
	follower_do(follower, text);
	arrows_end(follower);
	check_kept(follower, step, centers);
	EXPECT(strcmp(follower->made, moves) == 0, follower);
	if (follower->stays[0][0])
		EXPECT(follower_sees(follower, follower->stays[0], follower->stays[1]), follower);
	EXPECT(follower->claims > claims, follower);
	return at + step->count;
}

static void solve(const struct cube *cube, int first)
{
	const struct cube_solver *solver = cube_solver_find("beginner", 8, cube->size);
	const struct cube_solve_task task = {
		.cube = cube, .first = (uint8_t)first, .length_enough = 9999};
	solution = (struct cube_solution){
		.turns = turns, .room = ROOM, .steps = steps, .step_room = STEPS};
	ck_assert_int_eq(solver->solve(NULL, &task, &solution), CUBE_SOLVE_ENOUGH);
	ck_assert_uint_lt(solution.step_count, STEPS);
}

/* Any state, held in any way. */
static void scramble(struct cube *cube, int size, struct gen *gen)
{
	cube_init(cube, size);
	for (int i = 0; i < 40; i++)
		cube_turn(cube, gen_turn(gen, size));
}

static void follow_lesson(struct follower *follower, int first)
{
	size_t at = 0;
	solve(follower->cube, first);
	for (size_t i = 0; i < solution.step_count; i++)
		at = follow_step(follower, &steps[i], at);
	ck_assert_uint_eq(at, solution.count);
	ck_assert(cube_is_solved(follower->cube));
}

static void follow_all(int size, uint32_t rounds)
{
	struct gen gen = {.state = 20261};
	struct cube_lesson_words words[2] = {usual, named};
	struct follower follower = {.size = size, .cube = new_cube(size), .before = new_cube(size)};
	follower_see_places(size);
	words[0].size = words[1].size = size;
	for (uint32_t i = 0; i < rounds; i++) {
		shown = i == 0 && getenv("CUBED_TEST_SHOW");
		scramble(follower.cube, size, &gen);
		follower.words = &words[i % 2];
		follow_lesson(&follower, (int)(i % (CUBE_FACES + 1)));
	}
	ck_assert_int_gt(follower.claims, (size == 2 ? 30 : 50) * (int)rounds);
	free(follower.cube);
	free(follower.before);
}

/* A few of each size; 1,000 in the long test. */
START_TEST(larger_cubes)
{
	for (int size = 4; size <= 7; size++)
		follow_all(size, gen_long() ? 1000 : size < 6 ? 2 : 1);
}
END_TEST

START_TEST(all_of_it)
{
	follow_all(3, gen_rounds(1000));
	follow_all(2, gen_rounds(1000));
}
END_TEST

/* Requested again after each step, as the cube is held then: each lesson goes on from the one before. */
START_TEST(step_by_step)
{
	for (int size = 2; size <= (gen_long() ? 7 : 4); size++) {
		struct gen gen = {.state = 77};
		struct follower follower = {.size = size,
					    .cube = new_cube(size),
					    .before = new_cube(size),
					    .words = &usual};
		const uint32_t rounds = size < 4 ? gen_rounds(100) : gen_long() ? 30 : 1;
		follower_see_places(size);
		for (uint32_t i = 0; i < rounds; i++) {
			scramble(follower.cube, size, &gen);
			int count = 0, stage = 0;
			for (; !cube_is_solved(follower.cube); count++) {
				solve(follower.cube, (int)(i % (CUBE_FACES + 1)));
				ck_assert_int_ge(steps[0].stage, stage);
				stage = steps[0].stage;
				follow_step(&follower, &steps[0], 0);
				ck_assert_int_lt(count, STEPS);
			}
		}
		free(follower.cube);
		free(follower.before);
	}
}
END_TEST

static void check_stages(const struct cube_solver *solver, int size)
{
	struct cube_lesson_words words = usual;
	char text[CUBE_LESSON_TEXT];
	struct cube_lesson_algorithm algorithm;
	words.size = size;
	for (int i = 0; solver->stages[i]; i++) {
		const char *stage = solver->stages[i];
		size_t k = 0;
		ck_assert_ptr_nonnull(cube_lesson_title(&words, stage, text));
		ck_assert_uint_gt(strlen(text), 5);
		ck_assert_ptr_nonnull(cube_lesson_aim(&words, stage, CUBE_F, text));
		check_text(text);
		for (; cube_lesson_algorithm(&words, stage, k, 0, &algorithm); k++) {
			struct parsed parsed;
			check_text(algorithm.text);
			ck_assert_uint_gt(strlen(algorithm.name), 5);
			ck_assert(parsed_read(&parsed, algorithm.moves, size, CUBE_DIALECT_SIGN));
			parsed_free(&parsed);
		}
		ck_assert_uint_gt(k, 0);
	}
	for (size_t i = 0; i < 4; i++) {
		ck_assert_ptr_nonnull(cube_lesson_introduction(&words, i, CUBE_D, text));
		check_text(text);
	}
}

/* The stages of each size, and how many algorithms those have that only larger cubes need. */
START_TEST(stages_and_algorithms)
{
	const struct cube_solver *solver = cube_solver_find("beginner", 8, 3);
	char text[CUBE_LESSON_TEXT];
	struct cube_lesson_algorithm algorithm;
	unsigned language = 9;
	check_stages(solver, 3);
	for (int size = 4; size <= 7; size++) {
		struct cube_lesson_words words = {.size = size};
		check_stages(cube_solver_find("beginner", 8, size), size);
		ck_assert(cube_lesson_algorithm(&words, "edges-paired", 1, 0, &algorithm));
		ck_assert_int_eq(cube_lesson_algorithm(&words, "edges-paired", 2, 0, &algorithm),
				 size > 4);
		ck_assert_int_eq(cube_lesson_algorithm(&words, "last-edges", 1, 0, &algorithm),
				 size % 2 == 0);
	}
	ck_assert_ptr_null(cube_lesson_title(&usual, "direct", text));
	ck_assert_ptr_null(cube_lesson_aim(&usual, "direct", 0, text));
	ck_assert(!cube_lesson_algorithm(&usual, "direct", 0, 0, &algorithm));
	ck_assert_ptr_null(cube_lesson_introduction(&usual, 4, CUBE_D, text));
	ck_assert(cube_lesson_language_find("en", 2, &language));
	ck_assert_uint_eq(language, 0);
	ck_assert(!cube_lesson_language_find("eng", 3, &language));
	ck_assert_ptr_null(cube_lesson_language(1));
}
END_TEST

static Suite *suite_of_lesson(void)
{
	Suite *suite = suite_create("lesson");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, all_of_it);
	tcase_add_test(tcase, larger_cubes);
	tcase_add_test(tcase, step_by_step);
	tcase_add_test(tcase, stages_and_algorithms);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_lesson(), 3);
}
