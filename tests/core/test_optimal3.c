/* tests/core/test_optimal3.c: shortest solutions of the 3x3x3: against all states near the solved
 * one, against searches from both sides, and published positions; the tables against a search of
 * their own. The large tables are tried where CUBED_TEST_LONG is set. */
#include "core/solve/optimal/optimal3_internal.h"
#include "core/solve/optimal/optimal3_node.h"
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static const struct cube_solver *solver;
static void *tables, *base;

static struct cube_turn turns[CUBE_SOLUTION_MAX];
static struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};

static enum cube_solve_end solve(const struct cube_solve_task *task)
{
	enum cube_solve_end end = solver->solve(tables, task, &solution);
	struct cube *turned = new_cube(3);
	if (solution.length >= 0) {
		ck_assert_int_eq(solution.length, (int)solution.count);
		cube_copy(turned, task->cube);
		cube_turn_all(turned, turns, solution.count);
		ck_assert(cube_is_solved(turned));
		ck_assert_int_le(solution.bound, task->shared ? 20 : solution.length);
	}
	free(turned);
	return end;
}

static int length_of(const struct cube *cube)
{
	struct cube_solve_task task = {.cube = cube};
	ck_assert_int_eq(solve(&task), solver->optimal && cube_is_solved(cube) ? CUBE_SOLVE_ENOUGH
									       : CUBE_SOLVE_ALL);
	ck_assert_int_eq(solution.bound, solution.length);
	return solution.length;
}

static struct cube *cube_after(const char *moves)
{
	struct checked_cube both = checked_create(3);
	struct cube *cube = new_cube(3);
	ck_assert(checked_moves(&both, moves));
	cube_copy(cube, both.cube);
	checked_destroy(&both);
	return cube;
}

static void cube_of(struct cube *cube, const struct cube_state3 *state)
{
	struct cube_cubies cubies;
	uint8_t colors[54];
	cube_init(cube, 3);
	cube_cubies_of(&cubies, cube);
	cube_state3_to_cubies(state, &cubies);
	cube_cubies_paint(&cubies, 3, colors);
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
}

/* ---- all states up to five moves from solved ---- */

#define NEAR 5
#define SLOTS (1u << 21)

static const size_t published[NEAR + 1] = {1, 18, 243, 3240, 43239, 574908};
static struct cube_state3 *near_state; /* by distance */
static size_t near_first[NEAR + 2];
static uint32_t *near_slot; /* one more than the number of a state; 0: none */
static struct cube_state3 move[MOVES];

static uint32_t *slot_of(const struct cube_state3 *state)
{
	uint64_t word[4], hash = 0;
	memcpy(word, state->piece, sizeof(word));
	for (int i = 0; i < 4; i++)
		hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15u;
	uint32_t at = (uint32_t)(hash >> 40) % SLOTS;
	while (near_slot[at] != 0 && !cube_state3_equal(&near_state[near_slot[at] - 1], state))
		at = (at + 1) % SLOTS;
	return &near_slot[at];
}

static void find_near(void)
{
	size_t all = 0, count = 1;
	for (int i = 0; i <= NEAR; i++)
		all += published[i];
	near_state = aligned_alloc(32, all * sizeof(*near_state));
	near_slot = calloc(SLOTS, sizeof(*near_slot));
	ck_assert(near_state && near_slot);
	moves_make(move);
	near_state[0] = cube_state3_solved;
	*slot_of(&cube_state3_solved) = 1;
	near_first[1] = 1;
	for (int depth = 1; depth <= NEAR; depth++) {
		for (size_t i = near_first[depth - 1]; i < near_first[depth]; i++) {
			for (int m = 0; m < MOVES; m++) {
				struct cube_state3 next;
				cube_state3_compose(&next, &near_state[i], &move[m]);
				uint32_t *slot = slot_of(&next);
				if (*slot != 0)
					continue;
				if (count == all)
					ck_abort_msg("too many states");
				near_state[count] = next;
				*slot = (uint32_t)++count;
			}
		}
		near_first[depth + 1] = count;
		ck_assert_uint_eq(count - near_first[depth], published[depth]);
	}
}

