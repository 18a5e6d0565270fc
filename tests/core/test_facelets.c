/* tests/core/test_facelets.c: cubes as colours: letters, unfoldings, what is no cube. */
#include "cube/facelets.h"

#include "cube/turn.h"
#include "tests/core/both.h"
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

/* ---- colours that are none ---- */

/* A cube that is about to be spoilt, and what was found. */
struct trial {
	int n;
	struct cube *cube, *back;
	uint8_t *colors;
	struct cube_problem problems[64];
	size_t found;
};

static void trial_start(struct trial *trial, int n, struct gen *gen)
{
	trial->n = n;
	trial->cube = new_cube(n);
	trial->back = new_cube(n);
	shuffle(trial->cube, gen, 30);
	trial->colors = colors_of(trial->cube);
}

static void trial_end(struct trial *trial)
{
	free(trial->cube);
	free(trial->back);
	free(trial->colors);
}

static void trial_read(struct trial *trial)
{
	trial->found = cube_from_colors(trial->back, trial->n, trial->colors, trial->problems, 64);
	/* What does not fit is counted all the same. */
	ck_assert_uint_eq(cube_from_colors(trial->back, trial->n, trial->colors, NULL, 0),
	                  trial->found);
}

static int count_of(const struct trial *trial, enum cube_problem_kind kind)
{
	int count = 0;
	for (size_t i = 0; i < trial->found && i < 64; i++)
		count += trial->problems[i].kind == kind;
	return count;
}

static uint8_t *color(struct trial *trial, int face, int row, int column)
{
	return &trial->colors[(face * trial->n + row) * trial->n + column];
}

/* The three stickers at URF and UFL clockwise, and both at UF in a column. */
static void urf(struct trial *trial, uint8_t *at[3])
{
	at[0] = color(trial, CUBE_U, trial->n - 1, trial->n - 1);
	at[1] = color(trial, CUBE_R, 0, 0);
	at[2] = color(trial, CUBE_F, 0, trial->n - 1);
}

static void ufl(struct trial *trial, uint8_t *at[3])
{
	at[0] = color(trial, CUBE_U, trial->n - 1, 0);
	at[1] = color(trial, CUBE_F, 0, 0);
	at[2] = color(trial, CUBE_L, 0, trial->n - 1);
}

static void swap(uint8_t *a, uint8_t *b)
{
	uint8_t old = *a;
	*a = *b;
	*b = old;
}

START_TEST(twisted_corner)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		for (int amount = 1; amount <= 2; amount++) {
			struct trial trial;
			uint8_t *at[3];
			trial_start(&trial, sizes[_i], &gen);
			urf(&trial, at);
			for (int i = 0; i < amount;
			     i++) { /* each colour one facelet on, clockwise */
				swap(at[0], at[1]);
				swap(at[0], at[2]);
			}
			trial_read(&trial);
			ck_assert_uint_eq(trial.found, 1);
			ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_CORNER_TWISTED);
			ck_assert_int_eq(trial.problems[0].amount, amount);
			/* A second one, twisted the other way, makes it a cube again. */
			ufl(&trial, at);
			for (int i = amount; i < 3; i++) {
				swap(at[0], at[1]);
				swap(at[0], at[2]);
			}
			trial_read(&trial);
			ck_assert_uint_eq(trial.found, 0);
			trial_end(&trial);
		}
	}
}
END_TEST

START_TEST(mirrored_corner)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		struct trial trial;
		uint8_t *at[3];
		trial_start(&trial, sizes[_i], &gen);
		urf(&trial, at);
		swap(at[1], at[2]);
		trial_read(&trial);
		ck_assert_uint_eq(trial.found, 1);
		ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_MIRRORED_CORNER);
		ck_assert_str_eq(trial.problems[0].place, "URF");
		for (int i = 0; i < 3; i++)
			ck_assert(strchr(trial.problems[0].piece, trial.problems[0].letters[i]));
		ck_assert_uint_eq(strlen(trial.problems[0].piece), 3);
		trial_end(&trial);
	}
}
END_TEST

