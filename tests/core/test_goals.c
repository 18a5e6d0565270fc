/* tests/core/test_goals.c: goals with places, against ways of turns tried breadth first and predicates
 * that know nothing of patterns: stickers compared, and Kociemba's coordinates of conjugated ways. */
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define WAY_MAX 8
#define AXES 3

/* ---- states, each seen from three sides ---- */

/* The cube after some turns, and after the same turns with faces renamed as y and x do: so R and U are
 * where F is. */
struct seen {
	struct cube *cube[AXES];
};

static const uint8_t renamed[AXES][CUBE_FACES] = {
	{CUBE_U, CUBE_R, CUBE_F, CUBE_D, CUBE_L, CUBE_B},
	{CUBE_U, CUBE_F, CUBE_L, CUBE_D, CUBE_B, CUBE_R}, /* y: R to F */
	{CUBE_F, CUBE_R, CUBE_D, CUBE_B, CUBE_L, CUBE_U}, /* x': U to F */
};

static void seen_make(struct seen *seen)
{
	for (int axis = 0; axis < AXES; axis++) {
		seen->cube[axis] = new_cube(3);
		cube_init(seen->cube[axis], 3);
	}
}

static void seen_free(struct seen *seen)
{
	for (int axis = 0; axis < AXES; axis++)
		free(seen->cube[axis]);
}

static void seen_turn(struct seen *seen, struct cube_turn turn)
{
	for (int axis = 0; axis < AXES; axis++) {
		struct cube_turn other = turn;
		other.face = renamed[axis][turn.face];
		cube_turn(seen->cube[axis], other);
	}
}

/* ---- coordinates ---- */

static struct cube_cubies cubies_on(const struct seen *seen, int axis)
{
	struct cube_cubies cubies;
	cube_cubies_of(&cubies, seen->cube[axis]);
	return cubies;
}

static bool all_zero(const uint8_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i] != 0)
			return false;
	return true;
}

/* "fb", "rl", "ud" are 0, 1, 2. */
static int axis_of(const char *place)
{
	return strchr(place, 'f') ? 0 : strchr(place, 'r') ? 1 : 2;
}

static bool is_eo(const struct seen *seen, const char *place)
{
	const struct cube_cubies cubies = cubies_on(seen, axis_of(place));
	return all_zero(cubies.edge_orientation, CUBE_EDGES);
}

/* Its axis becomes that of U and D. */
static bool is_dr(const struct seen *seen, const char *place)
{
	/* The rotation with which each axis is seen as U and D; one like y' x that exchanges others
	 * is found by colours. */
	static const int with_axis_up[AXES] = {2, 0, 0};
	const int axis = axis_of(place);
	if (axis ==
	    1) { /* R and L: all stickers of the two are on these faces, edges of the slice aside */
		for (size_t i = 0; i < 9; i++)
			for (size_t face = CUBE_R; face < CUBE_FACES; face += 3) {
				const int color = cube_color_at(seen->cube[0], face * 9 + i);
				if (color % 3 != CUBE_R)
					return false;
			}
		return is_eo(seen, "ud") && is_eo(seen, "fb");
	}
	const struct cube_cubies cubies = cubies_on(seen, with_axis_up[axis]);
	for (int place_of_slice = 8; place_of_slice < CUBE_EDGES; place_of_slice++)
		if (cubies.edge_permutation[place_of_slice] < 8)
			return false;
	return all_zero(cubies.edge_orientation, CUBE_EDGES) &&
	       all_zero(cubies.corner_orientation, CUBE_CORNERS);
}

/* The 96 ways in which half turns permute the corners, breadth first. */
static struct corners {
	size_t count;
	uint8_t permutation[96][CUBE_CORNERS];
} half_turns;

static bool among_half_turns(const uint8_t *permutation)
{
	for (size_t i = 0; i < half_turns.count; i++)
		if (memcmp(half_turns.permutation[i], permutation, CUBE_CORNERS) == 0)
			return true;
	return false;
}

