/* tests/core/test_distance.c: random states at a distance from a goal: the distances against stickers
 * that are followed breadth first from the solved cube, without any table of the library; that draws
 * are uniform. */
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define FACELETS 54
#define MOVES 18
#define GROUP 4
#define FAR 255

static struct cube_seeded seeded;
static const struct cube_random source = {cube_seeded_next, &seeded};

static struct cube_distances *distances_of(const struct cube_goal_row *goal)
{
	struct cube_distances *distances = malloc(cube_distances_bytes(goal));
	cube_distances_make(goal, distances);
	return distances;
}

static const struct cube_goal_row *goal_of(const char *name)
{
	const struct cube_goal_row *goal = cube_goal_find(name, strlen(name));
	ck_assert_msg(goal != NULL, "%s", name);
	return goal;
}

static struct cube_distant distant_of(const struct cube_goal_row *goal,
				      const struct cube_distances *distances, const char *place,
				      int distance)
{
	const uint32_t fits = cube_goal_fits(goal, place, strlen(place));
	ck_assert(fits != 0);
	return (struct cube_distant){distances, fits, distance};
}

/* ---- stickers followed ---- */

/* The place to which each turn of an outer layer takes each facelet's sticker. */
static uint8_t goes[MOVES][FACELETS];

static void make_moves(void)
{
	struct cube *cube = new_cube(3);
	for (int move = 0; move < MOVES; move++) {
		cube_init(cube, 3);
		cube_turn(cube, cube_turn_make(3, move / 3, 1, 1, move % 3 + 1));
		for (uint8_t at = 0; at < FACELETS; at++)
			goes[move][cube->sticker[at]] = at;
	}
	free(cube);
}

/* A goal at a place as stickers that have to be home: one of each piece. */
struct followed {
	const char *goal, *place;
	uint8_t sticker[GROUP];
	int count;
	uint32_t counts[9]; /* states by distance */
};

/* Facelets as in cube/facelets.h: U 0, R 9, F 18, D 27, L 36, B 45. */
static const struct followed followed[] = {
	{"cross", "D", {28, 30, 32, 34}, 4, {1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102}},
	{"cross", "U", {1, 3, 5, 7}, 4, {1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102}},
	{"cross", "L", {37, 39, 41, 43}, 4, {1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102}},
	/* DL and DB and BL around DBL; the corner by its sticker on D. */
	{"2x2x2", "DBL", {30, 34, 50, 33}, 4, {1, 9, 90, 852, 7169, 44182, 131636, 68940, 561}},
	/* UF, UR, FR around URF. */
	{"2x2x2", "URF", {7, 5, 23, 8}, 4, {1, 9, 90, 852, 7169, 44182, 131636, 68940, 561}},
};

#define FOLLOWED (sizeof(followed) / sizeof(followed[0]))

static uint32_t entry_of(const uint8_t *at, int count)
{
	uint32_t entry = 0;
	for (int i = 0; i < count; i++)
		entry = entry * FACELETS + at[i];
	return entry;
}

/* By where the stickers are: how many turns lead there from home, as many as back. */
static uint8_t *follow(const struct followed *one, uint32_t counts[9])
{
	uint32_t entries = 1, found = 1, next = 0, end = 0;
	for (int i = 0; i < one->count; i++)
		entries *= FACELETS;
	uint8_t *distance = malloc(entries);
	uint32_t *queue = malloc(400000 * sizeof(*queue));
	memset(distance, FAR, entries);
	queue[0] = entry_of(one->sticker, one->count);
	distance[queue[0]] = 0;
	counts[0] = 1;
	for (uint8_t depth = 0; next < found; depth++)
		for (end = found; next < end; next++)
			for (int move = 0; move < MOVES; move++) {
				uint8_t at[GROUP];
				uint32_t rest = queue[next];
				for (int i = one->count - 1; i >= 0; i--, rest /= FACELETS)
					at[i] = goes[move][rest % FACELETS];
				const uint32_t entry = entry_of(at, one->count);
				if (distance[entry] != FAR)
					continue;
				ck_assert_uint_lt(depth, 8);
				distance[entry] = (uint8_t)(depth + 1);
				counts[depth + 1]++;
				queue[found++] = entry;
			}
	free(queue);
	return distance;
}

/* The distances of the first of them, for a later test. */
static uint8_t *cross_distance;

/* Returns the entry for the places of those stickers. */
static uint32_t entry_in(const struct followed *one, const struct cube_cubies *cubies)
{
	struct cube *cube = new_cube(3);
	uint8_t colors[FACELETS], at[GROUP];
	cube_cubies_paint(cubies, 3, colors);
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
	for (uint8_t facelet = 0; facelet < FACELETS; facelet++)
		for (int i = 0; i < one->count; i++)
			if (cube->sticker[facelet] == one->sticker[i])
				at[i] = facelet;
	free(cube);
	return entry_of(at, one->count);
}

