/* tests/core/test_repair.c: repairs repair: cubes spoilt in every way, mended as the words say. */
#include "cube/facelets.h"

#include "tests/core/mend.h"
#include "tests/core/run.h"
#include "tests/core/trial.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static const char *const corners[8] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
static const char *const edges[12] = {"UR", "UF", "UL", "UB", "DR", "DF",
				      "DL", "DB", "FR", "FL", "BL", "BR"};

static void check_mended(struct trial *trial)
{
	if (trial_mend(trial))
		return;
	for (size_t i = 0; i < trial->found; i++)
		fprintf(stderr, "%s %s %s %s: %s\n", cube_problem_name(trial->problems[i].kind),
			trial->problems[i].place, trial->problems[i].piece,
			trial->problems[i].letters, trial->problems[i].repair);
	ck_abort_msg("size %d: the repairs make no cube", trial->n);
}

/* ---- scrambled cubes: what does not add up is told, no more and no less ---- */

START_TEST(sums)
{
	struct gen gen = {.state = (uint64_t)_i + 77};
	struct trial *trial = trial_create(sizes[_i]);
	bool odd_size = trial->n % 2 != 0;
	for (uint32_t round = 0; round < gen_rounds(500); round++) {
		int twist = 0, flip = 0, parity = 0;
		trial_turn(trial, &gen, 3);
		for (uint32_t times = gen_below(&gen, 5); times > 0; times--) {
			int amount = (int)gen_below(&gen, 2) + 1;
			mend_twist(trial->n, trial->colors, corners[gen_below(&gen, 8)], amount);
			twist += amount;
		}
		for (uint32_t times = gen_below(&gen, 5); times > 0; times--) {
			uint32_t a = gen_below(&gen, 8), b = (a + 1 + gen_below(&gen, 7)) % 8;
			mend_swap(trial->n, trial->colors, corners[a], corners[b]);
			parity ^= odd_size;
		}
		for (uint32_t times = gen_below(&gen, 5); times > 0 && odd_size; times--) {
			uint32_t a = gen_below(&gen, 12), b = (a + 1 + gen_below(&gen, 11)) % 12;
			mend_flip(trial->n, trial->colors, edges[a]);
			flip ^= 1;
			mend_swap(trial->n, trial->colors, edges[a], edges[b]);
			parity ^= 1;
		}
		trial_read(trial);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_CORNER_TWISTED], twist % 3 != 0);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_EDGE_FLIPPED], flip);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_PARITY], parity);
		ck_assert_int_eq((int)trial->found, (twist % 3 != 0) + flip + parity);
		ck_assert_uint_eq(trial->repairs, trial->found);
		if (twist % 3 != 0)
			ck_assert_int_eq(trial->problems[0].amount, twist % 3);
		check_mended(trial);
	}
	trial_destroy(trial);
}
END_TEST

/* ---- stickers ---- */

/* Which single facelets in other colours make a cube, by trying all: how many, and whether `change`
 * is one. */
static int single_changes(struct trial *trial)
{
	int found = 0;
	for (size_t i = 0; i < cube_facelets(trial->n); i++) {
		uint8_t old = trial->colors[i];
		for (uint8_t color = 0; color < CUBE_FACES; color++) {
			trial->colors[i] = color;
			if (color != old &&
			    cube_from_colors(trial->back, trial->n, trial->colors, NULL, 0) == 0)
				found++;
		}
		trial->colors[i] = old;
	}
	return found;
}

/* The number of facelets in which the mended colours differ. */
static int differences(const struct trial *trial)
{
	int count = 0;
	for (size_t i = 0; i < cube_facelets(trial->n); i++)
		count += trial->mended[i] != trial->colors[i];
	return count;
}

static void spoil_sticker(struct trial *trial, struct gen *gen)
{
	uint8_t *at = &trial->colors[gen_below(gen, (uint32_t)cube_facelets(trial->n))];
	*at = (uint8_t)((*at + 1 + gen_below(gen, 5)) % 6);
}