static void find_half_turns(void)
{
	struct cube *cube = new_cube(3);
	half_turns.count = 0;
	for (uint8_t i = 0; i < CUBE_CORNERS; i++)
		half_turns.permutation[0][i] = i;
	half_turns.count = 1;
	for (size_t at = 0; at < half_turns.count; at++)
		for (int face = 0; face < CUBE_FACES; face++) {
			struct cube_cubies turn;
			uint8_t after[CUBE_CORNERS];
			cube_init(cube, 3);
			cube_turn(cube, cube_turn_make(3, face, 1, 1, 2));
			cube_cubies_of(&turn, cube);
			for (int i = 0; i < CUBE_CORNERS; i++)
				after[i] = half_turns.permutation[at][turn.corner_permutation[i]];
			if (among_half_turns(after))
				continue;
			ck_assert_uint_lt(half_turns.count, 96);
			memcpy(half_turns.permutation[half_turns.count++], after, CUBE_CORNERS);
		}
	ck_assert_uint_eq(half_turns.count, 96);
	free(cube);
}

/* UR UL DR DL, UF UB DF DB, FR FL BL BR. */
static int slice_of(int edge)
{
	return edge >= 8 ? 2 : edge % 2;
}

static bool is_htr(const struct seen *seen, const char *place)
{
	const struct cube_cubies cubies = cubies_on(seen, 0);
	(void)place;
	for (int i = 0; i < CUBE_EDGES; i++)
		if (slice_of(cubies.edge_permutation[i]) != slice_of(i))
			return false;
	return all_zero(cubies.edge_orientation, CUBE_EDGES) &&
	       all_zero(cubies.corner_orientation, CUBE_CORNERS) &&
	       among_half_turns(cubies.corner_permutation);
}

/* ---- stickers ---- */

static int letter(char face)
{
	return (int)(strchr(cube_face_letters, face) - cube_face_letters);
}

/* The facelet on faces[0] of the piece between `faces`: the row and column of Kociemba's order follow
 * from the two faces that lie along each face's top row and left column. */
static size_t facelet(const int *faces, size_t count)
{
	static const uint8_t up[CUBE_FACES] = {CUBE_B, CUBE_U, CUBE_U, CUBE_F, CUBE_U, CUBE_U};
	static const uint8_t left[CUBE_FACES] = {CUBE_L, CUBE_F, CUBE_L, CUBE_L, CUBE_B, CUBE_R};
	const int face = faces[0];
	size_t row = 1, column = 1;
	for (size_t i = 1; i < count; i++) {
		if (faces[i] % 3 == up[face] % 3)
			row = faces[i] == up[face] ? 0 : 2;
		else
			column = faces[i] == left[face] ? 0 : 2;
	}
	return (size_t)face * 9 + 3 * row + column;
}

static int color(const struct cube *cube, const char *piece)
{
	int faces[3] = {0};
	const size_t count = strlen(piece);
	for (size_t i = 0; i < count; i++)
		faces[i] = letter(piece[i]);
	return cube_color_at(cube, facelet(faces, count));
}

/* Returns true if each of the piece's stickers has the colour of its face's centre. */
static bool is_home(const struct cube *cube, const char *piece)
{
	for (size_t i = 0; i < strlen(piece); i++) {
		char own[4];
		snprintf(own, sizeof own, "%s", piece);
		own[0] = piece[i];
		own[i] = piece[0];
		if (color(cube, own) != cube_color_at(cube, (size_t)letter(own[0]) * 9 + 4))
			return false;
	}
	return true;
}

static bool edge_home(const struct cube *cube, char a, char b)
{
	const char edge[] = {a, b, '\0'};
	return is_home(cube, edge);
}

/* The two stickers on `side` match. */
static bool match_on(const struct cube *cube, const char *one, const char *other)
{
	return color(cube, one) == color(cube, other);
}

static bool on_face(const struct cube *cube, char face, const char *piece)
{
	return color(cube, piece) == cube_color_at(cube, (size_t)letter(face) * 9 + 4);
}

