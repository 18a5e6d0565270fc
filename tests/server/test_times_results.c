/* test_times_results.c: results and averages by the regulations, and what a last state is worth. */
#include "tests/server/run.h"

#include "cube/libcube.h"
#include "server/modules/times/judge.h"
#include "server/modules/times/files/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S(x) ((int64_t)((x)*1000 + 0.5))
#define DNF TIME_DNF

/* ---- results ---- */

START_TEST(results_are_cut_and_rounded)
{
	static const struct {
		int64_t time_ms, penalty_ms, result;
		const char *text;
	} rows[] = {
		{9999, 0, 9990, "9.99"}, /* 9f1: cut, not rounded */
		{12340, 0, 12340, "12.34"},
		{12349, PENALTY_TWO, 14340, "14.34"},
		{0, 0, 0, "0.00"},
		{62345, 0, 62340, "1:02.34"},
		{599999, 0, 599990, "9:59.99"}, /* under 10 minutes */
		{600499, 0, 600000, "10:00"},   /* 9f2: to the nearest second */
		{600500, 0, 601000, "10:01"},
		{599500, PENALTY_TWO, 602000, "10:02"},
		{3599499, 0, 3599000, "59:59"},
		{3599500, 0, 3600000, "1:00:00"},
		{36000000, 2 * PENALTY_TWO, 36004000, "10:00:04"},
		{12340, PENALTY_DNF, DNF, "DNF"},
		{TIME_NONE, PENALTY_DNF, DNF, "DNF"},
		{TIME_NONE, 0, TIME_NONE, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[TIME_TEXT_MAX];
		int64_t result = time_result(rows[i].time_ms, rows[i].penalty_ms);
		ck_assert_int_eq(result, rows[i].result);
		time_print(result, text);
		ck_assert_str_eq(text, rows[i].text);
	}
	ck_assert_int_eq(penalty_add(2000, 2000), 4000);
	ck_assert_int_eq(penalty_add(2000, PENALTY_DNF), PENALTY_DNF);
	ck_assert_int_eq(penalty_of_inspection(14999), 0);
	ck_assert_int_eq(penalty_of_inspection(15000), PENALTY_TWO);
	ck_assert_int_eq(penalty_of_inspection(16999), PENALTY_TWO);
	ck_assert_int_eq(penalty_of_inspection(17000), PENALTY_DNF);
}
END_TEST

/* ---- averages ---- */

static struct averages averages_of(const int64_t *results, size_t count, unsigned of, unsigned trim)
{
	int64_t sorted[AVERAGE_MAX];
	struct averaging averaging;
	averaging_begin(&averaging, of, trim, sorted);
	averaging_go_on(&averaging, results, count);
	return averaging.averages;
}

START_TEST(averages_of_five)
{
	static const struct {
		int64_t results[5], average;
	} rows[] = {
		/* by hand: 19.85 / 3 and 15.68 / 3 */
		{{S(7.16), S(7.58), S(6.31), S(6.38), S(6.26)}, S(6.62)},
		{{S(5.53), S(5.28), S(4.68), S(5.27), S(5.13)}, S(5.23)},
		/* halves up: 10.005 */
		{{S(10.00), S(10.00), S(10.015), S(1.00), S(99.00)}, S(10.01)},
		{{S(10.00), S(10.01), S(10.01), S(1.00), S(99.00)}, S(10.01)},
		{{S(10.00), S(10.00), S(10.01), S(1.00), S(99.00)}, S(10.00)},
		/* one DNF is the worst, two are one too many */
		{{S(9), DNF, S(10), S(11), S(12)}, S(11)},
		{{S(9), DNF, S(10), DNF, S(12)}, DNF},
		{{DNF, DNF, DNF, DNF, DNF}, DNF},
		/* 9f2 for averages: 10:00.50 to the nearest second */
		{{600000, 601000, 600000, 1, DNF}, 600000},
		{{600000, 601000, 601000, 1, DNF}, 601000},
		{{599990, 600000, 600000, 1, DNF}, 600000},
		{{599980, 599990, 600000, 1, DNF}, 599990},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct averages averages = averages_of(rows[i].results, 5, 5, 1);
		ck_assert_msg(averages.current == rows[i].average, "row %zu: %lld", i,
			      (long long)averages.current);
		ck_assert_int_eq(averages.best, rows[i].average);
	}
	ck_assert_int_eq(averages_of(rows[0].results, 4, 5, 1).current, TIME_NONE);
	ck_assert_int_eq(averages_of(rows[0].results, 4, 5, 1).best, TIME_NONE);
}
END_TEST

START_TEST(means_leave_nothing_out)
{
	const int64_t three[] = {S(10.00), S(11.00), S(12.01)}, failed[] = {S(1), DNF, S(2)};
	const int64_t none[] = {DNF, DNF};
	ck_assert_int_eq(averages_of(three, 3, 3, 0).current, S(11.00)); /* 11.0033 */
	ck_assert_int_eq(averages_of(failed, 3, 3, 0).current, DNF);
	ck_assert_int_eq(mean_of(three, 3), S(11.00));
	ck_assert_int_eq(mean_of(failed, 3), S(1.50));
	ck_assert_int_eq(mean_of(none, 2), TIME_NONE);
	ck_assert_int_eq(mean_of(none, 0), TIME_NONE);
	ck_assert_uint_eq(average_trim(5), 1);
	ck_assert_uint_eq(average_trim(12), 1);
	ck_assert_uint_eq(average_trim(50), 3); /* 5 %, rounded up */
	ck_assert_uint_eq(average_trim(100), 5);
	ck_assert_uint_eq(average_trim(1000), 50);
}
END_TEST

static int by_result(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	if (x == DNF || y == DNF)
		return (x == DNF) - (y == DNF);
	return (x > y) - (x < y);
}

/* By the words of the regulations, with a sort for each window. */
static int64_t plain_average(const int64_t *results, unsigned of, bool mean)
{
	int64_t sorted[AVERAGE_MAX], sum = 0;
	memcpy(sorted, results, of * sizeof *results);
	qsort(sorted, of, sizeof *sorted, by_result);
	unsigned out = 0; /* the least number that is 5 % of them or more */
	while (!mean && 100 * out < 5 * of)
		out++;
	for (unsigned i = out; i < of - out; i++) {
		if (sorted[i] == DNF)
			return DNF;
		sum += sorted[i];
	}
	return (int64_t)((double)sum / (of - 2 * out) / 10 + 0.5) * 10;
}

#define ROLLED 1400

static void check_rolling(const int64_t *results, unsigned of, bool mean)
{
	int64_t sorted[AVERAGE_MAX], best = TIME_NONE;
	struct averaging averaging;
	averaging_begin(&averaging, of, mean ? 0 : average_trim(of), sorted);
	for (size_t count = 1; count <= ROLLED; count++) {
		averaging_go_on(&averaging, results, count);
		const struct averages averages = averaging.averages;
		const int64_t now =
			count < of ? TIME_NONE : plain_average(results + count - of, of, mean);
		best = best < 0 || (now >= 0 && now < best) ? now : best;
		ck_assert_msg(averages.current == now, "%u, mean %d, %zu results: %lld, not %lld",
			      of, mean, count, (long long)averages.current, (long long)now);
		ck_assert_int_eq(averages.best, best);
		if (best >= 0)
			ck_assert_int_eq(plain_average(results + averages.best_from, of, mean),
					 best);
	}
}

START_TEST(rolling_averages_are_those_of_each_window)
{
	static const unsigned averages[] = {5, 7, 12, 20, 21, 50, 100, 1000}, means[] = {2, 3, 10};
	/* With hardly any DNF, and with so many that some averages are DNF. */
	for (int rarity = 12; rarity <= 300; rarity *= 5) {
		int64_t results[ROLLED];
		srandom(7);
		for (int i = 0; i < ROLLED; i++)
			results[i] = random() % rarity == 0 ? DNF : 8000 + random() % 500 * 10;
		for (size_t i = 0; i < sizeof averages / sizeof averages[0]; i++)
			check_rolling(results, averages[i], false);
		for (size_t i = 0; i < sizeof means / sizeof means[0]; i++)
			check_rolling(results, means[i], true);
	}
}
END_TEST

/* ---- the last state ---- */

static int64_t judged(const char *moves, int size)
{
	struct cube_node nodes[64];
	struct cube_alg alg;
	struct cube_error error;
	struct cube *cube = malloc(cube_bytes(size)), *before = malloc(cube_bytes(size));
	ck_assert(cube && before);
	ck_assert_uint_lt(cube_parse_nodes(moves, strlen(moves)), 64);
	ck_assert_int_eq(
		cube_parse(moves, strlen(moves), size, CUBE_DIALECT_SIGN, nodes, &alg, &error),
		CUBE_OK);
	cube_init(cube, size);
	cube_alg_apply(cube, &alg, NULL);
	cube_copy(before, cube);
	int64_t penalty = judge_state(cube);
	ck_assert(cube_equal(cube, before));
	free(cube);
	free(before);
	return penalty;
}

START_TEST(last_states_are_judged)
{
	static const struct {
		const char *moves;
		int size;
		int64_t penalty;
	} rows[] = {
		{"", 3, 0},
		{"x y'", 3, 0},
		{"R", 3, PENALTY_TWO},
		{"D2", 3, PENALTY_TWO},
		{"y B' x", 3, PENALTY_TWO},
		{"Rw", 3, PENALTY_TWO},
		{"M", 3, PENALTY_DNF}, /* an inner slice is two moves */
		{"R L", 3, PENALTY_DNF},
		{"R U", 3, PENALTY_DNF},
		{"U'", 2, PENALTY_TWO},
		{"Rw2", 4, PENALTY_TWO},
		{"2R", 4, PENALTY_DNF},
		{"3Uw", 7, PENALTY_TWO},
		{"4Uw", 7, PENALTY_TWO}, /* 3Dw and a rotation */
		{"3U", 7, PENALTY_DNF},
		{"50Rw'", 100, PENALTY_TWO},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		ck_assert_msg(judged(rows[i].moves, rows[i].size) == rows[i].penalty, "%s on %d",
			      rows[i].moves, rows[i].size);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("times_results");
	TCase *plain = tcase_create("times_results");
	tcase_set_timeout(plain, 60);
	tcase_add_test(plain, results_are_cut_and_rounded);
	tcase_add_test(plain, averages_of_five);
	tcase_add_test(plain, means_leave_nothing_out);
	tcase_add_test(plain, rolling_averages_are_those_of_each_window);
	tcase_add_test(plain, last_states_are_judged);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 5);
}
