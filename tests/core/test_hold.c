/* tests/core/test_hold.c: the 24 ways to hold a cube, against points in space. */
#include "cube/cube.h"
#include "cube/hold.h"

#include "core/hold.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

static const int sizes[] = {2, 3, 4, 5, 6, 7, 12};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static void shuffle(struct checked_cube *both, struct gen *gen, int turns)
{
	for (int i = 0; i < turns; i++)
		checked_turn(both, gen_turn(gen, both->geo.size));
}

/* Layers that leave how the cube is held alone: not the middle one; on even sizes none with DBL. */
static void shuffle_held(struct checked_cube *both, struct gen *gen, int turns)
{
	int n = both->geo.size;
	for (int i = 0; i < turns; i++) {
		int face = (int)gen_below(gen, 3), layer = 1 + (int)gen_below(gen, (uint32_t)n / 2);
		checked_turn(both, cube_turn_make(n, face, layer, layer, gen_below(gen, 4)));
	}
}

/* Each number does what its moves do, spins included. */
START_TEST(holds_are_their_moves)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n};
	struct checked_cube both = checked_create(n);
	struct cube *before = new_cube(n), *after = new_cube(n);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		shuffle(&both, &gen, 20);
		cube_copy(before, both.cube);
		ck_assert(checked_moves(&both, cube_hold_moves(hold)));
		cube_hold_turn(after, before, hold);
		ck_assert(geo_same(&both.geo, after));
	}
	checked_destroy(&both);
	free(before);
	free(after);
}
END_TEST

/* The internal table: where faces go and how they arrive, from the model's arrows. */
START_TEST(table_is_right)
{
	bool seen[CUBE_HOLDS] = {false};
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		struct checked_cube both = checked_create(3);
		const struct cube_hold *row = &cube_hold_table.hold[hold];
		ck_assert(checked_moves(&both, cube_hold_moves(hold)));
		for (size_t face = 0; face < CUBE_FACES; face++) {
			const struct geo_sticker *middle = &both.geo.stickers[face * 9 + 4];
			ck_assert_uint_eq(row->to[face], geo_facelet(3, middle) / 9);
			ck_assert_int_eq(row->spin[face], geo_spin(middle));
		}
		int index = cube_hold_table.of[row->to[CUBE_U]][row->to[CUBE_F]];
		ck_assert_int_eq(index, hold);
		seen[index] = true;
		checked_destroy(&both);
	}
	int none = 0, all = 0;
	for (int i = 0; i < CUBE_FACES * CUBE_FACES; i++)
		none += cube_hold_table.of[i / CUBE_FACES][i % CUBE_FACES] < 0;
	for (int i = 0; i < CUBE_HOLDS; i++)
		all += seen[i];
	ck_assert(none == 12 && all == CUBE_HOLDS);
}
END_TEST

/* From home, layers that keep the hold, then a rotation: it is found, and undone. */
START_TEST(holds_are_found)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n + 7};
	struct checked_cube both = checked_create(n);
	struct cube *home = new_cube(n), *back = new_cube(n), *again = new_cube(n);
	for (uint32_t round = 0; round < gen_rounds(200); round++) {
		int hold = (int)gen_below(&gen, CUBE_HOLDS);
		checked_solve(&both);
		shuffle_held(&both, &gen, 20);
		cube_copy(home, both.cube);
		ck_assert_int_eq(cube_hold_of(home), 0);
		ck_assert(checked_moves(&both, cube_hold_moves(hold)));
		ck_assert_int_eq(cube_hold_of(both.cube), hold);
		ck_assert_int_eq(cube_hold_home(back, both.cube), hold);
		ck_assert(cube_equal(back, home));
		cube_hold_turn(again, back, hold);
		ck_assert(checked_same(&both) && cube_equal(again, both.cube));
	}
	checked_destroy(&both);
	free(home);
	free(back);
	free(again);
}
END_TEST

START_TEST(holds_are_a_group)
{
	struct cube *a = new_cube(3), *b = new_cube(3), *both = new_cube(3), *home = new_cube(3);
	for (int i = 0; i < CUBE_HOLDS; i++) {
		ck_assert_int_eq(cube_hold_then(i, cube_hold_inverse(i)), 0);
		ck_assert_int_eq(cube_hold_then(cube_hold_inverse(i), i), 0);
		cube_hold_turn(a, home, i);
		for (int j = 0; j < CUBE_HOLDS; j++) {
			cube_hold_turn(b, a, j);
			cube_hold_turn(both, home, cube_hold_then(i, j));
			ck_assert(cube_equal(b, both));
		}
	}
	free(a);
	free(b);
	free(both);
	free(home);
}
END_TEST

/* Centres or a corner that no turns lead to. */
START_TEST(no_hold)
{
	struct cube *odd = new_cube(3), *even = new_cube(2);
	odd->sticker[4] = 13;
	odd->sticker[13] = 4;
	ck_assert_int_eq(cube_hold_of(odd), -1);
	odd->sticker[13] = 13; /* two of one colour */
	ck_assert_int_eq(cube_hold_of(odd), -1);
	even->sticker[14] = 18; /* the mirror image of DBL */
	even->sticker[18] = 14;
	ck_assert_int_eq(cube_hold_of(even), -1);
	even->sticker[14] = even->sticker[18] = 0;
	ck_assert_int_eq(cube_hold_of(even), -1);
	free(odd);
	free(even);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hold");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, holds_are_their_moves, 0, SIZES);
	tcase_add_test(all, table_is_right);
	tcase_add_loop_test(all, holds_are_found, 0, SIZES);
	tcase_add_test(all, holds_are_a_group);
	tcase_add_test(all, no_hold);
	suite_add_tcase(suite, all);
	return run_suite(suite, 3 + 2 * SIZES);
}
