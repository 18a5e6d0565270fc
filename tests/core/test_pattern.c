/* tests/core/test_pattern.c: patterns of colours against patterns that were folded in space. */
#include "core/pattern/pattern_internal.h"

#include <string.h>

#include "cube/cube.h"
#include "cube/hold.h"
#include "tests/core/folded_pattern.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#define SIZE_MAX_TESTED 7
#define FACELETS (6 * SIZE_MAX_TESTED * SIZE_MAX_TESTED)

static struct cube *solved(int size)
{
	struct cube *cube = malloc(cube_bytes(size));
	cube_init(cube, size);
	return cube;
}

static struct cube_pattern *made(int size, const uint8_t *items)
{
	size_t stars = 0;
	for (size_t i = 0; i < cube_facelets(size); i++)
		stars += items[i] == CUBE_ITEM_ANY;
	struct cube_pattern *pattern = malloc(cube_pattern_bytes(size, stars));
	cube_pattern_make(pattern, size, items);
	return pattern;
}

static struct cube_pattern *read_pattern(const char *text, int size)
{
	uint8_t items[FACELETS];
	struct cube_pattern_error error;
	int found;
	ck_assert_int_eq(cube_pattern_parse(text, strlen(text), items, &found, &error),
			 CUBE_PATTERN_OK);
	ck_assert_int_eq(found, size);
	return made(size, items);
}

/* By every code there is. */
static uint32_t match(const struct cube_pattern *pattern, const uint8_t *colors)
{
	uint32_t fits = cube_pattern_match(pattern, colors, CUBE_FITS_ALL);
	const struct pattern_code *path;
	for (size_t i = 0; cube_pattern_size(pattern) <= 3 && (path = pattern_code(i)); i++)
		ck_assert_msg(path->match(pattern, colors) == fits, "%s", path->name);
	return fits;
}

static uint32_t match_cube(const char *text, const struct cube *cube)
{
	uint8_t colors[FACELETS];
	struct cube_pattern *pattern = read_pattern(text, cube->size);
	cube_colors(cube, colors);
	uint32_t fits = match(pattern, colors);
	free(pattern);
	return fits;
}

/* ---- the words ---- */

#define ONE_LAYER "1111 **22 3*3* *4*4 55** ****"

START_TEST(one_layer_of_a_2x2x2)
{
	struct cube *cube = solved(2);
	ck_assert_uint_eq(match_cube(ONE_LAYER, cube), CUBE_FITS_ALL);
	cube_turn(cube, cube_turn_make(2, CUBE_R, 1, 1, 1)); /* R and L are layers still */
	ck_assert_uint_eq(match_cube(ONE_LAYER, cube), 0xfu << 4 * CUBE_R | 0xfu << 4 * CUBE_L);
	cube_turn(cube, cube_turn_make(2, CUBE_U, 1, 1, 1));
	ck_assert_uint_eq(match_cube(ONE_LAYER, cube), 0);
	free(cube);
}
END_TEST

/* A pattern of A's middle and, above it, one of what the face touches. */
START_TEST(rotation_is_clockwise_from_the_faces_own_up)
{
	static const char up[] = "BUUFUU", right[] = "RBRRFL", below[] = "FDDBDD",
			  left[] = "LFLLBR";
	struct cube *cube = solved(3);
	for (int face = 0; face < CUBE_FACES; face++) {
		char text[] = "********* *******1* ********* ********* ********* *********";
		const char around[] = {up[face], right[face], below[face], left[face]};
		text[4] = cube_face_letters[face];
		for (int rotation = 0; rotation < 4; rotation++) {
			text[17] = around[rotation];
			ck_assert_uint_eq(match_cube(text, cube), 1u << cube_fit(face, rotation));
		}
	}
	free(cube);
}
END_TEST

