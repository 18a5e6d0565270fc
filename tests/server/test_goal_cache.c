/* test_goal_cache.c: the tables of a named goal are made once. Counted, not timed. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "cube/goals.h"
#include "cube/libcube.h"
#include "server/search/answer.h"
#include "server/search/goal_cache.h"
#include "server/util/log.h"

static const atomic_bool go_on;
static const struct table_cache_deadline no_deadline = {UINT64_MAX, &go_on};

/* The goal as a request has it; free() the memory. */
static struct solve_goal goal_at(const char *name, const char *place, void **memory)
{
	const struct cube_goal_row *row = cube_goal_find(name, strlen(name));
	struct solve_goal goal = {.named = cube_named_find(row->pattern, strlen(row->pattern))};
	goal.fits = place ? cube_goal_fits(row, place, strlen(place)) : 0;
	*memory = malloc(solve_goal_query_bytes(goal.named, 3));
	goal.query = solve_goal_query(goal.named, goal.fits, 3, *memory);
	return goal;
}

static struct cube *turned(const char *moves)
{
	struct cube *cube = malloc(cube_bytes(3));
	cube_init(cube, 3);
	for (; *moves; moves++)
		cube_turn(cube,
			  cube_turn_make(3, (int)(strchr("URFDLB", *moves) - "URFDLB"), 1, 1, 1));
	return cube;
}

/* Takes a goal and gives it back; returns its tables, to be compared only. */
static const struct cube_goal *use(struct kept_cache *cache, const struct solve_goal *goal,
				   const struct cube *cube, enum cube_solve_metric metric)
{
	bool over;
	struct kept *kept = goal_cache_take(cache, goal, cube, metric, &no_deadline, &over);
	ck_assert_ptr_nonnull(kept);
	const struct cube_goal *tables = kept_goal_tables(kept);
	kept_cache_release(cache, kept);
	return tables;
}

static const struct cube_goal *use_named(struct kept_cache *cache, const char *name,
					 const char *place)
{
	void *memory;
	const struct solve_goal goal = goal_at(name, place, &memory);
	struct cube *cube = turned("RUF");
	const struct cube_goal *tables = use(cache, &goal, cube, CUBE_SOLVE_HTM);
	free(cube);
	free(memory); /* the cache has a query of its own */
	return tables;
}

START_TEST(a_named_goal_is_made_once)
{
	struct kept_cache *cache = goal_cache_create(GOAL_CACHE_BYTES);
	const struct cube_goal *first = use_named(cache, "cross", "D");
	ck_assert_uint_eq(kept_cache_count(cache).made, 1);
	ck_assert_uint_gt(kept_cache_count(cache).bytes, 100000);
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_eq(use_named(cache, "cross", "D"), first);
	ck_assert_uint_eq(kept_cache_count(cache).made, 1);
	ck_assert_uint_eq(kept_cache_count(cache).kept, 1);
	kept_cache_destroy(cache);
}
END_TEST

/* Each part of the key counts. */
START_TEST(another_goal_is_made_anew)
{
	struct kept_cache *cache = goal_cache_create(GOAL_CACHE_BYTES);
	static const struct cube_turn generators[] = {
		{CUBE_R, 1, 1, 1, 0}, {CUBE_U, 1, 1, 1, 0}, {CUBE_R, 1, 1, 2, 0}};
	unsigned made = 0;
	void *memory;
	struct solve_goal goal = goal_at("eo", "ud", &memory);
	struct cube *cube = turned("RUF"), *held = turned("RUF");
	cube_turn(held, cube_turn_make(3, CUBE_U, 1, 3, 1));
	const struct solve_goal niss = {
		.query = goal.query, .named = goal.named, .fits = goal.fits, .niss = true};
	for (int round = 0; round < 2; round++) {
		use_named(cache, "eo", NULL);
		use_named(cache, "eo", "fb");
		use(cache, &goal, cube, CUBE_SOLVE_HTM);
		use(cache, &goal, cube, CUBE_SOLVE_QTM);
		use(cache, &goal, held, CUBE_SOLVE_HTM);
		use(cache, &niss, cube, CUBE_SOLVE_HTM);
		for (size_t i = 0; i < 2; i++) {
			struct solve_goal by = goal;
			by.generators = generators + i;
			by.generator_count = 2;
			use(cache, &by, cube, CUBE_SOLVE_HTM);
		}
		made = round == 0 ? kept_cache_count(cache).made : made;
		ck_assert_uint_eq(made, 8);
		ck_assert_uint_eq(kept_cache_count(cache).made, 8);
	}
	free(cube);
	free(held);
	free(memory);
	kept_cache_destroy(cache);
}
END_TEST

START_TEST(a_goal_without_a_name_is_not_kept)
{
	struct kept_cache *cache = goal_cache_create(GOAL_CACHE_BYTES);
	void *memory;
	struct solve_goal goal = goal_at("eo", "ud", &memory);
	struct cube *cube = turned("RUF");
	goal.named = NULL;
	use(cache, &goal, cube, CUBE_SOLVE_HTM);
	use(cache, &goal, cube, CUBE_SOLVE_HTM);
	ck_assert_uint_eq(kept_cache_count(cache).made, 2);
	ck_assert_uint_eq(kept_cache_count(cache).kept, 0);
	ck_assert_uint_eq(kept_cache_count(cache).bytes, 0);
	free(cube);
	free(memory);
	kept_cache_destroy(cache);
}
END_TEST

