/* tests/core/test_listing.c: all solutions of a length, against a breadth-first search from the solved
 * cube that knows nothing of the methods: it keeps every way of turns, not every state once. */
#include "cube/facelets.h"
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"
#include "tests/core/sanitized.h"

#include <string.h>

#define TURNS_MAX 63
#define WORD_MAX 9 /* turns of a way */
#define FOUND_MAX 200000

/* ---- ways of turns ---- */

/* The turns that may be made, each with what it counts; one of each block is as good as any. */
struct alphabet {
	int size, count;
	struct cube_turn turn[TURNS_MAX];
	int axis[TURNS_MAX], low[TURNS_MAX], high[TURNS_MAX], cost[TURNS_MAX];
};

/* Turns as digits of base 64, one more than their number, the last turn in the lowest digit. */
typedef uint64_t word;

static void add_turns(struct alphabet *alphabet, struct cube_turn turn, int block, int half)
{
	const bool far = turn.face >= 3;
	for (int quarters = 1; quarters <= 3; quarters++) {
		const int i = alphabet->count++;
		ck_assert_int_lt(i, TURNS_MAX);
		alphabet->turn[i] = turn;
		alphabet->turn[i].quarters = (int8_t)(quarters == 3 ? -1 : quarters);
		alphabet->axis[i] = turn.face % 3;
		alphabet->low[i] = far ? alphabet->size + 1 - turn.to : turn.from;
		alphabet->high[i] = far ? alphabet->size + 1 - turn.from : turn.to;
		alphabet->cost[i] = block * (quarters == 2 ? half : 1);
	}
}

static struct alphabet outer_turns(int size, int faces, int half)
{
	struct alphabet alphabet = {.size = size};
	for (int face = 0; face < faces; face++)
		add_turns(&alphabet, cube_turn_make(size, face, 1, 1, 1), 1, half);
	return alphabet;
}

static bool follows(const struct alphabet *alphabet, int turn, int before)
{
	if (before < 0 || alphabet->axis[turn] != alphabet->axis[before])
		return true;
	return alphabet->low[turn] > alphabet->low[before] ||
	       (alphabet->low[turn] == alphabet->low[before] &&
		alphabet->high[turn] > alphabet->high[before]);
}

static int cost_of(const struct alphabet *alphabet, word way)
{
	int cost = 0;
	for (; way != 0; way /= 64)
		cost += alphabet->cost[way % 64 - 1];
	return cost;
}

static word word_of(const struct alphabet *alphabet, const struct cube_turn *turns, size_t count)
{
	word way = 0;
	for (size_t i = 0; i < count; i++) {
		int at = 0;
		while (at < alphabet->count && (alphabet->turn[at].face != turns[i].face ||
						alphabet->turn[at].from != turns[i].from ||
						alphabet->turn[at].to != turns[i].to ||
						alphabet->turn[at].quarters != turns[i].quarters))
			at++;
		ck_assert_int_lt(at, alphabet->count);
		way = way * 64 + (word)at + 1;
	}
	return way;
}

/* Hashes the state however the cube is held: colours are named after the faces of the centres, or
 * of the corner DBL. */
static uint64_t hash_of(const struct cube *cube)
{
	const size_t n = (size_t)cube->size, area = n * n;
	const size_t middle[3] = {3 * area + area / 2, 4 * area + area / 2, 5 * area + area / 2};
	const size_t corner[3] = {3 * area + area - n, 4 * area + area - n, 5 * area + area - 1};
	uint8_t colors[54], name[CUBE_FACES];
	uint64_t hash = 7;
	cube_colors(cube, colors);
	for (int i = 0; i < 3; i++) {
		const uint8_t color = colors[n == 3 ? middle[i] : corner[i]];
		name[color] = (uint8_t)(3 + i);
		name[(color + 3) % CUBE_FACES] = (uint8_t)i;
	}
	for (size_t i = 0; i < cube_facelets(cube->size); i++)
		hash = (hash ^ name[colors[i]]) * 0x100000001b3u ^ hash >> 29;
	return hash;
}