START_TEST(generics_bind_different_colors)
{
	struct cube *cube = solved(3);
	uint32_t none = 0;
	/* 1 and 2 on one face; 1 if the pattern names its colour elsewhere. */
	ck_assert_uint_eq(
		match_cube("1******2* ********* ********* ********* ********* *********", cube),
		none);
	ck_assert_uint_eq(
		match_cube("1******W* ********* ********* ********* ********* *********", cube),
		none);
	ck_assert_uint_eq(
		match_cube("1******1* ********* ********* ********* ********* *********", cube),
		CUBE_FITS_ALL);
	/* U is W: the same constant. */
	ck_assert_uint_eq(
		match_cube("U******W* ********* ********* ********* ********* *********", cube),
		0xfu);
	ck_assert_uint_eq(
		match_cube("****1**** ****2**** ****1**** ********* ********* *********", cube),
		none);
	/* All six, and one more constant than that leaves. */
	ck_assert_uint_eq(
		match_cube("****1**** ****2**** ****3**** ****4**** ****5**** ****6****", cube),
		CUBE_FITS_ALL);
	ck_assert_uint_eq(
		match_cube("*U**1**** ****2**** ****3**** ****4**** ****5**** ****6****", cube),
		none);
	free(cube);
}
END_TEST

START_TEST(bindings)
{
	struct cube *cube = solved(3);
	uint8_t colors[54];
	int8_t bound[CUBE_GENERICS];
	struct cube_pattern *pattern =
		read_pattern("****2**** ****3**** ****6**** ********* ********* *********", 3);
	cube_colors(cube, colors);
	cube_pattern_bindings(pattern, colors, cube_fit(CUBE_R, 3), bound);
	/* R, its up lying where F is, its right where U is. */
	ck_assert_int_eq(bound[1], CUBE_R);
	ck_assert_int_eq(bound[2], CUBE_F);
	ck_assert_int_eq(bound[5], CUBE_U);
	ck_assert_int_eq(bound[0], -1);
	ck_assert_int_eq(bound[3], -1);
	ck_assert_int_eq(bound[4], -1);
	free(pattern);
	free(cube);
}
END_TEST

START_TEST(fits_are_holds)
{
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		struct cube *cube = solved(3), *turned = solved(3);
		cube_hold_turn(turned, cube, cube_fit_hold(fit));
		/* A cube turned so has F's stickers where A is. */
		ck_assert_int_eq(cube_color_at(turned, (size_t)cube_fit_face(fit) * 9), CUBE_F);
		ck_assert_uint_eq(
			match_cube("FFFFFFFFF ****U**** ****R**** ****L**** ****D**** ****B****",
				   turned),
			1u << fit);
		free(cube);
		free(turned);
	}
}
END_TEST

/* ---- text ---- */

START_TEST(text_says_what_is_wrong)
{
	static const struct {
		const char *text;
		enum cube_pattern_code code;
		int array;
		size_t item, expected, offset;
	} wrong[] = {
		{"", CUBE_PATTERN_ARRAYS, 0, 0, 6, 0},
		{"1111 **22", CUBE_PATTERN_ARRAYS, 2, 0, 6, 9},
		{"1111 **22 3*3* *4*4 55** **** ****", CUBE_PATTERN_ARRAYS, 7, 0, 6, 30},
		{"1111 **22 3*3* *7*4 55** ****", CUBE_PATTERN_ITEM, 3, 1, 0, 16},
		{"1111 **22 3*3* *4*4 55*x ****", CUBE_PATTERN_ITEM, 4, 3, 0, 23},
		{"0111**223*3**4*455******", CUBE_PATTERN_ITEM, 0, 0, 0, 0},
		{"1111**223*3**4*455*****0", CUBE_PATTERN_ITEM, 5, 3, 0, 23},
		{"1111 **22 3*3 *4*4 55** ****", CUBE_PATTERN_COUNT, 2, 3, 4, 10},
		{"111 **22 3*3* *4*4 55** ****", CUBE_PATTERN_SIZE, 0, 3, 0, 0},
		{"1 2 3 4 5 6", CUBE_PATTERN_SIZE, 0, 1, 0, 0},
		{"1111**223*3**4*455*****", CUBE_PATTERN_SIZE, 0, 23, 0, 0},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint8_t items[64];
		struct cube_pattern_error error;
		int size = -1;
		ck_assert_msg(cube_pattern_parse(wrong[i].text, strlen(wrong[i].text), items, &size,
						 &error) == wrong[i].code,
			      "%s", wrong[i].text);
		ck_assert_int_eq(error.code, wrong[i].code);
		ck_assert_msg(error.array == wrong[i].array && error.item == wrong[i].item &&
				      error.expected == wrong[i].expected &&
				      error.offset == wrong[i].offset,
			      "%s: %d %zu %zu %zu", wrong[i].text, error.array, error.item,
			      error.expected, error.offset);
		ck_assert_int_eq(size, -1);
		ck_assert_uint_gt(strlen(cube_pattern_text(error.code)), 10);
	}
}
END_TEST