static int near_distance(const struct cube_state3 *state)
{
	uint32_t number = *slot_of(state);
	int depth = 0;
	while (number > near_first[depth + 1])
		depth++;
	return number == 0 ? NEAR + 1 : depth;
}

/* Every state up to two moves away, and some of those up to five away, held in some way. */
START_TEST(near_states)
{
	struct cube *cube = new_cube(3), *held = new_cube(3);
	for (int depth = 0; depth <= NEAR; depth++) {
		size_t step = depth < 3 ? 1 : depth < 5 ? 29 : 997;
		for (size_t i = near_first[depth]; i < near_first[depth + 1]; i += step) {
			cube_of(cube, &near_state[i]);
			cube_hold_turn(held, cube, (int)(i % CUBE_HOLDS));
			ck_assert_int_eq(length_of(held), depth);
		}
	}
	free(cube);
	free(held);
}
END_TEST

/* A search from both sides: turned by up to five moves, it is up to five from solved. */
static int both_sides(const struct cube_state3 *state)
{
	for (int depth = 0; depth <= NEAR; depth++) {
		int least = 99;
		for (size_t i = near_first[depth]; i < near_first[depth + 1]; i++) {
			struct cube_state3 next;
			cube_state3_compose(&next, state, &near_state[i]);
			int distance = near_distance(&next);
			if (distance <= NEAR && depth + distance < least)
				least = depth + distance;
		}
		if (least < 99)
			return least;
	}
	return 99;
}

START_TEST(both_sides_meet)
{
	struct gen gen = {.state = 60};
	struct cube *cube = new_cube(3);
	int longest = 0;
	for (int round = 0; round < 6; round++) {
		struct cube_state3 state = cube_state3_solved;
		for (int i = 0; i < 6 + round % 5; i++)
			cube_state3_compose(&state, &state, &move[gen_below(&gen, MOVES)]);
		int least = both_sides(&state);
		cube_of(cube, &state);
		ck_assert_int_eq(length_of(cube), least);
		longest = least > longest ? least : longest;
	}
	ck_assert_int_ge(longest, 8);
	free(cube);
}
END_TEST

/* ---- published positions: M. Reid, "Patterns", http://www.cflmath.com/~reid/Rubik/patterns.html
 * ----
 */

struct position {
	const char *moves;
	int length;
};

static void check_positions(const struct position *positions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct cube *cube = cube_after(positions[i].moves);
		ck_assert_int_eq(length_of(cube), positions[i].length);
		free(cube);
	}
}

START_TEST(known_positions)
{
	static const struct position positions[] = {
		{"", 0},
		{"x y' z2", 0},
		{"R2 L2 U2 D2 F2 B2", 6}, /* Pons Asinorum */
		{"M2 E2 S2", 6},
		{"F2 B2 U D' R2 L2 U D'", 8}, /* four spots */
		{"U D' R L' F B' U D'", 8},   /* six spots */
		{"R U R' U' R U R' U' R U R' U' R U R' U' R U R' U' R U R' U'", 0},
		{"R U R' U R U2 R'", 7},             /* a Sune */
		{"R2 U R U R' U' R' U' R' U R'", 9}, /* three edges of a face: M2 U M U2 M' U M2 */
		{"x R' U R' D2 R U' R' D2 R2", 9},   /* three corners of a face */
	};
	check_positions(positions, sizeof(positions) / sizeof(positions[0]));
}
END_TEST

/* ---- tables ---- */

/* An entry as a number. */
static uint64_t entry_of(const struct optimal3 *of, size_t at)
{
	uint64_t entry = 0;
	for (size_t k = ENTRY_BYTES; k-- > 0;)
		entry = entry << 8 | of->entry[ENTRY_BYTES * at + k];
	return entry;
}

/* In which places the corners URF, ULB, DLF and DRB are, by bits; or the others, where URF's place
 * has one of those. */
