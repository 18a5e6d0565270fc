/* tests/core/test_sets.c: the cases of the sets: their number, names and states, found again by turning
 * cubes; random states of them. */
#include "cube/facelets.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

static struct cube_seeded seeded;
static const struct cube_random source = {cube_seeded_next, &seeded};
static struct cube_case cases[CUBE_SET_CASES_MAX];

static void cube_of(struct cube *cube, int size, const struct cube_cubies *cubies)
{
	uint8_t colors[54];
	cube_cubies_paint(cubies, size, colors);
	ck_assert_uint_eq(cube_from_colors(cube, size, colors, NULL, 0), 0);
}

/* The place of a case among those of the set; -1 if it is not one of them. */
static int place_of(const struct cube_set *set, const struct cube_cubies *cubies)
{
	uint32_t number;
	if (!cube_set_number(set, cubies, &number))
		return -1;
	for (int i = 0; i < set->cases; i++)
		if (cases[i].number == number)
			return i;
	return -1;
}

/* first, then cube, then last: turns of U and D. */
static void turned(const struct cube *cube, const int quarters[4], struct cube *result)
{
	const int size = cube->size;
	struct cube *first = new_cube(size), *middle = new_cube(size);
	cube_turn(first, cube_turn_make(size, CUBE_U, 1, 1, quarters[0]));
	cube_turn(first, cube_turn_make(size, CUBE_D, 1, 1, quarters[1]));
	cube_compose(middle, first, cube);
	cube_turn(middle, cube_turn_make(size, CUBE_U, 1, 1, quarters[2]));
	cube_turn(middle, cube_turn_make(size, CUBE_D, 1, 1, quarters[3]));
	cube_copy(result, middle);
	free(first);
	free(middle);
}

/* Turns before and after lead to states of the same case, of each case; D may turn only on a 2x2x2. */
START_TEST(turns_before_and_after_change_no_case)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		struct cube *cube = new_cube(set->size), *other = new_cube(set->size);
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i++) {
			struct cube_cubies cubies;
			cube_case_state(set, &cases[i], &cubies);
			ck_assert_int_eq(place_of(set, &cubies), i);
			cube_of(cube, set->size, &cubies);
			for (int k = 0; k < (gen_long() ? 60 : 3); k++) {
				const int way = (int)cube_random_below(&source, 256);
				const int quarters[4] = {
					way >> 2 & 3, set->size == 2 ? way >> 4 & 3 : 0,
					way >> 6 & 3, set->size == 2 ? way & 3 : 0};
				turned(cube, quarters, other);
				cube_cubies_of(&cubies, other);
				ck_assert_msg(place_of(set, &cubies) == i, "%s", cases[i].name);
			}
		}
		free(cube);
		free(other);
	}
}
END_TEST

static int compare(const void *one, const void *other)
{
	return memcmp(one, other, 54);
}

/* In sets in which all pieces count, the number of states of a case is that of the states seen. */
START_TEST(cases_have_their_states)
{
	static const char *const names[] = {"pll", "zbll", "cll"};
	for (int n = 0; n < 3; n++) {
		const struct cube_set *set = cube_set_find(names[n], strlen(names[n]));
		struct cube *cube = new_cube(set->size), *other = new_cube(set->size);
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i += gen_long() ? 1 : 1 + set->cases / 100) {
			uint8_t seen[16][54] = {{0}};
			struct cube_cubies cubies;
			int states = 1;
			cube_case_state(set, &cases[i], &cubies);
			cube_of(cube, set->size, &cubies);
			for (int way = 0; way < 16; way++) {
				const int quarters[4] = {way & 3, 0, way >> 2, 0};
				turned(cube, quarters, other);
				cube_colors(other, seen[way]);
			}
			qsort(seen, 16, 54, compare);
			for (int way = 1; way < 16; way++)
				states += memcmp(seen[way], seen[way - 1], 54) != 0;
			ck_assert_msg(states == cases[i].states, "%s", cases[i].name);
		}
		free(cube);
		free(other);
	}
}
END_TEST

