/* tests/core/test_large.c: the large tables of the two-phase method, in long runs: they take 275 MB
 * and some seconds to make. */
#include "core/solve/two_phase/tables.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

static struct large_tables *large;

START_TEST(rows_have_the_sizes_promised)
{
	ck_assert_uint_eq(two_phase_tables[0].bytes, sizeof(struct small_tables));
	ck_assert_uint_lt(two_phase_tables[0].bytes, 20000000);
	ck_assert_uint_eq(two_phase_tables[1].bytes, sizeof(struct large_tables));
	ck_assert_uint_lt(two_phase_tables[1].bytes, 700000000);
}
END_TEST

/* Checks the numbers of cosets at each distance, published by H. Kociemba,
 * http://kociemba.org/cube.htm. A class's pair stands for as many as it has images. */
START_TEST(cosets_are_as_many_as_published)
{
	static const uint64_t published[16] = {1,          4,        50,       592,       7156,
					       87236,      1043817,  12070278, 124946368, 821605960,
					       1199128738, 58202444, 476};
	uint64_t count[16] = {0};
	if (!large)
		return;
	for (uint32_t class = 0; class < COSET_CLASSES; class ++) {
		int images = 16 / __builtin_popcount(large->coset.fixed[class]);
		for (uint32_t twist = 0; twist < TWISTS; twist++)
			count[large->coset.distance[class][twist] & 15] += (uint64_t)images;
	}
	ck_assert_mem_eq(count, published, sizeof(count));
}
END_TEST

/* Never more than the moves that made a state, never less than the small bound of it. */
START_TEST(bounds_hold)
{
	struct gen gen = {.state = 60};
	if (!large)
		return;
	const struct phases *phases = &large->small.phases;
	for (int round = 0; round < 20000; round++) {
		struct cube_state3 state = cube_state3_solved, inner = cube_state3_solved;
		int length = (int)gen_below(&gen, 18);
		for (int i = 0; i < length; i++) {
			cube_state3_compose(&state, &state, &phases->moves[gen_below(&gen, MOVES)]);
			uint8_t m = phase2_moves[gen_below(&gen, MOVES_2)];
			cube_state3_compose(&inner, &inner, &phases->moves[m]);
		}
		const struct outside outside = {(uint16_t)coordinate_twist.of(&state),
						(uint16_t)coordinate_flip.of(&state),
						(uint16_t)coordinate_slice.of(&state)};
		int distance = large_distance_1(large, outside);
		uint64_t hash = phase1_hash(phases, outside);
		uint32_t corners = phases->corner_class[coordinate_corners.of(&inner)];
		if (distance > length || distance < phase1_nearer(phases, hash) ||
		    (distance <= NEAR_1 && !phase1_within(phases, hash)) ||
		    large_bound_2(large, corners, coordinate_edges.of(&inner)) > length)
			ck_abort_msg("round %d", round);
	}
}
END_TEST

/* The same solutions as with the small ones, found with fewer nodes. */
START_TEST(solutions_are_those_of_the_small)
{
	const struct cube_solver *solver = cube_solver_find("two_phase", 9, 3);
	struct gen gen = {.state = 61};
	uint64_t nodes[2] = {0};
	if (!large)
		return;
	struct cube *cube = new_cube(3);
	cube_init(cube, 3);
	struct small_tables *small = aligned_alloc(CUBE_SOLVE_ALIGN, sizeof(*small));
	cube_solver_make(&two_phase_tables[0], small);
	for (int round = 0; round < 300; round++) {
		struct cube_turn turns[2][CUBE_SOLUTION_MAX];
		int length[2];
		for (int i = 0; i < 60; i++)
			cube_turn(cube, gen_turn(&gen, 3));
		for (int i = 0; i < 2; i++) {
			struct cube_solution solution = {.turns = turns[i],
							 .room = CUBE_SOLUTION_MAX};
			struct cube_solve_task task = {.cube = cube, .length_enough = 21};
			ck_assert_int_eq(
				solver->solve(i ? (void *)large : (void *)small, &task, &solution),
				CUBE_SOLVE_ENOUGH);
			length[i] = solution.length;
			nodes[i] += solution.nodes;
		}
		ck_assert_int_le(length[0], 21);
		ck_assert_int_le(length[1], 21);
		cube_turn_all(cube, turns[1], (size_t)length[1]);
		ck_assert(cube_is_solved(cube));
	}
	ck_assert_uint_lt(2 * nodes[1], nodes[0]);
	free(small);
	free(cube);
}
END_TEST

int main(void)
{
	if (gen_long()) {
		large = aligned_alloc(CUBE_SOLVE_ALIGN, sizeof(*large));
		cube_solver_make(&two_phase_tables[1], large);
	}
	Suite *suite = suite_create("large");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, rows_have_the_sizes_promised);
	tcase_add_test(all, cosets_are_as_many_as_published);
	tcase_add_test(all, bounds_hold);
	tcase_add_test(all, solutions_are_those_of_the_small);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 4);
	free(large);
	return status;
}
