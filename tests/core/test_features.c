/* tests/core/test_features.c: the 364 numbers against points in space, and read back. */
#include "cube/cube.h"
#include "cube/features.h"

#include "tests/core/forms.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

static const char *const names[20] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL",
				      "DRB", "UR",  "UF",  "UL",  "UB",  "DR",  "DF",
				      "DL",  "DB",  "FR",  "FL",  "BL",  "BR"};

/* Computes the position of the place with that name: it is on all faces of the name. */
static void point_of(const char *name, int8_t at[3])
{
	memset(at, 0, 3);
	for (; *name; name++) {
		size_t face = (size_t)(strchr(cube_face_letters, *name) - cube_face_letters);
		struct geo_sticker middle = geo_home(3, face * 9 + 4);
		for (int axis = 0; axis < 3; axis++)
			at[axis] = (int8_t)(at[axis] + middle.at[axis]);
	}
}

/* The axis of the first-named facelet of a place: y, where it has none z. */
static int first_axis(const int8_t at[3])
{
	return at[1] != 0 ? 1 : 2;
}

/* The numbers from the definition: arrows and points instead of facelets and pieces. */
static void expect(const struct geo *geo, uint8_t features[CUBE_FEATURES])
{
	char letters[55];
	memset(features, 0, CUBE_FEATURES);
	geo_letters(geo, letters);
	for (size_t i = 0; i < 54; i++)
		features[6 * i + (size_t)(strchr("URFDLB", letters[i]) - "URFDLB")] = 1;
	for (int place = 0; place < 20; place++) {
		int8_t at[3];
		point_of(names[place], at);
		for (size_t i = 0; i < 54; i++) {
			const struct geo_sticker *now = &geo->stickers[i];
			struct geo_sticker home = geo_home(3, i);
			if (memcmp(now->at, at, 3) != 0 || home.normal[first_axis(home.at)] == 0)
				continue;
			features[CUBE_FEATURES_PLACED + place] = memcmp(home.at, at, 3) == 0;
			features[CUBE_FEATURES_ORIENTED + place] = now->normal[first_axis(at)] != 0;
		}
	}
}

static void check_both_kinds(const struct cube *cube, const uint8_t expected[CUBE_FEATURES])
{
	/* One number more on either side stays as it is. */
	uint8_t bytes[CUBE_FEATURES + 2];
	float floats[CUBE_FEATURES + 2];
	memset(bytes, 77, sizeof(bytes));
	floats[0] = floats[CUBE_FEATURES + 1] = 77;
	cube_features_write(cube, bytes + 1);
	cube_features_write_float(cube, floats + 1);
	ck_assert_mem_eq(bytes + 1, expected, CUBE_FEATURES);
	int same = 0;
	for (int i = 0; i < CUBE_FEATURES; i++)
		same += floats[i + 1] == (float)expected[i];
	ck_assert_int_eq(same, CUBE_FEATURES);
	ck_assert(bytes[0] == 77 && bytes[CUBE_FEATURES + 1] == 77);
	ck_assert(floats[0] == 77 && floats[CUBE_FEATURES + 1] == 77);
}

START_TEST(as_points_in_space)
{
	struct checked_cube both = checked_create(3);
	struct gen gen = {.state = 364};
	uint8_t expected[CUBE_FEATURES];
	for (uint32_t round = 0; round < forms_rounds(2000); round++) {
		expect(&both.geo, expected);
		check_both_kinds(both.cube, expected);
		checked_turn(&both, gen_turn(&gen, 3));
	}
	checked_destroy(&both);
}
END_TEST

static void flags(const char *moves, char placed[22], char oriented[22])
{
	struct checked_cube both = checked_create(3);
	uint8_t features[CUBE_FEATURES];
	ck_assert(checked_moves(&both, moves));
	cube_features_write(both.cube, features);
	for (int i = 0; i < 20; i++) {
		int at = i < 8 ? i : i + 1;
		placed[at] = (char)('0' + features[CUBE_FEATURES_PLACED + i]);
		oriented[at] = (char)('0' + features[CUBE_FEATURES_ORIENTED + i]);
	}
	placed[8] = oriented[8] = ' ';
	placed[21] = oriented[21] = '\0';
	checked_destroy(&both);
}

