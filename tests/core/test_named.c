/* tests/core/test_named.c: every named pattern against moves that make it; the cases of the last
 * layer against all there are. */
#include "cube/cube.h"
#include "cube/named.h"

#include <string.h>

#include "cube/cubies.h"
#include "cube/facelets.h"
#include "tests/core/checked_cube.h"
#include "tests/core/run.h"

static struct cube_query_node *made(const struct cube_named *named, int size, void **memory)
{
	*memory = new_bytes(cube_named_bytes(named, size));
	return cube_named_make(named, size, *memory);
}

static uint32_t match(const struct cube_named *named, const struct cube *cube)
{
	void *memory;
	uint8_t *colors = new_bytes(cube_facelets(cube->size));
	struct cube_query_node *nodes = made(named, cube->size, &memory);
	cube_colors(cube, colors);
	uint32_t fits = cube_query_match(nodes, colors, CUBE_FITS_ALL);
	free(memory);
	free(colors);
	return fits;
}

static const struct cube_named *row(const char *name)
{
	const struct cube_named *named = cube_named_find(name, strlen(name));
	ck_assert_msg(named != NULL, "%s", name);
	return named;
}

static bool is_case(const struct cube_named *named)
{
	return strncmp(named->name, "oll-", 4) == 0 || strncmp(named->name, "pll-", 4) == 0;
}

static const int sizes[] = {2, 3, 4, 5, 8, 31};

/* Its own moves lead there, on every size; and a solved cube is in all but the cases and the pretty
 * ones. */
START_TEST(moves_lead_there)
{
	const struct cube_named *named = &cube_named[_i];
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (sizes[i] < named->size_min || sizes[i] > named->size_max)
			continue;
		struct checked_cube both = checked_create(sizes[i]);
		bool pretty = match(named, both.cube) == 0;
		ck_assert(checked_moves(&both, named->setup));
		ck_assert_msg(match(named, both.cube) != 0, "%s %d", named->name, sizes[i]);
		ck_assert(checked_same(&both));
		ck_assert_msg(!pretty || named->size_max == 3, "%s", named->name);
		/* Scrambled, none is there. */
		ck_assert(checked_moves(&both, "R U2 F' L D2 B R' U L2 F D' B2 R U' F2 L' D"));
		if (sizes[i] > 3)
			ck_assert(checked_moves(&both, "2R U 2F' 2D R 2B"));
		ck_assert_msg(match(named, both.cube) == 0, "%s %d", named->name, sizes[i]);
		checked_destroy(&both);
	}
}
END_TEST

/* Tests cases: the setup is the inverse of an algorithm, which leads on. */
START_TEST(cases_are_solved_by_their_moves)
{
	const struct cube_named *named = &cube_named[_i], *oll = row("oll");
	char moves[160];
	size_t length = strlen(named->setup);
	if (!is_case(named))
		return;
	struct checked_cube both = checked_create(3);
	ck_assert_int_lt((int)length, 150);
	ck_assert(checked_moves(&both, named->setup));
	ck_assert_uint_eq(match(row("solved"), both.cube), 0);
	ck_assert(named->name[0] == 'p' || match(oll, both.cube) == 0);
	/* "(R U)'" without its bracket. */
	memcpy(moves, named->setup + 1, length - 3);
	moves[length - 3] = '\0';
	ck_assert(checked_moves(&both, moves));
	ck_assert_uint_ne(match(oll, both.cube), 0);
	ck_assert_uint_eq(match(row("solved"), both.cube), CUBE_FITS_ALL);
	checked_destroy(&both);
}
END_TEST

/* ---- every state of the last layer ---- */

static struct cube_query_node *cases[100];
static void *memories[100];
static size_t case_count;

static void make_cases(const char *prefix)
{
	case_count = 0;
	for (size_t i = 0; i < cube_named_count; i++)
		if (strncmp(cube_named[i].name, prefix, strlen(prefix)) == 0) {
			cases[case_count] = made(&cube_named[i], 3, &memories[case_count]);
			case_count++;
		}
}

static void free_cases(void)
{
	for (size_t i = 0; i < case_count; i++)
		free(memories[i]);
}

