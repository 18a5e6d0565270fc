/* tests/core/test_cubies.c: cubies against points in space; colours and other piece orders. */
#include "cube/cubies.h"

#include "cube/facelets.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

/* ---- a second derivation: names to points, pieces followed in the model ---- */

/* The middle of the place with that name, in units of the distance from the middle. */
static void point_of(const char *name, size_t letters, int at[3])
{
	static const int normals[CUBE_FACES][3] = {{0, 1, 0},  {1, 0, 0},  {0, 0, 1},
						   {0, -1, 0}, {-1, 0, 0}, {0, 0, -1}};
	memset(at, 0, 3 * sizeof(*at));
	for (size_t i = 0; i < letters; i++)
		for (int j = 0; j < 3; j++)
			at[j] += normals[strchr("URFDLB", name[i]) - "URFDLB"][j];
}

static bool lies_at(const struct geo_sticker *sticker, const int at[3], int far)
{
	return sticker->at[0] == at[0] * far && sticker->at[1] == at[1] * far &&
	       sticker->at[2] == at[2] * far;
}

/* The number of the place, in a list of names, that has this sticker at home. */
static uint8_t piece_of(const char *names, size_t letters, struct geo_sticker home, int far)
{
	for (size_t i = 0; i * (letters + 1) < strlen(names); i++) {
		int at[3];
		point_of(names + i * (letters + 1), letters, at);
		if (lies_at(&home, at, far))
			return (uint8_t)i;
	}
	abort();
}

/* A third of a turn about the diagonal d, clockwise as seen from outside. */
static void turn_third(const int d[3], int v[3])
{
	int along = d[0] * v[0] + d[1] * v[1] + d[2] * v[2], w[3];
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		w[i] = (-v[i] - (d[j] * v[k] - d[k] * v[j]) + d[i] * along) / 2;
	}
	memcpy(v, w, sizeof(w));
}

/* The axis by which flips and twists are defined: y, or z for what lies on no U or D face. */
static int marked_axis(const int at[3])
{
	return at[1] != 0 ? 1 : 2;
}

/* The piece at a place and how it is turned, from the model's points and arrows. */
static void look(const struct geo *geo, const char *names, size_t letters, size_t place,
		 uint8_t *piece, uint8_t *turn)
{
	int far = geo->size - 1, at[3];
	point_of(names + place * (letters + 1), letters, at);
	for (size_t i = 0; i < geo->count; i++) {
		const struct geo_sticker *sticker = &geo->stickers[i];
		if (!lies_at(sticker, at, far))
			continue;
		struct geo_sticker home = geo_home(geo->size, i);
		int from[3] = {home.at[0], home.at[1], home.at[2]};
		if (home.normal[marked_axis(from)] == 0)
			continue; /* another sticker of this piece is the one to look at */
		*piece = piece_of(names, letters, home, far);
		int arrow[3] = {0}, axis = marked_axis(at);
		arrow[axis] = at[axis];
		for (*turn = 0; *turn < letters; (*turn)++) {
			if (sticker->normal[0] == arrow[0] && sticker->normal[1] == arrow[1] &&
			    sticker->normal[2] == arrow[2])
				return;
			if (letters == 2) { /* else it is the other way round */
				*turn = 1;
				return;
			}
			turn_third(at, arrow);
		}
	}
	abort();
}

static struct cube_cubies model_cubies(const struct geo *geo, enum cube_piece_order order)
{
	struct cube_cubies cubies;
	const char *corners = cube_piece_order_corners(order),
		   *edges = cube_piece_order_edges(order);
	for (size_t i = 0; i < CUBE_CORNERS; i++)
		look(geo, corners, 3, i, &cubies.corner_permutation[i],
		     &cubies.corner_orientation[i]);
	for (uint8_t i = 0; i < CUBE_EDGES; i++) {
		cubies.edge_permutation[i] = i;
		cubies.edge_orientation[i] = 0;
		if (geo->size == 3)
			look(geo, edges, 2, i, &cubies.edge_permutation[i],
			     &cubies.edge_orientation[i]);
	}
	for (uint8_t i = 0; i < CUBE_FACES; i++) {
		cubies.centers[i] = i;
		for (uint8_t j = 0; j < CUBE_FACES && geo->size == 3; j++)
			if (geo_facelet(3, &geo->stickers[j * 9 + 4]) == i * 9u + 4)
				cubies.centers[i] = j;
	}
	return cubies;
}

