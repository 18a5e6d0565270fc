/* tests/core/test_geometry_text.c: what move text does, by two readers and two models.
 *
 * Stored states of another program, random nested algorithms with everything the library works
 * out from them (written out, inverse, metrics, text), repeats without end, and the equalities of
 * the notation. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* The value of a member in a line of the file; it ends at the next quote and is cut there. */
static char *member(char *line, const char *name)
{
	char *value = strstr(line, name);
	ck_assert_ptr_nonnull(value);
	value += strlen(name);
	char *end = strchr(value, '"');
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	return value;
}

static void check_state(int size, const char *moves, const char *facelets)
{
	struct checked_cube both = checked_create(size);
	char *letters = new_bytes(both.geo.count + 1);
	ck_assert_uint_eq(strlen(facelets), both.geo.count);
	ck_assert(checked_moves(&both, moves));
	geo_letters(&both.geo, letters);
	ck_assert_msg(strcmp(letters, facelets) == 0, "the model after %s", moves);
	cube_facelets_print(both.cube, letters);
	ck_assert_msg(strcmp(letters, facelets) == 0, "the library after %s", moves);
	ck_assert(checked_same(&both));
	free(letters);
	checked_destroy(&both);
}

START_TEST(stored_states)
{
	FILE *file = fopen("tests/data/states.ndjson", "r");
	char line[16384];
	int count = 0, size;
	ck_assert_msg(file, "run from the project's top folder");
	while (fgets(line, sizeof(line), file)) {
		ck_assert_int_eq(sscanf(line, "{\"size\": %d,", &size), 1);
		char *facelets = member(line, "\"facelets\": \"");
		check_state(size, member(line, "\"moves\": \""), facelets);
		count++;
	}
	fclose(file);
	ck_assert_int_eq(count, 248);
}
END_TEST

static void check_expanded(const struct cube_alg *alg, const struct geo_list *list,
			   struct cube_turn *turns)
{
	size_t count = 0;
	ck_assert_uint_eq(cube_alg_length(alg), list->count);
	ck_assert(cube_alg_expand(alg, list->count, turns, &count));
	ck_assert_uint_eq(count, list->count);
	for (size_t i = 0; i < count; i++) {
		struct geo_turn a = list->turns[i], b = geo_turn_from(alg->size, turns[i]);
		ck_assert_int_eq(a.axis, b.axis);
		ck_assert_int_eq(a.low, b.low);
		ck_assert_int_eq(a.high, b.high);
		ck_assert_int_eq((a.quarters - b.quarters) % 4, 0);
	}
	if (count > 0)
		ck_assert(!cube_alg_expand(alg, list->count - 1, turns, &count));
	ck_assert(cube_alg_expand(alg, list->count + 10, turns, &count));
	ck_assert_uint_eq(count, list->count);
}

static void check_inverse(const struct cube_alg *alg, const struct checked_cube *both)
{
	struct cube_node *nodes = new_bytes(alg->count * sizeof(*nodes));
	struct cube *cube = new_cube(alg->size), *solved = new_cube(alg->size);
	struct cube_alg inverse;
	cube_alg_inverse(alg, nodes, &inverse);
	ck_assert_uint_eq(cube_alg_length(&inverse), cube_alg_length(alg));
	parsed_apply(cube, &inverse);
	parsed_apply(cube, alg);
	ck_assert(cube_equal(cube, solved));
	cube_copy(cube, both->cube);
	parsed_apply(cube, &inverse);
	ck_assert(cube_equal(cube, solved));
	free(nodes);
	free(cube);
	free(solved);
}

/* No R0, and no group repeated 0 times: an amount is what stands behind a letter or a bracket. */
static bool has_zero_amount(const char *text)
{
	for (const char *zero = strchr(text, '0'); zero; zero = strchr(zero + 1, '0'))
		if (zero > text && !isdigit((unsigned char)zero[-1]) && zero[-1] != '-')
			return true;
	return false;
}

/* The inverse of the inverse is the algorithm, and neither has turns that do nothing. */
static void check_inverse_text(const struct cube_alg *alg, const char *text)
{
	struct cube_node *nodes = new_bytes(alg->count * sizeof(*nodes)),
			 *back = new_bytes(alg->count * sizeof(*back));
	struct cube_alg inverse, again;
	char printed[GEN_TEXT_MAX];
	cube_alg_inverse(alg, nodes, &inverse);
	cube_alg_print(&inverse, printed, sizeof(printed));
	ck_assert_msg(!has_zero_amount(printed), "inverse: %s", printed);
	cube_alg_inverse(&inverse, back, &again);
	cube_alg_print(&again, printed, sizeof(printed));
	ck_assert_str_eq(printed, text);
	free(nodes);
	free(back);
}

