/* tests/core/test_subgroup.c: the states that a few turns lead to: how many, which, and turns that
 * make them. */
#include "core/solve/optimal/optimal2.h"
#include "core/solve/subgroup/subgroup_internal.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"
#include "tests/core/uniform.h"

#include <string.h>

static struct cube_subgroup *subgroup;
static struct cube_seeded seeded;
static const struct cube_random source = {cube_seeded_next, &seeded};
static struct cube *cube, *other;
static struct cube_turn turns[CUBE_SUBGROUP_LONGEST];

/* Makes the subgroup of these moves. */
static void make(int size, const char *generators)
{
	struct cube_turn given[16];
	const size_t count = parsed_turns(generators, size, given);
	const size_t bytes = cube_subgroup_make(size, given, count, subgroup);
	ck_assert_uint_le(bytes, CUBE_SUBGROUP_BYTES);
	ck_assert_uint_ge(bytes, sizeof(*subgroup));
	cube_init(cube, size);
	cube_init(other, size);
}

/* The cube of these moves, without spins of centres. */
static const struct cube *cube_of(int size, const char *moves)
{
	struct cube_turn given[64];
	cube_init(cube, size);
	cube_turn_all(cube, given, parsed_turns(moves, size, given));
	memset(cube->spin, 0, sizeof(cube->spin));
	return cube;
}

/* ---- orders ---- */

/* Products of what pieces can do: orders and turns of corners, then of edges, then ways to hold the
 * centres, halved if quarter turns tie their parities. R and U make 120 of the 720 orders of their
 * six corners, as PGL(2, 5) acts on a projective line. Half turns alone: counted by M.
 * Thistlethwaite. */
static const struct {
	int size;
	const char *generators, *order;
} orders[] = {
	{3, "U", "4"},
	{3, "U D", "16"},
	{3, "R2 U2", "12"},
	{3, "R2 U2 F2", "2592"},
	{3, "U2 R2 F2 D2 L2 B2", "663552"},
	{3, "R2 U", "14400"},   /* 120 * 5! 2 / 2 */
	{3, "R U", "73483200"}, /* 120 3^5 * 7! / 2 */
	{3, "F' L", "73483200"},
	{3, "U D R2 L2 F2 B2", "19508428800"},    /* 8! * 8! 4! / 2 */
	{3, "R U F", "170659735142400"},          /* 7! 3^6 * 9! 2^8 / 2 */
	{3, "R L U", "159993501696000"},          /* 8! 3^7 * 10! / 2 */
	{3, "R L U D", "21119142223872000"},      /* 8! 3^7 * 12! / 2 */
	{3, "R L U D F", "43252003274489856000"}, /* 8! 3^7 * 12! 2^11 / 2 */
	{3, "R L U D F B", "43252003274489856000"},
	{3, "M U", "184320"},           /* 4 * 6! 2^5 * 4 / 2 */
	{3, "M E S", "768"},            /* 4^3 * 24 / 2 */
	{3, "R Rw U", "5417769369600"}, /* 120 3^5 * 9! 2^8 * 4 / 2 */
	{2, "R2 U2", "6"},
	{2, "R2 U2 F2", "24"},
	{2, "R U", "29160"},            /* 120 3^5 */
	{2, "R U F", "3674160"},        /* 7! 3^6 */
	{2, "R U F D L B", "88179840"}, /* 8! 3^7 */
};

START_TEST(orders_are_the_known_ones)
{
	group_order order = 0;
	make(orders[_i].size, orders[_i].generators);
	for (const char *digit = orders[_i].order; *digit; digit++) {
		order *= 10;
		order += (unsigned)(*digit - '0');
	}
	ck_assert_uint_eq(cube_subgroup_order(subgroup).high, (uint64_t)(order >> 64));
	ck_assert_uint_eq(cube_subgroup_order(subgroup).low, (uint64_t)order);
}
END_TEST

/* ---- membership ---- */

static const struct {
	int size;
	const char *generators;
} sets[] = {
	{3, "U D"},      {3, "R2 U2"},       {3, "R U"},    {3, "B' L"},
	{3, "R U F"},    {3, "R L U"},       {3, "M U"},    {3, "Rw U"},
	{3, "R U2"},     {3, "R M U"},       {3, "R2 U F"}, {3, "U D R2 L2 F2 B2"},
	{2, "R2 U2 F2"}, {2, "R U"},         {2, "R U F"},  {2, "L U B"},
	{2, "R L U"},    {2, "R L U D F B"},
};
#define SETS (int)(sizeof(sets) / sizeof(sets[0]))