/* Two corners swapped: wrong on odd sizes, free on even ones; two edges on top put it right. */
START_TEST(swapped_corners)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		struct trial trial;
		uint8_t *a[3], *b[3];
		trial_start(&trial, sizes[_i], &gen);
		urf(&trial, a);
		ufl(&trial, b);
		/* Aligned by their U and D stickers, so that no twist comes about. */
		int shift_a = 0, shift_b = 0;
		while (*a[shift_a] % 3 != CUBE_U)
			shift_a++;
		while (*b[shift_b] % 3 != CUBE_U)
			shift_b++;
		uint8_t old_a[3], old_b[3];
		for (int i = 0; i < 3; i++) {
			old_a[i] = *a[(shift_a + i) % 3];
			old_b[i] = *b[(shift_b + i) % 3];
		}
		for (int i = 0; i < 3; i++) {
			*a[(shift_a + i) % 3] = old_b[i];
			*b[(shift_b + i) % 3] = old_a[i];
		}
		trial_read(&trial);
		if (trial.n % 2 == 0) {
			ck_assert_uint_eq(trial.found, 0);
			trial_end(&trial);
			continue;
		}
		ck_assert_uint_eq(trial.found, 1);
		ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_PARITY);
		int m = trial.n / 2, end = trial.n - 1;
		swap(color(&trial, CUBE_U, end, m), color(&trial, CUBE_U, m, 0));
		swap(color(&trial, CUBE_F, 0, m), color(&trial, CUBE_L, 0, m));
		trial_read(&trial);
		/* UF and UL have exchanged their edges; that may flip, but the parity fits again.
		 */
		ck_assert_int_eq(count_of(&trial, CUBE_PROBLEM_PARITY), 0);
		ck_assert_uint_eq(trial.found, (size_t)count_of(&trial, CUBE_PROBLEM_EDGE_FLIPPED));
		trial_end(&trial);
	}
}
END_TEST

START_TEST(flipped_edge)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40 && sizes[_i] % 2 != 0; round++) {
		struct trial trial;
		trial_start(&trial, sizes[_i], &gen);
		int m = trial.n / 2;
		swap(color(&trial, CUBE_U, trial.n - 1, m), color(&trial, CUBE_F, 0, m));
		trial_read(&trial);
		ck_assert_uint_eq(trial.found, 1);
		ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_EDGE_FLIPPED);
		swap(color(&trial, CUBE_U, m, 0), color(&trial, CUBE_L, 0, m));
		trial_read(&trial);
		ck_assert_uint_eq(trial.found, 0);
		trial_end(&trial);
	}
}
END_TEST

/* A wing the wrong way round is the other wing of its edge: there twice, and its own is missing. */
START_TEST(wings)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40 && sizes[_i] >= 4; round++) {
		struct trial trial;
		trial_start(&trial, sizes[_i], &gen);
		int end = trial.n - 1;
		uint8_t *a = color(&trial, CUBE_U, end, 1), *b = color(&trial, CUBE_F, 0, 1);
		swap(a, b);
		trial_read(&trial);
		ck_assert_uint_eq(trial.found, 2);
		ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_DUPLICATE_PIECE);
		ck_assert_int_eq(trial.problems[1].kind, CUBE_PROBLEM_MISSING_PIECE);
		ck_assert_uint_gt(strlen(trial.problems[0].place), 2);
		swap(a, b);
		/* Two wings may be exchanged as they like: UF and UB, the same way round. */
		swap(a, color(&trial, CUBE_U, 0, end - 1));
		swap(b, color(&trial, CUBE_B, 0, 1));
		trial_read(&trial);
		ck_assert_uint_eq(trial.found, 0);
		/* Both colours the same. */
		uint8_t other = *a;
		*a = *b;
		trial_read(&trial);
		ck_assert_int_eq(count_of(&trial, CUBE_PROBLEM_WRONG_COUNT), 2);
		ck_assert_int_eq(count_of(&trial, CUBE_PROBLEM_IMPOSSIBLE_PIECE), 1);
		ck_assert_int_eq(count_of(&trial, CUBE_PROBLEM_MISSING_PIECE), 1);
		*a = other;
		trial_end(&trial);
	}
}
END_TEST

START_TEST(wrong_counts_and_impossible_pieces)
{
	int n = sizes[_i], area = n * n;
	struct trial trial;
	struct gen gen = {.state = 1};
	trial_start(&trial, n, &gen);
	free(trial.cube);
	free(trial.colors);
	trial.cube = new_cube(n);
	trial.colors = colors_of(trial.cube);
	*color(&trial, CUBE_U, n - 1, n - 1) = CUBE_D; /* DFR mirrored */
	trial_read(&trial);
	ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_WRONG_COUNT);
	ck_assert(trial.problems[0].amount == area - 1 && trial.problems[0].letters[0] == 'U');
	ck_assert_int_eq(trial.problems[1].kind, CUBE_PROBLEM_WRONG_COUNT);
	ck_assert(trial.problems[1].amount == area + 1 && trial.problems[1].letters[0] == 'D');
	ck_assert_int_eq(trial.problems[2].kind, CUBE_PROBLEM_MIRRORED_CORNER);
	ck_assert_str_eq(trial.problems[2].place, "URF");
	ck_assert_str_eq(trial.problems[2].letters, "DRF");
	ck_assert_str_eq(trial.problems[2].piece, "DFR");
	ck_assert_int_eq(trial.problems[3].kind, CUBE_PROBLEM_DUPLICATE_PIECE);
	ck_assert_str_eq(trial.problems[3].place, "DFR");
	ck_assert_int_eq(trial.problems[4].kind, CUBE_PROBLEM_MISSING_PIECE);
	ck_assert_str_eq(trial.problems[4].piece, "URF");
	ck_assert_uint_eq(trial.found, 5);
	*color(&trial, CUBE_U, n - 1, n - 1) = CUBE_L; /* L and R on one corner */
	trial_read(&trial);
	ck_assert_uint_eq(trial.found, 4);
	ck_assert_int_eq(trial.problems[2].kind, CUBE_PROBLEM_IMPOSSIBLE_PIECE);
	ck_assert_str_eq(trial.problems[2].letters, "LRF");
	memset(trial.colors, CUBE_B, cube_facelets(n)); /* more problems than places to tell them */
	trial_read(&trial);
	ck_assert_int_eq(count_of(&trial, CUBE_PROBLEM_WRONG_COUNT), 6);
	trial_end(&trial);
}
END_TEST