/* Text printed is text read, by the model's strict reader too. */
static void check_printed(const struct cube_alg *alg, const struct geo_list *list)
{
	size_t length = cube_alg_print(alg, NULL, 0), again;
	char *text = new_bytes(length + 1), *second = new_bytes(length + 1);
	struct geo_list read = {0};
	struct parsed parsed;
	ck_assert_uint_eq(cube_alg_print(alg, text, length + 1), length);
	ck_assert_uint_eq(strlen(text), length);
	ck_assert_msg(!has_zero_amount(text), "printed: %s", text);
	check_inverse_text(alg, text);
	ck_assert_msg(geo_read(text, alg->size, 10000, &read), "printed: %s", text);
	ck_assert_uint_eq(read.count, list->count);
	for (size_t i = 0; i < list->count; i++) {
		ck_assert_int_eq(read.turns[i].axis, list->turns[i].axis);
		ck_assert_int_eq(read.turns[i].low, list->turns[i].low);
		ck_assert_int_eq((read.turns[i].quarters - list->turns[i].quarters) % 4, 0);
	}
	ck_assert(parsed_read(&parsed, text, alg->size, CUBE_DIALECT_SIGN));
	again = cube_alg_print(&parsed.alg, second, length + 1);
	ck_assert_uint_eq(again, length);
	ck_assert_str_eq(second, text);
	parsed_free(&parsed);
	geo_list_free(&read);
	free(text);
	free(second);
}

static void check_metrics(const struct cube_alg *alg, const struct geo_list *list,
			  const struct cube_turn *turns)
{
	struct cube_metrics model = geo_metrics(alg->size, list), kept, flat;
	cube_alg_metrics(alg, &kept);
	cube_turns_metrics(alg->size, turns, list->count, &flat);
	ck_assert_uint_eq(kept.htm, model.htm);
	ck_assert_uint_eq(kept.qtm, model.qtm);
	ck_assert_uint_eq(kept.stm, model.stm);
	ck_assert_uint_eq(kept.qstm, model.qstm);
	ck_assert_uint_eq(kept.etm, model.etm);
	ck_assert_mem_eq(&kept, &flat, sizeof(kept));
}

static const int sizes[] = {2, 3, 4, 5, 6, 7, 10, 33};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static void check_text(int size, const char *text, const struct geo_list *list)
{
	struct checked_cube both = checked_create(size);
	struct cube_turn *turns = new_bytes((list->count + 10) * sizeof(*turns));
	struct parsed parsed;
	ck_assert(checked_moves(&both, text));
	ck_assert_msg(checked_same(&both), "%s", text);
	ck_assert(parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN));
	check_expanded(&parsed.alg, list, turns);
	check_inverse(&parsed.alg, &both);
	check_printed(&parsed.alg, list);
	check_metrics(&parsed.alg, list, turns);
	parsed_free(&parsed);
	free(turns);
	checked_destroy(&both);
}

START_TEST(nested_algorithms)
{
	int n = sizes[_i];
	struct gen gen = {.state = 31 + (uint64_t)n};
	char text[GEN_TEXT_MAX];
	uint32_t read = 0, rounds = gen_rounds(n <= 7 ? 600 : 1000u / (uint32_t)n);
	for (uint32_t round = 0; round < rounds; round++) {
		struct geo_list list = {0};
		gen_text(&gen, n, (int)(round % 5), 2 + (int)gen_below(&gen, 10), text);
		if (geo_read(text, n, n <= 7 ? 3000 : 500, &list)) {
			check_text(n, text, &list);
			read++;
		}
		geo_list_free(&list);
	}
	ck_assert_uint_gt(read, rounds * 3 / 4);
}
END_TEST

/* As deep as brackets go, in ways that can still be written out. */
static const struct {
	const char *open, *inside, *close;
} nests[] = {
	{"(", "M'", ")"},        {"(", "R U", ")'"}, {"[R: ", "M", "]"},
	{"[r U2': ", "F", "]'"}, {"[:", "r", "]"},   {"[", "", ":]"},
	{"[,", "", "]"},         {"[", "", ",]2"},   {"[R, ", "U", "]0"},
};

START_TEST(nested_deep)
{
	for (int depth = 1; depth <= CUBE_DEPTH_MAX; depth++) {
		char text[GEN_TEXT_MAX] = "";
		struct geo_list list = {0};
		for (int i = 0; i < depth; i++)
			strcat(text, nests[_i].open);
		strcat(text, nests[_i].inside);
		for (int i = 0; i < depth; i++)
			strcat(text, nests[_i].close);
		ck_assert(geo_read(text, 3, 3000, &list));
		check_text(3, text, &list);
		geo_list_free(&list);
	}
}
END_TEST