/* After random turns of the generators, each cube is a member. */
static void check_members(const struct cube_turn *given, size_t count, uint64_t seed)
{
	struct gen gen = {seed};
	for (uint32_t i = 0; i < gen_rounds(200); i++) {
		if (!cube_subgroup_has(subgroup, cube))
			ck_abort_msg("after %u turns", i);
		cube_turn(cube, given[gen_below(&gen, (uint32_t)count)]);
	}
}

START_TEST(other_states_are_no_members)
{
	static const struct {
		int size;
		const char *generators, *moves;
	} outside[] = {
		{3, "U D", "R"},
		{3, "R2 U2", "R U"},
		{3, "R U", "F"},
		{3, "R U", "x"},
		{3, "R U", "M2 E2 S2"},
		/* Three corners change places within those of R and U, which no turns of these do.
		 * */
		{3, "R U", "R' F R' B2 R F' R' B2 R2"},
		{3, "R U F", "D"},
		{3, "R L U", "F R U R' U' F'"},
		{3, "M U", "R U R' U'"},
		{3, "U D R2 L2 F2 B2", "F"},
		{2, "R2 U2 F2", "R"},
		{2, "R U F", "L"},
	};
	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		make(outside[i].size, outside[i].generators);
		if (cube_subgroup_has(subgroup, cube_of(outside[i].size, outside[i].moves)))
			ck_abort_msg("<%s> has %s", outside[i].generators, outside[i].moves);
	}
	/* One state of 10^5 and more is a member of these. */
	make(3, "R U F");
	for (int i = 0; i < 100; i++) {
		uint8_t colors[54];
		cube_random_cube(&source, 3, cube, colors);
		ck_assert(!cube_subgroup_has(subgroup, cube));
	}
	/* No turns do that: two stickers have changed places, of two corners and of one. */
	cube_init(cube, 3);
	cube->sticker[0] = 2;
	cube->sticker[2] = 0;
	ck_assert(!cube_subgroup_has(subgroup, cube));
	cube_init(cube, 3);
	cube->sticker[9] = 20;
	cube->sticker[20] = 9;
	ck_assert(!cube_subgroup_has(subgroup, cube));
}
END_TEST

/* ---- random states ---- */

#define STATES 2592

/* Draws states of a small subgroup: each of them comes, and as often as the others. */
static void check_draws(int size, const char *generators, int states, int each)
{
	static uint32_t seen[STATES];
	static uint16_t sticker[STATES][54];
	const size_t bytes = cube_facelets(size) * sizeof(uint16_t);
	int found = 0;
	make(size, generators);
	memset(seen, 0, sizeof(seen));
	for (int i = 0; i < states * each; i++) {
		int at = 0;
		cube_subgroup_draw(subgroup, &source, cube);
		while (at < found && memcmp(sticker[at], cube->sticker, bytes) != 0)
			at++;
		if (at == found) {
			ck_assert_int_lt(found, states);
			memcpy(sticker[found++], cube->sticker, bytes);
		}
		seen[at]++;
	}
	ck_assert_int_eq(found, states);
	check_uniform(seen, states);
}

START_TEST(states_of_small_subgroups_are_uniform)
{
	check_draws(3, "U D", 16, 1000);
	check_draws(3, "R2 U2", 12, 1000);
	check_draws(3, "R2 U2 F2", 2592, 20);
	check_draws(3, "M E S", 768, 40);
	check_draws(2, "R2 U2 F2", 24, 1000);
	check_draws(2, "R2 U", 120, 200);
}
END_TEST

/* All 18 stickers of corners come to URF, all seven edges to UF, and halves of the 120 orders of
 * corners are even. */
