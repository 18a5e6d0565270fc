/* tests/core/test_diagnosis.c: what is wrong with colours that are not a cube, by kind and name. */
#include "cube/facelets.h"

#include "tests/core/checked_cube.h"
#include "tests/core/guard.h"
#include "tests/core/hand_repair.h"
#include "tests/core/run.h"
#include "tests/core/spoilt_cube.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static const char *const corners[8] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
static const char *const edges[12] = {"UR", "UF", "UL", "UB", "DR", "DF",
				      "DL", "DB", "FR", "FL", "BL", "BR"};

/* The three stickers at URF and UFL clockwise, and both at UF in a column. */
static void urf(struct spoilt_cube *spoilt, uint8_t *at[3])
{
	at[0] = spoilt_color(spoilt, CUBE_U, spoilt->n - 1, spoilt->n - 1);
	at[1] = spoilt_color(spoilt, CUBE_R, 0, 0);
	at[2] = spoilt_color(spoilt, CUBE_F, 0, spoilt->n - 1);
}

static void ufl(struct spoilt_cube *spoilt, uint8_t *at[3])
{
	at[0] = spoilt_color(spoilt, CUBE_U, spoilt->n - 1, 0);
	at[1] = spoilt_color(spoilt, CUBE_F, 0, 0);
	at[2] = spoilt_color(spoilt, CUBE_L, 0, spoilt->n - 1);
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
			struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
			uint8_t *at[3];
			spoilt_turn(spoilt, &gen, 30);
			urf(spoilt, at);
			for (int i = 0; i < amount;
			     i++) { /* each colour one facelet on, clockwise */
				swap(at[0], at[1]);
				swap(at[0], at[2]);
			}
			spoilt_read(spoilt);
			ck_assert_uint_eq(spoilt->found, 1);
			ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_CORNER_TWISTED);
			ck_assert_int_eq(spoilt->problems[0].amount, amount);
			/* A second one, twisted the other way, makes it a cube again. */
			ufl(spoilt, at);
			for (int i = amount; i < 3; i++) {
				swap(at[0], at[1]);
				swap(at[0], at[2]);
			}
			spoilt_read(spoilt);
			ck_assert_uint_eq(spoilt->found, 0);
			spoilt_destroy(spoilt);
		}
	}
}
END_TEST

START_TEST(mirrored_corner)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
		uint8_t *at[3];
		spoilt_turn(spoilt, &gen, 30);
		urf(spoilt, at);
		swap(at[1], at[2]);
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->found, 1);
		ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_MIRRORED_CORNER);
		ck_assert_str_eq(spoilt->problems[0].place, "URF");
		for (int i = 0; i < 3; i++)
			ck_assert(
				strchr(spoilt->problems[0].piece, spoilt->problems[0].letters[i]));
		ck_assert_uint_eq(strlen(spoilt->problems[0].piece), 3);
		spoilt_destroy(spoilt);
	}
}
END_TEST

/* Two corners swapped: wrong on odd sizes, free on even ones; two edges on top put it right. */
START_TEST(swapped_corners)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40; round++) {
		struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
		uint8_t *a[3], *b[3];
		spoilt_turn(spoilt, &gen, 30);
		urf(spoilt, a);
		ufl(spoilt, b);
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
		spoilt_read(spoilt);
		if (spoilt->n % 2 == 0) {
			ck_assert_uint_eq(spoilt->found, 0);
			spoilt_destroy(spoilt);
			continue;
		}
		ck_assert_uint_eq(spoilt->found, 1);
		ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_PARITY);
		int m = spoilt->n / 2, end = spoilt->n - 1;
		swap(spoilt_color(spoilt, CUBE_U, end, m), spoilt_color(spoilt, CUBE_U, m, 0));
		swap(spoilt_color(spoilt, CUBE_F, 0, m), spoilt_color(spoilt, CUBE_L, 0, m));
		spoilt_read(spoilt);
		/* UF and UL have exchanged their edges; that may flip, but the parity fits again.
		 */
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_PARITY], 0);
		ck_assert_uint_eq(spoilt->found, (size_t)spoilt->kinds[CUBE_PROBLEM_EDGE_FLIPPED]);
		spoilt_destroy(spoilt);
	}
}
END_TEST

