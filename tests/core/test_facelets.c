/* tests/core/test_facelets.c: cubes as colours: letters, unfoldings, and states made of them. */
#include "cube/cube.h"
#include "cube/facelets.h"

#include "cube/hold.h"
#include "cube/turn.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7, 10, 33, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))
/* The first six are small enough for thorough work. */
#define SMALL 6

static void shuffle(struct cube *cube, struct gen *gen, int turns)
{
	for (int i = 0; i < turns; i++)
		cube_turn(cube, gen_turn(gen, cube->size));
}

static uint8_t *colors_of(const struct cube *cube)
{
	uint8_t *colors = new_bytes(cube_facelets(cube->size));
	for (size_t i = 0; i < cube_facelets(cube->size); i++)
		colors[i] = (uint8_t)cube_color_at(cube, i);
	return colors;
}

/* ---- letters ---- */

START_TEST(letters_come_back)
{
	static const char wca[] = "WRGYOB", lower[] = "urfdlb", lower_wca[] = "wrgyob";
	int n = sizes[_i], size = 0;
	size_t count = cube_facelets(n);
	struct gen gen = {.state = (uint64_t)n};
	struct guard guard = guard_create(count);
	struct cube *cube = new_cube(n);
	char *letters = new_bytes(count);
	uint8_t *parsed = new_bytes(count);
	struct cube_error error;
	for (int round = 0; round < 20; round++) {
		shuffle(cube, &gen, 5);
		cube_facelets_print(cube, letters);
		uint8_t *colors = colors_of(cube);
		for (size_t i = 0; i < count; i++) {
			const char *alphabets[] = {cube_face_letters, wca, lower, lower_wca};
			if (round > 0)
				letters[i] = alphabets[gen_below(&gen, 4)][colors[i]];
		}
		const char *at = guard_put(&guard, letters, count);
		ck_assert_int_eq(cube_colors_parse(at, count, parsed, &size, &error), CUBE_OK);
		ck_assert_int_eq(size, n);
		ck_assert_mem_eq(parsed, colors, count);
		free(colors);
	}
	free(cube);
	free(letters);
	free(parsed);
	guard_destroy(&guard);
}
END_TEST

/* Each sticker of each size, at home: its face is known without dividing. */
START_TEST(letters_of_all_stickers)
{
	char *letters = new_bytes(CUBE_FACELETS_MAX), *home = new_bytes(CUBE_FACELETS_MAX);
	for (int n = CUBE_SIZE_MIN; n <= CUBE_SIZE_MAX; n++) {
		struct cube *cube = new_cube(n);
		size_t area = (size_t)(n * n);
		for (size_t face = 0; face < CUBE_FACES; face++)
			memset(home + face * area, "URFDLB"[face], area);
		cube_facelets_print(cube, letters);
		ck_assert_mem_eq(letters, home, cube_facelets(n));
		free(cube);
	}
	free(letters);
	free(home);
}
END_TEST

/* As people lay them out; the offset of a fault counts the spaces. */
START_TEST(letters_with_blanks)
{
	static const char lines[] = " UU\tUU \r\nRRRR\nFFFF\nDDDD LLLL\n\nBBBB\n";
	uint8_t colors[24], plain[24];
	int size = 0;
	struct cube_error error;
	struct guard guard = guard_create(sizeof lines);
	const char *at = guard_put(&guard, lines, sizeof lines - 1);
	ck_assert_int_eq(cube_colors_parse(at, sizeof lines - 1, colors, &size, &error), CUBE_OK);
	ck_assert_int_eq(size, 2);
	ck_assert_int_eq(cube_colors_parse("UUUURRRRFFFFDDDDLLLLBBBB", 24, plain, &size, &error),
			 CUBE_OK);
	ck_assert_mem_eq(colors, plain, 24);
	ck_assert_int_eq(cube_colors_parse(" UUUU R?", 8, colors, &size, &error),
			 CUBE_ERROR_LETTER);
	ck_assert(error.offset == 7 && error.length == 1);
	ck_assert_int_eq(cube_colors_parse(" \n ", 3, colors, &size, &error),
			 CUBE_ERROR_FACELETS_LENGTH);
	guard_destroy(&guard);
}
END_TEST