static struct cube_cubies solved_cubies(void)
{
	struct cube *cube = new_cube(3);
	struct cube_cubies cubies;
	cube_init(cube, 3);
	cube_cubies_of(&cubies, cube);
	free(cube);
	return cubies;
}

/* Returns the case with U as the last layer; -1 for none, -2 for several. If all that is wrong lies
 * on another face too, that may be the last layer as well. */
static int case_of(const struct cube_cubies *cubies, int *ways)
{
	uint8_t colors[54];
	int found = -1;
	cube_cubies_paint(cubies, 3, colors);
	for (size_t i = 0; i < case_count; i++) {
		uint32_t fits = cube_query_match(cases[i], colors, 0xfu);
		if (fits == 0)
			continue;
		*ways = __builtin_popcount(fits);
		found = found == -1 ? (int)i : -2;
	}
	return found;
}

START_TEST(each_orientation_is_one_case)
{
	int seen[57] = {0}, total = 0, ways = 0;
	make_cases("oll-");
	ck_assert_uint_eq(case_count, 57);
	for (int twists = 0; twists < 81; twists++)
		for (int flips = 0; flips < 16; flips++) {
			struct cube_cubies cubies = solved_cubies();
			int rest = twists, twist = 0, flip = 0;
			for (int i = 0; i < 4; i++, rest /= 3) {
				twist += cubies.corner_orientation[i] = (uint8_t)(rest % 3);
				flip += cubies.edge_orientation[i] = flips >> i & 1;
			}
			if (twist % 3 != 0 || flip % 2 != 0)
				continue;
			int found = case_of(&cubies, &ways);
			total++;
			ck_assert_msg(found >= 0 || twists + flips == 0, "%d %d: %d", twists, flips,
				      found);
			if (found >= 0) {
				/* States that are the same when turned: as many as there are other
				 * ways. */
				seen[found]++;
				ck_assert_int_le(seen[found], 4 / ways);
			}
		}
	ck_assert_int_eq(total, 216);
	for (int i = 0; i < 57; i++)
		ck_assert_int_gt(seen[i], 0);
	free_cases();
}
END_TEST

static bool is_odd(const uint8_t p[4])
{
	bool odd = false;
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++)
			odd ^= p[k] > p[i];
	return odd;
}

/* The 24 permutations of four, one after another. */
static void permutation(int number, uint8_t p[4])
{
	uint8_t left[4] = {0, 1, 2, 3};
	for (int i = 0; i < 4; i++) {
		int at = number % (4 - i);
		number /= 4 - i;
		p[i] = left[at];
		for (int k = at; k < 3; k++)
			left[k] = left[k + 1];
	}
}

START_TEST(each_permutation_is_one_case)
{
	int seen[21] = {0}, total = 0, none = 0, ways;
	make_cases("pll-");
	ck_assert_uint_eq(case_count, 21);
	for (int i = 0; i < 24; i++)
		for (int k = 0; k < 24; k++) {
			struct cube_cubies cubies = solved_cubies();
			permutation(i, cubies.corner_permutation);
			permutation(k, cubies.edge_permutation);
			if (is_odd(cubies.corner_permutation) != is_odd(cubies.edge_permutation))
				continue;
			total++;
			int found = case_of(&cubies, &ways);
			ck_assert_int_ge(found, -1);
			if (found >= 0)
				seen[found]++;
			else
				none++;
		}
	ck_assert_int_eq(total, 288);
	ck_assert_int_eq(none, 4); /* solved, and turned */
	/* Among the 72 states, one is of H, one or two are of E, N and Z, and four of other cases;
	 * times four for the turns. */
	for (int i = 0; i < 21; i++)
		ck_assert_int_ge(seen[i], 4);
	free_cases();
}
END_TEST

/* ---- the table ---- */

