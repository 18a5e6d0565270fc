/* core/solve/reduction/steps.c: the centres of cubes up to 7x7x7, in few turns.
 *
 * Iterative deepening, step by step: each looks for the shortest ways to its goal by depth-first
 * search, past all cubes of which some of the orbits need more turns than are left. Each begins
 * with several ends of the one before. Where wings are odd permutations a step ends only when they
 * are even: each quarter turn of a block changes that for all wings within it but the outermost
 * layer's.
 *
 * The cube is looked at along each of its axes. Even sizes have no middle centres, so that any pair
 * of colours may go to any axis, and either way round, as long as it is a rotation of the whole. */
#include "core/solve/reduction/steps.h"

#include <string.h>

#include "core/permutation.h"
#include "core/hold.h"
#include "core/solve/reduction/bars.h"
#include "core/solve/reduction/plan.h"
#include "cube/cube.h"

#define LONGEST 30
#define STARTS_MAX 64
#define ENDS_ENOUGH 60
#define NODES_MORE 200000   /* nodes that may be tested for more ends of the same length */
#define NODES_STEP 6000000  /* after which another attempt is made, from other starts */
#define NODES_LAST 40000000 /* and what the last attempt may take */
#define NODES_TELL 1024
#define ATTEMPTS 5
#define VIEWS 3
#define ORDERS 6
#define ALIKE_MAX 24

/* Places that may differ where so many turns are left that change which are alike. What differs in
 * more seldom comes right, and is left out. */
static const uint8_t differing_max[] = {0, 4, 6, 8};

struct step_node {
	/* The colours: whether of U or D, whether of F or B, whether of D, L or B. */
	uint32_t plane[3][STEP_ORBITS];
	uint8_t view, odd, hold, pairs, order, length, count;
	uint8_t move[WAY_LENGTH];
};

struct step_search {
	struct step_node start[STARTS_MAX], end[STARTS_MAX];
	struct step_move move[STEP_MOVES_MAX];
	uint8_t list[STEP_MOVES_MAX]; /* the moves of the step */
	uint8_t path[LONGEST];
	uint32_t start_count, end_count, ends_enough;
	struct reduction *reduction;
	const struct centers *centers;
	const struct center_plan *plan;
	const struct center_step *step;
	const struct step_node *from;
	int moves, listed, differing[LONGEST];
	bool open;
	uint64_t nodes, nodes_max; /* of a step */
};

