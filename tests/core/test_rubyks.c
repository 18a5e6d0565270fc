/* tests/core/test_rubyks.c: the six arrays and their moves against what Rubyks has published. */
#include "cube/rubyks.h"

#include "tests/core/forms.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

/* The method u as printed: element `to` of a side becomes element `from` of another. */
static const uint8_t assignments[20][4] = {
	{1, 4, 4, 2}, {1, 5, 4, 3}, {1, 6, 4, 4}, {4, 2, 3, 8}, {4, 3, 3, 1},
	{4, 4, 3, 2}, {3, 8, 2, 6}, {3, 1, 2, 7}, {3, 2, 2, 8}, {2, 6, 1, 4},
	{2, 7, 1, 5}, {2, 8, 1, 6}, {0, 1, 0, 7}, {0, 2, 0, 8}, {0, 3, 0, 1},
	{0, 4, 0, 2}, {0, 5, 0, 3}, {0, 6, 0, 4}, {0, 7, 0, 5}, {0, 8, 0, 6},
};

/* The methods turn and turn_over: which side each side becomes, and how far it goes around. */
static const struct whole {
	const char *word;
	int from[6], on[6];
} wholes[] = {
	{"turn", {0, 4, 1, 2, 3, 5}, {2, 2, 2, 2, 2, 6}},
	{"turn_over", {3, 0, 2, 5, 4, 1}, {0, 0, 2, 4, 6, 4}},
};

static void published(const char *word, const uint8_t old[CUBE_RUBYKS], uint8_t sides[CUBE_RUBYKS])
{
	memcpy(sides, old, CUBE_RUBYKS);
	if (strcmp(word, "u") == 0)
		for (size_t i = 0; i < 20; i++)
			sides[9 * assignments[i][0] + assignments[i][1]] =
				old[9 * assignments[i][2] + assignments[i][3]];
	for (size_t i = 0; i < 2; i++) {
		for (int side = 0; side < 6 && strcmp(word, wholes[i].word) == 0; side++) {
			const uint8_t *from = old + 9 * wholes[i].from[side];
			sides[9 * side] = from[0];
			for (int k = 0; k < 8; k++)
				sides[9 * side + 1 + (k + wholes[i].on[side]) % 8] = from[1 + k];
		}
	}
}

static void apply(struct cube *cube, const char *words)
{
	struct parsed parsed;
	ck_assert(parsed_read(&parsed, words, 3, CUBE_DIALECT_RUBYKS));
	parsed_apply(cube, &parsed.alg);
	parsed_free(&parsed);
}

START_TEST(moves_as_published)
{
	static const char *const words[] = {"u", "turn", "turn_over"};
	struct cube *cube = new_cube(3);
	struct gen gen = {.state = 6};
	uint8_t old[CUBE_RUBYKS], expected[CUBE_RUBYKS], sides[CUBE_RUBYKS];
	for (uint32_t round = 0; round < forms_rounds(5000); round++) {
		const char *word = words[gen_below(&gen, 3)];
		cube_rubyks_write(cube, old);
		published(word, old, expected);
		apply(cube, word);
		cube_rubyks_write(cube, sides);
		ck_assert_mem_eq(sides, expected, CUBE_RUBYKS);
		if (round % 4 == 0)
			cube_turn(cube, gen_turn(&gen, 3));
	}
	free(cube);
}
END_TEST

/* ---- all moves, by the unfolding in space ---- */

/* A side seen from outside: where it is, and where its 12 o'clock points. */
static const char side_faces[] = "ULBRFD", norths[] = "LDLULL";

static const int8_t *normal_of(char letter, struct geo_sticker *middle)
{
	*middle = geo_home(3,
			   (size_t)(strchr(cube_face_letters, letter) - cube_face_letters) * 9 + 4);
	return middle->normal;
}

