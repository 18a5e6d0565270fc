/* tests/core/test_pack.c: packed turns and states: round trips, and damage against a guard page. */
#include "cube/cube.h"
#include "cube/pack.h"

#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 15, 50, 99, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static void check_round_trip(struct cube_turn turn, int size, size_t expected)
{
	uint8_t bytes[CUBE_PACKED_TURN_MAX];
	struct cube_turn back;
	size_t count = 0, length = cube_turns_pack(&turn, 1, size, bytes);
	if ((expected && length != expected) ||
	    !cube_turns_unpack(bytes, length, size, &back, 1, &count) || count != 1 ||
	    memcmp(&turn, &back, sizeof(turn)) != 0)
		ck_abort_msg("size %d: face %d, layers %d-%d by %d", size, turn.face, turn.from,
			     turn.to, turn.quarters);
}

/* The codes are stored for ever, so they are spelt out here a second time. */
START_TEST(codes_never_change)
{
	static const struct {
		struct cube_turn turn;
		uint8_t bytes[3];
		size_t length;
	} rows[] = {
		{{CUBE_U, 1, 1, 0, CUBE_STYLE_LAYERS}, {0}, 1},
		{{CUBE_U, 1, 1, 1, CUBE_STYLE_LAYERS}, {1}, 1},
		{{CUBE_U, 1, 1, 2, CUBE_STYLE_LAYERS}, {2}, 1},
		{{CUBE_U, 1, 1, -1, CUBE_STYLE_LAYERS}, {3}, 1},
		{{CUBE_U, 1, 1, -2, CUBE_STYLE_LAYERS}, {4}, 1},
		{{CUBE_B, 1, 1, 1, CUBE_STYLE_LAYERS}, {26}, 1},
		{{CUBE_U, 1, 2, 1, CUBE_STYLE_LAYERS}, {31}, 1},
		{{CUBE_B, 1, 2, -2, CUBE_STYLE_LAYERS}, {59}, 1},
		{{CUBE_L, 3, 3, 1, CUBE_STYLE_MIDDLE}, {61}, 1},
		{{CUBE_D, 3, 3, 1, CUBE_STYLE_MIDDLE}, {66}, 1},
		{{CUBE_F, 3, 3, 1, CUBE_STYLE_MIDDLE}, {71}, 1},
		{{CUBE_L, 2, 4, 1, CUBE_STYLE_INNER}, {76}, 1},
		{{CUBE_F, 2, 4, -1, CUBE_STYLE_INNER}, {88}, 1},
		{{CUBE_R, 1, 5, 1, CUBE_STYLE_WHOLE}, {91}, 1},
		{{CUBE_U, 1, 5, 1, CUBE_STYLE_WHOLE}, {96}, 1},
		{{CUBE_F, 1, 5, -2, CUBE_STYLE_WHOLE}, {104}, 1},
		{{CUBE_U, 2, 2, 0, CUBE_STYLE_LAYERS}, {105, 2, 2}, 3},
		{{CUBE_R, 2, 3, 2, CUBE_STYLE_LAYERS}, {112, 2, 3}, 3},
		{{CUBE_B, 1, 3, -2, CUBE_STYLE_LAYERS}, {134, 1, 3}, 3},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t bytes[CUBE_PACKED_TURN_MAX] = {0};
		ck_assert_uint_eq(cube_turns_pack(&rows[i].turn, 1, 5, bytes), rows[i].length);
		ck_assert_mem_eq(bytes, rows[i].bytes, rows[i].length);
	}
}
END_TEST

START_TEST(every_turn_comes_back)
{
	int n = sizes[_i], step = n < 9 ? 1 : n < 20 ? 4 : 13;
	for (int face = 0; face < CUBE_FACES; face++)
		for (int from = 1; from <= n; from += step)
			for (int to = from; to <= n; to += step)
				for (int quarters = -2; quarters <= 2; quarters++)
					check_round_trip(
						cube_turn_make(n, face, from, to, quarters), n, 0);
	static const uint8_t sides[] = {CUBE_L, CUBE_D, CUBE_F};
	uint8_t middle = (uint8_t)((n + 1) / 2), inner = (uint8_t)(n - 1);
	for (int i = 0; i < 3; i++) {
		struct cube_turn m = {sides[i], middle, middle, -1, CUBE_STYLE_MIDDLE};
		struct cube_turn s = {sides[i], 2, inner, 2, CUBE_STYLE_INNER};
		if (n % 2)
			check_round_trip(m, n, 1);
		if (n > 2)
			check_round_trip(s, n, 1);
	}
}
END_TEST

static void check_layers(const struct cube_turn *turns, size_t count, int n)
{
	for (size_t i = 0; i < count; i++)
		if (turns[i].face >= CUBE_FACES || turns[i].from < 1 ||
		    turns[i].from > turns[i].to || turns[i].to > n)
			ck_abort_msg("face %d, layers %d-%d of %d", turns[i].face, turns[i].from,
				     turns[i].to, n);
}

