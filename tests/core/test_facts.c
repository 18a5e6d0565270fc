/* tests/core/test_facts.c: canonical forms, their hash, symmetry and cycles. */
#include "cube/cube.h"
#include "cube/facts.h"

#include "cube/hold.h"
#include "cube/pattern.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

/* After the moves, as both readers read them. */
static struct cube *after(int size, const char *moves)
{
	struct checked_cube both = checked_create(size);
	struct cube *cube = new_cube(size);
	ck_assert(checked_moves(&both, moves));
	cube_copy(cube, both.cube);
	checked_destroy(&both);
	return cube;
}

static int compare(const uint8_t *a, const uint8_t *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* No way of holding is smaller, one is equal, and all have the same. */
START_TEST(canonical_is_the_smallest)
{
	int size = _i;
	struct gen gen = {(uint64_t)size + 5};
	struct cube *cube = new_cube(size), *turned = new_cube(size);
	size_t count = cube_facelets(size);
	uint8_t *colors = new_bytes(count), *canonical = new_bytes(count),
		*again = new_bytes(count);
	cube_init(cube, size);
	for (int round = 0; round < 60; round++) {
		bool equal = false;
		cube_turn(cube, gen_turn(&gen, size));
		cube_colors(cube, colors);
		int fit = cube_canonical(size, colors, canonical);
		for (int hold = 0; hold < CUBE_HOLDS; hold++) {
			cube_hold_turn(turned, cube, hold);
			cube_colors(turned, colors);
			ck_assert_int_le(compare(canonical, colors, count), 0);
			equal |= compare(canonical, colors, count) == 0;
			if (hold == cube_hold_inverse(cube_fit_hold(fit)))
				ck_assert_mem_eq(canonical, colors, count);
			cube_canonical(size, colors, again);
			ck_assert_mem_eq(canonical, again, count);
		}
		ck_assert(equal);
	}
	free(colors);
	free(canonical);
	free(again);
	free(cube);
	free(turned);
}
END_TEST

/* FNV-1a's published values: of nothing, of "a", of "foobar"; here of what are letters of faces. */
START_TEST(hash_is_fnv_1a)
{
	uint8_t colors[24];
	uint64_t expected = UINT64_C(14695981039346656037);
	struct cube *cube = after(2, "R U2 F'");
	char letters[24];
	cube_colors(cube, colors);
	cube_facelets_print(cube, letters);
	for (int i = 0; i < 24; i++)
		expected = (expected ^ (uint8_t)letters[i]) * UINT64_C(1099511628211);
	ck_assert_uint_eq(cube_colors_hash(2, colors), expected);
	/* It stays what it is. */
	for (uint8_t i = 0; i < 24; i++)
		colors[i] = i / 4;
	ck_assert_uint_eq(cube_colors_hash(2, colors), UINT64_C(0x4f664c00a73e9721));
	free(cube);
}
END_TEST

static const struct {
	int size;
	const char *moves;
	int symmetry;
} symmetric[] = {
	{3, "", 48},
	{3, "x y'", 48},
	{2, "", 48},
	{5, "z", 48},
	/* Reid's pages of symmetric positions: superflip, six spots, Pons asinorum, four spots. */
	{3, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", 48},
	{3, "F2 B2 R2 L2 U2 D2", 48},
	{3, "M E M' E'", 6},
	{3, "F2 B2 U D' R2 L2 U D'", 16},
	{3, "R", 4},
	{3, "R2", 8},
	{2, "R", 8},
	{2, "R2", 16},
	{4, "R", 4},
	{3, "R U", 1}, /* a mirror makes U' R' of it, which is its inverse */
	{3, "R U F", 1},
	{3, "R U R' F2 D", 1},
};

START_TEST(symmetry)
{
	static uint8_t colors[CUBE_FACELETS_MAX];
	struct cube *cube = after(symmetric[_i].size, symmetric[_i].moves);
	struct cube *turned = new_cube(cube->size);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		cube_hold_turn(turned, cube, hold);
		cube_colors(turned, colors);
		int found = cube_symmetry(cube->size, colors);
		ck_assert_msg(found == symmetric[_i].symmetry, "%s: %d", symmetric[_i].moves,
			      found);
	}
	free(cube);
	free(turned);
}
END_TEST

START_TEST(cycles_of_pieces)
{
	struct cube_cycle cycles[CUBE_EDGE_CYCLES_MAX];
	struct cube_cubies cubies;
	struct cube *cube = after(3, "R");
	cube_cubies_of(&cubies, cube);
	/* UR goes to the place of BR, that to DR, FR, UR; URF to UBR, DRB, DFR. */
	ck_assert_uint_eq(cube_edge_cycles(&cubies, cycles), 1);
	ck_assert_int_eq(cycles[0].length, 4);
	ck_assert_mem_eq(cycles[0].pieces, ((const uint8_t[]){0, 11, 4, 8}), 4);
	ck_assert_int_eq(cycles[0].turn, 0);
	ck_assert_uint_eq(cube_corner_cycles(&cubies, cycles), 1);
	ck_assert_mem_eq(cycles[0].pieces, ((const uint8_t[]){0, 3, 7, 4}), 4);
	ck_assert_int_eq(cycles[0].turn, 0);
	free(cube);
	/* A corner turned clockwise and one the other way, in their places: the commutator of
	 * twists. */
	cube = after(3, "(R' D' R D)2 U (R' D' R D)4 U'");
	cube_cubies_of(&cubies, cube);
	ck_assert_uint_eq(cube_edge_cycles(&cubies, cycles), 0);
	ck_assert_uint_eq(cube_corner_cycles(&cubies, cycles), 2);
	ck_assert_int_eq(cycles[0].length + cycles[1].length, 2);
	ck_assert_int_eq(cycles[0].turn + cycles[1].turn, 3);
	free(cube);
	cube = after(3, "");
	cube_cubies_of(&cubies, cube);
	ck_assert_uint_eq(cube_edge_cycles(&cubies, cycles), 0);
	ck_assert_uint_eq(cube_corner_cycles(&cubies, cycles), 0);
	free(cube);
}
END_TEST

/* The order of a state follows from its cycles: lcm of length times what brings the turn to 0. */
START_TEST(cycles_tell_the_order)
{
	struct gen gen = {9};
	struct cube *cube = new_cube(3);
	cube_init(cube, 3);
	for (int round = 0; round < 500; round++) {
		int face = (int)gen_below(&gen, 6);
		cube_turn(cube, cube_turn_make(3, face, 1, 1, 1 + (int)gen_below(&gen, 3)));
		struct cube_cycle cycles[CUBE_EDGE_CYCLES_MAX];
		struct cube_cubies cubies;
		uint64_t order = 1;
		cube_cubies_of(&cubies, cube);
		for (int kind = 0; kind < 2; kind++) {
			size_t count = kind ? cube_edge_cycles(&cubies, cycles)
					    : cube_corner_cycles(&cubies, cycles);
			for (size_t i = 0; i < count; i++) {
				uint64_t length = cycles[i].length, a, b, t;
				if (cycles[i].turn != 0)
					length *= kind ? 2 : 3;
				for (a = order, b = length; b != 0; t = a % b, a = b, b = t)
					;
				order = order / a * length;
			}
		}
		ck_assert_uint_eq(order, cube_order(cube, false));
	}
	free(cube);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("facts");
	TCase *facts = tcase_create("facts");
	tcase_add_loop_test(facts, canonical_is_the_smallest, 2, 6);
	tcase_add_test(facts, hash_is_fnv_1a);
	tcase_add_loop_test(facts, symmetry, 0, sizeof(symmetric) / sizeof(symmetric[0]));
	tcase_add_test(facts, cycles_of_pieces);
	tcase_add_test(facts, cycles_tell_the_order);
	suite_add_tcase(suite, facts);
	return run_suite(suite, 23);
}