static bool fits(const char *name, const struct cube_cubies *cubies)
{
	uint8_t colors[54];
	const struct cube_named *named = cube_named_find(name, strlen(name));
	ck_assert_msg(named != NULL, "%s", name);
	void *memory = new_bytes(cube_named_bytes(named, 3));
	const struct cube_query_node *query = cube_named_make(named, 3, memory);
	cube_cubies_paint(cubies, 3, colors);
	const bool does = cube_query_match(query, colors, CUBE_FITS_ALL) != 0;
	free(memory);
	return does;
}

/* The number of all states of a set is the sum of its cases, each has a name of its own, and they come
 * by shape and number. The totals are products of the numbers in cube/sets.h, less the solved. */
START_TEST(cases_are_all_states)
{
	static const uint32_t states[CUBE_SETS] = {
		216 - 1,         24 * 12 - 4, 648 - 4, 648 - 4, 27 * 24 * 12 - 4,
		27 * 8 * 24 - 4, 27 * 24 - 4, 648,     648,     24 * 24 - 16,
		150 - 1,         150 * 8 - 1, 4 * 27};
	for (int s = 0; s < CUBE_SETS; s++) {
		const struct cube_set *set = &cube_sets[s];
		uint32_t sum = 0;
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i++) {
			sum += cases[i].states;
			for (int k = 0; k < i; k++)
				ck_assert_str_ne(cases[k].name, cases[i].name);
			ck_assert_uint_gt(strlen(cases[i].name), 0);
			if (i > 0 && cases[i].shape == cases[i - 1].shape)
				ck_assert_uint_gt(cases[i].number, cases[i - 1].number);
			else if (i > 0)
				ck_assert_uint_gt(cases[i].shape, cases[i - 1].shape);
			ck_assert(!cube_set_is_trivial(set, cases[i].number));
		}
		ck_assert_msg(sum == states[s], "%s: %u", set->name, sum);
		ck_assert_ptr_eq(cube_set_find(set->name, strlen(set->name)), set);
	}
	ck_assert_ptr_null(cube_set_find("col", 3));
}
END_TEST

/* Patterns that were written by hand find the same: OLL and PLL by their names, the shapes of corners
 * by the cases of OLL with a cross. */
START_TEST(patterns_find_the_same_shapes)
{
	static const int of_shape[] = {0, 21, 22, 23, 24, 25, 27, 26};
	static const char *const names[] = {"oll", "pll", "coll", "zbll", "ollcp", "cmll"};
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		const struct cube_set *set = cube_set_find(names[n], strlen(names[n]));
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i += gen_long() ? 1 : 1 + set->cases / 100) {
			struct cube_cubies cubies;
			char name[32];
			cube_case_state(set, &cases[i], &cubies);
			const int oll = n == 1 || n == 4 || n == 0 ? cases[i].shape
								   : of_shape[cases[i].shape];
			snprintf(name, sizeof(name), "oll-%d", oll);
			ck_assert_msg(oll > 0 ? fits(name, &cubies) : fits("oll", &cubies), "%s",
				      cases[i].name);
			if (n < 2)
				ck_assert_msg(fits(cases[i].name, &cubies), "%s", cases[i].name);
		}
	}
}
END_TEST

