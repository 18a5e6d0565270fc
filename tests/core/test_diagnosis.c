/* tests/core/test_diagnosis.c: what is wrong with colours that are no cube, by kind and name. */
#include "cube/facelets.h"

#include "tests/core/both.h"
#include "tests/core/guard.h"
#include "tests/core/mend.h"
#include "tests/core/run.h"
#include "tests/core/trial.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static const char *const corners[8] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
static const char *const edges[12] = {"UR", "UF", "UL", "UB", "DR", "DF",
				      "DL", "DB", "FR", "FL", "BL", "BR"};

/* The three stickers at URF and UFL clockwise, and both at UF in a column. */
static void urf(struct trial *trial, uint8_t *at[3])
{
	at[0] = trial_color(trial, CUBE_U, trial->n - 1, trial->n - 1);
	at[1] = trial_color(trial, CUBE_R, 0, 0);
	at[2] = trial_color(trial, CUBE_F, 0, trial->n - 1);
}

static void ufl(struct trial *trial, uint8_t *at[3])
{
	at[0] = trial_color(trial, CUBE_U, trial->n - 1, 0);
	at[1] = trial_color(trial, CUBE_F, 0, 0);
	at[2] = trial_color(trial, CUBE_L, 0, trial->n - 1);
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
			struct trial *trial = trial_create(sizes[_i]);
			uint8_t *at[3];
			trial_turn(trial, &gen, 30);
			urf(trial, at);
			for (int i = 0; i < amount;
			     i++) { /* each colour one facelet on, clockwise */
				swap(at[0], at[1]);
				swap(at[0], at[2]);
			}
			trial_read(trial);
			ck_assert_uint_eq(trial->found, 1);
			ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_CORNER_TWISTED);
			ck_assert_int_eq(trial->problems[0].amount, amount);
			/* A second one, twisted the other way, makes it a cube again. */
			ufl(trial, at);
			for (int i = amount; i < 3; i++) {
				swap(at[0], at[1]);
				swap(at[0], at[2]);
			}
			trial_read(trial);
			ck_assert_uint_eq(trial->found, 0);
			trial_destroy(trial);
		}
	}
}
END_TEST

START_TEST(mirrored_corner)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		struct trial *trial = trial_create(sizes[_i]);
		uint8_t *at[3];
		trial_turn(trial, &gen, 30);
		urf(trial, at);
		swap(at[1], at[2]);
		trial_read(trial);
		ck_assert_uint_eq(trial->found, 1);
		ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_MIRRORED_CORNER);
		ck_assert_str_eq(trial->problems[0].place, "URF");
		for (int i = 0; i < 3; i++)
			ck_assert(strchr(trial->problems[0].piece, trial->problems[0].letters[i]));
		ck_assert_uint_eq(strlen(trial->problems[0].piece), 3);
		trial_destroy(trial);
	}
}
END_TEST

/* Two corners swapped: wrong on odd sizes, free on even ones; two edges on top put it right. */
START_TEST(swapped_corners)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		struct trial *trial = trial_create(sizes[_i]);
		uint8_t *a[3], *b[3];
		trial_turn(trial, &gen, 30);
		urf(trial, a);
		ufl(trial, b);
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
		trial_read(trial);
		if (trial->n % 2 == 0) {
			ck_assert_uint_eq(trial->found, 0);
			trial_destroy(trial);
			continue;
		}
		ck_assert_uint_eq(trial->found, 1);
		ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_PARITY);
		int m = trial->n / 2, end = trial->n - 1;
		swap(trial_color(trial, CUBE_U, end, m), trial_color(trial, CUBE_U, m, 0));
		swap(trial_color(trial, CUBE_F, 0, m), trial_color(trial, CUBE_L, 0, m));
		trial_read(trial);
		/* UF and UL have exchanged their edges; that may flip, but the parity fits again.
		 */
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_PARITY], 0);
		ck_assert_uint_eq(trial->found, (size_t)trial->kinds[CUBE_PROBLEM_EDGE_FLIPPED]);
		trial_destroy(trial);
	}
}
END_TEST

START_TEST(flipped_edge)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40 && sizes[_i] % 2 != 0; round++) {
		struct trial *trial = trial_create(sizes[_i]);
		trial_turn(trial, &gen, 30);
		int m = trial->n / 2;
		swap(trial_color(trial, CUBE_U, trial->n - 1, m), trial_color(trial, CUBE_F, 0, m));
		trial_read(trial);
		ck_assert_uint_eq(trial->found, 1);
		ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_EDGE_FLIPPED);
		swap(trial_color(trial, CUBE_U, m, 0), trial_color(trial, CUBE_L, 0, m));
		trial_read(trial);
		ck_assert_uint_eq(trial->found, 0);
		trial_destroy(trial);
	}
}
END_TEST

