/* tests/core/test_write.c: moves written in every dialect, and read again in it. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define TURNS_MAX 400

/* ---- single texts ---- */

static const struct {
	enum cube_dialect dialect;
	int size;
	const char *moves, *written;
} written[] = {
	{CUBE_DIALECT_SIGN, 3, "r U3 R2' M (R U)2", "Rw U' R2' M R U R U"},
	{CUBE_DIALECT_SIGN, 3, "y0 R4 U", "U"},
	{CUBE_DIALECT_INNER, 4, "2R 3Rw 2-3R r2 2L'", "r 3Rw 2-3Rw Rw2 l'"},
	{CUBE_DIALECT_INNER, 3, "2R M", "2R M"},
	{CUBE_DIALECT_WCA, 3, "M R2' E2 S' r x2' R", "Lw L' R2 Dw2 D2 Fw' F Rw x2 R"},
	{CUBE_DIALECT_WCA, 5, "2R 3Rw 2-3R' 5R 4-5R2' m", "Rw R' 3Rw 3Rw' R L' Lw2 4Lw L'"},
	{CUBE_DIALECT_WCA, 2, "2R R' y'", "L' R' y'"},
	{CUBE_DIALECT_NISSY, 3, "2R 2L 3R 2-3R 1-2R2 2D2' Uv Lv e m",
	 "M' M L' Lw' Rw2 E2' y x' E M"},
	{CUBE_DIALECT_KOCIEMBA, 3, "R U2 F' D2'", "R1 U2 F3 D2"},
	{CUBE_DIALECT_KOCIEMBA, 3, "x y x' F z'", "F1"},
	{CUBE_DIALECT_KOCIEMBA, 3, "Rw U Rw'", "L1 F1 L3"},
	{CUBE_DIALECT_KOCIEMBA, 3, "M2 U M2", "L2 R2 D1 L2 R2"},
	{CUBE_DIALECT_KOCIEMBA, 3, "y2 y2' ()5", ""},
	{CUBE_DIALECT_RUBYKS, 3, "R U' F2 y z' z2 D2'", "r ur f2 turn turn_over invert d2"},
	{CUBE_DIALECT_RUBYKS, 3, "y' Uw", "turn turn turn d turn"},
};

static size_t expand(const char *text, int size, enum cube_dialect dialect,
		     struct cube_turn turns[TURNS_MAX])
{
	struct parsed parsed;
	size_t count = 0;
	ck_assert(parsed_read(&parsed, text, size, dialect));
	ck_assert_msg(cube_alg_expand(&parsed.alg, TURNS_MAX, turns, &count), "%s", text);
	parsed_free(&parsed);
	return count;
}

START_TEST(writes)
{
	struct cube_turn turns[TURNS_MAX];
	char text[256];
	size_t length, fault;
	size_t count = expand(written[_i].moves, written[_i].size, CUBE_DIALECT_SIGN, turns);
	ck_assert(cube_turns_print_in(written[_i].dialect, written[_i].size, turns, count, text,
				      sizeof(text), &length, &fault));
	ck_assert_str_eq(text, written[_i].written);
	ck_assert_uint_eq(length, strlen(text));
}
END_TEST

/* The turn after which the cube stays rotated is the one that is named. */
static const struct {
	const char *moves;
	size_t fault;
} rotated[] = {{"x", 0}, {"R M U2", 1}, {"R Rw Rw' M2 F y", 3}, {"x y x'", 0}, {"y U y' R x", 4}};

START_TEST(has_no_rotations)
{
	struct cube_turn turns[TURNS_MAX];
	size_t length, fault = 99;
	size_t count = expand(rotated[_i].moves, 3, CUBE_DIALECT_SIGN, turns);
	ck_assert(!cube_turns_print_in(CUBE_DIALECT_KOCIEMBA, 3, turns, count, NULL, 0, &length,
				       &fault));
	ck_assert_uint_eq(fault, rotated[_i].fault);
}
END_TEST

START_TEST(keeps_brackets)
{
	char text[64];
	struct parsed parsed;
	ck_assert(parsed_read(&parsed, "[2R: (U 3r)2']3 [M2 s, 2U2]", 5, CUBE_DIALECT_SIGN));
	cube_alg_print_in(CUBE_DIALECT_SIGN, &parsed.alg, text, sizeof(text));
	ck_assert_str_eq(text, "[2R: (U 3Rw)2']3 [M2 s, 2U2]");
	cube_alg_print_in(CUBE_DIALECT_INNER, &parsed.alg, text, sizeof(text));
	ck_assert_str_eq(text, "[r: (U 3Rw)2']3 [M2 s, u2]");
	parsed_free(&parsed);
}
END_TEST

/* ---- all pairs of dialects ---- */

static bool serves(enum cube_dialect dialect, int size)
{
	return cube_dialect_size(dialect) == 0 || cube_dialect_size(dialect) == size;
}

/* On a dialect without rotations the cube must come back as it was held: of the 24 ways, one does. */
static size_t hold_again(int size, struct cube_turn *turns, size_t count)
{
	size_t length, fault, found = 0;
	struct cube_turn ways[2] = {{0}};
	for (int way = 0; way < 24; way++) {
		/* Six sides to the top, by x or z; then about it. */
		turns[count] = cube_turn_make(size, way / 4 < 4 ? CUBE_R : CUBE_F, 1, size,
					      way / 4 < 4 ? way / 4 : 2 * (way / 4) - 9);
		turns[count + 1] = cube_turn_make(size, CUBE_U, 1, size, way % 4);
		if (!cube_turns_print_in(CUBE_DIALECT_KOCIEMBA, 3, turns, count + 2, NULL, 0,
					 &length, &fault))
			continue;
		memcpy(ways, turns + count, sizeof(ways));
		found++;
	}
	ck_assert_uint_eq(found, 1);
	memcpy(turns + count, ways, sizeof(ways));
	return count + 2;
}