/* The case that an algorithm solves has the name that cubers know. */
START_TEST(known_algorithms_solve_known_shapes)
{
	static const struct {
		const char *set, *moves, *name;
	} known[] = {
		{"coll", "R U R' U R U2 R'", "coll-s-"},
		{"coll", "R U2 R' U' R U' R'", "coll-as-"},
		{"zbll", "R U R' U R U2 R'", "zbll-s-"},
		{"oll", "F R U R' U' F'", "oll-45"},
		{"pll", "R U R' U' R' F R2 U' R' U' R U R' F'", "pll-t"},
		{"ollcp", "F R U R' U' F'", "ollcp-45-"},
		{"cll", "R U R' U R U2 R'", "cll-s-"},
		{"cmll", "R U R' U' R' F R F'", "cmll-t-"},
		{"cmll", "r U R' U' r' F R F'", "cmll-t-"},
		{"pbl", "R2 F2 R2", "pbl-diag-diag"},
		{"pbl", "R2 U' R2 U2 F2 U' R2", "pbl-adj-adj"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct cube_set *set = cube_set_find(known[i].set, strlen(known[i].set));
		struct cube *cube = new_cube(set->size), *inverse = new_cube(set->size);
		struct parsed parsed;
		struct cube_cubies cubies;
		ck_assert(parsed_read(&parsed, known[i].moves, set->size, CUBE_DIALECT_SIGN));
		parsed_apply(cube, &parsed.alg);
		cube_invert(inverse, cube);
		cube_cubies_of(&cubies, inverse);
		cube_set_cases(set, cases);
		const int place = place_of(set, &cubies);
		ck_assert_msg(place >= 0, "%s", known[i].moves);
		ck_assert_msg(strncmp(cases[place].name, known[i].name, strlen(known[i].name)) == 0,
			      "%s: %s", known[i].moves, cases[place].name);
		parsed_free(&parsed);
		free(cube);
		free(inverse);
	}
}
END_TEST

/* The case that an algorithm solves which is seen in a mirror. */
static int mirrored_place(const struct cube_set *set, const char *moves)
{
	struct cube *cube = new_cube(set->size), *inverse = new_cube(set->size);
	struct cube_node nodes[CUBE_ALGORITHM_BYTES];
	struct cube_transform mirror;
	struct cube_cubies cubies;
	struct cube_alg alg;
	struct parsed parsed;
	cube_transform_init(&mirror);
	cube_transform_mirror(&mirror, CUBE_PLANE_M);
	ck_assert(parsed_read(&parsed, moves, set->size, CUBE_DIALECT_SIGN));
	cube_alg_transform(&parsed.alg, &mirror, nodes, &alg);
	parsed_apply(cube, &alg);
	cube_invert(inverse, cube);
	cube_hold_home(cube, inverse);
	/* L turns a 2x2x2 otherwise than R; of a 3x3x3 M may be turned, if it is free. */
	cube_cubies_of(&cubies, set->size == 2 ? cube : inverse);
	const int place = place_of(set, &cubies);
	parsed_free(&parsed);
	free(cube);
	free(inverse);
	return place;
}

START_TEST(mirrored_algorithms_solve_mirrored_cases)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i += gen_long() ? 1 : 1 + set->cases / 60) {
			size_t count;
			const int mirror = cube_case_mirror(set, cases, (size_t)i);
			ck_assert_int_eq(mirror < 0, set->slot != CUBE_SLOT_SOLVED);
			if (mirror < 0)
				continue;
			const struct cube_case_algorithm *one =
				cube_case_algorithms(set, (size_t)i, &count);
			ck_assert_msg(mirrored_place(set, one->moves) == mirror, "%s: %s",
				      cases[i].name, one->moves);
			ck_assert_int_eq(cube_case_mirror(set, cases, (size_t)mirror), i);
			ck_assert_uint_eq(cases[mirror].states, cases[i].states);
		}
	}
}
END_TEST

/* The case of the inverse of a drawn state, in which all that is free is random. */
static int drawn_inverse(const struct cube_set *set, int place)
{
	struct cube *cube = new_cube(set->size), *inverse = new_cube(set->size);
	struct cube_cubies cubies;
	cube_set_draw(set, &cases[place], &source, &cubies);
	cube_of(cube, set->size, &cubies);
	cube_invert(inverse, cube);
	cube_cubies_of(&cubies, inverse);
	free(cube);
	free(inverse);
	return place_of(set, &cubies);
}

/* Tests any state. If the set says too little for an inverse, the inverses of a case belong to
 * several cases. */
START_TEST(inverses_are_of_inverse_cases)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		if (set->slot == CUBE_SLOT_JOINED) /* an inverse is in no set */
			continue;
		int none = 0, several = 0, tried = 0;
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i += gen_long() ? 1 : 1 + set->cases / 60) {
			const int inverse = cube_case_inverse(set, cases, (size_t)i);
			const int first = drawn_inverse(set, i);
			bool same = true;
			for (int k = 0; k < 6; k++)
				same &= drawn_inverse(set, i) == first;
			tried++;
			none += inverse < 0;
			several += !same;
			if (inverse < 0)
				continue;
			ck_assert_msg(same && first == inverse, "%s", cases[i].name);
			ck_assert_int_eq(cube_case_inverse(set, cases, (size_t)inverse), i);
		}
		ck_assert(none == 0 || none == tried);
		ck_assert_msg((none > 0) == (several > 0), "%s", set->name);
		ck_assert_msg((none > 0) == (set->slot != CUBE_SLOT_SOLVED ||
					     strncmp(set->name, "oll", 3) == 0),
			      "%s", set->name);
	}
}
END_TEST

