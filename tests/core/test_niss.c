/* tests/core/test_niss.c: goals by turns on the scramble and its inverse, against all pairs of
 * ways. A pair is tried as it is defined: a solved cube is turned by what undoes the turns on the
 * inverse, by the scramble, and by the turns on the normal. Predicates compare stickers, or are
 * Kociemba's coordinates. */
#include "cube/hold.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define SCRAMBLE_MAX 64
#define PAIR_MAX 4

/* ---- what the goals are ---- */

static bool all_zero(const uint8_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i] != 0)
			return false;
	return true;
}

static bool is_eo_fb(const struct cube *cube)
{
	struct cube_cubies cubies;
	cube_cubies_of(&cubies, cube);
	return all_zero(cubies.edge_orientation, CUBE_EDGES);
}

static bool is_dr_ud(const struct cube *cube)
{
	struct cube_cubies cubies;
	cube_cubies_of(&cubies, cube);
	for (int place = 8; place < CUBE_EDGES; place++)
		if (cubies.edge_permutation[place] < 8)
			return false;
	return all_zero(cubies.edge_orientation, CUBE_EDGES) &&
	       all_zero(cubies.corner_orientation, CUBE_CORNERS);
}

static bool same(const struct cube *cube, int face, const uint8_t *facelets, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (cube_color_at(cube, (size_t)(face * 9 + facelets[i])) !=
		    cube_color_at(cube, (size_t)(face * 9 + facelets[0])))
			return false;
	return true;
}

/* Facelets of the corner DBL and its edges, and the centre: the lower left of D and of L, the lower
 * right of B. */
static const uint8_t lower_left[] = {4, 3, 6, 7}, lower_right[] = {4, 5, 7, 8};

static bool is_block_dbl(const struct cube *cube)
{
	return same(cube, CUBE_D, lower_left, 4) && same(cube, CUBE_L, lower_left, 4) &&
	       same(cube, CUBE_B, lower_right, 4);
}

/* The square on D need not match the centres of B and L, so the inverse of such a state may not have
 * one. */
static bool is_square_dbl(const struct cube *cube)
{
	return same(cube, CUBE_D, lower_left, 4) && same(cube, CUBE_L, lower_left + 2, 2) &&
	       same(cube, CUBE_B, lower_right + 2, 2);
}

static bool is_not_block(const struct cube *cube)
{
	return !is_block_dbl(cube);
}

