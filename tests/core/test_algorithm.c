/* tests/core/test_algorithm.c: counting, inverting, repeating, shortening, printing moves. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>
#include <time.h>

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define OVER CUBE_COUNT_OVER
#define MOST CUBE_COUNT_MAX

static struct parsed parse(const char *text, int size)
{
	struct parsed parsed;
	ck_assert(parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN));
	return parsed;
}

/* Written-out length, htm, qtm, stm, qstm, etm. */
static const struct {
	const char *text;
	int size;
	uint64_t length, htm, qtm, stm, qstm, etm;
} counts[] = {
	{"", 3, 0, 0, 0, 0, 0, 0},
	{"R", 3, 1, 1, 1, 1, 1, 1},
	{"R R", 3, 2, 2, 2, 2, 2, 2},
	{"R2 R2' R3 R'", 3, 4, 4, 6, 4, 6, 4},
	{"R0 R4 (R4)5 (R)0", 3, 0, 0, 0, 0, 0, 0},
	{"M", 3, 1, 2, 2, 1, 1, 1},
	{"M2", 3, 1, 2, 4, 1, 2, 1},
	{"m E2 s'", 3, 3, 6, 8, 3, 4, 3},
	{"Rw r2 2-3R 3R", 3, 4, 4, 5, 4, 5, 4},
	{"x y2 z' Rv", 3, 4, 0, 0, 0, 0, 4},
	{"4R 2-4R 3Rw", 4, 3, 3, 3, 3, 3, 3},
	{"2R m 2-3R2", 4, 3, 6, 8, 3, 4, 3},
	{"2R R x", 2, 3, 2, 2, 2, 2, 3},
	{"(R U2)3 (M)2'", 3, 8, 10, 13, 8, 11, 8},
	{"[R, U] [R: U2] [M: x]", 3, 10, 11, 12, 9, 10, 10},
	{"[R, [U, F]]2 [R U: F]3'", 3, 35, 35, 35, 35, 35, 35},
	{"(R U)0 [R, U]0 ((R)9)0", 3, 0, 0, 0, 0, 0, 0},
	{"() ()1000000000000000 ((()9)9)9", 3, 0, 0, 0, 0, 0, 0},
	{"(R)1000000000000000'", 3, 1000000000000000, 1000000000000000, 1000000000000000,
	 1000000000000000, 1000000000000000, 1000000000000000},
	{"((R)94906267)94906267", 3, OVER, OVER, OVER, OVER, OVER, OVER},
	{"((R)6361)1416003655831", 3, MOST, MOST, MOST, MOST, MOST, MOST},
	{"((R)6361)1416003655831 x", 3, OVER, MOST, MOST, MOST, MOST, OVER},
	{"((M2)1000000000)1000000000 U", 3, OVER, OVER, OVER, OVER, OVER, OVER},
	{"((x0)1000000000)1000000000 U", 3, 1, 1, 1, 1, 1, 1},
	{"(((R)1000000000)1000000000)0 U", 3, 1, 1, 1, 1, 1, 1},
	{"((M2)1000000000)2000000", 3, 2000000000000000, 4000000000000000, 8000000000000000,
	 2000000000000000, 4000000000000000, 2000000000000000},
};

START_TEST(counts_turns)
{
	struct parsed parsed = parse(counts[_i].text, counts[_i].size);
	struct cube_metrics metrics;
	cube_alg_metrics(&parsed.alg, &metrics);
	ck_assert_uint_eq(cube_alg_length(&parsed.alg), counts[_i].length);
	ck_assert_uint_eq(metrics.htm, counts[_i].htm);
	ck_assert_uint_eq(metrics.qtm, counts[_i].qtm);
	ck_assert_uint_eq(metrics.stm, counts[_i].stm);
	ck_assert_uint_eq(metrics.qstm, counts[_i].qstm);
	ck_assert_uint_eq(metrics.etm, counts[_i].etm);
	parsed_free(&parsed);
}
END_TEST

static char *print_alg(const struct cube_alg *alg)
{
	size_t length = cube_alg_print(alg, NULL, 0);
	char *text = new_bytes(length + 1);
	ck_assert_uint_eq(cube_alg_print(alg, text, length + 1), length);
	return text;
}

static char *print_turns(int size, const struct cube_turn *turns, size_t count)
{
	size_t length = cube_turns_print(size, turns, count, NULL, 0);
	char *text = new_bytes(length + 1);
	ck_assert_uint_eq(cube_turns_print(size, turns, count, text, length + 1), length);
	return text;
}