START_TEST(distances_are_those_of_stickers)
{
	make_moves();
	for (size_t i = 0; i < FOLLOWED; i += gen_long() ? 1 : 4) {
		const struct followed *one = &followed[i];
		const struct cube_goal_row *goal = goal_of(one->goal);
		struct cube_distances *distances = distances_of(goal);
		uint32_t counts[9] = {0};
		uint8_t *distance = follow(one, counts);
		int farthest = 8;
		while (counts[farthest] == 0)
			farthest--;
		ck_assert_int_eq(goal->farthest, farthest);
		for (int far = 0; far <= 8; far++) {
			ck_assert_uint_eq(cube_distances_count(distances, far), counts[far]);
			ck_assert_uint_eq(one->counts[far], counts[far]);
			for (int k = 0; k < 5 && far <= farthest; k++) {
				const struct cube_distant distant =
					distant_of(goal, distances, one->place, far);
				struct cube_cubies cubies;
				struct cube_state3 state;
				cube_distant_draw(&distant, &source, &cubies);
				cube_state3_from_cubies(&state, &cubies);
				ck_assert(cube_state3_possible(&state));
				ck_assert_int_eq(distance[entry_in(one, &cubies)], far);
			}
		}
		ck_assert_uint_eq(cube_distances_count(distances, -1), 0);
		ck_assert_uint_eq(cube_distances_count(distances, 9), 0);
		if (i == 0)
			cross_distance = distance;
		else
			free(distance);
		free(distances);
	}
}
END_TEST

/* ---- edges oriented ---- */

static uint32_t flips_of(const struct cube *cube)
{
	struct cube_cubies cubies;
	uint32_t flips = 0;
	cube_cubies_of(&cubies, cube);
	for (int place = 0; place < CUBE_EDGES; place++)
		flips |= (uint32_t)cubies.edge_orientation[place] << place;
	return flips;
}

/* Breadth first with whole cubes, one for each set of flips. */
static void follow_flips(uint8_t distance[4096])
{
	static struct cube *seen[2048];
	size_t found = 1;
	memset(distance, FAR, 4096);
	seen[0] = new_cube(3);
	cube_init(seen[0], 3);
	distance[0] = 0;
	for (size_t next = 0; next < found; next++)
		for (int move = 0; move < MOVES; move++) {
			struct cube *cube = new_cube(3);
			cube_copy(cube, seen[next]);
			cube_turn(cube, cube_turn_make(3, move / 3, 1, 1, move % 3 + 1));
			const uint32_t flips = flips_of(cube);
			if (distance[flips] != FAR) {
				free(cube);
				continue;
			}
			distance[flips] = distance[flips_of(seen[next])] + 1;
			seen[found++] = cube;
		}
	ck_assert_uint_eq(found, 2048);
	for (size_t i = 0; i < found; i++)
		free(seen[i]);
}

/* The cube with its colours and places renamed so that the axis of the place is that of F and B. */
static uint32_t flips_on(const struct cube_cubies *cubies, const char *moves)
{
	struct cube *cube = new_cube(3), *whole = new_cube(3), *turned = new_cube(3);
	uint8_t colors[FACELETS];
	int hold = 0;
	while (strcmp(cube_hold_moves(hold), moves) != 0)
		hold++;
	cube_cubies_paint(cubies, 3, colors);
	ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
	cube_init(whole, 3);
	cube_hold_turn(turned, whole, cube_hold_inverse(hold));
	cube_compose(whole, turned, cube);
	cube_hold_turn(turned, whole, hold);
	const uint32_t flips = flips_of(turned);
	free(cube);
	free(whole);
	free(turned);
	return flips;
}

START_TEST(edges_are_oriented_by_as_many_turns)
{
	static const struct {
		const char *place, *moves;
	} axes[] = {{"fb", ""}, {"rl", "y"}, {"ud", "x"}};
	const struct cube_goal_row *goal = goal_of("eo");
	struct cube_distances *distances = distances_of(goal);
	uint8_t distance[4096];
	uint32_t counts[9] = {0};
	follow_flips(distance);
	for (int flips = 0; flips < 4096; flips++)
		if (distance[flips] != FAR)
			counts[distance[flips]]++;
	for (int far = 0; far <= 8; far++)
		ck_assert_uint_eq(cube_distances_count(distances, far), counts[far]);
	ck_assert_uint_gt(counts[goal->farthest], 0);
	ck_assert_uint_eq(counts[goal->farthest + 1], 0);
	for (size_t axis = 0; axis < 3; axis++)
		for (int far = 0; far <= goal->farthest; far++)
			for (int k = 0; k < 5; k++) {
				const struct cube_distant distant =
					distant_of(goal, distances, axes[axis].place, far);
				struct cube_cubies cubies;
				struct cube_state3 state;
				cube_distant_draw(&distant, &source, &cubies);
				cube_state3_from_cubies(&state, &cubies);
				ck_assert(cube_state3_possible(&state));
				ck_assert_int_eq(distance[flips_on(&cubies, axes[axis].moves)],
						 far);
			}
	free(distances);
}
END_TEST

