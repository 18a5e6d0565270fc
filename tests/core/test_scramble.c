/* tests/core/test_scramble.c: scrambles: their form, and that states and moves are uniform. */
#include "core/solve/four/state.h"
#include "core/solve/optimal/optimal2.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"
#include "tests/core/sanitized.h"
#include "tests/core/uniform.h"

#include <string.h>

static void *tables[3], *work; /* optimal2, two_phase, reduction */
static struct cube_seeded seeded;
static struct cube_turn turns[20 * CUBE_SIZE_MAX];

static struct cube_scramble_task task_of(int size, enum cube_scramble_variant variant)
{
	return (struct cube_scramble_task){.size = size,
					   .variant = variant,
					   .random = {cube_seeded_next, &seeded},
					   .optimal2 = tables[0],
					   .two_phase = tables[1]};
}

/* Makes a scramble of the 4x4x4 for a random state, not of random moves. */
static size_t scramble_4(enum cube_scramble_variant variant)
{
	struct cube_scramble_task task = task_of(4, variant);
	task.reduction = tables[2];
	task.work = work;
	return cube_scramble(&task, turns);
}

static size_t scramble(int size, enum cube_scramble_variant variant)
{
	struct cube_scramble_task task = task_of(size, variant);
	return cube_scramble(&task, turns);
}

/* The authors' numbers for xoshiro256** from 1, 2, 3, 4. */
START_TEST(seeds_make_the_published_numbers)
{
	static const uint64_t published[] = {11520u, 0u, 1509978240u, 1215971899390074240u};
	struct cube_seeded one = {{1, 2, 3, 4}}, two;
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(cube_seeded_next(&one), published[i]);
	cube_seeded_init(&one, "seed", 4);
	cube_seeded_init(&two, "seed", 4);
	ck_assert_mem_eq(&one, &two, sizeof(one));
	cube_seeded_init(&two, "see", 3);
	ck_assert_mem_ne(&one, &two, sizeof(one));
	/* A seed of no bytes gives SplitMix64's first word from the FNV offset. */
	cube_seeded_init(&two, NULL, 0);
	ck_assert(two.word[0] != 0 && two.word[0] != two.word[1]);
}
END_TEST

static uint64_t counting(void *context)
{
	uint64_t *value = context;
	return *value -= 0x5555555555555555u;
}

START_TEST(numbers_below_are_uniform)
{
	struct cube_random random = {cube_seeded_next, &seeded};
	uint32_t seen[100] = {0};
	for (int i = 0; i < 100000; i++)
		seen[cube_random_below(&random, 100)]++;
	check_uniform(seen, 100);
	ck_assert_uint_eq(cube_random_below(&random, 1), 0);
	/* 2^64 mod 3 is 1: the lowest number, 0, is drawn again. */
	uint64_t value = 0x5555555555555555u;
	struct cube_random three = {counting, &value};
	ck_assert_uint_eq(cube_random_below(&three, 3), 0xaaaaaaaaaaaaaaabu % 3);
}
END_TEST

/* Counts corners, edges and their orientations at each place, and parts of the index. */
START_TEST(random_states_are_uniform)
{
	struct cube_random random = {cube_seeded_next, &seeded};
	static uint32_t corner[8][24], edge[12][24], low[1024], parity[2];
	uint32_t rounds = gen_states(20000);
	for (uint32_t i = 0; i < rounds; i++) {
		struct cube_cubies cubies;
		struct cube_state3 state;
		cube_random_cubies(&random, 3, &cubies);
		cube_state3_from_cubies(&state, &cubies);
		if (!cube_state3_possible(&state))
			ck_abort_msg("state %u", i);
		for (int k = 0; k < 8; k++)
			corner[k]
			      [cubies.corner_permutation[k] * 3 + cubies.corner_orientation[k]]++;
		for (int k = 0; k < 12; k++)
			edge[k][cubies.edge_permutation[k] * 2 + cubies.edge_orientation[k]]++;
		uint64_t index = cube_index_of_cubies(&cubies, 3).low;
		low[index % 1024]++;
		parity[cube_rank(cubies.corner_permutation, 8) / 20160]++;
	}
	for (int k = 0; k < 8; k++)
		check_uniform(corner[k], 24);
	for (int k = 0; k < 12; k++)
		check_uniform(edge[k], 24);
	check_uniform(low, 1024);
	check_uniform(parity, 2);
}
END_TEST

