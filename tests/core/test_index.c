/* tests/core/test_index.c: one number a state: ranks by the paper's recursion, every 2x2x2, known
 * 3x3x3s. */
#include "cube/cube.h"
#include "cube/index.h"

#include "cube/facelets.h"
#include "cube/hold.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <stdio.h>
#include <string.h>

#define STATES_2 3674160u

/* ---- ranks ---- */

static void swap(uint8_t *a, uint8_t *b)
{
	uint8_t c = *a;
	*a = *b;
	*b = c;
}

/* The functions as they stand in the paper. */
static uint64_t paper_rank(int n, uint8_t *pi, uint8_t *inverse)
{
	if (n == 1)
		return 0;
	uint8_t s = pi[n - 1];
	swap(&pi[n - 1], &pi[inverse[n - 1]]);
	swap(&inverse[s], &inverse[n - 1]);
	return s + (uint64_t)n * paper_rank(n - 1, pi, inverse);
}

static void paper_unrank(int n, uint64_t rank, uint8_t *pi)
{
	if (n == 0)
		return;
	swap(&pi[n - 1], &pi[rank % (uint64_t)n]);
	paper_unrank(n - 1, rank / (uint64_t)n, pi);
}

static void check_rank(int n, uint64_t rank)
{
	uint8_t pi[CUBE_RANK_MAX], own[CUBE_RANK_MAX], copy[CUBE_RANK_MAX], inverse[CUBE_RANK_MAX];
	for (int i = 0; i < n; i++)
		pi[i] = (uint8_t)i;
	paper_unrank(n, rank, pi);
	cube_unrank(rank, n, own);
	ck_assert_mem_eq(own, pi, (size_t)n);
	ck_assert_uint_eq(cube_rank(own, n), rank);
	for (uint8_t i = 0; i < n; i++)
		inverse[pi[i]] = i;
	memcpy(copy, pi, (size_t)n);
	ck_assert_uint_eq(paper_rank(n, copy, inverse), rank);
}

/* Every permutation of up to eight; since ranks come back, no two are the same. */
START_TEST(ranks_are_those_of_the_paper)
{
	uint64_t factorial = 1;
	struct gen gen = {.state = 3};
	for (int n = 1; n <= CUBE_RANK_MAX; n++) {
		factorial *= (uint64_t)n;
		check_rank(n, 0);
		check_rank(n, factorial - 1);
		for (uint64_t rank = 0; rank < factorial && n <= 8; rank++)
			check_rank(n, rank);
		for (uint32_t i = 0; i < gen_rounds(2000) && n > 8; i++) {
			uint64_t rank = (uint64_t)gen_below(&gen, UINT32_MAX) << 31 |
					gen_below(&gen, UINT32_MAX) >> 1;
			check_rank(n, rank % factorial);
		}
	}
}
END_TEST

START_TEST(identity_is_the_last)
{
	uint8_t identity[CUBE_RANK_MAX];
	for (uint8_t i = 0; i < CUBE_RANK_MAX; i++)
		identity[i] = i;
	ck_assert_uint_eq(cube_rank(identity, 8), 40319);
	ck_assert_uint_eq(cube_rank(identity, 12), 479001599);
	ck_assert_uint_eq(cube_rank(identity, 16), 20922789887999);
}
END_TEST

/* ---- 2x2x2 ---- */

