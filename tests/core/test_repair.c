/* tests/core/test_repair.c: repairs repair: cubes spoilt in every way, repaired as the words say. */
#include "cube/facelets.h"

#include "tests/core/hand_repair.h"
#include "tests/core/run.h"
#include "tests/core/spoilt_cube.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static const char *const corners[8] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
static const char *const edges[12] = {"UR", "UF", "UL", "UB", "DR", "DF",
				      "DL", "DB", "FR", "FL", "BL", "BR"};

static void check_mended(struct spoilt_cube *spoilt)
{
	if (spoilt_repair(spoilt))
		return;
	for (size_t i = 0; i < spoilt->found; i++)
		fprintf(stderr, "%s %s %s %s: %s\n", cube_problem_name(spoilt->problems[i].kind),
			spoilt->problems[i].place, spoilt->problems[i].piece,
			spoilt->problems[i].letters, spoilt->problems[i].repair);
	ck_abort_msg("size %d: the repairs make no cube", spoilt->n);
}

/* ---- scrambled cubes: what does not add up is reported, no more and no less ---- */

START_TEST(sums)
{
	struct gen gen = {.state = (uint64_t)_i + 77};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	bool odd_size = spoilt->n % 2 != 0;
	for (uint32_t round = 0; round < gen_rounds(500); round++) {
		int twist = 0, flip = 0, parity = 0;
		spoilt_turn(spoilt, &gen, 3);
		for (uint32_t times = gen_below(&gen, 5); times > 0; times--) {
			int amount = (int)gen_below(&gen, 2) + 1;
			hand_twist(spoilt->n, spoilt->colors, corners[gen_below(&gen, 8)], amount);
			twist += amount;
		}
		for (uint32_t times = gen_below(&gen, 5); times > 0; times--) {
			uint32_t a = gen_below(&gen, 8), b = (a + 1 + gen_below(&gen, 7)) % 8;
			hand_swap(spoilt->n, spoilt->colors, corners[a], corners[b]);
			parity ^= odd_size;
		}
		for (uint32_t times = gen_below(&gen, 5); times > 0 && odd_size; times--) {
			uint32_t a = gen_below(&gen, 12), b = (a + 1 + gen_below(&gen, 11)) % 12;
			hand_flip(spoilt->n, spoilt->colors, edges[a]);
			flip ^= 1;
			hand_swap(spoilt->n, spoilt->colors, edges[a], edges[b]);
			parity ^= 1;
		}
		spoilt_read(spoilt);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_CORNER_TWISTED], twist % 3 != 0);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_EDGE_FLIPPED], flip);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_PARITY], parity);
		ck_assert_int_eq((int)spoilt->found, (twist % 3 != 0) + flip + parity);
		ck_assert_uint_eq(spoilt->repairs, spoilt->found);
		if (twist % 3 != 0)
			ck_assert_int_eq(spoilt->problems[0].amount, twist % 3);
		check_mended(spoilt);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* ---- stickers ---- */

/* Returns how many changes of a single facelet make a cube, by trying all. */
static int single_changes(struct spoilt_cube *spoilt)
{
	int found = 0;
	for (size_t i = 0; i < cube_facelets(spoilt->n); i++) {
		uint8_t old = spoilt->colors[i];
		for (uint8_t color = 0; color < CUBE_FACES; color++) {
			spoilt->colors[i] = color;
			if (color != old &&
			    cube_from_colors(spoilt->back, spoilt->n, spoilt->colors, NULL, 0) == 0)
				found++;
		}
		spoilt->colors[i] = old;
	}
	return found;
}

/* The number of facelets in which the repaired colours differ. */
static int differences(const struct spoilt_cube *spoilt)
{
	int count = 0;
	for (size_t i = 0; i < cube_facelets(spoilt->n); i++)
		count += spoilt->repaired[i] != spoilt->colors[i];
	return count;
}