static bool same(const struct cube_cubies *a, const struct cube_cubies *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* ---- the tests ---- */

/* All turns, middle layers and rotations among them; every order; colours and back. */
START_TEST(cubies_are_those_of_the_model)
{
	int n = _i;
	struct gen gen = {.state = (uint64_t)n + 40};
	struct checked_cube both = checked_create(n);
	struct cube *back = new_cube(n);
	uint8_t colors[54];
	char letters[55];
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		checked_turn(&both, gen_turn(&gen, n));
		struct cube_cubies cubies, ordered, again,
			expected = model_cubies(&both.geo, CUBE_ORDER_KOCIEMBA);
		cube_cubies_of(&cubies, both.cube);
		ck_assert(same(&cubies, &expected));
		int array, index;
		ck_assert(cube_cubies_in_range(&cubies, n, &array, &index));

		memset(colors, 0xff, sizeof(colors));
		cube_cubies_paint(&cubies, n, colors);
		geo_letters(&both.geo, letters);
		for (size_t i = 0; i < both.geo.count; i++)
			ck_assert_int_eq("URFDLB"[colors[i]], letters[i]);
		ck_assert_uint_eq(cube_from_colors(back, n, colors, NULL, 0), 0);
		cube_cubies_of(&again, back);
		ck_assert(same(&cubies, &again));

		if (n == 2) /* no edges to follow */
			continue;
		enum cube_piece_order order = round % CUBE_PIECE_ORDERS;
		cube_cubies_to_order(&ordered, &cubies, order);
		expected = model_cubies(&both.geo, order);
		ck_assert(same(&ordered, &expected));
		cube_cubies_from_order(&again, &ordered, order);
		ck_assert(same(&again, &cubies));
		cube_cubies_from_order(&ordered, &ordered, order); /* in place */
		ck_assert(same(&ordered, &cubies));
	}
	checked_destroy(&both);
	free(back);
}
END_TEST