/* Pairs that cubers know: Ua and Ub, Ja and Jb, the Gs; sune and antisune. */
START_TEST(known_mirrors_and_inverses)
{
	static const struct {
		const char *set, *name, *mirror, *inverse;
	} known[] = {
		{"pll", "pll-ua", "pll-ub", "pll-ub"}, {"pll", "pll-ja", "pll-jb", "pll-ja"},
		{"pll", "pll-t", "pll-t", "pll-t"},    {"pll", "pll-ga", "pll-gc", "pll-gb"},
		{"pll", "pll-aa", "pll-ab", "pll-ab"}, {"pll", "pll-v", "pll-v", "pll-v"},
		{"oll", "oll-27", "oll-26", NULL},     {"pbl", "pbl-adj", "pbl-adj", "pbl-adj"},
	};
	for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
		const struct cube_set *set = cube_set_find(known[k].set, strlen(known[k].set));
		size_t i = 0;
		cube_set_cases(set, cases);
		while (strcmp(cases[i].name, known[k].name) != 0)
			i++;
		ck_assert_str_eq(cases[cube_case_mirror(set, cases, i)].name, known[k].mirror);
		const int inverse = cube_case_inverse(set, cases, i);
		ck_assert((inverse < 0) == (known[k].inverse == NULL));
		if (inverse >= 0)
			ck_assert_str_eq(cases[inverse].name, known[k].inverse);
	}
}
END_TEST

/* States that a set leaves out are refused. */
START_TEST(other_states_are_no_cases)
{
	static const struct {
		const char *set, *moves;
	} other[] = {{"coll", "R"},
		     {"coll", "F R U R' U' F'"},
		     {"pll", "R U R' U R U2 R'"},
		     {"zbll", "y"},
		     {"cll", "R2 F2 R2"},
		     {"eg1", "R2 F2 R2"},
		     {"eg2", "R U R' U R U2 R'"},
		     {"cmll", "F"},
		     {"cmll", "D"},
		     {"ollcp", "M2"},
		     {"f2l", "L U L'"},
		     {"zbls", "D"},
		     {"wv", "L U L'"},
		     {"wv", "R U R' U R U2 R'"},
		     {"wv", "F R' F' R"}};
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		const struct cube_set *set = cube_set_find(other[i].set, strlen(other[i].set));
		struct cube *cube = new_cube(set->size);
		struct parsed parsed;
		struct cube_cubies cubies;
		uint32_t number;
		ck_assert(parsed_read(&parsed, other[i].moves, set->size, CUBE_DIALECT_SIGN));
		parsed_apply(cube, &parsed.alg);
		cube_cubies_of(&cubies, cube);
		ck_assert_msg(!cube_set_number(set, &cubies, &number), "%s", other[i].moves);
		parsed_free(&parsed);
		free(cube);
	}
}
END_TEST

/* Every case comes as often as it has states; what is free takes all its values. */
START_TEST(draws_are_uniform)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		static uint32_t drawn[CUBE_SET_CASES_MAX];
		const uint32_t draws = 10u * set->cases * (gen_long() ? 20 : 1);
		uint32_t all = 0, flips = 0;
		double squares = 0;
		memset(drawn, 0, sizeof(drawn));
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i++)
			all += cases[i].states;
		for (uint32_t i = 0; i < draws; i++) {
			struct cube_cubies cubies;
			cube_set_draw(set, NULL, &source, &cubies);
			const int place = place_of(set, &cubies);
			ck_assert_int_ge(place, 0);
			drawn[place]++;
			flips += cubies.edge_orientation[5];
			ck_assert_uint_eq(cubies.corner_permutation[6], 6);
		}
		for (int i = 0; i < set->cases; i++) {
			const double expected = (double)draws * cases[i].states / all;
			squares += (drawn[i] - expected) * (drawn[i] - expected) / expected;
		}
		const double off = squares - (set->cases - 1);
		ck_assert_msg(off * off < 5.0 * 5.0 * 2 * (set->cases - 1) + 100, "%s: %f",
			      set->name, squares);
		ck_assert(set->slice ? flips > draws / 4 && flips < draws * 3 / 4 : flips == 0);
	}
}
END_TEST