/* ---- breadth first, from the solved cube ---- */

struct end {
	uint64_t hash; /* of the state that these turns solve */
	word way;
	int turns, first;
};

struct ends {
	struct end *end;
	size_t count;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void turn_back(struct cube *cube, const struct alphabet *alphabet, word way)
{
	for (; way != 0; way /= 64)
		cube_turn(cube, cube_turn_inverse(alphabet->turn[way % 64 - 1]));
}

/* All ways of up to `longest` turns, level by level: a turn before each of those one shorter. */
static struct ends find_ends(const struct alphabet *alphabet, int longest)
{
	struct ends ends = {.end = new_bytes(sizeof(struct end)), .count = 1};
	struct cube *cube = new_cube(alphabet->size);
	size_t begin = 0;
	ends.end[0] = (struct end){.first = -1};
	word power = 1;
	for (int level = 1; level <= longest; level++, power *= 64) {
		const size_t end = ends.count;
		ends.end = realloc(ends.end, (end + (end - begin) * TURNS_MAX) * sizeof *ends.end);
		ck_assert_ptr_nonnull(ends.end);
		for (size_t i = begin; i < end; i++)
			for (int t = 0; t < alphabet->count; t++)
				if (ends.end[i].first < 0 ||
				    follows(alphabet, ends.end[i].first, t))
					ends.end[ends.count++] = (struct end){
						.way = ends.end[i].way + power * (word)(t + 1),
						.turns = level,
						.first = t};
		begin = end;
	}
	for (size_t i = 0; i < ends.count; i++) {
		cube_init(cube, alphabet->size);
		turn_back(cube, alphabet, ends.end[i].way);
		ends.end[i].hash = hash_of(cube);
	}
	qsort(ends.end, ends.count, sizeof *ends.end, compare_ends);
	free(cube);
	return ends;
}

/* ---- the ways that solve a state ---- */

struct found {
	word way[FOUND_MAX];
	size_t count;
};

static struct found expected, listed;

static void keep(struct found *found, word way)
{
	ck_assert_uint_lt(found->count, FOUND_MAX);
	found->way[found->count++] = way;
}

static int compare_words(const void *a, const void *b)
{
	const word x = *(const word *)a, y = *(const word *)b;
	return x < y ? -1 : x > y;
}

/* Returns true if the moves solve the cube, and not before their end. */
static bool solves(const struct alphabet *alphabet, const struct cube *cube, word way)
{
	struct cube *copy = new_cube(cube->size);
	bool before = false;
	word power = 1;
	cube_copy(copy, cube);
	while (way / power >= 64)
		power *= 64;
	for (; power > 0; power /= 64) {
		before |= cube_is_solved(copy);
		cube_turn(copy, alphabet->turn[way / power % 64 - 1]);
	}
	const bool solved = cube_is_solved(copy);
	free(copy);
	return solved && !before;
}

struct walk {
	const struct alphabet *alphabet;
	const struct ends *ends;
	const struct cube *cube;
	int turns, cost; /* wanted */
};

static void meet(const struct walk *walk, const struct cube *cube, word way, int last, int behind)
{
	const uint64_t hash = hash_of(cube);
	size_t low = 0, high = walk->ends->count;
	word power = 1;
	for (int i = 0; i < behind; i++)
		power *= 64;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (walk->ends->end[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < walk->ends->count && walk->ends->end[low].hash == hash; low++) {
		const struct end *end = &walk->ends->end[low];
		const word all = way * power + end->way;
		if (end->turns == behind && follows(walk->alphabet, end->first, last) &&
		    cost_of(walk->alphabet, all) == walk->cost &&
		    solves(walk->alphabet, walk->cube, all))
			keep(&expected, all);
	}
}

/* The first turns are tried, the last `behind` ones looked up. */
static void walk_from(const struct walk *walk, struct cube *cube, word way, int last, int ahead,
		      int behind)
{
	if (ahead == 0) {
		meet(walk, cube, way, last, behind);
		return;
	}
	for (int t = 0; t < walk->alphabet->count; t++) {
		if (!follows(walk->alphabet, t, last))
			continue;
		cube_turn(cube, walk->alphabet->turn[t]);
		walk_from(walk, cube, way * 64 + (word)t + 1, t, ahead - 1, behind);
		cube_turn(cube, cube_turn_inverse(walk->alphabet->turn[t]));
	}
}

static void find_expected(const struct alphabet *alphabet, const struct ends *ends, int deep,
			  const struct cube *cube, int cost)
{
	struct cube *copy = new_cube(cube->size);
	cube_copy(copy, cube);
	expected.count = 0;
	for (int turns = 1; turns <= cost; turns++) {
		const struct walk walk = {alphabet, ends, cube, turns, cost};
		const int behind = turns < deep ? turns : deep;
		walk_from(&walk, copy, 0, -1, turns - behind, behind);
	}
	qsort(expected.way, expected.count, sizeof(word), compare_words);
	free(copy);
}

static bool keep_listed(void *context, const struct cube_turn *turns, size_t count)
{
	keep(&listed, word_of(context, turns, count));
	return true;
}

static void check_same(const char *what, int length)
{
	qsort(listed.way, listed.count, sizeof(word), compare_words);
	ck_assert_msg(listed.count == expected.count, "%s: %zu solutions of length %d, not %zu",
		      what, listed.count, length, expected.count);
	for (size_t i = 0; i < listed.count; i++)
		ck_assert_uint_eq(listed.way[i], expected.way[i]);
}

/* ---- methods ---- */

struct method {
	const struct cube_solver *solver;
	void *tables;
	enum cube_solve_metric metric;
	unsigned parts; /* parts that share a search */
};

static void *make_tables(const struct cube_solver *solver)
{
	void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	ck_assert_ptr_nonnull(tables);
	cube_solver_make(&solver->tables[0], tables);
	return tables;
}

static void list(const struct method *method, struct alphabet *alphabet, const struct cube *cube,
		 int length)
{
	static struct cube_turn turns[CUBE_SOLUTION_MAX];
	listed.count = 0;
	for (unsigned part = 0; part < method->parts; part++) {
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		struct cube_solve_shared shared = {0};
		struct cube_solve_task task = {.cube = cube,
					       .metric = method->metric,
					       .length_max = length,
					       .each = keep_listed,
					       .each_context = alphabet};
		if (method->parts > 1) {
			task.shared = &shared;
			task.unit = part;
			task.step = method->parts;
		}
		ck_assert_int_eq(method->solver->solve(method->tables, &task, &solution),
				 CUBE_SOLVE_ALL);
		ck_assert_int_eq(solution.length, -1);
	}
}

/* Returns the number of rounds; each finds a solution at least, so they are as many with sanitizers. */
static int rounds_of(int rounds)
{
	return gen_long() ? 20 * rounds : rounds;
}

/* States a few turns from solved, held in any way; all lengths up to `longest`. Returns how many
 * solutions there were in all. */
static size_t compare_all(const struct method *method, struct alphabet *alphabet, int rounds,
			  int longest, int deep)
{
	const struct ends ends = find_ends(alphabet, deep);
	struct cube *cube = new_cube(alphabet->size), *held = new_cube(alphabet->size);
	struct gen gen = {.state = 11};
	size_t all = 0;
	for (int round = 0; round < rounds; round++) {
		const int turns = 1 + round % longest;
		cube_init(cube, alphabet->size);
		for (int i = 0; i < turns; i++)
			cube_turn(cube, alphabet->turn[gen_below(&gen, (uint32_t)alphabet->count)]);
		cube_hold_turn(held, cube, round % CUBE_HOLDS);
		for (int length = 1; length <= longest; length++) {
			find_expected(alphabet, &ends, deep, held, length);
			list(method, alphabet, held, length);
			check_same(method->solver->name, length);
			all += listed.count;
		}
	}
	free(cube);
	free(held);
	free(ends.end);
	return all;
}

START_TEST(shortest_and_longer_of_size_2)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 2);
	void *tables = make_tables(solver);
	for (int metric = 0; metric < CUBE_SOLVE_OUTER_METRICS; metric++) {
		struct method method = {solver, tables, (enum cube_solve_metric)metric, 1};
		struct alphabet alphabet = outer_turns(2, 3, metric == CUBE_SOLVE_QTM ? 2 : 1);
		if (!cube_solver_counts(solver, method.metric))
			continue;
		ck_assert_uint_gt(compare_all(&method, &alphabet, rounds_of(150), 7, 4), 150);
	}
	free(tables);
}
END_TEST

