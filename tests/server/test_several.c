/* test_several.c: several solutions of a cube: all of a length before any that is longer, against all
 * ways tried; and the session's own moves among them. */
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "run.h"
#include "server/search/answer.h"
#include "server/util/log.h"

#define WANTED 12

static struct table_cache *table_cache;

/* Solutions of each length that go on from `turns`, with `left` to go; opposite faces in one order. */
static unsigned tried(struct cube *cube, int faces, int before, int left)
{
	unsigned count = 0;
	if (left == 0 || cube_is_solved(cube))
		return left == 0 && cube_is_solved(cube);
	for (int face = 0; face < faces; face++) {
		if (before >= 0 && before % 3 == face % 3 && before >= face)
			continue;
		for (int quarters = 1; quarters <= 4; quarters++) {
			cube_turn(cube, cube_turn_make(cube->size, face, 1, 1, 1));
			if (quarters < 4)
				count += tried(cube, faces, face, left - 1);
		}
	}
	return count;
}

static void turn(struct cube *cube, int face, int quarters)
{
	cube_turn(cube, cube_turn_make(cube->size, face, 1, 1, quarters));
}

static void answer_of(struct solve_question *question, unsigned solutions,
		      struct solve_answer *answer)
{
	atomic_bool stop = false;
	struct solve_progress progress = {.best = -1};
	const struct solve_control control = {
		.stop = &stop, .progress = &progress, .threads = 1, .waits = true};
	question->solutions = solutions;
	question->timeout_ms = 60000;
	ck_assert_int_eq(solve_answer(table_cache, question, &control, answer), SOLVE_COMPLETE);
	for (unsigned i = 1; i < answer->count; i++)
		ck_assert_int_ge(answer->found[i].length, answer->found[i - 1].length);
}

static void answer(struct solve_question *question, struct solve_answer *answer)
{
	answer_of(question, WANTED, answer);
}

/* Checks the number of solutions of each length: none is left out, except of the last one. */
static void check(const struct solve_question *question, const struct solve_answer *answer,
		  int longest)
{
	const int faces = question->cube->size == 2 ? 3 : 6;
	unsigned told = 0;
	for (int length = answer->found[0].length; length <= longest; length++) {
		const unsigned there = tried(question->cube, faces, -1, length);
		unsigned now = 0;
		for (unsigned i = 0; i < answer->count; i++)
			now += answer->found[i].length == length;
		const unsigned room = WANTED - told;
		ck_assert_msg(now == (there < room ? there : room),
			      "%u of %u solutions of %d turns, room for %u", now, there, length,
			      room);
		told += now;
	}
	for (unsigned i = 0; i < answer->tallies; i++) {
		const struct solve_tally *tally = &answer->tally[i];
		const int length = answer->found[0].length + (int)i;
		ck_assert_int_eq(tally->length, length);
		/* All of the shortest are counted, even if there is no room for them. */
		ck_assert(tally->exhausted || (i > 0 && i + 1 == answer->tallies));
		if (length <= longest && tally->exhausted)
			ck_assert_uint_eq(tally->count, tried(question->cube, faces, -1, length));
	}
	ck_assert_uint_gt(answer->tallies, 0);
}

static struct solve_question ask(const char *method, int size)
{
	struct solve_question question = {.solver = cube_solver_find(method, strlen(method), size),
					  .cube = malloc(cube_bytes(size))};
	cube_init(question.cube, size);
	return question;
}

START_TEST(none_is_left_out_that_is_shorter)
{
	unsigned seed = 5;
	for (int round = 0; round < 40; round++) {
		struct solve_question question = ask("optimal", 2);
		struct solve_answer answers;
		for (int i = 0; i < 2 + round % 4; i++)
			turn(question.cube, (i + round) % 3, 1 + rand_r(&seed) % 3);
		answer(&question, &answers);
		if (answers.found[0].length > 0)
			check(&question, &answers, answers.found[0].length + 2);
		solve_answer_free(&answers);
		solve_question_free(&question);
	}
}
END_TEST