/* Drawing one case gives all its states, and no others. */
START_TEST(draws_of_a_case_are_of_it)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		if (set->slot != CUBE_SLOT_SOLVED)
			continue;
		cube_set_cases(set, cases);
		for (int i = 0; i < set->cases; i += gen_long() ? 1 : 1 + set->cases / 6) {
			static uint32_t times[1 << 16];
			const uint32_t draws = 25u * cases[i].states;
			uint32_t states = 0;
			memset(times, 0, sizeof(times));
			for (uint32_t k = 0; k < draws; k++) {
				struct cube_cubies cubies;
				uint32_t hash = 0;
				cube_set_draw(set, &cases[i], &source, &cubies);
				ck_assert_int_eq(place_of(set, &cubies), i);
				/* U counts, and D if both layers do. */
				for (int p = 0; p < (set->base == CUBE_BASE_ANY ? 8 : 4); p++)
					hash = hash * 31 + cubies.corner_orientation[p] * 8u +
					       (set->corners == CUBE_SET_FREE
							? 0u
							: cubies.corner_permutation[p]);
				for (int p = 0; p < 4; p++) {
					if (set->flips == CUBE_SET_COUNTS)
						hash = hash * 5 + cubies.edge_orientation[p];
					if (set->edges == CUBE_SET_COUNTS)
						hash = hash * 31 + cubies.edge_permutation[p];
				}
				states += times[(hash * 2654435761u) >> 16]++ == 0;
			}
			/* A 2x2x2 is held by DBL, so of PBL one in four states is met. */
			ck_assert_msg(states * (set->base == CUBE_BASE_ANY ? 4 : 1) ==
					      cases[i].states,
				      "%s: %u of %u", cases[i].name, states, cases[i].states);
		}
	}
}
END_TEST

/* A digit for each of the five places of the last slot: the piece of the pair and how it is turned, or how
 * another one is. */
static uint32_t slot_hash(const struct cube_set *set, const struct cube_cubies *cubies)
{
	uint32_t hash = 0;
	for (int i = 0; i < 5; i++) {
		const bool corner = cubies->corner_permutation[i] == 4;
		const int edge_place = i == 4 ? 8 : i;
		const bool edge = cubies->edge_permutation[edge_place] == 8;
		hash = hash * 4 + (corner ? 3 : 0);
		hash = hash * 3 + (corner || set->twists == CUBE_SET_COUNTS
					   ? cubies->corner_orientation[i]
					   : 0u);
		hash = hash * 2 + edge;
		hash = hash * 2 + (edge || set->flips == CUBE_SET_COUNTS
					   ? cubies->edge_orientation[edge_place]
					   : 0u);
	}
	return hash;
}

/* The same with the last slot: each of the states comes as often, and the last layer is in any order. */
START_TEST(draws_of_a_slot_are_of_it)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		cube_set_cases(set, cases);
		for (int i = 0; set->slot != CUBE_SLOT_SOLVED && i < set->cases; i++) {
			uint32_t seen[4], states = 0, orders = 0, first = 0;
			for (int k = 0; k < 60; k++) {
				struct cube_cubies cubies;
				uint32_t at = 0, order = 0;
				cube_set_draw(set, &cases[i], &source, &cubies);
				ck_assert_int_eq(place_of(set, &cubies), i);
				const uint32_t hash = slot_hash(set, &cubies);
				while (at < states && seen[at] != hash)
					at++;
				ck_assert_uint_lt(at, 4);
				if (at == states)
					seen[states++] = hash;
				for (int p = 0; p < 4; p++)
					order = order * 9 + cubies.corner_permutation[p];
				first = k == 0 ? order : first;
				orders += order != first;
			}
			ck_assert_msg(states == cases[i].states, "%s: %u", cases[i].name, states);
			ck_assert_uint_gt(orders, 30);
		}
	}
}
END_TEST