/* Exactly 11 moves of U R F, none of a face after itself; the states uniform. */
START_TEST(scrambles_of_2x2x2)
{
	static uint32_t corner[7][21];
	struct cube *cube = new_cube(2);
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 2);
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		size_t count = scramble(2, CUBE_SCRAMBLE_PLAIN);
		if (count != 11)
			ck_abort_msg("%zu turns", count);
		for (size_t i = 0; i < count; i++)
			if (turns[i].face > CUBE_F || turns[i].from != 1 || turns[i].to != 1 ||
			    turns[i].quarters == 0 || (i > 0 && turns[i].face == turns[i - 1].face))
				ck_abort_msg("turn %zu", i);
		cube_init(cube, 2);
		cube_turn_all(cube, turns, count);
		struct cube_cubies cubies;
		cube_cubies_of(&cubies, cube);
		for (int k = 0, place = 0; place < 8; place++) {
			if (place == 6) /* DBL stays */
				continue;
			int piece = cubies.corner_permutation[place];
			piece -= piece > 6;
			corner[k++][piece * 3 + cubies.corner_orientation[place]]++;
		}
		if (round % 20 == 0) {
			struct cube_turn back[CUBE_SOLUTION_MAX];
			struct cube_solution solution = {.turns = back, .room = CUBE_SOLUTION_MAX};
			struct cube_solve_task solve = {.cube = cube};
			solver->solve(tables[0], &solve, &solution);
			ck_assert_int_ge(solution.length, 4);
		}
	}
	for (int k = 0; k < 7; k++)
		check_uniform(corner[k], 21);
	free(cube);
}
END_TEST

/* Every state that a scramble may have is reached by 11 moves: all of them, or one of each 101. */
START_TEST(every_state_of_2x2x2_has_eleven_moves)
{
	for (uint32_t index = 0; index < OPTIMAL2_STATES; index += gen_long() ? 1 : 101)
		if (optimal2_distance(tables[0], index, CUBE_SOLVE_HTM) >= 4 &&
		    !optimal2_walk(tables[0], index, 11, turns))
			ck_abort_msg("state %u", index);
}
END_TEST

/* The form, and that the state is the one that was drawn: the same seed draws it again. */
START_TEST(scrambles_of_3x3x3)
{
	struct cube *cube = new_cube(3);
	struct cube_random random = {cube_seeded_next, &seeded};
	for (int round = 0; round < (int)gen_rounds(30); round++) {
		char seed[16];
		snprintf(seed, sizeof(seed), "%d", round);
		struct cube_cubies drawn, made;
		cube_seeded_init(&seeded, seed, strlen(seed));
		cube_random_cubies(&random, 3, &drawn);
		for (enum cube_scramble_variant variant = 0; variant < 3; variant++) {
			cube_seeded_init(&seeded, seed, strlen(seed));
			size_t count = scramble(3, variant), outer = 0;
			cube_init(cube, 3);
			while (outer < count && turns[outer].to == 1)
				cube_turn(cube, turns[outer++]);
			ck_assert_uint_ge(outer, 2);
			ck_assert_uint_le(outer, variant == CUBE_SCRAMBLE_FMC ? 30 : 20);
			ck_assert(outer == count || variant == CUBE_SCRAMBLE_BLD);
			ck_assert_uint_le(count - outer, 2);
			cube_cubies_of(&made, cube);
			ck_assert_mem_eq(&made, &drawn, sizeof(made));
			size_t left = outer;
			struct cube_turn copy[40];
			memcpy(copy, turns, outer * sizeof(turns[0]));
			left = cube_turns_simplify(3, copy, left);
			ck_assert_uint_eq(left, outer);
			char text[200];
			size_t length = cube_turns_print(3, turns, count, text, sizeof(text));
			ck_assert(variant != CUBE_SCRAMBLE_FMC ||
				  (strncmp(text, "R' U' F ", 8) == 0 &&
				   strcmp(text + length - 8, " R' U' F") == 0));
		}
	}
	free(cube);
}
END_TEST

