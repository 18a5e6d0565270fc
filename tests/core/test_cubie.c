/* tests/core/test_cubie.c: Cubie's forms and turns against its published program, done over in C.
 *
 * There a piece is a position and a colour for each axis; a turn multiplies both by a matrix and
 * leaves the signs of colours to its readers. */
#include "cube/cubie.h"

#include "tests/core/forms.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

/* ---- the published program ---- */

struct model {
	int at[CUBE_PIECES][3], color[CUBE_PIECES][3]; /* colours doubled, as some are halves */
};

static void model_init(struct model *model)
{
	int count = 0;
	for (int x = -1; x <= 1; x++) {
		for (int y = -1; y <= 1; y++) {
			for (int z = -1; z <= 1; z++) {
				const int at[3] = {x, y, z};
				if (!x && !y && !z)
					continue;
				for (int i = 0; i < 3; i++) {
					model->at[count][i] = at[i];
					model->color[count][i] = at[i] + 1 + 4 * i;
				}
				count++;
			}
		}
	}
}

static void multiply(const int matrix[9], int vector[3])
{
	int old[3] = {vector[0], vector[1], vector[2]};
	for (int i = 0; i < 3; i++)
		vector[i] = matrix[3 * i] * old[0] + matrix[3 * i + 1] * old[1] +
			    matrix[3 * i + 2] * old[2];
}

static int sine(int quarters)
{
	static const int values[4] = {0, 1, 0, -1};
	return values[quarters & 3];
}

static void model_turn(struct model *model, int axis, int alpha, int start, int end)
{
	int s = sine(alpha), c = sine(alpha + 1);
	const int matrices[3][9] = {{1, 0, 0, 0, c, -s, 0, s, c},
				    {c, 0, s, 0, 1, 0, -s, 0, c},
				    {c, -s, 0, s, c, 0, 0, 0, 1}};
	for (int i = 0; i < CUBE_PIECES; i++) {
		if (model->at[i][axis] < start || model->at[i][axis] > end)
			continue;
		multiply(matrices[axis], model->at[i]);
		multiply(matrices[axis], model->color[i]);
	}
}

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

/* By key in the order of cube_flatten_keys; the seventh is for what no side shows. */
static void model_flatten(const struct model *model, int flat[7][3][3])
{
	for (int i = 0; i < CUBE_PIECES; i++) {
		int x = model->at[i][0], y = model->at[i][1], z = model->at[i][2];
		const int *color = model->color[i];
		flat[x == 0 ? 6 : x < 0][abs(y - 1)][abs(z - sign(x))] = abs(color[0]) / 2;
		flat[y == 0 ? 6 : 2 + (y < 0)][abs(z + sign(y))][abs(x + 1)] = abs(color[1]) / 2;
		flat[z == 0 ? 6 : 4 + (z < 0)][abs(y - sign(z))][abs(x + sign(z))] =
			abs(color[2]) / 2;
	}
}

static void model_same(const struct model *model, const struct cube *cube)
{
	int flat[7][3][3];
	uint8_t numbers[54], expected[54];
	struct cube_piece pieces[CUBE_PIECES], piece;
	model_flatten(model, flat);
	cube_flatten_write(cube, numbers);
	for (int i = 0; i < 54; i++)
		expected[i] = (uint8_t)flat[i / 9][i / 3 % 3][i % 3];
	ck_assert_mem_eq(numbers, expected, 54);
	cube_pieces_write(cube, pieces);
	for (int i = 0; i < CUBE_PIECES; i++) {
		for (int axis = 0; axis < 3; axis++) {
			int at = model->at[i][axis], color = abs(model->color[i][axis]) / 2;
			piece.at[axis] = (int8_t)at;
			piece.color[axis] = (uint8_t)(at ? color : CUBE_PIECE_HIDDEN);
		}
		ck_assert_mem_eq(&pieces[i], &piece, sizeof(piece));
	}
}

START_TEST(as_published)
{
	struct cube *cube = new_cube(3);
	struct model model;
	struct gen gen = {.state = 3};
	model_init(&model);
	for (uint32_t round = 0; round < forms_rounds(10000); round++) {
		model_same(&model, cube);
		int axis = (int)gen_below(&gen, 3), angle = (int)gen_below(&gen, 9) - 4;
		int start = (int)gen_below(&gen, 3) - 1;
		int end = start + (int)gen_below(&gen, (uint32_t)(2 - start));
		struct cube_turn turn;
		ck_assert(cube_turn_from_axis(3, axis, angle, start, end, &turn));
		cube_turn(cube, turn);
		model_turn(&model, axis, angle, start, end);
	}
	free(cube);
}
END_TEST

