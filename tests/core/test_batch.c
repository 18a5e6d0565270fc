/* tests/core/test_batch.c: many states in one call, against the calls for one state. */
#include "core/batch/batch_internal.h"

#include "core/cubies/cubies_internal.h"
#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/features.h"
#include "cube/index.h"
#include "cube/turn.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

/* Every size up to beyond one block of rows.c, and some more. */
#define SIZES 70
#define MARK 0x5a

static struct cube_state3 random_states[SIZES];

/* Makes `count` states by turns of a cube, without the code that is tested. */
static void make_states(struct gen *gen, size_t count)
{
	struct cube *cube = new_cube(3);
	for (size_t i = 0; i < count; i++) {
		struct cube_cubies cubies;
		cube_init(cube, 3);
		for (uint32_t j = gen_below(gen, 40); j > 0; j--)
			cube_turn(cube,
				  (struct cube_turn){.face = (uint8_t)gen_below(gen, 6),
						     .from = 1,
						     .to = 1,
						     .quarters = (int8_t)(gen_below(gen, 5)) - 2});
		cube_cubies_of(&cubies, cube);
		cube_state3_from_cubies(&random_states[i], &cubies);
	}
	free(cube);
}

/* The last `length` bytes that can be written. */
static uint8_t *end_of(const struct guard *guard, size_t length)
{
	return (uint8_t *)guard->pages + guard->room - length;
}

/* The colours and the cube of a state. */
static void one_colors(const struct cube_state3 *state, uint8_t colors[54])
{
	struct cube_cubies cubies;
	cube_state3_to_cubies(state, &cubies);
	cube_cubies_paint(&cubies, 3, colors);
}

static void one_cube(const struct cube_state3 *state, struct cube *cube)
{
	uint8_t colors[54];
	struct cube_problem problem;
	one_colors(state, colors);
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, &problem, 1), 0);
}

START_TEST(actions_are_turns)
{
	struct cube *cube = new_cube(3);
	for (int action = 0; action < CUBE_ACTIONS; action++) {
		static const int8_t quarters[3] = {1, 2, -1};
		struct cube_cubies cubies;
		struct cube_state3 state, both;
		cube_init(cube, 3);
		cube_turn(cube, (struct cube_turn){.face = (uint8_t)(action / 3),
						   .from = 1,
						   .to = 1,
						   .quarters = quarters[action % 3]});
		cube_cubies_of(&cubies, cube);
		cube_state3_from_cubies(&state, &cubies);
		ck_assert(cube_state3_equal(&state, &cube_actions[action]));
		cube_state3_compose(&both, &state, &cube_actions[cube_action_inverse(action)]);
		ck_assert(cube_state3_equal(&both, &cube_state3_solved));
	}
	free(cube);
}
END_TEST

/* Steps of `count` states by each code; one state is one action from solved. */
static void check_steps(struct gen *gen, size_t count)
{
	struct cube_state3 expected[SIZES + 1], states[SIZES + 1];
	uint8_t actions[SIZES], solved[SIZES + 1], found[SIZES + 1];
	const struct state3_code *code;
	make_states(gen, count);
	if (count > 0)
		random_states[count / 2] = cube_actions[7];
	for (size_t i = 0; i < count; i++) {
		actions[i] = (uint8_t)gen_below(gen, CUBE_ACTIONS);
		if (i == count / 2)
			actions[i] = (uint8_t)cube_action_inverse(7);
		cube_state3_compose(&expected[i], &random_states[i], &cube_actions[actions[i]]);
		solved[i] = cube_state3_equal(&expected[i], &cube_state3_solved);
	}
	memset(&expected[count], MARK, sizeof(expected[0]));
	solved[count] = MARK;
	for (size_t k = 0; k < 8; k++) {
		memset(states, MARK, sizeof(states));
		memset(found, MARK, sizeof(found));
		memcpy(states, random_states, count * sizeof(states[0]));
		code = k < 4 ? state3_code(k) : NULL;
		if (code)
			code->step(states, count, cube_actions, actions, k % 2 ? found : NULL);
		else
			cube_batch_step(states, count, cube_actions, actions, k % 2 ? found : NULL);
		ck_assert_mem_eq(states, expected, (count + 1) * sizeof(states[0]));
		if (k % 2)
			ck_assert_mem_eq(found, solved, count + 1);
	}
	memset(found, MARK, sizeof(found));
	cube_batch_solved(expected, count, found);
	ck_assert_mem_eq(found, solved, count + 1);
	if (count > 0)
		ck_assert_uint_eq(solved[count / 2], 1);
}

