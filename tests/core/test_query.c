/* tests/core/test_query.c: patterns of pieces against cubies, and what all, any and not make of
 * patterns. */
#include "cube/cube.h"
#include "cube/named.h"
#include "cube/query.h"

#include <string.h>

#include "cube/cubies.h"
#include "cube/hold.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

/* The state that `cube` is for somebody that holds it by `hold`: rotated, turned, rotated back. */
static void seen_from(struct cube *result, const struct cube *cube, int hold)
{
	int size = cube->size;
	struct cube *home = new_cube(size), *there = new_cube(size), *back = new_cube(size),
		    *both = new_cube(size);
	cube_init(home, size);
	cube_hold_turn(there, home, hold);
	cube_hold_turn(back, home, cube_hold_inverse(hold));
	cube_compose(both, there, cube);
	cube_compose(result, both, back);
	free(home);
	free(there);
	free(back);
	free(both);
}

static bool expected(const struct cube_cubies *cubies, struct cube_piece_rule rule)
{
	bool edge = rule.place >= CUBE_CORNERS;
	int place = edge ? rule.place - CUBE_CORNERS : rule.place;
	int piece = edge ? cubies->edge_permutation[place] : cubies->corner_permutation[place];
	int turn = edge ? cubies->edge_orientation[place] : cubies->corner_orientation[place];
	static const char slice[] = "FMFMFMFMEEEE"; /* UR UF UL UB DR DF DL DB FR FL BL BR */
	switch (rule.condition) {
	case CUBE_PIECE_HOME:
		return piece == place && turn == 0;
	case CUBE_PIECE_PLACED:
		return piece == place;
	case CUBE_PIECE_ORIENTED:
		return turn == 0;
	case CUBE_PIECE_HALF_TURNS: /* URF ULB DLF DRB are a tetrad */
		return turn == 0 && (edge ? slice[piece] == slice[place]
					  : (0xa5 >> piece & 1) == (0xa5 >> place & 1));
	default:
		return slice[piece] == slice[place];
	}
}

static uint32_t match_rule(const struct cube *cube, struct cube_piece_rule rule)
{
	static uint8_t colors[CUBE_FACELETS_MAX];
	struct cube_pieces *pieces = malloc(cube_pieces_bytes(cube->size, 1));
	cube_pieces_make(pieces, cube->size, &rule, 1);
	cube_colors(cube, colors);
	uint32_t fits = cube_pieces_match(pieces, colors, CUBE_FITS_ALL);
	free(pieces);
	return fits;
}

/* However the cube is held: all rules, all sides, against cubies of the cube seen from there. */
START_TEST(pieces_are_those_of_cubies)
{
	int size = _i;
	struct gen gen = {(uint64_t)size};
	struct cube *cube = new_cube(size), *home = new_cube(size), *seen = new_cube(size);
	cube_init(cube, size);
	for (uint32_t round = 0; round < gen_rounds(40); round++) {
		struct cube_cubies cubies[CUBE_FITS];
		for (int i = 0; i < (int)(round % 10); i++)
			cube_turn(cube, gen_turn(&gen, size));
		int held = cube_hold_home(home, cube);
		for (int fit = 0; fit < CUBE_FITS; fit++) {
			int hold = cube_hold_then(cube_fit_hold(fit), cube_hold_inverse(held));
			seen_from(seen, home, hold);
			cube_cubies_of(&cubies[fit], seen);
		}
		for (uint8_t place = 0; place < CUBE_PLACES; place++)
			for (uint8_t condition = 0; condition < CUBE_PIECE_CONDITIONS;
			     condition++) {
				struct cube_piece_rule rule = {place, condition};
				uint32_t fits = 0;
				if (!cube_piece_rule_valid(size, rule))
					continue;
				for (int fit = 0; fit < CUBE_FITS; fit++)
					fits |= (uint32_t)expected(&cubies[fit], rule) << fit;
				uint32_t found = match_rule(cube, rule);
				ck_assert_msg(found == fits, "%s %s: %06x, not %06x",
					      cube_place_name(place),
					      cube_piece_condition_name(condition), found, fits);
			}
	}
	free(cube);
	free(home);
	free(seen);
}
END_TEST

/* Turned by outer layers alone, a larger cube is a 3x3x3 by its corners and edges; one wing turned
 * away breaks its edge. */
