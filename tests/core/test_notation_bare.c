/* tests/core/test_notation_bare.c: separators without brackets, A/B, and repeats with a sign: each is the
 * group-theory expression that it stands for, for random moves on cubes of several sizes. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define TEXT_MAX (8 * GEN_TEXT_MAX)

/* Forms of the parts a, b and s, and what they are when written out: A is the inverse of a. */
static const struct {
	const char *form, *meaning;
	bool plain; /* A has plain moves only */
} forms[] = {
	{"a: b", "abA", false},
	{"a , b", "abAB", false},
	{"a/b", "abAABa", true},
	{"[a / b]", "abAABa", true},
	{"s: a", "saS", false},
	{"s: a, b", "sabABS", false},
	{"s: [a, b]", "sabABS", false},
	{"s:a/b", "sabAABaS", true},
	{"s: [a/b] s", "sabAABasS", true},
	{"[s: [a/b]]2 b", "sabAABaSsabAABaSb", true},
	{"[s, a]: b", "saSAbasAS", false},
	{"(a)x3 b", "aaab", false},
	{"(a)^3 b", "aaab", false},
	{"(a)*3' b", "AAAb", false},
	{"[a, b]x2 s", "abABabABs", false},
	{"(a)\xc3\x97"
	 "2 b",
	 "aab", false},
};

struct parts {
	char a[GEN_TEXT_MAX], b[GEN_TEXT_MAX], s[GEN_TEXT_MAX];
};

static const char *part_of(const struct parts *parts, char letter)
{
	return letter == 'a' || letter == 'A'   ? parts->a
	       : letter == 'b' || letter == 'B' ? parts->b
	       : letter == 's' || letter == 'S' ? parts->s
						: NULL;
}

/* The form with its parts; letters that are not parts stand for themselves. */
static void fill_form(const struct parts *parts, const char *form, char text[TEXT_MAX])
{
	size_t length = 0;
	for (; *form; form++) {
		const char *part = part_of(parts, *form);
		if (part)
			length += (size_t)snprintf(text + length, TEXT_MAX - length, "%s\n", part);
		else
			text[length++] = *form;
		ck_assert_uint_lt(length, TEXT_MAX - 1);
	}
	text[length] = '\0';
}

/* Turns a cube by the parts one after another. */
static struct cube *turn_by_parts(const struct parts *parts, const char *meaning, int size)
{
	struct cube *cube = new_cube(size);
	cube_init(cube, size);
	for (; *meaning; meaning++) {
		char text[GEN_TEXT_MAX + 4];
		struct parsed parsed;
		const bool back = *meaning >= 'A' && *meaning <= 'Z';
		snprintf(text, sizeof(text), "(%s\n)%s", part_of(parts, *meaning), back ? "'" : "");
		ck_assert_msg(parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN), "%s", text);
		parsed_apply(cube, &parsed.alg);
		parsed_free(&parsed);
	}
	return cube;
}

static struct cube *turn_by_text(const char *text, int size, char canonical[TEXT_MAX])
{
	struct cube *cube = new_cube(size);
	struct parsed parsed;
	ck_assert_msg(parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN), "%s", text);
	cube_init(cube, size);
	parsed_apply(cube, &parsed.alg);
	ck_assert_uint_lt(cube_alg_print(&parsed.alg, canonical, TEXT_MAX), TEXT_MAX);
	parsed_free(&parsed);
	return cube;
}

/* At least one move. */
static void gen_part(struct gen *gen, int size, int depth, int units, char text[GEN_TEXT_MAX])
{
	uint32_t count = 0;
	while (count == 0) {
		struct parsed parsed;
		gen_text(gen, size, depth, units, text);
		ck_assert(parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN));
		count = parsed.alg.count;
		parsed_free(&parsed);
	}
}

/* The spins of the centres count, too. */
START_TEST(forms_are_what_they_stand_for)
{
	struct gen gen = {.state = 60 + (uint64_t)_i};
	const uint32_t rounds = gen_rounds(100);
	for (uint32_t round = 0; round < rounds; round++) {
		const int size = 2 + (int)(round % 6), units = 1 + (int)gen_below(&gen, 3);
		struct parts parts;
		char text[TEXT_MAX], canonical[TEXT_MAX], again[TEXT_MAX];
		gen_part(&gen, size, forms[_i].plain ? 0 : 2, units, parts.a);
		gen_part(&gen, size, 2, units, parts.b);
		gen_part(&gen, size, 2, units, parts.s);
		fill_form(&parts, forms[_i].form, text);
		struct cube *right = turn_by_parts(&parts, forms[_i].meaning, size);
		struct cube *read = turn_by_text(text, size, canonical);
		ck_assert_msg(cube_equal(right, read), "%d: %s", size, text);
		struct cube *reread = turn_by_text(canonical, size, again);
		ck_assert_msg(cube_equal(right, reread), "%d: %s", size, canonical);
		ck_assert_str_eq(canonical, again);
		free(right);
		free(read);
		free(reread);
	}
}
END_TEST

/* Brackets in brackets to the limit, which bare separators count for as well. */
START_TEST(nests_to_the_limit)
{
	static const char *const bare[][2] = {{"", ": R"}, {"", ", R"},  {"R: ", ""},  {"R, ", ""},
					      {"R/", ""},  {"[R/", "]"}, {"R: L/", ""}};
	static const int more[] = {1, 1, 1, 1, 2, 2, 3};
	for (int i = 0; i < COUNT_OF(bare); i++)
		for (int depth = 58; depth <= CUBE_DEPTH_MAX; depth++) {
			char brackets[2 * CUBE_DEPTH_MAX + 8] = "", text[sizeof(brackets) + 16];
			struct parsed parsed;
			memset(brackets, '(', (size_t)depth);
			strcat(brackets, "U F");
			memset(brackets + strlen(brackets), ')', (size_t)depth);
			snprintf(text, sizeof(text), "%s%s%s", bare[i][0], brackets, bare[i][1]);
			const bool read = parsed_read(&parsed, text, 3, CUBE_DIALECT_SIGN);
			if (depth + more[i] > CUBE_DEPTH_MAX)
				ck_assert_msg(!read, "%s", text);
			if (depth + 3 <= CUBE_DEPTH_MAX)
				ck_assert_msg(read, "%s", text);
			if (!read)
				continue;
			struct cube *cube = new_cube(3);
			cube_init(cube, 3);
			parsed_apply(cube, &parsed.alg);
			ck_assert_uint_le(parsed.alg.depth, CUBE_DEPTH_MAX);
			free(cube);
			parsed_free(&parsed);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bare separators");
	TCase *tests = tcase_create("forms");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, forms_are_what_they_stand_for, 0, COUNT_OF(forms));
	tcase_add_test(tests, nests_to_the_limit);
	suite_add_tcase(suite, tests);
	return run_suite(suite, COUNT_OF(forms) + 1);
}
