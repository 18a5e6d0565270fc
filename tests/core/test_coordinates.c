/* tests/core/test_coordinates.c: symmetries, coordinates, classes and pruning tables against real
 * turns. */
#include "core/solve/phases.h"
#include "tests/core/both.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static struct phases *phases;

static struct cube_state3 random_state(struct gen *gen, const uint8_t *moves, uint32_t count)
{
	struct cube_state3 state = cube_state3_solved;
	for (int i = 0; i < 50; i++)
		cube_state3_compose(&state, &state, &phases->moves[moves[gen_below(gen, count)]]);
	return state;
}

static const uint8_t all_moves[MOVES] = {0, 1,  2,  3,  4,  5,  6,  7,  8,
					 9, 10, 11, 12, 13, 14, 15, 16, 17};

/* S' S'' ... : a symmetry keeps products, is undone by its inverse, and takes moves to moves of
 * faces that lie to one another as before. */
START_TEST(symmetries_keep_the_group)
{
	struct gen gen = {.state = 50};
	const struct symmetries *all = &phases->symmetries;
	for (int s = 0; s < SYMMETRIES; s++) {
		struct cube_state3 a = random_state(&gen, all_moves, MOVES), seen, back;
		struct cube_state3 b = random_state(&gen, all_moves, MOVES), ab, sa, sb;
		symmetries_conjugate(all, s, &a, &seen);
		ck_assert(cube_state3_possible(&seen));
		symmetries_conjugate(all, all->inverse[s], &seen, &back);
		ck_assert(cube_state3_equal(&a, &back));
		cube_state3_compose(&ab, &a, &b);
		symmetries_conjugate(all, s, &a, &sa);
		symmetries_conjugate(all, s, &b, &sb);
		symmetries_conjugate(all, s, &ab, &seen);
		cube_state3_compose(&back, &sa, &sb);
		ck_assert(cube_state3_equal(&seen, &back));
		for (int m = 0; m < MOVES; m++) {
			int face = move_face(all->move[s][m]);
			ck_assert_int_eq(move_face(all->move[s][(m + 9) % MOVES]), (face + 3) % 6);
			ck_assert_int_eq(move_is_half(all->move[s][m]), move_is_half(m));
			/* A mirror turns quarter turns round. */
			ck_assert(move_is_half(m) || (move_quarters(all->move[s][m]) ==
						      move_quarters(m)) == (s % 2 == 0));
			ck_assert(s >= SYMMETRIES_UD || (face % 3 == 0) == (move_face(m) % 3 == 0));
			ck_assert(s >= SYMMETRIES_ALL || face % 3 == move_face(m) % 3);
		}
		for (int t = 0; t < s; t++)
			ck_assert(memcmp(all->move[s], all->move[t], MOVES) != 0);
	}
}
END_TEST

START_TEST(symmetries_follow_one_another)
{
	struct gen gen = {.state = 51};
	const struct symmetries *all = &phases->symmetries;
	for (int s = 0; s < SYMMETRIES_UD; s++) {
		for (int t = 0; t < SYMMETRIES_UD; t++) {
			struct cube_state3 a = random_state(&gen, all_moves, MOVES), one, both;
			symmetries_conjugate(all, s, &a, &one);
			symmetries_conjugate(all, t, &one, &one);
			symmetries_conjugate(all, all->then[s][t], &a, &both);
			ck_assert(cube_state3_equal(&one, &both));
		}
	}
}
END_TEST

/* Every value has a state that cubes can have, and that state has the value. */
START_TEST(coordinates_are_numbers_of_states)
{
	const struct coordinate *coordinates[] = {
		&coordinate_twist,   &coordinate_flip,  &coordinate_slice,  &coordinate_ribbon,
		&coordinate_corners, &coordinate_edges, &coordinate_middle, &coordinate_spread};
	for (size_t i = 0; i < sizeof(coordinates) / sizeof(coordinates[0]); i++) {
		for (uint32_t value = 0; value < coordinates[i]->count; value++) {
			struct cube_state3 state;
			coordinates[i]->state(value, &state);
			if (coordinates[i]->of(&state) != value)
				ck_abort_msg("coordinate %zu: %u", i, value);
		}
	}
	ck_assert_uint_eq(coordinate_twist.of(&cube_state3_solved), 0);
	ck_assert_uint_eq(coordinate_flip.of(&cube_state3_solved), 0);
	ck_assert_uint_eq(coordinate_ribbon.of(&cube_state3_solved), 0);
}
END_TEST