START_TEST(edges_of_larger_cubes)
{
	int size = _i;
	struct gen gen = {77};
	struct cube *small = new_cube(3), *large = new_cube(size);
	int compared = 0;
	cube_init(small, 3);
	cube_init(large, size);
	for (int round = 0; round < 200; round++) {
		if (round % 5 == 0) {
			cube_init(small, 3);
			cube_init(large, size);
		}
		for (int i = 0; i < round % 5; i++) {
			int face = (int)gen_below(&gen, 6), quarters = 1 + (int)gen_below(&gen, 3);
			cube_turn(small, cube_turn_make(3, face, 1, 1, quarters));
			cube_turn(large, cube_turn_make(size, face, 1, 1, quarters));
		}
		/* Even sizes are held by the corner DBL, the 3x3x3 by its centres. */
		if (cube_hold_of(large) != cube_hold_of(small))
			continue;
		compared++;
		for (uint8_t place = 0; place < CUBE_PLACES; place++)
			for (uint8_t condition = 0; condition < CUBE_PIECE_CONDITIONS;
			     condition++) {
				struct cube_piece_rule rule = {place, condition};
				if (cube_piece_rule_valid(size, rule))
					ck_assert_uint_eq(match_rule(large, rule),
							  match_rule(small, rule));
			}
	}
	ck_assert_int_ge(compared, 4);
	cube_init(large, size);
	cube_turn(large, cube_turn_make(size, CUBE_R, 2, 2, 1)); /* takes a wing of UF */
	struct cube_piece_rule front = {CUBE_CORNERS + 1, CUBE_PIECE_PLACED},
			       right = {CUBE_CORNERS + 0, CUBE_PIECE_HOME};
	ck_assert_uint_eq(match_rule(large, front) & 1u << cube_fit(CUBE_F, 0), 0);
	ck_assert_uint_ne(match_rule(large, right) & 1u << cube_fit(CUBE_F, 0), 0);
	free(small);
	free(large);
}
END_TEST

