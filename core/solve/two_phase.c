/* core/solve/two_phase.c: Kociemba's two-phase method for the 3x3x3.
 *
 * Phase 1 takes the cube into the group <U, D, R2, F2, L2, B2>, phase 2 solves it there. Phase 1 is
 * searched for all its solutions of each length in turn, and each of them is completed if that can
 * be done within what is left of the length that is wanted. Not one cube is searched but six, which
 * are as far from solved: the cube seen along its three axes, and the inverses of these. So short
 * first phases are six times as many, and one whose second phase is short is found earlier.
 *
 * Source: H. Kociemba, http://kociemba.org/cube.htm, "The Two-Phase-Algorithm" and "Performance".
 */
#include "core/solve/methods.h"
#include "core/solve/two_phase_tables.h"

#include <assert.h>
#include <string.h>

#define DIRECTIONS 6
#define STARTS (DIRECTIONS * 9) /* each as it is, and with each of the last moves */
#define LONGEST 30              /* phase 1 never needs more than 12, phase 2 than 18 */
#define PATIENCE_2 12           /* second phases that are tried at first: longer ones take long */
#define LONGEST_2 18
#define LAST_FROM 7 /* length from which solutions with a given last move are looked for */
#define NEAR 4      /* up to here shortest solutions are promised */
#define POLL_NODES 256
#define NO_MOVE MOVES

/* A cube to search: one of the six directions, perhaps with the last move of its solution given. */
struct start {
	struct cube_state3 state;
	uint16_t twist, flip, ribbon;
	uint8_t bound; /* of phase 1 */
	uint8_t direction;
	uint8_t last; /* or NO_MOVE */
};

struct search {
	const struct phases *phases;
	const struct large *large; /* or NULL */
	const struct cube_solve_task *task;
	struct held held;
	struct start start[STARTS];
	int start_count;
	const struct start *now; /* the one that is searched */
	int length_1;            /* of the first phases looked for */
	int longest_2;           /* of the second phases tried */
	int limit;               /* solutions must be no longer than that */
	uint64_t nodes, poll_at;
	bool stopped;
	uint8_t move[LONGEST + 1]; /* the way from the root */
	uint8_t best[LONGEST];
	int best_length; /* -1: none */
};

static inline int last_count(const struct start *start)
{
	return start->last != NO_MOVE;
}

/* ---- when to stop ---- */

/* Asks everybody who may end the search; takes over what others found. */
static void poll(struct search *search)
{
	const struct cube_solve_task *task = search->task;
	const struct cube_solve_progress progress = {
		.nodes = search->nodes, .depth = search->length_1, .best = search->best_length};
	search->poll_at = search->nodes + POLL_NODES;
	if (task->shared) {
		int best = atomic_load_explicit(&task->shared->best, memory_order_relaxed) - 1;
		if (best >= 0 && best <= search->limit)
			search->limit = best - 1;
	}
	search->stopped = (task->stop && atomic_load_explicit(task->stop, memory_order_relaxed)) ||
			  (task->nodes_max > 0 && search->nodes >= task->nodes_max) ||
			  (task->carry_on && !task->carry_on(task->context, &progress));
}

static inline bool go_on(struct search *search)
{
	if (++search->nodes >= search->poll_at)
		poll(search);
	return !search->stopped;
}

/* ---- phase 2 ---- */

/* Joins the last move with one of the same face that it can be brought next to; returns how many
 * there are then. */
static int join_last(uint8_t *moves, int count)
{
	int face = move_face(moves[count - 1]), at = count - 2;
	if (at > 0 && move_face(moves[at]) % 3 == face % 3 && move_face(moves[at]) != face)
		at--;
	if (at < 0 || move_face(moves[at]) != face)
		return count;
	int quarters = (move_quarters(moves[at]) + move_quarters(moves[count - 1])) % 4;
	if (quarters > 0) {
		moves[at] = (uint8_t)(3 * face + quarters - 1);
		return count - 1;
	}
	memmove(&moves[at], &moves[at + 1], (size_t)(count - 2 - at));
	return count - 2;
}

static void found(struct search *search, int length)
{
	const struct symmetries *symmetries = &search->phases->symmetries;
	int direction = search->now->direction;
	uint8_t path[LONGEST + 1]; /* of its own: the search goes on with the other */
	memcpy(path, search->move, (size_t)length);
	if (search->now->last != NO_MOVE) {
		path[length++] = search->now->last;
		length = join_last(path, length);
	}
	int back = symmetries->inverse[SYMMETRIES_UD * (direction / 2)];
	for (int i = 0; i < length; i++) {
		int move = symmetries->move[back][path[i]];
		if (direction % 2 == 0)
			search->best[i] = (uint8_t)move;
		else
			search->best[length - 1 - i] = (uint8_t)move_inverse(move);
	}
	search->best_length = length;
	search->limit = length - 1;
	if (search->task->shared) {
		_Atomic int *best = &search->task->shared->best;
		int seen = atomic_load(best);
		while ((seen == 0 || seen > length + 1) &&
		       !atomic_compare_exchange_weak(best, &seen, length + 1))
			continue;
	}
}