/* ---- uniform ---- */

/* Checks that the counts are within 4.5 standard deviations of those that equally likely draws
 * would have. */
static void check_even(const uint32_t *counts, uint32_t cells, uint32_t draws, const char *what)
{
	const double expected = (double)draws / cells;
	double squares = 0;
	for (uint32_t i = 0; i < cells; i++)
		squares += (counts[i] - expected) * (counts[i] - expected) / expected;
	const double off = squares - (cells - 1);
	ck_assert_msg(off * off < 4.5 * 4.5 * 2 * (cells - 1), "%s: chi-square %f of %u", what,
		      squares, cells - 1);
}

/* The 158 crosses of two turns; the corner at URF; where the edge UF is; parity, and with it whether the
 * last of the corners to be drawn is twisted. */
START_TEST(draws_are_uniform)
{
	enum { DRAWS = 6000 };
	static uint32_t cross[54 * 54 * 54 * 54], crosses[158], corner[24], edge[16], parity[6];
	const struct cube_goal_row *goal = goal_of("cross");
	struct cube_distances *distances = distances_of(goal);
	struct cube_cubies cubies;
	uint32_t found = 0;
	struct cube_distant distant = distant_of(goal, distances, "D", 2);
	for (int i = 0; i < DRAWS; i++) {
		cube_distant_draw(&distant, &source, &cubies);
		const uint32_t entry = entry_in(&followed[0], &cubies);
		if (cross[entry] == 0) {
			ck_assert_uint_lt(found, 158);
			cross[entry] = ++found;
		}
		crosses[cross[entry] - 1]++;
	}
	check_even(crosses, 158, DRAWS, "crosses");
	distant.distance = 0;
	for (int i = 0; i < DRAWS; i++) {
		int odd = 0;
		cube_distant_draw(&distant, &source, &cubies);
		corner[3 * cubies.corner_permutation[0] + cubies.corner_orientation[0]]++;
		for (int place = 0; place < CUBE_EDGES; place++)
			if (cubies.edge_permutation[place] == 1) {
				ck_assert(place < 4 || place > 7);
				edge[2 * (place < 4 ? place : place - 4) +
				     cubies.edge_orientation[place]]++;
			}
		for (int one = 0; one < CUBE_CORNERS; one++)
			for (int other = 0; other < one; other++)
				odd ^= cubies.corner_permutation[other] >
				       cubies.corner_permutation[one];
		parity[3 * odd + cubies.corner_orientation[7]]++;
	}
	check_even(corner, 24, DRAWS, "corner");
	check_even(edge, 16, DRAWS, "edge");
	check_even(parity, 6, DRAWS, "parity");
	free(distances);
}
END_TEST

/* ---- scrambles ---- */

START_TEST(scrambles_lead_to_such_states)
{
	const struct cube_solver *solver = cube_solver_default(3);
	void *two_phase = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	const struct cube_goal_row *goal = goal_of("cross");
	struct cube_distances *distances = distances_of(goal);
	struct cube *cube = new_cube(3);
	cube_solver_make(&solver->tables[0], two_phase);
	for (int far = 0; far <= 8; far++) {
		struct cube_turn turns[40];
		struct cube_cubies cubies;
		const struct cube_distant distant = distant_of(goal, distances, "D", far);
		const struct cube_scramble_task task = {
			.size = 3, .random = source, .two_phase = two_phase, .distant = &distant};
		const size_t count = cube_scramble(&task, turns);
		ck_assert(count >= 4 && count <= 23);
		cube_init(cube, 3);
		cube_turn_all(cube, turns, count);
		cube_cubies_of(&cubies, cube);
		ck_assert_int_eq(cross_distance[entry_in(&followed[0], &cubies)], far);
	}
	free(cube);
	free(cross_distance);
	free(distances);
	free(two_phase);
}
END_TEST

/* Goals with too many arrangements say so. */
START_TEST(other_goals_have_no_distances)
{
	for (size_t i = 0; i < cube_goals_count; i++) {
		const struct cube_goal_row *goal = &cube_goals[i];
		ck_assert_int_eq(cube_distances_bytes(goal) != 0, goal->farthest >= 0);
		ck_assert_int_eq(goal->usual != NULL, goal->example != NULL);
		if (goal->usual)
			ck_assert(cube_goal_fits(goal, goal->usual, strlen(goal->usual)) != 0);
	}
}
END_TEST

int main(void)
{
	cube_seeded_init(&seeded, "distance", 8);
	Suite *suite = suite_create("distance");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, distances_are_those_of_stickers);
	tcase_add_test(all, edges_are_oriented_by_as_many_turns);
	tcase_add_test(all, draws_are_uniform);
	tcase_add_test(all, scrambles_lead_to_such_states);
	tcase_add_test(all, other_goals_have_no_distances);
	suite_add_tcase(suite, all);
	return run_suite(suite, 5);
}
