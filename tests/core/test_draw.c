/* tests/core/test_draw.c: random states that fit a pattern: that they do, and that they are
 * uniform; scrambles of them. */
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static struct cube_seeded seeded;
static const struct cube_random source = {cube_seeded_next, &seeded};
static struct cube_draw *draw;
static void *two_phase;

static struct cube_query_node *query_of(const char *name, void **memory)
{
	const struct cube_named *named = cube_named_find(name, strlen(name));
	ck_assert_msg(named != NULL, "%s", name);
	*memory = new_bytes(cube_named_bytes(named, 3));
	return cube_named_make(named, 3, *memory);
}

static uint32_t fits_of(const struct cube_query_node *query, const struct cube_cubies *cubies)
{
	struct cube_state3 state;
	uint8_t colors[54];
	cube_state3_from_cubies(&state, cubies);
	ck_assert(cube_state3_possible(&state));
	cube_cubies_paint(cubies, 3, colors);
	return cube_query_match(query, colors, CUBE_FITS_ALL);
}

/* Tests every named pattern, or one of seven. */
START_TEST(states_fit_their_pattern)
{
	for (size_t i = 0; i < cube_named_count; i += gen_long() ? 1 : 7) {
		void *memory;
		struct cube_cubies cubies;
		if (cube_named[i].size_min > 3 || cube_named[i].size_max < 3)
			continue;
		struct cube_query_node *query = query_of(cube_named[i].name, &memory);
		ck_assert_msg(cube_draw_make(draw, query), "%s", cube_named[i].name);
		for (int k = 0; k < 5; k++)
			ck_assert_msg(cube_draw_next(draw, &source, &cubies) &&
					      fits_of(query, &cubies),
				      "%s", cube_named[i].name);
		free(memory);
	}
}
END_TEST

static int compare(const void *one, const void *other)
{
	const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
	return a < b ? -1 : a > b;
}

/* Two layers solved and the last one oriented: 4! 4! / 2 states for each of six faces, of which the
 * solved cube is one of each. As many come, each as often, the solved one too. */
START_TEST(states_are_uniform)
{
	enum { STATES = 6 * 287 + 1, DRAWS = 14 * STATES };
	static uint64_t index[DRAWS];
	void *memory;
	struct cube_cubies cubies;
	ck_assert(cube_draw_make(draw, query_of("oll", &memory)));
	for (int i = 0; i < DRAWS; i++) {
		ck_assert(cube_draw_next(draw, &source, &cubies));
		index[i] = cube_index_of_cubies(&cubies, 3).low;
	}
	qsort(index, DRAWS, sizeof(index[0]), compare);
	int states = 0;
	double squares = 0;
	for (int begin = 0, end; begin < DRAWS; begin = end) {
		for (end = begin; end < DRAWS && index[end] == index[begin];)
			end++;
		states++;
		squares += (end - begin - 14.0) * (end - begin - 14.0) / 14;
	}
	ck_assert_int_eq(states, STATES);
	/* Within 4.5 standard deviations of what is expected of that many degrees of freedom. */
	double off = squares - (STATES - 1);
	ck_assert_msg(off * off < 4.5 * 4.5 * 2 * (STATES - 1), "chi-square %f", squares);
	free(memory);
}
END_TEST

/* Half turns ask something of the corners together: only trying finds them. And nothing is
 * what some patterns find. */
START_TEST(what_targets_do_not_say_is_tried)
{
	void *memory;
	struct cube_cubies cubies;
	struct cube_query_node *htr = query_of("htr", &memory);
	ck_assert(cube_draw_make(draw, htr));
	for (int i = 0; i < 20; i++)
		ck_assert(cube_draw_next(draw, &source, &cubies) && fits_of(htr, &cubies));
	free(memory);
	static const struct cube_query_node never = {.kind = CUBE_QUERY_ANY, .span = 1};
	struct cube_query_node nodes[2] = {{.kind = CUBE_QUERY_ALL, .span = 2}, never};
	cube_query_prepare(nodes);
	ck_assert(!cube_draw_make(draw, nodes));
	ck_assert(!cube_draw_next(draw, &source, &cubies));
}
END_TEST

/* One of ten million states fits, and the targets say nothing: five generics without a middle can be
 * bound in too many ways. */
START_TEST(patterns_that_few_states_fit_are_refused)
{
	static const char text[] = "**51*252* ******4** ********3 *1******* 4*2***3** *1****3**";
	struct cube_pattern_error error;
	uint8_t items[54];
	int size;
	ck_assert_int_eq(cube_pattern_parse(text, strlen(text), items, &size, &error),
			 CUBE_PATTERN_OK);
	void *memory = new_bytes(cube_pattern_bytes(3, 0));
	cube_pattern_make(memory, 3, items);
	struct cube_query_node node = {.kind = CUBE_QUERY_COLORS, .span = 1, .pattern = memory};
	cube_query_prepare(&node);
	ck_assert(!cube_draw_make(draw, &node));
	free(memory);
}
END_TEST

/* The state is one that fits, and the scramble ends with other turns than its solution. */
START_TEST(scrambles_lead_to_the_pattern)
{
	static const char *const names[] = {"cross", "f2l-3", "oll-27", "pll-t", "eo", "cmll"};
	struct cube_turn turns[40];
	struct cube *cube = new_cube(3);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *memory;
		struct cube_cubies cubies;
		struct cube_query_node *query = query_of(names[i], &memory);
		ck_assert(cube_draw_make(draw, query));
		const struct cube_scramble_task task = {
			.size = 3, .random = source, .two_phase = two_phase, .draw = draw};
		for (int k = 0; k < 4; k++) {
			size_t count = cube_scramble(&task, turns), left = count;
			ck_assert(count >= 4 && count <= 23);
			cube_init(cube, 3);
			cube_turn_all(cube, turns, count);
			cube_cubies_of(&cubies, cube);
			ck_assert_msg(fits_of(query, &cubies) != 0, "%s", names[i]);
			ck_assert_uint_eq(cube_turns_simplify(3, turns, left), count);
		}
		free(memory);
	}
	free(cube);
}
END_TEST

int main(void)
{
	const struct cube_solver *solver = cube_solver_default(3);
	two_phase = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], two_phase);
	draw = malloc(cube_draw_bytes());
	cube_seeded_init(&seeded, "draw", 4);
	Suite *suite = suite_create("draw");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, states_fit_their_pattern);
	tcase_add_test(all, states_are_uniform);
	tcase_add_test(all, what_targets_do_not_say_is_tried);
	tcase_add_test(all, patterns_that_few_states_fit_are_refused);
	tcase_add_test(all, scrambles_lead_to_the_pattern);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 5);
	free(two_phase);
	free(draw);
	return status;
}