START_TEST(centers)
{
	struct gen gen = {.state = (uint64_t)_i};
	int n = sizes[_i];
	for (int round = 0; round < 40 && n >= 3; round++) {
		struct trial trial;
		trial_start(&trial, n, &gen);
		int m = n / 2;
		if (n % 2) {
			swap(color(&trial, CUBE_U, m, m), color(&trial, CUBE_F, m, m));
			trial_read(&trial);
			ck_assert_uint_eq(trial.found, 1);
			ck_assert_int_eq(trial.problems[0].kind, CUBE_PROBLEM_CENTERS);
			ck_assert_uint_eq(strlen(trial.problems[0].letters), 6);
			swap(color(&trial, CUBE_U, m, m), color(&trial, CUBE_F, m, m));
		}
		if (n >= 4) {
			/* Exchanging centres within an orbit is fine, between orbits it is not. */
			swap(color(&trial, CUBE_U, 1, 1), color(&trial, CUBE_F, 1, n - 2));
			trial_read(&trial);
			ck_assert_uint_eq(trial.found, 0);
		}
		if (n >= 5) {
			int column = 1;
			while (*color(&trial, column, 1, 1) == *color(&trial, CUBE_U, 1, 2))
				column++;
			swap(color(&trial, column, 1, 1), color(&trial, CUBE_U, 1, 2));
			trial_read(&trial);
			ck_assert_uint_eq(trial.found, 2);
			ck_assert_int_eq(count_of(&trial, CUBE_PROBLEM_CENTERS), 2);
			ck_assert_str_ne(trial.problems[0].letters, trial.problems[0].piece);
		}
		trial_end(&trial);
	}
}
END_TEST

START_TEST(problem_names)
{
	for (int kind = 0; kind < CUBE_PROBLEM_KINDS; kind++)
		for (int other = 0; other < kind; other++)
			ck_assert_str_ne(cube_problem_name((enum cube_problem_kind)kind),
			                 cube_problem_name((enum cube_problem_kind)other));
	ck_assert_str_eq(cube_problem_name(CUBE_PROBLEM_WRONG_COUNT), "wrong_count");
	ck_assert_str_eq(cube_problem_name(CUBE_PROBLEM_CENTERS), "centers");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("facelets");
	TCase *text = tcase_create("text"), *cubes = tcase_create("cubes");
	TCase *spoilt = tcase_create("spoilt");
	tcase_add_loop_test(text, letters_come_back, 0, SIZES);
	tcase_add_test(text, letters_refused);
	tcase_add_test(text, net_text);
	tcase_add_loop_test(text, net_in_colors, 0, SIZES);
	tcase_add_loop_test(cubes, cubes_come_back, 0, SIZES);
	tcase_add_loop_test(cubes, centers_take_homes_in_order, 0, SMALL);
	tcase_add_loop_test(spoilt, twisted_corner, 0, SMALL);
	tcase_add_loop_test(spoilt, mirrored_corner, 0, SMALL);
	tcase_add_loop_test(spoilt, swapped_corners, 0, SMALL);
	tcase_add_loop_test(spoilt, flipped_edge, 0, SMALL);
	tcase_add_loop_test(spoilt, wings, 0, SMALL);
	tcase_add_loop_test(spoilt, wrong_counts_and_impossible_pieces, 0, SMALL);
	tcase_add_loop_test(spoilt, centers, 0, SMALL);
	tcase_add_test(spoilt, problem_names);
	suite_add_tcase(suite, text);
	suite_add_tcase(suite, cubes);
	suite_add_tcase(suite, spoilt);
	return run_suite(suite, 3 + 3 * SIZES + 8 * SMALL);
}