static void spoil_sticker(struct spoilt_cube *spoilt, struct gen *gen)
{
	uint8_t *at = &spoilt->colors[gen_below(gen, (uint32_t)cube_facelets(spoilt->n))];
	*at = (uint8_t)((*at + 1 + gen_below(gen, 5)) % 6);
}

START_TEST(one_sticker)
{
	struct gen gen = {.state = (uint64_t)_i + 78};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(400); round++) {
		spoilt_turn(spoilt, &gen, 3);
		spoil_sticker(spoilt, &gen);
		spoilt_read(spoilt);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_WRONG_COUNT], 2);
		ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_WRONG_COUNT);
		ck_assert_uint_ge(spoilt->found, 3);
		ck_assert_uint_eq(spoilt->repairs, 1);
		ck_assert(strncmp(spoilt->problems[0].repair, "recolour facelet ", 17) == 0);
		check_mended(spoilt);
		ck_assert_int_eq(differences(spoilt), 1);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* One or two stickers: there is a repair, of one facelet where any is. */
START_TEST(two_stickers)
{
	struct gen gen = {.state = (uint64_t)_i + 79};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(spoilt->n < 4 ? 150 : 15); round++) {
		spoilt_turn(spoilt, &gen, 3);
		spoil_sticker(spoilt, &gen);
		spoil_sticker(spoilt, &gen);
		spoilt_read(spoilt);
		if (spoilt->found == 0)
			continue;
		int single = single_changes(spoilt);
		if (single == 0 && spoilt->repairs == 0)
			continue;
		check_mended(spoilt);
		ck_assert_int_eq(differences(spoilt) == 1, single > 0);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* Two exchanged stickers: two facelets put it right, or two edges that had a colour in common. */
START_TEST(exchanged_stickers)
{
	struct gen gen = {.state = (uint64_t)_i + 80};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	uint32_t count = (uint32_t)cube_facelets(spoilt->n);
	for (uint32_t round = 0; round < gen_rounds(400); round++) {
		spoilt_turn(spoilt, &gen, 3);
		uint8_t *a = &spoilt->colors[gen_below(&gen, count)],
			*b = &spoilt->colors[gen_below(&gen, count)], old = *a;
		*a = *b;
		*b = old;
		spoilt_read(spoilt);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_WRONG_COUNT], 0);
		if (spoilt->found == 0)
			continue;
		ck_assert_uint_eq(spoilt->repairs, 1);
		ck_assert_int_ne(spoilt->problems[0].repair[0], '\0');
		check_mended(spoilt);
		/* A swap of two pieces is only proposed where most pieces are at home. */
		if (strncmp(spoilt->problems[0].repair, "swap ", 5) == 0)
			ck_assert(spoilt->kinds[CUBE_PROBLEM_PARITY] && spoilt->found == 1);
		else
			ck_assert_int_eq(differences(spoilt), 2);
		if (!spoilt->kinds[CUBE_PROBLEM_PARITY] &&
		    !spoilt->kinds[CUBE_PROBLEM_EDGE_FLIPPED])
			ck_assert(strncmp(spoilt->problems[0].repair, "exchange facelet ", 17) ==
				  0);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* ---- faces and stickers of a scrambled cube that were read wrongly ---- */

static void turn_face(struct spoilt_cube *spoilt, int face, int quarters)
{
	char repair[48];
	snprintf(repair, sizeof(repair), "turn the face %c %s", cube_face_letters[face],
		 quarters == 1   ? "a quarter clockwise"
		 : quarters == 2 ? "by a half"
				 : "a quarter counterclockwise");
	ck_assert(hand_repair(spoilt->n, spoilt->colors, repair));
}

/* One face turned: that face is named first, and turned back; hardly ever another one would do too. */
START_TEST(turned_faces)
{
	struct gen gen = {.state = (uint64_t)_i + 86};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	uint8_t right[6 * 7 * 7];
	uint32_t named = 0, rounds = gen_rounds(200);
	for (uint32_t round = 0; round < rounds; round++) {
		const int face = (int)gen_below(&gen, 6), quarters = 1 + (int)gen_below(&gen, 3);
		spoilt_turn(spoilt, &gen, 60);
		memcpy(right, spoilt->colors, cube_facelets(spoilt->n));
		turn_face(spoilt, face, quarters);
		memcpy(spoilt->repaired, right, cube_facelets(spoilt->n));
		const bool seen = differences(spoilt) > 2; /* else not a turn, or an exchange */
		spoilt_read(spoilt);
		if (!seen || spoilt->problems[0].kind != CUBE_PROBLEM_FACE_TURNED) {
			named += !seen;
			continue;
		}
		ck_assert_int_eq(spoilt->problems[0].place[0], cube_face_letters[face]);
		ck_assert_int_eq(spoilt->problems[0].amount % 2, quarters % 2);
		ck_assert_uint_eq(spoilt->repairs, 1);
		check_mended(spoilt);
		ck_assert_mem_eq(spoilt->repaired, right, cube_facelets(spoilt->n));
		named++;
	}
	ck_assert_uint_ge(named, rounds - rounds / 40);
	spoilt_destroy(spoilt);
}
END_TEST

/* Spoils the faces of scrambled cubes. Returns how often they are repaired to what they were; with a
 * kind, only of cubes in which that is named first. */
static uint32_t brought_back(struct spoilt_cube *spoilt, struct gen *gen, uint32_t rounds,
			     void (*spoil)(struct spoilt_cube *spoilt, struct gen *gen),
			     const enum cube_problem_kind *kind)
{
	uint8_t right[6 * 7 * 7];
	uint32_t count = 0;
	for (uint32_t round = 0; round < rounds; round++) {
		spoilt_turn(spoilt, gen, 60);
		memcpy(right, spoilt->colors, cube_facelets(spoilt->n));
		spoil(spoilt, gen);
		spoilt_read(spoilt);
		if (spoilt->repairs == 0) /* two ways back */
			continue;
		check_mended(spoilt);
		count += (!kind || spoilt->problems[0].kind == *kind) &&
			 memcmp(spoilt->repaired, right, cube_facelets(spoilt->n)) == 0;
	}
	return count;
}

static void turn_all_faces(struct spoilt_cube *spoilt, struct gen *gen)
{
	for (int face = 0; face < 6; face++)
		turn_face(spoilt, face, 1 + (int)gen_below(gen, 3));
}

/* Every face turned somehow: on odd sizes, where the middle centres say which face is which, there is
 * one way back. */
START_TEST(six_turned_faces)
{
	struct gen gen = {.state = (uint64_t)_i + 87};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	const uint32_t rounds = spoilt->n % 2 != 0 ? gen_rounds(100) : 0;
	ck_assert_uint_ge(brought_back(spoilt, &gen, rounds, turn_all_faces, NULL),
			  rounds - rounds / 20);
	spoilt_destroy(spoilt);
}
END_TEST

/* Puts two faces into each other's place, and perhaps turns one. */
static void exchange_faces(struct spoilt_cube *spoilt, struct gen *gen)
{
	const int a = (int)gen_below(gen, 6), b = (a + 1 + (int)gen_below(gen, 5)) % 6;
	char repair[40];
	snprintf(repair, sizeof(repair), "exchange the faces %c and %c", cube_face_letters[a],
		 cube_face_letters[b]);
	ck_assert(hand_repair(spoilt->n, spoilt->colors, repair));
	if (spoilt->n % 2 != 0)
		turn_face(spoilt, a, 1 + (int)gen_below(gen, 3));
}

START_TEST(exchanged_faces)
{
	static const enum cube_problem_kind kind = CUBE_PROBLEM_FACES_EXCHANGED;
	struct gen gen = {.state = (uint64_t)_i + 88};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	const uint32_t rounds = gen_rounds(100);
	ck_assert_uint_ge(brought_back(spoilt, &gen, rounds, exchange_faces, &kind),
			  rounds - rounds / 10);
	spoilt_destroy(spoilt);
}
END_TEST

/* U2 and U4 in each other's place: that exchange is proposed. If their edges have the other colour in common,
 * every piece is there, and two seem to be swapped; else some piece is impossible, missing or there twice. */
START_TEST(exchanged_stickers_of_a_face)
{
	struct gen gen = {.state = (uint64_t)_i + 89};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	const unsigned n = (unsigned)spoilt->n, m = n / 2;
	uint32_t rounds = n % 2 != 0 ? gen_rounds(400) : 0, swapped = 0, found = 0, named = 0;
	char words[CUBE_REPAIR_BYTES];
	snprintf(words, sizeof(words),
		 "exchange facelet %u (U row 1 column %u) and facelet %u (U row %u column 1)", m,
		 m + 1, n * m, m + 1);
	for (uint32_t round = 0; round < rounds; round++) {
		spoilt_turn(spoilt, &gen, 60);
		uint8_t *a = spoilt_color(spoilt, CUBE_U, 0, spoilt->n / 2),
			*b = spoilt_color(spoilt, CUBE_U, spoilt->n / 2, 0), old = *a;
		*a = *b;
		*b = old;
		spoilt_read(spoilt);
		if (spoilt->found == 0)
			continue;
		check_mended(spoilt);
		found++;
		swapped += spoilt->found == 1 && spoilt->kinds[CUBE_PROBLEM_PARITY];
		named += strcmp(spoilt->problems[0].repair, words) == 0;
	}
	ck_assert_uint_ge(named + 1, found - found / 20);
	ck_assert_uint_ge(swapped, rounds / 20);
	spoilt_destroy(spoilt);
}
END_TEST

/* All that is listed is a cube; the repair that is reported is the first. */
START_TEST(candidates)
{
	static char listed[64][CUBE_REPAIR_BYTES];
	struct gen gen = {.state = (uint64_t)_i + 90};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	size_t several = 0;
	for (uint32_t round = 0; round < gen_rounds(60); round++) {
		uint32_t count = (uint32_t)cube_facelets(spoilt->n);
		spoilt_turn(spoilt, &gen, 40);
		uint8_t *a = &spoilt->colors[gen_below(&gen, count)],
			*b = &spoilt->colors[gen_below(&gen, count)], old = *a;
		*a = *b;
		*b = round % 2 ? old : *b;
		spoilt_read(spoilt);
		const size_t found = cube_repair_candidates(spoilt->n, spoilt->colors, listed, 64);
		ck_assert(spoilt->found > 0 || found == 0);
		if (found > 0 && spoilt->repairs > 0)
			ck_assert_str_eq(listed[0], spoilt->problems[0].repair);
		for (size_t i = 0; i < found && i < 64; i++) {
			memcpy(spoilt->repaired, spoilt->colors, count);
			ck_assert(hand_repair(spoilt->n, spoilt->repaired, listed[i]));
			ck_assert_uint_eq(cube_from_colors(spoilt->back, spoilt->n,
							   spoilt->repaired, NULL, 0),
					  0);
			for (size_t j = 0; j < i; j++)
				ck_assert_str_ne(listed[i], listed[j]);
		}
		several += found > 1;
		ck_assert_uint_eq(cube_repair_candidates(spoilt->n, spoilt->colors, NULL, 0),
				  found);
	}
	ck_assert(several > 0 || spoilt->n != 3);
	spoilt_destroy(spoilt);
}
END_TEST

/* A few mirrored corners: each is reported, and together they are repaired. */
START_TEST(mirrored_corners)
{
	struct gen gen = {.state = (uint64_t)_i + 81};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(300); round++) {
		uint32_t which = 1 + gen_below(&gen, 255);
		int mirrored = 0;
		spoilt_turn(spoilt, &gen, 3);
		for (int i = 0; i < 8; i++) {
			size_t at[3];
			if (!(which >> i & 1))
				continue;
			uint32_t kept = gen_below(&gen, 3);
			hand_facelets(spoilt->n, corners[i], at);
			uint8_t *a = &spoilt->colors[at[(kept + 1) % 3]],
				*b = &spoilt->colors[at[(kept + 2) % 3]], old = *a;
			*a = *b;
			*b = old;
			mirrored++;
		}
		/* Two edges exchanged beside it are reported on their own. */
		bool swapped = spoilt->n % 2 != 0 && gen_below(&gen, 2) == 0;
		if (swapped)
			hand_swap(spoilt->n, spoilt->colors, "UF", "DB");
		spoilt_read(spoilt);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_MIRRORED_CORNER], mirrored);
		ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_PARITY], swapped);
		ck_assert_int_eq((int)spoilt->found, mirrored + swapped);
		ck_assert_uint_ge(spoilt->repairs, 1);
		check_mended(spoilt);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* ---- colours taken for each other ---- */