/* Cases that everybody knows: the pair that R U' R' inserts, and its neighbours. */
START_TEST(pairs_are_where_they_are_said_to_be)
{
	static const struct {
		const char *set, *moves, *name;
	} known[] = {
		{"f2l", "U R U' R'", "f2l-up-"},
		{"f2l", "R U R'", "f2l-up-"},
		{"f2l", "R U' R' U R U' R'", "f2l-corner-"},
		{"f2l", "R U R' U' R U R' U' R U R'", "f2l-edge-"},
		{"f2l", "R U' R' F R' F' R", "f2l-"},
		{"f2l", "R U R' U' R U R'", "f2l-corner-"},
		{"zbls", "R U' R'", "zbls-up-"},
		{"zbls", "F R U R' U' F'", "zbls-solved-"},
		{"wv", "R U' R'", "wv-"},
		{"wv", "U R U' R'", "wv-"},
		{"wv", "R U R' U' R U' R'", "wv-"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct cube_set *set = cube_set_find(known[i].set, strlen(known[i].set));
		struct cube *cube = new_cube(3), *inverse = new_cube(3);
		struct parsed parsed;
		struct cube_cubies cubies;
		ck_assert(parsed_read(&parsed, known[i].moves, 3, CUBE_DIALECT_SIGN));
		parsed_apply(cube, &parsed.alg);
		cube_invert(inverse, cube);
		cube_cubies_of(&cubies, inverse);
		cube_set_cases(set, cases);
		const int place = place_of(set, &cubies);
		ck_assert_msg(place >= 0, "%s: %s", set->name, known[i].moves);
		ck_assert_msg(strncmp(cases[place].name, known[i].name, strlen(known[i].name)) == 0,
			      "%s: %s", known[i].moves, cases[place].name);
		parsed_free(&parsed);
		free(cube);
		free(inverse);
	}
}
END_TEST

static void apply(struct cube *cube, const char *moves)
{
	struct parsed parsed;
	ck_assert(parsed_read(&parsed, moves, cube->size, CUBE_DIALECT_SIGN));
	parsed_apply(cube, &parsed.alg);
	parsed_free(&parsed);
}

/* Returns true if the facelets are those of the solved cube, apart from what an algorithm of the
 * set may change. It looks at the faces, not at pieces. */
static bool does_its_task(const struct cube_set *set, const struct cube *cube)
{
	const bool edges = strcmp(set->name, "coll") == 0 || strcmp(set->name, "ollcp") == 0;
	if (set->size == 2)
		return cube_is_solved(cube);
	for (int i = 0; i < 54; i++) {
		const int face = i / 9, row = i / 3 % 3, column = i % 3;
		const bool side = face % 3 != CUBE_U, top = side && row == 0;
		const bool slice = column == 1 && face % 3 != CUBE_R;
		const bool oriented = set->flips == CUBE_SET_COUNTS && (row + column) % 2 == 1;
		if (set->slot != CUBE_SLOT_SOLVED &&
		    (top || (face == CUBE_U && set->slot == CUBE_SLOT_ANY && !oriented)))
			continue;
		if ((strcmp(set->name, "oll") == 0 && top) || (edges && top && column == 1) ||
		    (set->slice && (slice || (row == 0 && column == 1) ||
				    (face == CUBE_U && (row == 1 || column == 1)))))
			continue;
		if (cube_color_at(cube, (size_t)i) != face)
			return false;
	}
	return true;
}

/* All of them, turned: those of a case solve the same state, which is one of the case. */
START_TEST(algorithms_solve_their_cases)
{
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		struct cube *state = new_cube(set->size), *cube = new_cube(set->size);
		cube_set_cases(set, cases);
		for (size_t i = 0; i < set->cases; i++) {
			struct cube_cubies cubies;
			size_t count;
			const struct cube_case_algorithm *one =
				cube_case_algorithms(set, i, &count);
			ck_assert_msg(count >= 1 && count <= 4, "%s", cases[i].name);
			ck_assert(one[0].hold == 0 && one[0].before == 0 && one[0].after == 0);
			cube_case_cube(set, cases, i, state);
			cube_cubies_of(&cubies, state);
			ck_assert_msg(place_of(set, &cubies) == (int)i, "%s", cases[i].name);
			for (size_t k = 0; k < count; k++) {
				uint64_t turns = 1;
				for (const char *at = one[k].moves; *at; at++)
					turns += *at == ' ';
				cube_copy(cube, state);
				cube_turn(cube, cube_turn_make(set->size, CUBE_U, 1, set->size,
							       one[k].hold));
				cube_turn(cube,
					  cube_turn_make(set->size, CUBE_U, 1, 1, one[k].before));
				apply(cube, one[k].moves);
				cube_turn(cube,
					  cube_turn_make(set->size, CUBE_U, 1, 1, one[k].after));
				ck_assert_msg(does_its_task(set, cube), "%s: %s", cases[i].name,
					      one[k].moves);
				ck_assert_uint_eq(one[k].length, turns);
				ck_assert(k == 0 || one[k].effort >= one[k - 1].effort);
				ck_assert_int_lt(one[k].hold, set->size == 3 ? 1 : 4);
				ck_assert_uint_lt(strlen(one[k].moves), CUBE_ALGORITHM_BYTES);
			}
		}
		free(state);
		free(cube);
	}
}
END_TEST

