/* tests/core/test_names.c: facelets by name, against cubies in space; states given by names. */
#include "cube/cube.h"
#include "cube/names.h"
#include "cube/facelets.h"
#include "cube/hold.h"
#include "cube/turn.h"
#include "tests/core/generate.h"
#include "tests/core/geometry.h"
#include "tests/core/run.h"

#include <string.h>

union cube3 {
	struct cube cube;
	uint8_t bytes[128];
};

/* The name by its definition, of the sticker as a point in space: its cubie touches the sides where a
 * coordinate is outermost. */
static void name_in_space(int size, size_t facelet, char name[4])
{
	static const struct {
		char letter;
		int axis, way;
	} sides[] = {{'U', 1, 1},  {'D', 1, -1}, {'F', 2, 1},
		     {'B', 2, -1}, {'R', 0, 1},  {'L', 0, -1}};
	const struct geo_sticker sticker = geo_home(size, facelet);
	size_t length = 1;
	for (size_t i = 0; i < 6; i++) {
		if (sticker.normal[sides[i].axis] == sides[i].way)
			name[0] = sides[i].letter;
		else if (sticker.at[sides[i].axis] == sides[i].way * (size - 1))
			name[length++] = sides[i].letter;
	}
	name[length] = '\0';
}

START_TEST(names_are_those_of_cubies_in_space)
{
	char name[CUBE_FACELET_NAME_BYTES];
	for (size_t i = 0; i < cube_facelets(_i); i++) {
		char right[4];
		name_in_space(_i, i, right);
		cube_facelet_name(_i, i, name);
		ck_assert_str_eq(name, right);
		ck_assert_int_eq(cube_facelet_named(_i, right, strlen(right)), (int)i);
		if (strlen(right) < 3)
			continue;
		const char other[3] = {right[0], right[2], right[1]};
		ck_assert_int_eq(cube_facelet_named(_i, other, 3), (int)i);
	}
	ck_assert_int_eq(cube_facelet_named(3, "frd", 3), 26);
	ck_assert_int_eq(cube_facelet_named(3, "WG", 2), 7);
}
END_TEST

/* Every text of up to four letters: exactly the 54 names, and the 24 of corners written the other way. */
START_TEST(nothing_else_is_a_name)
{
	static const char letters[] = "URFDLBXu";
	int found[4] = {0};
	for (unsigned text = 0; text < 4u << 12; text++) {
		char name[4];
		const size_t length = 1 + (text >> 12);
		for (size_t i = 0; i < 4; i++)
			name[i] = letters[text >> 3 * i & 7];
		if (memchr(name, 'u', length) || text % (1u << 12) >> 3 * length)
			continue;
		found[length - 1] += cube_facelet_named(3, name, length) >= 0;
		if (length != 3)
			ck_assert_int_eq(cube_facelet_named(2, name, length), -1);
	}
	ck_assert_int_eq(found[0], 6);
	ck_assert_int_eq(found[1], 24);
	ck_assert_int_eq(found[2], 48);
	ck_assert_int_eq(found[3], 0);
	ck_assert_int_eq(cube_facelet_named(3, "", 0), -1);
}
END_TEST

/* A state, however it is held, comes back from its stickers: the first letters of the names are its
 * colours. */
START_TEST(states_come_back)
{
	struct gen gen = {.state = 11};
	for (uint32_t round = 0; round < gen_rounds(2000); round++) {
		union cube3 cube, held, again;
		uint8_t colors[54];
		struct cube_form_error error;
		cube_init(&cube.cube, _i);
		for (int i = 0; i < 30; i++)
			cube_turn(&cube.cube, gen_turn(&gen, _i));
		cube_hold_turn(&held.cube, &cube.cube, (int)gen_below(&gen, CUBE_HOLDS));
		ck_assert_int_eq(cube_stickers_read(_i, held.cube.sticker, colors, &error),
				 CUBE_FORM_OK);
		for (size_t i = 0; i < cube_facelets(_i); i++) {
			char name[CUBE_FACELET_NAME_BYTES];
			cube_facelet_name(_i, held.cube.sticker[i], name);
			ck_assert_int_eq(name[0], cube_face_letters[colors[i]]);
		}
		ck_assert_uint_eq(cube_from_colors(&again.cube, _i, colors, NULL, 0), 0);
		ck_assert_mem_eq(again.cube.sticker, held.cube.sticker, 2 * cube_facelets(_i));
	}
}
END_TEST

/* Any two stickers exchanged on a solved cube: a cubie is torn unless they are of one cubie, or both of
 * centres; any sticker twice is found with both places. */
START_TEST(faults_are_found)
{
	union cube3 cube;
	uint8_t colors[54];
	struct cube_form_error error;
	const size_t count = cube_facelets(_i);
	for (size_t a = 0; a < count; a++) {
		for (size_t b = 0; b < count; b++) {
			if (a == b)
				continue;
			char first[4], second[4];
			name_in_space(_i, a, first);
			name_in_space(_i, b, second);
			bool torn = strlen(first) != strlen(second);
			for (const char *side = first; *side && !torn; side++)
				torn = strlen(first) > 1 && !strchr(second, *side);
			cube_init(&cube.cube, _i);
			cube.cube.sticker[b] = (uint16_t)a;
			ck_assert_int_eq(cube_stickers_read(_i, cube.cube.sticker, colors, &error),
					 CUBE_FORM_STICKER_TAKEN);
			ck_assert_uint_eq(error.index, a > b ? a : b);
			ck_assert_int_eq(error.expected, (long)(a < b ? a : b));
			cube.cube.sticker[a] = (uint16_t)b;
			ck_assert_int_eq(cube_stickers_read(_i, cube.cube.sticker, colors, &error),
					 torn ? CUBE_FORM_CUBIE : CUBE_FORM_OK);
		}
	}
	cube.cube.sticker[3] = (uint16_t)count;
	ck_assert_int_eq(cube_stickers_read(_i, cube.cube.sticker, colors, &error),
			 CUBE_FORM_VALUE);
	ck_assert_uint_eq(error.index, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("names");
	TCase *tests = tcase_create("names");
	tcase_add_loop_test(tests, names_are_those_of_cubies_in_space, 2, 4);
	tcase_add_test(tests, nothing_else_is_a_name);
	tcase_add_loop_test(tests, states_come_back, 2, 4);
	tcase_add_loop_test(tests, faults_are_found, 2, 4);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 7);
}