/* Every number gives another state that turns lead to, and comes back. */
START_TEST(every_2x2x2)
{
	ck_assert(cube_index_count(2).low == STATES_2 && cube_index_count(2).high == 0);
	struct cube *cube = new_cube(2);
	uint8_t colors[24];
	for (uint32_t number = 0; number < STATES_2; number++) {
		struct cube_cubies cubies;
		struct cube_index index = {.low = number};
		int seen = 0, twist = 0;
		if (!cube_index_cubies(index, 2, &cubies))
			ck_abort_msg("%u is refused", number);
		for (int i = 0; i < CUBE_CORNERS; i++) {
			seen |= 1 << cubies.corner_permutation[i];
			twist += cubies.corner_orientation[i];
		}
		bool home = cubies.corner_permutation[6] == 6 && cubies.corner_orientation[6] == 0;
		struct cube_index back = cube_index_of_cubies(&cubies, 2);
		if (seen != 255 || twist % 3 != 0 || !home || back.low != number || back.high != 0)
			ck_abort_msg("%u", number);
		if (number % 101 != 0)
			continue;
		cube_cubies_paint(&cubies, 2, colors);
		ck_assert_uint_eq(cube_from_colors(cube, 2, colors, NULL, 0), 0);
		ck_assert_uint_eq(cube_index_of(cube).low, number);
	}
	struct cube_cubies cubies;
	ck_assert(!cube_index_cubies((struct cube_index){.low = STATES_2}, 2, &cubies));
	ck_assert(!cube_index_cubies((struct cube_index){.high = 1}, 2, &cubies));
	free(cube);
}
END_TEST

/* Returns the number of the state after a turn. Permutations and twists are numbered apart, so each
 * has a table. */
static uint32_t turned(struct cube *cube, uint32_t number, int face)
{
	struct cube_cubies cubies;
	uint8_t colors[24];
	ck_assert(cube_index_cubies((struct cube_index){.low = number}, 2, &cubies));
	cube_cubies_paint(&cubies, 2, colors);
	ck_assert_uint_eq(cube_from_colors(cube, 2, colors, NULL, 0), 0);
	cube_turn(cube, cube_turn_make(2, face, 1, 1, 1));
	return (uint32_t)cube_index_of(cube).low;
}

/* All of them by breadth-first search from solved: the numbers of states at each distance are
 * known. */
START_TEST(distances_of_2x2x2)
{
	static const uint32_t known[] = {1,     9,      54,     321,     1847,   9992,
					 50136, 227536, 870072, 1887748, 623800, 2644};
	struct cube *cube = new_cube(2);
	uint32_t solved = (uint32_t)cube_index_of(cube).low, found = 1, done = 0;
	static uint32_t corners[5040][3], twists[729][3];
	for (uint32_t i = 0; i < 5040; i++)
		for (int face = 0; face < 3; face++)
			corners[i][face] = turned(cube, i * 729, face) / 729;
	for (uint32_t i = 0; i < 729; i++)
		for (int face = 0; face < 3; face++)
			twists[i][face] = turned(cube, solved / 729 * 729 + i, face) % 729;
	uint8_t *seen = new_bytes(STATES_2);
	uint32_t *queue = new_bytes(STATES_2 * sizeof(*queue));
	memset(seen, 0, STATES_2);
	queue[0] = solved;
	seen[solved] = 1;
	for (size_t depth = 0; depth < sizeof(known) / sizeof(known[0]); depth++) {
		uint32_t level = found;
		ck_assert_uint_eq(level - done, known[depth]);
		for (; done < level; done++) {
			for (int face = 0; face < 3; face++) {
				uint32_t number = queue[done];
				for (int turn = 0; turn < 3; turn++) {
					number = corners[number / 729][face] * 729 +
						 twists[number % 729][face];
					if (!seen[number])
						queue[found++] = number;
					seen[number] = 1;
				}
			}
		}
	}
	ck_assert_uint_eq(found, STATES_2);
	free(seen);
	free(queue);
	free(cube);
}
END_TEST

/* ---- 3x3x3 ---- */

static void check_index_text(struct cube_index index, int size)
{
	char text[CUBE_INDEX_BYTES];
	struct cube_index back;
	struct cube_error error;
	size_t length = cube_index_print(index, text);
	ck_assert_uint_eq(strlen(text), length);
	ck_assert_int_eq(cube_index_parse(text, length, size, &back, &error), CUBE_OK);
	ck_assert(back.high == index.high && back.low == index.low);
}

static struct cube_index random_index(struct gen *gen)
{
	struct cube_index index;
	do {
		index.high = gen_below(gen, 3);
		index.low = (uint64_t)gen_below(gen, UINT32_MAX) << 33 ^
			    (uint64_t)gen_below(gen, UINT32_MAX) << 11 ^ gen_below(gen, 4096);
	} while (index.high == 2 && index.low >= cube_index_count(3).low);
	return index;
}