START_TEST(shortest_and_longer_of_size_3)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 3);
	void *tables = make_tables(solver);
	struct method method = {solver, tables, CUBE_SOLVE_HTM, 1};
	struct alphabet alphabet = outer_turns(3, 6, 1);
	ck_assert_uint_gt(compare_all(&method, &alphabet, rounds_of(60), 6, 4), 60);
	method.parts = 3;
	ck_assert_uint_gt(compare_all(&method, &alphabet, rounds_of(7), 7, 4), 7);
	free(tables);
}
END_TEST

/* Six half turns of three pairs of faces: six orders, and no solution of seven turns. */
START_TEST(symmetric_state)
{
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 3);
	void *tables = make_tables(solver);
	struct method method = {solver, tables, CUBE_SOLVE_HTM, 1};
	struct alphabet alphabet = outer_turns(3, 6, 1);
	struct cube *cube = new_cube(3);
	static const size_t counts[] = {0, 0, 0, 0, 0, 0, 6, 0, 12};
	cube_init(cube, 3);
	for (int face = 0; face < 6; face++)
		cube_turn(cube, cube_turn_make(3, face / 2 + face % 2 * 3, 1, 1, 2));
	for (int length = 1; length <= 8; length++) {
		list(&method, &alphabet, cube, length);
		ck_assert_uint_eq(listed.count, counts[length]);
	}
	free(cube);
	free(tables);
}
END_TEST