/* The tables say what turning says; a bound is never more than the moves that made a state, and
 * 0 where phase 1 is done. */
START_TEST(phase_1_is_as_turned)
{
	struct gen gen = {.state = 52};
	for (uint32_t round = 0; round < gen_states(2000); round++) {
		struct cube_state3 state = cube_state3_solved;
		uint32_t twist = 0, flip = 0, ribbon = 0;
		for (int i = 1; i <= 20; i++) {
			uint32_t m = gen_below(&gen, MOVES);
			cube_state3_compose(&state, &state, &phases->moves[m]);
			twist = phases->twist_move[twist][m];
			flip = phases->flip_move[flip][m];
			ribbon = phases->ribbon_move[ribbon][m];
			int bound = phase1_bound(phases, twist, flip, ribbon);
			if (twist != coordinate_twist.of(&state) ||
			    flip != coordinate_flip.of(&state) ||
			    ribbon != coordinate_ribbon.of(&state) || bound > i ||
			    (bound == 0) != (twist == 0 && flip == 0 && ribbon / 16 == 0))
				ck_abort_msg("after %d moves", i);
		}
	}
}
END_TEST

START_TEST(phase_2_is_as_turned)
{
	struct gen gen = {.state = 53};
	for (uint32_t round = 0; round < gen_states(2000); round++) {
		struct cube_state3 state = cube_state3_solved;
		uint32_t corners = phases->corner_class[coordinate_corners.of(&state)];
		uint32_t edges = phases->edge_class[coordinate_edges.of(&state)];
		uint32_t spread = coordinate_spread.of(&state);
		for (int i = 1; i <= 25; i++) {
			uint32_t m = gen_below(&gen, MOVES_2);
			cube_state3_compose(&state, &state, &phases->moves[phase2_moves[m]]);
			corners = phase2_after(phases, corners, phases->corner_class_move, m);
			edges = phase2_after(phases, edges, phases->edge_class_move, m);
			spread = phases->spread_move[spread][m];
			int bound = phase2_bound(phases, corners, edges, spread);
			uint32_t c = phases->corner_class[coordinate_corners.of(&state)];
			uint32_t e = phases->edge_class[coordinate_edges.of(&state)];
			/* Of a symmetric state, the symmetry may be another one. */
			if (c / 16 != corners / 16 || e / 16 != edges / 16 ||
			    spread != coordinate_spread.of(&state) || bound > i ||
			    bound != phase2_bound(phases, c, e, spread) ||
			    (cube_state3_equal(&state, &cube_state3_solved) && bound != 0))
				ck_abort_msg("after %d moves", i);
		}
	}
}
END_TEST

/* In a table of distances a move changes an entry by one at most, and but for the solved state
 * there is always one that brings it nearer. */
START_TEST(pruning_tables_are_distances)
{
	struct gen gen = {.state = 54};
	for (uint32_t round = 0; round < gen_states(20000); round++) {
		uint32_t twist = gen_below(&gen, TWISTS), ribbon = gen_below(&gen, RIBBONS);
		uint32_t r = phases->ribbon_class[ribbon];
		int here = phases->ribbon_twist[r / 16][phases->twist_image[r % 16][twist]];
		int nearest = 99, farthest = 0;
		for (int m = 0; m < MOVES; m++) {
			uint32_t next = phases->twist_move[twist][m];
			r = phases->ribbon_class[phases->ribbon_move[ribbon][m]];
			int there = phases->ribbon_twist[r / 16][phases->twist_image[r % 16][next]];
			nearest = there < nearest ? there : nearest;
			farthest = there > farthest ? there : farthest;
		}
		if (here > 0 && (nearest != here - 1 || farthest > here + 1))
			ck_abort_msg("twist %u, ribbon %u", twist, ribbon);
	}
}
END_TEST

int main(void)
{
	phases = aligned_alloc(CUBE_SOLVE_ALIGN, (sizeof(*phases) + 63) / 64 * 64);
	phases_make(phases);
	Suite *suite = suite_create("coordinates");
	TCase *all = tcase_create("all");
	tcase_add_test(all, symmetries_keep_the_group);
	tcase_add_test(all, symmetries_follow_one_another);
	tcase_add_test(all, coordinates_are_numbers_of_states);
	tcase_add_test(all, phase_1_is_as_turned);
	tcase_add_test(all, phase_2_is_as_turned);
	tcase_add_test(all, pruning_tables_are_distances);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 6);
	free(phases);
	return status;
}