START_TEST(schemes)
{
	struct gen gen = {.state = (uint64_t)_i + 82};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
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
			spoilt_hold(spoilt, home ? 0 : (int)round - 36);
		else
			spoilt_turn(spoilt, &gen, 3);
		for (size_t i = 0; i < cube_facelets(spoilt->n); i++) {
			uint8_t *color = &spoilt->colors[i];
			*color = *color == a ? b : *color == b ? a : *color;
		}
		spoilt_read(spoilt);
		ck_assert_uint_eq(spoilt->repairs, 1);
		if (spoilt->n % 2 != 0)
			ck_assert_int_eq(spoilt->problems[0].kind, CUBE_PROBLEM_CENTERS);
		if (b == (a + 3) % 6)
			ck_assert_int_eq(spoilt->kinds[CUBE_PROBLEM_MIRRORED_CORNER], 8);
		ck_assert(strncmp(spoilt->problems[0].repair, "exchange the colours ", 21) == 0);
		check_mended(spoilt);
		if (home)
			ck_assert(spoilt_is_solved(spoilt));
		if (home && spoilt->n % 2 != 0) {
			ck_assert_ptr_nonnull(
				strchr(spoilt->problems[0].repair + 20, cube_face_letters[a]));
			ck_assert_ptr_nonnull(
				strchr(spoilt->problems[0].repair + 20, cube_face_letters[b]));
		}
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* Middle centres in any order: right in 12 of them, one swap from it in 12 more. */
START_TEST(middle_centers)
{
	struct gen gen = {.state = (uint64_t)_i + 83};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	size_t area = (size_t)spoilt->n * (size_t)spoilt->n;
	int right = 0, repaired = 0, all = 0;
	spoilt_turn(spoilt, &gen, 20);
	for (int order = 0; order < 720 && spoilt->n % 2 != 0; order++) {
		uint8_t left[6] = {0, 1, 2, 3, 4, 5};
		for (int i = 0, rest = order; i < 6; rest /= 6 - i, i++) {
			int pick = rest % (6 - i);
			spoilt->colors[(size_t)i * area + area / 2] = left[pick];
			memmove(left + pick, left + pick + 1, (size_t)(5 - pick));
		}
		spoilt_read(spoilt);
		all++;
		right += spoilt->found == 0;
		repaired += spoilt->repairs > 0;
		ck_assert_uint_le(spoilt->found, 1);
		if (spoilt->repairs > 0)
			check_mended(spoilt);
	}
	/* 12 rotations with the same parity as the pieces and 12 that need a swap; and all that are
	 * one exchange or one cycle of three away from one of those. */
	if (all > 0) {
		ck_assert_int_eq(right, 12);
		ck_assert_int_gt(repaired, 300);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* ---- anything ---- */

static void spoil_somehow(struct spoilt_cube *spoilt, struct gen *gen)
{
	size_t count = cube_facelets(spoilt->n);
	uint8_t *a = &spoilt->colors[gen_below(gen, (uint32_t)count)],
		*b = &spoilt->colors[gen_below(gen, (uint32_t)count)], old = *a;
	uint32_t piece = gen_below(gen, 8), other = (piece + 1 + gen_below(gen, 7)) % 8;
	switch (gen_below(gen, spoilt->n % 2 != 0 ? 6 : 4)) {
	case 0:
		*a = *b;
		break;
	case 1:
		*a = *b;
		*b = old;
		break;
	case 2:
		hand_twist(spoilt->n, spoilt->colors, corners[piece], 1);
		break;
	case 3:
		hand_swap(spoilt->n, spoilt->colors, corners[piece], corners[other]);
		break;
	case 4:
		hand_flip(spoilt->n, spoilt->colors, edges[piece]);
		break;
	default:
		hand_swap(spoilt->n, spoilt->colors, edges[piece], edges[other]);
		break;
	}
}

START_TEST(several_faults)
{
	struct gen gen = {.state = (uint64_t)_i + 84};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	uint32_t told = 0, rounds = gen_rounds(600);
	for (uint32_t round = 0; round < rounds; round++) {
		spoilt_turn(spoilt, &gen, 2);
		for (uint32_t faults = 1 + gen_below(&gen, 4); faults > 0; faults--)
			spoil_somehow(spoilt, &gen);
		spoilt_read(spoilt);
		if (spoilt->found == 0 || spoilt->repairs == 0)
			continue;
		told++;
		check_mended(spoilt);
		struct cube_problem few[2]; /* a short list has the beginning of the long one */
		size_t found = cube_from_colors(spoilt->back, spoilt->n, spoilt->colors, few, 2);
		ck_assert_uint_eq(found, spoilt->found);
		ck_assert_str_eq(few[0].repair, spoilt->problems[0].repair);
	}
	ck_assert_uint_gt(told, rounds / 3);
	spoilt_destroy(spoilt);
}
END_TEST

/* No colours at all in common with a cube: nothing is reported that does not help. */
START_TEST(noise)
{
	struct gen gen = {.state = (uint64_t)_i + 85};
	struct spoilt_cube *spoilt = spoilt_create(sizes[_i]);
	for (uint32_t round = 0; round < gen_rounds(300); round++) {
		for (size_t i = 0; i < cube_facelets(spoilt->n); i++)
			spoilt->colors[i] = (uint8_t)gen_below(&gen, 6);
		spoilt_read(spoilt);
		ck_assert_uint_gt(spoilt->found, 0);
		if (spoilt->repairs > 0)
			check_mended(spoilt);
	}
	spoilt_destroy(spoilt);
}
END_TEST

/* The longest words fit: three facelets at the end of the largest cube. */
START_TEST(longest_repair)
{
	struct spoilt_cube *spoilt = spoilt_create(100);
	size_t at[3];
	hand_facelets(100, "DRB", at);
	for (int i = 0; i < 3; i++)
		spoilt->colors[at[i]] = CUBE_U;
	spoilt_read(spoilt);
	check_mended(spoilt);
	ck_assert_int_eq(differences(spoilt), 3);
	ck_assert_uint_lt(strlen(spoilt->problems[0].repair), CUBE_REPAIR_BYTES - 1);
	spoilt_destroy(spoilt);
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
	tcase_add_loop_test(test, turned_faces, 0, SIZES);
	tcase_add_loop_test(test, six_turned_faces, 0, SIZES);
	tcase_add_loop_test(test, exchanged_faces, 0, SIZES);
	tcase_add_loop_test(test, exchanged_stickers_of_a_face, 0, SIZES);
	tcase_add_loop_test(test, candidates, 0, SIZES);
	tcase_add_loop_test(test, mirrored_corners, 0, SIZES);
	tcase_add_loop_test(test, schemes, 0, SIZES);
	tcase_add_loop_test(test, middle_centers, 0, SIZES);
	tcase_add_loop_test(test, several_faults, 0, SIZES);
	tcase_add_loop_test(test, noise, 0, SIZES);
	tcase_add_test(test, longest_repair);
	suite_add_tcase(suite, test);
	return run_suite(suite, 1 + 14 * SIZES);
}