START_TEST(text_in_either_alphabet_and_white_space)
{
	uint8_t a[54], b[54];
	struct cube_pattern_error error;
	int size;
	const char *spaced = "\n UUUU\tRrRr FFff  DDDD\r\nLLLL BBBB \n",
		   *plain = "WwWWRRRRGGggyYYYOoOOBBBB";
	ck_assert_int_eq(cube_pattern_parse(spaced, strlen(spaced), a, &size, &error),
			 CUBE_PATTERN_OK);
	ck_assert_int_eq(cube_pattern_parse(plain, strlen(plain), b, &size, &error),
			 CUBE_PATTERN_OK);
	ck_assert_int_eq(size, 2);
	ck_assert_mem_eq(a, b, 24);
	for (int item = 0; item <= CUBE_ITEM_ANY; item++)
		ck_assert_int_eq(cube_pattern_item(cube_pattern_letter(item)), item);
	for (int c = -128; c < 128; c++)
		ck_assert_int_le(cube_pattern_item((char)c), CUBE_ITEM_ANY);
}
END_TEST

/* Six words of 4 and one of 24: the largest that is one word has 60,000. */
START_TEST(text_of_the_largest_cube)
{
	static char text[CUBE_FACELETS_MAX];
	static uint8_t items[CUBE_FACELETS_MAX];
	struct cube_pattern_error error;
	int size;
	memset(text, '*', sizeof(text));
	ck_assert_int_eq(cube_pattern_parse(text, sizeof(text), items, &size, &error),
			 CUBE_PATTERN_OK);
	ck_assert_int_eq(size, 100);
	ck_assert_int_eq(cube_pattern_parse(text, sizeof(text) - 6, items, &size, &error),
			 CUBE_PATTERN_SIZE);
}
END_TEST

/* ---- against the folded ones ---- */

/* A pattern that is made of a state as one way of holding it sees it: colours, some of them by
 * generics, stars, and now and then an item that is another one. */
static void make_items(struct gen *gen, const struct folded_pattern *fold, const uint8_t *colors,
		       uint8_t *items)
{
	int fit = (int)gen_below(gen, CUBE_FITS);
	uint32_t stars = gen_below(gen, 101), constants = gen_below(gen, 4);
	uint8_t by_color[6] = {6, 7, 8, 9, 10, 11};
	for (uint32_t i = 5; i > 0; i--) {
		uint32_t k = gen_below(gen, i + 1);
		uint8_t swapped = by_color[i];
		by_color[i] = by_color[k];
		by_color[k] = swapped;
	}
	for (uint8_t i = 0; i < 6; i++)
		if (gen_below(gen, 3) < constants)
			by_color[i] = i;
	for (size_t i = 0; i < fold->count; i++)
		items[i] = gen_below(gen, 100) < stars ? CUBE_ITEM_ANY
						       : by_color[colors[fold->facelet[fit][i]]];
	if (gen_below(gen, 3) == 0)
		items[gen_below(gen, (uint32_t)fold->count)] =
			(uint8_t)gen_below(gen, CUBE_ITEM_ANY + 1);
}

