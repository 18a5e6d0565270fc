/* tests/core/test_cube.c: states as transformations: group laws, powers, orders by hand. */
#include "cube/cube.h"

#include "cube/turn.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7, 11, 16, 33, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static void shuffle(struct cube *cube, struct gen *gen, int turns)
{
	for (int i = 0; i < turns; i++)
		cube_turn(cube, gen_turn(gen, cube->size));
}

static uint32_t rounds(int n, uint32_t small)
{
	return gen_rounds(n < 8 ? small : small / 40 + 1);
}

START_TEST(compose_is_turning_on)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n};
	struct cube *a = new_cube(n), *b = new_cube(n), *both = new_cube(n), *turned = new_cube(n);
	for (uint32_t i = 0; i < rounds(n, 2000); i++) {
		struct cube_turn turns[8];
		cube_init(b, n);
		for (int j = 0; j < 8; j++)
			turns[j] = gen_turn(&gen, n);
		cube_turn_all(b, turns, 8);
		cube_compose(both, a, b);
		cube_copy(turned, a);
		cube_turn_all(turned, turns, 8);
		ck_assert(cube_equal(both, turned));
		cube_copy(a, both);
	}
	free(a);
	free(b);
	free(both);
	free(turned);
}
END_TEST

START_TEST(group_laws)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n + 7};
	struct cube *a = new_cube(n), *b = new_cube(n), *c = new_cube(n), *one = new_cube(n);
	struct cube *x = new_cube(n), *y = new_cube(n), *z = new_cube(n);
	for (uint32_t i = 0; i < rounds(n, 1000); i++) {
		shuffle(a, &gen, 5);
		shuffle(b, &gen, 5);
		shuffle(c, &gen, 5);
		cube_compose(x, a, b);
		cube_compose(y, x, c);
		cube_compose(x, b, c);
		cube_compose(z, a, x);
		ck_assert(cube_equal(y, z));
		cube_compose(x, a, one);
		cube_compose(y, one, a);
		ck_assert(cube_equal(x, a) && cube_equal(y, a));
		cube_invert(x, a);
		cube_compose(y, a, x);
		cube_compose(z, x, a);
		ck_assert(cube_equal(y, one) && cube_equal(z, one));
	}
	struct cube *all[] = {a, b, c, one, x, y, z};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
}
END_TEST

START_TEST(powers_are_repetition)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n + 13};
	struct cube *a = new_cube(n), *by_hand = new_cube(n), *power = new_cube(n);
	struct cube *next = new_cube(n), *inverse = new_cube(n), *back = new_cube(n);
	for (uint32_t i = 0; i < rounds(n, 80); i++) {
		shuffle(a, &gen, 3);
		cube_init(by_hand, n);
		for (int k = 0; k <= 30; k++) {
			cube_power(power, a, k);
			ck_assert(cube_equal(power, by_hand));
			cube_invert(inverse, by_hand);
			cube_power(back, a, -k);
			ck_assert(cube_equal(inverse, back));
			cube_compose(next, by_hand, a);
			cube_copy(by_hand, next);
		}
	}
	struct cube *all[] = {a, by_hand, power, next, inverse, back};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
}
END_TEST

START_TEST(large_powers_add_up)
{
	int n = sizes[_i];
	static const int64_t exponents[] = {INT64_MAX, INT64_MIN, 1000000000000000,
					    -999999999999999};
	struct gen gen = {.state = (uint64_t)n + 17};
	struct cube *a = new_cube(n), *x = new_cube(n), *y = new_cube(n), *z = new_cube(n);
	for (size_t i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++) {
		int64_t half = exponents[i] / 2, rest = exponents[i] - half;
		shuffle(a, &gen, 20);
		cube_power(x, a, half);
		cube_power(y, a, rest);
		cube_compose(z, x, y);
		cube_power(x, a, exponents[i]);
		ck_assert(cube_equal(x, z));
		uint64_t order = cube_order(a, true);
		cube_power(y, a, exponents[i] % (int64_t)order);
		ck_assert(cube_equal(x, y));
	}
	free(a);
	free(x);
	free(y);
	free(z);
}
END_TEST

/* Repeats until nothing is changed, stickers and spins or colours only. */
static uint64_t order_by_hand(const struct cube *cube, bool spin, uint64_t most)
{
	int n = cube->size;
	struct cube *power = new_cube(n), *next = new_cube(n), *one = new_cube(n);
	uint64_t order = 0;
	bool done = false;
	while (!done && order < most) {
		cube_compose(next, power, cube);
		cube_copy(power, next);
		order++;
		done = spin ? cube_equal(power, one) : cube_is_home(power);
	}
	free(power);
	free(next);
	free(one);
	return done ? order : 0;
}

START_TEST(orders_are_repetition)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n + 23};
	struct cube *a = new_cube(n);
	for (uint32_t i = 0; i < rounds(n, 150); i++) {
		cube_init(a, n);
		shuffle(a, &gen, 1 + (int)gen_below(&gen, 4));
		for (int spin = 0; spin < 2; spin++) {
			uint64_t order = cube_order(a, spin),
				 by_hand = order_by_hand(a, spin, 3000);
			ck_assert(by_hand == order || (by_hand == 0 && order > 3000));
		}
	}
	free(a);
}
END_TEST