/* Returns the effort of the algorithm; -1 if it is not there. */
static int effort_of(const char *set_name, const char *moves)
{
	const struct cube_set *set = cube_set_find(set_name, strlen(set_name));
	for (size_t i = 0; i < set->cases; i++) {
		size_t count;
		const struct cube_case_algorithm *one = cube_case_algorithms(set, i, &count);
		for (size_t k = 0; k < count; k++)
			if (strcmp(one[k].moves, moves) == 0)
				return one[k].effort;
	}
	return -1;
}

/* By hand: turns of the wrist in turn need no grip; R U R needs one if it goes on in the same way. */
START_TEST(efforts_are_sums)
{
	ck_assert_int_eq(effort_of("coll", "R U R' U R U2 R'"), 6 * 10 + 14);
	ck_assert_int_eq(effort_of("oll", "F R U R' U' F'"), 4 * 10 + 2 * 15);
	ck_assert_int_eq(effort_of("pbl", "R2 F2 R2"), 2 * 15 + 20);
}
END_TEST

/* The state is one of the case; a 2x2x2 takes 11 turns, a 3x3x3 at most 23, and 30 near the solved state. */
START_TEST(scrambles_lead_to_cases)
{
	const struct cube_solver *solver[2] = {cube_solver_find("optimal", 7, 2),
					       cube_solver_find("two_phase", 9, 3)};
	void *tables[2];
	for (int i = 0; i < 2; i++) {
		tables[i] = aligned_alloc(CUBE_SOLVE_ALIGN,
					  CUBE_SOLVE_ALIGNED(solver[i]->tables[0].bytes));
		cube_solver_make(&solver[i]->tables[0], tables[i]);
	}
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		struct cube *cube = new_cube(set->size);
		cube_set_cases(set, cases);
		for (int k = 0; k < 6; k++) {
			const int place = (int)cube_random_below(&source, set->cases);
			const struct cube_scramble_task task = {.size = set->size,
								.random = source,
								.optimal2 = tables[0],
								.two_phase = tables[1],
								.set = set,
								.set_case = k % 2 ? &cases[place]
										  : NULL};
			struct cube_turn turns[40];
			struct cube_cubies cubies;
			const size_t count = cube_scramble(&task, turns);
			ck_assert(set->size == 2 ? count == 11 : count >= 4 && count <= 30);
			ck_assert_uint_eq(cube_turns_simplify(set->size, turns, count), count);
			cube_init(cube, set->size);
			cube_turn_all(cube, turns, count);
			cube_cubies_of(&cubies, cube);
			const int drawn = place_of(set, &cubies);
			ck_assert(k % 2 ? drawn == place : drawn >= 0);
		}
		free(cube);
	}
	free(tables[0]);
	free(tables[1]);
}
END_TEST

/* An algorithm without its spaces is read as the same moves. */
START_TEST(algorithms_are_read_without_spaces)
{
	int with_numbers = 0;
	for (const struct cube_set *set = cube_sets; set < cube_sets + CUBE_SETS; set++) {
		for (size_t i = 0; i < set->cases; i++) {
			size_t count;
			const struct cube_case_algorithm *one =
				cube_case_algorithms(set, i, &count);
			for (; count > 0; one++, count--) {
				char texts[2][4 * CUBE_ALGORITHM_BYTES],
					packed[CUBE_ALGORITHM_BYTES];
				size_t length = 0;
				for (const char *at = one->moves; *at; at++)
					if (*at != ' ')
						packed[length++] = *at;
				packed[length] = '\0';
				for (int k = 0; k < 2; k++) {
					struct parsed parsed;
					ck_assert_msg(parsed_read(&parsed, k ? packed : one->moves,
								  set->size, CUBE_DIALECT_SIGN),
						      "%s", packed);
					cube_alg_print(&parsed.alg, texts[k], sizeof(texts[k]));
					parsed_free(&parsed);
				}
				ck_assert_str_eq(texts[1], texts[0]);
				with_numbers += strpbrk(packed, "23") != NULL;
			}
		}
	}
	ck_assert_int_gt(with_numbers, 400);
}
END_TEST