START_TEST(steps_are_compositions)
{
	struct gen gen = {.state = 40};
	for (size_t count = 0; count <= SIZES; count++)
		check_steps(&gen, count);
}
END_TEST

/* Rows end at the end of a page, so that writing further crashes. */
static void check_children(int size, size_t count)
{
	const size_t actions = size == 2 ? CUBE_ACTIONS_2 : CUBE_ACTIONS;
	struct cube_state3 states[SIZES * (1 + CUBE_ACTIONS)];
	memcpy(states, random_states, count * sizeof states[0]);
	cube_batch_children(size, states, count);
	for (size_t i = 0; i < count; i++) {
		const struct cube_state3 *row = &states[i * (1 + actions)];
		ck_assert(cube_state3_equal(&row[0], &random_states[i]));
		for (uint8_t action = 0; action < actions; action++) {
			struct cube_state3 child = random_states[i];
			cube_batch_step(&child, 1, cube_actions, &action, NULL);
			if (size == 2)
				memcpy(child.piece, random_states[i].piece, CUBE_STATE3_CORNERS);
			ck_assert(cube_state3_equal(&row[1 + action], &child));
		}
	}
}

START_TEST(children_are_what_actions_make)
{
	struct gen gen = {.state = 41};
	for (size_t count = 0; count <= SIZES; count += 7) {
		make_states(&gen, count);
		check_children(2, count);
		check_children(3, count);
	}
}
END_TEST

START_TEST(colors_are_those_of_each_state)
{
	struct gen gen = {.state = 41};
	for (uint32_t round = 0; round < gen_states(200); round++) {
		size_t count = round <= SIZES ? round : gen_below(&gen, SIZES);
		uint8_t expected[SIZES * 54];
		make_states(&gen, count);
		for (size_t i = 0; i < count; i++)
			one_colors(&random_states[i], expected + 54 * i);
		for (size_t k = 0; k == 0 || paint_code(k - 1); k++) {
			struct guard guard = guard_create(count * 54);
			uint8_t *colors = end_of(&guard, count * 54);
			if (paint_code(k))
				paint_code(k)->colors(random_states, count, colors);
			else
				cube_batch_colors(random_states, count, colors);
			ck_assert_mem_eq(colors, expected, count * 54);
			guard_destroy(&guard);
		}
	}
}
END_TEST

START_TEST(stickers_are_those_of_each_state)
{
	struct gen gen = {.state = 44};
	struct cube *cube = new_cube(3);
	for (size_t count = 0; count <= SIZES; count++) {
		struct guard guard = guard_create(count * CUBE_BATCH_COLORS);
		uint8_t *stickers = end_of(&guard, count * CUBE_BATCH_COLORS);
		make_states(&gen, count);
		cube_batch_stickers(random_states, count, stickers);
		for (size_t i = 0; i < count; i++) {
			one_cube(&random_states[i], cube);
			for (size_t j = 0; j < CUBE_BATCH_COLORS; j++)
				ck_assert_uint_eq(stickers[CUBE_BATCH_COLORS * i + j],
						  cube->sticker[j]);
		}
		guard_destroy(&guard);
	}
	free(cube);
}
END_TEST

