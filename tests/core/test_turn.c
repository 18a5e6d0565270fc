/* tests/core/test_turn.c: turns as values and as movements, by laws that need no second model.
 *
 * tests/core/test_geometry.c compares the same turns with rotations in space. */
#include "cube/cube.h"
#include "cube/turn.h"

#include "core/hold.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 31, 33, 64, 99, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

START_TEST(quarters_are_canonical)
{
	static const struct {
		int64_t from;
		int to;
	} rows[] = {
		{0, 0},
		{1, 1},
		{2, 2},
		{3, -1},
		{4, 0},
		{5, 1},
		{6, 2},
		{7, -1},
		{-1, -1},
		{-2, -2},
		{-3, 1},
		{-4, 0},
		{-6, -2},
		{-7, 1},
		{INT64_MAX, -1},
		{INT64_MIN, 0},
		{INT64_MAX - 1, 2},
		{INT64_MIN + 2, -2},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_int_eq(cube_quarters(rows[i].from), rows[i].to);
}
END_TEST

static void check_fields(struct cube_turn turn, int face, int from, int to, int quarters, int style)
{
	ck_assert_int_eq(turn.face, face);
	ck_assert_int_eq(turn.from, from);
	ck_assert_int_eq(turn.to, to);
	ck_assert_int_eq(turn.quarters, quarters);
	ck_assert_int_eq(turn.style, style);
}

START_TEST(made_turns_have_the_style_of_their_layers)
{
	check_fields(cube_turn_make(3, CUBE_L, 1, 3, 1), CUBE_R, 1, 3, -1, CUBE_STYLE_WHOLE);
	check_fields(cube_turn_make(4, CUBE_D, 1, 4, -2), CUBE_U, 1, 4, 2, CUBE_STYLE_WHOLE);
	check_fields(cube_turn_make(5, CUBE_F, 1, 5, 3), CUBE_F, 1, 5, -1, CUBE_STYLE_WHOLE);
	check_fields(cube_turn_make(5, CUBE_B, 2, 4, 6), CUBE_B, 2, 4, 2, CUBE_STYLE_LAYERS);
	check_fields(cube_turn_make(3, CUBE_R, 2, 2, 1), CUBE_R, 2, 2, 1, CUBE_STYLE_LAYERS);
	struct cube_turn turn = {CUBE_L, 2, 2, -2, CUBE_STYLE_MIDDLE};
	check_fields(cube_turn_inverse(turn), CUBE_L, 2, 2, 2, CUBE_STYLE_MIDDLE);
}
END_TEST

START_TEST(turns_told_by_axis)
{
	struct cube_turn turn;
	ck_assert(cube_turn_from_axis(3, 0, 1, 1, 1, &turn));
	check_fields(turn, CUBE_R, 1, 1, -1, CUBE_STYLE_LAYERS);
	ck_assert(cube_turn_from_axis(3, 0, 1, -1, -1, &turn));
	check_fields(turn, CUBE_L, 1, 1, 1, CUBE_STYLE_LAYERS);
	ck_assert(cube_turn_from_axis(3, 1, -1, 0, 0, &turn));
	check_fields(turn, CUBE_U, 2, 2, 1, CUBE_STYLE_LAYERS);
	ck_assert(cube_turn_from_axis(4, 2, 2, 1, 2, &turn));
	check_fields(turn, CUBE_F, 1, 2, -2, CUBE_STYLE_LAYERS);
	ck_assert(cube_turn_from_axis(4, 2, 1, -2, 1, &turn));
	check_fields(turn, CUBE_B, 1, 3, 1, CUBE_STYLE_LAYERS);
	ck_assert(cube_turn_from_axis(100, 1, 1, -50, 50, &turn));
	check_fields(turn, CUBE_U, 1, 100, -1, CUBE_STYLE_WHOLE);

	struct cube_turn before = turn;
	static const struct {
		int size, axis;
		int64_t start, end;
	} refused[] = {{3, 0, 2, 2},         {3, 0, -2, 0},       {3, 0, 1, 0}, {4, 0, 0, 1},
		       {4, 0, -1, 0},        {4, 0, 1, 3},        {3, 3, 0, 0}, {3, -1, 0, 0},
		       {3, 0, INT64_MIN, 1}, {3, 0, 0, INT64_MAX}};
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		ck_assert(!cube_turn_from_axis(refused[i].size, refused[i].axis, 1,
					       refused[i].start, refused[i].end, &turn));
	ck_assert(memcmp(&before, &turn, sizeof(turn)) == 0);
}
END_TEST

/* Four times a turn is nothing, and so are a turn and its inverse. */
START_TEST(turns_undo_themselves)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n};
	struct cube *cube = new_cube(n), *before = new_cube(n);
	for (uint32_t i = 0; i < gen_rounds(n < 20 ? 2000 : 50); i++) {
		struct cube_turn turn = gen_turn(&gen, n);
		cube_copy(before, cube);
		struct cube_turn four[4] = {turn, turn, turn, turn};
		cube_turn_all(cube, four, 4);
		ck_assert(cube_equal(cube, before));
		cube_turn(cube, turn);
		cube_turn(cube, cube_turn_inverse(turn));
		ck_assert(cube_equal(cube, before));
		/* The same layers, told from the opposite face. */
		struct cube_turn seen = {(uint8_t)((turn.face + 3) % 6), (uint8_t)(n + 1 - turn.to),
					 (uint8_t)(n + 1 - turn.from), (int8_t)-turn.quarters, 0};
		cube_turn(cube, turn);
		cube_turn(before, seen);
		ck_assert(cube_equal(cube, before));
	}
	free(cube);
	free(before);
}
END_TEST