START_TEST(known_orders)
{
	struct cube *cube = new_cube(3);
	struct cube_turn r = cube_turn_make(3, CUBE_R, 1, 1, 1),
			 u = cube_turn_make(3, CUBE_U, 1, 1, 1);
	struct cube_turn r_back = cube_turn_inverse(r), u_back = cube_turn_inverse(u);
	struct cube_turn sexy[] = {r, u, r_back, u_back};
	struct cube_turn d = cube_turn_make(3, CUBE_D, 1, 1, -1),
			 b = cube_turn_make(3, CUBE_B, 1, 1, 1);
	struct cube_turn longest[] = {r, cube_turn_make(3, CUBE_U, 1, 1, 2), d, b, d};
	ck_assert_uint_eq(cube_order(cube, true), 1);
	cube_turn_all(cube, sexy, 2);
	ck_assert_uint_eq(cube_order(cube, false), 105);
	ck_assert_uint_eq(cube_order(cube, true), 420); /* 105 turns leave R and U a quarter on */
	cube_init(cube, 3);
	cube_turn_all(cube, sexy, 4);
	ck_assert_uint_eq(cube_order(cube, true), 6);
	cube_init(cube, 3);
	cube_turn_all(cube, longest, 5);
	ck_assert_uint_eq(cube_order(cube, false), 1260);
	free(cube);
}
END_TEST

START_TEST(solved_and_home)
{
	int n = sizes[_i];
	struct cube *cube = new_cube(n);
	ck_assert(cube_is_home(cube) && cube_is_solved(cube));
	cube_turn(cube, cube_turn_make(n, CUBE_R, 1, n, 1));
	ck_assert(!cube_is_home(cube) && cube_is_solved(cube));
	cube_turn(cube, cube_turn_make(n, CUBE_R, 1, 1, 1));
	ck_assert(!cube_is_home(cube) && !cube_is_solved(cube));
	for (size_t i = 0; i < cube_facelets(n); i++)
		ck_assert_int_eq(cube_color_at(cube, i), cube->sticker[i] / (n * n));
	free(cube);
}
END_TEST

START_TEST(well_formed)
{
	int n = sizes[_i];
	size_t count = cube_facelets(n);
	struct gen gen = {.state = (uint64_t)n};
	struct cube *cube = new_cube(n);
	uint8_t *seen = new_bytes(count);
	shuffle(cube, &gen, 10);
	ck_assert(cube_well_formed(cube, seen));
	for (int i = 0; i < 50; i++) {
		size_t at = gen_below(&gen, (uint32_t)count), other = (at + 1) % count;
		uint16_t right = cube->sticker[at];
		static const uint16_t wrong[] = {UINT16_MAX, 60000};
		cube->sticker[at] = i % 3 == 2 ? cube->sticker[other] : wrong[i % 3];
		ck_assert(!cube_well_formed(cube, seen));
		cube->sticker[at] = right;
	}
	cube->spin[3] = n % 2 ? 4 : 1;
	ck_assert(!cube_well_formed(cube, seen));
	cube->spin[3] = 0;
	cube->reserved = 1;
	ck_assert(!cube_well_formed(cube, seen));
	cube->reserved = 0;
	ck_assert(cube_well_formed(cube, seen));
	static const uint8_t no_sizes[] = {0, 1, 101, 255};
	for (size_t i = 0; i < sizeof(no_sizes); i++) {
		cube->size = no_sizes[i];
		ck_assert(!cube_well_formed(cube, seen) && !cube_size_valid(no_sizes[i]));
	}
	free(cube);
	free(seen);
}
END_TEST

START_TEST(errors_and_columns)
{
	for (int code = 0; code < CUBE_ERROR_COUNT; code++)
		ck_assert_uint_gt(strlen(cube_error_text((enum cube_error_code)code)), 0);
	static const struct {
		const char *text;
		size_t offset, column;
	} rows[] = {
		{"RUR", 0, 1},           {"RUR", 3, 4},
		{"R\u2019U", 4, 3},      {"R\u2019U", 2, 2},
		{"\xff\xfeU", 2, 3},     {"\xe2\x80U", 2, 3},
		{"\xed\xa0\x80U", 3, 4}, {"\xc0\xafU", 2, 3},
		{"\U0001f600U", 4, 2},   {"\xf4\x90\x80\x80", 4, 5},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_uint_eq(
			cube_text_column(rows[i].text, strlen(rows[i].text), rows[i].offset),
			rows[i].column);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cube");
	TCase *states = tcase_create("states");
	tcase_set_timeout(states, 120);
	tcase_add_loop_test(states, compose_is_turning_on, 0, SIZES);
	tcase_add_loop_test(states, group_laws, 0, SIZES);
	tcase_add_loop_test(states, powers_are_repetition, 0, SIZES);
	tcase_add_loop_test(states, large_powers_add_up, 0, SIZES);
	tcase_add_loop_test(states, orders_are_repetition, 0, SIZES);
	tcase_add_loop_test(states, solved_and_home, 0, SIZES);
	tcase_add_loop_test(states, well_formed, 0, SIZES);
	tcase_add_test(states, known_orders);
	tcase_add_test(states, errors_and_columns);
	suite_add_tcase(suite, states);
	return run_suite(suite, 2 + 7 * SIZES);
}