/* `turns` lead from the goal to the goal. */
static const struct kind {
	const char *goal, *place, *turns;
	bool (*is)(const struct cube *cube);
	uint32_t states;
} kinds[] = {
	{"eo", "fb", "U D R L F2 B2", is_eo_fb, 16},
	{"dr", "ud", "U D R2 L2 F2 B2", is_dr_ud, 12},
	{"2x2x2", "DBL", "U R F", is_block_dbl, 12},
	{"1x2x2", "DBL", "U R F", is_square_dbl, 6},
	/* Restricts no place, so all turns are tried. */
	{NULL, NULL, "U R F", is_not_block, 3},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* ---- pairs, all of them ---- */

struct way {
	struct cube_turn turn[SCRAMBLE_MAX];
	size_t count;
};

struct pairs {
	const struct kind *kind;
	const struct way *scramble;
	struct cube *cube; /* scratch */
	uint64_t count;
};

/* The state of a pair: a solved cube, turned. */
static bool fits(struct pairs *pairs, const struct way *normal, const struct way *inverse)
{
	cube_init(pairs->cube, 3);
	for (size_t i = inverse->count; i-- > 0;)
		cube_turn(pairs->cube, cube_turn_inverse(inverse->turn[i]));
	cube_turn_all(pairs->cube, pairs->scramble->turn, pairs->scramble->count);
	cube_turn_all(pairs->cube, normal->turn, normal->count);
	return pairs->kind->is(pairs->cube);
}

/* The turns of the way in `chosen`, if they can be made before all others: a turn that is not must be
 * parallel to those that follow it until the last one chosen. */
static bool choose(const struct way *way, unsigned chosen, struct way *part)
{
	int left_axis = -1;
	part->count = 0;
	for (size_t i = 0; i < way->count; i++) {
		const int axis = way->turn[i].face % 3;
		const bool others = chosen >> i != 0; /* this one or later ones */
		if (others && left_axis >= 0 && axis != left_axis)
			return false;
		if (chosen >> i & 1)
			part->turn[part->count++] = way->turn[i];
		else
			left_axis = axis;
	}
	return true;
}

static bool fits_before(struct pairs *pairs, const struct way *normal, const struct way *inverse)
{
	const unsigned all_normal = (1u << normal->count) - 1;
	const unsigned all_inverse = (1u << inverse->count) - 1;
	struct way a, b;
	for (unsigned i = 0; i <= all_normal; i++)
		for (unsigned j = 0; j <= all_inverse && choose(normal, i, &a); j++)
			if ((i < all_normal || j < all_inverse) && choose(inverse, j, &b) &&
			    fits(pairs, &a, &b))
				return true;
	return false;
}

/* Returns true if a turn of the face may come next: no face comes twice, and U, R and F before
 * their opposites. */
static bool follows(const struct way *way, int face)
{
	const int last = way->count > 0 ? way->turn[way->count - 1].face : -1;
	return last < 0 || last % 3 != face % 3 || last < face;
}

static void try_pairs(struct pairs *pairs, struct way *normal, struct way *inverse, int on_normal,
		      int on_inverse)
{
	struct way *way = on_inverse > 0 ? inverse : normal;
	if (on_inverse == 0 && on_normal == 0) {
		if (fits(pairs, normal, inverse) && !fits_before(pairs, normal, inverse))
			pairs->count++;
		return;
	}
	for (int i = 0; i < CUBE_FACES * 3; i++) {
		if (!follows(way, i / 3))
			continue;
		way->turn[way->count++] = cube_turn_make(3, i / 3, 1, 1, i % 3 + 1);
		try_pairs(pairs, normal, inverse, on_inverse > 0 ? on_normal : on_normal - 1,
			  on_inverse > 0 ? on_inverse - 1 : 0);
		way->count--;
	}
}

static uint64_t count_pairs(const struct kind *kind, const struct way *scramble, int length)
{
	struct pairs pairs = {.kind = kind, .scramble = scramble, .cube = new_cube(3)};
	for (int on_inverse = 0; on_inverse <= length; on_inverse++) {
		struct way normal = {.count = 0}, inverse = {.count = 0};
		try_pairs(&pairs, &normal, &inverse, length - on_inverse, on_inverse);
	}
	free(pairs.cube);
	return pairs.count;
}

/* ---- the library ---- */

struct made {
	struct cube_goal *goal;
	struct cube_query_node *nodes;
	void *memory;
	struct cube_turn generators[CUBE_FACES];
};

/* Not the block: a query that restricts no place by itself. */
static void make_query(struct made *made, const struct kind *kind)
{
	const struct cube_goal_row *row = kind->goal
						  ? cube_goal_find(kind->goal, strlen(kind->goal))
						  : cube_goal_find("2x2x2", 5);
	const char *place = kind->place ? kind->place : "DBL";
	const struct cube_named *named = cube_named_find(row->pattern, strlen(row->pattern));
	const uint32_t before = kind->goal ? 1 : 2;
	made->memory = new_bytes(cube_named_bytes(named, 3));
	struct cube_query_node *pattern = cube_named_make(named, 3, made->memory);
	made->nodes = new_bytes((pattern->span + before) * sizeof *made->nodes);
	made->nodes[0] =
		(struct cube_query_node){.kind = CUBE_QUERY_NOT, .span = pattern->span + before};
	made->nodes[before - 1] =
		(struct cube_query_node){.kind = CUBE_QUERY_AMONG,
					 .span = pattern->span + 1,
					 .among = cube_goal_fits(row, place, strlen(place))};
	memcpy(made->nodes + before, pattern, pattern->span * sizeof *made->nodes);
	cube_query_prepare(made->nodes);
}

static void make_goal(struct made *made, const struct kind *kind, int hold, const char *generators)
{
	make_query(made, kind);
	struct cube_goal_plan plan = {.query = made->nodes,
				      .metric = CUBE_SOLVE_HTM,
				      .size = 3,
				      .hold = hold,
				      .niss = true};
	for (const char *at = generators; at && *at; at += strspn(at, " ")) {
		const int face = (int)(strchr(cube_face_letters, at[0]) - cube_face_letters);
		made->generators[plan.generator_count++] =
			cube_turn_make(3, face, 1, 1, at[1] == '2' ? 2 : 1);
		at += at[1] == '2' ? 2 : 1;
	}
	if (plan.generator_count > 0)
		plan.generators = made->generators;
	made->goal = aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
	ck_assert(cube_goal_make(&plan, made->goal));
}

static void free_goal(struct made *made)
{
	free(made->goal);
	free(made->nodes);
	free(made->memory);
}

struct listed {
	struct pairs pairs;
	const struct cube_solution *solution;
	uint64_t count;
	int length;
};

static void check_pair(struct pairs *pairs, const struct cube_turn *turns, size_t count,
		       size_t inverse)
{
	struct way a = {.count = count - inverse}, b = {.count = inverse};
	memcpy(a.turn, turns, a.count * sizeof *turns);
	memcpy(b.turn, turns + a.count, inverse * sizeof *turns);
	ck_assert(fits(pairs, &a, &b));
}

static bool keep_listed(void *context, const struct cube_turn *turns, size_t count)
{
	struct listed *listed = context;
	ck_assert_int_eq((int)count, listed->length);
	check_pair(&listed->pairs, turns, count, listed->solution->inverse);
	listed->count++;
	return true;
}

/* ---- comparing ---- */

static void turn_by(struct way *way, struct gen *gen, const char *letters, int count)
{
	const size_t length = strlen(letters);
	for (int i = 0; i < count; i++) {
		size_t at = gen_below(gen, (uint32_t)length);
		while (at > 0 && !strchr(cube_face_letters, letters[at]))
			at--;
		const int face = (int)(strchr(cube_face_letters, letters[at]) - cube_face_letters);
		const int quarters = letters[at + 1] == '2' ? 2 : (int)gen_below(gen, 3) + 1;
		way->turn[way->count++] = cube_turn_make(3, face, 1, 1, quarters);
	}
}

/* Up to three turns from the goal: some before a state of the goal, some after it. */
static void make_scramble(struct way *scramble, struct gen *gen, const struct kind *kind)
{
	const int away = (int)gen_below(gen, 4), before = (int)gen_below(gen, (uint32_t)away + 1);
	scramble->count = 0;
	turn_by(scramble, gen, "U R F D L B", before);
	turn_by(scramble, gen, kind->turns, 20);
	turn_by(scramble, gen, "U R F D L B", away - before);
}

static void compare(const struct kind *kind, const struct made *made, int hold,
		    const struct way *scramble)
{
	static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	struct cube *home = new_cube(3), *cube = new_cube(3);
	struct listed listed = {.pairs = {.kind = kind, .scramble = scramble, .cube = new_cube(3)},
				.solution = &solution};
	cube_init(home, 3);
	cube_hold_turn(cube, home, hold);
	cube_turn_all(cube, scramble->turn, scramble->count);
	struct cube_solve_task task = {
		.cube = cube, .metric = CUBE_SOLVE_HTM, .work = new_bytes(cube_goal_work_bytes(3))};
	ck_assert_int_eq(cube_goal_solve(made->goal, &task, &solution), CUBE_SOLVE_ENOUGH);
	const int shortest = solution.length;
	ck_assert_int_le(shortest, 3);
	ck_assert_int_eq(shortest, (int)solution.count);
	ck_assert_int_eq(shortest, solution.bound);
	check_pair(&listed.pairs, turns, solution.count, solution.inverse);
	for (int length = 0; length < shortest; length++)
		ck_assert_uint_eq(count_pairs(kind, scramble, length), 0);
	/* Longer ones too, of which none begins with a shorter one. */
	for (int length = shortest > 0 ? shortest : 1; length <= 3; length++) {
		task.length_max = listed.length = length;
		task.each = keep_listed;
		task.each_context = &listed;
		listed.count = 0;
		ck_assert_int_eq(cube_goal_solve(made->goal, &task, &solution), CUBE_SOLVE_ALL);
		ck_assert_uint_eq(listed.count, count_pairs(kind, scramble, length));
		if (length >= shortest + 1 || (length >= 2 && !gen_long()))
			break;
	}
	free(task.work);
	free(listed.pairs.cube);
	free(home);
	free(cube);
}

START_TEST(all_pairs)
{
	const struct kind *kind = &kinds[_i / 2];
	struct gen gen = {(uint64_t)_i + 7};
	/* Its tables take the most time. */
	if (kind->is == is_dr_ud && _i % 2 == 1 && !gen_long())
		return;
	/* Held as it is made, and in another way: the faces keep their names. */
	const int hold = _i % 2 == 0 ? 0 : 1 + (int)gen_below(&gen, CUBE_HOLDS - 1);
	struct made made = {0};
	make_goal(&made, kind, hold, NULL);
	for (uint32_t i = gen_rounds(kind->states / 2 + 1); i > 0; i--) {
		struct way scramble;
		make_scramble(&scramble, &gen, kind);
		compare(kind, &made, hold, &scramble);
	}
	free_goal(&made);
}
END_TEST

/* Tests random states: nothing is shorter than the solution found, which sometimes has both kinds
 * of turns. */
START_TEST(random_states)
{
	static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	struct made made = {0}, normal = {0};
	struct gen gen = {5};
	struct cube *cube = new_cube(3);
	uint32_t both = 0, shorter = 0;
	make_goal(&made, &kinds[0], 0, NULL);
	make_query(&normal, &kinds[0]);
	const struct cube_goal_plan plan = {.query = normal.nodes, .size = 3};
	normal.goal = aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
	ck_assert(cube_goal_make(&plan, normal.goal));
	for (int i = 0; i < 20; i++) {
		struct way scramble = {.count = 0};
		struct pairs pairs = {
			.kind = &kinds[0], .scramble = &scramble, .cube = new_cube(3)};
		cube_init(cube, 3);
		turn_by(&scramble, &gen, "U R F D L B", 30);
		cube_turn_all(cube, scramble.turn, scramble.count);
		struct cube_solve_task task = {.cube = cube,
					       .work = new_bytes(cube_goal_work_bytes(3))};
		ck_assert_int_eq(cube_goal_solve(normal.goal, &task, &solution), CUBE_SOLVE_ENOUGH);
		const int without = solution.length;
		ck_assert_uint_eq(solution.inverse, 0);
		ck_assert_int_eq(cube_goal_solve(made.goal, &task, &solution), CUBE_SOLVE_ENOUGH);
		check_pair(&pairs, turns, solution.count, solution.inverse);
		ck_assert_int_le(solution.length, without);
		shorter += solution.length < without;
		both += solution.inverse > 0 && solution.inverse < solution.count;
		if (solution.length <= PAIR_MAX && i < 2)
			for (int length = 0; length < solution.length; length++)
				ck_assert_uint_eq(count_pairs(&kinds[0], &scramble, length), 0);
		free(task.work);
		free(pairs.cube);
	}
	ck_assert_uint_gt(shorter, 4);
	ck_assert_uint_gt(both, 0);
	free_goal(&made);
	free_goal(&normal);
	free(cube);
}
END_TEST

/* No turns that leave the flips alone make four flipped edges none, on whichever side. */
START_TEST(never)
{
	static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	struct made made = {0};
	struct cube *cube = new_cube(3);
	cube_init(cube, 3);
	make_goal(&made, &kinds[1], 0, "U D R L F2 B2");
	struct cube_solve_task task = {.cube = cube, .work = new_bytes(cube_goal_work_bytes(3))};
	cube_turn(cube, cube_turn_make(3, CUBE_R, 1, 1, 1));
	ck_assert_int_eq(cube_goal_solve(made.goal, &task, &solution), CUBE_SOLVE_ENOUGH);
	ck_assert_int_eq(solution.length, 1);
	cube_turn(cube, cube_turn_make(3, CUBE_F, 1, 1, 1));
	ck_assert_int_eq(cube_goal_solve(made.goal, &task, &solution), CUBE_SOLVE_ALL);
	ck_assert_int_eq(solution.length, -1);
	ck_assert_int_eq(solution.bound, CUBE_GOAL_NEVER);
	free(task.work);
	free_goal(&made);
	/* The same on another axis than the coordinates'. */
	static const struct kind eo_ud = {.goal = "eo", .place = "ud"};
	make_goal(&made, &eo_ud, 0, "F B R L U2 D2");
	cube_init(cube, 3);
	const struct cube_solve_task other = {
		.cube = cube, .nodes_max = 100000, .work = new_bytes(cube_goal_work_bytes(3))};
	ck_assert_int_eq(cube_goal_solve(made.goal, &other, &solution), CUBE_SOLVE_ENOUGH);
	cube_turn(cube, cube_turn_make(3, CUBE_U, 1, 1, 1));
	ck_assert_int_eq(cube_goal_solve(made.goal, &other, &solution), CUBE_SOLVE_ALL);
	ck_assert_int_eq(solution.bound, CUBE_GOAL_NEVER);
	free(other.work);
	free_goal(&made);
	free(cube);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("niss");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, all_pairs, 0, (int)(2 * KINDS));
	tcase_add_test(tcase, random_states);
	tcase_add_test(tcase, never);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, (int)(2 * KINDS) + 2);
}