static char *print_in(enum cube_dialect dialect, int size, const struct cube_turn *turns,
		      size_t count)
{
	size_t length, again, fault;
	ck_assert(cube_turns_print_in(dialect, size, turns, count, NULL, 0, &length, &fault));
	char *text = new_bytes(length + 1);
	ck_assert(
		cube_turns_print_in(dialect, size, turns, count, text, length + 1, &again, &fault));
	ck_assert_uint_eq(again, length);
	ck_assert_uint_eq(strlen(text), length);
	return text;
}

static void check_pair(const struct cube *cube, enum cube_dialect from, enum cube_dialect to,
		       const struct cube_turn *turns, size_t count)
{
	const int size = cube->size;
	struct cube_turn *read = new_bytes(8 * (count + 1) * sizeof(*read));
	struct cube *result = new_cube(size);
	struct parsed first, second;
	size_t read_count;
	char *text = print_in(from, size, turns, count);
	ck_assert(parsed_read(&first, text, size, from));
	ck_assert(cube_alg_expand(&first.alg, 8 * (count + 1), read, &read_count));
	char *same = print_in(from, size, read, read_count);
	ck_assert(from == CUBE_DIALECT_KOCIEMBA || from == CUBE_DIALECT_RUBYKS ||
		  strcmp(same, text) == 0);
	char *other = print_in(to, size, read, read_count);
	ck_assert(parsed_read(&second, other, size, to));
	cube_init(result, size);
	parsed_apply(result, &second.alg);
	ck_assert_msg(cube_equal(result, cube), "%s in %s is %s in %s", text,
		      cube_dialect_name(from), other, cube_dialect_name(to));
	parsed_free(&first);
	parsed_free(&second);
	free(text);
	free(same);
	free(other);
	free(read);
	free(result);
}

START_TEST(every_pair_of_dialects)
{
	static const int sizes[] = {2, 3, 3, 4, 5, 11};
	const int size = sizes[_i];
	struct gen gen = {.state = 300 + (uint64_t)_i};
	struct cube *cube = new_cube(size);
	for (uint32_t round = 0; round < gen_rounds(20); round++) {
		struct cube_turn turns[32];
		size_t count = gen_below(&gen, 30);
		for (size_t i = 0; i < count; i++)
			turns[i] = gen_turn(&gen, size);
		if (size == 3)
			count = hold_again(size, turns, count);
		cube_init(cube, size);
		cube_turn_all(cube, turns, count);
		for (int from = 0; from < CUBE_DIALECT_COUNT; from++)
			for (int to = 0; to < CUBE_DIALECT_COUNT; to++)
				if (serves((enum cube_dialect)from, size) &&
				    serves((enum cube_dialect)to, size))
					check_pair(cube, (enum cube_dialect)from,
						   (enum cube_dialect)to, turns, count);
	}
	free(cube);
}
END_TEST

/* Brackets and repeats too, in the dialects that have them. */
START_TEST(brackets_come_back)
{
	struct gen gen = {.state = 77};
	static char moves[GEN_TEXT_MAX], text[GEN_TEXT_MAX], canonical[GEN_TEXT_MAX],
		again[GEN_TEXT_MAX];
	for (uint32_t round = 0; round < gen_rounds(200); round++) {
		const int size = 2 + (int)(round % 6);
		struct parsed parsed, inner;
		gen_text(&gen, size, 3, 6, moves);
		ck_assert(parsed_read(&parsed, moves, size, CUBE_DIALECT_SIGN));
		cube_alg_print(&parsed.alg, canonical, sizeof(canonical));
		cube_alg_print_in(CUBE_DIALECT_INNER, &parsed.alg, text, sizeof(text));
		ck_assert(parsed_read(&inner, text, size, CUBE_DIALECT_INNER));
		cube_alg_print(&inner.alg, again, sizeof(again));
		ck_assert_str_eq(again, canonical);
		parsed_free(&parsed);
		parsed_free(&inner);
	}
}
END_TEST

/* ---- axes ---- */

START_TEST(axes_come_back)
{
	static const int sizes[] = {2, 3, 4, 5, 17, 100};
	const int size = sizes[_i];
	struct gen gen = {.state = 11 + (uint64_t)_i};
	struct cube *a = new_cube(size), *b = new_cube(size);
	cube_init(a, size);
	cube_init(b, size);
	for (uint32_t round = 0; round < gen_rounds(100); round++) {
		const struct cube_turn turn = gen_turn(&gen, size);
		const struct cube_axis_turn axis = cube_turn_to_axis(size, turn);
		struct cube_turn back;
		ck_assert(cube_turn_from_axis(size, axis.axis, axis.angle, axis.start, axis.end,
					      &back));
		cube_turn(a, turn);
		cube_turn(b, back);
		ck_assert(cube_equal(a, b));
		ck_assert_int_ge(axis.angle, -2);
		ck_assert_int_le(axis.angle, 2);
	}
	free(a);
	free(b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("writing");
	TCase *tests = tcase_create("writing");
	tcase_add_loop_test(tests, writes, 0, COUNT_OF(written));
	tcase_add_loop_test(tests, has_no_rotations, 0, COUNT_OF(rotated));
	tcase_add_test(tests, keeps_brackets);
	tcase_add_loop_test(tests, every_pair_of_dialects, 0, 6);
	tcase_add_test(tests, brackets_come_back);
	tcase_add_loop_test(tests, axes_come_back, 0, 6);
	suite_add_tcase(suite, tests);
	return run_suite(suite, COUNT_OF(written) + COUNT_OF(rotated) + 14);
}
