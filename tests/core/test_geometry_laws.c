/* tests/core/test_geometry_laws.c: the laws of the group, orders, and patterns everybody knows.
 *
 * Nothing is taken from memory alone: the model works out each order by turning until all is back,
 * and each pattern is described in space. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

/* Orders of visible colours and with the centres' spins, where known; 0: only compared. */
static const struct {
	int size;
	const char *moves;
	uint64_t colors, spins;
} orders[] = {
	{3, "", 1, 1},
	{3, "R", 4, 4},
	{3, "R2", 2, 2},
	{3, "M", 4, 4},
	{3, "x", 4, 4},
	{3, "x y", 3, 3},
	{3, "R U", 105, 420},
	{3, "R U'", 63, 252},
	{3, "R U R' U'", 6, 6},
	{3, "R U2 D' B D'", 1260, 1260},
	{3, "R L", 4, 4},
	{3, "M2 E2 S2", 2, 2},
	{3, "R2 U2", 6, 6},
	{3, "(U R L U2 R' L')2", 1, 2},
	{3, "R U R' U R U2 R'", 6, 6},
	{3, "M E", 0, 0},
	{2, "R", 4, 4},
	{2, "R U", 15, 15},
	{2, "R U R' U'", 6, 6},
	{2, "x y z", 2, 2},
	{4, "R", 4, 4},
	{4, "r", 4, 4},
	{4, "r2 U2", 0, 0},
	{4, "2R U", 0, 0},
	{4, "Rw U", 0, 0},
	{5, "Rw U", 0, 0},
	{5, "3R U", 0, 0},
	{5, "m E", 0, 0},
	{7, "3Rw2 2-4U2", 0, 0},
};

START_TEST(orders_known)
{
	struct checked_cube both = checked_create(orders[_i].size);
	const uint64_t most = 3000000;
	ck_assert(checked_moves(&both, orders[_i].moves));
	uint64_t colors = geo_order(&both.geo, false, true, most);
	uint64_t spins = geo_order(&both.geo, true, false, most);
	if (orders[_i].colors)
		ck_assert_uint_eq(colors, orders[_i].colors);
	if (orders[_i].spins)
		ck_assert_uint_eq(spins, orders[_i].spins);
	ck_assert_msg(colors && spins, "%s takes too long", orders[_i].moves);
	ck_assert_uint_eq(cube_order(both.cube, false), colors);
	ck_assert_uint_eq(cube_order(both.cube, true), spins);
	checked_destroy(&both);
}
END_TEST

START_TEST(orders_random)
{
	struct gen gen = {.state = 12};
	const uint32_t rounds = gen_rounds(200);
	uint32_t found = 0;
	for (uint32_t round = 0; round < rounds; round++) {
		const uint64_t most = 4000;
		struct checked_cube both = checked_create(2 + (int)(round % 5));
		for (uint32_t i = gen_below(&gen, 5); i > 0; i--)
			checked_turn(&both, gen_turn(&gen, both.geo.size));
		for (int spin = 0; spin < 2; spin++) {
			uint64_t model = geo_order(&both.geo, spin, !spin, most);
			uint64_t order = cube_order(both.cube, spin);
			found += model > 0;
			ck_assert_msg(model > 0 ? order == model : order > most, "round %u", round);
		}
		checked_destroy(&both);
	}
	ck_assert_uint_ge(found, rounds);
}
END_TEST

/* a then b, and powers of a, against the model; negative powers by what they undo. */
static void check_laws(const struct checked_cube *a, const struct checked_cube *b, int64_t exponent)
{
	int n = a->geo.size;
	struct cube *result = new_cube(n), *power = new_cube(n), *undone = new_cube(n);
	struct cube *solved = new_cube(n);
	struct geo geo = geo_create(n);
	geo_copy(&geo, &a->geo);
	geo_apply(&geo, &b->geo, 1);
	cube_compose(result, a->cube, b->cube);
	ck_assert(geo_same(&geo, result));

	geo_solve(&geo);
	geo_apply(&geo, &a->geo, (uint64_t)exponent);
	cube_power(power, a->cube, exponent);
	ck_assert(geo_same(&geo, power));
	cube_power(undone, a->cube, -exponent);
	cube_compose(result, power, undone);
	ck_assert(cube_equal(result, solved));
	cube_invert(result, power);
	ck_assert(cube_equal(result, undone));
	free(result);
	free(power);
	free(undone);
	free(solved);
	geo_destroy(&geo);
}

