/* tests/core/test_geometry.c: turns of the library against rotations in space.
 *
 * Every turn of every size up to 7 and random ones up to 100, turns given by axis, long random
 * walks, the claim that only middle centres have a spin, and cubes made from colours. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7, 10, 17, 33, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

/* Every facelet is a place of its own: on the surface, with its arrows at right angles. */
START_TEST(facelets_are_places)
{
	struct checked_cube both = checked_create(sizes[_i]);
	size_t area = both.geo.count / CUBE_FACES;
	bool right = true;
	for (size_t i = 0; i < both.geo.count; i++) {
		struct geo_sticker home = geo_home(both.geo.size, i);
		int outward = 0, tilt = 0;
		for (int j = 0; j < 3; j++) {
			outward += home.at[j] * home.normal[j];
			tilt += home.up[j] * home.normal[j];
		}
		right &= outward == both.geo.size - 1 && tilt == 0 && geo_spin(&home) == 0;
		right &= geo_facelet(both.geo.size, &home) == i;
		right &= cube_color_at(both.cube, i) == (int)(i / area);
	}
	ck_assert(right);
	ck_assert(checked_same(&both));
	ck_assert(cube_is_home(both.cube));
	checked_destroy(&both);
}
END_TEST

/* One turn of a solved cube, and of one that is not, so that places and stickers are told apart. */
static void check_turn(struct checked_cube *solved, struct checked_cube *mixed,
		       struct cube_turn turn)
{
	checked_solve(solved);
	checked_turn(solved, turn);
	checked_turn(mixed, turn);
	ck_assert_msg(checked_same(solved) && checked_same(mixed), "face %d layers %d-%d by %d",
		      turn.face, turn.from, turn.to, turn.quarters);
}

START_TEST(every_turn)
{
	int n = sizes[_i];
	struct checked_cube solved = checked_create(n), mixed = checked_create(n);
	struct gen gen = {.state = (uint64_t)n};
	for (int i = 0; i < 30; i++)
		checked_turn(&mixed, gen_turn(&gen, n));
	for (int face = 0; face < CUBE_FACES && n <= 7; face++)
		for (int from = 1; from <= n; from++)
			for (int to = from; to <= n; to++)
				for (int quarters = -2; quarters <= 2; quarters++) {
					check_turn(&solved, &mixed,
						   cube_turn_make(n, face, from, to, quarters));
					struct cube_turn plain = {(uint8_t)face, (uint8_t)from,
								  (uint8_t)to, (int8_t)quarters,
								  CUBE_STYLE_LAYERS};
					check_turn(&solved, &mixed, plain);
				}
	for (uint32_t i = 0; i < gen_rounds(n > 7 ? 2000u / (uint32_t)n : 0); i++)
		check_turn(&solved, &mixed, gen_turn(&gen, n));
	checked_destroy(&solved);
	checked_destroy(&mixed);
}
END_TEST

/* cube_turn_make says the same turn in canonical form, whatever number of quarters it gets. */
START_TEST(turns_made)
{
	for (int n = 2; n <= 7; n++) {
		struct geo a = geo_create(n), b = geo_create(n);
		struct gen gen = {.state = 77};
		for (int i = 0; i < 500; i++) {
			int face = (int)gen_below(&gen, 6),
			    from = 1 + (int)gen_below(&gen, (uint32_t)n);
			int to = from + (int)gen_below(&gen, (uint32_t)(n - from + 1));
			int64_t quarters = (int64_t)gen_below(&gen, 2000) - 1000;
			struct cube_turn turn = cube_turn_make(n, face, from, to, quarters);
			bool whole = from == 1 && to == n;
			geo_turn(&a, geo_turn_of(n, face, from, to, quarters));
			geo_turn(&b, geo_turn_from(n, turn));
			ck_assert(geo_equal(&a, &b));
			ck_assert_int_eq(turn.style, whole ? CUBE_STYLE_WHOLE : CUBE_STYLE_LAYERS);
			ck_assert(!whole || turn.face <= CUBE_F);
			ck_assert_int_le(turn.quarters, 2);
			ck_assert_int_ge(turn.quarters, -2);
			struct geo_turn undone = geo_turn_from(n, cube_turn_inverse(turn));
			geo_turn(&b, undone);
			geo_turn(&b, geo_turn_from(n, turn));
			ck_assert(geo_equal(&a, &b));
		}
		geo_destroy(&a);
		geo_destroy(&b);
	}
}
END_TEST