static const struct {
	const char *text, *inverse;
} inverses[] = {
	{"", ""},
	{"R U' x", "x' U R'"},
	{"(R U)3", "(U' R')3"},
	{"(R U)3'", "(U' R')3'"},
	{"[R, U]", "[U, R]"},
	{"[R U, F D']2", "[F D', R U]2"},
	{"[R: U]", "[R: U']"},
	{"[R: U F]5'", "[R: F' U']5'"},
	{"[, R] [R, ] [: R] [R: ]", "[R: ] [: R'] [, R] [R, ]"},
	{"R ([U: F (D L)2] [x: y]) M", "M' ([x: y'] [U: (L' D')2 F']) R'"},
	{"L [R, (U F)2] ([R: [F, D] y])", "([R: y' [D, F]]) [(U F)2, R] L'"},
};

START_TEST(inverts)
{
	struct parsed parsed = parse(inverses[_i].text, 3);
	struct cube_node *nodes = new_bytes(parsed.alg.count * sizeof(*nodes));
	struct cube_alg inverse;
	cube_alg_inverse(&parsed.alg, nodes, &inverse);
	char *text = print_alg(&inverse);
	ck_assert_str_eq(text, inverses[_i].inverse);
	free(text);
	free(nodes);
	parsed_free(&parsed);
}
END_TEST

static const struct {
	const char *text, *flat;
} expansions[] = {
	{"", ""},
	{"(R U)2 (R2' x)2'", "R U R U x' R2 x' R2"},
	{"[R, U F] [R: M]2", "R U F R' F' U' R M R' R M R'"},
	{"[R, U]' [R: U]2'", "U R U' R' R U' R' R U' R'"},
	{"[[R, U]: F]", "R U R' U' F U R U' R'"},
	{"[, R] [R, ] [: R] [R: ]", "R R' R R' R R R'"},
	{"((R)0 U)2 ()1000000000000000 [,]9", "U U"},
	{"R0 (R0)2", ""},
	{"U0 (R y4 U')2 D4", "R U' R U'"},
};

START_TEST(writes_out)
{
	struct cube_turn turns[64];
	size_t count = 0, least;
	struct parsed parsed = parse(expansions[_i].text, 3);
	ck_assert(cube_alg_expand(&parsed.alg, 64, turns, &count));
	char *text = print_turns(3, turns, count);
	ck_assert_str_eq(text, expansions[_i].flat);
	least = count;
	ck_assert(cube_alg_expand(&parsed.alg, least, turns, &count));
	ck_assert(least == 0 || !cube_alg_expand(&parsed.alg, least - 1, turns, &count));
	free(text);
	parsed_free(&parsed);
}
END_TEST

START_TEST(keeps_to_the_budget)
{
	struct cube_turn turns[1];
	size_t count;
	struct parsed parsed = parse("(((R U)1000000000)1000000000)1000000000", 3);
	ck_assert(!cube_alg_expand(&parsed.alg, 1, turns, &count));
	ck_assert(!cube_alg_expand(&parsed.alg, SIZE_MAX, turns, &count));
	parsed_free(&parsed);
}
END_TEST

static const struct {
	int size;
	const char *text, *simple;
} simplified[] = {
	{3, "", ""},           {3, "R0 x4", ""},
	{3, "R R", "R2"},      {3, "R R'", ""},
	{3, "R2'", "R2'"},     {3, "R2' R", "R'"},
	{3, "R R R", "R'"},    {3, "R2 R2'", ""},
	{3, "U R R' U", "U2"}, {3, "U R L R' L' U'", ""},
	{3, "R L R", "R2 L"},  {3, "M2 M'", "M"},
	{3, "M 2L", "M2"},     {3, "2L M", "2L2"},
	{3, "3R L", ""},       {3, "r R'", "M'"},
	{3, "L' R x'", "M"},   {3, "R M' L'", "x"},
	{3, "R L'", "R L'"},   {3, "R x'", "Lw"},
	{3, "U D' y'", "E"},   {3, "F' B z", "S"},
	{3, "x x", "x2"},      {3, "x y y' x'", ""},
	{4, "r R'", "2R"},     {4, "2R 3R", "m'"},
	{4, "2-3Rw m", ""},    {4, "R 4R'", "R 4R'"},
	{4, "L 4R", ""},       {5, "2F 3F 4F", "s"},
	{5, "2F 3F", "2-3Fw"}, {5, "4D 5D", "Uw'"},
	{6, "3U 4U", "3-4Uw"}, {7, "R 2R 3R 5R 6R 7R M'", "x"},
	{2, "R 2R", "x"},      {2, "U D'", "y"},
};