START_TEST(one_sticker)
{
	struct gen gen = {.state = (uint64_t)_i + 78};
	struct trial *trial = trial_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(400); round++) {
		trial_turn(trial, &gen, 3);
		spoil_sticker(trial, &gen);
		trial_read(trial);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_WRONG_COUNT], 2);
		ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_WRONG_COUNT);
		ck_assert_uint_ge(trial->found, 3);
		ck_assert_uint_eq(trial->repairs, 1);
		ck_assert(strncmp(trial->problems[0].repair, "recolour facelet ", 17) == 0);
		check_mended(trial);
		ck_assert_int_eq(differences(trial), 1);
	}
	trial_destroy(trial);
}
END_TEST

/* One or two stickers: there is a repair, of one facelet where any is. */
START_TEST(two_stickers)
{
	struct gen gen = {.state = (uint64_t)_i + 79};
	struct trial *trial = trial_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(trial->n < 4 ? 150 : 15); round++) {
		trial_turn(trial, &gen, 3);
		spoil_sticker(trial, &gen);
		spoil_sticker(trial, &gen);
		trial_read(trial);
		if (trial->found == 0)
			continue;
		int single = single_changes(trial);
		if (single == 0 && trial->repairs == 0)
			continue;
		check_mended(trial);
		ck_assert_int_eq(differences(trial) == 1, single > 0);
	}
	trial_destroy(trial);
}
END_TEST

/* Two exchanged stickers: two facelets put it right, or two edges that had a colour in common. */
START_TEST(exchanged_stickers)
{
	struct gen gen = {.state = (uint64_t)_i + 80};
	struct trial *trial = trial_create(sizes[_i]);
	uint32_t count = (uint32_t)cube_facelets(trial->n);
	for (uint32_t round = 0; round < gen_rounds(400); round++) {
		trial_turn(trial, &gen, 3);
		uint8_t *a = &trial->colors[gen_below(&gen, count)],
			*b = &trial->colors[gen_below(&gen, count)], old = *a;
		*a = *b;
		*b = old;
		trial_read(trial);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_WRONG_COUNT], 0);
		if (trial->found == 0)
			continue;
		ck_assert_uint_eq(trial->repairs, 1);
		ck_assert_int_ne(trial->problems[0].repair[0], '\0');
		check_mended(trial);
		if (trial->kinds[CUBE_PROBLEM_PARITY] && trial->found == 1)
			ck_assert(strncmp(trial->problems[0].repair, "swap ", 5) == 0);
		else
			ck_assert_int_eq(differences(trial), 2);
		if (!trial->kinds[CUBE_PROBLEM_PARITY] && !trial->kinds[CUBE_PROBLEM_EDGE_FLIPPED])
			ck_assert(strncmp(trial->problems[0].repair, "exchange facelet ", 17) == 0);
	}
	trial_destroy(trial);
}
END_TEST

/* A few mirrored corners: each is told, and together they are mended. */
START_TEST(mirrored_corners)
{
	struct gen gen = {.state = (uint64_t)_i + 81};
	struct trial *trial = trial_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(300); round++) {
		uint32_t which = 1 + gen_below(&gen, 255);
		int mirrored = 0;
		trial_turn(trial, &gen, 3);
		for (int i = 0; i < 8; i++) {
			size_t at[3];
			if (!(which >> i & 1))
				continue;
			uint32_t kept = gen_below(&gen, 3);
			mend_facelets(trial->n, corners[i], at);
			uint8_t *a = &trial->colors[at[(kept + 1) % 3]],
				*b = &trial->colors[at[(kept + 2) % 3]], old = *a;
			*a = *b;
			*b = old;
			mirrored++;
		}
		/* Two edges exchanged beside it are told on their own. */
		bool swapped = trial->n % 2 != 0 && gen_below(&gen, 2) == 0;
		if (swapped)
			mend_swap(trial->n, trial->colors, "UF", "DB");
		trial_read(trial);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_MIRRORED_CORNER], mirrored);
		ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_PARITY], swapped);
		ck_assert_int_eq((int)trial->found, mirrored + swapped);
		ck_assert_uint_ge(trial->repairs, 1);
		check_mended(trial);
	}
	trial_destroy(trial);
}
END_TEST