/* Six symbols of any kind, of which the middles of odd sizes say what they are. */
START_TEST(symbols_of_any_kind)
{
	static const char *const alphabets[][6] = {
		{"0", "1", "2", "3", "4", "5"},
		{"5", "3", "1", "0", "2", "4"},
		{"a", "b", "c", "d", "e", "f"},
		{"U", "R", "F", "D", "L", "x"},
		{"\xe2\xac\x9c\xef\xb8\x8f", "\xf0\x9f\x9f\xa5", "\xf0\x9f\x9f\xa9",
		 "\xf0\x9f\x9f\xa8", "\xf0\x9f\x9f\xa7", "\xf0\x9f\x9f\xa6"},
	};
	struct gen gen = {.state = (uint64_t)_i};
	struct guard guard = guard_create(8000);
	for (int n = 2; n <= 9; n++) {
		struct cube *cube = new_cube(n);
		for (int i = 0; i < 50; i++)
			cube_turn(cube, gen_turn(&gen, n));
		/* Held so that U and F are where they were, whatever has been turned. */
		struct cube *home = new_cube(n);
		cube_hold_home(home, cube);
		char text[8000] = "";
		const size_t count = cube_facelets(n);
		uint8_t *colors = new_bytes(8000);
		for (size_t i = 0; i < count; i++)
			strcat(text, alphabets[_i][cube_color_at(home, i)]);
		int size = 0;
		struct cube_error error;
		const size_t length = strlen(text);
		const char *at = guard_put(&guard, text, length);
		const enum cube_error_code code =
			cube_colors_parse(at, length, colors, &size, &error);
		ck_assert_uint_eq(cube_symbols_count(at, length), count);
		ck_assert_int_eq(code, n % 2 ? CUBE_OK : CUBE_ERROR_LETTER);
		ck_assert(n % 2 || strstr(error.expected, "odd sizes"));
		for (size_t i = 0; i < count && n % 2; i++)
			ck_assert_int_eq(colors[i], cube_color_at(home, i));
		ck_assert_int_eq(size, n % 2 ? n : 0);
		free(colors);
		free(home);
		free(cube);
	}
	guard_destroy(&guard);
}
END_TEST

/* The middles must differ, and six is six. */
START_TEST(symbols_refused)
{
	char text[55] = "000000000111111111222222222333333333444444444555555555";
	uint8_t colors[54];
	int size = 77;
	struct cube_error error;
	text[13] = '0';
	ck_assert_int_eq(cube_colors_parse(text, 54, colors, &size, &error), CUBE_ERROR_LETTER);
	ck_assert(error.offset == 13 && error.length == 1 && strstr(error.expected, "middles"));
	text[13] = '6';
	ck_assert_int_eq(cube_colors_parse(text, 54, colors, &size, &error), CUBE_ERROR_LETTER);
	ck_assert(error.offset == 0 && size == 77);
	text[13] = '1';
	ck_assert_int_eq(cube_colors_parse(text, 53, colors, &size, &error),
			 CUBE_ERROR_FACELETS_LENGTH);
	ck_assert(error.offset == 53 && error.length == 0 && size == 77);
}
END_TEST