START_TEST(simplifies)
{
	struct cube_turn turns[64];
	size_t count;
	struct parsed parsed = parse(simplified[_i].text, simplified[_i].size);
	ck_assert(cube_alg_expand(&parsed.alg, 64, turns, &count));
	count = cube_turns_simplify(simplified[_i].size, turns, count);
	char *text = print_turns(simplified[_i].size, turns, count);
	ck_assert_msg(strcmp(text, simplified[_i].simple) == 0, "%s becomes %s",
		      simplified[_i].text, text);
	free(text);
	parsed_free(&parsed);
}
END_TEST

/* Long random runs on large cubes too: same state, and nothing more to shorten. */
START_TEST(simplifies_large_cubes)
{
	static const int sizes[] = {2, 3, 17, 64, 99, 100};
	int n = sizes[_i];
	struct gen gen = {.state = 5 + (uint64_t)n};
	struct cube *a = new_cube(n), *b = new_cube(n);
	for (uint32_t round = 0; round < gen_rounds(5); round++) {
		struct cube_turn turns[300], again[300];
		size_t count = 0;
		for (; count < 300; count++) {
			do
				turns[count] = gen_turn(&gen, n);
			while (turns[count].face % 3 != 1 && gen_below(&gen, 20) > 0);
		}
		cube_init(a, n);
		cube_init(b, n);
		cube_turn_all(a, turns, count);
		count = cube_turns_simplify(n, turns, count);
		cube_turn_all(b, turns, count);
		ck_assert(cube_equal(a, b));
		memcpy(again, turns, sizeof(turns));
		ck_assert_uint_eq(cube_turns_simplify(n, again, count), count);
		ck_assert_mem_eq(again, turns, count * sizeof(*turns));
	}
	free(a);
	free(b);
}
END_TEST

/* Repeats of any length, negative too, by powers and written out. */
START_TEST(powers_are_repeats)
{
	static const int sizes[] = {2, 3, 4, 5, 12, 31};
	int n = sizes[_i];
	struct gen gen = {.state = 900 + (uint64_t)n};
	char inner[GEN_TEXT_MAX], text[2 * GEN_TEXT_MAX + 64];
	struct cube_turn *turns = new_bytes(20000 * sizeof(*turns));
	struct cube *a = new_cube(n), *b = new_cube(n);
	const uint32_t rounds = gen_rounds(60);
	uint32_t compared = 0;
	for (uint32_t round = 0; round < rounds; round++) {
		size_t count;
		gen_text(&gen, n, (int)(round % 4), 8, inner);
		snprintf(text, sizeof(text), "F (%s)%u%s [R, %s]2' U", inner, gen_below(&gen, 40),
			 round % 2 ? "'" : "", inner);
		struct parsed parsed = parse(text, n);
		if (cube_alg_expand(&parsed.alg, 20000, turns, &count)) {
			cube_init(a, n);
			cube_init(b, n);
			parsed_apply(a, &parsed.alg);
			cube_turn_all(b, turns, count);
			ck_assert_msg(cube_equal(a, b), "%s", text);
			compared++;
		}
		parsed_free(&parsed);
	}
	ck_assert_uint_ge(compared, rounds / 2);
	free(turns);
	free(a);
	free(b);
}
END_TEST

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Limits with room for sanitizers and slow machines; without powers none of them would ever end. */
START_TEST(repeats_cost_nothing)
{
	char nested[64 * 8 + 8] = "";
	for (int i = 0; i < CUBE_DEPTH_MAX; i++)
		strcat(nested, "[");
	strcat(nested, "R");
	for (int i = 0; i < CUBE_DEPTH_MAX; i++)
		strcat(nested, i % 2 ? ", U]3" : ": F]2'");
	const struct {
		const char *text;
		int size;
		double limit;
	} cases[] = {
		{"(((R U)99999)99999)99999", 3, 0.05},
		{"((((R U' M)1000000000000000)1000000000000000)7)0", 3, 0.05},
		{"((()1000000000000000)1000000000000000)1000000000000000'", 3, 0.05},
		{nested, 3, 0.2},
		{nested, 100, 5},
	};
	struct parsed parsed = parse(cases[_i].text, cases[_i].size);
	struct cube *cube = new_cube(cases[_i].size);
	double start = seconds();
	parsed_apply(cube, &parsed.alg);
	cube_alg_length(&parsed.alg);
	ck_assert_double_lt(seconds() - start, cases[_i].limit);
	parsed_free(&parsed);
	free(cube);
}
END_TEST

