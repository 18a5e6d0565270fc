/* tests/core/test_symmetric.c: symmetries of rows, against turns that are renamed one by one. */
#include "cube/batch.h"

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/index.h"
#include "tests/core/checked_cube.h"
#include "tests/core/run.h"

#include <string.h>

#define MARK 0x5a
#define LONGEST 20

static void draw_walk(int size, size_t row, struct cube_state3 *state, uint8_t back[LONGEST])
{
	(size == 2 ? cube_batch_walk_2 : cube_batch_walk)(7, row, 1, 1, LONGEST, state, NULL, NULL);
	cube_batch_walk_back(size, 7, row, 1, 1, LONGEST, back);
}

static struct cube_turn outer_turn(int action)
{
	return (struct cube_turn){.face = (uint8_t)(action / 3),
				  .from = 1,
				  .to = 1,
				  .quarters = (int8_t)(action % 3 == 2 ? -1 : action % 3 + 1)};
}

static struct cube_index index_of_state(int size, const struct cube_state3 *state)
{
	struct cube_cubies cubies;
	cube_state3_to_cubies(state, &cubies);
	return cube_index_of_cubies(&cubies, size);
}

static void rotate(struct cube_transform *transform, int size, int face, int quarters)
{
	cube_transform_rotate(transform, size,
			      (struct cube_turn){.face = (uint8_t)face,
						 .from = 1,
						 .to = (uint8_t)size,
						 .quarters = (int8_t)quarters});
}

/* The symmetry as the header describes it. */
static void transform_of(int symmetry, int size, struct cube_transform *transform)
{
	cube_transform_init(transform);
	for (int k = symmetry / 16; k > 0; k--) {
		rotate(transform, size, CUBE_R, 1);
		rotate(transform, size, CUBE_U, 1);
	}
	if (symmetry & 4)
		rotate(transform, size, CUBE_F, 2);
	if (symmetry & 2)
		rotate(transform, size, CUBE_U, 2);
	if (symmetry & 8)
		rotate(transform, size, CUBE_U, 1);
	if (symmetry & 1)
		cube_transform_mirror(transform, CUBE_PLANE_M);
}

/* A state that the way back leads home from is the way back undone. */
static void turn_there(struct cube *cube, const uint8_t back[LONGEST],
		       const struct cube_transform *transform)
{
	cube_init(cube, cube->size);
	for (int i = LONGEST; i-- > 0;)
		if (back[i] < CUBE_ACTIONS)
			cube_turn(cube,
				  cube_turn_transform(cube->size,
						      outer_turn(cube_action_inverse(back[i])),
						      transform));
}

START_TEST(states_are_those_of_renamed_turns)
{
	for (int size = 2; size <= 3; size++) {
		struct cube *cube = new_cube(size);
		for (uint8_t symmetry = 0; symmetry < CUBE_SYMMETRIES; symmetry++) {
			struct cube_transform transform;
			transform_of(symmetry, size, &transform);
			for (size_t row = 0; row < 20; row++) {
				struct cube_state3 state;
				uint8_t back[LONGEST];
				draw_walk(size, row, &state, back);
				turn_there(cube, back, &transform);
				cube_batch_symmetric(size, &symmetry, 1, &state, 0, NULL);
				const struct cube_index expected = cube_index_of(cube);
				const struct cube_index index = index_of_state(size, &state);
				ck_assert_uint_eq(index.low, expected.low);
				ck_assert_uint_eq(index.high, expected.high);
			}
		}
		free(cube);
	}
}
END_TEST

/* A 2x2x2 has the actions of U, R and F, and its edges and the corner DBL are home. */
START_TEST(actions_lead_back)
{
	enum { ROWS = 48 * 6 };
	static struct cube_state3 states[ROWS];
	static uint8_t symmetries[ROWS], back[ROWS * LONGEST + 1];
	for (int size = 2; size <= 3; size++) {
		const int all = size == 2 ? CUBE_ACTIONS_2 : CUBE_ACTIONS;
		back[ROWS * LONGEST] = MARK;
		for (size_t i = 0; i < ROWS; i++) {
			draw_walk(size, i, &states[i], back + LONGEST * i);
			symmetries[i] = (uint8_t)(i % CUBE_SYMMETRIES);
		}
		cube_batch_symmetric(size, symmetries, ROWS, states, LONGEST, back);
		ck_assert_uint_eq(back[ROWS * LONGEST], MARK);
		for (size_t i = 0; i < ROWS; i++) {
			const uint8_t *actions = back + LONGEST * i;
			size_t length = 0;
			ck_assert(size == 3 ? cube_state3_possible(&states[i])
					    : states[i].piece[CUBE_STATE3_CORNERS + 6] == 6);
			while (length < LONGEST && actions[length] < all)
				length++;
			cube_state3_apply(&states[i], cube_actions, actions, length);
			for (size_t j = length; j < LONGEST; j++)
				ck_assert_uint_eq(actions[j], CUBE_ACTIONS);
			if (size == 2)
				memcpy(states[i].piece, cube_state3_solved.piece,
				       CUBE_STATE3_CORNERS);
			ck_assert(cube_state3_equal(&states[i], &cube_state3_solved));
		}
	}
}
END_TEST

START_TEST(symmetries_differ_and_the_first_changes_nothing)
{
	for (int size = 2; size <= 3; size++) {
		struct cube_state3 state, images[CUBE_SYMMETRIES];
		uint8_t symmetries[CUBE_SYMMETRIES];
		(size == 2 ? cube_batch_random_2 : cube_batch_random)(3, 0, 1, &state);
		for (uint8_t i = 0; i < CUBE_SYMMETRIES; i++) {
			symmetries[i] = i;
			images[i] = state;
		}
		cube_batch_symmetric(size, symmetries, CUBE_SYMMETRIES, images, 0, NULL);
		ck_assert(cube_state3_equal(&images[0], &state));
		for (int i = 0; i < CUBE_SYMMETRIES; i++)
			for (int j = 0; j < i; j++)
				ck_assert(!cube_state3_equal(&images[i], &images[j]));
	}
}
END_TEST

START_TEST(each_symmetry_is_as_likely)
{
	enum { ROWS = 48000, PART = 100 };
	static uint8_t symmetries[ROWS], part[PART];
	uint32_t count[CUBE_SYMMETRIES] = {0};
	cube_batch_symmetries(5, 0, ROWS, symmetries);
	for (size_t i = 0; i < ROWS; i++) {
		ck_assert_uint_lt(symmetries[i], CUBE_SYMMETRIES);
		count[symmetries[i]]++;
	}
	/* Five standard deviations; the seed is fixed. */
	for (int i = 0; i < CUBE_SYMMETRIES; i++) {
		ck_assert_uint_gt(count[i], 1000 - 160);
		ck_assert_uint_lt(count[i], 1000 + 160);
	}
	cube_batch_symmetries(5, 333, PART, part);
	ck_assert_mem_eq(part, symmetries + 333, PART);
	cube_batch_symmetries(6, 333, PART, part);
	ck_assert_mem_ne(part, symmetries + 333, PART);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("symmetric");
	TCase *tcase = tcase_create("symmetric");
	tcase_add_test(tcase, states_are_those_of_renamed_turns);
	tcase_add_test(tcase, actions_lead_back);
	tcase_add_test(tcase, symmetries_differ_and_the_first_changes_nothing);
	tcase_add_test(tcase, each_symmetry_is_as_likely);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 4);
}