START_TEST(flipped_edge)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40 && sizes[_i] % 2 != 0; round++) {
		struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
		spoilt_turn(spoilt, &gen, 30);
		int m = spoilt->n / 2;
		swap(spoilt_color(spoilt, CUBE_U, spoilt->n - 1, m),
		     spoilt_color(spoilt, CUBE_F, 0, m));
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->found, 1);
		ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_EDGE_FLIPPED);
		swap(spoilt_color(spoilt, CUBE_U, m, 0), spoilt_color(spoilt, CUBE_L, 0, m));
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->found, 0);
		spoilt_destroy(spoilt);
	}
}
END_TEST

/* A wing the wrong way round is the other wing of its edge: there twice, and its own is missing. */
START_TEST(wings)
{
	struct gen gen = {.state = (uint64_t)_i};
	for (int round = 0; round < 40 && sizes[_i] >= 4; round++) {
		struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
		spoilt_turn(spoilt, &gen, 30);
		int end = spoilt->n - 1;
		uint8_t *a = spoilt_color(spoilt, CUBE_U, end, 1),
			*b = spoilt_color(spoilt, CUBE_F, 0, 1);
		swap(a, b);
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->found, 2);
		ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_DUPLICATE_PIECE);
		ck_assert_int_eq(spoilt->problems[1].kind, CUBE_PROBLEM_MISSING_PIECE);
		ck_assert_uint_gt(strlen(spoilt->problems[0].place), 2);
		swap(a, b);
		/* Two wings may be exchanged as they like: UF and UB, the same way round. */
		swap(a, spoilt_color(spoilt, CUBE_U, 0, end - 1));
		swap(b, spoilt_color(spoilt, CUBE_B, 0, 1));
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->found, 0);
		/* Both colours the same. */
		uint8_t other = *a;
		*a = *b;
		spoilt_read(spoilt);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_WRONG_COUNT], 2);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_IMPOSSIBLE_PIECE], 1);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_MISSING_PIECE], 1);
		*a = other;
		spoilt_destroy(spoilt);
	}
}
END_TEST

START_TEST(wrong_counts_and_impossible_pieces)
{
	int n = sizes[_i], area = n * n;
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	*spoilt_color(spoilt, CUBE_U, n - 1, n - 1) = CUBE_D; /* DFR mirrored */
	spoilt_read(spoilt);
	ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_WRONG_COUNT);
	ck_assert(spoilt->problems[0].amount == area - 1 && spoilt->problems[0].letters[0] == 'U');
	ck_assert_int_eq(spoilt->problems[1].kind, CUBE_PROBLEM_WRONG_COUNT);
	ck_assert(spoilt->problems[1].amount == area + 1 && spoilt->problems[1].letters[0] == 'D');
	ck_assert_int_eq(spoilt->problems[2].kind, CUBE_PROBLEM_MIRRORED_CORNER);
	ck_assert_str_eq(spoilt->problems[2].place, "URF");
	ck_assert_str_eq(spoilt->problems[2].letters, "DRF");
	ck_assert_str_eq(spoilt->problems[2].piece, "DFR");
	ck_assert_int_eq(spoilt->problems[3].kind, CUBE_PROBLEM_DUPLICATE_PIECE);
	ck_assert_str_eq(spoilt->problems[3].place, "DFR");
	ck_assert_int_eq(spoilt->problems[4].kind, CUBE_PROBLEM_MISSING_PIECE);
	ck_assert_str_eq(spoilt->problems[4].piece, "URF");
	ck_assert_uint_eq(spoilt->found, 5);
	*spoilt_color(spoilt, CUBE_U, n - 1, n - 1) = CUBE_L; /* L and R on one corner */
	spoilt_read(spoilt);
	ck_assert_uint_eq(spoilt->found, 4);
	ck_assert_int_eq(spoilt->problems[2].kind, CUBE_PROBLEM_IMPOSSIBLE_PIECE);
	ck_assert_str_eq(spoilt->problems[2].letters, "LRF");
	memset(spoilt->colors, CUBE_B,
	       cube_facelets(n)); /* more problems than places to report them */
	spoilt_read(spoilt);
	ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_WRONG_COUNT], 6);
	spoilt_destroy(spoilt);
}
END_TEST