/* The wide turns that hold a blindfolded scramble's cube never follow a turn about the axis of the
 * first of them; the state is still the one that was drawn, and all 24 ways come as often. */
START_TEST(blindfolded_turns_meet_no_parallel_turn)
{
	static const int sizes[] = {3, 5, 6, 7};
	const int size = sizes[_i];
	const size_t plain = size == 3 ? 0 : 20 * (size_t)size - 40;
	struct cube_random random = {cube_seeded_next, &seeded};
	struct cube *cube = new_cube(3);
	uint32_t holds[24] = {0}, wide = 0, last_axis[3] = {0};
	const uint32_t rounds = gen_long() ? 20000 : size == 3 ? (SANITIZED ? 125 : 250) : 4000;
	for (uint32_t round = 0; round < rounds; round++) {
		struct cube_cubies drawn, made;
		char seed[16];
		snprintf(seed, sizeof(seed), "held %u", round);
		cube_seeded_init(&seeded, seed, strlen(seed));
		cube_random_cubies(&random, 3, &drawn);
		cube_seeded_init(&seeded, seed, strlen(seed));
		size_t count = scramble(size, CUBE_SCRAMBLE_BLD), base = plain;
		while (size == 3 && base < count && turns[base].to == 1)
			base++;
		ck_assert(base >= 2 && count - base <= 2);
		last_axis[turns[base - 1].face % 3]++;
		if (count > base && turns[base].face % 3 == turns[base - 1].face % 3)
			ck_abort_msg("size %d, seed %s", size, seed);
		wide += count > base;
		const struct cube_turn *first = &turns[base], *last = &turns[count - 1];
		/* {-, R, R2, R', F, F'}: F2 is not one of them. */
		unsigned tilt = 0, yaw = 0;
		if (count > base && first->face != CUBE_U)
			tilt = first->face == CUBE_R ? (unsigned)first->quarters & 3u
			       : first->quarters > 0 ? 4
						     : 5;
		if (count > base && last->face == CUBE_U)
			yaw = (unsigned)last->quarters & 3u;
		holds[tilt * 4 + yaw]++;
		if (size > 3)
			continue;
		ck_assert_uint_le(base, 20);
		cube_init(cube, 3);
		cube_turn_all(cube, turns, base);
		cube_cubies_of(&made, cube);
		ck_assert_mem_eq(&made, &drawn, sizeof(made));
	}
	check_uniform(holds, 24);
	ck_assert_uint_gt(wide, rounds * 9 / 10);
	for (int axis = 0; axis < 3; axis++)
		ck_assert_uint_gt(last_axis[axis], rounds / 6);
	free(cube);
}
END_TEST

/* All 24 ways to hold it come, each as often. */
START_TEST(blindfolded_is_held_in_any_way)
{
	for (int size = 4; size <= 5; size++) {
		uint32_t seen[CUBE_HOLDS] = {0};
		struct cube *cube = new_cube(size);
		for (int round = 0; round < 3000; round++) {
			size_t count = scramble(size, CUBE_SCRAMBLE_BLD),
			       plain = 20 * (size_t)size - 40;
			cube_init(cube, size);
			cube_turn_all(cube, turns + plain, count - plain);
			/* Blocks of more than half leave a layer that does not matter here. */
			int hold = 0;
			if (size == 4) {
				hold = cube_hold_of(cube);
			} else {
				for (hold = 0; hold < CUBE_HOLDS; hold++) {
					struct cube *held = new_cube(size), *home = new_cube(size);
					cube_init(home, size);
					cube_hold_turn(held, home, hold);
					bool same = true;
					for (size_t f = 0; f < CUBE_FACES; f++)
						same &= cube_color_at(held, f * 25 + 12) ==
							cube_color_at(cube, f * 25 + 12);
					free(held);
					free(home);
					if (same)
						break;
				}
			}
			ck_assert(hold >= 0 && hold < CUBE_HOLDS);
			seen[hold]++;
		}
		check_uniform(seen, CUBE_HOLDS);
		free(cube);
	}
}
END_TEST

