/* test_solve_ends.c: searches of the 3x3x3 end as soon as their result is final, whatever was asked for
 * and however many threads search. Counted in positions, not in time. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "tests/core/sanitized.h"
#include "cube/libcube.h"
#include "server/search/answer.h"
#include "server/search/goal.h"
#include "server/util/log.h"

/* More positions than a solution of at most 20 turns needs: 10,000 on average, a few hundred
 * thousand at most. A search that went on would visit hundreds of millions until its time is
 * over. */
#define NODES_MAX 5000000
#define CUBES (SANITIZED ? 60 : 300)

static struct table_cache *table_cache;
static unsigned seed = 11;

static struct solve_question ask(const char *method, int moves)
{
	struct solve_question question = {.solver = cube_solver_find(method, strlen(method), 3),
					  .cube = malloc(cube_bytes(3)),
					  .solutions = 1,
					  .timeout_ms = 600000};
	cube_init(question.cube, 3);
	for (int i = 0; i < moves; i++)
		cube_turn(question.cube,
			  cube_turn_make(3, rand_r(&seed) % 6, 1, 1, 1 + rand_r(&seed) % 3));
	return question;
}

static enum solve_end answer(const struct solve_question *question, unsigned threads,
			     struct solve_answer *answer)
{
	atomic_bool stop = false;
	struct solve_progress progress = {.best = -1};
	const struct solve_control control = {
		.stop = &stop, .progress = &progress, .threads = threads, .waits = true};
	return solve_answer(table_cache, question, &control, answer);
}

static void turn_by(struct cube *cube, const char *moves)
{
	struct cube_node nodes[64];
	struct cube_alg alg;
	struct cube_error error;
	ck_assert_int_eq(
		cube_parse(moves, strlen(moves), 3, CUBE_DIALECT_SIGN, nodes, &alg, &error),
		CUBE_OK);
	ck_assert_uint_eq(cube_alg_scratch_bytes(&alg), 0);
	cube_alg_apply(cube, &alg, NULL);
}

static void check_ends(struct solve_question *question, unsigned threads, int longest)
{
	struct solve_answer found;
	ck_assert_int_eq(answer(question, threads, &found), SOLVE_COMPLETE);
	/* Some of several may be the same, and are listed once. */
	ck_assert_uint_ge(found.count, question->solutions > 1 ? 2 : 1);
	ck_assert_uint_le(found.count, question->solutions);
	for (unsigned i = 0; i < found.count; i++)
		ck_assert_int_le(found.found[i].length, longest);
	ck_assert_uint_lt(found.nodes, NODES_MAX);
	solve_answer_free(&found);
	solve_question_free(question);
}

START_TEST(max_length_ends_a_search)
{
	for (int i = 0; i < CUBES; i++) {
		struct solve_question question = ask("two_phase", 60);
		question.length_max = 20 + i % 3;
		check_ends(&question, 1u << i % 4, question.length_max);
	}
}
END_TEST

START_TEST(several_of_max_length_end_a_search)
{
	for (int i = 0; i < CUBES / 20; i++) {
		struct solve_question question = ask("two_phase", 60);
		question.length_max = 22;
		question.solutions = 2 + (unsigned)i % 3;
		check_ends(&question, 1u << i % 4, 22);
	}
}
END_TEST

/* Each of many cubes gets at most 20 turns, as soon as such a solution is found. */
START_TEST(many_cubes_have_20_turns_each)
{
	for (int i = 0; i < CUBES; i++) {
		struct solve_question question = ask("two_phase", 60);
		question.patient = true;
		check_ends(&question, 1u << i % 4, 20);
	}
}
END_TEST