START_TEST(states_of_two_faces_are_uniform)
{
	uint32_t corner[POINTS] = {0}, edge[POINTS] = {0}, parity[2] = {0};
	make(3, "R U");
	for (uint32_t i = 0; i < gen_states(20000); i++) {
		struct cube_cubies cubies;
		struct perm perm;
		cube_subgroup_draw(subgroup, &source, cube);
		perm_from_cube(&perm, cube);
		corner[perm.to[0]]++;
		edge[perm.to[POINTS_CORNERS + 2]]++;
		cube_cubies_of(&cubies, cube);
		parity[cube_rank(cubies.corner_permutation, 8) / 20160]++;
	}
	size_t corners = 0, edges = 0;
	for (size_t i = 0; i < POINTS; i++) {
		corner[corners] = corner[i];
		corners += corner[i] > 0;
		edge[edges] = edge[i];
		edges += edge[i] > 0;
	}
	ck_assert_uint_eq(corners, 18);
	ck_assert_uint_eq(edges, 7);
	check_uniform(corner, 18);
	check_uniform(edge, 7);
	check_uniform(parity, 2);
}
END_TEST

/* ---- turns ---- */

/* Returns true if a turn is one that the generators stand for. */
static bool is_allowed(struct cube_turn turn, const struct cube_turn *given, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (turn.face == given[i].face && turn.from == given[i].from &&
		    turn.to == given[i].to && turn.style == given[i].style && turn.quarters != 0 &&
		    (given[i].quarters % 2 != 0 || turn.quarters % 2 == 0))
			return true;
	return false;
}

static void check_turns(const struct cube_turn *given, size_t count, int size, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		cube_subgroup_draw(subgroup, &source, cube);
		ck_assert(cube_subgroup_has(subgroup, cube));
		const int length = cube_subgroup_turns(subgroup, cube, turns);
		ck_assert_int_ge(length, 0);
		ck_assert_int_le(length, CUBE_SUBGROUP_LONGEST);
		cube_init(other, size);
		cube_turn_all(other, turns, (size_t)length);
		memset(other->spin, 0, sizeof(other->spin));
		ck_assert(cube_equal(cube, other));
		for (int k = 0; k < length; k++) {
			ck_assert(is_allowed(turns[k], given, count));
			for (int b = k; b-- > 0 && turns[b].face % 3 == turns[k].face % 3;)
				ck_assert(turns[b].face != turns[k].face ||
					  turns[b].from != turns[k].from ||
					  turns[b].to != turns[k].to);
		}
	}
}

START_TEST(turns_of_the_generators_make_each_state)
{
	struct cube_turn given[16];
	const size_t count = parsed_turns(sets[_i].generators, sets[_i].size, given);
	make(sets[_i].size, sets[_i].generators);
	ck_assert(cube_subgroup_writes(subgroup));
	check_members(given, count, (uint64_t)_i + 1);
	check_turns(given, count, sets[_i].size, gen_rounds(20));
	cube_init(cube, sets[_i].size);
	ck_assert_int_eq(cube_subgroup_turns(subgroup, cube, turns), 0);
}
END_TEST

/* All pairs of adjacent faces are the same but for a rotation. */
START_TEST(any_two_adjacent_faces_have_as_many_states)
{
	for (int a = 0; a < CUBE_FACES; a++)
		for (int b = 0; b < a; b++) {
			const struct cube_turn given[] = {cube_turn_make(3, a, 1, 1, -1),
							  cube_turn_make(3, b, 1, 1, 1)};
			if (a % 3 == b % 3)
				continue;
			cube_subgroup_make(3, given, 2, subgroup);
			ck_assert_uint_eq(cube_subgroup_order(subgroup).low, 73483200);
			cube_init(cube, 3);
			check_turns(given, 2, 3, 1);
		}
}
END_TEST

/* God's number of two faces is 20 (in half turns as one), and the search comes near it. */
START_TEST(turns_of_two_faces_are_few)
{
	make(3, "R U");
	for (uint32_t i = 0; i < gen_rounds(100); i++) {
		cube_subgroup_draw(subgroup, &source, cube);
		ck_assert_int_le(cube_subgroup_turns(subgroup, cube, turns), 20);
	}
}
END_TEST

START_TEST(turns_of_a_2x2x2_are_shortest)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 2);
	void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], tables);
	make(2, "R U F");
	for (uint32_t i = 0; i < gen_states(500); i++) {
		cube_subgroup_draw(subgroup, &source, cube);
		const uint32_t index = (uint32_t)cube_index_of(cube).low;
		ck_assert_int_eq(cube_subgroup_turns(subgroup, cube, turns),
				 optimal2_distance(tables, index, CUBE_SOLVE_HTM));
	}
	free(tables);
}
END_TEST