static uint32_t tetrad_places(const struct cube_state3 *state)
{
	static const bool first[8] = {true, false, true, false, false, true, false, true};
	uint32_t places = 0;
	for (int i = 0; i < 8; i++)
		places |= (uint32_t)first[state->piece[16 + i] & 15] << i;
	return places & 1 ? places : places ^ 0xff;
}

#define STATES (TWISTS * SLICES)
#define SOLVED_SPLIT(tables) (tables)->split_of_places[0x5a]

/* Distances of twist and slice by a search of their own, without symmetries, the nearest splits by
 * the ways that lead there, and those one move farther by all neighbours. */
START_TEST(small_tables_are_right)
{
	const struct optimal3 *small = tables;
	uint8_t *distance = malloc(STATES);
	uint64_t *near = calloc(STATES, sizeof(*near)), *wide = calloc(STATES, sizeof(*wide));
	uint32_t *queue = malloc(STATES * sizeof(*queue)), count = 1, wrong = 0, others = 0;
	ck_assert(distance && near && wide && queue);
	memset(distance, 99, STATES);
	distance[0] = 0;
	queue[0] = 0;
	near[0] = (uint64_t)1 << SOLVED_SPLIT(small);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slice = queue[i] % SLICES, twist = queue[i] / SLICES;
		for (uint32_t m = 0; m < MOVES; m++) {
			uint32_t to =
				small->twist_move[twist][m] * SLICES + small->slice_move[slice][m];
			if (distance[to] == 99) {
				distance[to] = (uint8_t)(distance[queue[i]] + 1);
				queue[count++] = to;
			}
			if (distance[to] != distance[queue[i]] + 1)
				continue;
			for (uint32_t split = 0; split < SPLITS; split++)
				near[to] |= (near[queue[i]] >> split & 1)
					    << small->split_move[split][m];
		}
	}
	ck_assert_uint_eq(count, STATES);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slice = queue[i] % SLICES, twist = queue[i] / SLICES;
		struct optimal3_where at = optimal3_find(small, twist, 0, slice);
		uint64_t entry = entry_of(small, at.entry);
		bool is_wide = distance[queue[i]] <= small->wide;
		wide[queue[i]] = near[queue[i]];
		for (uint32_t m = 0; m < MOVES && is_wide; m++) {
			uint32_t to =
				small->twist_move[twist][m] * SLICES + small->slice_move[slice][m];
			uint64_t from = distance[to] == distance[queue[i]]  ? near[to]
					: distance[to] < distance[queue[i]] ? wide[to]
									    : 0;
			for (uint32_t split = 0; split < SPLITS; split++)
				wide[queue[i]] |= (from >> split & 1)
						  << small->split_move[split][move_inverse((int)m)];
		}
		for (uint32_t split = 0; split < SPLITS; split++) {
			bool farther = !(wide[queue[i]] >> split & 1);
			wrong += optimal3_distance(small, 0, at.symmetry, entry, split) !=
				 distance[queue[i]] + (farther ? 1 + is_wide : 0);
			others += farther;
		}
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(others, STATES);
	free(distance);
	free(near);
	free(wide);
	free(queue);
}
END_TEST

/* Parts of a step are independent: made the other way round they are the same to the bit. */
START_TEST(parts_are_made_in_any_order)
{
	const struct cube_solver_tables *small = &optimal3_tables[0];
	void *again = aligned_alloc(CUBE_SOLVE_ALIGN, small->bytes);
	ck_assert(again);
	memset(again, 0x5a, small->bytes);
	cube_solver_make_begin(small, again);
	for (unsigned step = 0; step < small->steps; step++)
		for (unsigned part = small->parts; part-- > 0;)
			small->make(again, step, part);
	cube_solver_make_end(small, again);
	ck_assert(memcmp(again, tables, small->bytes) == 0);
	free(again);
}
END_TEST