/* Counts corners, wings and colours at each place; DBL stays home. Parities are independent. */
START_TEST(random_states_of_4x4x4_are_uniform)
{
	struct cube_random random = {cube_seeded_next, &seeded};
	static uint32_t corner[7][21], wing[24][24], center[24][6], parity[4];
	struct cube *cube = new_cube(4);
	uint32_t rounds = gen_states(6000);
	for (uint32_t i = 0; i < rounds; i++) {
		struct four four;
		uint8_t painted[96];
		cube_random_cube(&random, 4, cube, painted);
		four_read(&four, cube);
		for (int k = 0; k < 24; k++) {
			wing[k][four.wing[k]]++;
			center[k][four.center[k]]++;
		}
		parity[2 * four.corners_odd + four_wings_odd(&four)]++;
		/* The corners of a 2x2x2. */
		static const uint8_t offset[4] = {0, 3, 12, 15};
		uint8_t colors[24];
		for (int k = 0; k < 24; k++)
			colors[k] = (uint8_t)cube_color_at(cube,
							   (size_t)(16 * (k / 4) + offset[k % 4]));
		struct cube *small = new_cube(2);
		struct cube_cubies cubies;
		ck_assert_uint_eq(cube_from_colors(small, 2, colors, NULL, 0), 0);
		cube_cubies_of(&cubies, small);
		free(small);
		ck_assert(cubies.corner_permutation[6] == 6 && cubies.corner_orientation[6] == 0);
		for (int place = 0, k = 0; place < 8; place++) {
			int piece = cubies.corner_permutation[place];
			if (place != 6)
				corner[k++][(piece - (piece > 6)) * 3 +
					    cubies.corner_orientation[place]]++;
		}
	}
	for (int k = 0; k < 24; k++) {
		check_uniform(wing[k], 24);
		check_uniform(center[k], 6);
	}
	for (int k = 0; k < 7; k++)
		check_uniform(corner[k], 21);
	check_uniform(parity, 4);
	free(cube);
}
END_TEST

/* Each colour on each facelet that can have all of them as often; two columns of wings, and wings and
 * centres, without a tie. */
START_TEST(random_states_of_larger_cubes_are_uniform)
{
	struct cube_random random = {cube_seeded_next, &seeded};
	const int size = 5 + _i;
	const size_t count = cube_facelets(size), row = (size_t)size;
	static uint32_t seen[216][6], pair[36];
	struct cube *cube = new_cube(size), *read = new_cube(size);
	uint8_t *colors = malloc(count);
	memset(seen, 0, sizeof(seen));
	memset(pair, 0, sizeof(pair));
	cube_seeded_init(&seeded, "larger", 6);
	for (uint32_t i = gen_states(6000); i > 0; i--) {
		cube_random_cube(&random, size, cube, colors);
		ck_assert_uint_eq(cube_from_colors(read, size, colors, NULL, 0), 0);
		ck_assert(cube_equal(read, cube));
		for (size_t facelet = 0; facelet < count; facelet++)
			seen[facelet][cube_color_at(cube, facelet)]++;
		pair[6 * cube_color_at(cube, 1) + cube_color_at(cube, _i ? 2 : row + 1)]++;
	}
	for (size_t facelet = 0; facelet < count; facelet++) {
		size_t at = facelet % (row * row), line = at / row, column = at % row;
		bool corner = (line == 0 || line == row - 1) && (column == 0 || column == row - 1);
		if (!(corner && size % 2 == 0) && !(at == row * row / 2 && size % 2 == 1))
			check_uniform(seen[facelet], 6);
	}
	check_uniform(pair, 36);
	free(colors);
	free(cube);
	free(read);
}
END_TEST