/* The coordinate of the layer that is `index` steps from the middle; even sizes have no layer 0. */
static bool layer_at(int size, int64_t index, int *coordinate)
{
	if (index < -size / 2 || index > size / 2 || (size % 2 == 0 && index == 0))
		return false;
	*coordinate = (int)(2 * index);
	if (size % 2 == 0)
		*coordinate += index < 0 ? 1 : -1;
	return true;
}

START_TEST(turns_by_axis)
{
	for (int n = 2; n <= 7; n++) {
		struct checked_cube both = checked_create(n);
		for (int axis = 0; axis < 3; axis++)
			for (int64_t start = -n; start <= n; start++)
				for (int64_t end = -n; end <= n; end++)
					for (int64_t angle = -5; angle <= 5; angle++) {
						struct cube_turn turn = {9, 9, 9, 9, 9};
						struct geo_turn direct = {.axis = axis,
									  .quarters = (int)angle};
						bool valid = layer_at(n, start, &direct.low) &&
							     layer_at(n, end, &direct.high) &&
							     start <= end;
						bool made = cube_turn_from_axis(n, axis, angle,
										start, end, &turn);
						ck_assert_int_eq(made, valid);
						if (!valid) {
							ck_assert_int_eq(turn.face, 9);
							continue;
						}
						geo_turn(&both.geo, direct);
						cube_turn(both.cube, turn);
						if (angle == 5)
							ck_assert(checked_same(&both));
					}
		struct cube_turn turn;
		ck_assert(!cube_turn_from_axis(n, 0, 1, INT64_MIN, INT64_MAX, &turn));
		ck_assert(cube_turn_from_axis(n, 0, INT64_MIN, 1, 1, &turn));
		ck_assert_int_eq(turn.quarters % 4, 0);
		ck_assert(cube_turn_from_axis(n, 0, INT64_MAX, 1, 1, &turn));
		ck_assert(turn.quarters == 1 || turn.quarters == -1);
		checked_destroy(&both);
	}
}
END_TEST

/* Long walks, compared in full now and then. */
static void walk(int size, uint32_t turns, uint64_t seed)
{
	struct checked_cube both = checked_create(size);
	struct gen gen = {.state = seed};
	uint32_t next = 0;
	for (uint32_t i = 0; i < turns; i++) {
		checked_turn(&both, gen_turn(&gen, size));
		if (i < next && i + 1 < turns)
			continue;
		ck_assert_msg(checked_same(&both), "size %d, after turn %u", size, i);
		next = i + gen_below(&gen, 500);
	}
	checked_destroy(&both);
}

START_TEST(small_walks)
{
	walk(2 + _i, gen_rounds(60000), 1000 + (uint64_t)_i);
}
END_TEST

START_TEST(large_walks)
{
	walk(10, gen_rounds(4000), 1);
	walk(20, gen_rounds(1000), 2);
	walk(50, gen_rounds(200), 3);
	walk(100, gen_rounds(50), 4);
}
END_TEST

/* Checks what spins are based on: the origin and the place of a sticker determine its rotation,
 * unless it is a middle centre, which can have any of the four spins on its own face. */
START_TEST(spins_of_middles_only)
{
	int n = 2 + _i;
	struct geo geo = geo_create(n);
	size_t area = geo.count / CUBE_FACES;
	struct gen gen = {.state = 5};
	uint8_t *known = new_bytes(geo.count * geo.count);
	unsigned middles[CUBE_FACES] = {0};
	bool agree = true;
	memset(known, 9, geo.count * geo.count);
	for (int i = 0; i < 5000; i++) {
		geo_turn(&geo, geo_turn_from(n, gen_turn(&gen, n)));
		for (size_t home = 0; home < geo.count; home++) {
			size_t place = geo_facelet(n, &geo.stickers[home]);
			uint8_t spin = (uint8_t)geo_spin(&geo.stickers[home]);
			uint8_t *before = &known[home * geo.count + place];
			if (n % 2 == 1 && home % area == area / 2) {
				middles[home / area] |= home == place ? 1u << spin : 0;
				continue;
			}
			agree &= *before == 9 || *before == spin;
			*before = spin;
		}
		ck_assert(agree);
	}
	for (int face = 0; face < CUBE_FACES; face++)
		ck_assert_uint_eq(middles[face], n % 2 == 1 ? 15 : 0);
	free(known);
	geo_destroy(&geo);
}
END_TEST