/* The usual answer becomes shorter for a while, and until it has 20 turns; and it is the same each time. */
START_TEST(the_usual_answer_has_20_turns)
{
	const int cubes = CUBES / 3;
	int sum = 0;
	for (int i = 0; i < cubes; i++) {
		struct solve_question question = ask("two_phase", 60);
		struct solve_answer found;
		ck_assert_int_eq(answer(&question, 1, &found), SOLVE_COMPLETE);
		ck_assert_int_le(found.found[0].length, 20);
		sum += found.found[0].length;
		const uint64_t nodes = found.nodes;
		solve_answer_free(&found);
		if (i % 10 == 0) {
			ck_assert_int_eq(answer(&question, 1, &found), SOLVE_COMPLETE);
			ck_assert_uint_eq(found.nodes, nodes);
			solve_answer_free(&found);
		}
		solve_question_free(&question);
	}
	ck_assert_int_lt(2 * sum, cubes * 39);
}
END_TEST

#define SUPERFLIP "R L U2 F U' D F2 R2 B2 L U2 F' B' U R2 D F2 U R2 U "

/* Symmetric cubes, of which 20 turns are hard to find. */
static const char *const symmetric[] = {
	SUPERFLIP,
	SUPERFLIP "y' x2",
	SUPERFLIP "U",
	SUPERFLIP "F2",
	"U2 D2 L F2 U' D R2 B U' D' R L F2 R U D' R' L U F' B'", /* and four spots */
	"U D' R L' F B' U D'",
	"F L F U' R U F2 L2 U' L' B D' B' L2 U",
	"R2 L2 U2 D2 F2 B2",
};

/* Each gets the best that is found in as many positions as others take, and the same each time. */
START_TEST(a_symmetric_cube_takes_no_longer)
{
	for (size_t i = 0; i < sizeof symmetric / sizeof symmetric[0]; i += SANITIZED ? 3 : 1) {
		uint64_t nodes[2];
		for (int k = 0; k < 2; k++) {
			struct solve_question question = ask("two_phase", 0);
			struct solve_answer found;
			turn_by(question.cube, symmetric[i]);
			ck_assert_int_eq(answer(&question, 1, &found), SOLVE_COMPLETE);
			ck_assert_int_le(found.found[0].length, 22);
			nodes[k] = found.nodes;
			ck_assert_uint_lt(nodes[k], SETTLE_NODES + SETTLE_NODES / 50);
			solve_answer_free(&found);
			question.patient = true;
			ck_assert_int_eq(answer(&question, 1, &found), SOLVE_COMPLETE);
			ck_assert_uint_le(found.nodes, nodes[k]);
			solve_answer_free(&found);
			solve_question_free(&question);
		}
		ck_assert_uint_eq(nodes[0], nodes[1]);
	}
}
END_TEST

/* With a length, it is searched until that is found. */
START_TEST(a_length_is_searched_for_as_long_as_it_takes)
{
	struct solve_question question = ask("two_phase", 0);
	struct solve_answer found;
	turn_by(question.cube, SUPERFLIP);
	question.length_max = 21;
	ck_assert_int_eq(answer(&question, 1, &found), SOLVE_COMPLETE);
	ck_assert_int_le(found.found[0].length, 21);
	ck_assert_uint_gt(found.nodes, 2 * SETTLE_NODES);
	solve_answer_free(&found);
	solve_question_free(&question);
}
END_TEST

/* If time ends before that, the answer says so. */
START_TEST(less_time_is_not_complete)
{
	struct solve_question question = ask("two_phase", 60);
	struct solve_answer found;
	cube_init(question.cube, 3);
	turn_by(question.cube, SUPERFLIP);
	question.length_max = 20; /* which takes some seconds */
	question.timeout_ms = 1;
	ck_assert_int_eq(answer(&question, 1, &found), SOLVE_STOPPED);
	solve_answer_free(&found);
	solve_question_free(&question);
}
END_TEST

static void write_any(struct buffer *text, int size, const struct solve_turns *found)
{
	(void)size;
	(void)found;
	buffer_text(text, "found");
}

