/* test_times_known.c: which solves of a file a book has, against a comparison of each with each. */
#include "tests/server/run.h"

#include "server/modules/times/files/known_solves.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MAX 60
#define BOOK_MAX 60
#define UNDATED 1700000009000

static uint64_t random_state;

static unsigned pick(unsigned below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % below;
}

/* Few values each, so that many are the same. */
static struct stored_solve any_solve(void)
{
	static const char *const scrambles[] = {NULL, "", " ", "R U", "R  U ", "\tR\nU", "R", "RU"};
	static const char *const sources[] = {NULL, NULL, "[[0,12340],\"\",\"\",1700000001]",
					      "[[0,12340],\"\"]", "[[0,12340],\"\",\"\",0]"};
	static const int64_t times[] = {SOLVE_UNTIMED, 0, 12340, 12349, 12350};
	struct stored_solve solve = {.created_ms = 1700000000000 + 500 * pick(4),
				     .time_ms = times[pick(5)],
				     .penalty_ms = 2000 * pick(2),
				     .scramble = scrambles[pick(8)],
				     .source = sources[pick(5)]};
	if (pick(5) == 0)
		solve.created_ms = UNDATED;
	return solve;
}

/* The words of a scramble with one space between them. */
static void words_of(const char *text, char *words)
{
	char *at = words;
	for (; text && *text; text++) {
		const bool space = strchr(" \t\n", *text);
		if (!space)
			*at++ = *text;
		else if (at > words && at[-1] != ' ')
			*at++ = ' ';
	}
	while (at > words && at[-1] == ' ')
		at--;
	*at = '\0';
}

/* 0: none; of the sources above. */
static int64_t second_of(const struct stored_solve *solve)
{
	if (!solve->source)
		return solve->created_ms / 1000;
	return strstr(solve->source, "1700000001") ? 1700000001 : 0;
}

static bool is_same(const struct stored_solve *a, const struct stored_solve *b)
{
	char words[2][16];
	words_of(a->scramble, words[0]);
	words_of(b->scramble, words[1]);
	const bool same_time = a->time_ms < 0 || b->time_ms < 0
				       ? a->time_ms == b->time_ms
				       : a->time_ms / 10 == b->time_ms / 10;
	return second_of(a) == second_of(b) && same_time && strcmp(words[0], words[1]) == 0;
}

START_TEST(as_a_comparison_of_each_with_each)
{
	size_t known_count = 0, new_count = 0;
	random_state = 7;
	for (int round = 0; round < 3000; round++) {
		struct stored_solve file[FILE_MAX], book[BOOK_MAX], expected[FILE_MAX];
		bool gone[FILE_MAX] = {false};
		const size_t count = pick(FILE_MAX), in_book = pick(BOOK_MAX);
		size_t left = 0;
		struct known_solves known;
		for (size_t i = 0; i < count; i++)
			file[i] = any_solve();
		for (size_t i = 0; i < in_book; i++)
			book[i] = any_solve();
		for (size_t i = 0; i < in_book; i++)
			for (size_t j = 0; j < count; j++) {
				const bool undated =
					file[j].created_ms == UNDATED && second_of(&file[j]) != 0;
				if (gone[j] || undated || !is_same(&file[j], &book[i]))
					continue;
				gone[j] = true;
				break;
			}
		for (size_t j = 0; j < count; j++)
			if (!gone[j])
				expected[left++] = file[j];
		ck_assert(known_solves_begin(&known, file, count, UNDATED));
		for (size_t i = 0; i < in_book; i++)
			known_solves_mark(&known, &book[i]);
		ck_assert_uint_eq(known_solves_leave_out(&known, file), left);
		for (size_t j = 0; j < left; j++)
			ck_assert_mem_eq(&file[j], &expected[j], sizeof expected[j]);
		known_solves_finish(&known);
		known_count += count - left;
		new_count += left;
	}
	ck_assert_uint_gt(known_count, 10000);
	ck_assert_uint_gt(new_count, 10000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("known solves");
	TCase *tests = tcase_create("known solves");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, as_a_comparison_of_each_with_each);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 1);
}