/* The basic moves as Kociemba's tables have them, the superflip, and rotations. */
START_TEST(known_positions)
{
	static const char *const rows[][3] = {
		{"", "11111111 111111111111", "11111111 111111111111"},
		{"U", "00001111 000011111111", "11111111 111111111111"},
		{"R", "01100110 011101110110", "01100110 111111111111"},
		{"F", "00110011 101110110011", "00110011 101110110011"},
		{"D", "11110000 111100001111", "11111111 111111111111"},
		{"L", "10011001 110111011001", "10011001 111111111111"},
		{"B", "11001100 111011101100", "11001100 111011101100"},
		{"U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", "11111111 111111111111",
		 "11111111 000000000000"},
		{"M", "11111111 101010101111", "11111111 101010101111"},
		/* Held otherwise: nothing is where it was; U and D stickers are up or down. */
		{"y", "00000000 000000000000", "11111111 111111110000"},
		{"z2", "00000000 000000000000", "11111111 111111111111"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char placed[22], oriented[22];
		flags(rows[i][0], placed, oriented);
		ck_assert_msg(strcmp(placed, rows[i][1]) == 0, "%s: %s", rows[i][0], placed);
		ck_assert_msg(strcmp(oriented, rows[i][2]) == 0, "%s: %s", rows[i][0], oriented);
	}
}
END_TEST

START_TEST(come_back)
{
	struct cube *cube = new_cube(3), *spare = new_cube(3);
	struct gen gen = {.state = 1};
	struct guard guard = guard_create(CUBE_FEATURES);
	struct cube_form_error error;
	for (uint32_t round = 0; round < forms_rounds(10000); round++) {
		uint8_t features[CUBE_FEATURES], colors[54];
		forms_shuffle(cube, &gen, 8);
		cube_features_write(cube, features);
		const uint8_t *at = guard_put(&guard, features, CUBE_FEATURES);
		ck_assert_int_eq(cube_features_read(at, CUBE_FEATURES, colors, &error),
				 CUBE_FORM_OK);
		forms_same_colors(cube, colors, spare);
	}
	free(cube);
	free(spare);
	guard_destroy(&guard);
}
END_TEST

static void refused(const uint8_t *features, size_t count, enum cube_form_code code, size_t index,
		    long expected)
{
	uint8_t colors[54];
	struct cube_form_error error;
	ck_assert_int_eq(cube_features_read(features, count, colors, &error), code);
	ck_assert_int_eq(error.code, code);
	ck_assert_uint_eq(error.index, index);
	ck_assert_int_eq(error.expected, expected);
	ck_assert_int_eq(error.part, 0);
	ck_assert_uint_gt(strlen(cube_form_text(code)), 10);
}

START_TEST(wrong_numbers)
{
	uint8_t features[CUBE_FEATURES + 1] = {0};
	struct cube *cube = new_cube(3);
	struct gen gen = {.state = 2};
	struct guard guard = guard_create(CUBE_FEATURES + 1);
	forms_shuffle(cube, &gen, 30);
	cube_features_write(cube, features);
	for (size_t count = 0; count <= CUBE_FEATURES + 1; count++)
		if (count != CUBE_FEATURES)
			refused(guard_put(&guard, features, count), count, CUBE_FORM_COUNT, count,
				364);
	for (size_t i = 0; i < CUBE_FEATURES; i++) {
		uint8_t right = features[i];
		for (int wrong = 2; wrong < 256; wrong += 127) {
			features[i] = (uint8_t)wrong;
			refused(features, CUBE_FEATURES, CUBE_FORM_VALUE, i, -1);
		}
		features[i] = !right;
		if (i < CUBE_FEATURES_PLACED)
			refused(features, CUBE_FEATURES, CUBE_FORM_ONE_HOT, i / 6 * 6, -1);
		else
			refused(features, CUBE_FEATURES, CUBE_FORM_FLAG, i, right);
		features[i] = right;
	}
	free(cube);
	guard_destroy(&guard);
}
END_TEST

static void swap(uint8_t *features, int facelet, int other)
{
	uint8_t old[6];
	memcpy(old, features + 6 * facelet, 6);
	memcpy(features + 6 * facelet, features + 6 * other, 6);
	memcpy(features + 6 * other, old, 6);
}

/* An impossible piece has no flags, and another piece has other flags. */
START_TEST(flags_follow_the_colors)
{
	struct cube *cube = new_cube(3);
	uint8_t features[CUBE_FEATURES], colors[54];
	struct cube_form_error error;
	struct cube_problem problem;
	cube_features_write(cube, features);
	swap(features, 7, 19); /* the edge at UF, flipped */
	refused(features, CUBE_FEATURES, CUBE_FORM_FLAG, CUBE_FEATURES_ORIENTED + 9, 0);
	features[CUBE_FEATURES_ORIENTED + 9] = 0;
	ck_assert_int_eq(cube_features_read(features, CUBE_FEATURES, colors, &error), CUBE_FORM_OK);
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, &problem, 1), 1);
	ck_assert_int_eq(problem.kind, CUBE_PROBLEM_EDGE_FLIPPED);
	cube_init(cube, 3);
	cube_features_write(cube, features);
	swap(features, 8, 9); /* the corner at URF, mirrored */
	for (int flag = 0; flag < 2; flag++) {
		features[CUBE_FEATURES_ORIENTED] = (uint8_t)flag;
		ck_assert_int_eq(cube_features_read(features, CUBE_FEATURES, colors, &error),
				 CUBE_FORM_OK);
	}
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, &problem, 1), 1);
	ck_assert_int_eq(problem.kind, CUBE_PROBLEM_MIRRORED_CORNER);
	free(cube);
}
END_TEST

START_TEST(texts)
{
	for (int code = 0; code < CUBE_FORM_CODES; code++)
		for (int other = 0; other < code; other++)
			ck_assert_str_ne(cube_form_text((enum cube_form_code)code),
					 cube_form_text((enum cube_form_code)other));
	ck_assert_str_eq(cube_form_text(CUBE_FORM_CODES), "unknown error");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("features");
	TCase *cases = tcase_create("features");
	tcase_set_timeout(cases, 600);
	tcase_add_test(cases, as_points_in_space);
	tcase_add_test(cases, known_positions);
	tcase_add_test(cases, come_back);
	tcase_add_test(cases, wrong_numbers);
	tcase_add_test(cases, flags_follow_the_colors);
	tcase_add_test(cases, texts);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 6);
}