/* ---- goals ---- */

static bool shows(const struct cube *cube, const struct cube_query_node *query)
{
	uint8_t colors[6 * 4 * 4];
	cube_colors(cube, colors);
	return cube_query_match(query, colors, CUBE_FITS_ALL) != 0;
}

/* Returns true if the cube shows the pattern after some but not all of the moves, in any order in
 * which they can be made: parallel turns in a row commute. The cube is as all moves leave it. */
static bool shown_before(const struct alphabet *alphabet, const struct cube_query_node *query,
			 const struct cube *cube, word way)
{
	static union {
		struct cube cube;
		uint8_t bytes[4096];
	} part;
	int turn[10], count = 0;
	bool shown = false;
	for (; way > 0; way /= 64)
		turn[count++] = (int)(way % 64) - 1; /* the last one first */
	ck_assert_uint_le(cube_bytes(cube->size), sizeof part);
	/* Without the turns of `gone`: those left over must not stand behind one that is gone, unless
	 * all between are parallel to it. */
	for (int gone = 1; gone < 1 << count && !shown; gone++) {
		bool allowed = true;
		for (int late = 0; late < count; late++)
			for (int early = late + 1; early < count; early++) {
				if (gone >> late & 1 || !(gone >> early & 1))
					continue;
				for (int i = late; i < early; i++)
					allowed &= alphabet->axis[turn[i]] ==
						   alphabet->axis[turn[early]];
			}
		if (!allowed)
			continue;
		cube_copy(&part.cube, cube);
		for (int i = 0; i < count; i++)
			cube_turn(&part.cube, cube_turn_inverse(alphabet->turn[turn[i]]));
		for (int i = count; i-- > 0;)
			if (!(gone >> i & 1))
				cube_turn(&part.cube, alphabet->turn[turn[i]]);
		shown = shows(&part.cube, query);
	}
	return shown;
}