/* A count, exact if it can be known. Each factor is at most 10^15. */
static uint64_t counted(uint64_t once, uint64_t times)
{
	return once > 0 && times > CUBE_COUNT_MAX / once ? CUBE_COUNT_OVER : once * times;
}

/* (A)k for k far beyond what can be written out: the model reduces k by the order of A. */
static bool check_repeat(int size, const char *inner, uint64_t times)
{
	char text[GEN_TEXT_MAX + 64];
	struct geo_list list = {0};
	struct checked_cube by = checked_create(size), both = checked_create(size);
	struct parsed parsed;
	snprintf(text, sizeof(text), "((%s)%" PRIu64 ")97'", inner, times);
	ck_assert(geo_read(inner, size, 3000, &list));
	geo_turn_all(&by.geo, &list);
	uint64_t order = geo_order(&by.geo, true, false, 100000);
	ck_assert(parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN));
	parsed_apply(both.cube, &parsed.alg);
	if (order > 0) {
		uint64_t forward = times % order * 97 % order;
		geo_apply(&both.geo, &by.geo, (order - forward) % order);
		ck_assert_msg(checked_same(&both), "%s", text);
	}
	struct cube_metrics once = geo_metrics(size, &list), all;
	cube_alg_metrics(&parsed.alg, &all);
	ck_assert_uint_eq(cube_alg_length(&parsed.alg), counted(list.count, 97 * times));
	ck_assert_uint_eq(all.htm, counted(once.htm, 97 * times));
	ck_assert_uint_eq(all.qtm, counted(once.qtm, 97 * times));
	ck_assert_uint_eq(all.stm, counted(once.stm, 97 * times));
	ck_assert_uint_eq(all.qstm, counted(once.qstm, 97 * times));
	ck_assert_uint_eq(all.etm, counted(once.etm, 97 * times));
	parsed_free(&parsed);
	geo_list_free(&list);
	checked_destroy(&by);
	checked_destroy(&both);
	return order > 0;
}

START_TEST(repeats_without_end)
{
	struct gen gen = {.state = 2024};
	char inner[GEN_TEXT_MAX];
	const uint32_t rounds = gen_rounds(200);
	uint32_t checked = 0;
	for (uint32_t round = 0; round < rounds; round++) {
		uint64_t times = 1 + gen_below(&gen, 1000000000);
		if (round % 2)
			times *= 1 + gen_below(&gen, 1000000);
		gen_text(&gen, 2 + (int)(round % 4), 1, 4, inner);
		checked += check_repeat(2 + (int)(round % 4), inner, times);
	}
	ck_assert_uint_ge(checked, rounds / 2);
}
END_TEST

/* Three amounts, one in the other, that nobody could write out: 99999 cubed. */
START_TEST(repeats_nested)
{
	struct checked_cube by = checked_create(3), both = checked_create(3);
	struct parsed parsed;
	ck_assert(checked_moves(&by, "R U"));
	ck_assert(parsed_read(&parsed, "(((R U)99999)99999)99999", 3, CUBE_DIALECT_SIGN));
	parsed_apply(both.cube, &parsed.alg);
	geo_apply(&both.geo, &by.geo, UINT64_C(99999) * 99999 % 420 * 99999 % 420);
	ck_assert(checked_same(&both));
	parsed_free(&parsed);
	checked_destroy(&by);
	checked_destroy(&both);
}
END_TEST

/* The same thing written in two ways, spins included. */
static const struct {
	int size;
	const char *text, *same;
} equalities[] = {
	{3, "M", "L' R x'"},
	{3, "E", "U D' y'"},
	{3, "S", "F' B z"},
	{3, "r", "R M'"},
	{3, "u", "U E'"},
	{3, "f", "F S"},
	{3, "2R", "M'"},
	{3, "2L", "M"},
	{3, "l", "L M"},
	{3, "d", "D E"},
	{3, "b", "B S'"},
	{3, "m", "M"},
	{3, "e", "E"},
	{3, "s", "S"},
	{3, "Rw", "2Rw"},
	{3, "2r", "r"},
	{3, "1-2R", "Rw"},
	{3, "2-3R", "Lw'"},
	{3, "3R", "L'"},
	{3, "1Rw", "R"},
	{3, "1R", "R"},
	{3, "x", "R M' L'"},
	{3, "y", "U E' D'"},
	{3, "z", "F S B'"},
	{3, "Rv", "x"},
	{3, "Lv", "x'"},
	{3, "Uv", "y"},
	{3, "Dv", "y'"},
	{3, "Fv", "z"},
	{3, "Bv", "z'"},
	{3, "R3", "R'"},
	{3, "R2'", "R' R'"},
	{3, "R2'", "R2"},
	{3, "R0", ""},
	{3, "R4", ""},
	{3, "(R U)3'", "(U' R')3"},
	{3, "[R, U]", "R U R' U'"},
	{3, "[R: U]", "R U R'"},
	{3, "[R, U]'", "[U, R]"},
	{3, "[R: U]2'", "R U2' R'"},
	{3, "[M, E]", "M E M' E'"},
	{3, "(x y)3", ""},
	{4, "2R", "r R'"},
	{4, "3R", "2L'"},
	{4, "4R", "L'"},
	{4, "3Rw", "L x"},
	{4, "2-3Rw", "2R 3R"},
	{4, "2-3R", "2R 3R"},
	{4, "2-3r", "2R 3R"},
	{4, "m'", "2R 3R"},
	{4, "x", "R 2R 3R 4R"},
	{4, "e", "2-3D"},
	{4, "s", "2-3F"},
	{4, "2-4R", "3Lw'"},
	{5, "M", "3L"},
	{5, "m", "2-4L"},
	{5, "m", "2L 3L 4L"},
	{5, "E", "3D"},
	{5, "S", "3F"},
	{5, "m", "L' R x'"},
	{5, "4Rw", "L x"},
	{5, "3Rw", "R 2R 3R"},
	{5, "M", "3R'"},
	{5, "2-3Rw", "2R M'"},
	{2, "2R", "L'"},
	{2, "x", "R L'"},
	{2, "y", "U D'"},
	{2, "z", "F B'"},
	{100, "99Rw", "L x"},
	{100, "m'", "2-99R"},
	{100, "50-51Rw", "50R 50L'"},
};