/* The same states as cube_random_cubies(); the largest cube can be made too. */
START_TEST(random_states_are_those_of_the_cubies)
{
	struct cube_seeded other;
	struct cube_random random = {cube_seeded_next, &seeded}, again = {cube_seeded_next, &other};
	for (int round = 0; round < 200; round++) {
		const int size = 2 + round % 2;
		struct cube *cube = new_cube(size);
		struct cube_cubies cubies;
		uint8_t colors[54], painted[54];
		other = seeded;
		cube_random_cube(&random, size, cube, colors);
		cube_random_cubies(&again, size, &cubies);
		cube_cubies_paint(&cubies, size, painted);
		ck_assert_mem_eq(colors, painted, cube_facelets(size));
		ck_assert_mem_eq(&other, &seeded, sizeof(other));
		free(cube);
	}
	struct cube *cube = new_cube(CUBE_SIZE_MAX), *read = new_cube(CUBE_SIZE_MAX);
	uint8_t *colors = malloc(CUBE_FACELETS_MAX);
	cube_random_cube(&random, CUBE_SIZE_MAX, cube, colors);
	ck_assert_uint_eq(cube_from_colors(read, CUBE_SIZE_MAX, colors, NULL, 0), 0);
	ck_assert(cube_equal(read, cube));
	free(colors);
	free(cube);
	free(read);
}
END_TEST

/* The form, and that the state is the one that was drawn, however it is held then. */
START_TEST(scrambles_of_4x4x4)
{
	struct cube *cube = new_cube(4), *made = new_cube(4), *drawn = new_cube(4);
	struct cube_random random = {cube_seeded_next, &seeded};
	for (int round = 0; round < (gen_long() ? 200 : SANITIZED ? 3 : 6); round++) {
		enum cube_scramble_variant variant = round % 3 == 2;
		char seed[16];
		snprintf(seed, sizeof(seed), "%d", round);
		cube_seeded_init(&seeded, seed, strlen(seed));
		uint8_t painted[96];
		cube_random_cube(&random, 4, drawn, painted);
		cube_seeded_init(&seeded, seed, strlen(seed));
		size_t count = scramble_4(variant), outer = 0;
		ck_assert_uint_le(count, cube_scramble_room(4));
		cube_init(cube, 4);
		while (outer < count && turns[outer].to <= 2) {
			ck_assert(turns[outer].from == 1);
			ck_assert(turns[outer].to == 1 || turns[outer].face < CUBE_D);
			cube_turn(cube, turns[outer++]);
		}
		ck_assert(outer >= 30 && outer <= 50);
		ck_assert_uint_le(count - outer, variant == CUBE_SCRAMBLE_BLD ? 2 : 0);
		cube_hold_home(made, cube);
		for (size_t i = 0; i < 96; i++)
			ck_assert_int_eq(cube_color_at(made, i), cube_color_at(drawn, i));
	}
	free(cube);
	free(made);
	free(drawn);
}
END_TEST

START_TEST(random_moves)
{
	static const int sizes[] = {4, 5, 6, 7, 8, 20, 100};
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		int size = sizes[s];
		uint32_t face[6] = {0}, quarters[3] = {0};
		for (int round = 0; round < 100; round++) {
			size_t count = scramble(size, CUBE_SCRAMBLE_PLAIN);
			ck_assert_uint_eq(count, (size_t)(20 * size - 40));
			ck_assert_uint_le(count, cube_scramble_room(size));
			for (size_t i = 0; i < count; i++) {
				struct cube_turn t = turns[i];
				bool good = t.from == 1 && t.quarters != 0 &&
					    (2 * t.to < size || (2 * t.to == size && t.face < 3));
				for (size_t k = i; k-- > 0 && turns[k].face % 3 == t.face % 3;)
					good &= turns[k].face != t.face || turns[k].to != t.to;
				if (!good)
					ck_abort_msg("size %d, turn %zu", size, i);
				face[t.face]++;
				quarters[t.quarters == -1 ? 2 : t.quarters - 1]++;
			}
		}
		check_uniform(quarters, 3);
		/* Opposite faces of an odd cube alike; of an even one, three have a block more. */
		double total = face[0] + face[1] + face[2] + face[3] + face[4] + face[5];
		double upper = (double)(size / 2) / (double)(size / 2 + (size - 1) / 2) / 3;
		for (int f = 0; f < 6; f++) {
			double expected = total * (f < 3 ? upper : 1.0 / 3 - upper);
			ck_assert(face[f] > 0.9 * expected && face[f] < 1.1 * expected);
		}
	}
}
END_TEST