static void check_bindings(const struct folded_pattern *fold, const struct cube_pattern *pattern,
			   const uint8_t *items, const uint8_t *colors, uint32_t fits)
{
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		int8_t bound[CUBE_GENERICS], expected[CUBE_GENERICS] = {-1, -1, -1, -1, -1, -1};
		if ((fits >> fit & 1) == 0)
			continue;
		for (size_t i = 0; i < fold->count; i++)
			if (items[i] >= CUBE_ITEM_GENERIC && items[i] < CUBE_ITEM_ANY)
				expected[items[i] - CUBE_ITEM_GENERIC] =
					(int8_t)colors[fold->facelet[fit][i]];
		cube_pattern_bindings(pattern, colors, fit, bound);
		ck_assert_mem_eq(bound, expected, sizeof(bound));
	}
}

START_TEST(against_folded_patterns)
{
	int size = _i;
	struct gen gen = {(uint64_t)size * 7919};
	struct folded_pattern fold = folded_create(size);
	struct cube *cube = solved(size);
	uint8_t *colors = malloc(fold.count), *items = malloc(fold.count);
	uint32_t some = 0, rounds = gen_rounds(size < 4 ? 3000 : 250);
	for (uint32_t round = 0; round < rounds; round++) {
		if (round % 8 == 0)
			cube_init(cube, size);
		cube_turn(cube, gen_turn(&gen, size));
		cube_colors(cube, colors);
		for (size_t i = 0; i < fold.count; i++)
			ck_assert_int_eq(colors[i], cube_color_at(cube, i));
		make_items(&gen, &fold, colors, items);
		struct cube_pattern *pattern = made(size, items);
		uint32_t fits = match(pattern, colors),
			 expected = folded_match(&fold, items, colors);
		ck_assert_msg(fits == expected, "%d: %06x, not %06x", size, fits, expected);
		uint32_t among = gen_below(&gen, 1u << CUBE_FITS);
		ck_assert_uint_eq(cube_pattern_match(pattern, colors, among), fits & among);
		check_bindings(&fold, pattern, items, colors, fits);
		some += fits != 0;
		free(pattern);
	}
	/* Two thirds are as they were made, and most of the rest fit nowhere. */
	ck_assert_uint_gt(some, rounds / 2);
	ck_assert_uint_lt(some, rounds - rounds / 20);
	free(items);
	free(colors);
	free(cube);
	folded_destroy(&fold);
}
END_TEST

/* Neither the colours nor the pattern are read beyond their end. */
START_TEST(reads_no_further)
{
	static const int sizes[] = {2, 3, 4};
	for (int i = 0; i < 3; i++) {
		size_t count = cube_facelets(sizes[i]);
		struct cube *cube = solved(sizes[i]);
		uint8_t *colors = malloc(count); /* which the sanitizer guards */
		uint8_t items[96];
		memset(items, CUBE_ITEM_GENERIC, sizeof(items));
		cube_colors(cube, colors);
		struct cube_pattern *pattern = made(sizes[i], items);
		ck_assert_uint_eq(match(pattern, colors), 0);
		free(pattern);
		free(colors);
		free(cube);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pattern");
	TCase *words = tcase_create("words"), *text = tcase_create("text"),
	      *fold = tcase_create("fold");
	tcase_add_test(words, one_layer_of_a_2x2x2);
	tcase_add_test(words, rotation_is_clockwise_from_the_faces_own_up);
	tcase_add_test(words, generics_bind_different_colors);
	tcase_add_test(words, bindings);
	tcase_add_test(words, fits_are_holds);
	tcase_add_test(words, reads_no_further);
	tcase_add_test(text, text_says_what_is_wrong);
	tcase_add_test(text, text_in_either_alphabet_and_white_space);
	tcase_add_test(text, text_of_the_largest_cube);
	tcase_add_loop_test(fold, against_folded_patterns, 2, SIZE_MAX_TESTED + 1);
	tcase_set_timeout(fold, 60);
	suite_add_tcase(suite, words);
	suite_add_tcase(suite, text);
	suite_add_tcase(suite, fold);
	return run_suite(suite, 15);
}
