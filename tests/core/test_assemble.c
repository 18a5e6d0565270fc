/* tests/core/test_assemble.c: states of any assembly, against the arrays that they are painted from. */
#include "cube/cube.h"
#include "cube/cubies.h"
#include "cube/facelets.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

union cube3 {
	struct cube cube;
	uint8_t bytes[128];
};

static void shuffle(struct gen *gen, uint8_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t j = gen_below(gen, i + 1);
		list[i] = list[j];
		list[j] = (uint8_t)i;
	}
}

/* Centres home; a 2x2x2 has the corners only. */
static struct cube_cubies any_assembly(struct gen *gen, int size)
{
	struct cube_cubies cubies = {.centers = {0, 1, 2, 3, 4, 5}};
	shuffle(gen, cubies.corner_permutation, CUBE_CORNERS);
	for (int i = 0; i < CUBE_CORNERS; i++)
		cubies.corner_orientation[i] = (uint8_t)gen_below(gen, 3);
	for (uint8_t i = 0; i < CUBE_EDGES; i++)
		cubies.edge_permutation[i] = i;
	if (size == 2)
		return cubies;
	shuffle(gen, cubies.edge_permutation, CUBE_EDGES);
	for (int i = 0; i < CUBE_EDGES; i++)
		cubies.edge_orientation[i] = (uint8_t)gen_below(gen, 2);
	return cubies;
}

static void assemble(union cube3 *cube, const struct cube_cubies *cubies, int size)
{
	uint8_t colors[54];
	cube_cubies_paint(cubies, size, colors);
	ck_assert(cube_assemble(&cube->cube, size, colors));
}

START_TEST(assemblies_compose_by_the_rule)
{
	struct gen gen = {.state = 21};
	for (uint32_t round = 0; round < gen_rounds(2000); round++) {
		const struct cube_cubies a = any_assembly(&gen, _i), b = any_assembly(&gen, _i);
		union cube3 first, second, product;
		uint8_t seen[54];
		struct cube_cubies read;
		assemble(&first, &a, _i);
		assemble(&second, &b, _i);
		ck_assert(cube_well_formed(&first.cube, seen));
		cube_cubies_of(&read, &first.cube);
		ck_assert_mem_eq(&read, &a, sizeof(a));
		cube_compose(&product.cube, &first.cube, &second.cube);
		cube_cubies_of(&read, &product.cube);
		for (int i = 0; i < CUBE_CORNERS; i++) {
			const int from = b.corner_permutation[i];
			ck_assert_int_eq(read.corner_permutation[i], a.corner_permutation[from]);
			ck_assert_int_eq(read.corner_orientation[i],
					 (a.corner_orientation[from] + b.corner_orientation[i]) %
						 3);
		}
		for (int i = 0; i < CUBE_EDGES; i++) {
			const int from = b.edge_permutation[i];
			ck_assert_int_eq(read.edge_permutation[i], a.edge_permutation[from]);
			ck_assert_int_eq(read.edge_orientation[i],
					 (a.edge_orientation[from] + b.edge_orientation[i]) % 2);
		}
	}
}
END_TEST

/* For states that turns lead to it is the same as cube_from_colors(). */
START_TEST(states_of_turns_are_the_same)
{
	struct gen gen = {.state = 22};
	for (uint32_t round = 0; round < gen_rounds(500); round++) {
		union cube3 cube, right, read;
		uint8_t colors[54];
		cube_init(&cube.cube, _i);
		for (int i = 0; i < 20; i++)
			cube_turn(&cube.cube, gen_turn(&gen, _i));
		for (size_t i = 0; i < cube_facelets(_i); i++)
			colors[i] = (uint8_t)cube_color_at(&cube.cube, i);
		ck_assert_uint_eq(cube_from_colors(&right.cube, _i, colors, NULL, 0), 0);
		ck_assert(cube_assemble(&read.cube, _i, colors));
		ck_assert(cube_equal(&read.cube, &right.cube));
	}
}
END_TEST

/* One colour changed: a piece or a centre is not there any more. */
START_TEST(missing_pieces_are_refused)
{
	union cube3 cube, read;
	uint8_t colors[54];
	cube_init(&cube.cube, _i);
	for (size_t i = 0; i < cube_facelets(_i); i++)
		colors[i] = (uint8_t)cube_color_at(&cube.cube, i);
	ck_assert(cube_assemble(&read.cube, _i, colors));
	for (size_t i = 0; i < cube_facelets(_i); i++) {
		const uint8_t was = colors[i];
		for (uint8_t color = 0; color < CUBE_FACES; color++) {
			colors[i] = color;
			ck_assert(cube_assemble(&read.cube, _i, colors) == (color == was));
		}
		colors[i] = was;
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("assemble");
	TCase *tests = tcase_create("assemble");
	tcase_add_loop_test(tests, assemblies_compose_by_the_rule, 2, 4);
	tcase_add_loop_test(tests, states_of_turns_are_the_same, 2, 4);
	tcase_add_loop_test(tests, missing_pieces_are_refused, 2, 4);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 6);
}