START_TEST(names)
{
	for (int place = 0; place < CUBE_PLACES; place++) {
		const char *name = cube_place_name(place);
		char backwards[4] = "";
		for (size_t i = 0; name[i]; i++)
			backwards[i] = name[strlen(name) - 1 - i];
		ck_assert_int_eq(cube_place_find(name, strlen(name)), place);
		ck_assert_int_eq(cube_place_find(backwards, strlen(name)), place);
	}
	static const char *const wrong[] = {"", "U", "UD", "UU", "URR", "URL", "uf", "UFRD", "XY"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_int_eq(cube_place_find(wrong[i], strlen(wrong[i])), -1);
	for (int i = 0; i < CUBE_PIECE_CONDITIONS; i++) {
		const char *name = cube_piece_condition_name((enum cube_piece_condition)i);
		ck_assert_int_eq(cube_piece_condition_find(name, strlen(name)), i);
	}
	ck_assert_int_eq(cube_piece_condition_find("homes", 5), -1);
}
END_TEST

/* Corners that half turns lead to, as a number: found by turning until there are no new ones. */
static uint32_t corner_number(const struct cube *cube)
{
	struct cube_cubies cubies;
	uint32_t number = 0;
	cube_cubies_of(&cubies, cube);
	for (int i = 0; i < CUBE_CORNERS; i++)
		number = number * 8 + cubies.corner_permutation[i];
	return number;
}

static size_t half_turn_corners(uint32_t numbers[576])
{
	struct cube *cubes[576];
	size_t count = 1;
	cubes[0] = new_cube(3);
	cube_init(cubes[0], 3);
	numbers[0] = corner_number(cubes[0]);
	for (size_t i = 0; i < count; i++)
		for (int face = 0; face < 6; face++) {
			struct cube *next = new_cube(3);
			size_t at = 0;
			cube_copy(next, cubes[i]);
			cube_turn(next, cube_turn_make(3, face, 1, 1, 2));
			const uint32_t number = corner_number(next);
			while (at < count && numbers[at] != number)
				at++;
			if (at < count) {
				free(next);
				continue;
			}
			ck_assert_uint_lt(count, 576);
			numbers[count] = number;
			cubes[count++] = next;
		}
	for (size_t i = 0; i < count; i++)
		free(cubes[i]);
	return count;
}

/* The k-th of the 24 ways to put four pieces into four places; true: an odd permutation. */
static bool put_four(const uint8_t places[4], int k, uint8_t *permutation)
{
	uint8_t left[4];
	bool odd = false;
	memcpy(left, places, 4);
	for (int i = 0; i < 4; i++) {
		const int count = 4 - i, at = k % count;
		permutation[places[i]] = left[at];
		memmove(left + at, left + at + 1, (size_t)(3 - at));
		odd ^= at & 1;
		k /= count;
	}
	return odd;
}

/* All 576 ways to put the corners into their tetrads: those that half turns reach fit, 96 of them. */
START_TEST(tetrads_are_permuted_alike)
{
	static const uint8_t first[] = {0, 2, 5, 7}, second[] = {1, 3, 4, 6};
	uint32_t numbers[576];
	const size_t reached = half_turn_corners(numbers);
	const struct cube_named *named = cube_named_find("htr", 3);
	void *memory = new_bytes(cube_named_bytes(named, 3));
	const struct cube_query_node *query = cube_named_make(named, 3, memory);
	struct cube *cube = new_cube(3), *held = new_cube(3);
	size_t fits = 0;
	ck_assert_uint_eq(reached, 96);
	for (int k = 0; k < 576; k++) {
		struct cube_cubies cubies;
		uint8_t colors[54];
		size_t at = 0;
		cube_init(cube, 3);
		cube_cubies_of(&cubies, cube);
		bool odd = put_four(first, k % 24, cubies.corner_permutation);
		odd ^= put_four(second, k / 24, cubies.corner_permutation);
		if (odd) { /* two edges of a slice make it a state that turns reach */
			cubies.edge_permutation[0] = 2;
			cubies.edge_permutation[2] = 0;
		}
		cube_cubies_paint(&cubies, 3, colors);
		ck_assert_uint_eq(cube_from_colors(cube, 3, colors, NULL, 0), 0);
		while (at < reached && numbers[at] != corner_number(cube))
			at++;
		cube_hold_turn(held, cube, k % CUBE_HOLDS);
		cube_colors(held, colors);
		ck_assert_uint_eq(cube_query_match(query, colors, CUBE_FITS_ALL),
				  at < reached ? CUBE_FITS_ALL : 0);
		fits += at < reached;
	}
	ck_assert_uint_eq(fits, 96);
	free(cube);
	free(held);
	free(memory);
}
END_TEST

START_TEST(rules_that_mean_nothing)
{
	static const struct {
		int size;
		uint8_t place, condition;
		bool valid;
	} rows[] = {
		{2, 0, CUBE_PIECE_HOME, true},        {2, 8, CUBE_PIECE_HOME, false},
		{3, 0, CUBE_PIECE_SLICE, false},      {3, 8, CUBE_PIECE_SLICE, true},
		{3, 19, CUBE_PIECE_ORIENTED, true},   {4, 19, CUBE_PIECE_ORIENTED, false},
		{4, 7, CUBE_PIECE_ORIENTED, true},    {3, 20, CUBE_PIECE_HOME, false},
		{3, 0, CUBE_PIECE_CONDITIONS, false}, {2, 0, CUBE_PIECE_HALF_TURNS, true},
		{3, 8, CUBE_PIECE_HALF_TURNS, true},  {4, 8, CUBE_PIECE_HALF_TURNS, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_int_eq(cube_piece_rule_valid(rows[i].size,
						       (struct cube_piece_rule){rows[i].place,
										rows[i].condition}),
				 rows[i].valid);
}
END_TEST

/* ---- queries ---- */

#define ANY9 "*********"
static const char face_text[] = "111111111 " ANY9 " " ANY9 " " ANY9 " " ANY9 " " ANY9;
static const char up_text[] = "****U**** " ANY9 " " ANY9 " " ANY9 " " ANY9 " " ANY9;

static struct cube_pattern *pattern_of(const char *text)
{
	uint8_t items[54];
	int size;
	struct cube_pattern_error error;
	struct cube_pattern *pattern = malloc(cube_pattern_bytes(3, 0));
	ck_assert_int_eq(cube_pattern_parse(text, strlen(text), items, &size, &error),
			 CUBE_PATTERN_OK);
	cube_pattern_make(pattern, 3, items);
	return pattern;
}

static uint32_t match(struct cube_query_node *nodes, const uint8_t *colors)
{
	cube_query_prepare(nodes);
	return cube_query_match(nodes, colors, CUBE_FITS_ALL);
}

START_TEST(all_any_not)
{
	uint8_t colors[54];
	struct cube *cube = new_cube(3);
	struct cube_pattern *face = pattern_of(face_text), *up = pattern_of(up_text);
	struct cube_query_node one = {.kind = CUBE_QUERY_COLORS, .span = 1, .pattern = face},
			       two = {.kind = CUBE_QUERY_COLORS, .span = 1, .pattern = up},
			       held = one;
	held.held = true;
	cube_init(cube, 3);
	cube_turn(cube, cube_turn_make(3, CUBE_R, 1, 1, 1)); /* R and L are whole */
	cube_colors(cube, colors);
	const uint32_t whole = 0xfu << 4 * CUBE_R | 0xfu << 4 * CUBE_L, top = 0xfu << 4 * CUBE_U;
	const uint32_t front = 1u << 4 * CUBE_F;
	const struct {
		struct cube_query_node nodes[4];
		uint32_t fits;
	} rows[] = {
		{{one}, whole},
		{{two}, top},
		{{held}, 0},
		{{{.kind = CUBE_QUERY_ALL, .span = 3}, one, two}, 0},
		{{{.kind = CUBE_QUERY_ANY, .span = 3}, one, two}, whole | top},
		{{{.kind = CUBE_QUERY_NOT, .span = 2}, one}, CUBE_FITS_ALL & ~whole},
		{{{.kind = CUBE_QUERY_NOT, .span = 2}, held}, front},
		{{{.kind = CUBE_QUERY_ALL, .span = 4},
		  {.kind = CUBE_QUERY_NOT, .span = 2},
		  one,
		  two},
		 top},
		{{{.kind = CUBE_QUERY_ANY, .span = 4},
		  two,
		  {.kind = CUBE_QUERY_NOT, .span = 2},
		  held},
		 top | front},
		{{{.kind = CUBE_QUERY_ALL, .span = 4},
		  {.kind = CUBE_QUERY_ANYWHERE, .span = 2},
		  one,
		  two},
		 top},
		{{{.kind = CUBE_QUERY_ANYWHERE, .span = 2}, two}, CUBE_FITS_ALL},
		{{{.kind = CUBE_QUERY_ANYWHERE, .span = 2}, held}, 0},
		{{{.kind = CUBE_QUERY_ALL, .span = 4},
		  {.kind = CUBE_QUERY_ANYWHERE, .span = 3},
		  {.kind = CUBE_QUERY_NOT, .span = 2},
		  held},
		 CUBE_FITS_ALL},
		{{{.kind = CUBE_QUERY_NOT, .span = 3},
		  {.kind = CUBE_QUERY_ANYWHERE, .span = 2},
		  one},
		 0},
		{{{.kind = CUBE_QUERY_ALL, .span = 1}}, CUBE_FITS_ALL},
		{{{.kind = CUBE_QUERY_ANY, .span = 1}}, 0},
		{{{.kind = CUBE_QUERY_NOT, .span = 3}, {.kind = CUBE_QUERY_NOT, .span = 2}, one},
		 whole},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cube_query_node nodes[4];
		memcpy(nodes, rows[i].nodes, sizeof(nodes));
		ck_assert_msg(match(nodes, colors) == rows[i].fits, "row %zu: %06x", i,
			      match(nodes, colors));
	}
	struct cube_query_node nodes[] = {
		{.kind = CUBE_QUERY_ANY, .span = 4}, two, {.kind = CUBE_QUERY_NOT, .span = 2}, one};
	int8_t bound[CUBE_GENERICS];
	match(nodes, colors);
	cube_query_bindings(nodes, colors, cube_fit(CUBE_D, 0), bound);
	ck_assert_int_eq(bound[0], -1);
	nodes[0] = (struct cube_query_node){.kind = CUBE_QUERY_ALL, .span = 4};
	nodes[1] = (struct cube_query_node){.kind = CUBE_QUERY_ANYWHERE, .span = 2};
	nodes[2] = one;
	nodes[3] = two;
	ck_assert_uint_eq(match(nodes, colors), top);
	cube_query_bindings(nodes, colors, cube_fit(CUBE_U, 0), bound);
	ck_assert_int_eq(bound[0], -1); /* the part that has it fits elsewhere */
	nodes[0] = (struct cube_query_node){.kind = CUBE_QUERY_ANY, .span = 4};
	nodes[1] = two;
	nodes[2] = nodes[3] = one;
	match(nodes, colors);
	cube_query_bindings(nodes, colors, cube_fit(CUBE_L, 2), bound);
	ck_assert_int_eq(bound[0], CUBE_L);
	ck_assert_int_eq(bound[1], -1);
	free(face);
	free(up);
	free(cube);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("query");
	TCase *pieces = tcase_create("pieces"), *query = tcase_create("query");
	tcase_add_loop_test(pieces, pieces_are_those_of_cubies, 2, 4);
	tcase_add_loop_test(pieces, edges_of_larger_cubes, 4, 7);
	tcase_add_test(pieces, names);
	tcase_add_test(pieces, rules_that_mean_nothing);
	tcase_add_test(pieces, tetrads_are_permuted_alike);
	tcase_add_test(query, all_any_not);
	suite_add_tcase(suite, pieces);
	suite_add_tcase(suite, query);
	return run_suite(suite, 9);
}