START_TEST(numbers_are_those_of_each_state)
{
	struct gen gen = {.state = 42};
	struct cube *cube = new_cube(3);
	for (size_t count = 0; count <= SIZES; count++) {
		struct guard guards[3];
		size_t lengths[3] = {count * CUBE_BATCH_NUMBERS, count * CUBE_FEATURES,
				     count * CUBE_FEATURES * sizeof(float)};
		uint8_t *at[3];
		for (int k = 0; k < 3; k++) {
			guards[k] = guard_create(lengths[k]);
			at[k] = end_of(&guards[k], lengths[k]);
		}
		make_states(&gen, count);
		cube_batch_one_hot(random_states, count, at[0]);
		cube_batch_features(random_states, count, at[1]);
		cube_batch_features_float(random_states, count, (float *)(void *)at[2]);
		for (size_t i = 0; i < count; i++) {
			uint8_t expected[CUBE_FEATURES];
			float expected_floats[CUBE_FEATURES];
			one_cube(&random_states[i], cube);
			cube_features_write(cube, expected);
			cube_features_write_float(cube, expected_floats);
			ck_assert_mem_eq(at[0] + CUBE_BATCH_NUMBERS * i, expected,
					 CUBE_BATCH_NUMBERS);
			ck_assert_mem_eq(at[1] + CUBE_FEATURES * i, expected, CUBE_FEATURES);
			ck_assert_mem_eq(at[2] + sizeof(expected_floats) * i, expected_floats,
					 sizeof(expected_floats));
		}
		for (int k = 0; k < 3; k++)
			guard_destroy(&guards[k]);
	}
	free(cube);
}
END_TEST

/* ---- random states ---- */

/* Adds up the squares of how far the counts are from what is expected, in its units: with n values it is n on
 * average. */
static double distance(const uint32_t *counts, size_t values, double expected)
{
	double sum = 0;
	for (size_t i = 0; i < values; i++)
		sum += (counts[i] - expected) * (counts[i] - expected) / expected;
	return sum;
}

/* Each piece is as often in each place, and sits there each way as often. The seed is fixed, so the
 * bounds are not a matter of luck. */
START_TEST(random_states_are_uniform)
{
	enum { STATES = 48000 };
	static struct cube_state3 states[STATES];
	static uint32_t edge[12][24], corner[8][24], first_two[132];
	cube_batch_random(1, 0, STATES, states);
	for (int i = 0; i < STATES; i++) {
		const uint8_t *piece = states[i].piece, *at = piece + CUBE_STATE3_CORNERS;
		ck_assert(cube_state3_possible(&states[i]));
		for (int place = 0; place < 12; place++)
			edge[place][(piece[place] & 15) + 12 * (piece[place] >> 4)]++;
		for (int place = 0; place < 8; place++)
			corner[place][(at[place] & 15) + 8 * (at[place] >> 4)]++;
		int a = piece[10] & 15, b = piece[11] & 15;
		first_two[11 * a + b - (b > a)]++;
	}
	/* 23 degrees of freedom: beyond 60 once in 30,000 times. */
	for (int place = 0; place < 12; place++)
		ck_assert_double_lt(distance(edge[place], 24, (double)STATES / 24), 60);
	for (int place = 0; place < 8; place++)
		ck_assert_double_lt(distance(corner[place], 24, (double)STATES / 24), 60);
	ck_assert_double_lt(distance(first_two, 132, (double)STATES / 132), 210);
}
END_TEST

/* Row i is the same however the rows are divided; another seed gives other rows. */
START_TEST(rows_depend_on_seed_and_number)
{
	enum { ROWS = 40 };
	struct cube_state3 all[ROWS], some[ROWS], other[ROWS];
	uint8_t lengths[ROWS], some_lengths[ROWS], last[ROWS], some_last[ROWS];
	for (int walk = 0; walk < 2; walk++) {
		if (walk) {
			cube_batch_walk(9, 100, ROWS, 0, 26, all, lengths, last);
			cube_batch_walk(10, 100, ROWS, 0, 26, other, NULL, NULL);
		} else {
			cube_batch_random(9, 100, ROWS, all);
			cube_batch_random(10, 100, ROWS, other);
		}
		ck_assert(memcmp(all, other, sizeof(all)) != 0);
		for (size_t from = 0; from < ROWS; from += 7) {
			size_t count = from + 7 <= ROWS ? 7 : ROWS - from;
			if (walk) {
				cube_batch_walk(9, 100 + from, count, 0, 26, some, some_lengths,
						some_last);
				ck_assert_mem_eq(some_lengths, lengths + from, count);
				ck_assert_mem_eq(some_last, last + from, count);
			} else {
				cube_batch_random(9, 100 + from, count, some);
			}
			ck_assert_mem_eq(some, all + from, count * sizeof(all[0]));
		}
	}
}
END_TEST