/* The axes as they come, 0: U and D, 1: F and B, 2: R and L. */
static const uint8_t orders[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
					  {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

size_t steps_bytes(void)
{
	return CUBE_SOLVE_ALIGNED(sizeof(struct step_search));
}

/* ---- the tests of a step ---- */

/* pairs: which pair of colours (U and D 0, R and L 1, F and B 2) goes to R and L, and which to F
 * and B: 3 * first + second; and above these, which pairs the other way round. */
static uint32_t bits_of(const struct step_node *node, enum center_stage stage, int orbit)
{
	static const uint32_t bytes[3] = {0x0000ff, 0xff0000, 0x00ff00};
	uint32_t of[3] = {node->plane[0][orbit], 0, node->plane[1][orbit]};
	of[1] = CENTER_ALL & ~(of[0] | of[2]);
	if (stage == CENTER_HALF)
		return of[node->pairs % 9 / 3] & ~node->plane[2][orbit];
	if (stage == CENTER_AXIS)
		return of[node->pairs % 9 / 3];
	if (stage == CENTER_SPLIT)
		return of[node->pairs % 3];
	uint32_t bits = CENTER_ALL & ~node->plane[2][orbit];
	for (int axis = 0; axis < 3; axis++)
		if (node->pairs / 9 >> axis & 1)
			bits ^= bytes[axis];
	return bits;
}

/* A turn brings at most four stickers of an orbit to R and L, two of those in the middle of sides.
 */
static int distance_home(const struct step_search *search, int orbit, uint32_t bits)
{
	bool x = search->plan->cell[orbit].kind == CENTER_X;
	if (search->step->stage == CENTER_HALF)
		return (center_count(bits & 0xffff) + (x ? 3 : 1)) / (x ? 4 : 2);
	return center_distance(search->centers, search->step->stage, x ? 0 : 1, bits);
}

static int shares(const struct centers *centers, enum bars_set set, uint32_t a, uint32_t b,
		  uint32_t c)
{
	int sum = 0;
	for (int axis = 0; axis < 3; axis++)
		sum += centers->share[set][axis][bars_at(centers, axis, a, b, c)];
	return (sum + BARS_UNITS - 1) / BARS_UNITS;
}

/* Estimates the distance of the next axis, or of the last two together. These nearly always need
 * more than the farthest of them alone, and overestimating saves most of the time. */
static int distance_axis(const struct step_search *search, const uint32_t bits[STEP_LOOKS],
			 bool middle)
{
	const struct centers *centers = search->centers;
	const uint8_t *order = orders[search->from->order];
	int done = order[0], last = search->step->axis, most = 0, sum = 0;
	enum bars_set set = middle ? BARS_MIDDLE : BARS_INNER;
	for (int i = last == 2 ? 1 : last; i <= last; i++) {
		uint32_t at = middle ? bars_at(centers, order[i], bits[3], bits[1], bits[4])
				     : bars_at(centers, order[i], bits[0], bits[1], bits[2]);
		int alone = centers->alone[set][done][order[i]][at];
		most = alone > most ? alone : most;
		if (last == 2)
			sum += centers->rest[set][done][order[i]][at];
	}
	sum = (sum + BARS_UNITS - 1) / BARS_UNITS;
	most = sum > most ? sum : most;
	return last == 2 && most > 4 ? most + 1 + (most > 6) : most;
}

/* Returns true if orbit i of the row can come right in `left` turns, with those before it. */
static inline bool can(const struct step_search *search, const uint32_t bits[STEP_LOOKS], int i,
		       int left)
{
	int orbit = search->step->look[i].orbit;
	switch (search->step->look[i].test) {
	case TEST_HOME:
		return distance_home(search, orbit, bits[i]) <= left;
	case TEST_ALIKE:
		return center_count(bits[i] ^ bits[i - 1]) <= search->differing[left];
	case TEST_INNER:
		return center_count(bits[2] ^ bits[1]) <= search->differing[left] &&
		       shares(search->centers, BARS_INNER, bits[0], bits[1], bits[2]) <= left;
	case TEST_OUTER:
		return distance_home(search, orbit, bits[1]) <= left &&
		       shares(search->centers, BARS_OUTER, bits[0], bits[1], 0x0f0f0f) <= left;
	case TEST_AXIS:
		return distance_axis(search, bits, i > 2) <= left;
	default:
		return true;
	}
}

/* ---- one step ---- */

static void apply(const struct step_search *search, struct step_node *node, int m)
{
	const struct step_move *move = &search->move[m];
	for (int k = 0; k < search->plan->orbits; k++)
		for (int p = 0; p < 3; p++)
			node->plane[p][k] = center_moved(
				search->centers->moved[search->plan->cell[k].kind][move->of[k]],
				node->plane[p][k]);
	node->odd ^= move->odd;
	node->hold = (uint8_t)cube_hold_then(node->hold, move->hold);
	node->length = (uint8_t)(node->length + move->length);
	node->move[node->count++] = (uint8_t)m;
}

static void add_end(struct step_search *search, int count)
{
	struct step_node *end = &search->end[search->end_count];
	if (search->end_count == STARTS_MAX || search->from->count + count > WAY_LENGTH)
		return;
	*end = *search->from;
	for (int i = 0; i < count; i++)
		apply(search, end, search->path[i]);
	search->end_count += (end->odd & search->step->even) == 0;
}

static bool is_enough(const struct step_search *search)
{
	return search->reduction->stopped || search->end_count >= search->ends_enough ||
	       search->nodes > search->nodes_max ||
	       (search->end_count > 0 && search->nodes > NODES_MORE);
}

/* All ways to the goal by `left` more turns behind `at`. */
static void deepen(struct step_search *search, const uint32_t bits[STEP_LOOKS], int at, int left)
{
	const struct center_step *step = search->step;
	if (left == 0) {
		add_end(search, at);
		return;
	}
	const struct step_move *last = at > 0 ? &search->move[search->path[at - 1]] : NULL;
	for (int i = 0; i < search->listed && !is_enough(search); i++) {
		const struct step_move *move = &search->move[search->list[i]];
		uint32_t next[STEP_LOOKS];
		int looks = 0;
		/* Turns about one axis in one order only. */
		if (move->length > left || (last && last->order >= move->order &&
					    last->turn.face % 3 == move->turn.face % 3))
			continue;
		while (looks < step->looks) {
			int k = step->look[looks].orbit;
			next[looks] = center_moved(
				search->centers->moved[search->plan->cell[k].kind][move->of[k]],
				bits[looks]);
			if (!can(search, next, looks, left - move->length))
				break;
			looks++;
		}
		if (looks < step->looks)
			continue;
		search->path[at] = search->list[i];
		if (++search->nodes % NODES_TELL == 0)
			reduction_go_on(search->reduction, NODES_TELL);
		deepen(search, next, at + 1, left - move->length);
	}
}

static void list_moves(struct step_search *search, const uint8_t order[3])
{
	search->listed = 0;
	for (int m = 0; m < search->moves; m++)
		if (plan_allows(search->step, &search->move[m], order))
			search->list[search->listed++] = (uint8_t)m;
}

static void from_start(struct step_search *search, const struct step_node *start, int length)
{
	const struct center_step *step = search->step;
	int left = length - start->length;
	uint32_t bits[STEP_LOOKS];
	if (left < 0 || left >= LONGEST)
		return;
	search->from = start;
	for (int i = 0; i < step->looks; i++) {
		bits[i] = bits_of(start, step->stage, step->look[i].orbit);
		if (!can(search, bits, i, left))
			return;
	}
	list_moves(search, orders[start->order]);
	deepen(search, bits, 0, left);
}

/* From `start` to `end`: the shortest in all. */
static void run_step(struct step_search *search, const struct center_step *step)
{
	bool slow = step->blocks & BLOCK_MIDDLE;
	search->step = step;
	search->end_count = 0;
	search->nodes = 0;
	search->ends_enough = step[1].looks > 0 ? ENDS_ENOUGH : 1;
	for (size_t i = 0; i < LONGEST; i++) {
		size_t turns = slow ? i / 2 : i;
		search->differing[i] =
			turns < sizeof(differing_max) ? differing_max[turns] : ALIKE_MAX;
	}
	for (int length = 0; length < WAY_LENGTH && !is_enough(search); length++)
		for (uint32_t i = 0; i < search->start_count && !is_enough(search); i++)
			from_start(search, &search->start[i], length);
}

/* ---- from step to step ---- */

static const struct cube_hold *view_hold(int view)
{
	static const uint8_t up[3] = {CUBE_U, CUBE_R, CUBE_F};
	return &cube_hold_table.hold[cube_hold_table.of[up[view]][(up[view] + 1) % 3]];
}

static void read_node(const struct step_search *search, int view, struct step_node *node)
{
	const struct cube *cube = search->reduction->cube;
	const struct cube_hold *hold = view_hold(view);
	int n = cube->size;
	uint8_t color[CUBE_FACES];
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		color[hold->to[face]] = face;
	memset(node, 0, sizeof(*node));
	node->view = (uint8_t)view;
	for (int k = 0; k < search->plan->orbits; k++) {
		int row = search->plan->cell[k].row, column = search->plan->cell[k].column;
		for (int place = 0; place < ORBIT; place++) {
			int at = (int)orbit_facelet(n, row, column, place);
			size_t seen = cube_hold_facelet(hold, n, at / (n * n), at / n % n, at % n);
			int here = color[cube_color_at(cube, seen)];
			node->plane[0][k] |= (uint32_t)(here % 3 == CUBE_U) << place;
			node->plane[1][k] |= (uint32_t)(here % 3 == CUBE_F) << place;
			node->plane[2][k] |= (uint32_t)(here / 3) << place;
		}
	}
	for (int depth = 1; 2 * depth + 1 < n; depth++) {
		uint8_t wings[ORBIT];
		for (int place = 0; place < ORBIT; place++)
			wings[place] = (uint8_t)orbit_home(cube, 0, depth, place);
		node->odd |= (uint8_t)(cube_permutation_is_odd(wings, ORBIT) << depth);
	}
}

static void add_start(struct step_search *search, const struct step_node *node, int pairs,
		      int order)
{
	if (search->start_count == STARTS_MAX)
		return;
	struct step_node *start = &search->start[search->start_count++];
	*start = *node;
	start->pairs = (uint8_t)pairs;
	start->order = (uint8_t)order;
}

/* The pair that is on neither axis. */
static int third(int first, int second)
{
	return 3 - first - second;
}

/* `split`: which pair goes to F and B; else which pairs go the other way round. With middle centres
 * it follows from how these are held. */
static void choose_pairs(struct step_search *search, const struct step_node *node, bool split)
{
	const uint8_t *to = cube_hold_table.hold[node->hold].to;
	int first = node->pairs % 9 / 3, second = node->pairs % 3, held = 0;
	if (split) {
		second = first == CUBE_F ? CUBE_R : CUBE_F;
		if (search->open || to[CUBE_F] % 3 == CUBE_F)
			add_start(search, node, 3 * first + second, node->order);
		if (search->open || to[CUBE_F] % 3 != CUBE_F)
			add_start(search, node, 3 * first + third(first, second), node->order);
		return;
	}
	/* An odd permutation of the axes needs an odd number of them turned round. */
	int zero = third(first, second);
	bool odd = (zero != CUBE_U) + (first != CUBE_R) + (second != CUBE_F) == 2;
	for (int color = CUBE_D; color < CUBE_FACES; color++)
		held |= to[color] < CUBE_D ? 1 << to[color] : 0;
	for (int flips = 0; flips < 8; flips++)
		if ((center_count((uint32_t)flips) & 1) == odd && (search->open || flips == held))
			add_start(search, node, 9 * flips + 3 * first + second, node->order);
}

/* The ends of a step begin the next one, with what that leaves open. */
static void next_step(struct step_search *search, const struct center_step *before,
		      const struct center_step *step)
{
	bool axes = step->look[step->looks - 1].test == TEST_AXIS;
	search->start_count = 0;
	for (uint32_t i = 0; i < search->end_count; i++) {
		const struct step_node *node = &search->end[i];
		if (step->stage != before->stage && before->stage != CENTER_HALF &&
		    step->stage != CENTER_HALF)
			choose_pairs(search, node, step->stage == CENTER_SPLIT);
		else
			add_start(search, node, node->pairs, node->order);
	}
	if (!axes || step->axis == 2)
		return;
	/* Each first axis, and then each second one. */
	uint32_t count = search->start_count;
	for (uint32_t i = 0; i < count; i++) {
		struct step_node *start = &search->start[i];
		if (step->axis == 0)
			for (int order = 2; order < ORDERS; order += 2)
				add_start(search, start, start->pairs, order);
		else
			add_start(search, start, start->pairs, start->order ^ 1);
	}
}

/* Looked at along all axes, then along each one alone. */
static void first_step(struct step_search *search, int attempt)
{
	search->start_count = 0;
	for (int view = 0; view < VIEWS; view++) {
		struct step_node node;
		if (attempt % (VIEWS + 1) != 0 && attempt % (VIEWS + 1) != view + 1)
			continue;
		read_node(search, view, &node);
		for (int first = 0; first < 3; first++)
			if (first == CUBE_R || search->open)
				add_start(search, &node, 3 * first, 0);
	}
}

static void write_way(const struct step_search *search, const struct step_node *node,
		      struct center_way *way)
{
	const struct cube_hold *hold = view_hold(node->view);
	way->count = node->count;
	for (int i = 0; i < way->count; i++) {
		struct cube_turn turn = search->move[node->move[i]].turn;
		way->turn[i] = cube_turn_make(search->plan->size, hold->to[turn.face], turn.from,
					      turn.to, turn.quarters);
	}
}

/* All steps; false if one of them had no end. */
static bool run_steps(struct step_search *search, int attempt)
{
	const struct center_step *step = search->plan->steps;
	/* Few cubes have a step that none of its starts makes in few turns: other starts cost less
	 * than longer ways. Where the last attempt fails too, commutators do it. */
	search->nodes_max = attempt + 1 < ATTEMPTS ? NODES_STEP : NODES_LAST;
	first_step(search, attempt);
	run_step(search, step);
	while (search->end_count > 0 && !search->reduction->stopped && step[1].looks > 0) {
		next_step(search, step, step + 1);
		run_step(search, ++step);
	}
	return search->end_count > 0 && !search->reduction->stopped;
}

bool steps_centers(struct reduction *reduction, const struct centers *centers, void *work,
		   struct center_way *way)
{
	struct step_search *search = work;
	bool done = false;
	search->reduction = reduction;
	search->centers = centers;
	search->plan = plan_of(reduction->cube->size);
	search->open = reduction->cube->size % 2 == 0;
	if (!search->plan)
		return false;
	search->moves = plan_moves(search->plan, search->move);
	for (int attempt = 0; attempt < ATTEMPTS && !done && !reduction->stopped; attempt++)
		done = run_steps(search, attempt);
	if (done)
		write_way(search, &search->end[0], way);
	return done;
}