/* Also near the solved cube by a method that proves nothing. */
START_TEST(near_ones_by_two_phase)
{
	for (int round = 0; round < 4; round++) {
		struct solve_question question = ask("two_phase", 3);
		struct solve_answer answers;
		turn(question.cube, CUBE_R, 2);
		turn(question.cube, CUBE_L, round % 2 ? 2 : 1);
		turn(question.cube, CUBE_U, 2);
		turn(question.cube, CUBE_D, round < 2 ? 2 : 1);
		turn(question.cube, CUBE_F, round + 1);
		turn(question.cube, CUBE_B, 2);
		answer(&question, &answers);
		check(&question, &answers, answers.found[0].length);
		solve_answer_free(&answers);
		solve_question_free(&question);
	}
}
END_TEST

/* The solution known from a session's moves displaces none of the others if there is room. */
START_TEST(known_moves_stand_among_the_others)
{
	for (int more = 0; more < 2; more++) {
		struct solve_question question = ask("two_phase", 3);
		struct solve_answer answers;
		unsigned seed = 8;
		struct cube_turn back[20];
		const size_t count = more ? 20 : 12;
		for (size_t i = 0; i < count; i++) {
			back[count - 1 - i] =
				cube_turn_make(3, (int)(i * 2 % 5), 1, 1, 1 + rand_r(&seed) % 2);
			cube_turn(question.cube, back[count - 1 - i]);
			back[count - 1 - i] = cube_turn_inverse(back[count - 1 - i]);
		}
		answer(&question, &answers);
		const unsigned before = answers.count;
		const int shortest = answers.found[0].length;
		solve_answer_free(&answers);
		question.known.turns = malloc(sizeof back);
		memcpy(question.known.turns, back, sizeof back);
		question.known.count = count;
		answer(&question, &answers);
		ck_assert_uint_ge(answers.count, before);
		int known = 0, same = 0;
		for (unsigned i = 0; i < answers.count; i++) {
			known += answers.found[i].count == count;
			same += answers.found[i].length == shortest;
		}
		ck_assert(answers.known == (answers.found[0].length < shortest));
		ck_assert_int_ge(known, 1);
		ck_assert_int_ge(same, before < WANTED);
		solve_answer_free(&answers);
		solve_question_free(&question);
	}
}
END_TEST

/* The steps of a method with stages are counted in turns: a lesson stays as the method made it. */
START_TEST(lessons_stay_as_they_are)
{
	unsigned seed = 9;
	for (int round = 0; round < 20; round++) {
		struct solve_question question = ask("beginner", 3);
		struct cube_turn turns[1000];
		struct cube_solution made = {.turns = turns, .room = 1000};
		struct solve_answer answers;
		for (int i = 0; i < 20; i++)
			turn(question.cube, rand_r(&seed) % 6, 1 + rand_r(&seed) % 3);
		const struct cube_solve_task task = {.cube = question.cube};
		ck_assert_uint_le(question.solver->room(3), made.room);
		(void)question.solver->solve(NULL, &task, &made);
		answer_of(&question, 1, &answers);
		ck_assert_uint_eq(answers.found[0].count, made.count);
		for (size_t i = 0; i < made.count; i++)
			ck_assert(answers.found[0].turns[i].face == turns[i].face &&
				  answers.found[0].turns[i].quarters == turns[i].quarters);
		solve_answer_free(&answers);
		solve_question_free(&question);
	}
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	table_cache = table_cache_create(NULL, false, SIZE_MAX);
	Suite *suite = suite_create("several");
	TCase *tests = tcase_create("several");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, none_is_left_out_that_is_shorter);
	tcase_add_test(tests, near_ones_by_two_phase);
	tcase_add_test(tests, known_moves_stand_among_the_others);
	tcase_add_test(tests, lessons_stay_as_they_are);
	suite_add_tcase(suite, tests);
	const int status = run_suite(suite, 4);
	table_cache_destroy(table_cache);
	return status;
}