/* The inverse is what the inverse turns do, last one first. */
static void check_inverse(const struct checked_cube *both, const struct cube_turn *turns,
			  size_t count)
{
	int n = both->geo.size;
	struct geo geo = geo_create(n);
	struct cube *result = new_cube(n), *inverse = new_cube(n), *solved = new_cube(n);
	for (size_t i = count; i > 0; i--) {
		struct geo_turn turn = geo_turn_from(n, turns[i - 1]);
		turn.quarters = -turn.quarters;
		geo_turn(&geo, turn);
	}
	memset(inverse, 0xff, cube_bytes(n));
	cube_invert(inverse, both->cube);
	ck_assert(geo_same(&geo, inverse));
	cube_compose(result, both->cube, inverse);
	ck_assert(cube_equal(result, solved));
	cube_compose(result, inverse, both->cube);
	ck_assert(cube_equal(result, solved));
	free(result);
	free(inverse);
	free(solved);
	geo_destroy(&geo);
}

START_TEST(laws_of_the_group)
{
	struct gen gen = {.state = 8};
	for (uint32_t round = 0; round < gen_rounds(240); round++) {
		int n = round % 40 == 39 ? 33 : 2 + (int)(round % 6);
		struct checked_cube a = checked_create(n), b = checked_create(n);
		struct cube_turn turns[30];
		size_t count = gen_below(&gen, 30);
		for (size_t i = 0; i < count; i++) {
			turns[i] = gen_turn(&gen, n);
			checked_turn(&a, turns[i]);
		}
		for (uint32_t i = gen_below(&gen, 30); i > 0; i--)
			checked_turn(&b, gen_turn(&gen, n));
		check_laws(&a, &b, (int64_t)gen_below(&gen, 200));
		check_inverse(&a, turns, count);
		checked_destroy(&a);
		checked_destroy(&b);
	}
}
END_TEST

/* [R, [U, [F, ... ]]] to the full depth, more than 2^64 turns: the model undoes a state by applying
 * it until all is back. */
START_TEST(commutators_deep)
{
	static const char *const opens[] = {"[R,", "[U,", "[F,"};
	static const int faces[] = {CUBE_R, CUBE_U, CUBE_F};
	for (int depth = 1; depth <= CUBE_DEPTH_MAX; depth++) {
		char text[4 * CUBE_DEPTH_MAX + 8] = "";
		struct checked_cube inner = checked_create(3), both = checked_create(3);
		struct parsed parsed;
		for (int i = depth; i > 0; i--)
			strcat(text, opens[i % 3]);
		strcat(text, "L'");
		for (int i = depth; i > 0; i--)
			strcat(text, "]");
		geo_turn(&inner.geo, geo_turn_of(3, CUBE_L, 1, 1, -1));
		for (int i = 1; i <= depth; i++) {
			uint64_t order = geo_order(&inner.geo, true, false, 10000);
			geo_solve(&both.geo);
			geo_turn(&both.geo, geo_turn_of(3, faces[i % 3], 1, 1, 1));
			geo_apply(&both.geo, &inner.geo, 1);
			geo_turn(&both.geo, geo_turn_of(3, faces[i % 3], 1, 1, -1));
			geo_apply(&both.geo, &inner.geo, order - 1);
			geo_copy(&inner.geo, &both.geo);
		}
		ck_assert(parsed_read(&parsed, text, 3, CUBE_DIALECT_SIGN));
		parsed_apply(both.cube, &parsed.alg);
		ck_assert_msg(checked_same(&both), "%s", text);
		parsed_free(&parsed);
		checked_destroy(&inner);
		checked_destroy(&both);
	}
}
END_TEST

/* An algorithm, then its text written backwards by hand. */
START_TEST(undone_by_hand)
{
	static const char *const pairs[][2] = {
		{"R U F", "F' U' R'"},    {"M2 x r' E", "E' r x' M2"}, {"(R U)5", "(U' R')5"},
		{"[R, U F]", "[U F, R]"}, {"[r: U]", "[r: U']"},       {"R2' u", "u' R2"},
	};
	for (int n = 3; n <= 7; n += 2)
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
			struct checked_cube both = checked_create(n);
			struct geo solved = geo_create(n);
			ck_assert(checked_moves(&both, pairs[i][0]) &&
				  checked_moves(&both, pairs[i][1]));
			ck_assert(geo_equal(&both.geo, &solved) && checked_same(&both));
			ck_assert(cube_is_home(both.cube) && cube_is_solved(both.cube));
			checked_destroy(&both);
			geo_destroy(&solved);
		}
}
END_TEST

/* Turning the cube as a whole keeps it solved, and home only if it is held as at first. */
START_TEST(ways_to_hold)
{
	for (int n = 2; n <= 7; n++)
		for (int held = 0; held < 64; held++) {
			struct checked_cube both = checked_create(n);
			for (int axis = 0; axis < 3; axis++)
				checked_turn(&both, cube_turn_make(n, (CUBE_R + axis) % 3, 1, n,
								   held >> 2 * axis));
			struct geo solved = geo_create(n);
			ck_assert(checked_same(&both) && cube_is_solved(both.cube));
			ck_assert_int_eq(cube_is_home(both.cube), geo_equal(&both.geo, &solved));
			checked_turn(&both, cube_turn_make(n, held % 6, 1, 1, 1));
			ck_assert(!cube_is_solved(both.cube) && !cube_is_home(both.cube));
			checked_destroy(&both);
			geo_destroy(&solved);
		}
}
END_TEST