START_TEST(centers)
{
	struct gen gen = {.state = (uint64_t)_i};
	int n = sizes[_i];
	for (int round = 0; round < 40 && n >= 3; round++) {
		struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
		spoilt_turn(spoilt, &gen, 30);
		int m = n / 2;
		if (n % 2) {
			swap(spoilt_color(spoilt, CUBE_U, m, m),
			     spoilt_color(spoilt, CUBE_F, m, m));
			spoilt_read(spoilt);
			ck_assert_uint_eq(spoilt->found, 1);
			ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_CENTERS);
			ck_assert_uint_eq(strlen(spoilt->problems[0].letters), 6);
			swap(spoilt_color(spoilt, CUBE_U, m, m),
			     spoilt_color(spoilt, CUBE_F, m, m));
		}
		if (n >= 4) {
			/* Exchanging centres within an orbit is fine, between orbits it is not. */
			swap(spoilt_color(spoilt, CUBE_U, 1, 1),
			     spoilt_color(spoilt, CUBE_F, 1, n - 2));
			spoilt_read(spoilt);
			ck_assert_uint_eq(spoilt->found, 0);
		}
		if (n >= 5) {
			int column = 1;
			while (*spoilt_color(spoilt, column, 1, 1) ==
			       *spoilt_color(spoilt, CUBE_U, 1, 2))
				column++;
			swap(spoilt_color(spoilt, column, 1, 1),
			     spoilt_color(spoilt, CUBE_U, 1, 2));
			spoilt_read(spoilt);
			ck_assert_uint_eq(spoilt->found, 2);
			ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_CENTERS], 2);
			ck_assert_str_ne(spoilt->problems[0].letters, spoilt->problems[0].piece);
		}
		spoilt_destroy(spoilt);
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

/* And after a quarter turn of one face, which is not a twist or flip as seen from some of the axes. */
#define FACE_TURNS 7

static void turn_face(struct spoilt_cube *spoilt, int face)
{
	if (face < CUBE_FACES)
		cube_turn(spoilt->cube, cube_turn_make(spoilt->n, face, 1, 1, 1));
	spoilt_turn(spoilt, NULL, 0);
}

START_TEST(twisted_corner_is_named)
{
	uint8_t before[6 * 7 * 7];
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	for (int i = 0; i < 24 * 8 * 2; i++) {
		int amount = i % 2 + 1;
		const char *corner = corners[i / 2 % 8];
		char words[40];
		spoilt_hold(spoilt, i / 16);
		turn_face(spoilt, i / 16 % FACE_TURNS);
		memcpy(before, spoilt->colors, cube_facelets(spoilt->n));
		hand_twist(spoilt->n, spoilt->colors, corner, amount);
		spoilt_read(spoilt);
		spoilt_expect_one(spoilt, CUBE_PROBLEM_CORNER_TWISTED);
		ck_assert_int_eq(spoilt->problems[0].amount, amount);
		ck_assert_str_eq(spoilt->problems[0].place, corner);
		snprintf(words, sizeof(words), "twist %s %s", corner,
			 amount == 2 ? "clockwise" : "counterclockwise");
		ck_assert_str_eq(spoilt->problems[0].repair, words);
		ck_assert(spoilt_repair(spoilt));
		ck_assert_mem_eq(spoilt->repaired, before, cube_facelets(spoilt->n));
	}
	spoilt_destroy(spoilt);
}
END_TEST