/* A cache that was stopped opens no tables. */
START_TEST(without_tables_a_feed_is_not_complete)
{
	struct table_cache *usual = table_cache;
	struct solve_question question = ask("optimal", 0);
	struct solve_answer found;
	table_cache = table_cache_create(NULL, false, SIZE_MAX);
	table_cache_stop(table_cache);
	ck_assert_int_eq(answer(&question, 1, &found), SOLVE_COMPLETE);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_int_eq(found.found[0].length, 0);
	solve_answer_free(&found);
	question.feed = feed_create(write_any);
	question.solutions = 0;
	ck_assert_int_eq(answer(&question, 1, &found), SOLVE_STOPPED);
	ck_assert_uint_eq(found.tallies, 0);
	ck_assert(!feed_holds_text(question.feed));
	solve_answer_free(&found);
	solve_question_free(&question);
	table_cache_destroy(table_cache);
	table_cache = usual;
}
END_TEST

/* Moves that are known to solve the cube within max_length are the answer: nothing is searched. */
START_TEST(known_moves_that_are_enough_need_no_search)
{
	for (int shorter = 0; shorter < 2; shorter++) {
		struct solve_question question = ask("two_phase", 0);
		struct solve_answer found;
		question.known.turns = malloc(17 * sizeof(struct cube_turn));
		question.known.count = 17;
		for (int i = 0; i < 17; i++)
			question.known.turns[i] = cube_turn_make(3, i * 2 % 5, 1, 1, 1);
		for (int i = 16; i >= 0; i--)
			cube_turn(question.cube, cube_turn_inverse(question.known.turns[i]));
		question.length_max = 17 + 3 * shorter;
		ck_assert_int_eq(answer(&question, 2, &found), SOLVE_COMPLETE);
		ck_assert_uint_eq(found.nodes, 0);
		ck_assert(found.known);
		ck_assert_int_eq(found.found[0].length, 17);
		solve_answer_free(&found);
		solve_question_free(&question);
	}
}
END_TEST

/* ---- larger tables come while a search is under way ---- */

#define SMALL_BYTES CUBE_SOLVE_ALIGNED(4096)
#define LARGER_BYTES CUBE_SOLVE_ALIGNED(8192)
#define LARGER_AT 2048 /* a byte behind the head: 1 in the larger tables */

static void make_small(void *tables, unsigned step, unsigned part)
{
	((char *)tables)[LARGER_AT] = (char)(step + part);
}

static void make_larger(void *tables, unsigned step, unsigned part)
{
	((char *)tables)[LARGER_AT] = (char)(1 + step + part);
}

/* With small tables it finds two turns for one and never ends; with larger ones it proves one turn. */
static enum cube_solve_end solve_by_size(const void *tables, const struct cube_solve_task *task,
					 struct cube_solution *solution)
{
	const bool larger = ((const char *)tables)[LARGER_AT] == 1;
	const struct cube_solve_progress progress = {.best = -1};
	solution->nodes = larger ? 10 : 100;
	solution->bound = larger ? 1 : 0;
	solution->length = larger ? 1 : 2;
	solution->count = (size_t)solution->length;
	for (size_t i = 0; i < solution->count; i++)
		solution->turns[i] = cube_turn_make(3, CUBE_R, 1, 1, larger ? -1 : 1);
	solution->turns[0].quarters = larger ? -1 : 2;
	while (!larger && task->carry_on(task->context, &progress))
		;
	return larger ? CUBE_SOLVE_ALL : CUBE_SOLVE_STOPPED;
}

static const struct cube_solver_tables two_sizes[] = {
	{.name = "small", .bytes = SMALL_BYTES, .steps = 1, .parts = 1, .make = make_small},
	{.name = "larger", .bytes = LARGER_BYTES, .steps = 1, .parts = 1, .make = make_larger},
};
static const struct cube_solver by_size = {.name = "by_size",
					   .size_min = 3,
					   .size_max = 3,
					   .length_max = {20},
					   .optimal = true,
					   .units = 2,
					   .tables = two_sizes,
					   .table_count = 2,
					   .solve = solve_by_size};