/* Returns the facelets of a 3x3x3 after the moves, by both models. */
static void shown(const char *moves, char letters[55])
{
	char other[55] = "";
	struct checked_cube both = checked_create(3);
	ck_assert(checked_moves(&both, moves));
	ck_assert(checked_same(&both));
	geo_letters(&both.geo, letters);
	cube_facelets_print(both.cube, other);
	ck_assert_str_eq(other, letters);
	checked_destroy(&both);
}

/* Every edge is in its place and flipped: its two facelets show each other's colour. */
START_TEST(superflip)
{
	char letters[55];
	int edges = 0;
	shown("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", letters);
	for (size_t i = 0; i < 54; i++) {
		struct geo_sticker here = geo_home(3, i);
		size_t expected = i;
		for (size_t j = 0; j < 54; j++) {
			struct geo_sticker there = geo_home(3, j);
			int middle = (here.at[0] == 0) + (here.at[1] == 0) + (here.at[2] == 0);
			if (middle == 1 && j != i && memcmp(here.at, there.at, 3) == 0)
				expected = j;
		}
		edges += expected != i;
		ck_assert_int_eq(letters[i], "URFDLB"[expected / 9]);
	}
	ck_assert_int_eq(edges, 24);
}
END_TEST

/* Edges show the opposite face. */
START_TEST(checkerboard)
{
	char letters[55];
	shown("M2 E2 S2", letters);
	for (int i = 0; i < 54; i++) {
		int face = i / 9, opposite = (face + 3) % 6;
		bool edge = i % 9 % 2 == 1;
		ck_assert_int_eq(letters[i], "URFDLB"[edge ? opposite : face]);
	}
}
END_TEST

/* Each face shows a 2 x 2 block of its own colour and five facelets of one other. */
START_TEST(cube_in_the_cube)
{
	char letters[55];
	shown("F L F U' R U F2 L2 U' L' B D' B' L2 U", letters);
	for (int face = 0; face < CUBE_FACES; face++) {
		const char *at = &letters[face * 9];
		int own = 0, blocks = 0, other = 0;
		for (int i = 0; i < 9; i++)
			own += at[i] == at[4];
		for (int i = 0; i < 4; i++) {
			const char *corner = &at[i / 2 * 3 + i % 2];
			blocks += corner[0] == at[4] && corner[1] == at[4] && corner[3] == at[4] &&
				  corner[4] == at[4];
		}
		const char *rest = at;
		while (*rest == at[4])
			rest++;
		for (int i = 0; i < 9; i++)
			other += at[i] == *rest;
		ck_assert_int_eq(own, 4);
		ck_assert_int_eq(blocks, 1);
		ck_assert_int_eq(other, 5);
		ck_assert_int_eq(at[4], "URFDLB"[face]);
	}
}
END_TEST

/* A middle centre can be turned half round alone; R turns its own by one clockwise. */
START_TEST(spins_known)
{
	static const struct {
		const char *moves;
		uint8_t spin[CUBE_FACES];
	} known[] = {
		{"R", {0, 1, 0, 0, 0, 0}},
		{"U2' F'", {2, 0, 3, 0, 0, 0}},
		{"(U R L U2 R' L')2", {2, 0, 0, 0, 0, 0}},
		{"(R U)105", {1, 1, 0, 0, 0, 0}},
		{"M2 M2", {0, 0, 0, 0, 0, 0}},
		{"x", {0, 1, 0, 2, 3, 2}},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct checked_cube both = checked_create(3);
		uint16_t sticker[54];
		uint8_t spin[CUBE_FACES];
		ck_assert(checked_moves(&both, known[i].moves));
		geo_write(&both.geo, sticker, spin);
		ck_assert_mem_eq(spin, known[i].spin, CUBE_FACES);
		ck_assert(checked_same(&both));
		checked_destroy(&both);
	}
}
END_TEST

int main(void)
{
	int count = (int)(sizeof(orders) / sizeof(orders[0]));
	Suite *suite = suite_create("geometry of the group");
	TCase *tests = tcase_create("laws");
	tcase_add_loop_test(tests, orders_known, 0, count);
	tcase_add_test(tests, orders_random);
	tcase_add_test(tests, laws_of_the_group);
	tcase_add_test(tests, commutators_deep);
	tcase_add_test(tests, undone_by_hand);
	tcase_add_test(tests, ways_to_hold);
	tcase_add_test(tests, superflip);
	tcase_add_test(tests, checkerboard);
	tcase_add_test(tests, cube_in_the_cube);
	tcase_add_test(tests, spins_known);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 9 + count);
}