/* Whether `left` moves of phase 2 solve it; they are then behind the first `at`. */
static bool phase2(struct search *search, uint32_t corners, uint32_t edges, uint32_t spread, int at,
		   int left)
{
	const struct phases *phases = search->phases;
	if (left == 0)
		return true; /* the bound was 0 */
	if (!go_on(search))
		return false;
	/* All at once first, so that the processor need not guess nor wait for one after the other.
	 */
	uint32_t c[MOVES_2], e[MOVES_2], next[MOVES_2], good = 0;
	for (uint32_t m = 0; m < MOVES_2; m++) {
		c[m] = phase2_after(phases, corners, phases->corner_class_move, m);
		e[m] = phase2_after(phases, edges, phases->edge_class_move, m);
		next[m] = phases->spread_move[spread][m];
		good |= (uint32_t)(phase2_bound(phases, c[m], e[m], next[m]) < left) << m;
	}
	if (at > 0)
		good &= phases->follow_2[move_face(search->move[at - 1])];
	for (; good != 0; good &= good - 1) {
		int m = __builtin_ctz(good);
		search->move[at] = phase2_moves[m];
		if (phase2(search, c[m], e[m], next[m], at + 1, left - 1))
			return true;
	}
	return false;
}

/* Tries to complete a first phase. */
static void complete(struct search *search)
{
	const struct phases *phases = search->phases;
	struct cube_state3 state = search->now->state;
	int length = search->length_1, most = search->limit - length - last_count(search->now);
	most = most > search->longest_2 ? search->longest_2 : most;
	cube_state3_apply(&state, phases->moves, search->move, (size_t)length);
	uint32_t corners = phases->corner_class[coordinate_corners.of(&state)];
	uint32_t edges = phases->edge_class[coordinate_edges.of(&state)];
	uint32_t spread = coordinate_spread.of(&state);
	int left = phase2_bound(phases, corners, edges, spread);
	if (search->large && left <= most) {
		uint32_t image =
			search->large->edge_image[corners % 16][coordinate_edges.of(&state)];
		int bound = search->large->corner_edge[corners / 16][image];
		left = bound > left ? bound : left;
	}
	for (; left <= most && !search->stopped; left++) {
		if (phase2(search, corners, edges, spread, length, left)) {
			found(search, length + left);
			return;
		}
	}
}

/* ---- phase 1 ---- */

/* All ways into the group by `left` more moves behind the first `at`. From within the group a way
 * out and back has five moves at least; shorter ones would stay inside, which is phase 2's. */
static void phase1(struct search *search, uint32_t twist, uint32_t flip, uint32_t ribbon, int left)
{
	const struct phases *phases = search->phases;
	const int at = search->length_1 - left;
	const int before = at > 0 ? move_face(search->move[at - 1]) : CUBE_FACES;
	if (left == 0) {
		complete(search);
		return;
	}
	for (int face = 0; face < CUBE_FACES; face++) {
		if (!face_follows(face, before))
			continue;
		for (int m = 3 * face; m < 3 * face + 3; m++) {
			uint32_t t = phases->twist_move[twist][m];
			uint32_t f = phases->flip_move[flip][m];
			uint32_t r = phases->ribbon_move[ribbon][m];
			int bound = phase1_bound(phases, t, f, r);
			if (search->large && bound < left)
				bound = coset_distance(&search->large->coset, t, f, r / 16);
			if (bound > left)
				break; /* the face's other turns are one move from there */
			if (bound == left || (bound == 0 && left > 1 && left < 6))
				continue;
			if (!go_on(search) ||
			    search->length_1 + last_count(search->now) > search->limit)
				return;
			search->move[at] = (uint8_t)m;
			phase1(search, t, f, r, left - 1);
		}
	}
}

static void add_start(struct search *search, struct start *start)
{
	start->twist = (uint16_t)coordinate_twist.of(&start->state);
	start->flip = (uint16_t)coordinate_flip.of(&start->state);
	start->ribbon = (uint16_t)coordinate_ribbon.of(&start->state);
	start->bound =
		(uint8_t)phase1_bound(search->phases, start->twist, start->flip, start->ribbon);
	assert(search->start_count < STARTS);
	if (search->large)
		start->bound = (uint8_t)coset_distance(&search->large->coset, start->twist,
						       start->flip, start->ribbon / 16);
	search->start[search->start_count++] = *start;
}