/* Every byte string of up to three bytes is refused, or is the one spelling of its turns. */
START_TEST(bytes_are_canonical_or_refused)
{
	int n = sizes[_i], taken = 0;
	struct guard guard = guard_create(3);
	for (unsigned code = 0; code < 256; code += code < 140 ? 1 : 23) {
		for (unsigned from = 0; from <= 102; from += from < 9 ? 1 : 29) {
			for (unsigned to = 0; to <= 102; to += to < 9 ? 1 : 13) {
				uint8_t bytes[3] = {(uint8_t)code, (uint8_t)from, (uint8_t)to},
					again[9];
				struct cube_turn turns[3];
				for (size_t length = 1; length <= 3; length++) {
					size_t count = 0;
					const uint8_t *at = guard_put(&guard, bytes, length);
					if (!cube_turns_unpack(at, length, n, turns, 3, &count))
						continue;
					taken++;
					check_layers(turns, count, n);
					if (cube_turns_pack(turns, count, n, again) != length ||
					    memcmp(again, bytes, length) != 0)
						ck_abort_msg("%u %u %u", code, from, to);
				}
			}
		}
	}
	ck_assert_int_gt(taken, 0);
	guard_destroy(&guard);
}
END_TEST

START_TEST(turns_cut_short_or_too_many)
{
	enum { TURNS = 60 };
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n};
	struct guard guard = guard_create(CUBE_PACKED_TURN_MAX * TURNS);
	struct cube_turn turns[TURNS], back[TURNS];
	uint8_t bytes[CUBE_PACKED_TURN_MAX * TURNS];
	size_t ends[TURNS + 1] = {0}, count = 0;
	for (int i = 0; i < TURNS; i++) {
		turns[i] = gen_turn(&gen, n);
		ends[i + 1] = cube_turns_pack(turns, (size_t)i + 1, n, bytes);
	}
	for (size_t length = 0, whole = 0; length <= ends[TURNS]; length++) {
		while (whole < TURNS && ends[whole + 1] <= length)
			whole++;
		const uint8_t *at = guard_put(&guard, bytes, length);
		bool taken = cube_turns_unpack(at, length, n, back, TURNS, &count);
		ck_assert_int_eq(taken, ends[whole] == length);
		if (taken) {
			ck_assert_uint_eq(count, whole);
			ck_assert(memcmp(turns, back, whole * sizeof(turns[0])) == 0);
		}
	}
	ck_assert(!cube_turns_unpack(bytes, ends[TURNS], n, back, TURNS - 1, &count));
	guard_destroy(&guard);
}
END_TEST

START_TEST(states_come_back)
{
	int n = sizes[_i];
	size_t length = cube_packed_bytes(n);
	ck_assert_uint_eq(length, cube_facelets(n) * (n <= 6 ? 1 : 2) + (n % 2 ? 2 : 0));
	struct gen gen = {.state = (uint64_t)n};
	struct guard guard = guard_create(length);
	struct cube *cube = new_cube(n), *back = new_cube(n);
	uint8_t *bytes = new_bytes(length);
	for (uint32_t i = 0; i < gen_rounds(n < 20 ? 2000 : 30); i++) {
		cube_turn(cube, gen_turn(&gen, n));
		cube_pack(cube, bytes);
		ck_assert(cube_unpack(back, n, guard_put(&guard, bytes, length), length));
		ck_assert(cube_equal(cube, back) && back->reserved == 0);
	}
	free(cube);
	free(back);
	free(bytes);
	guard_destroy(&guard);
}
END_TEST

START_TEST(damaged_states_are_refused)
{
	int n = sizes[_i];
	size_t length = cube_packed_bytes(n), width = n <= 6 ? 1 : 2, count = cube_facelets(n);
	struct gen gen = {.state = (uint64_t)n};
	struct guard guard = guard_create(length + 2);
	struct cube *cube = new_cube(n), *back = new_cube(n);
	uint8_t *bytes = new_bytes(length + 2);
	memset(bytes, 0, length + 2);
	for (int i = 0; i < 20; i++)
		cube_turn(cube, gen_turn(&gen, n));
	cube_pack(cube, bytes);
	size_t step = length < 1000 ? 1 : length / 300 | 1;
	for (size_t cut = 0; cut <= length + 2; cut += step)
		ck_assert_int_eq(cube_unpack(back, n, guard_put(&guard, bytes, cut), cut),
				 cut == length);
	ck_assert(cube_unpack(back, n, guard_put(&guard, bytes, length), length));
	for (size_t i = 0; i < count * width; i += step) {
		uint8_t right = bytes[i];
		bytes[i] = (uint8_t)(right ^ (1 + gen_below(&gen, 255)));
		ck_assert(!cube_unpack(back, n, guard_put(&guard, bytes, length), length));
		bytes[i] = right;
	}
	if (n % 2) {
		bytes[length - 1] |= 0x10; /* beyond the sixth spin */
		ck_assert(!cube_unpack(back, n, bytes, length));
	}
	ck_assert(!cube_unpack(back, 1, bytes, 6) && !cube_unpack(back, 101, bytes, 122408));
	free(cube);
	free(back);
	free(bytes);
	guard_destroy(&guard);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pack");
	TCase *turns = tcase_create("turns"), *states = tcase_create("states");
	tcase_add_test(turns, codes_never_change);
	tcase_add_loop_test(turns, every_turn_comes_back, 0, SIZES);
	tcase_add_loop_test(turns, bytes_are_canonical_or_refused, 0, SIZES);
	tcase_add_loop_test(turns, turns_cut_short_or_too_many, 0, SIZES);
	tcase_add_loop_test(states, states_come_back, 0, SIZES);
	tcase_add_loop_test(states, damaged_states_are_refused, 0, SIZES);
	suite_add_tcase(suite, turns);
	suite_add_tcase(suite, states);
	return run_suite(suite, 1 + 5 * SIZES);
}