/* ---- colours taken for each other ---- */

START_TEST(schemes)
{
	struct gen gen = {.state = (uint64_t)_i + 82};
	struct trial *trial = trial_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(200); round++) {
		uint8_t a = (uint8_t)gen_below(&gen, 6),
			b = (uint8_t)((a + 1 + gen_below(&gen, 5)) % 6);
		/* Held at home and every two colours, then held otherwise. */
		bool home = round < 36;
		if (home) {
			a = (uint8_t)(round / 6);
			b = (uint8_t)(round % 6);
		}
		if (a == b)
			continue;
		if (round < 36 + 24)
			trial_hold(trial, home ? 0 : (int)round - 36);
		else
			trial_turn(trial, &gen, 3);
		for (size_t i = 0; i < cube_facelets(trial->n); i++) {
			uint8_t *color = &trial->colors[i];
			*color = *color == a ? b : *color == b ? a : *color;
		}
		trial_read(trial);
		ck_assert_uint_eq(trial->repairs, 1);
		if (trial->n % 2 != 0)
			ck_assert_int_eq(trial->problems[0].kind, CUBE_PROBLEM_CENTERS);
		if (b == (a + 3) % 6)
			ck_assert_int_eq(trial->kinds[CUBE_PROBLEM_MIRRORED_CORNER], 8);
		ck_assert(strncmp(trial->problems[0].repair, "exchange the colours ", 21) == 0);
		check_mended(trial);
		if (home)
			ck_assert(trial_is_solved(trial));
		if (home && trial->n % 2 != 0) {
			ck_assert_ptr_nonnull(
				strchr(trial->problems[0].repair + 20, cube_face_letters[a]));
			ck_assert_ptr_nonnull(
				strchr(trial->problems[0].repair + 20, cube_face_letters[b]));
		}
	}
	trial_destroy(trial);
}
END_TEST

/* Middle centres in any order: right in 12 of them, one swap from it in 12 more. */
START_TEST(middle_centers)
{
	struct gen gen = {.state = (uint64_t)_i + 83};
	struct trial *trial = trial_create(sizes[_i]);
	size_t area = (size_t)trial->n * (size_t)trial->n;
	int right = 0, mended = 0, all = 0;
	trial_turn(trial, &gen, 20);
	for (int order = 0; order < 720 && trial->n % 2 != 0; order++) {
		uint8_t left[6] = {0, 1, 2, 3, 4, 5};
		for (int i = 0, rest = order; i < 6; rest /= 6 - i, i++) {
			int pick = rest % (6 - i);
			trial->colors[(size_t)i * area + area / 2] = left[pick];
			memmove(left + pick, left + pick + 1, (size_t)(5 - pick));
		}
		trial_read(trial);
		all++;
		right += trial->found == 0;
		mended += trial->repairs > 0;
		ck_assert_uint_le(trial->found, 1);
		if (trial->repairs > 0)
			check_mended(trial);
	}
	/* 12 rotations with the same parity as the pieces and 12 that need a swap; and all that are
	 * one exchange or one cycle of three away from one of those. */
	if (all > 0) {
		ck_assert_int_eq(right, 12);
		ck_assert_int_gt(mended, 300);
	}
	trial_destroy(trial);
}
END_TEST

/* ---- anything ---- */