/* Tests M and y as the header describes them, R by hand, and the superflip. */
START_TEST(known_positions)
{
	static const struct cube_cubies solved = {{0, 1, 2, 3, 4, 5, 6, 7},
						  {0},
						  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
						  {0},
						  {0, 1, 2, 3, 4, 5}};
	/* Kociemba's cubie level of R, from the page on the mathematics of the cube. */
	static const struct cube_cubies turn_r = {{4, 1, 2, 0, 7, 5, 6, 3},
						  {2, 0, 0, 1, 1, 0, 0, 2},
						  {8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0},
						  {0},
						  {0, 1, 2, 3, 4, 5}};
	struct checked_cube both = checked_create(3);
	struct cube_cubies cubies, flipped = solved;
	cube_cubies_of(&cubies, both.cube);
	ck_assert(same(&cubies, &solved));
	ck_assert(checked_moves(&both, "R"));
	cube_cubies_of(&cubies, both.cube);
	ck_assert(same(&cubies, &turn_r));

	checked_solve(&both);
	ck_assert(checked_moves(&both, "M"));
	cube_cubies_of(&cubies, both.cube);
	ck_assert_mem_eq(cubies.corner_permutation, solved.corner_permutation, 8);
	ck_assert_mem_eq(cubies.corner_orientation, solved.corner_orientation, 8);
	static const uint8_t after_m[] = {5, 1, 0, 2, 4, 3};
	ck_assert_mem_eq(cubies.centers, after_m, 6);
	checked_solve(&both);
	ck_assert(checked_moves(&both, "y"));
	cube_cubies_of(&cubies, both.cube);
	for (int i = 0; i < CUBE_CORNERS; i++)
		ck_assert_int_ne(cubies.corner_permutation[i], i);
	for (int i = 0; i < CUBE_EDGES; i++)
		ck_assert_int_ne(cubies.edge_permutation[i], i);

	checked_solve(&both);
	ck_assert(checked_moves(&both, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"));
	cube_cubies_of(&cubies, both.cube);
	memset(flipped.edge_orientation, 1, CUBE_EDGES);
	ck_assert(same(&cubies, &flipped));
	checked_destroy(&both);
}
END_TEST

static bool has_problem(const struct cube_cubies *cubies, int size, enum cube_problem_kind kind)
{
	struct cube_problem problems[32];
	uint8_t colors[54];
	struct cube *cube = new_cube(size);
	cube_cubies_paint(cubies, size, colors);
	size_t found = cube_from_colors(cube, size, colors, problems, 32);
	bool has = false;
	for (size_t i = 0; i < found && i < 32; i++)
		has |= problems[i].kind == kind;
	free(cube);
	return has;
}

/* Impossible cubies are painted all the same, and the fault is found in the colours. */
START_TEST(impossible_cubies)
{
	struct gen gen = {.state = 77};
	struct checked_cube both = checked_create(3);
	for (int round = 0; round < 200; round++) {
		checked_turn(&both, gen_turn(&gen, 3));
		struct cube_cubies right, wrong;
		cube_cubies_of(&right, both.cube);
		uint32_t at = gen_below(&gen, CUBE_CORNERS);
		wrong = right;
		wrong.corner_orientation[at] = (uint8_t)((right.corner_orientation[at] + 1) % 3);
		ck_assert(has_problem(&wrong, 3, CUBE_PROBLEM_CORNER_TWISTED));
		ck_assert(has_problem(&wrong, 2, CUBE_PROBLEM_CORNER_TWISTED));
		wrong = right;
		wrong.edge_orientation[at] ^= 1;
		ck_assert(has_problem(&wrong, 3, CUBE_PROBLEM_EDGE_FLIPPED));
		wrong = right;
		wrong.edge_permutation[at] = wrong.edge_permutation[at + 1];
		ck_assert(has_problem(&wrong, 3, CUBE_PROBLEM_DUPLICATE_PIECE));
		ck_assert(has_problem(&wrong, 3, CUBE_PROBLEM_MISSING_PIECE));
		wrong = right;
		wrong.edge_permutation[at] = right.edge_permutation[at + 1];
		wrong.edge_permutation[at + 1] = right.edge_permutation[at];
		ck_assert(has_problem(&wrong, 3, CUBE_PROBLEM_PARITY));
		wrong = right;
		wrong.centers[0] = right.centers[3];
		wrong.centers[3] = right.centers[0];
		ck_assert(has_problem(&wrong, 3, CUBE_PROBLEM_CENTERS));
	}
	checked_destroy(&both);
}
END_TEST

/* Each value of each array, one too large, is reported by its row and place. */
START_TEST(values_out_of_range)
{
	static const char *const names[] = {"corner_permutation", "corner_orientation",
					    "edge_permutation", "edge_orientation", "centers"};
	static const int most[] = {7, 2, 11, 1, 5}, counts[] = {8, 8, 12, 12, 6};
	struct cube *cube = new_cube(3);
	for (int i = 0; i < CUBE_CUBIES_ARRAYS; i++) {
		const struct cube_cubies_array *row = &cube_cubies_arrays[i];
		ck_assert_str_eq(row->name, names[i]);
		ck_assert(row->values == most[i] + 1 && row->count == counts[i]);
		for (int j = 0; j < counts[i]; j++) {
			struct cube_cubies cubies;
			int array = -1, index = -1;
			cube_cubies_of(&cubies, cube);
			uint8_t *value = (uint8_t *)&cubies + row->offset + j;
			*value = (uint8_t)most[i];
			ck_assert(cube_cubies_in_range(&cubies, 3, &array, &index));
			*value = (uint8_t)(most[i] + 1);
			ck_assert(!cube_cubies_in_range(&cubies, 3, &array, &index));
			ck_assert(array == i && index == j);
			ck_assert(cube_cubies_in_range(&cubies, 2, &array, &index) == (i >= 2));
			*value = 255;
			ck_assert(!cube_cubies_in_range(&cubies, 3, &array, &index));
		}
	}
	free(cube);
}
END_TEST

START_TEST(orders_have_names)
{
	enum cube_piece_order found;
	for (int i = 0; i < CUBE_PIECE_ORDERS; i++) {
		const char *name = cube_piece_order_name((enum cube_piece_order)i);
		ck_assert(cube_piece_order_find(name, strlen(name), &found));
		ck_assert_int_eq((int)found, i);
		ck_assert_uint_eq(strlen(cube_piece_order_corners(found)), 8 * 4 - 1);
		ck_assert_uint_eq(strlen(cube_piece_order_edges(found)), 12 * 3 - 1);
	}
	ck_assert(!cube_piece_order_find("kociemb", 7, &found));
	ck_assert(!cube_piece_order_find("kociembas", 9, &found));
	ck_assert(!cube_piece_order_find("", 0, &found));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cubies");
	TCase *all = tcase_create("all");
	tcase_add_loop_test(all, cubies_are_those_of_the_model, 2, 4);
	tcase_add_test(all, known_positions);
	tcase_add_test(all, impossible_cubies);
	tcase_add_test(all, values_out_of_range);
	tcase_add_test(all, orders_have_names);
	suite_add_tcase(suite, all);
	return run_suite(suite, 6);
}