/* The rows of these seeds, as they are for ever. */
START_TEST(rows_stay_as_they_are)
{
	struct cube_state3 states[1000];
	uint8_t lengths[1000], last[1000];
	uint64_t hash = 0xcbf29ce484222325u, walks = hash;
	cube_batch_random(42, 0, 1000, states);
	for (size_t i = 0; i < sizeof(states); i++)
		hash = (hash ^ ((const uint8_t *)states)[i]) * 0x100000001b3u;
	cube_batch_walk(42, 0, 1000, 1, 26, states, lengths, last);
	for (size_t i = 0; i < sizeof(states); i++)
		walks = (walks ^ ((const uint8_t *)states)[i]) * 0x100000001b3u;
	ck_assert_uint_eq(hash, UINT64_C(13326604076402795539));
	ck_assert_uint_eq(walks, UINT64_C(1538758745554088365));
}
END_TEST

START_TEST(walks_have_their_lengths)
{
	enum { WALKS = 26000 };
	static struct cube_state3 states[WALKS];
	static uint8_t lengths[WALKS], last[WALKS];
	uint32_t of_length[27] = {0}, of_last[CUBE_ACTIONS] = {0};
	struct cube_state3 back;
	cube_batch_walk(3, 0, WALKS, 1, 26, states, lengths, last);
	for (int i = 0; i < WALKS; i++) {
		ck_assert(1 <= lengths[i] && lengths[i] <= 26 && last[i] < CUBE_ACTIONS);
		of_length[lengths[i]]++;
		of_last[last[i]]++;
		ck_assert(cube_state3_possible(&states[i]));
		if (lengths[i] == 1)
			ck_assert(cube_state3_equal(&states[i], &cube_actions[last[i]]));
		if (lengths[i] != 2)
			continue;
		/* Without its last action, it is one of another face from solved. */
		int face = -1;
		cube_state3_compose(&back, &states[i], &cube_actions[cube_action_inverse(last[i])]);
		for (int action = 0; action < CUBE_ACTIONS; action++)
			if (cube_state3_equal(&back, &cube_actions[action]))
				face = action / 3;
		ck_assert(face >= 0 && face != last[i] / 3);
	}
	/* 25 and 17 degrees of freedom. */
	ck_assert_double_lt(distance(of_length + 1, 26, (double)WALKS / 26), 60);
	ck_assert_double_lt(distance(of_last, CUBE_ACTIONS, (double)WALKS / 18), 50);
	cube_batch_walk(3, 5, 1, 0, 0, states, lengths, last);
	ck_assert(cube_state3_equal(&states[0], &cube_state3_solved));
	ck_assert(lengths[0] == 0 && last[0] == CUBE_ACTIONS);
	cube_batch_walk(3, 5, 1, 255, 255, states, lengths, NULL);
	ck_assert_uint_eq(lengths[0], 255);
}
END_TEST

/* ---- matching ---- */

static struct cube_pattern *pattern_of(const char *text)
{
	static uint8_t items[CUBE_FACELETS_MAX];
	struct cube_pattern_error error;
	int size;
	ck_assert_int_eq(cube_pattern_parse(text, strlen(text), items, &size, &error),
			 CUBE_PATTERN_OK);
	struct cube_pattern *pattern = malloc(cube_pattern_bytes(size, 0));
	cube_pattern_make(pattern, size, items);
	return pattern;
}

/* Two items of the first face are of one colour. */
#define STARS "****************"
#define LARGE "11**************" STARS STARS STARS STARS STARS

/* ---- 2x2x2 ---- */