START_TEST(known_answers)
{
	/* The document's example, rx(1, 1): the +x layer; its stickers of +y go to +z. */
	static const uint8_t after[6][9] = {
		{1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0},
		{3, 3, 4, 3, 3, 4, 3, 3, 4}, {2, 2, 5, 2, 2, 5, 2, 2, 5},
		{5, 5, 3, 5, 5, 3, 5, 5, 3}, {2, 4, 4, 2, 4, 4, 2, 4, 4}};
	struct cube *cube = new_cube(3);
	struct cube_turn turn;
	uint8_t numbers[54];
	ck_assert(cube_turn_from_axis(3, 0, 1, 1, 1, &turn));
	cube_turn(cube, turn);
	cube_flatten_write(cube, numbers);
	ck_assert_mem_eq(numbers, after, 54);
	for (int color = 0; color < CUBE_FACES; color++) {
		ck_assert_int_eq(cube_cubie_of_color[cube_color_of_cubie[color]], color);
		char key[16];
		struct geo_sticker out = geo_home(3, 9 * cube_color_of_cubie[color] + 4u);
		snprintf(key, sizeof(key), "%d,%d,%d", out.normal[0], out.normal[1], out.normal[2]);
		ck_assert_str_eq(cube_flatten_keys[color ^ 1], key);
	}
	free(cube);
}
END_TEST

/* ---- every size: the published formulas with n - 1 for 1 ---- */