/* The case that moves solve has their name: the names are right, and none means two cases. */
START_TEST(cases_have_usual_names)
{
	static const struct {
		const char *set, *moves, *called;
	} known[] = {
		{"oll", "R U R' U R U2 R'", "Sune"},
		{"oll", "R U2 R' U' R U' R'", "anti-sune"},
		{"oll", "R U R' U' R' F R F'", "key"},
		{"oll", "F R U R' U' R U R' U' R U R' U' F'", "double sune"},
		{"oll", "r U R' U' M U R U' R'", "stealth"},
		{"oll", "R U R' U' M' U R U' r'", "mummy"},
		{"pll", "R U R' U' R' F R2 U' R' U' R U R' F'", "T perm"},
		{"pll", "M2 U M2 U2 M2 U M2", "h"},
		{"pll", "R U R' F' R U R' U' R' F R2 U' R'", "JB-PERM"},
		{"pll", "F R U' R' U' R U R' F' R U R' U' R' F R F'", "y_perm"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct cube_set *set = cube_set_find(known[i].set, 3);
		struct parsed parsed;
		struct cube *cube = new_cube(3), *inverse = new_cube(3);
		struct cube_cubies cubies;
		cube_set_cases(set, cases);
		ck_assert(parsed_read(&parsed, known[i].moves, 3, CUBE_DIALECT_SIGN));
		parsed_apply(cube, &parsed.alg);
		cube_invert(inverse, cube);
		cube_cubies_of(&cubies, inverse);
		const int place = place_of(set, &cubies);
		ck_assert_int_ge(place, 0);
		ck_assert_str_eq(cube_case_called(set, known[i].called, strlen(known[i].called)),
				 cases[place].name);
		parsed_free(&parsed);
		free(cube);
		free(inverse);
	}
	for (const struct cube_set *set = cube_sets; set < cube_sets + 2; set++) {
		const char *aliases[CUBE_CASE_ALIASES_MAX];
		size_t all = 0;
		cube_set_cases(set, cases);
		for (size_t i = 0; i < set->cases; i++) {
			const size_t count = cube_case_aliases(cases[i].name, aliases);
			for (size_t k = 0; k < count; k++)
				ck_assert_str_eq(
					cube_case_called(set, aliases[k], strlen(aliases[k])),
					cases[i].name);
			all += count;
		}
		ck_assert_uint_ge(all, 21);
		ck_assert_ptr_null(cube_case_called(set, "perm", 4));
		ck_assert_ptr_null(cube_case_called(set, "", 0));
		ck_assert_ptr_null(cube_case_called(set, "seventeen", 9));
	}
}
END_TEST

int main(void)
{
	cube_seeded_init(&seeded, "sets", 4);
	Suite *suite = suite_create("sets");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 240);
	tcase_add_test(all, turns_before_and_after_change_no_case);
	tcase_add_test(all, cases_have_their_states);
	tcase_add_test(all, cases_are_all_states);
	tcase_add_test(all, patterns_find_the_same_shapes);
	tcase_add_test(all, known_algorithms_solve_known_shapes);
	tcase_add_test(all, mirrored_algorithms_solve_mirrored_cases);
	tcase_add_test(all, inverses_are_of_inverse_cases);
	tcase_add_test(all, known_mirrors_and_inverses);
	tcase_add_test(all, other_states_are_no_cases);
	tcase_add_test(all, draws_are_uniform);
	tcase_add_test(all, draws_of_a_case_are_of_it);
	tcase_add_test(all, draws_of_a_slot_are_of_it);
	tcase_add_test(all, pairs_are_where_they_are_said_to_be);
	tcase_add_test(all, algorithms_solve_their_cases);
	tcase_add_test(all, efforts_are_sums);
	tcase_add_test(all, scrambles_lead_to_cases);
	tcase_add_test(all, algorithms_are_read_without_spaces);
	tcase_add_test(all, cases_have_usual_names);
	suite_add_tcase(suite, all);
	return run_suite(suite, 16);
}