/* The first facelet that some way of holding the cube brings the facelet's sticker to. */
static size_t orbit_of(int size, size_t facelet)
{
	size_t first = facelet;
	for (int held = 0; held < 64; held++) {
		struct geo_sticker one = geo_home(size, facelet);
		struct geo cube = {.size = size, .count = 1, .stickers = &one};
		for (int axis = 0; axis < 3; axis++) {
			struct geo_turn turn = {axis, -size, size, held >> (2 * axis) & 3};
			geo_turn(&cube, turn);
		}
		size_t at = geo_facelet(size, &one);
		first = at < first ? at : first;
	}
	return first;
}

static bool is_center(int size, size_t facelet)
{
	struct geo_sticker home = geo_home(size, facelet);
	int outer = 0;
	for (int i = 0; i < 3; i++)
		outer += home.at[i] == size - 1 || home.at[i] == 1 - size;
	return outer == 1;
}

/* Colours alone give back the colours, all corners and edges, and centres in facelet order. */
static void check_colors(const struct checked_cube *both, struct cube *made, const size_t *orbit)
{
	int n = both->geo.size;
	size_t count = both->geo.count, area = count / CUBE_FACES;
	uint8_t *colors = new_bytes(count);
	uint16_t *last = new_bytes(count * CUBE_FACES * sizeof(*last));
	memset(last, 0, count * CUBE_FACES * sizeof(*last));
	for (size_t i = 0; i < count; i++)
		colors[geo_facelet(n, &both->geo.stickers[i])] = (uint8_t)(i / area);
	ck_assert_uint_eq(cube_from_colors(made, n, colors, NULL, 0), 0);
	ck_assert_int_eq(made->size, n);
	for (size_t i = 0; i < count; i++) {
		size_t sticker = made->sticker[i];
		ck_assert_uint_lt(sticker, count);
		ck_assert_int_eq(cube_color_at(made, i), colors[i]);
		if (n <= 3 || !is_center(n, i)) {
			ck_assert_uint_eq(sticker, both->cube->sticker[i]);
			continue;
		}
		uint16_t *before = &last[orbit[i] * CUBE_FACES + colors[i]];
		ck_assert_uint_eq(orbit[sticker], orbit[i]);
		ck_assert_uint_gt(sticker + 1, *before);
		*before = (uint16_t)(sticker + 1);
	}
	for (int face = 0; face < CUBE_FACES; face++)
		ck_assert_uint_eq(made->spin[face], 0);
	free(colors);
	free(last);
}

START_TEST(cubes_from_colors)
{
	int n = 2 + _i;
	struct checked_cube both = checked_create(n);
	struct cube *made = new_cube(n);
	size_t *orbit = new_bytes(both.geo.count * sizeof(*orbit));
	struct gen gen = {.state = 99};
	for (size_t i = 0; i < both.geo.count; i++)
		orbit[i] = orbit_of(n, i);
	for (uint32_t round = 0; round < gen_rounds(200); round++) {
		check_colors(&both, made, orbit);
		for (uint32_t i = gen_below(&gen, 40); i > 0; i--)
			checked_turn(&both, gen_turn(&gen, n));
	}
	free(orbit);
	free(made);
	checked_destroy(&both);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("geometry");
	TCase *tests = tcase_create("turns");
	tcase_add_loop_test(tests, facelets_are_places, 0, SIZES);
	tcase_add_loop_test(tests, every_turn, 0, SIZES);
	tcase_add_test(tests, turns_made);
	tcase_add_test(tests, turns_by_axis);
	tcase_add_loop_test(tests, small_walks, 0, 6);
	tcase_add_test(tests, large_walks);
	tcase_add_loop_test(tests, spins_of_middles_only, 0, 6);
	tcase_add_loop_test(tests, cubes_from_colors, 0, 6);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 2 * SIZES + 21);
}