/* Any number is a state that turns lead to, and comes back; so does its text. */
START_TEST(numbers_are_states)
{
	struct gen gen = {.state = 10};
	struct cube *cube = new_cube(3);
	uint8_t colors[54];
	ck_assert(cube_index_count(3).high == 2 && cube_index_count(3).low == 6358515127070752768u);
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		struct cube_cubies cubies, again;
		struct cube_index index = random_index(&gen), back;
		ck_assert(cube_index_cubies(index, 3, &cubies));
		cube_cubies_paint(&cubies, 3, colors);
		ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
		cube_cubies_of(&again, cube);
		ck_assert_mem_eq(&again, &cubies, sizeof(cubies));
		back = cube_index_of(cube);
		ck_assert(back.high == index.high && back.low == index.low);
		check_index_text(index, 3);
	}
	free(cube);
}
END_TEST

/* The other way round: turned at random, and held in any way. */
START_TEST(states_are_numbers)
{
	int n = 2 + _i;
	struct gen gen = {.state = 11};
	struct cube *cube = new_cube(n), *home = new_cube(n), *back = new_cube(n);
	uint8_t colors[54];
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		struct cube_cubies cubies;
		cube_turn(cube, gen_turn(&gen, n));
		struct cube_index index = cube_index_of(cube);
		ck_assert(cube_index_cubies(index, n, &cubies));
		cube_cubies_paint(&cubies, n, colors);
		ck_assert_uint_eq(cube_from_colors(back, n, colors, NULL, 0), 0);
		cube_hold_home(home, cube);
		memset(home->spin, 0, sizeof(home->spin));
		ck_assert(cube_equal(home, back));
		check_index_text(index, n);
	}
	free(cube);
	free(home);
	free(back);
}
END_TEST

/* A thousand states that another program drew: colours to a number, and back to the same colours. */
START_TEST(drawn_states)
{
	FILE *file = fopen("tests/data/random_states_1000.txt", "r");
	ck_assert_msg(file != NULL, "no states: run the tests from the top of the tree");
	struct cube *cube = new_cube(3);
	char line[64];
	int lines = 0;
	for (; fgets(line, sizeof(line), file); lines++) {
		uint8_t colors[54], back[54];
		int size;
		struct cube_error error;
		struct cube_cubies cubies;
		size_t length = strcspn(line, "\n");
		ck_assert_int_eq(cube_colors_parse(line, length, colors, &size, &error), CUBE_OK);
		ck_assert_uint_eq(cube_from_colors(cube, size, colors, NULL, 0), 0);
		ck_assert(cube_index_cubies(cube_index_of(cube), 3, &cubies));
		cube_cubies_paint(&cubies, 3, back);
		ck_assert_mem_eq(back, colors, 54);
	}
	ck_assert_int_eq(lines, 1000);
	fclose(file);
	free(cube);
}
END_TEST

/* Worked out by another program from Kociemba's tables of the six turns and the paper's recursion.
 */