START_TEST(letters_refused)
{
	uint8_t colors[54];
	int size = 77;
	struct cube_error error;
	struct guard guard = guard_create(64);
	char solved[55] = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
	for (size_t length = 0; length < 54; length++) {
		const char *at = guard_put(&guard, solved, length);
		enum cube_error_code code = cube_colors_parse(at, length, colors, &size, &error);
		if (length == 24) {
			ck_assert(code == CUBE_OK && size == 2);
			size = 77;
			continue;
		}
		ck_assert(code == CUBE_ERROR_FACELETS_LENGTH && error.code == code);
		ck_assert(error.offset == length && error.length == 0 && error.expected[0]);
		ck_assert_int_eq(size, 77);
	}
	for (size_t at = 0; at < 54; at++) {
		char right = solved[at];
		solved[at] = 'X';
		ck_assert_int_eq(
			cube_colors_parse(guard_put(&guard, solved, 54), 54, colors, &size, &error),
			CUBE_ERROR_LETTER);
		ck_assert(error.offset == at && error.length == 1 && size == 77);
		solved[at] = right;
	}
	memcpy(solved + 52, "\u00fc", 2);
	ck_assert_int_eq(cube_colors_parse(solved, 54, colors, &size, &error), CUBE_ERROR_LETTER);
	ck_assert(error.offset == 52 && error.length == 2);
	solved[53] = '\xe2'; /* a sequence cut off by the end */
	solved[52] = 'B';
	ck_assert_int_eq(
		cube_colors_parse(guard_put(&guard, solved, 54), 54, colors, &size, &error),
		CUBE_ERROR_LETTER);
	ck_assert(error.offset == 53 && error.length == 1);
	int letters = 0;
	for (int c = -128; c < 128; c++)
		letters += cube_color_of_letter((char)c) >= 0;
	ck_assert_int_eq(letters, 20);
	for (int n = 0; n <= 102; n++)
		ck_assert_int_eq(cube_size_of_facelets(cube_facelets(n)),
				 n >= 2 && n <= 100 ? n : 0);
	guard_destroy(&guard);
}
END_TEST

/* ---- the unfolding ---- */

START_TEST(net_text)
{
	struct cube *cube = new_cube(2);
	char text[512];
	size_t bytes = cube_net_print(cube, false, text);
	static const char solved[] = "     U U\n     U U\n"
				     "L L  F F  R R  B B\nL L  F F  R R  B B\n"
				     "     D D\n     D D\n";
	ck_assert_uint_eq(bytes, strlen(solved));
	ck_assert_uint_eq(bytes, cube_net_bytes(2, false));
	ck_assert_mem_eq(text, solved, bytes);
	cube_turn(cube, cube_turn_make(2, CUBE_R, 1, 1, 1));
	static const char turned[] = "     U F\n     U F\n"
				     "L L  F D  R R  U B\nL L  F D  R R  U B\n"
				     "     D B\n     D B\n";
	ck_assert_uint_eq(cube_net_print(cube, false, text), strlen(turned));
	ck_assert_mem_eq(text, turned, strlen(turned));
	free(cube);
}
END_TEST

/* The coloured unfolding is the plain one between escape sequences. */
START_TEST(net_in_colors)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n};
	struct cube *cube = new_cube(n);
	shuffle(cube, &gen, 10);
	char *plain = new_bytes(cube_net_bytes(n, false)),
	     *ansi = new_bytes(cube_net_bytes(n, true));
	size_t length = cube_net_print(cube, false, plain), from = 0;
	size_t ansi_length = cube_net_print(cube, true, ansi);
	ck_assert_uint_eq(length, cube_net_bytes(n, false));
	ck_assert_uint_le(ansi_length, cube_net_bytes(n, true));
	size_t sequences = 0;
	for (size_t i = 0; i < ansi_length; i++) {
		if (ansi[i] == '\033') {
			sequences++;
			while (ansi[i] != 'm')
				i++;
			continue;
		}
		if (from >= length || plain[from++] != ansi[i])
			ck_abort_msg("byte %zu differs", from);
	}
	ck_assert_uint_eq(from, length);
	ck_assert_uint_eq(sequences, 2 * cube_facelets(n));
	free(cube);
	free(plain);
	free(ansi);
}
END_TEST

/* ---- colours that are cubes ---- */