static void prepare(struct search *search)
{
	held_home(&search->held, search->task->cube);
	for (uint8_t i = 0; i < DIRECTIONS; i++) {
		struct start start = {.direction = i, .last = NO_MOVE};
		symmetries_conjugate(&search->phases->symmetries, SYMMETRIES_UD * (i / 2),
				     &search->held.state, &start.state);
		if (i % 2)
			cube_state3_invert(&start.state, &start.state);
		add_start(search, &start);
	}
}

/* A solution S M, M the last move, is one S of the cube that M was done before. Only moves that
 * leave the group of phase 2: the others can be the last of that. */
static void prepare_last(struct search *search)
{
	for (int i = 0; i < DIRECTIONS; i++) {
		for (uint8_t m = 0; m < MOVES; m++) {
			struct start start = {.direction = (uint8_t)i, .last = m};
			if (move_face(m) % 3 == CUBE_U || move_is_half(m))
				continue;
			cube_state3_compose(&start.state, &search->phases->moves[m],
					    &search->start[i].state);
			add_start(search, &start);
		}
	}
}

/* ---- near the solved state ---- */

/* Whether `left` moves solve it: all are tried. */
static bool near(struct search *search, const struct cube_state3 *state, int at, int left)
{
	if (left == 0)
		return cube_state3_equal(state, &cube_state3_solved);
	for (int m = 0; m < MOVES; m++) {
		struct cube_state3 next;
		if (at > 0 && !face_follows(move_face(m), move_face(search->move[at - 1])))
			continue;
		search->nodes++;
		search->move[at] = (uint8_t)m;
		cube_state3_compose(&next, state, &search->phases->moves[m]);
		if (near(search, &next, at + 1, left - 1))
			return true;
	}
	return false;
}

/* Each direction's way into its group is part of every solution, so that few states are looked at
 * any closer. Returns a length below which there is no solution. */
static int search_near(struct search *search)
{
	int bound = 0;
	for (int i = 0; i < DIRECTIONS; i++)
		bound = search->start[i].bound > bound ? search->start[i].bound : bound;
	search->now = &search->start[0];
	for (; bound <= NEAR && bound <= search->limit; bound++) {
		if (near(search, &search->start[0].state, 0, bound)) {
			found(search, bound);
			search->limit = -1; /* nothing is left to look for */
			break;
		}
	}
	return bound;
}

/* ---- the whole ---- */

static bool enough(const struct search *search)
{
	return search->best_length >= 0 && search->best_length <= search->task->length_enough;
}

/* All starts that are this search's, for solutions whose moves but those of phase 2 are `length`.
 */
static void search_length(struct search *search, int length)
{
	const struct cube_solve_task *task = search->task;
	if (length >= LAST_FROM && search->start_count == DIRECTIONS)
		prepare_last(search);
	for (int i = 0; i < search->start_count && !search->stopped && !enough(search); i++) {
		const struct start *start = &search->start[i];
		if (task->step > 0 && start->direction % task->step != task->unit)
			continue;
		search->now = start;
		search->length_1 = length - last_count(start);
		if (start->bound <= search->length_1)
			phase1(search, start->twist, start->flip, start->ribbon, search->length_1);
	}
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	const struct small *tables = memory;
	struct search search = {.phases = &tables->phases,
				.large = tables->head.magic == MAGIC_LARGE ? memory : NULL,
				.task = task,
				.poll_at = 1,
				.best_length = -1,
				.limit = task->length_max > 0 ? task->length_max : LONGEST};
	assert(task->metric == CUBE_SOLVE_HTM);
	if (search.limit > LONGEST)
		search.limit = LONGEST;
	prepare(&search);
	solution->bound = search_near(&search);
	/* With patience first; and what that has left out, where it is still wanted. */
	search.longest_2 = PATIENCE_2;
	for (int length = 0; length <= search.limit && !search.stopped && !enough(&search);
	     length++)
		search_length(&search, length);
	search.longest_2 = LONGEST_2;
	for (int length = 0;
	     length < search.limit - PATIENCE_2 && !search.stopped && !enough(&search); length++)
		search_length(&search, length);
	solution->count = 0;
	solution->length = -1;
	solution->nodes = search.nodes;
	if (search.best_length >= 0)
		held_tell(&search.held, search.best, search.best_length, task->metric, solution);
	return enough(&search)  ? CUBE_SOLVE_ENOUGH
	       : search.stopped ? CUBE_SOLVE_STOPPED
				: CUBE_SOLVE_ALL;
}

const struct cube_solver solver_two_phase = {.name = "two_phase",
					     .size_min = 3,
					     .size_max = 3,
					     .length_max = {LONGEST},
					     .units = DIRECTIONS,
					     .tables = two_phase_tables,
					     .table_count = TWO_PHASE_TABLES,
					     .solve = solve};