/* Splits are moved, seen, and computed with a turn before them as states are. */
START_TEST(splits_are_those_of_states)
{
	const struct optimal3 *small = tables;
	struct gen gen = {.state = 64};
	struct cube_state3 state = cube_state3_solved, next;
	uint8_t split, then, turned[AXES], ignored[AXES];
	uint32_t places_of[SPLITS] = {0}, seen = 0, wrong = 0;
	for (int round = 0; round < 2000; round++) {
		uint32_t m = gen_below(&gen, MOVES), face = gen_below(&gen, CUBE_FACES);
		splits_of(small, &state, &split, turned);
		seen += places_of[split] == 0;
		places_of[split] |= tetrad_places(&state);
		wrong += places_of[split] != tetrad_places(&state);
		for (uint32_t quarters = 0; quarters < 3; quarters += 2) {
			cube_state3_compose(&next, &move[3 * face + quarters], &state);
			splits_of(small, &next, &then, ignored);
			wrong += then != turned[small->axis_of[face]];
		}
		cube_state3_compose(&next, &move[3 * face + 1], &state);
		splits_of(small, &next, &then, ignored);
		wrong += then != split;
		for (int axis = 0; axis < AXES; axis++) {
			int s = (int)gen_below(&gen, SYMMETRIES_UD);
			symmetries_conjugate(&small->symmetries, SYMMETRIES_UD * axis, &state,
					     &next);
			symmetries_conjugate(&small->symmetries, s, &next, &next);
			splits_of(small, &next, &then, ignored);
			wrong += then != small->split_image[axis][s][split];
		}
		cube_state3_compose(&state, &state, &move[m]);
		splits_of(small, &state, &then, ignored);
		wrong += then != small->split_move[split][m];
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(seen, SPLITS);
}
END_TEST

/* The moves of coordinates, by states that are turned. */
START_TEST(coordinates_are_moved_right)
{
	const struct optimal3 *small = tables;
	struct gen gen = {.state = 63};
	struct cube_state3 state = cube_state3_solved, next;
	for (int round = 0; round < 1000; round++) {
		uint32_t m = gen_below(&gen, MOVES);
		cube_state3_compose(&next, &state, &move[m]);
		uint32_t wrong = coordinate_twist.of(&next) !=
				 small->twist_move[coordinate_twist.of(&state)][m];
		wrong += coordinate_flip.of(&next) !=
			 small->flip_move[coordinate_flip.of(&state)][m];
		wrong += coordinate_slice.of(&next) !=
			 small->slice_move[coordinate_slice.of(&state)][m];
		ck_assert_uint_eq(wrong, 0);
		state = next;
	}
}
END_TEST

/* No state needs less than the tables say, along every axis; and what a half turn before it makes
 * of it is as far, what a quarter turn makes is as the other split says. */
static void check_bounds(const struct optimal3 *of, size_t step)
{
	size_t wrong = 0;
	for (int depth = 0; depth <= NEAR; depth++) {
		for (size_t i = near_first[depth]; i < near_first[depth + 1]; i += step) {
			uint8_t split, turned[AXES];
			splits_of(of, &near_state[i], &split, turned);
			for (int axis = 0; axis < AXES; axis++) {
				struct cube_state3 seen;
				symmetries_conjugate(&of->symmetries, SYMMETRIES_UD * axis,
						     &near_state[i], &seen);
				struct optimal3_where at = optimal3_find(
					of, coordinate_twist.of(&seen), coordinate_flip.of(&seen),
					coordinate_slice.of(&seen));
				uint64_t entry = entry_of(of, at.entry);
				wrong += optimal3_distance(of, axis, at.symmetry, entry, split) >
					 depth;
				wrong += optimal3_distance(of, axis, at.symmetry, entry,
							   turned[axis]) > depth + 1;
			}
		}
	}
	ck_assert_uint_eq(wrong, 0);
}

START_TEST(bounds_are_none_too_high)
{
	check_bounds(tables, 31);
}
END_TEST

/* ---- medium tables: flips of the edges that are not middle ones ---- */

/* As counted for the axis: flips of the middle edges do not matter, any other is. */
START_TEST(middle_edges_may_be_flipped)
{
	struct optimal3 *medium = calloc(1, sizeof(*medium));
	struct gen gen = {.state = 66};
	struct cube_state3 state = cube_state3_solved, other;
	uint32_t wrong = 0;
	ck_assert(medium);
	medium->flips = FLIPS_PACKED;
	medium->packed = 1;
	optimal3_make_coordinates(medium);
	for (int round = 0; round < 2000; round++) {
		cube_state3_compose(&state, &state, &move[gen_below(&gen, MOVES)]);
		const uint32_t twist = coordinate_twist.of(&state);
		const uint32_t slice = coordinate_slice.of(&state);
		struct optimal3_where at =
			optimal3_find(medium, twist, coordinate_flip.of(&state), slice);
		uint32_t a = gen_below(&gen, CUBE_EDGES), b = gen_below(&gen, CUBE_EDGES);
		other = state;
		other.piece[a] ^= 1u << CUBE_STATE3_TURN;
		other.piece[b] ^= 1u << CUBE_STATE3_TURN;
		struct optimal3_where then =
			optimal3_find(medium, twist, coordinate_flip.of(&other), slice);
		const bool middle = (state.piece[a] & state.piece[b] & 8) != 0;
		wrong += (at.entry == then.entry) != (middle || a == b);
		wrong += optimal3_pack(medium, slice, coordinate_flip.of(&state)) >= FLIPS_PACKED;
	}
	ck_assert_uint_eq(wrong, 0);
	free(medium);
}
END_TEST

/* The first passes give exactly what the states near the solved one have: no entry is nearer, none
 * farther, and none is missing. */
START_TEST(medium_tables_begin_right)
{
	const struct cube_solver_tables *row = &optimal3_tables[1];
	struct optimal3 *medium = aligned_alloc(CUBE_SOLVE_ALIGN, row->bytes);
	const size_t entries = (size_t)BLOCKS * FLIPS_PACKED;
	uint8_t *least = malloc(entries);
	size_t wrong = 0, seen = 0, reached = 0;
	ck_assert(medium && least);
	memset(least, 99, entries);
	cube_solver_make_begin(row, medium);
	for (unsigned step = 0; step < 2 + 3 * NEAR; step++)
		for (unsigned part = 0; part < row->parts; part++)
			row->make(medium, step, part);
	for (int depth = 0; depth <= NEAR; depth++) {
		for (size_t i = near_first[depth]; i < near_first[depth + 1]; i++) {
			const struct cube_state3 *state = &near_state[i];
			struct optimal3_where at = optimal3_find(medium, coordinate_twist.of(state),
								 coordinate_flip.of(state),
								 coordinate_slice.of(state));
			uint8_t split, turned[AXES];
			const uint64_t entry = entry_of(medium, at.entry);
			splits_of(medium, state, &split, turned);
			if (least[at.entry] == 99) {
				least[at.entry] = (uint8_t)depth;
				seen++;
				wrong += (entry >> ENTRY_DISTANCE & 15) != (uint64_t)depth;
			}
			wrong += optimal3_distance(medium, 0, at.symmetry, entry, split) > depth;
		}
	}
	for (size_t i = 0; i < entries; i++)
		reached += (entry_of(medium, i) >> ENTRY_DISTANCE & 15) <= NEAR;
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(reached, seen);
	free(least);
	free(medium);
}
END_TEST

/* An entry is as near as the nearest of those that differ in the flips of the middle edges, and
 * no state needs less. */
static void check_medium_by_large(const struct optimal3 *large)
{
	const struct cube_solver_tables *row = &optimal3_tables[1];
	struct optimal3 *medium = aligned_alloc(CUBE_SOLVE_ALIGN, row->bytes);
	size_t wrong = 0;
	ck_assert(medium);
	cube_solver_make(row, medium);
	for (uint32_t block = 0; block < BLOCKS; block++) {
		uint8_t least[FLIPS_PACKED];
		memset(least, 99, sizeof(least));
		for (uint32_t flip = 0; flip < FLIPS; flip++) {
			const uint32_t packed =
				optimal3_pack(medium, medium->block_slice[block], flip);
			const size_t at = (size_t)block * FLIPS + flip;
			const uint8_t distance =
				(uint8_t)(entry_of(large, at) >> ENTRY_DISTANCE & 15);
			least[packed] = distance < least[packed] ? distance : least[packed];
		}
		for (uint32_t packed = 0; packed < FLIPS_PACKED; packed++) {
			const uint64_t entry =
				entry_of(medium, (size_t)block * FLIPS_PACKED + packed);
			wrong += (entry >> ENTRY_DISTANCE & 15) != least[packed];
		}
	}
	ck_assert_uint_eq(wrong, 0);
	check_bounds(medium, 1);
	free(medium);
}

/* ---- bounds, and ends ---- */

static bool never(void *context, const struct cube_solve_progress *progress)
{
	int *calls = context;
	++*calls;
	ck_assert_uint_gt(progress->nodes, 0);
	return false;
}

START_TEST(searches_end_when_told)
{
	struct gen gen = {.state = 61};
	struct cube *cube = new_cube(3);
	cube_init(cube, 3);
	for (int i = 0; i < 60; i++)
		cube_turn(cube, gen_turn(&gen, 3));
	int calls = 0, bound = 0;
	struct cube_solve_task task = {.cube = cube, .carry_on = never, .context = &calls};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_uint_lt(solution.nodes, 10000);

	/* More nodes prove more. */
	for (uint64_t nodes = 5000; nodes <= 500000; nodes *= 10) {
		task = (struct cube_solve_task){.cube = cube, .nodes_max = nodes};
		ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
		ck_assert_uint_ge(solution.nodes, nodes);
		ck_assert_uint_lt(solution.nodes, nodes + 10000);
		ck_assert_int_ge(solution.bound, bound);
		bound = solution.bound;
	}
	ck_assert_int_ge(bound, 12);

	atomic_bool stop = true;
	task = (struct cube_solve_task){.cube = cube, .stop = &stop, .base = base};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_uint_lt(solution.nodes, 10000);

	/* The other method's solution is there at once. */
	task = (struct cube_solve_task){.cube = cube, .nodes_max = 40000, .base = base};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_STOPPED);
	ck_assert_int_ge(solution.length, 17);
	ck_assert_int_le(solution.length, 22);

	task.length_enough = solution.length;
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ENOUGH);

	/* There is none within eleven moves. */
	task = (struct cube_solve_task){.cube = cube, .length_max = 11, .base = base};
	ck_assert_int_eq(solve(&task), CUBE_SOLVE_ALL);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_int_eq(solution.bound, 12);
	free(cube);
}
END_TEST