static bool is_center(int n, size_t facelet)
{
	int row = (int)facelet / n % n, column = (int)facelet % n;
	return row > 0 && row < n - 1 && column > 0 && column < n - 1;
}

/* Colours come back; so do all pieces, and the centres of one colour in facelet order. */
static void check_from_colors(const struct cube *cube, struct cube *back, uint8_t *seen)
{
	int n = cube->size;
	uint8_t *colors = colors_of(cube);
	struct cube_problem problem;
	ck_assert_msg(cube_from_colors(back, n, colors, &problem, 1) == 0, "size %d: %s", n,
		      cube_problem_name(problem.kind));
	ck_assert(cube_well_formed(back, seen));
	for (size_t i = 0; i < cube_facelets(n); i++) {
		bool same = is_center(n, i) ? cube_color_at(back, i) == colors[i]
					    : back->sticker[i] == cube->sticker[i];
		if (!same || (i < CUBE_FACES && back->spin[i] != 0))
			ck_abort_msg("size %d, facelet %zu", n, i);
	}
	free(colors);
}

START_TEST(cubes_come_back)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n + 5};
	struct cube *cube = new_cube(n), *back = new_cube(n);
	uint8_t *seen = new_bytes(cube_facelets(n));
	check_from_colors(cube, back, seen);
	ck_assert(cube_equal(cube, back));
	for (uint32_t i = 0; i < gen_rounds(n < 4    ? 20000
					    : n < 8  ? 4000
					    : n < 50 ? 100
						     : 20);
	     i++) {
		cube_turn(cube, gen_turn(&gen, n));
		check_from_colors(cube, back, seen);
	}
	free(cube);
	free(back);
	free(seen);
}
END_TEST

/* Within an orbit the places that show a colour take its stickers in facelet order. */
START_TEST(centers_take_homes_in_order)
{
	int n = sizes[_i];
	size_t area = (size_t)n * (size_t)n;
	struct gen gen = {.state = (uint64_t)n + 6};
	struct cube *cube = new_cube(n), *back = new_cube(n);
	for (int round = 0; round < 50; round++) {
		shuffle(cube, &gen, 10);
		uint8_t *colors = colors_of(cube);
		ck_assert_uint_eq(cube_from_colors(back, n, colors, NULL, 0), 0);
		for (int row = 1; row < n / 2; row++) {
			for (int column = 1; column < n - 1 - row; column++) {
				int last[CUBE_FACES] = {-1, -1, -1, -1, -1, -1};
				for (size_t i = 0; i < 6 * area; i++) {
					int r = (int)(i % area) / n, c = (int)i % n;
					bool inside = false;
					for (int turn = 0; turn < 4; turn++) {
						inside |= r == row && c == column;
						int old = r;
						r = c;
						c = n - 1 - old;
					}
					if (!inside)
						continue;
					int sticker = back->sticker[i], color = sticker / (int)area;
					ck_assert(last[color] < sticker);
					last[color] = sticker;
				}
			}
		}
		free(colors);
	}
	free(cube);
	free(back);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("facelets");
	TCase *text = tcase_create("text"), *cubes = tcase_create("cubes");
	tcase_add_loop_test(text, letters_come_back, 0, SIZES);
	tcase_add_loop_test(text, symbols_of_any_kind, 0, 5);
	tcase_add_test(text, symbols_refused);
	tcase_add_test(text, letters_of_all_stickers);
	tcase_add_test(text, letters_with_blanks);
	tcase_add_test(text, letters_refused);
	tcase_add_test(text, net_text);
	tcase_add_loop_test(text, net_in_colors, 0, SIZES);
	tcase_add_loop_test(cubes, cubes_come_back, 0, SIZES);
	tcase_add_loop_test(cubes, centers_take_homes_in_order, 0, SMALL);
	suite_add_tcase(suite, text);
	suite_add_tcase(suite, cubes);
	return run_suite(suite, 4 + 5 + 3 * SIZES + SMALL);
}