/* Empty commutators in each other double as well, and nothing may be written out of them. */
START_TEST(empty_brackets_end)
{
	char text[64 * 4 + 8] = "";
	size_t count = 1;
	for (int i = 0; i < CUBE_DEPTH_MAX; i++)
		strcat(text, "[");
	for (int i = 0; i < CUBE_DEPTH_MAX; i++)
		strcat(text, ",]9");
	struct parsed parsed = parse(text, 3);
	struct cube *cube = new_cube(3);
	parsed_apply(cube, &parsed.alg);
	ck_assert(cube_is_home(cube));
	ck_assert_uint_eq(cube_alg_length(&parsed.alg), 0);
	ck_assert(cube_alg_expand(&parsed.alg, 0, NULL, &count));
	ck_assert_uint_eq(count, 0);
	parsed_free(&parsed);
	free(cube);
}
END_TEST

START_TEST(scratch_is_bounded)
{
	struct parsed plain = parse("R U x", 100), nested = parse("((R [U, F])2)", 100);
	ck_assert_uint_eq(cube_alg_scratch_bytes(&plain.alg), 0);
	ck_assert_uint_le(cube_alg_scratch_bytes(&nested.alg), 8 * (cube_bytes(100) + 16));
	parsed_free(&plain);
	parsed_free(&nested);
}
END_TEST

/* Like snprintf: what fits, with a NUL, and the length it would have had. */
START_TEST(prints_what_fits)
{
	struct parsed parsed = parse("[R U2', 3Rw]12' (F)", 5);
	char *whole = print_alg(&parsed.alg);
	size_t length = strlen(whole);
	ck_assert_str_eq(whole, "[R U2', 3Rw]12' (F)");
	for (size_t capacity = 1; capacity <= length + 1; capacity++) {
		char *text = new_bytes(capacity);
		ck_assert_uint_eq(cube_alg_print(&parsed.alg, text, capacity), length);
		ck_assert_uint_eq(strlen(text), capacity - 1);
		ck_assert_int_eq(strncmp(text, whole, capacity - 1), 0);
		free(text);
	}
	free(whole);
	parsed_free(&parsed);
}
END_TEST

static const struct {
	int size;
	struct cube_turn turn;
	const char *text;
} printed[] = {
	{3, {CUBE_R, 1, 1, 1, CUBE_STYLE_LAYERS}, "R"},
	{3, {CUBE_R, 1, 2, -1, CUBE_STYLE_LAYERS}, "Rw'"},
	{3, {CUBE_B, 2, 2, 2, CUBE_STYLE_LAYERS}, "2B2"},
	{3, {CUBE_L, 2, 2, -2, CUBE_STYLE_MIDDLE}, "M2'"},
	{3, {CUBE_D, 1, 3, 1, CUBE_STYLE_LAYERS}, "y'"},
	{3, {CUBE_F, 1, 3, 0, CUBE_STYLE_WHOLE}, "z0"},
	{2, {CUBE_F, 1, 2, 1, CUBE_STYLE_LAYERS}, "z"},
	{5, {CUBE_D, 2, 4, -1, CUBE_STYLE_INNER}, "e'"},
	{100, {CUBE_R, 99, 100, -2, CUBE_STYLE_LAYERS}, "99-100Rw2'"},
	{100, {CUBE_R, 1, 99, 0, CUBE_STYLE_LAYERS}, "99Rw0"},
};