/* Searches that share a cube find together what one finds. */
START_TEST(searches_are_shared)
{
	struct gen gen = {.state = 62};
	struct cube *cube = new_cube(3);
	for (int round = 0; round < 20; round++) {
		struct cube_solve_shared shared = {0};
		int best = 99, bound = 99;
		cube_init(cube, 3);
		for (int i = 0; i < round / 2; i++)
			cube_turn(cube, cube_turn_make(3, (int)gen_below(&gen, 6), 1, 1,
						       1 + gen_below(&gen, 3)));
		int length = length_of(cube);
		for (unsigned unit = 0; unit < 3; unit++) {
			struct cube_solve_task task = {.cube = cube,
						       .shared = &shared,
						       .unit = unit,
						       .step = 3,
						       .base = round % 2 ? base : NULL};
			ck_assert_int_ne(solve(&task), CUBE_SOLVE_STOPPED);
			if (solution.length >= 0) {
				ck_assert_int_lt(solution.length, best);
				best = solution.length;
			}
			bound = solution.bound < bound ? solution.bound : bound;
		}
		ck_assert_int_eq(best, length);
		ck_assert_int_le(bound, length);
		ck_assert_int_eq(atomic_load(&shared.best), length + 1);
	}
	free(cube);
}
END_TEST