START_TEST(equalities_hold)
{
	struct checked_cube a = checked_create(equalities[_i].size),
			    b = checked_create(equalities[_i].size);
	ck_assert(checked_moves(&a, "R U' F2 z") && checked_moves(&b, "R U' F2 z"));
	ck_assert(checked_moves(&a, equalities[_i].text) && checked_moves(&b, equalities[_i].same));
	ck_assert_msg(geo_equal(&a.geo, &b.geo) && cube_equal(a.cube, b.cube) && checked_same(&a),
		      "%s is not %s", equalities[_i].text, equalities[_i].same);
	checked_destroy(&a);
	checked_destroy(&b);
}
END_TEST

/* Other dialects, each against the same thing in the model's own. */
static const struct {
	int size;
	enum cube_dialect dialect;
	const char *text, *same;
} translations[] = {
	{4, CUBE_DIALECT_INNER, "r u2 f' R", "2R 2U2 2F' R"},
	{4, CUBE_DIALECT_SIGN, "r u2 f' R", "Rw Uw2 Fw' R"},
	{3, CUBE_DIALECT_WCA, "Rw U2 x' 2Fw", "r U2 x' f"},
	{5, CUBE_DIALECT_WCA, "3Rw' Uw2 F", "1-3R' 1-2U2 F"},
	{3, CUBE_DIALECT_NISSY, "R (U F) D", "R D F' U'"},
	{3, CUBE_DIALECT_NISSY, "r2 (F' L)", "Rw2 L' F"},
	{3, CUBE_DIALECT_KOCIEMBA, "R1 U2 F3 D1", "R U2 F' D"},
	{3, CUBE_DIALECT_RUBYKS, "u ur u2 r fr l2", "U U' U2 R F' L2"},
	{3, CUBE_DIALECT_RUBYKS, "turn turn_over invert", "y z' z2"},
};

START_TEST(dialects_translate)
{
	int n = translations[_i].size;
	struct checked_cube both = checked_create(n);
	struct geo_list list = {0};
	struct parsed parsed;
	ck_assert(geo_read(translations[_i].same, n, 100, &list));
	geo_turn_all(&both.geo, &list);
	ck_assert(parsed_read(&parsed, translations[_i].text, n, translations[_i].dialect));
	parsed_apply(both.cube, &parsed.alg);
	ck_assert_msg(checked_same(&both), "%s", translations[_i].text);
	parsed_free(&parsed);
	geo_list_free(&list);
	checked_destroy(&both);
}
END_TEST

int main(void)
{
	int same = (int)(sizeof(equalities) / sizeof(equalities[0]));
	int dialects = (int)(sizeof(translations) / sizeof(translations[0]));
	int nest = (int)(sizeof(nests) / sizeof(nests[0]));
	Suite *suite = suite_create("geometry of text");
	TCase *tests = tcase_create("text");
	tcase_add_test(tests, stored_states);
	tcase_add_loop_test(tests, nested_algorithms, 0, SIZES);
	tcase_add_loop_test(tests, nested_deep, 0, nest);
	tcase_add_test(tests, repeats_without_end);
	tcase_add_test(tests, repeats_nested);
	tcase_add_loop_test(tests, equalities_hold, 0, same);
	tcase_add_loop_test(tests, dialects_translate, 0, dialects);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 3 + SIZES + nest + same + dialects);
}