START_TEST(flipped_edge_is_named)
{
	uint8_t before[6 * 7 * 7];
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	for (int i = 0; i < 24 * 12 && spoilt->n % 2 != 0; i++) {
		char words[20];
		spoilt_hold(spoilt, i / 12);
		turn_face(spoilt, i / 12 % FACE_TURNS);
		memcpy(before, spoilt->colors, cube_facelets(spoilt->n));
		hand_flip(spoilt->n, spoilt->colors, edges[i % 12]);
		spoilt_read(spoilt);
		spoilt_expect_one(spoilt, CUBE_PROBLEM_EDGE_FLIPPED);
		ck_assert_str_eq(spoilt->problems[0].place, edges[i % 12]);
		snprintf(words, sizeof(words), "flip %s", edges[i % 12]);
		ck_assert_str_eq(spoilt->problems[0].repair, words);
		ck_assert(spoilt_repair(spoilt));
		ck_assert_mem_eq(spoilt->repaired, before, cube_facelets(spoilt->n));
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* Any two, laid in any way: both are named, and put back as they were. */
static void swap_two(struct spoilt_cube *spoilt, const char *const *names, int count, int turns)
{
	for (int i = 0; i < 24 * count * count * turns; i++) {
		int a = i % count, b = i / count % count, turn = i / count / count % turns;
		if (a >= b)
			continue;
		char other[4] = {0};
		for (int j = 0; j < turns; j++)
			other[j] = names[b][(j + turn) % turns];
		spoilt_hold(spoilt, i / count / count / turns);
		hand_swap(spoilt->n, spoilt->colors, names[a], other);
		spoilt_read(spoilt);
		spoilt_expect_one(spoilt, CUBE_PROBLEM_PARITY);
		ck_assert_str_eq(spoilt->problems[0].place, names[a]);
		ck_assert(spoilt_repair(spoilt));
		ck_assert(spoilt_is_solved(spoilt));
	}
}

START_TEST(swapped_pieces_are_named)
{
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	if (spoilt->n % 2 != 0) {
		swap_two(spoilt, corners, 8, 3);
		swap_two(spoilt, edges, 12, 2);
		spoilt_hold(spoilt, 0);
		hand_swap(spoilt->n, spoilt->colors, "UF", "UR");
		spoilt_read(spoilt);
		ck_assert_str_eq(spoilt->problems[0].repair, "swap UR and UF");
		ck_assert_str_eq(spoilt->problems[0].piece, "UF");
		/* The repair names that one of three pairs that comes home unturned. */
		spoilt_hold(spoilt, 0);
		hand_swap(spoilt->n, spoilt->colors, "UR", "UL");
		hand_flip(spoilt->n, spoilt->colors, "UR");
		hand_swap(spoilt->n, spoilt->colors, "UB", "DB");
		hand_flip(spoilt->n, spoilt->colors, "UB");
		hand_swap(spoilt->n, spoilt->colors, "FR", "BL");
		spoilt_read(spoilt);
		spoilt_expect_one(spoilt, CUBE_PROBLEM_PARITY);
		ck_assert_str_eq(spoilt->problems[0].repair, "swap FR and BL");
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* One centre off the middle in another colour: that very one is reported, though five look alike. */
START_TEST(wrong_center_is_named)
{
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	int n = spoilt->n;
	for (int i = 0; i < 24 * CUBE_FACES * CUBE_FACES && n >= 4; i++) {
		char name[8];
		spoilt_hold(spoilt, i / 36);
		uint8_t *center = spoilt_color(spoilt, i / 6 % 6, 1, n - 2), right = *center;
		*center = (uint8_t)(i % 6);
		if (*center == right)
			continue;
		snprintf(name, sizeof(name), "%c%d", cube_face_letters[i / 6 % 6],
			 (int)(center - spoilt->colors));
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->found, 3);
		ck_assert_int_eq(spoilt->problems[2].kind, CUBE_PROBLEM_CENTERS);
		ck_assert_str_eq(spoilt->problems[2].place, name);
		ck_assert_int_eq(spoilt->problems[2].letters[0], cube_face_letters[*center]);
		ck_assert_int_eq(spoilt->problems[2].piece[0], cube_face_letters[right]);
		ck_assert(spoilt_repair(spoilt));
		ck_assert(spoilt_is_solved(spoilt));
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* The order is that of the orbits, not of the kinds. */
START_TEST(problems_come_by_orbit)
{
	/* Counts; the middle centre; corner, middle edge and wing; the other centre. */
	static const char expected[] = "wwcmdMdMdMc";
	struct spoilt_cube *spoilt = spoilt_create(5);
	for (int i = 1; i <= 4; i += i)
		*spoilt_color(spoilt, CUBE_U, i, i) = *spoilt_color(spoilt, CUBE_U, 4, i) = CUBE_D;
	spoilt_read(spoilt);
	ck_assert_uint_eq(spoilt->found, strlen(expected));
	for (size_t i = 0; i < spoilt->found; i++)
		ck_assert_int_eq("wimdM---c"[spoilt->problems[i].kind], expected[i]);
	spoilt_destroy(spoilt);
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