/* One solution that is short enough ends all searches that share a cube. */
START_TEST(what_others_found_is_enough)
{
	struct gen gen = {.state = 63};
	struct cube *cube = new_cube(3);
	for (int i = 0; i < 60; i++)
		cube_turn(cube, gen_turn(&gen, 3));
	for (int enough = 19; enough <= 20; enough++) {
		struct cube_solve_shared shared = {.best = 20 + 1};
		struct cube_solve_task task = {.cube = cube,
					       .length_enough = enough,
					       .nodes_max = 50000,
					       .shared = &shared,
					       .unit = 1,
					       .step = 3};
		ck_assert_int_eq(solve(&task),
				 enough == 20 ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_STOPPED);
		ck_assert_int_eq(solution.length, -1);
		ck_assert(enough == 19 || solution.nodes < 10000);
	}
	free(cube);
}
END_TEST

/* ---- the large tables ---- */

START_TEST(large_tables)
{
	/* The number of values at each distance: H. Kociemba, http://kociemba.org/cube.htm. */
	static const uint64_t counts[DISTANCE_MAX + 1] = {
		1,        4,         50,        592,        7156,     87236, 1043817,
		12070278, 124946368, 821605960, 1199128738, 58202444, 476};
	static const struct position positions[] = {
		{"F L F U' R U F2 L2 U' L' B D' B' L2 U", 15},         /* a cube in a cube */
		{"F B2 R' D2 B R U D' R L' D' F' R2 D F2 B'", 16},     /* checkerboards, order 3 */
		{"U' L' U' F' R2 B' R F U B2 U B' L U' F U R F'", 17}, /* cubes in a cube */
		{"U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", 20}, /* superflip: 2 min */
	};
	uint64_t count[16] = {0};
	const struct optimal3 *large;
	void *small = tables;
	if (!getenv("CUBED_TEST_LONG"))
		return;
	tables = aligned_alloc(CUBE_SOLVE_ALIGN, optimal3_tables[2].bytes);
	uint32_t *stands = calloc(BLOCKS, sizeof(*stands));
	ck_assert(tables && stands);
	cube_solver_make(&optimal3_tables[2], tables);
	large = tables;
	check_medium_by_large(large);
	/* A block stands for as many twists and slices as are in its class. */
	for (uint32_t twist = 0; twist < TWISTS; twist++)
		for (uint32_t slice = 0; slice < SLICES; slice++)
			stands[optimal3_find(large, twist, 0, slice).entry / FLIPS]++;
	for (size_t i = 0; i < (size_t)BLOCKS * FLIPS; i++)
		count[entry_of(large, i) >> ENTRY_DISTANCE & 15] += stands[i / FLIPS];
	free(stands);
	for (int i = 0; i <= DISTANCE_MAX; i++)
		ck_assert_uint_eq(count[i], counts[i]);
	check_bounds(large, 1);
	check_positions(positions, sizeof(positions) / sizeof(positions[0]));
	free(tables);
	tables = small;
}
END_TEST

