/* test_stored_answers.c: a solver's answer is found again for the cube in all its 24 ways to be
 * held, and for no other; on both stores. */
#include "tests/server/run.h"

#include "cube/libcube.h"
#include "server/search/stored_answers.h"
#include "tests/server/store_fixture.h"

#include <stdlib.h>
#include <string.h>

static struct cube *new_cube(int size)
{
	struct cube *cube = malloc(cube_bytes(size));
	ck_assert_ptr_nonnull(cube);
	cube_init(cube, size);
	return cube;
}

/* Turns of random layers. */
static size_t random_turns(int size, struct cube_turn *turns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int from = 1 + (int)(random() % (size - 1)),
		    to = from + (int)(random() % (size - from));
		turns[i] = cube_turn_make(size, (int)(random() % 6), from, to,
					  random() % 3 - 1 + (random() % 2) * 3);
	}
	return count;
}

static void keep(struct store_fixture *fixture, const struct cube *cube, const char *method,
		 const struct cube_turn *turns, size_t count)
{
	struct arena arena = {0};
	struct stored_answer answer;
	ck_assert(stored_answer_make(&answer, cube, method, turns, count, 7, &arena));
	struct pending_write *pending = pending_write_of(fixture, WRITE_ANSWER, 0);
	pending->write.answer = &answer;
	ck_assert_int_eq(fixture_do(fixture, pending), STORE_OK);
	arena_finish(&arena);
}

static bool is_kept(struct store_fixture *fixture, const struct cube *cube, const char *method,
		    size_t length)
{
	struct arena arena = {0};
	struct cube_turn *turns;
	size_t count;
	enum store_status status = stored_answer_find(fixture->store, fixture->reader, cube, method,
						      &arena, &turns, &count);
	if (status == STORE_OK) {
		struct cube *copy = new_cube(cube->size);
		cube_copy(copy, cube);
		cube_turn_all(copy, turns, count);
		ck_assert(cube_is_solved(copy));
		ck_assert_uint_eq(count, length);
		free(copy);
	} else {
		ck_assert_int_eq(status, STORE_NOT_FOUND);
	}
	arena_finish(&arena);
	return status == STORE_OK;
}

START_TEST(found_however_it_is_held)
{
	static const int sizes[] = {2, 3, 4, 5, 7, 20};
	struct store_fixture fixture;
	srandom(11);
	fixture_init(&fixture, fixture_stores[_i]);
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
		const int size = sizes[s];
		struct cube_turn turns[12], back[12];
		struct cube *cube = new_cube(size), *held = new_cube(size), *other = new_cube(size);
		const size_t count = random_turns(size, turns, 12);
		cube_turn_all(cube, turns, count);
		for (size_t i = 0; i < count; i++)
			back[i] = cube_turn_inverse(turns[count - 1 - i]);
		ck_assert(!is_kept(&fixture, cube, "m", count));
		keep(&fixture, cube, "m", back, count);
		for (int hold = 0; hold < CUBE_HOLDS; hold++) {
			cube_hold_turn(held, cube, hold);
			ck_assert_msg(is_kept(&fixture, held, "m", count), "size %d, hold %d", size,
				      hold);
			ck_assert(!is_kept(&fixture, held, "other", count));
		}
		cube_copy(other, cube);
		cube_turn(other, cube_turn_make(size, CUBE_R, 1, 1, 1));
		ck_assert(!is_kept(&fixture, other, "m", count));
		free(cube);
		free(held);
		free(other);
	}
	fixture_finish(&fixture);
}
END_TEST

START_TEST(a_shorter_one_takes_its_place)
{
	struct store_fixture fixture;
	struct cube *cube = new_cube(3), *held = new_cube(3);
	const struct cube_turn turn = cube_turn_make(3, CUBE_R, 1, 1, 1);
	const struct cube_turn slow[] = {turn, turn, turn}, quick[] = {cube_turn_inverse(turn)};
	fixture_init(&fixture, fixture_stores[_i]);
	cube_turn(cube, turn);
	keep(&fixture, cube, "m", slow, 3);
	ck_assert(is_kept(&fixture, cube, "m", 3));
	cube_hold_turn(held, cube, 17);
	struct cube_turn over = quick[0];
	/* The turn of the face that R is at now. */
	for (int face = 0; face < CUBE_FACES; face++)
		if (cube_color_at(held, (size_t)face * 9 + 4) == CUBE_R)
			over = cube_turn_make(3, face, 1, 1, -1);
	keep(&fixture, held, "m", &over, 1);
	ck_assert(is_kept(&fixture, cube, "m", 1));
	/* A solved cube has the empty one. */
	cube_init(cube, 3);
	keep(&fixture, cube, "m", quick, 0);
	ck_assert(is_kept(&fixture, cube, "m", 0));
	free(cube);
	free(held);
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solve answers");
	TCase *plain = tcase_create("solve answers");
	tcase_set_timeout(plain, 60);
	tcase_add_loop_test(plain, found_however_it_is_held, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, a_shorter_one_takes_its_place, 0, FIXTURE_STORES);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 2 * FIXTURE_STORES);
}