/* A wing the wrong way round is the other wing of its edge: there twice, and its own is missing. */
START_TEST(wings)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40 && sizes[_i] >= 4; round++) {
		struct trial *trial = trial_create(sizes[_i]);
		trial_turn(trial, &gen, 30);
		int end = trial->n - 1;
		uint8_t *a = trial_color(trial, CUBE_U, end, 1),
			*b = trial_color(trial, CUBE_F, 0, 1);
		swap(a, b);
		trial_read(trial);
		ck_assert_uint_eq(trial->found, 2);
		ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_DUPLICATE_PIECE);
		ck_assert_int_eq(trial->problems[1].kind, CUBE_PROBLEM_MISSING_PIECE);
		ck_assert_uint_gt(strlen(trial->problems[0].place), 2);
		swap(a, b);
		/* Two wings may be exchanged as they like: UF and UB, the same way round. */
		swap(a, trial_color(trial, CUBE_U, 0, end - 1));
		swap(b, trial_color(trial, CUBE_B, 0, 1));
		trial_read(trial);
		ck_assert_uint_eq(trial->found, 0);
		/* Both colours the same. */
		uint8_t other = *a;
		*a = *b;
		trial_read(trial);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_WRONG_COUNT], 2);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_IMPOSSIBLE_PIECE], 1);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_MISSING_PIECE], 1);
		*a = other;
		trial_destroy(trial);
	}
}
END_TEST

START_TEST(wrong_counts_and_impossible_pieces)
{
	int n = sizes[_i], area = n * n;
	struct trial *trial = trial_create(sizes[_i]);
	*trial_color(trial, CUBE_U, n - 1, n - 1) = CUBE_D; /* DFR mirrored */
	trial_read(trial);
	ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_WRONG_COUNT);
	ck_assert(trial->problems[0].amount == area - 1 && trial->problems[0].letters[0] == 'U');
	ck_assert_int_eq(trial->problems[1].kind, CUBE_PROBLEM_WRONG_COUNT);
	ck_assert(trial->problems[1].amount == area + 1 && trial->problems[1].letters[0] == 'D');
	ck_assert_int_eq(trial->problems[2].kind, CUBE_PROBLEM_MIRRORED_CORNER);
	ck_assert_str_eq(trial->problems[2].place, "URF");
	ck_assert_str_eq(trial->problems[2].letters, "DRF");
	ck_assert_str_eq(trial->problems[2].piece, "DFR");
	ck_assert_int_eq(trial->problems[3].kind, CUBE_PROBLEM_DUPLICATE_PIECE);
	ck_assert_str_eq(trial->problems[3].place, "DFR");
	ck_assert_int_eq(trial->problems[4].kind, CUBE_PROBLEM_MISSING_PIECE);
	ck_assert_str_eq(trial->problems[4].piece, "URF");
	ck_assert_uint_eq(trial->found, 5);
	*trial_color(trial, CUBE_U, n - 1, n - 1) = CUBE_L; /* L and R on one corner */
	trial_read(trial);
	ck_assert_uint_eq(trial->found, 4);
	ck_assert_int_eq(trial->problems[2].kind, CUBE_PROBLEM_IMPOSSIBLE_PIECE);
	ck_assert_str_eq(trial->problems[2].letters, "LRF");
	memset(trial->colors, CUBE_B,
	       cube_facelets(n)); /* more problems than places to tell them */
	trial_read(trial);
	ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_WRONG_COUNT], 6);
	trial_destroy(trial);
}
END_TEST