/* Half turns of three faces, all states by breadth first over cubes alone. */
START_TEST(turns_with_one_phase_are_shortest)
{
	static uint16_t sticker[STATES][54];
	static int length[STATES];
	struct cube_turn given[3];
	const size_t bytes = sizeof(sticker[0]), count = parsed_turns("R2 U2 F2", 3, given);
	int found = 1;
	make(3, "R2 U2 F2");
	memcpy(sticker[0], cube->sticker, bytes);
	length[0] = 0;
	for (int i = 0; i < found; i++) {
		memcpy(cube->sticker, sticker[i], bytes);
		ck_assert(cube_subgroup_has(subgroup, cube));
		ck_assert_int_eq(cube_subgroup_turns(subgroup, cube, turns), length[i]);
		for (size_t t = 0; t < count; t++) {
			int at = 0;
			cube_copy(other, cube);
			cube_turn(other, given[t]);
			while (at < found && memcmp(sticker[at], other->sticker, bytes) != 0)
				at++;
			if (at < found)
				continue;
			ck_assert_int_lt(found, STATES);
			memcpy(sticker[found], other->sticker, bytes);
			length[found++] = length[i] + 1;
		}
	}
	ck_assert_int_eq(found, STATES);
}
END_TEST

/* ---- generators ---- */

/* 2R is M from the other side, L' of three layers is x but for none, and R2 is a turn of R. */
START_TEST(generators_that_turn_the_same_count_once)
{
	make(3, "R2 M 2R R' R U");
	ck_assert_int_eq(subgroup->generators, 3);
	ck_assert_int_eq(subgroup->moves, 9);
	make(2, "R2 U2");
	ck_assert_int_eq(subgroup->moves, 2);
}
END_TEST

START_TEST(what_has_too_many_states_is_counted_alone)
{
	static const char *const large[] = {"R L U D F B", "R L U F", "R L U D", "Rw Uw",
					    "R Rw U Uw F Fw M E"};
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		make(3, large[i]);
		ck_assert(!cube_subgroup_writes(subgroup));
		cube_subgroup_draw(subgroup, &source, cube);
		ck_assert(cube_subgroup_has(subgroup, cube));
	}
}
END_TEST

/* It has no pointers. */
START_TEST(a_subgroup_can_be_moved)
{
	struct cube_turn given[2], before[CUBE_SUBGROUP_LONGEST];
	const size_t count = parsed_turns("R U", 3, given);
	const size_t bytes = cube_subgroup_make(3, given, count, subgroup);
	struct cube_subgroup *moved = new_bytes(bytes);
	memcpy(moved, subgroup, bytes);
	cube_init(cube, 3);
	cube_subgroup_draw(subgroup, &source, cube);
	const int length = cube_subgroup_turns(subgroup, cube, before);
	memset(subgroup, 0xff, bytes);
	ck_assert_int_eq(cube_subgroup_turns(moved, cube, turns), length);
	ck_assert_mem_eq(turns, before, (size_t)length * sizeof(*turns));
	free(moved);
}
END_TEST

int main(void)
{
	subgroup = new_bytes(CUBE_SUBGROUP_BYTES);
	cube = new_cube(3);
	other = new_cube(3);
	cube_seeded_init(&seeded, "tests", 5);
	Suite *suite = suite_create("subgroup");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 600);
	tcase_add_loop_test(all, orders_are_the_known_ones, 0,
			    (int)(sizeof(orders) / sizeof(orders[0])));
	tcase_add_test(all, other_states_are_no_members);
	tcase_add_test(all, states_of_small_subgroups_are_uniform);
	tcase_add_test(all, states_of_two_faces_are_uniform);
	tcase_add_loop_test(all, turns_of_the_generators_make_each_state, 0, SETS);
	tcase_add_test(all, any_two_adjacent_faces_have_as_many_states);
	tcase_add_test(all, turns_of_two_faces_are_few);
	tcase_add_test(all, turns_of_a_2x2x2_are_shortest);
	tcase_add_test(all, turns_with_one_phase_are_shortest);
	tcase_add_test(all, generators_that_turn_the_same_count_once);
	tcase_add_test(all, what_has_too_many_states_is_counted_alone);
	tcase_add_test(all, a_subgroup_can_be_moved);
	suite_add_tcase(suite, all);
	const int status = run_suite(suite, 10 + 22 + SETS);
	free(subgroup);
	free(cube);
	free(other);
	return status;
}
