/* test_pack_outer_turns.c: turns in base 18: every number of turns there and back, and what is not such a number.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/history/pack_outer_turns.h"
#include "server/history/history.h"

#define TURNS_MAX 64

static void random_turns(struct cube_turn *turns, size_t count)
{
	static const int8_t quarters[] = {1, 2, -1};
	for (size_t i = 0; i < count; i++)
		turns[i] = (struct cube_turn){.face = (uint8_t)(rand() % 6),
					      .from = 1,
					      .to = 1,
					      .quarters = quarters[rand() % 3],
					      .style = CUBE_STYLE_LAYERS};
}

START_TEST(there_and_back)
{
	struct cube_turn turns[TURNS_MAX], read[TURNS_MAX];
	size_t count = (size_t)_i;
	for (int round = 0; round < 200; round++) {
		/* The memory has exactly their length, so that a byte too far is noticed. */
		uint8_t *bytes = malloc(outer_turns_bytes(count) + (count == 0));
		random_turns(turns, count);
		ck_assert(outer_turns_fits(turns, count));
		outer_turns_pack(turns, count, bytes);
		ck_assert(outer_turns_unpack(bytes, count, read));
		for (size_t i = 0; i < count; i++)
			ck_assert_mem_eq(&turns[i], &read[i], sizeof turns[i]);
		free(bytes);
	}
}
END_TEST

START_TEST(numbers_too_large_are_refused)
{
	struct cube_turn read[TURNS_MAX];
	uint8_t bytes[TURNS_MAX];
	memset(bytes, 0xff, sizeof bytes);
	for (size_t count = 1; count < TURNS_MAX; count++)
		ck_assert(!outer_turns_unpack(bytes, count, read));
	/* 18 is not a digit. */
	bytes[0] = 18;
	ck_assert(!outer_turns_unpack(bytes, 1, read));
	bytes[0] = 17;
	ck_assert(outer_turns_unpack(bytes, 1, read));
}
END_TEST

START_TEST(other_turns_do_not_fit)
{
	struct cube_turn turn;
	random_turns(&turn, 1);
	struct cube_turn wide = turn, inner = turn, none = turn, back = turn, middle = turn;
	wide.to = 2;
	inner.from = inner.to = 2;
	none.quarters = 0;
	back.quarters = -2;
	middle.style = CUBE_STYLE_MIDDLE;
	ck_assert(outer_turns_fits(&turn, 1));
	ck_assert(!outer_turns_fits(&wide, 1));
	ck_assert(!outer_turns_fits(&inner, 1));
	ck_assert(!outer_turns_fits(&none, 1));
	ck_assert(!outer_turns_fits(&back, 1));
	ck_assert(!outer_turns_fits(&middle, 1));
}
END_TEST

START_TEST(twenty_turns_take_eleven_bytes_and_a_head)
{
	struct cube_turn turns[20];
	uint8_t bytes[128];
	random_turns(turns, 20);
	struct entry entry = {.revision = 1,
			      .restores = HISTORY_NONE,
			      .has_turns = true,
			      .turn_count = 20,
			      .turns = turns,
			      .time_ms = 1000};
	ck_assert_uint_le(entry_pack(&entry, 3, 900, bytes), 14);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dense");
	TCase *tests = tcase_create("dense");
	tcase_add_loop_test(tests, there_and_back, 0, TURNS_MAX);
	tcase_add_test(tests, numbers_too_large_are_refused);
	tcase_add_test(tests, other_turns_do_not_fit);
	tcase_add_test(tests, twenty_turns_take_eleven_bytes_and_a_head);
	suite_add_tcase(suite, tests);
	return run_suite(suite, TURNS_MAX + 3);
}