int main(void)
{
	solver = cube_solver_find("optimal", 7, 3);
	tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	base = aligned_alloc(CUBE_SOLVE_ALIGN, solver->base->tables[0].bytes);
	cube_solver_make(&solver->tables[0], tables);
	cube_solver_make(&solver->base->tables[0], base);
	Suite *suite = suite_create("optimal3");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 1200);
	tcase_add_unchecked_fixture(all, find_near, NULL);
	tcase_add_test(all, near_states);
	tcase_add_test(all, both_sides_meet);
	tcase_add_test(all, known_positions);
	tcase_add_test(all, small_tables_are_right);
	tcase_add_test(all, parts_are_made_in_any_order);
	tcase_add_test(all, splits_are_those_of_states);
	tcase_add_test(all, coordinates_are_moved_right);
	tcase_add_test(all, bounds_are_none_too_high);
	tcase_add_test(all, middle_edges_may_be_flipped);
	tcase_add_test(all, medium_tables_begin_right);
	tcase_add_test(all, searches_end_when_told);
	tcase_add_test(all, searches_are_shared);
	tcase_add_test(all, what_others_found_is_enough);
	tcase_add_test(all, large_tables);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 12);
	free(near_state);
	free(near_slot);
	free(tables);
	free(base);
	return status;
}
