/* tests/core/test_coordinates.c: symmetries, coordinates, classes and pruning tables against real
 * turns. */
#include "core/solve/two_phase/phases.h"
#include "tests/core/checked_cube.h"
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
		&coordinate_twist, &coordinate_flip,   &coordinate_slice,  &coordinate_corners,
		&coordinate_edges, &coordinate_middle, &coordinate_places, &coordinate_spread};
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
	ck_assert_uint_eq(coordinate_corners.of(&cube_state3_solved), 0);
	ck_assert_uint_eq(coordinate_edges.of(&cube_state3_solved), 0);
	ck_assert_uint_eq(coordinate_middle.of(&cube_state3_solved), 0);
}
END_TEST

static struct outside outside_of(const struct cube_state3 *state)
{
	return (struct outside){.twist = (uint16_t)coordinate_twist.of(state),
				.flip = (uint16_t)coordinate_flip.of(state),
				.slice = (uint16_t)coordinate_slice.of(state)};
}

/* The tables say what turning says, and a state that some moves made seems as near as that, from
 * wherever it is seen. */
START_TEST(phase_1_is_as_turned)
{
	struct gen gen = {.state = 52};
	for (uint32_t round = 0; round < gen_states(5000); round++) {
		struct cube_state3 state = cube_state3_solved, seen;
		struct outside outside = {0};
		for (int i = 1; i <= 12; i++) {
			uint32_t m = gen_below(&gen, MOVES);
			cube_state3_compose(&state, &state, &phases->moves[m]);
			outside = phase1_after(phases, outside, (int)m);
			struct outside again = outside_of(&state);
			if (memcmp(&outside, &again, sizeof(again)) != 0)
				ck_abort_msg("after %d moves", i);
			symmetries_conjugate(&phases->symmetries,
					     (int)gen_below(&gen, SYMMETRIES_UD), &state, &seen);
			uint64_t hash = phase1_hash(phases, outside_of(&seen));
			if (phase1_nearer(phases, hash) > i ||
			    (i <= NEAR_1 && !phase1_within(phases, hash)))
				ck_abort_msg("not near after %d moves", i);
		}
	}
}
END_TEST

/* 6.0 in a thousand random states are within 7 moves of the group. As states share their places in
 * the table, about one in twenty seems to be, and one in two hundred seems nearer than 7. */
START_TEST(phase_1_is_seldom_near)
{
	struct gen gen = {.state = 55};
	const int count = 20000;
	int within = 0, nearer = 0;
	for (int i = 0; i < count; i++) {
		struct outside outside = {.twist = (uint16_t)gen_below(&gen, TWISTS),
					  .flip = (uint16_t)gen_below(&gen, FLIPS),
					  .slice = (uint16_t)gen_below(&gen, SLICES)};
		uint64_t hash = phase1_hash(phases, outside);
		within += phase1_within(phases, hash);
		nearer += phase1_within(phases, hash) && phase1_nearer(phases, hash) < NEAR_1;
	}
	ck_assert_int_gt(within, count / 1000);
	ck_assert_int_lt(within, count / 14);
	ck_assert_int_lt(nearer, count / 100);
}
END_TEST

static struct inside inside_of(const struct cube_state3 *state)
{
	return (struct inside){phases->corner_class[coordinate_corners.of(state)],
			       phases->edge_class[coordinate_edges.of(state)],
			       (uint16_t)coordinate_spread.of(state)};
}

START_TEST(phase_2_is_as_turned)
{
	struct gen gen = {.state = 53};
	for (uint32_t round = 0; round < gen_states(5000); round++) {
		struct cube_state3 state = cube_state3_solved, seen;
		struct inside inside = inside_of(&state);
		ck_assert(inside_solved(inside));
		for (int i = 1; i <= 20; i++) {
			uint32_t m = gen_below(&gen, MOVES_2);
			cube_state3_compose(&state, &state, &phases->moves[phase2_moves[m]]);
			inside = phase2_after(phases, inside, m);
			symmetries_conjugate(&phases->symmetries,
					     (int)gen_below(&gen, SYMMETRIES_UD), &state, &seen);
			const struct inside again = inside_of(&state), other = inside_of(&seen);
			/* A symmetric state may be reached by another symmetry. */
			if (again.corners / 16 != inside.corners / 16 ||
			    again.edges / 16 != inside.edges / 16 ||
			    again.spread != inside.spread || phase2_bound(phases, inside) > i ||
			    phase2_bound(phases, inside) != phase2_bound(phases, other) ||
			    cube_state3_equal(&state, &cube_state3_solved) != inside_solved(inside))
				ck_abort_msg("after %d moves", i);
			if (i <= NEAR_2 && !(phase2_near(phases, phase2_hash(phases, inside), i) &&
					     phase2_near(phases, phase2_hash(phases, other), i)))
				ck_abort_msg("not near after %d moves", i);
		}
	}
}
END_TEST

/* A thousandth of the states of phase 2 is within 9 moves; one in seven seems to be, and one in
 * thirty to be within 8. */
START_TEST(phase_2_is_seldom_near)
{
	struct gen gen = {.state = 56};
	const int count = 20000;
	int within = 0, nearer = 0;
	struct inside inside = inside_of(&cube_state3_solved);
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 30; k++)
			inside = phase2_after(phases, inside, gen_below(&gen, MOVES_2));
		const uint64_t hash = phase2_hash(phases, inside);
		within += phase2_near(phases, hash, NEAR_2);
		nearer += phase2_near(phases, hash, NEAR_2 - 1);
	}
	ck_assert_int_lt(within, count / 6);
	ck_assert_int_lt(nearer, count / 25);
}
END_TEST

/* In a table of distances a move changes an entry by one at most, and but for the solved state
 * there is always one that brings it nearer. */
START_TEST(pruning_tables_are_distances)
{
	struct gen gen = {.state = 54};
	struct inside inside = inside_of(&cube_state3_solved);
	for (uint32_t round = 0; round < gen_states(50000); round++) {
		int here = 0, nearest = 99, farthest = 0;
		for (uint32_t m = 0; m <= MOVES_2; m++) {
			struct inside next = m < MOVES_2 ? phase2_after(phases, inside, m) : inside;
			uint32_t places = next.spread / MIDDLES;
			here = phases->corner_places[next.corners / 16]
						    [phases->places_image[next.corners % 16]
									 [places]];
			if (m == MOVES_2)
				break;
			nearest = here < nearest ? here : nearest;
			farthest = here > farthest ? here : farthest;
		}
		if (farthest > here + 1 || nearest < here - 1 || (here > 0 && nearest >= here))
			ck_abort_msg("round %u", round);
		inside = phase2_after(phases, inside, gen_below(&gen, MOVES_2));
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
	tcase_add_test(all, phase_1_is_seldom_near);
	tcase_add_test(all, phase_2_is_as_turned);
	tcase_add_test(all, phase_2_is_seldom_near);
	tcase_add_test(all, pruning_tables_are_distances);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 8);
	free(phases);
	return status;
}