/* A turn of several layers is that of its layers one by one, and two quarters are a half. */
START_TEST(layers_turn_together_as_one_by_one)
{
	int n = sizes[_i];
	struct gen gen = {.state = (uint64_t)n + 1000};
	struct cube *a = new_cube(n), *b = new_cube(n);
	for (int i = 0; i < (n < 20 ? 500 : 10); i++) {
		struct cube_turn turn = gen_turn(&gen, n), layer = turn;
		cube_turn(a, turn);
		for (layer.from = turn.from; layer.from <= turn.to; layer.from++) {
			layer.to = layer.from;
			layer.quarters = turn.quarters < 0 ? -1 : 1;
			for (int j = turn.quarters; j != 0; j -= layer.quarters)
				cube_turn(b, layer);
		}
		ck_assert_msg(cube_equal(a, b), "face %d layers %d-%d by %d", turn.face, turn.from,
			      turn.to, turn.quarters);
	}
	free(a);
	free(b);
}
END_TEST

/* Quarter turns of faces and of the whole cube, by their letters. */
static void turn_text(struct cube *cube, const char *text)
{
	static const char letters[] = "URFDLByxz"; /* y goes about U, x about R, z about F */
	for (; *text; text++) {
		int index = (int)(strchr(letters, *text) - letters);
		int face = index % 6, last = index < 6 ? 1 : cube->size;
		int quarters = text[1] == '\'' ? -1 : 1;
		cube_turn(cube, cube_turn_make(cube->size, face, 1, last, quarters));
		text += quarters == -1;
	}
}

/* Tests by hand which sticker comes to a face's corner next to a neighbour. */
START_TEST(turns_go_the_way_they_should)
{
	struct cube *cube = new_cube(3);
	turn_text(cube, "R"); /* F to U to B to D to F */
	ck_assert_int_eq(cube_color_at(cube, 0 * 9 + 5), CUBE_F);
	ck_assert_int_eq(cube_color_at(cube, 5 * 9 + 3), CUBE_U);
	ck_assert_int_eq(cube_color_at(cube, 3 * 9 + 5), CUBE_B);
	ck_assert_int_eq(cube_color_at(cube, 2 * 9 + 5), CUBE_D);
	ck_assert_uint_eq(cube->sticker[1 * 9 + 2], 1 * 9 + 0);
	ck_assert_int_eq(cube->spin[CUBE_R], 1);
	cube_init(cube, 3);
	turn_text(cube, "U"); /* R to F to L to B to R */
	ck_assert_uint_eq(cube->sticker[2 * 9 + 0], 1 * 9 + 0);
	ck_assert_uint_eq(cube->sticker[4 * 9 + 1], 2 * 9 + 1);
	cube_init(cube, 3);
	turn_text(cube, "F"); /* U to R to D to L to U */
	ck_assert_uint_eq(cube->sticker[1 * 9 + 0], 0 * 9 + 6);
	ck_assert_uint_eq(cube->sticker[3 * 9 + 2], 1 * 9 + 0);
	cube_init(cube, 3);
	turn_text(cube, "x"); /* the back comes to D upside down */
	static const uint8_t spins[6] = {0, 1, 0, 2, 3, 2};
	ck_assert(memcmp(cube->spin, spins, 6) == 0);
	free(cube);
}
END_TEST