static bool is_square(const struct seen *seen, const char *place)
{
	const struct cube *cube = seen->cube[0];
	const char f = place[0], a = place[1], b = place[2];
	const char corner[] = {f, a, b, 0}, first[] = {f, a, 0}, second[] = {f, b, 0};
	const char corner_a[] = {a, f, b, 0}, corner_b[] = {b, f, a, 0};
	const char first_a[] = {a, f, 0}, second_b[] = {b, f, 0};
	return on_face(cube, f, corner) && on_face(cube, f, first) && on_face(cube, f, second) &&
	       match_on(cube, corner_a, first_a) && match_on(cube, corner_b, second_b);
}

/* Two squares that share an edge. */
static bool is_roux(const struct seen *seen, const char *place)
{
	for (int side = 0; side < CUBE_FACES; side++) {
		const char one[] = {place[0], place[1], cube_face_letters[side], 0};
		const char other[] = {place[0], place[1], cube_face_letters[(side + 3) % 6], 0};
		if (side % 3 != letter(place[0]) % 3 && side % 3 != letter(place[1]) % 3)
			return is_square(seen, one) && is_square(seen, other);
	}
	return false;
}

static bool is_222(const struct seen *seen, const char *place)
{
	const struct cube *cube = seen->cube[0];
	return is_home(cube, place) && edge_home(cube, place[0], place[1]) &&
	       edge_home(cube, place[0], place[2]) && edge_home(cube, place[1], place[2]);
}

static bool is_223(const struct seen *seen, const char *place)
{
	for (int side = 0; side < CUBE_FACES; side++) {
		const char one[] = {place[0], place[1], cube_face_letters[side], 0};
		if (side % 3 != letter(place[0]) % 3 && side % 3 != letter(place[1]) % 3 &&
		    !is_222(seen, one))
			return false;
	}
	return true;
}

static bool is_cross(const struct seen *seen, const char *place)
{
	for (int side = 0; side < CUBE_FACES; side++)
		if (side % 3 != letter(place[0]) % 3 &&
		    !edge_home(seen->cube[0], place[0], cube_face_letters[side]))
			return false;
	return true;
}

static bool is_xcross(const struct seen *seen, const char *place)
{
	return is_cross(seen, place) && is_222(seen, place);
}

/* ---- goals, and all their places ---- */