START_TEST(variants)
{
	ck_assert(!cube_scramble_has(1, CUBE_SCRAMBLE_PLAIN));
	ck_assert(cube_scramble_has(2, CUBE_SCRAMBLE_PLAIN));
	ck_assert(!cube_scramble_has(2, CUBE_SCRAMBLE_BLD));
	ck_assert(cube_scramble_has(3, CUBE_SCRAMBLE_FMC));
	ck_assert(!cube_scramble_has(4, CUBE_SCRAMBLE_FMC));
	ck_assert(cube_scramble_has(100, CUBE_SCRAMBLE_BLD));
	ck_assert(!cube_scramble_has(101, CUBE_SCRAMBLE_PLAIN));
}
END_TEST

/* Makes many scrambles of this task and counts the states that they lead to: all are as likely. */
static void check_states(const struct cube_scramble_task *task, size_t shortest, size_t longest,
			 size_t states)
{
	enum { EACH = 400, MOST = 32 };
	const int size = task->size;
	struct cube_index index[MOST];
	uint32_t seen[MOST] = {0};
	struct cube *cube = new_cube(size);
	size_t found = 0;
	for (size_t i = 0; i < EACH * states; i++) {
		size_t at = 0, length = cube_scramble(task, turns);
		ck_assert(length >= shortest && length <= longest);
		cube_init(cube, size);
		cube_turn_all(cube, turns, length);
		ck_assert(!cube_is_solved(cube));
		const struct cube_index is = cube_index_of(cube);
		while (at < found && (index[at].low != is.low || index[at].high != is.high))
			at++;
		if (at == found)
			index[found++] = is;
		ck_assert(found < MOST);
		seen[at]++;
	}
	free(cube);
	ck_assert_uint_eq(found, states);
	check_uniform(seen, (int)states);
}

static void check_walks(int size, const struct cube_turn *generators, size_t count, size_t states)
{
	struct cube_scramble_task task = task_of(size, CUBE_SCRAMBLE_PLAIN);
	task.generators = generators;
	task.generator_count = count;
	check_states(&task, 29, 40, states);
}

static void check_subgroup(int size, const struct cube_turn *generators, size_t count,
			   size_t longest, size_t states)
{
	struct cube_scramble_task task = task_of(size, CUBE_SCRAMBLE_PLAIN);
	struct cube_subgroup *subgroup = new_bytes(CUBE_SUBGROUP_BYTES);
	cube_subgroup_make(size, generators, count, subgroup);
	task.subgroup = subgroup;
	check_states(&task, 1, longest, states);
	free(subgroup);
}

/* Half turns: R2 and U2 of a 3x3x3 make 12 states, and with F2 24 of a 2x2x2, one of them solved. */
START_TEST(walks_lead_to_every_state_of_half_turns)
{
	struct cube_turn halves[3];
	for (int face = CUBE_U; face <= CUBE_F; face++)
		halves[face] = cube_turn_make(3, face, 1, 1, 2);
	check_walks(3, halves, 2, 11);
	check_walks(2, halves, 3, 23);
}
END_TEST

/* The same states by few turns: none is farther than six, and four. */
START_TEST(subgroups_are_scrambled_to_every_state_but_one)
{
	struct cube_turn halves[3];
	for (int face = CUBE_U; face <= CUBE_F; face++)
		halves[face] = cube_turn_make(3, face, 1, 1, 2);
	check_subgroup(3, halves, 2, 6, 11);
	check_subgroup(2, halves, 3, 4, 23);
}
END_TEST