/* Checks what is written of states of a 2x2x2 against a cube of their cubies. */
static void check_rows_2(const struct cube_state3 *states, size_t count)
{
	struct guard guards[3];
	const size_t widths[3] = {CUBE_BATCH_COLORS_2, CUBE_BATCH_COLORS_2, CUBE_BATCH_NUMBERS_2};
	uint8_t *at[3];
	struct cube *cube = new_cube(2);
	for (int k = 0; k < 3; k++) {
		guards[k] = guard_create(count * widths[k]);
		at[k] = end_of(&guards[k], count * widths[k]);
	}
	cube_batch_colors_2(states, count, at[0]);
	cube_batch_stickers_2(states, count, at[1]);
	cube_batch_one_hot_2(states, count, at[2]);
	for (size_t i = 0; i < count; i++) {
		struct cube_cubies cubies;
		uint8_t colors[CUBE_BATCH_COLORS_2];
		cube_state3_to_cubies(&states[i], &cubies);
		cube_cubies_paint(&cubies, 2, colors);
		ck_assert_uint_eq(cube_from_colors(cube, 2, colors, NULL, 0), 0);
		ck_assert_mem_eq(at[0] + CUBE_BATCH_COLORS_2 * i, colors, sizeof(colors));
		for (size_t j = 0; j < CUBE_BATCH_COLORS_2; j++) {
			const uint8_t *six =
				at[2] + CUBE_BATCH_NUMBERS_2 * i + (size_t)CUBE_FACES * j;
			ck_assert_uint_eq(at[1][CUBE_BATCH_COLORS_2 * i + j], cube->sticker[j]);
			for (int color = 0; color < CUBE_FACES; color++)
				ck_assert_uint_eq(six[color], color == colors[j]);
		}
	}
	for (int k = 0; k < 3; k++)
		guard_destroy(&guards[k]);
	free(cube);
}

/* Returns true if the corner DBL and all edges are home. */
static bool is_small(const struct cube_state3 *state)
{
	return memcmp(state->piece, cube_state3_solved.piece, CUBE_STATE3_CORNERS) == 0 &&
	       state->piece[CUBE_STATE3_CORNERS + 6] == 6;
}

START_TEST(random_states_of_a_2x2x2_are_uniform)
{
	enum { STATES = 24000 };
	static struct cube_state3 states[STATES], some[SIZES];
	uint32_t part[24] = {0};
	for (size_t count = 0; count <= SIZES; count++) {
		cube_batch_random_2(5, 7, count, some);
		check_rows_2(some, count);
	}
	cube_batch_random_2(5, 0, STATES, states);
	ck_assert_mem_eq(states + 7, some, sizeof(some));
	for (int i = 0; i < STATES; i++) {
		struct cube_cubies cubies;
		ck_assert(is_small(&states[i]));
		cube_state3_to_cubies(&states[i], &cubies);
		part[cube_index_of_cubies(&cubies, 2).low / (3674160 / 24)]++;
	}
	ck_assert_double_lt(distance(part, 24, (double)STATES / 24), 60);
}
END_TEST

START_TEST(walks_of_a_2x2x2_turn_three_faces)
{
	enum { WALKS = 9000 };
	static struct cube_state3 states[WALKS];
	static uint8_t lengths[WALKS], last[WALKS];
	uint32_t of_last[CUBE_ACTIONS_2] = {0}, of_length[10] = {0};
	cube_batch_walk_2(3, 0, WALKS, 1, 9, states, lengths, last);
	for (int i = 0; i < WALKS; i++) {
		ck_assert(is_small(&states[i]) && 1 <= lengths[i] && lengths[i] <= 9);
		ck_assert_uint_lt(last[i], CUBE_ACTIONS_2);
		of_last[last[i]]++;
		of_length[lengths[i]]++;
		if (lengths[i] == 1)
			ck_assert(memcmp(states[i].piece + CUBE_STATE3_CORNERS,
					 cube_actions[last[i]].piece + CUBE_STATE3_CORNERS,
					 CUBE_CORNERS) == 0);
	}
	ck_assert_double_lt(distance(of_last, CUBE_ACTIONS_2, (double)WALKS / 9), 40);
	ck_assert_double_lt(distance(of_length + 1, 9, (double)WALKS / 9), 40);
	check_rows_2(states, SIZES);
}
END_TEST