START_TEST(rows_are_well_formed)
{
	for (size_t i = 0; i < cube_named_count; i++) {
		const struct cube_named *named = &cube_named[i];
		ck_assert_ptr_eq(cube_named_find(named->name, strlen(named->name)), named);
		ck_assert_uint_eq(strspn(named->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
				  strlen(named->name));
		ck_assert(named->size_min >= CUBE_SIZE_MIN && named->size_max <= CUBE_SIZE_MAX);
		ck_assert_uint_gt(strlen(named->title), 5);
		ck_assert_uint_gt(strlen(named->source), 1);
		const char *at = named->text;
		struct cube_named_part part;
		size_t parts = 0;
		for (; cube_named_part(&at, &part); parts++) {
			ck_assert(parts > 0 || !part.alternative);
			ck_assert(part.kind != CUBE_NAMED_ROW ||
				  (part.row < named && part.row->size_min <= named->size_min &&
				   part.row->size_max >= named->size_max));
		}
		ck_assert_uint_gt(parts, 0);
	}
	ck_assert_ptr_null(cube_named_find("f2", 2));
}
END_TEST

/* A layer's face is known by the colour in its middle, so there is one; where A is the last layer
 * all opposite is done. */
START_TEST(layers_have_a_middle)
{
	uint8_t items[54];
	size_t count[CUBE_LAYERS] = {0};
	for (size_t i = 0; i < cube_named_count; i++) {
		const struct cube_named *named = &cube_named[i];
		const char *at = named->text;
		struct cube_named_part part;
		ck_assert_uint_lt(named->layer, CUBE_LAYERS);
		count[named->layer]++;
		while (named->layer != CUBE_LAYER_NONE && cube_named_part(&at, &part)) {
			ck_assert(part.kind != CUBE_NAMED_ROW || part.row->layer == named->layer);
			if (part.kind != CUBE_NAMED_COLORS)
				continue;
			cube_named_items(&part, 3, items);
			ck_assert_uint_lt(items[4], CUBE_ITEM_ANY);
			for (int item = 45; item < 54 && named->layer == CUBE_LAYER_LAST; item++)
				ck_assert(items[item] < CUBE_ITEM_ANY && items[item] == items[45]);
		}
	}
	ck_assert_uint_ge(count[CUBE_LAYER_FIRST], 8);
	ck_assert_uint_ge(count[CUBE_LAYER_LAST], 4 + 57 + 21);
}
END_TEST

/* In the order of a solve, each stage holds what the one before does. */
START_TEST(stages_hold_those_before)
{
	static const char *const orders[][8] = {
		{"cross", "f2l-1", "f2l-2", "f2l-3", "f2l", "oll", "solved"},
		{"face", "first-layer", "f2l", "last-cross", "last-edges", "last-corners-placed",
		 "solved"},
		{"first-block", "second-block", "cmll", "solved"},
		{"petrus-222", "petrus-223", "petrus-eo", "solved"},
		{"eo", "eo-line", "eo-cross", "solved"},
		{"centers", "reduced", "solved"},
	};
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		for (int k = 1; k < 8 && orders[i][k]; k++) {
			const struct cube_named *later = row(orders[i][k]);
			struct checked_cube both =
				checked_create(later->size_min < 3 ? 3 : later->size_min);
			if (i == 5) {
				checked_destroy(&both);
				both = checked_create(4);
			}
			ck_assert(checked_moves(&both, later->setup));
			for (int before = 0; before < k; before++)
				ck_assert_msg(match(row(orders[i][before]), both.cube) != 0,
					      "%s is no %s", later->name, orders[i][before]);
			checked_destroy(&both);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("named");
	TCase *rows = tcase_create("rows"), *last = tcase_create("last layer");
	tcase_add_loop_test(rows, moves_lead_there, 0, (int)cube_named_count);
	tcase_add_loop_test(rows, cases_are_solved_by_their_moves, 0, (int)cube_named_count);
	tcase_add_test(rows, rows_are_well_formed);
	tcase_add_test(rows, layers_have_a_middle);
	tcase_add_test(rows, stages_hold_those_before);
	tcase_add_test(last, each_orientation_is_one_case);
	tcase_add_test(last, each_permutation_is_one_case);
	suite_add_tcase(suite, rows);
	suite_add_tcase(suite, last);
	return run_suite(suite, 200);
}