/* All ways of that length, and which lead to the goal but not before. */
static void try_ways(const struct alphabet *alphabet, const struct cube_query_node *query,
		     struct cube *cube, word way, int last, int left)
{
	const bool there = shows(cube, query);
	if (left == 0 && there && !shown_before(alphabet, query, cube, way))
		keep(&expected, way);
	for (int t = 0; t < alphabet->count && left > 0 && !there; t++) {
		if (!follows(alphabet, t, last) || alphabet->cost[t] > left)
			continue;
		cube_turn(cube, alphabet->turn[t]);
		try_ways(alphabet, query, cube, way * 64 + (word)t + 1, t,
			 left - alphabet->cost[t]);
		cube_turn(cube, cube_turn_inverse(alphabet->turn[t]));
	}
}

static void list_goal(const struct cube_goal *goal, struct alphabet *alphabet,
		      const struct cube *cube, enum cube_solve_metric metric, int length)
{
	static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	struct cube_solve_task task = {.cube = cube,
				       .metric = metric,
				       .length_max = length,
				       .each = keep_listed,
				       .each_context = alphabet,
				       .work = new_bytes(cube_goal_work_bytes(cube->size))};
	listed.count = 0;
	ck_assert_int_eq(cube_goal_solve(goal, &task, &solution), CUBE_SOLVE_ALL);
	free(task.work);
}

struct goal_case {
	const char *name, *generators; /* of the goal; NULL: all turns */
	int size, longest, rounds;
};

/* A slice counts as two blocks where outer ones are counted, else as one. */
static struct alphabet alphabet_of(const struct goal_case *of, enum cube_solve_metric metric)
{
	static const char letters[] = "URFDLBMES";
	static const uint8_t faces[] = {CUBE_L, CUBE_D, CUBE_F};
	const int half = metric == CUBE_SOLVE_QTM || metric == CUBE_SOLVE_QSTM ? 2 : 1;
	const int inner = metric == CUBE_SOLVE_HTM || metric == CUBE_SOLVE_QTM ? 2 : 1;
	const char *all = of->size == 2 ? "URF" : of->size == 3 && inner == 1 ? letters : "URFDLB";
	struct alphabet alphabet = {.size = of->size};
	for (const char *at = of->generators ? of->generators : all; *at; at++) {
		const int i = (int)(strchr(letters, *at) - letters);
		if (i < CUBE_FACES)
			add_turns(&alphabet, cube_turn_make(of->size, i, 1, 1, 1), 1, half);
		else
			add_turns(&alphabet,
				  (struct cube_turn){faces[i - CUBE_FACES], 2, 2, 1,
						     CUBE_STYLE_MIDDLE},
				  inner, half);
	}
	return alphabet;
}