START_TEST(centers)
{
	struct gen gen = {.state = (uint64_t)_i};
	int n = sizes[_i];
	for (int round = 0; round < 40 && n >= 3; round++) {
		struct trial *trial = trial_create(sizes[_i]);
		trial_turn(trial, &gen, 30);
		int m = n / 2;
		if (n % 2) {
			swap(trial_color(trial, CUBE_U, m, m), trial_color(trial, CUBE_F, m, m));
			trial_read(trial);
			ck_assert_uint_eq(trial->found, 1);
			ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_CENTERS);
			ck_assert_uint_eq(strlen(trial->problems[0].letters), 6);
			swap(trial_color(trial, CUBE_U, m, m), trial_color(trial, CUBE_F, m, m));
		}
		if (n >= 4) {
			/* Exchanging centres within an orbit is fine, between orbits it is not. */
			swap(trial_color(trial, CUBE_U, 1, 1),
			     trial_color(trial, CUBE_F, 1, n - 2));
			trial_read(trial);
			ck_assert_uint_eq(trial->found, 0);
		}
		if (n >= 5) {
			int column = 1;
			while (*trial_color(trial, column, 1, 1) ==
			       *trial_color(trial, CUBE_U, 1, 2))
				column++;
			swap(trial_color(trial, column, 1, 1), trial_color(trial, CUBE_U, 1, 2));
			trial_read(trial);
			ck_assert_uint_eq(trial->found, 2);
			ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_CENTERS], 2);
			ck_assert_str_ne(trial->problems[0].letters, trial->problems[0].piece);
		}
		trial_destroy(trial);
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

/* ---- a solved cube with one fault, held in all 24 ways: the very piece is named, and is put right
 * ---- */

/* And after a quarter turn of one face, which is no twist or flip as seen from some of the axes. */
#define FACE_TURNS 7

static void turn_face(struct trial *trial, int face)
{
	if (face < CUBE_FACES)
		cube_turn(trial->cube, cube_turn_make(trial->n, face, 1, 1, 1));
	trial_turn(trial, NULL, 0);
}

START_TEST(twisted_corner_is_named)
{
	uint8_t before[6 * 7 * 7];
	struct trial *trial = trial_create(sizes[_i]);
	for (int i = 0; i < 24 * 8 * 2; i++) {
		int amount = i % 2 + 1;
		const char *corner = corners[i / 2 % 8];
		char words[40];
		trial_hold(trial, i / 16);
		turn_face(trial, i / 16 % FACE_TURNS);
		memcpy(before, trial->colors, cube_facelets(trial->n));
		mend_twist(trial->n, trial->colors, corner, amount);
		trial_read(trial);
		trial_expect_one(trial, CUBE_PROBLEM_CORNER_TWISTED);
		ck_assert_int_eq(trial->problems[0].amount, amount);
		ck_assert_str_eq(trial->problems[0].place, corner);
		snprintf(words, sizeof(words), "twist %s %s", corner,
			 amount == 2 ? "clockwise" : "counterclockwise");
		ck_assert_str_eq(trial->problems[0].repair, words);
		ck_assert(trial_mend(trial));
		ck_assert_mem_eq(trial->mended, before, cube_facelets(trial->n));
	}
	trial_destroy(trial);
}
END_TEST

START_TEST(flipped_edge_is_named)
{
	uint8_t before[6 * 7 * 7];
	struct trial *trial = trial_create(sizes[_i]);
	for (int i = 0; i < 24 * 12 && trial->n % 2 != 0; i++) {
		char words[20];
		trial_hold(trial, i / 12);
		turn_face(trial, i / 12 % FACE_TURNS);
		memcpy(before, trial->colors, cube_facelets(trial->n));
		mend_flip(trial->n, trial->colors, edges[i % 12]);
		trial_read(trial);
		trial_expect_one(trial, CUBE_PROBLEM_EDGE_FLIPPED);
		ck_assert_str_eq(trial->problems[0].place, edges[i % 12]);
		snprintf(words, sizeof(words), "flip %s", edges[i % 12]);
		ck_assert_str_eq(trial->problems[0].repair, words);
		ck_assert(trial_mend(trial));
		ck_assert_mem_eq(trial->mended, before, cube_facelets(trial->n));
	}
	trial_destroy(trial);
}
END_TEST

/* Any two, laid in any way: both are named, and put back as they were. */
static void swap_two(struct trial *trial, const char *const *names, int count, int turns)
{
	for (int i = 0; i < 24 * count * count * turns; i++) {
		int a = i % count, b = i / count % count, turn = i / count / count % turns;
		if (a >= b)
			continue;
		char other[4] = {0};
		for (int j = 0; j < turns; j++)
			other[j] = names[b][(j + turn) % turns];
		trial_hold(trial, i / count / count / turns);
		mend_swap(trial->n, trial->colors, names[a], other);
		trial_read(trial);
		trial_expect_one(trial, CUBE_PROBLEM_PARITY);
		ck_assert_str_eq(trial->problems[0].place, names[a]);
		ck_assert(trial_mend(trial));
		ck_assert(trial_is_solved(trial));
	}
}