/* 2R is M counted from the other side: neither follows the other, nor R either of them twice. */
START_TEST(walks_turn_no_layers_twice_in_a_row)
{
	struct cube_scramble_task task = task_of(3, CUBE_SCRAMBLE_PLAIN);
	const struct cube_turn generators[] = {
		cube_turn_make(3, CUBE_R, 2, 2, 1), cube_turn_make(3, CUBE_L, 2, 2, -1),
		cube_turn_make(3, CUBE_R, 1, 1, 1), cube_turn_make(3, CUBE_L, 3, 3, 1),
		cube_turn_make(3, CUBE_U, 1, 1, 2)};
	task.generators = generators;
	task.generator_count = 5;
	for (int i = 0; i < 1000; i++) {
		const size_t length = cube_scramble(&task, turns);
		for (size_t k = 0, middles = 0, rights = 0; k < length; k++) {
			const bool middle = turns[k].from == 2;
			if (turns[k].face == CUBE_U) {
				ck_assert_int_eq(abs(turns[k].quarters), 2);
				ck_assert(k == 0 || turns[k - 1].face != CUBE_U);
				middles = rights = 0;
				continue;
			}
			ck_assert_uint_le(middles += middle, 1);
			ck_assert_uint_le(rights += !middle, 1);
		}
	}
}
END_TEST

START_TEST(walks_need_turns_about_two_axes)
{
	const struct cube_turn right = cube_turn_make(3, CUBE_R, 1, 1, 1);
	const struct cube_turn left = cube_turn_make(3, CUBE_L, 1, 2, 1);
	const struct cube_turn up = cube_turn_make(3, CUBE_U, 1, 1, 2);
	const struct cube_turn whole = cube_turn_make(3, CUBE_U, 1, 3, 1);
	const struct cube_turn none = cube_turn_make(3, CUBE_U, 1, 1, 0);
	ck_assert(cube_scramble_walks(3, (struct cube_turn[]){right, up}, 2));
	ck_assert(!cube_scramble_walks(3, (struct cube_turn[]){right, left}, 2));
	ck_assert(!cube_scramble_walks(3, (struct cube_turn[]){right, whole}, 2));
	ck_assert(!cube_scramble_walks(3, (struct cube_turn[]){right, up, none}, 3));
	ck_assert(!cube_scramble_walks(3, &right, 0));
}
END_TEST

int main(void)
{
	for (int i = 0; i < 3; i++) {
		const struct cube_solver *solver = cube_solver_default(2 + i);
		tables[i] = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
		cube_solver_make(&solver->tables[0], tables[i]);
	}
	work = malloc(cube_solver_default(4)->work_bytes(4));
	cube_seeded_init(&seeded, "tests", 5);
	Suite *suite = suite_create("scramble");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, seeds_make_the_published_numbers);
	tcase_add_test(all, numbers_below_are_uniform);
	tcase_add_test(all, random_states_are_uniform);
	tcase_add_test(all, scrambles_of_2x2x2);
	tcase_add_test(all, every_state_of_2x2x2_has_eleven_moves);
	tcase_add_test(all, scrambles_of_3x3x3);
	tcase_add_loop_test(all, blindfolded_turns_meet_no_parallel_turn, 0, 4);
	tcase_add_test(all, blindfolded_is_held_in_any_way);
	tcase_add_test(all, random_states_of_4x4x4_are_uniform);
	tcase_add_loop_test(all, random_states_of_larger_cubes_are_uniform, 0, 2);
	tcase_add_test(all, random_states_are_those_of_the_cubies);
	tcase_add_test(all, scrambles_of_4x4x4);
	tcase_add_test(all, random_moves);
	tcase_add_test(all, variants);
	tcase_add_test(all, walks_lead_to_every_state_of_half_turns);
	tcase_add_test(all, subgroups_are_scrambled_to_every_state_but_one);
	tcase_add_test(all, walks_turn_no_layers_twice_in_a_row);
	tcase_add_test(all, walks_need_turns_about_two_axes);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 22);
	free(tables[0]);
	free(tables[1]);
	free(tables[2]);
	free(work);
	return status;
}