START_TEST(known_numbers)
{
	static const struct {
		int size;
		const char *moves, *index;
	} rows[] = {
		{3, "", "43252003274485377024"},
		{3, "x2 y", "43252003274485377024"},
		{3, "U", "12614720655748737024"},
		{3, "R", "37480707092961792000"},
		{3, "F", "20124184005146610214"},
		{3, "D", "43171545408579201024"},
		{3, "L", "35794463701228218368"},
		{3, "B", "41414436553085857929"},
		{3, "R U R' U'", "40007834819756734464"},
		{3, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", "43252003274485379071"},
		{3, "U2 D2 R2 L2 F2 B2", "43251958684192094208"},
		{3, "R U R' U R U2 R'", "25229351918309511168"},
		{2, "", "3673431"},
		{2, "y x'", "3673431"},
		{2, "U", "1070901"},
		{2, "D y'", "1070901"},
		{2, "R", "3181854"},
		{2, "F", "1709188"},
		{2, "R U R' U'", "3398379"},
		{2, "U2 R2 F2", "2399868"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[CUBE_INDEX_BYTES];
		struct checked_cube both = checked_create(rows[i].size);
		ck_assert(checked_moves(&both, rows[i].moves));
		size_t length = cube_index_print(cube_index_of(both.cube), text);
		ck_assert_str_eq(text, rows[i].index);
		ck_assert_uint_eq(length, strlen(text));
		checked_destroy(&both);
	}
}
END_TEST

START_TEST(text_refused)
{
	static const struct {
		int size;
		const char *text;
		enum cube_error_code code;
		size_t offset, length;
	} rows[] = {
		{3, "", CUBE_ERROR_INDEX, 0, 0},
		{3, "-1", CUBE_ERROR_INDEX, 0, 1},
		{3, "+1", CUBE_ERROR_INDEX, 0, 1},
		{3, " 1", CUBE_ERROR_INDEX, 0, 1},
		{3, "1 ", CUBE_ERROR_INDEX, 1, 1},
		{3, "1e5", CUBE_ERROR_INDEX, 1, 1},
		{3, "1.0", CUBE_ERROR_INDEX, 1, 1},
		{3, "0x10", CUBE_ERROR_INDEX, 1, 1},
		{3, "1,000", CUBE_ERROR_INDEX, 1, 1},
		{3, "12\xd9\xa3", CUBE_ERROR_INDEX, 2, 2},
		{3, "12\xd9", CUBE_ERROR_INDEX, 2, 1},
		{3, "00", CUBE_ERROR_INDEX, 0, 1},
		{3, "007", CUBE_ERROR_INDEX, 0, 2},
		{3, "43252003274489856000", CUBE_ERROR_INDEX_LARGE, 0, 20},
		{3, "99999999999999999999999999999999999999999999", CUBE_ERROR_INDEX_LARGE, 0, 44},
		{2, "3674160", CUBE_ERROR_INDEX_LARGE, 0, 7},
		{2, "340282366920938463463374607431768211456", CUBE_ERROR_INDEX_LARGE, 0, 39},
		{2, "18446744073709551616", CUBE_ERROR_INDEX_LARGE, 0, 20},
	};
	struct guard guard = guard_create(64);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cube_index index = {7, 7};
		struct cube_error error;
		size_t length = strlen(rows[i].text);
		const char *text = guard_put(&guard, rows[i].text, length);
		ck_assert_int_eq(cube_index_parse(text, length, rows[i].size, &index, &error),
				 rows[i].code);
		ck_assert_int_eq(error.code, rows[i].code);
		ck_assert_uint_eq(error.offset, rows[i].offset);
		ck_assert_uint_eq(error.length, rows[i].length);
		ck_assert(error.expected[0] != '\0');
		ck_assert(index.high == 7 && index.low == 7);
	}
	static const char *const most[] = {"3674159", "43252003274489855999"};
	for (int size = 2; size <= 3; size++) {
		struct cube_index index = {7, 7};
		struct cube_error error;
		const char *text = guard_put(&guard, most[size - 2], strlen(most[size - 2]));
		ck_assert_int_eq(
			cube_index_parse(text, strlen(most[size - 2]), size, &index, &error),
			CUBE_OK);
		check_index_text(index, size);
		ck_assert_int_eq(cube_index_parse("0", 1, size, &index, &error), CUBE_OK);
		ck_assert(index.high == 0 && index.low == 0);
		check_index_text(index, size);
	}
	for (uint64_t low = 999999990; low < 1000000010; low++) /* texts made of two parts */
		check_index_text((struct cube_index){.low = low}, 3);
	check_index_text((struct cube_index){.low = 1000000000000000000u}, 3);
	guard_destroy(&guard);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("index");
	TCase *all = tcase_create("all");
	tcase_add_test(all, ranks_are_those_of_the_paper);
	tcase_add_test(all, identity_is_the_last);
	tcase_add_test(all, every_2x2x2);
	tcase_add_test(all, distances_of_2x2x2);
	tcase_add_test(all, numbers_are_states);
	tcase_add_loop_test(all, states_are_numbers, 0, 2);
	tcase_add_test(all, drawn_states);
	tcase_add_test(all, known_numbers);
	tcase_add_test(all, text_refused);
	suite_add_tcase(suite, all);
	return run_suite(suite, 10);
}
