/* test_timed.c: moves with times are read and printed, and faults of them have their place. */
#include "tests/server/run.h"

#include "cube/libcube.h"
#include "server/times/timed.h"

#include <string.h>

struct reading {
	struct cube_node nodes[256];
	uint32_t times[256];
	struct cube_alg alg;
	bool timed;
	struct cube_error error;
};

static enum cube_error_code read_timed(struct reading *reading, const char *text, int size)
{
	ck_assert_uint_lt(cube_parse_nodes(text, strlen(text)), 256);
	return timed_parse(text, strlen(text), size, CUBE_DIALECT_SIGN, reading->nodes,
			   &reading->alg, reading->times, &reading->timed, &reading->error);
}

START_TEST(timed_moves_are_read)
{
	static const struct {
		const char *text, *printed;
	} rows[] = {
		{"R@0 U@120 R'@205 U2'@205", "R@0 U@120 R'@205 U2'@205"},
		{"R@7U2@9x@10", "R@7 U2@9 x@10"},
		{"\n M'@1 // a@b, @9\n/* @1 */ y@2\t", "M'@1 y@2"},
		{"R@3600000000", "R@3600000000"},
		{"x0@1 R@2 U4@3 R'@4 y0@5", "R@2 R'@4"},
		{"R0@5", ""},
	};
	struct reading reading;
	char text[256];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_int_eq(read_timed(&reading, rows[i].text, 3), CUBE_OK);
		ck_assert(reading.timed);
		struct cube_turn turns[16];
		size_t count;
		ck_assert(cube_alg_expand(&reading.alg, 16, turns, &count));
		size_t length = timed_print(3, turns, reading.times, count, text);
		ck_assert_str_eq(text, rows[i].printed);
		ck_assert_uint_eq(length, strlen(text));
		ck_assert_uint_le(length + 1, timed_text_max(count));
	}
	ck_assert_int_eq(read_timed(&reading, "(R U)3 // @5", 3), CUBE_OK);
	ck_assert(!reading.timed);
	ck_assert_uint_eq(reading.alg.count, 3);
	ck_assert_int_eq(read_timed(&reading, "", 3), CUBE_OK);
	ck_assert(!reading.timed);
}
END_TEST

START_TEST(faults_of_timed_moves_have_their_place)
{
	static const struct {
		const char *text;
		enum cube_error_code code;
		size_t offset, length;
	} rows[] = {
		{"R@0 Q@120", CUBE_ERROR_MOVE, 4, 1},
		{"R@0 U@", CUBE_ERROR_TIME, 5, 1},
		{"R@0 U@x", CUBE_ERROR_TIME, 5, 1},
		{"R@0 U@1.5", CUBE_ERROR_TIME, 5, 2},
		{"R@9 U@3", CUBE_ERROR_TIME_BACK, 5, 2},
		{"R@3600000001", CUBE_ERROR_AMOUNT_LARGE, 1, 11},
		{"R@99999999999999999999", CUBE_ERROR_AMOUNT_LARGE, 1, 11},
		{"@5 R", CUBE_ERROR_TIME_ALONE, 0, 1},
		{"R@0 @5", CUBE_ERROR_TIME_ALONE, 4, 1},
		{"R U@5", CUBE_ERROR_TIME_MISSING, 0, 3},
		{"R@0 U", CUBE_ERROR_TIME_MISSING, 3, 2},
		{"(R)2@4", CUBE_ERROR_TIME_ALONE, 0, 4},
		{"R@0 (U@3)", CUBE_ERROR_BRACKET_OPEN, 4, 1},
		{"R@0 4U@3", CUBE_ERROR_LAYER, 4, 2},
	};
	struct reading reading;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		enum cube_error_code code = read_timed(&reading, rows[i].text, 3);
		ck_assert_msg(code == rows[i].code, "%s: %d", rows[i].text, (int)code);
		ck_assert_int_eq(reading.error.code, code);
		ck_assert_msg(reading.error.offset == rows[i].offset &&
				      reading.error.length == rows[i].length,
			      "%s: %zu + %zu", rows[i].text, reading.error.offset,
			      reading.error.length);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timed");
	TCase *plain = tcase_create("timed");
	tcase_set_timeout(plain, 60);
	tcase_add_test(plain, timed_moves_are_read);
	tcase_add_test(plain, faults_of_timed_moves_have_their_place);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 2);
}