static void spoil_somehow(struct trial *trial, struct gen *gen)
{
	size_t count = cube_facelets(trial->n);
	uint8_t *a = &trial->colors[gen_below(gen, (uint32_t)count)],
		*b = &trial->colors[gen_below(gen, (uint32_t)count)], old = *a;
	uint32_t piece = gen_below(gen, 8), other = (piece + 1 + gen_below(gen, 7)) % 8;
	switch (gen_below(gen, trial->n % 2 != 0 ? 6 : 4)) {
	case 0:
		*a = *b;
		break;
	case 1:
		*a = *b;
		*b = old;
		break;
	case 2:
		mend_twist(trial->n, trial->colors, corners[piece], 1);
		break;
	case 3:
		mend_swap(trial->n, trial->colors, corners[piece], corners[other]);
		break;
	case 4:
		mend_flip(trial->n, trial->colors, edges[piece]);
		break;
	default:
		mend_swap(trial->n, trial->colors, edges[piece], edges[other]);
		break;
	}
}

START_TEST(several_faults)
{
	struct gen gen = {.state = (uint64_t)_i + 84};
	struct trial *trial = trial_create(sizes[_i]);
	uint32_t told = 0, rounds = gen_rounds(600);
	for (uint32_t round = 0; round < rounds; round++) {
		trial_turn(trial, &gen, 2);
		for (uint32_t faults = 1 + gen_below(&gen, 4); faults > 0; faults--)
			spoil_somehow(trial, &gen);
		trial_read(trial);
		if (trial->found == 0 || trial->repairs == 0)
			continue;
		told++;
		check_mended(trial);
		struct cube_problem few[2]; /* a short list has the beginning of the long one */
		size_t found = cube_from_colors(trial->back, trial->n, trial->colors, few, 2);
		ck_assert_uint_eq(found, trial->found);
		ck_assert_str_eq(few[0].repair, trial->problems[0].repair);
	}
	ck_assert_uint_gt(told, rounds / 3);
	trial_destroy(trial);
}
END_TEST

/* No colours at all in common with a cube: nothing is told that does not help. */
START_TEST(noise)
{
	struct gen gen = {.state = (uint64_t)_i + 85};
	struct trial *trial = trial_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(300); round++) {
		for (size_t i = 0; i < cube_facelets(trial->n); i++)
			trial->colors[i] = (uint8_t)gen_below(&gen, 6);
		trial_read(trial);
		ck_assert_uint_gt(trial->found, 0);
		if (trial->repairs > 0)
			check_mended(trial);
	}
	trial_destroy(trial);
}
END_TEST

/* The longest words fit: three facelets at the end of the largest cube. */
START_TEST(longest_repair)
{
	struct trial *trial = trial_create(100);
	size_t at[3];
	mend_facelets(100, "DRB", at);
	for (int i = 0; i < 3; i++)
		trial->colors[at[i]] = CUBE_U;
	trial_read(trial);
	check_mended(trial);
	ck_assert_int_eq(differences(trial), 3);
	ck_assert_uint_lt(strlen(trial->problems[0].repair), CUBE_REPAIR_BYTES - 1);
	trial_destroy(trial);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("repair");
	TCase *test = tcase_create("repair");
	tcase_add_loop_test(test, sums, 0, SIZES);
	tcase_add_loop_test(test, one_sticker, 0, SIZES);
	tcase_add_loop_test(test, two_stickers, 0, SIZES);
	tcase_add_loop_test(test, exchanged_stickers, 0, SIZES);
	tcase_add_loop_test(test, mirrored_corners, 0, SIZES);
	tcase_add_loop_test(test, schemes, 0, SIZES);
	tcase_add_loop_test(test, middle_centers, 0, SIZES);
	tcase_add_loop_test(test, several_faults, 0, SIZES);
	tcase_add_loop_test(test, noise, 0, SIZES);
	tcase_add_test(test, longest_repair);
	suite_add_tcase(suite, test);
	return run_suite(suite, 1 + 9 * SIZES);
}