static const int sizes[] = {2, 3, 4, 5, 6, 7, 33, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static void flatten_in_space(const struct geo *geo, uint8_t *flat)
{
	int n = geo->size, l = n - 1;
	for (size_t i = 0; i < geo->count; i++) {
		const struct geo_sticker *now = &geo->stickers[i];
		struct geo_sticker home = geo_home(n, i);
		int axis = 0, home_axis = 0, x = now->at[0], y = now->at[1], z = now->at[2];
		while (!now->normal[axis])
			axis++;
		while (!home.normal[home_axis])
			home_axis++;
		int s = now->normal[axis], key = 2 * axis + (s < 0);
		const int rows[3] = {abs(y - l), abs(z + s * l), abs(y - s * l)};
		const int columns[3] = {abs(z - s * l), abs(x + l), abs(x + s * l)};
		flat[(key * n + rows[axis] / 2) * n + columns[axis] / 2] =
			(uint8_t)(2 * home_axis + (home.normal[home_axis] > 0));
	}
}

START_TEST(flatten_every_size)
{
	int n = sizes[_i];
	size_t count = cube_facelets(n);
	struct checked_cube both = checked_create(n);
	struct cube *spare = new_cube(n);
	struct gen gen = {.state = (uint64_t)n};
	struct guard guard = guard_create(count);
	struct cube_form_error error;
	uint8_t *expected = new_bytes(count), *numbers = new_bytes(count),
		*colors = new_bytes(count);
	uint32_t rounds = n == 3 ? 10000 : n < 8 ? 500 : 3;
	for (uint32_t round = 0; round < forms_rounds(rounds); round++) {
		for (int i = 0; i < 5; i++)
			checked_turn(&both, gen_turn(&gen, n));
		cube_flatten_write(both.cube, numbers);
		if (round < 200) {
			flatten_in_space(&both.geo, expected);
			ck_assert_mem_eq(numbers, expected, count);
		}
		const uint8_t *at = guard_put(&guard, numbers, count);
		ck_assert_int_eq(cube_flatten_read(n, at, count, colors, &error), CUBE_FORM_OK);
		forms_same_colors(both.cube, colors, spare);
	}
	for (size_t i = 0; i < count; i += n < 8 ? 1 : 997) {
		uint8_t right = numbers[i];
		numbers[i] = (uint8_t)(6 + gen_below(&gen, 250));
		ck_assert_int_eq(cube_flatten_read(n, numbers, count, colors, &error),
				 CUBE_FORM_VALUE);
		ck_assert_uint_eq(error.index, i);
		numbers[i] = right;
	}
	for (size_t wrong = 0; wrong <= count + 1; wrong += count + 1 - wrong > 60 ? 53 : 1) {
		if (wrong == count)
			continue;
		ck_assert_int_eq(
			cube_flatten_read(n, guard_put(&guard, numbers, 0), wrong, colors, &error),
			CUBE_FORM_COUNT);
		ck_assert(error.index == wrong && error.expected == (long)count);
	}
	free(expected);
	free(numbers);
	free(colors);
	free(spare);
	guard_destroy(&guard);
	checked_destroy(&both);
}
END_TEST

/* ---- pieces ---- */

START_TEST(pieces_come_back)
{
	struct cube *cube = new_cube(3), *spare = new_cube(3);
	struct gen gen = {.state = 4};
	struct guard guard = guard_create(CUBE_PIECES * sizeof(struct cube_piece));
	struct cube_form_error error;
	for (uint32_t round = 0; round < forms_rounds(10000); round++) {
		struct cube_piece pieces[CUBE_PIECES];
		uint8_t colors[54];
		forms_shuffle(cube, &gen, 8);
		cube_pieces_write(cube, pieces);
		for (uint32_t i = CUBE_PIECES - 1; i > 0; i--) { /* in any order */
			uint32_t j = gen_below(&gen, i + 1);
			struct cube_piece old = pieces[i];
			pieces[i] = pieces[j];
			pieces[j] = old;
		}
		const struct cube_piece *at = guard_put(&guard, pieces, sizeof(pieces));
		ck_assert_int_eq(cube_pieces_read(at, CUBE_PIECES, colors, &error), CUBE_FORM_OK);
		forms_same_colors(cube, colors, spare);
	}
	free(cube);
	free(spare);
	guard_destroy(&guard);
}
END_TEST

static void refused(const struct cube_piece *pieces, size_t count, enum cube_form_code code,
		    size_t index, int part)
{
	uint8_t colors[54];
	struct cube_form_error error;
	ck_assert_int_eq(cube_pieces_read(pieces, count, colors, &error), code);
	ck_assert_int_eq(error.code, code);
	ck_assert_uint_eq(error.index, index);
	ck_assert_int_eq(error.part, part);
	ck_assert_int_eq(error.expected, code == CUBE_FORM_COUNT ? CUBE_PIECES : -1);
}

START_TEST(wrong_pieces)
{
	struct cube *cube = new_cube(3);
	struct gen gen = {.state = 5};
	struct cube_piece pieces[CUBE_PIECES + 1] = {0};
	struct guard guard = guard_create(sizeof(pieces));
	forms_shuffle(cube, &gen, 30);
	cube_pieces_write(cube, pieces);
	for (size_t count = 0; count <= CUBE_PIECES + 1; count++)
		if (count != CUBE_PIECES)
			refused(guard_put(&guard, pieces, count * sizeof(pieces[0])), count,
				CUBE_FORM_COUNT, count, 0);
	for (size_t i = 0; i < CUBE_PIECES; i++) {
		struct cube_piece right = pieces[i];
		memset(pieces[i].at, 0, 3);
		refused(pieces, CUBE_PIECES, CUBE_FORM_PLACE, i, 0);
		for (int axis = 0; axis < 3; axis++) {
			for (int far = -128; far < 128; far += far == -2 ? 4 : 1) {
				pieces[i] = right;
				pieces[i].at[axis] = (int8_t)far;
				refused(pieces, CUBE_PIECES, CUBE_FORM_PLACE, i, axis);
			}
			pieces[i] = right;
			pieces[i].color[axis] = right.at[axis] ? CUBE_PIECE_HIDDEN : 2;
			refused(pieces, CUBE_PIECES,
				right.at[axis] ? CUBE_FORM_SEEN : CUBE_FORM_HIDDEN, i, axis);
			for (int color = 6; right.at[axis] && color < CUBE_PIECE_HIDDEN; color++) {
				pieces[i].color[axis] = (uint8_t)color;
				refused(pieces, CUBE_PIECES, CUBE_FORM_VALUE, i, axis);
			}
		}
		if (i > 0) {
			pieces[i] = pieces[i - 1];
			refused(pieces, CUBE_PIECES, CUBE_FORM_PLACE_TAKEN, i, 0);
		}
		pieces[i] = right;
	}
	free(cube);
	guard_destroy(&guard);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cubie");
	TCase *cases = tcase_create("cubie");
	tcase_set_timeout(cases, 600);
	tcase_add_test(cases, as_published);
	tcase_add_test(cases, known_answers);
	tcase_add_loop_test(cases, flatten_every_size, 0, SIZES);
	tcase_add_test(cases, pieces_come_back);
	tcase_add_test(cases, wrong_pieces);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 4 + SIZES);
}