/* The rotations of the whole cube: 24 states, closed, spins and all. */
START_TEST(rotations_are_a_group_of_24)
{
	int n = sizes[_i], found = 1;
	struct cube *states[25], *next = new_cube(n);
	states[0] = new_cube(n);
	for (int i = 0; i < found; i++) {
		for (int face = 0; face < 3; face++) {
			cube_copy(next, states[i]);
			cube_turn(next, cube_turn_make(n, face, 1, n, 1));
			ck_assert(cube_is_solved(next));
			int j = 0;
			while (j < found && !cube_equal(states[j], next))
				j++;
			if (j < found)
				continue;
			ck_assert_int_lt(found, 24);
			states[found] = new_cube(n);
			cube_copy(states[found++], next);
		}
	}
	ck_assert_int_eq(found, 24);
	int home = 0;
	while (found > 0) {
		home += cube_is_home(states[--found]);
		free(states[found]);
	}
	ck_assert_int_eq(home, 1);
	cube_init(next, n);
	turn_text(next, "xyx'z'"); /* x y x' is z */
	ck_assert(cube_is_home(next));
	for (int face = 0; face < CUBE_FACES; face++)
		ck_assert_int_eq(next->spin[face], 0);
	free(next);
}
END_TEST

/* The table of rotations takes stickers where turns of the whole cube take them. */
START_TEST(holds_are_rotations)
{
	int n = sizes[_i];
	struct cube *cube = new_cube(n);
	bool met[CUBE_HOLDS] = {false};
	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 4; j++) {
			size_t area = (size_t)n * (size_t)n;
			uint8_t to[6] = {0};
			for (size_t face = 0; face < 6; face++)
				to[cube_color_at(cube, face * area)] = (uint8_t)face;
			int index = cube_hold_table.of[to[CUBE_U]][to[CUBE_F]];
			ck_assert_int_ge(index, 0);
			met[index] = true;
			for (int home = 0; home < (int)cube_facelets(n); home++) {
				size_t at =
					cube_hold_facelet(&cube_hold_table.hold[index], n,
							  home / (int)area, home / n % n, home % n);
				if (cube->sticker[at] != home)
					ck_abort_msg("rotation %d, sticker %d", index, home);
			}
			turn_text(cube, "y");
		}
		turn_text(cube, i % 2 ? "x" : "z");
	}
	for (int i = 0; i < CUBE_HOLDS; i++)
		ck_assert(met[i]);
	free(cube);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("turn");
	TCase *values = tcase_create("values"), *moves = tcase_create("moves");
	tcase_add_test(values, quarters_are_canonical);
	tcase_add_test(values, made_turns_have_the_style_of_their_layers);
	tcase_add_test(values, turns_told_by_axis);
	tcase_add_test(moves, turns_go_the_way_they_should);
	tcase_add_loop_test(moves, turns_undo_themselves, 0, SIZES);
	tcase_add_loop_test(moves, layers_turn_together_as_one_by_one, 0, SIZES);
	tcase_add_loop_test(moves, rotations_are_a_group_of_24, 0, SIZES);
	tcase_add_loop_test(moves, holds_are_rotations, 0, SIZES);
	suite_add_tcase(suite, values);
	suite_add_tcase(suite, moves);
	return run_suite(suite, 4 + 4 * SIZES);
}