static void in_space(const struct geo *geo, uint8_t sides[CUBE_RUBYKS])
{
	static const int clock[9][2] = {{0, 0},  {0, 1},   {1, 1},  {1, 0}, {1, -1},
					{0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
	char letters[55];
	geo_letters(geo, letters);
	for (int side = 0; side < 6; side++) {
		struct geo_sticker a, b, sticker = {0};
		const int8_t *out = normal_of(side_faces[side], &a);
		const int8_t *north = normal_of(norths[side], &b);
		/* East is north x out. */
		const int east[3] = {north[1] * out[2] - north[2] * out[1],
				     north[2] * out[0] - north[0] * out[2],
				     north[0] * out[1] - north[1] * out[0]};
		for (int i = 0; i < 9; i++) {
			for (int axis = 0; axis < 3; axis++) {
				int at = out[axis] + clock[i][0] * east[axis] +
					 clock[i][1] * north[axis];
				sticker.at[axis] = (int8_t)(2 * at);
				sticker.normal[axis] = out[axis];
			}
			char letter = letters[geo_facelet(3, &sticker)];
			sides[9 * side + i] = (uint8_t)(strchr(side_faces, letter) - side_faces);
		}
	}
}

START_TEST(as_unfolded_in_space)
{
	static const struct {
		const char *word;
		char face;
		int layers, clockwise;
	} words[] = {{"u", 'U', 1, 1},    {"ur", 'U', 1, 3},        {"u2", 'U', 1, 2},
		     {"r", 'R', 1, 1},    {"rr", 'R', 1, 3},        {"r2", 'R', 1, 2},
		     {"f", 'F', 1, 1},    {"fr", 'F', 1, 3},        {"f2", 'F', 1, 2},
		     {"d", 'D', 1, 1},    {"dr", 'D', 1, 3},        {"d2", 'D', 1, 2},
		     {"l", 'L', 1, 1},    {"lr", 'L', 1, 3},        {"l2", 'L', 1, 2},
		     {"b", 'B', 1, 1},    {"br", 'B', 1, 3},        {"b2", 'B', 1, 2},
		     {"turn", 'U', 3, 1}, {"turn_over", 'F', 3, 3}, {"invert", 'F', 3, 2}};
	struct checked_cube both = checked_create(3);
	struct gen gen = {.state = 7};
	uint8_t expected[CUBE_RUBYKS], sides[CUBE_RUBYKS];
	for (uint32_t round = 0; round < forms_rounds(4000); round++) {
		in_space(&both.geo, expected);
		cube_rubyks_write(both.cube, sides);
		ck_assert_mem_eq(sides, expected, CUBE_RUBYKS);
		uint32_t i = gen_below(&gen, sizeof(words) / sizeof(words[0]));
		int face = (int)(strchr(cube_face_letters, words[i].face) - cube_face_letters);
		apply(both.cube, words[i].word);
		geo_turn(&both.geo, geo_turn_of(3, face, 1, words[i].layers, words[i].clockwise));
	}
	checked_destroy(&both);
}
END_TEST

START_TEST(come_back)
{
	struct cube *cube = new_cube(3), *spare = new_cube(3);
	struct gen gen = {.state = 8};
	struct guard guard = guard_create(CUBE_RUBYKS);
	struct cube_form_error error;
	uint8_t sides[CUBE_RUBYKS], colors[54];
	for (int i = 0; i < CUBE_RUBYKS; i++) /* solved: every side its own number */
		sides[i] = (uint8_t)(i / 9);
	ck_assert_int_eq(cube_rubyks_read(sides, CUBE_RUBYKS, colors, &error), CUBE_FORM_OK);
	forms_same_colors(cube, colors, spare);
	for (uint32_t round = 0; round < forms_rounds(10000); round++) {
		forms_shuffle(cube, &gen, 8);
		cube_rubyks_write(cube, sides);
		const uint8_t *at = guard_put(&guard, sides, CUBE_RUBYKS);
		ck_assert_int_eq(cube_rubyks_read(at, CUBE_RUBYKS, colors, &error), CUBE_FORM_OK);
		forms_same_colors(cube, colors, spare);
	}
	for (int color = 0; color < CUBE_FACES; color++)
		ck_assert_int_eq(cube_rubyks_of_color[cube_color_of_rubyks[color]], color);
	free(cube);
	free(spare);
	guard_destroy(&guard);
}
END_TEST

START_TEST(wrong_numbers)
{
	struct guard guard = guard_create(CUBE_RUBYKS + 1);
	struct cube_form_error error;
	uint8_t sides[CUBE_RUBYKS + 1] = {0}, colors[54];
	for (size_t count = 0; count <= CUBE_RUBYKS + 1; count++) {
		if (count == CUBE_RUBYKS)
			continue;
		const uint8_t *at = guard_put(&guard, sides, count);
		ck_assert_int_eq(cube_rubyks_read(at, count, colors, &error), CUBE_FORM_COUNT);
		ck_assert(error.index == count && error.expected == CUBE_RUBYKS);
	}
	for (size_t i = 0; i < CUBE_RUBYKS; i++) {
		for (int wrong = 6; wrong < 256; wrong++) {
			sides[i] = (uint8_t)wrong;
			ck_assert_int_eq(cube_rubyks_read(sides, CUBE_RUBYKS, colors, &error),
					 CUBE_FORM_VALUE);
			ck_assert(error.index == i && error.code == CUBE_FORM_VALUE);
		}
		sides[i] = 0;
	}
	guard_destroy(&guard);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rubyks");
	TCase *cases = tcase_create("rubyks");
	tcase_set_timeout(cases, 600);
	tcase_add_test(cases, moves_as_published);
	tcase_add_test(cases, as_unfolded_in_space);
	tcase_add_test(cases, come_back);
	tcase_add_test(cases, wrong_numbers);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 4);
}