/* Turns by 0 quarters that did not come from text, as older stores have them. */
START_TEST(prints_no_zero_turns)
{
	static const struct cube_turn turns[] = {{CUBE_U, 1, 3, 0, CUBE_STYLE_WHOLE},
						 {CUBE_R, 1, 1, 1, CUBE_STYLE_LAYERS},
						 {CUBE_R, 1, 1, 0, CUBE_STYLE_LAYERS},
						 {CUBE_F, 1, 1, 2, CUBE_STYLE_LAYERS},
						 {CUBE_F, 1, 1, 0, CUBE_STYLE_LAYERS}};
	struct cube_node nodes[2 + COUNT_OF(turns)] = {
		{.amount = 2, .end = 1 + COUNT_OF(turns), .kind = CUBE_NODE_GROUP}};
	for (int i = 0; i < COUNT_OF(turns); i++)
		nodes[1 + i] =
			(struct cube_node){.amount = 1, .end = (uint32_t)(2 + i), .turn = turns[i]};
	nodes[1 + COUNT_OF(turns)] = (struct cube_node){
		.amount = 0, .end = 2 + COUNT_OF(turns), .kind = CUBE_NODE_GROUP};
	struct cube_alg alg = {.nodes = nodes, .count = COUNT_OF(nodes), .size = 3, .depth = 1};
	char *text = print_turns(3, turns, COUNT_OF(turns)), *tree = print_alg(&alg);
	ck_assert_str_eq(text, "R F2");
	ck_assert_str_eq(tree, "(R F2)2");
	free(text);
	free(tree);
	text = print_turns(3, turns, 1);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

START_TEST(prints_turns)
{
	char text[CUBE_TURN_TEXT_MAX];
	size_t length = cube_turn_print(printed[_i].size, printed[_i].turn, text);
	ck_assert_str_eq(text, printed[_i].text);
	ck_assert_uint_eq(length, strlen(text));
}
END_TEST

/* ---- rotated and mirrored ---- */

/* As a row of six n by n arrays: where a facelet is in the mirror. U and D are seen from above and below,
 * so each mirror reverses rows, or columns, of four faces, and both for none. */
static size_t mirrored_facelet(size_t facelet, int size, enum cube_plane plane)
{
	const size_t n = (size_t)size, face = facelet / (n * n);
	const size_t row = facelet / n % n, column = facelet % n;
	const size_t to = face % 3 == plane ? (face + 3) % 6 : face;
	const bool top = face % 3 == 0;
	const bool rows = plane == CUBE_PLANE_E || (plane == CUBE_PLANE_S && top);
	const size_t new_row = rows ? n - 1 - row : row;
	return to * n * n + new_row * n + (rows ? column : n - 1 - column);
}

static struct cube *cube_of(const struct cube_alg *alg)
{
	struct cube *cube = new_cube(alg->size);
	cube_init(cube, alg->size);
	parsed_apply(cube, alg);
	return cube;
}

/* The state after the mirrored moves is the mirror image of the state. */
START_TEST(mirrors)
{
	struct gen gen = {.state = 40};
	char text[GEN_TEXT_MAX];
	for (int round = 0; round < 120; round++) {
		const int size = 2 + round % 6;
		const enum cube_plane plane = (enum cube_plane)(round % 3);
		struct cube_transform transform;
		struct cube_alg mirrored, back;
		gen_text(&gen, size, 2, 6, text);
		struct parsed parsed = parse(text, size);
		struct cube_node *nodes = new_bytes(2 * parsed.alg.count * sizeof *nodes);
		cube_transform_init(&transform);
		cube_transform_mirror(&transform, plane);
		cube_alg_transform(&parsed.alg, &transform, nodes, &mirrored);
		cube_alg_transform(&mirrored, &transform, nodes + parsed.alg.count, &back);
		struct cube *cube = cube_of(&parsed.alg), *image = cube_of(&mirrored);
		for (size_t i = 0; i < cube_facelets(size); i++) {
			const int color = cube_color_at(cube, i);
			ck_assert_int_eq(cube_color_at(image, mirrored_facelet(i, size, plane)),
					 color % 3 == (int)plane ? (color + 3) % 6 : color);
		}
		char *first = print_alg(&parsed.alg), *again = print_alg(&back);
		ck_assert_str_eq(first, again);
		free(first);
		free(again);
		free(cube);
		free(image);
		free(nodes);
		parsed_free(&parsed);
	}
}
END_TEST

/* A rotated by r does what r' A r does. */
START_TEST(rotates)
{
	static const char *const rotations[] = {"x",  "y",   "z",     "x2",
						"y'", "x y", "z2 y'", "y x' z"};
	struct gen gen = {.state = 41};
	char text[GEN_TEXT_MAX];
	for (int round = 0; round < 120; round++) {
		const int size = 2 + round % 6;
		struct cube_transform transform;
		struct cube_alg rotated, inverse;
		gen_text(&gen, size, 2, 6, text);
		struct parsed parsed = parse(text, size);
		struct parsed rotation = parse(rotations[round % 8], size);
		struct cube_node *nodes = new_bytes(parsed.alg.count * sizeof *nodes);
		struct cube_node *undone = new_bytes(rotation.alg.count * sizeof *undone);
		cube_transform_init(&transform);
		for (uint32_t i = 0; i < rotation.alg.count; i++)
			cube_transform_rotate(&transform, size, rotation.alg.nodes[i].turn);
		cube_alg_transform(&parsed.alg, &transform, nodes, &rotated);
		cube_alg_inverse(&rotation.alg, undone, &inverse);
		struct cube *expected = cube_of(&inverse), *found = cube_of(&rotated);
		parsed_apply(expected, &parsed.alg);
		parsed_apply(expected, &rotation.alg);
		ck_assert_mem_eq(expected->sticker, found->sticker,
				 cube_facelets(size) * sizeof(found->sticker[0]));
		free(expected);
		free(found);
		free(nodes);
		free(undone);
		parsed_free(&parsed);
		parsed_free(&rotation);
	}
}
END_TEST

static const struct {
	const char *text, *rotation;
	int plane, size; /* -1: no mirror */
	const char *expected;
} transformed[] = {
	{"R U R' U'", "", CUBE_PLANE_M, 3, "L' U' L U"},
	{"R U R' U'", "", CUBE_PLANE_E, 3, "R' D' R D"},
	{"R U R' U'", "", CUBE_PLANE_S, 3, "R' U' R U"},
	{"R U R' U'", "y", -1, 3, "F U F' U'"},
	{"(R U2 R2')2 F3", "", CUBE_PLANE_M, 3, "(L' U2 L2')2 F"},
	{"M E S x y z", "", CUBE_PLANE_M, 3, "M E' S' x y' z'"},
	{"M E S m", "z", -1, 5, "E' M S e'"},
	{"[Rw, 3U]: 2-3Fw", "", CUBE_PLANE_M, 6, "[[Lw', 3U']: 2-3Fw']"},
	{"x", "y", -1, 3, "z"},
};

START_TEST(transforms)
{
	struct cube_transform transform;
	struct parsed parsed = parse(transformed[_i].text, transformed[_i].size);
	struct parsed rotation = parse(transformed[_i].rotation, transformed[_i].size);
	struct cube_node *nodes = new_bytes(parsed.alg.count * sizeof *nodes);
	struct cube_alg result;
	cube_transform_init(&transform);
	for (uint32_t i = 0; i < rotation.alg.count; i++)
		cube_transform_rotate(&transform, transformed[_i].size, rotation.alg.nodes[i].turn);
	if (transformed[_i].plane >= 0)
		cube_transform_mirror(&transform, (enum cube_plane)transformed[_i].plane);
	cube_alg_transform(&parsed.alg, &transform, nodes, &result);
	char *text = print_alg(&result);
	ck_assert_str_eq(text, transformed[_i].expected);
	free(text);
	free(nodes);
	parsed_free(&parsed);
	parsed_free(&rotation);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("algorithm");
	TCase *tests = tcase_create("algorithm");
	tcase_add_loop_test(tests, counts_turns, 0, COUNT_OF(counts));
	tcase_add_loop_test(tests, inverts, 0, COUNT_OF(inverses));
	tcase_add_loop_test(tests, writes_out, 0, COUNT_OF(expansions));
	tcase_add_test(tests, keeps_to_the_budget);
	tcase_add_loop_test(tests, simplifies, 0, COUNT_OF(simplified));
	tcase_add_loop_test(tests, simplifies_large_cubes, 0, 6);
	tcase_add_loop_test(tests, powers_are_repeats, 0, 6);
	tcase_add_loop_test(tests, repeats_cost_nothing, 0, 5);
	tcase_add_test(tests, empty_brackets_end);
	tcase_add_test(tests, scratch_is_bounded);
	tcase_add_test(tests, prints_what_fits);
	tcase_add_test(tests, prints_no_zero_turns);
	tcase_add_loop_test(tests, prints_turns, 0, COUNT_OF(printed));
	tcase_add_test(tests, mirrors);
	tcase_add_test(tests, rotates);
	tcase_add_loop_test(tests, transforms, 0, COUNT_OF(transformed));
	suite_add_tcase(suite, tests);
	int loops = COUNT_OF(counts) + COUNT_OF(inverses) + COUNT_OF(expansions) +
		    COUNT_OF(simplified) + COUNT_OF(printed) + COUNT_OF(transformed);
	return run_suite(suite, loops + 24);
}