static const struct known {
	const char *name;
	bool (*is)(const struct seen *seen, const char *place);
	const char *places; /* all of them */
	int moves;          /* the greatest distance of a cube */
} rows[] = {
	{"eo", is_eo, "fb rl ud", 3},
	{"dr", is_dr, "ud rl fb", 3},
	{"htr", is_htr, NULL, 3},
	{"1x2x2", is_square,
	 "URF UFL ULB UBR FUR FRD FDL FLU RUF RFD RDB RBU LUF LFD LDB LBU BUR BRD BDL BLU DFR DRB "
	 "DBL DLF",
	 2},
	{"1x2x3", is_roux,
	 "LU LF LD LB RU RF RD RB UL UF UR UB DL DF DR DB FL FU FR FD BL BU BR BD", 3},
	{"2x2x2", is_222, "URF UFL ULB UBR DFR DLF DBL DRB", 3},
	{"2x2x3", is_223, "UR UF UL UB DR DF DL DB FR FL BL BR", 3},
	{"cross", is_cross, "U R F D L B", 3},
	{"xcross", is_xcross,
	 "URF UFL ULB UBR FUR FRD FDL FLU RUF RFD RDB RBU LUF LFD LDB LBU BUR BRD BDL BLU DFR DRB "
	 "DBL DLF",
	 3},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* At that place; NULL: at any. */
static bool is_there(const struct known *row, const struct seen *seen, const char *place)
{
	char name[4];
	if (!row->places || place)
		return row->is(seen, place);
	for (const char *at = row->places; *at; at += strspn(at, " ")) {
		const size_t length = strcspn(at, " ");
		snprintf(name, sizeof name, "%.*s", (int)length, at);
		if (row->is(seen, name))
			return true;
		at += length;
	}
	return false;
}

/* ---- by trying all turns ---- */

struct trial {
	const struct known *row;
	const char *place;
	bool slices;
	struct seen seen;
	uint64_t count;
};

static int turn_count(const struct trial *trial)
{
	return trial->slices ? 27 : 18;
}

static struct cube_turn turn_at(int i)
{
	static const uint8_t middle[3] = {CUBE_L, CUBE_D, CUBE_F};
	const int quarters = i % 3 == 2 ? -1 : i % 3 + 1;
	if (i < 18)
		return cube_turn_make(3, i / 3, 1, 1, quarters);
	return cube_turn_make(3, middle[i / 3 - 6], 2, 2, quarters);
}

/* By the layer on its axis, from U, R or F. */
static int layer_of(int i)
{
	return i >= 18 ? 1 : i >= 9 ? 2 : 0;
}

static bool follows(int i, int before)
{
	return before < 0 || turn_at(i).face % 3 != turn_at(before).face % 3 ||
	       layer_of(i) > layer_of(before);
}

static void try_all(struct trial *trial, int left, int before)
{
	if (left == 0) {
		trial->count += is_there(trial->row, &trial->seen, trial->place);
		return;
	}
	for (int i = 0; i < turn_count(trial); i++) {
		if (!follows(i, before))
			continue;
		seen_turn(&trial->seen, turn_at(i));
		try_all(trial, left - 1, i);
		seen_turn(&trial->seen, cube_turn_inverse(turn_at(i)));
	}
}

/* ---- by the search ---- */

static bool count_one(void *context, const struct cube_turn *turns, size_t count)
{
	(void)turns;
	(void)count;
	++*(uint64_t *)context;
	return true;
}

static struct cube_query_node *query_of(const struct cube_goal_row *row, const char *place,
					void **memory)
{
	const struct cube_named *named = cube_named_find(row->pattern, strlen(row->pattern));
	ck_assert_ptr_nonnull(named);
	*memory = new_bytes(cube_named_bytes(named, 3));
	struct cube_query_node *pattern = cube_named_make(named, 3, *memory);
	struct cube_query_node *nodes = new_bytes((pattern->span + 1) * sizeof *nodes);
	nodes[0] = (struct cube_query_node){
		.kind = CUBE_QUERY_AMONG, .span = pattern->span + 1, .among = CUBE_FITS_ALL};
	if (place)
		nodes[0].among = cube_goal_fits(row, place, strlen(place));
	ck_assert_msg(nodes[0].among != 0, "%s %s", row->name, place);
	memcpy(nodes + 1, pattern, pattern->span * sizeof *nodes);
	cube_query_prepare(nodes);
	return nodes;
}

static void compare(const struct known *known, const char *place, bool slices, struct gen *gen)
{
	static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	struct trial trial = {.row = known, .place = place, .slices = slices};
	void *memory;
	struct cube_query_node *nodes =
		query_of(cube_goal_find(known->name, strlen(known->name)), place, &memory);
	seen_make(&trial.seen);
	const int away = (int)gen_below(gen, (uint32_t)(slices ? 2 : known->moves)) + 1;
	for (int i = 0; i < away; i++)
		seen_turn(&trial.seen, turn_at((int)gen_below(gen, (uint32_t)turn_count(&trial))));
	const struct cube_goal_plan plan = {.query = nodes,
					    .metric = slices ? CUBE_SOLVE_STM : CUBE_SOLVE_HTM,
					    .size = 3,
					    .hold = cube_hold_of(trial.seen.cube[0])};
	struct cube_goal *goal = aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
	ck_assert(cube_goal_make(&plan, goal));
	struct cube_solve_task task = {.cube = trial.seen.cube[0],
				       .metric = plan.metric,
				       .work = new_bytes(cube_goal_work_bytes(3))};
	ck_assert_int_eq(cube_goal_solve(goal, &task, &solution), CUBE_SOLVE_ENOUGH);
	const int shortest = solution.length;
	ck_assert_int_le(shortest, away);
	for (int length = 0; length < shortest; length++) {
		try_all(&trial, length, -1);
		ck_assert_msg(trial.count == 0, "%s %s: %d turns are not the fewest", known->name,
			      place, shortest);
	}
	try_all(&trial, shortest, -1);
	uint64_t listed = 0;
	if (shortest > 0) {
		task.length_max = shortest;
		task.each = count_one;
		task.each_context = &listed;
		ck_assert_int_eq(cube_goal_solve(goal, &task, &solution), CUBE_SOLVE_ALL);
	} else {
		listed = 1;
	}
	ck_assert_msg(trial.count == listed, "%s %s: %d of %d ways of %d turns", known->name, place,
		      (int)listed, (int)trial.count, shortest);
	free(task.work);
	free(goal);
	free(nodes);
	free(memory);
	seen_free(&trial.seen);
}

/* States near the goal fit where the predicate says so. */
static void compare_fits(const struct known *known, const char *place, struct gen *gen)
{
	uint8_t colors[54];
	void *memory;
	struct cube_query_node *nodes =
		query_of(cube_goal_find(known->name, strlen(known->name)), place, &memory);
	for (int i = 0; i < 30; i++) {
		struct seen seen;
		seen_make(&seen);
		for (uint32_t k = gen_below(gen, 6); k > 0; k--)
			seen_turn(&seen, turn_at((int)gen_below(gen, 18)));
		cube_colors(seen.cube[0], colors);
		ck_assert_msg((cube_query_match(nodes, colors, CUBE_FITS_ALL) != 0) ==
				      is_there(known, &seen, place),
			      "%s %s", known->name, place);
		seen_free(&seen);
	}
	free(nodes);
	free(memory);
}

START_TEST(places_of_rows)
{
	const struct known *row = &rows[_i];
	struct gen gen = {(uint64_t)_i + 3};
	const char *chosen = row->places;
	char place[4];
	find_half_turns();
	compare_fits(row, NULL, &gen);
	for (const char *at = row->places; at && *at; at += strspn(at, " ")) {
		const size_t length = strcspn(at, " ");
		snprintf(place, sizeof place, "%.*s", (int)length, at);
		compare_fits(row, place, &gen);
		if (gen_below(&gen, 3) == 0)
			chosen = at;
		at += length;
	}
	if (!chosen) {
		compare(row, NULL, false, &gen);
		return;
	}
	snprintf(place, sizeof place, "%.*s", (int)strcspn(chosen, " "), chosen);
	compare(row, _i % 2 == 0 ? place : NULL, false, &gen);
	/* With slices, centres move: only predicates of stickers know where they are. */
	if (row->is == is_cross || row->is == is_223)
		compare(row, place, true, &gen);
}
END_TEST

/* ---- places as they are written ---- */

static uint32_t fits_of(const char *name, const char *place)
{
	return cube_goal_fits(cube_goal_find(name, strlen(name)), place, strlen(place));
}

START_TEST(places)
{
	ck_assert_uint_eq(cube_goals_count, ROWS);
	for (size_t i = 0; i < ROWS; i++)
		ck_assert_str_eq(cube_goals[i].name, rows[i].name);
	ck_assert_ptr_null(cube_goal_find("e", 1));
	ck_assert_uint_eq(fits_of("eo", "ud"), fits_of("eo", "DU"));
	ck_assert_uint_eq(fits_of("2x2x2", "bld"), fits_of("2x2x2", "DBL"));
	ck_assert_uint_ne(fits_of("1x2x2", "BLD"), fits_of("1x2x2", "DBL"));
	ck_assert_uint_eq(fits_of("xcross", "D"),
			  fits_of("xcross", "DBL") | fits_of("xcross", "DLF") |
				  fits_of("xcross", "DFR") | fits_of("xcross", "DRB"));
	static const char *const wrong[][2] = {
		{"eo", "u"},     {"eo", "uu"},     {"eo", "uf"},      {"eo", ""},
		{"htr", "ud"},   {"htr", ""},      {"cross", "X"},    {"cross", "UD"},
		{"2x2x3", "UD"}, {"2x2x2", "UDF"}, {"2x2x2", "UF"},   {"1x2x3", "LR"},
		{"1x2x3", "L"},  {"xcross", "DB"}, {"xcross", "DBLF"}};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(fits_of(wrong[i][0], wrong[i][1]) == 0, "%s %s", wrong[i][0],
			      wrong[i][1]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("goals");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, places_of_rows, 0, (int)ROWS);
	tcase_add_test(tcase, places);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, (int)ROWS + 1);
}