/* The least recently used one goes first; one that is in use stays with its users. */
START_TEST(bytes_are_bounded)
{
	struct kept_cache *cache = goal_cache_create(SIZE_MAX);
	void *memory;
	bool over;
	use_named(cache, "cross", "D");
	const size_t each = kept_cache_count(cache).bytes;
	kept_cache_destroy(cache);

	cache = goal_cache_create(2 * each);
	const struct solve_goal goal = goal_at("cross", "D", &memory);
	struct cube *cube = turned("RUF");
	struct kept *held =
		goal_cache_take(cache, &goal, cube, CUBE_SOLVE_HTM, &no_deadline, &over);
	use_named(cache, "cross", "U");
	use_named(cache, "cross", "D"); /* more recently than U */
	use_named(cache, "cross", "F"); /* instead of U */
	ck_assert_uint_eq(kept_cache_count(cache).made, 3);
	ck_assert_uint_eq(kept_cache_count(cache).kept, 2);
	ck_assert_uint_le(kept_cache_count(cache).bytes, 2 * each);
	use_named(cache, "cross", "D");
	ck_assert_uint_eq(kept_cache_count(cache).made, 3);
	use_named(cache, "cross", "U");
	use_named(cache, "cross", "R"); /* D goes, though it is in use */
	ck_assert_uint_eq(kept_cache_count(cache).made, 5);
	struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	void *work = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(cube_goal_work_bytes(3)));
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	const struct cube_solve_task task = {.cube = cube, .work = work};
	ck_assert_int_eq(cube_goal_solve(kept_goal_tables(held), &task, &solution),
			 CUBE_SOLVE_ENOUGH);
	ck_assert_int_eq(solution.length, 2);
	kept_cache_release(cache, held);
	free(work);
	free(cube);
	free(memory);
	kept_cache_destroy(cache);
}
END_TEST

START_TEST(what_the_deadline_ended_is_not_kept)
{
	struct kept_cache *cache = goal_cache_create(GOAL_CACHE_BYTES);
	const struct table_cache_deadline due = {0, &go_on};
	void *memory;
	bool over;
	const struct solve_goal goal = goal_at("cross", "D", &memory);
	struct cube *cube = turned("RUF");
	ck_assert_ptr_null(goal_cache_take(cache, &goal, cube, CUBE_SOLVE_HTM, &due, &over));
	ck_assert(over);
	ck_assert_uint_eq(kept_cache_count(cache).kept, 0);
	use(cache, &goal, cube, CUBE_SOLVE_HTM);
	/* From then on no time is needed. */
	struct kept *kept = goal_cache_take(cache, &goal, cube, CUBE_SOLVE_HTM, &due, &over);
	ck_assert_ptr_nonnull(kept);
	kept_cache_release(cache, kept);
	free(cube);
	free(memory);
	kept_cache_destroy(cache);
}
END_TEST

#define THREADS 4
#define ROUNDS 3

static void *use_many(void *cache)
{
	static const char *const places[] = {"ud", "fb", "rl"};
	for (int i = 0; i < ROUNDS; i++)
		use_named(cache, "eo", places[i % 3]);
	return NULL;
}

/* Two threads may make the same goal; it is kept once. With less room, goals come and go. */
START_TEST(threads_share_goals)
{
	struct kept_cache *cache = goal_cache_create(SIZE_MAX);
	use_named(cache, "eo", "ud");
	const size_t bounds[] = {SIZE_MAX, kept_cache_count(cache).bytes * 3 / 2};
	kept_cache_destroy(cache);
	for (size_t i = 0; i < 2; i++) {
		pthread_t threads[THREADS];
		cache = goal_cache_create(bounds[i]);
		for (int t = 0; t < THREADS; t++)
			ck_assert_int_eq(pthread_create(&threads[t], NULL, use_many, cache), 0);
		for (int t = 0; t < THREADS; t++)
			pthread_join(threads[t], NULL);
		const struct kept_count count = kept_cache_count(cache);
		ck_assert_uint_le(count.bytes, bounds[i]);
		if (i == 0) {
			ck_assert_uint_eq(count.kept, 3);
			ck_assert_uint_le(count.made, 3 * THREADS);
		}
		kept_cache_destroy(cache);
	}
}
END_TEST

/* Requests come to the cache through the cache of tables. */
START_TEST(answers_use_the_cache)
{
	struct table_cache *table_cache = table_cache_create(NULL, false, 0);
	const atomic_bool stop = false;
	void *memory;
	struct solve_goal goal = goal_at("cross", "D", &memory);
	for (unsigned i = 0; i < 3; i++) {
		struct solve_progress progress = {.best = -1};
		const struct solve_control control = {
			.stop = &stop, .progress = &progress, .threads = 1, .waits = true};
		const struct solve_question question = {.solver = &solve_goal_method,
							.cube = turned("RUF"),
							.goal = &goal,
							.solutions = 1 + i,
							.timeout_ms = 600000};
		struct solve_answer answer;
		ck_assert_int_eq(solve_answer(table_cache, &question, &control, &answer),
				 SOLVE_COMPLETE);
		ck_assert_int_eq(answer.found[0].length, 2);
		solve_answer_free(&answer);
		free(question.cube);
	}
	const struct kept_count count = kept_cache_count(table_cache_goals(table_cache));
	ck_assert_uint_eq(count.made, 1);
	ck_assert_uint_eq(table_cache_bytes(table_cache), count.bytes);
	free(memory);
	table_cache_destroy(table_cache);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	Suite *suite = suite_create("goal cache");
	TCase *tests = tcase_create("goal cache");
	tcase_set_timeout(tests, 180);
	tcase_add_test(tests, a_named_goal_is_made_once);
	tcase_add_test(tests, another_goal_is_made_anew);
	tcase_add_test(tests, a_goal_without_a_name_is_not_kept);
	tcase_add_test(tests, bytes_are_bounded);
	tcase_add_test(tests, what_the_deadline_ended_is_not_kept);
	tcase_add_test(tests, threads_share_goals);
	tcase_add_test(tests, answers_use_the_cache);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 7);
}