static size_t compare_goal(const struct goal_case *of, enum cube_solve_metric metric)
{
	struct alphabet alphabet = alphabet_of(of, metric);
	const struct cube_named *named = cube_named_find(of->name, strlen(of->name));
	void *memory = new_bytes(cube_named_bytes(named, of->size));
	struct cube_turn generators[TURNS_MAX];
	struct cube_goal_plan plan = {.query = cube_named_make(named, of->size, memory),
				      .generators = generators,
				      .metric = metric,
				      .size = of->size};
	struct cube *turned = new_cube(of->size), *cube = new_cube(of->size);
	struct gen gen = {.state = 12345};
	size_t all = 0;
	/* Each amount by itself, so that a turn is there twice. */
	for (int t = 0; t < alphabet.count && of->generators; t++)
		generators[plan.generator_count++] = alphabet.turn[alphabet.count - 1 - t];
	struct cube_goal *goal = aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
	ck_assert_ptr_nonnull(goal);
	ck_assert(cube_goal_make(&plan, goal));
	for (int round = 0; round < rounds_of(of->rounds); round++) {
		cube_init(turned, of->size);
		for (int i = 0, last = -1; i < 4 * (1 + round % of->longest); i++) {
			const int t = (int)gen_below(&gen, (uint32_t)alphabet.count);
			if (last >= 0 && i % 4 != 0 && alphabet.axis[t] == alphabet.axis[last])
				continue;
			cube_turn(turned, alphabet.turn[t]);
			last = t;
			i += 3 - i % 4;
		}
		cube_copy(cube, turned);
		if (of->size == 3)
			cube_hold_home(cube, turned);
		for (int length = 1; length <= of->longest; length++) {
			expected.count = 0;
			try_ways(&alphabet, plan.query, cube, 0, -1, length);
			qsort(expected.way, expected.count, sizeof(word), compare_words);
			list_goal(goal, &alphabet, cube, metric, length);
			check_same(of->name, length);
			all += listed.count;
		}
	}
	free(goal);
	free(memory);
	free(turned);
	free(cube);
	return all;
}

/* Making tables for a goal takes most of the time, so with sanitizers two metrics are tried for each,
 * and all of them with one goal or another. */
START_TEST(goals)
{
	static const struct goal_case cases[] = {
		{"solved", "RU", 3, 6, 6},     {"solved", "MU", 3, 6, 6},
		{"cross", NULL, 3, 3, 2},      {"eo-line", NULL, 3, 3, 4},
		{"solved", "RLM", 3, 4, 4},    {"f2l-1", "URF", 3, 5, 3},
		{"solved", NULL, 2, 5, 2},     {"first-layer", NULL, 2, 4, 4},
		{"solved", "URFDLB", 4, 3, 3},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t all = 0;
		for (int k = 0; k < (SANITIZED ? 2 : CUBE_SOLVE_METRICS); k++)
			all += compare_goal(
				&cases[i],
				(enum cube_solve_metric)((2 * (int)i + k) % CUBE_SOLVE_METRICS));
		ck_assert_msg(all > (SANITIZED ? 1u : 2u), "only %zu ways to %s with %s", all,
			      cases[i].name,
			      cases[i].generators ? cases[i].generators : "all turns");
	}
}
END_TEST

static bool three_only(void *context, const struct cube_turn *turns, size_t count)
{
	(void)turns;
	(void)count;
	return ++*(int *)context < 3;
}

START_TEST(the_caller_ends_it)
{
	for (int size = 2; size <= 3; size++) {
		const struct cube_solver *solver = cube_solver_find("optimal", 7, size);
		void *tables = make_tables(solver);
		struct cube *cube = new_cube(size);
		struct cube_turn turns[CUBE_SOLUTION_MAX];
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		int count = 0;
		struct cube_solve_task task = {
			.cube = cube, .length_max = 9, .each = three_only, .each_context = &count};
		cube_init(cube, size);
		for (int face = 0; face < 3; face++)
			cube_turn(cube, cube_turn_make(size, face, 1, 1, 2));
		ck_assert_int_eq(solver->solve(tables, &task, &solution), CUBE_SOLVE_ENOUGH);
		ck_assert_int_eq(count, 3);
		task.length_max = 11;
		task.nodes_max = 5000;
		count = -1000000;
		ck_assert_int_eq(solver->solve(tables, &task, &solution), CUBE_SOLVE_STOPPED);
		free(cube);
		free(tables);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("listing");
	TCase *tests = tcase_create("listing");
	tcase_set_timeout(tests, 600);
	tcase_add_test(tests, shortest_and_longer_of_size_2);
	tcase_add_test(tests, shortest_and_longer_of_size_3);
	tcase_add_test(tests, symmetric_state);
	tcase_add_test(tests, goals);
	tcase_add_test(tests, the_caller_ends_it);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 5);
}