/* The way back solves the state, and its first action undoes the last one. */
START_TEST(walks_lead_back)
{
	enum { WALKS = 500, LONGEST = 20 };
	struct cube_state3 states[WALKS];
	uint8_t lengths[WALKS], last[WALKS], back[WALKS * LONGEST + 1];
	for (int size = 2; size <= 3; size++) {
		for (int shortest = 0; shortest <= LONGEST; shortest += LONGEST / 2) {
			back[sizeof(back) - 1] = MARK;
			(size == 2 ? cube_batch_walk_2 : cube_batch_walk)(
				6, 50, WALKS, shortest, LONGEST, states, lengths, last);
			cube_batch_walk_back(size, 6, 50, WALKS, shortest, LONGEST, back);
			for (size_t i = 0; i < WALKS; i++) {
				const uint8_t *actions = back + LONGEST * i;
				cube_state3_apply(&states[i], cube_actions, actions, lengths[i]);
				if (size == 2)
					memcpy(states[i].piece, cube_state3_solved.piece,
					       CUBE_STATE3_CORNERS);
				ck_assert(cube_state3_equal(&states[i], &cube_state3_solved));
				if (lengths[i] > 0)
					ck_assert_int_eq(actions[0], cube_action_inverse(last[i]));
				for (size_t j = lengths[i]; j < LONGEST; j++)
					ck_assert_uint_eq(actions[j], CUBE_ACTIONS);
			}
			ck_assert_uint_eq(back[sizeof(back) - 1], MARK);
		}
	}
}
END_TEST

START_TEST(matches_are_those_of_each_cube)
{
	static const char *const texts[] = {
		"1111*1111 *2**2**** *3**3**** *4**4**** *5**5**** *********",
		"****1**** *********  *********  *********  *********  *********",
		"1111 **22 3*3* *4*4 55** ****",
		LARGE,
	};
	struct gen gen = {.state = 43};
	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
		struct cube_pattern *pattern = pattern_of(texts[t]);
		int size = cube_pattern_size(pattern), found = 0;
		size_t facelets = cube_facelets(size);
		struct cube *cube = new_cube(size);
		for (size_t count = 0; count <= 30; count++) {
			uint8_t *colors = malloc(count * facelets + 1);
			uint32_t fits[31];
			fits[count] = MARK;
			for (size_t i = 0; i < count; i++) {
				cube_init(cube, size);
				for (uint32_t j = gen_below(&gen, 4); j > 0; j--)
					cube_turn(cube, gen_turn(&gen, size));
				cube_colors(cube, colors + facelets * i);
			}
			cube_batch_match(pattern, colors, count, fits);
			for (size_t i = 0; i < count; i++) {
				ck_assert_uint_eq(fits[i],
						  cube_pattern_match(pattern, colors + facelets * i,
								     CUBE_FITS_ALL));
				found += fits[i] != 0;
			}
			ck_assert_uint_eq(fits[count], MARK);
			free(colors);
		}
		ck_assert_int_gt(found, 0);
		free(cube);
		free(pattern);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("batch");
	TCase *tcase = tcase_create("batch");
	tcase_add_test(tcase, actions_are_turns);
	tcase_add_test(tcase, steps_are_compositions);
	tcase_add_test(tcase, children_are_what_actions_make);
	tcase_add_test(tcase, colors_are_those_of_each_state);
	tcase_add_test(tcase, stickers_are_those_of_each_state);
	tcase_add_test(tcase, numbers_are_those_of_each_state);
	tcase_add_test(tcase, random_states_are_uniform);
	tcase_add_test(tcase, rows_depend_on_seed_and_number);
	tcase_add_test(tcase, rows_stay_as_they_are);
	tcase_add_test(tcase, walks_have_their_lengths);
	tcase_add_test(tcase, random_states_of_a_2x2x2_are_uniform);
	tcase_add_test(tcase, walks_of_a_2x2x2_turn_three_faces);
	tcase_add_test(tcase, walks_lead_back);
	tcase_add_test(tcase, matches_are_those_of_each_cube);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 13);
}