START_TEST(swapped_pieces_are_named)
{
	struct trial *trial = trial_create(sizes[_i]);
	if (trial->n % 2 != 0) {
		swap_two(trial, corners, 8, 3);
		swap_two(trial, edges, 12, 2);
		trial_hold(trial, 0);
		mend_swap(trial->n, trial->colors, "UF", "UR");
		trial_read(trial);
		ck_assert_str_eq(trial->problems[0].repair, "swap UR and UF");
		ck_assert_str_eq(trial->problems[0].piece, "UF");
		/* Of three pairs the one that comes home unturned. */
		trial_hold(trial, 0);
		mend_swap(trial->n, trial->colors, "UR", "UL");
		mend_flip(trial->n, trial->colors, "UR");
		mend_swap(trial->n, trial->colors, "UB", "DB");
		mend_flip(trial->n, trial->colors, "UB");
		mend_swap(trial->n, trial->colors, "FR", "BL");
		trial_read(trial);
		trial_expect_one(trial, CUBE_PROBLEM_PARITY);
		ck_assert_str_eq(trial->problems[0].repair, "swap FR and BL");
	}
	trial_destroy(trial);
}
END_TEST

/* One centre off the middle in another colour: that very one is told, though five look alike. */
START_TEST(wrong_center_is_named)
{
	struct trial *trial = trial_create(sizes[_i]);
	int n = trial->n;
	for (int i = 0; i < 24 * CUBE_FACES * CUBE_FACES && n >= 4; i++) {
		char name[8];
		trial_hold(trial, i / 36);
		uint8_t *center = trial_color(trial, i / 6 % 6, 1, n - 2), right = *center;
		*center = (uint8_t)(i % 6);
		if (*center == right)
			continue;
		snprintf(name, sizeof(name), "%c%d", cube_face_letters[i / 6 % 6],
			 (int)(center - trial->colors));
		trial_read(trial);
		ck_assert_uint_eq(trial->found, 3);
		ck_assert_int_eq(trial->problems[2].kind, CUBE_PROBLEM_CENTERS);
		ck_assert_str_eq(trial->problems[2].place, name);
		ck_assert_int_eq(trial->problems[2].letters[0], cube_face_letters[*center]);
		ck_assert_int_eq(trial->problems[2].piece[0], cube_face_letters[right]);
		ck_assert(trial_mend(trial));
		ck_assert(trial_is_solved(trial));
	}
	trial_destroy(trial);
}
END_TEST

/* The order is that of the orbits, not of the kinds. */
START_TEST(problems_come_by_orbit)
{
	/* Counts; the middle centre; corner, middle edge and wing; the other centre. */
	static const char expected[] = "wwcmdMdMdMc";
	struct trial *trial = trial_create(5);
	for (int i = 1; i <= 4; i += i)
		*trial_color(trial, CUBE_U, i, i) = *trial_color(trial, CUBE_U, 4, i) = CUBE_D;
	trial_read(trial);
	ck_assert_uint_eq(trial->found, strlen(expected));
	for (size_t i = 0; i < trial->found; i++)
		ck_assert_int_eq("wimdM---c"[trial->problems[i].kind], expected[i]);
	trial_destroy(trial);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diagnosis");
	TCase *spoilt = tcase_create("spoilt"), *named = tcase_create("named");
	tcase_add_loop_test(spoilt, twisted_corner, 0, SIZES);
	tcase_add_loop_test(spoilt, mirrored_corner, 0, SIZES);
	tcase_add_loop_test(spoilt, swapped_corners, 0, SIZES);
	tcase_add_loop_test(spoilt, flipped_edge, 0, SIZES);
	tcase_add_loop_test(spoilt, wings, 0, SIZES);
	tcase_add_loop_test(spoilt, wrong_counts_and_impossible_pieces, 0, SIZES);
	tcase_add_loop_test(spoilt, centers, 0, SIZES);
	tcase_add_test(spoilt, problem_names);
	tcase_add_test(spoilt, problems_come_by_orbit);
	tcase_add_loop_test(named, twisted_corner_is_named, 0, SIZES);
	tcase_add_loop_test(named, flipped_edge_is_named, 0, SIZES);
	tcase_add_loop_test(named, swapped_pieces_are_named, 0, SIZES);
	tcase_add_loop_test(named, wrong_center_is_named, 0, SIZES);
	suite_add_tcase(suite, spoilt);
	suite_add_tcase(suite, named);
	return run_suite(suite, 2 + 11 * SIZES);
}