static void check_growing(size_t memory, unsigned threads, enum solve_end end, const char *used)
{
	struct table_cache *usual = table_cache;
	struct solve_question question = ask("optimal", 0);
	struct solve_answer found;
	table_cache = table_cache_create(NULL, false, SIZE_MAX);
	table_cache_set_grow_max(table_cache, memory);
	question.solver = &by_size;
	question.timeout_ms = end == SOLVE_COMPLETE ? 60000 : 2200;
	cube_turn(question.cube, cube_turn_make(3, CUBE_R, 1, 1, 1));
	ck_assert_int_eq(answer(&question, threads, &found), end);
	ck_assert_str_eq(found.tables->name, used);
	ck_assert_ptr_null(found.growing);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_int_eq(found.found[0].length, end == SOLVE_COMPLETE ? 1 : 2);
	ck_assert_uint_eq(found.nodes, threads * (end == SOLVE_COMPLETE ? 110 : 100));
	solve_answer_free(&found);
	solve_question_free(&question);
	table_cache_destroy(table_cache);
	table_cache = usual;
}

/* It starts again with them, and without memory for them it goes on until its time is over. */
START_TEST(a_search_starts_again_with_larger_tables)
{
	check_growing(LARGER_BYTES, 1, SOLVE_COMPLETE, "larger");
	check_growing(LARGER_BYTES, 2, SOLVE_COMPLETE, "larger");
	check_growing(LARGER_BYTES - 1, 1, SOLVE_STOPPED, "small");
}
END_TEST

/* So does the time end making a goal's tables, and whatever stops the search. */
START_TEST(a_goal_is_not_made_beyond_the_deadline)
{
	const struct cube_named *named = cube_named_find("f2l", 3);
	void *memory = malloc(cube_named_bytes(named, 3));
	const struct solve_goal goal = {.query = cube_named_make(named, 3, memory)};
	struct solve_question question = ask("two_phase", 10);
	static const struct {
		uint64_t due_ns;
		bool stopped, over;
	} rows[] = {{0, false, true}, {UINT64_MAX, true, true}, {UINT64_MAX, false, false}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const atomic_bool stop = rows[i].stopped;
		const struct table_cache_deadline deadline = {rows[i].due_ns, &stop};
		bool over = !rows[i].over;
		size_t bytes;
		struct cube_goal *made = solve_goal_make(&goal, question.cube, CUBE_SOLVE_HTM,
							 &deadline, &bytes, &over);
		ck_assert_int_eq(over, rows[i].over);
		ck_assert_int_eq(made == NULL, rows[i].over);
		free(made);
	}
	solve_question_free(&question);
	free(memory);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	table_cache = table_cache_create(NULL, false, SIZE_MAX);
	Suite *suite = suite_create("solve ends");
	TCase *tests = tcase_create("solve ends");
	tcase_set_timeout(tests, 180);
	tcase_add_test(tests, max_length_ends_a_search);
	tcase_add_test(tests, several_of_max_length_end_a_search);
	tcase_add_test(tests, many_cubes_have_20_turns_each);
	tcase_add_test(tests, the_usual_answer_has_20_turns);
	tcase_add_test(tests, a_symmetric_cube_takes_no_longer);
	tcase_add_test(tests, a_length_is_searched_for_as_long_as_it_takes);
	tcase_add_test(tests, less_time_is_not_complete);
	tcase_add_test(tests, without_tables_a_feed_is_not_complete);
	tcase_add_test(tests, known_moves_that_are_enough_need_no_search);
	tcase_add_test(tests, a_search_starts_again_with_larger_tables);
	tcase_add_test(tests, a_goal_is_not_made_beyond_the_deadline);
	suite_add_tcase(suite, tests);
	const int status = run_suite(suite, 10);
	table_cache_destroy(table_cache);
	return status;
}
