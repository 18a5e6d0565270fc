/* core/solve/two_phase.c: Kociemba's two-phase method for the 3x3x3.
 *
 * Phase 1 takes the cube into the group <U, D, R2, F2, L2, B2>, phase 2 solves it there. Phase 1 is
 * searched for all its solutions of each length in turn, and each of them is completed if that can
 * be done within what is left of the length that is wanted. Not one cube is searched but six, which
 * are as far from solved: the cube seen along its three axes, and the inverses of these. And of
 * each not only solutions A G, A from phase 1 and G from phase 2, but also A G B where B is up
 * to four moves, found as solutions of the cube that B was done before. So short first phases are
 * many, and one whose second phase is short is found early.
 *
 * Source: H. Kociemba, http://kociemba.org/cube.htm, "The Two-Phase-Algorithm" and "Performance".
 */
#include "core/solve/methods.h"
#include "core/solve/two_phase_tables.h"

#include <assert.h>
#include <string.h>

#define DIRECTIONS 6
#define LONGEST 30    /* phase 1 never needs more than 12, phase 2 than 18 */
#define PATIENCE_2 12 /* second phases that are tried at first: longer ones take long */
#define LONGEST_2 18
#define SUFFIX 4   /* moves of B */
#define SHORTEST 7 /* of the A that have a B */
#define NEAR 4     /* up to here shortest solutions are promised */
#define POLL_NODES 128
#define QUARTERS 0x9249u /* the first turn of each face, by its bit */

/* A cube to search: one of the six directions, perhaps with the last moves of its solution given.
 */
struct start {
	struct cube_state3 state;
	struct outside outside;
	uint64_t hash; /* of what is outside */
	uint8_t bound; /* of phase 1 */
	uint8_t direction;
	bool again; /* the same as an earlier direction */
	uint8_t suffix_count;
	uint8_t suffix[SUFFIX]; /* in the order in which they are turned */
};

struct search {
	const struct phases *phases;
	const struct large *large; /* or NULL */
	const struct cube_solve_task *task;
	struct held held;
	struct start start[DIRECTIONS];
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
	for (int i = 0; i < search->now->suffix_count; i++) {
		path[length++] = search->now->suffix[i];
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

/* Of `moves`, those that may lead to within `most` moves of the solved state. */
static uint32_t moves_near_2(const struct phases *phases, const struct inside next[MOVES_2],
			     uint32_t moves, int most)
{
	uint64_t hash[MOVES_2];
	uint32_t good = 0;
	for (uint32_t rest = moves; rest != 0; rest &= rest - 1) {
		int m = __builtin_ctz(rest);
		hash[m] = phase2_hash(phases, next[m]);
		phase2_expect(phases, hash[m]);
	}
	for (; moves != 0; moves &= moves - 1) {
		int m = __builtin_ctz(moves);
		good |= (uint32_t)phase2_near(phases, hash[m], most) << m;
	}
	return good;
}

/* Whether `left` moves of phase 2 solve it; they are then behind the first `at`. All moves are
 * looked at before the first is tried, so that the processor need not wait for one after the other.
 */
static bool phase2(struct search *search, struct inside inside, int at, int left)
{
	const struct phases *phases = search->phases;
	struct inside next[MOVES_2];
	uint32_t good = 0;
	if (left == 0)
		return inside_solved(inside);
	if (!go_on(search))
		return false;
	for (uint32_t m = 0; m < MOVES_2; m++)
		next[m] = phase2_after(phases, inside, m);
	for (uint32_t m = 0; m < MOVES_2; m++)
		good |= (uint32_t)(left <= NEAR_2 || phase2_bound(phases, next[m]) < left) << m;
	good &= phases->follow_2[at > 0 ? move_face(search->move[at - 1]) : CUBE_FACES];
	if (left <= NEAR_2 + 1)
		good = moves_near_2(phases, next, good, left - 1);
	for (; good != 0; good &= good - 1) {
		int m = __builtin_ctz(good);
		search->move[at] = phase2_moves[m];
		if (phase2(search, next[m], at + 1, left - 1))
			return true;
	}
	return false;
}

/* Tries to complete a first phase. */
static void complete(struct search *search)
{
	const struct phases *phases = search->phases;
	struct cube_state3 state = search->now->state;
	int length = search->length_1, most = search->limit - length - search->now->suffix_count;
	most = most > search->longest_2 ? search->longest_2 : most;
	cube_state3_apply(&state, phases->moves, search->move, (size_t)length);
	uint32_t edges = coordinate_edges.of(&state);
	const struct inside inside = {.corners =
					      phases->corner_class[coordinate_corners.of(&state)],
				      .edges = phases->edge_class[edges],
				      .spread = (uint16_t)coordinate_spread.of(&state)};
	int left = phase2_bound(phases, inside);
	if (search->large && left <= most) {
		int bound = large_bound_2(search->large, inside.corners, edges);
		left = bound > left ? bound : left;
	}
	const uint64_t hash = phase2_hash(phases, inside);
	for (; left <= most && left <= NEAR_2 && !phase2_near(phases, hash, left); left++)
		continue;
	for (; left <= most && !search->stopped; left++) {
		if (phase2(search, inside, length, left)) {
			found(search, length + left);
			return;
		}
	}
}

/* ---- phase 1 ---- */

/* The moves, of those that may be done, that lead into what `left - 1` more may come home from:
 * from outside the table of what is near, and from within it. There a face is left after its first
 * move to somewhere farther away, since its other ones are but one move from there. */
static uint32_t moves_far(const struct search *search, struct outside outside, uint32_t may,
			  int left)
{
	const struct phases *phases = search->phases;
	uint32_t good = 0;
	if (left > NEAR_1 + 1 && !search->large)
		return may;
	for (uint32_t rest = may; rest != 0; rest &= rest - 1) {
		int m = __builtin_ctz(rest);
		struct outside next = phase1_after(phases, outside, m);
		bool is = left > NEAR_1 + 1 ? large_distance_1(search->large, next) < left
					    : phase1_within(phases, phase1_hash(phases, next));
		good |= (uint32_t)is << m;
	}
	return good;
}

/* The same from within the table. Where a turn leads farther away than `left`, the face's others, one
 * move from there, lead to no less than `left`. */
static uint32_t moves_near(const struct search *search, struct outside outside, uint32_t may,
			   int left)
{
	const struct phases *phases = search->phases;
	uint32_t good = 0, now = may & QUARTERS;
	while (now != 0) {
		uint64_t hash[MOVES];
		uint32_t then = 0;
		for (uint32_t rest = now; rest != 0; rest &= rest - 1) {
			int m = __builtin_ctz(rest);
			hash[m] = phase1_hash(phases, phase1_after(phases, outside, m));
			phase1_expect(phases, hash[m]);
		}
		for (; now != 0; now &= now - 1) {
			int m = __builtin_ctz(now);
			int bound = phase1_nearer(phases, hash[m]);
			bool close = bound <= left && phase1_within(phases, hash[m]);
			good |= (uint32_t)(close && bound < left) << m;
			if (close && m % 3 == 0)
				then |= 6u << m;
		}
		now = then;
	}
	return good;
}

/* All ways into the group by `left` more moves behind the first ones. From within the group a way
 * out and back has five moves at least; shorter ones would stay inside, which is phase 2's. */
static void phase1(struct search *search, struct outside outside, int left)
{
	const struct phases *phases = search->phases;
	const int at = search->length_1 - left;
	bool home = outside_home(outside);
	if (left == 0 && home)
		complete(search);
	if (left == 0 || (home && at > 0 && left < 5))
		return;
	if (!go_on(search) || search->length_1 + search->now->suffix_count > search->limit)
		return;
	uint32_t may = phases->follow[at > 0 ? move_face(search->move[at - 1]) : CUBE_FACES];
	may = (left > NEAR_1 ? moves_far : moves_near)(search, outside, may, left);
	for (; may != 0; may &= may - 1) {
		int m = __builtin_ctz(may);
		search->move[at] = (uint8_t)m;
		phase1(search, phase1_after(phases, outside, m), left - 1);
	}
}

/* ---- the cubes that are searched ---- */

/* In three steps, so that of several starts each is done for all of them: the memory that the next
 * step reads is fetched meanwhile. */
static void start_at(const struct search *search, struct start *start)
{
	const struct phases *phases = search->phases;
	start->outside = (struct outside){.twist = (uint16_t)coordinate_twist.of(&start->state),
					  .flip = (uint16_t)coordinate_flip.of(&start->state),
					  .slice = (uint16_t)coordinate_slice.of(&start->state)};
	start->hash = phase1_hash(phases, start->outside);
	phase1_expect(phases, start->hash);
	if (search->large)
		large_expect_class(search->large, start->outside);
}

static void start_expect(const struct search *search, const struct start *start)
{
	if (search->large)
		large_expect_distance(search->large, start->outside);
}

static int start_bound(const struct search *search, const struct start *start)
{
	if (phase1_within(search->phases, start->hash))
		return phase1_nearer(search->phases, start->hash);
	return search->large ? large_distance_1(search->large, start->outside) : NEAR_1 + 1;
}

static void prepare(struct search *search)
{
	held_home(&search->held, search->task->cube);
	for (uint8_t i = 0; i < DIRECTIONS; i++) {
		struct start *start = &search->start[i];
		*start = (struct start){.direction = i};
		symmetries_conjugate(&search->phases->symmetries, SYMMETRIES_UD * (i / 2),
				     &search->held.state, &start->state);
		if (i % 2)
			cube_state3_invert(&start->state, &start->state);
		start_at(search, start);
		start->bound = (uint8_t)start_bound(search, start);
		/* Seen from there it is a cube that is searched already. */
		for (int k = 0; k < i; k++)
			if (cube_state3_equal(&start->state, &search->start[k].state))
				start->again = true;
	}
}

static bool enough(const struct search *search)
{
	return search->best_length >= 0 && search->best_length <= search->task->length_enough;
}

static bool over(const struct search *search)
{
	return search->stopped || enough(search);
}

static bool leaves(int move)
{
	return move_face(move) % 3 != CUBE_U && !move_is_half(move);
}

static void search_start(struct search *search, const struct start *start, int length)
{
	search->now = start;
	search->length_1 = length - start->suffix_count;
	if (start->bound <= search->length_1)
		phase1(search, start->outside, search->length_1);
}

/* Solutions whose moves but those of phase 2 are `length`, the last `more` of them given. A
 * solution S M, M the last move, is one S of the cube that M was done before. The first of those
 * given must leave the group of phase 2: others can be the last of that. */
static void search_from(struct search *search, const struct start *start, int length, int more)
{
	struct start next[MOVES];
	int count = 0;
	if (more == 0) {
		search_start(search, start, length);
		return;
	}
	for (uint8_t m = 0; m < MOVES; m++) {
		if ((start->suffix_count > 0 &&
		     !face_follows(move_face(start->suffix[0]), move_face(m))) ||
		    (more == 1 && !leaves(m)))
			continue;
		struct start *to = &next[count++];
		*to = (struct start){.direction = start->direction,
				     .suffix_count = (uint8_t)(start->suffix_count + 1),
				     .suffix = {m}};
		memcpy(&to->suffix[1], start->suffix, (size_t)start->suffix_count);
		cube_state3_compose(&to->state, &search->phases->moves[m], &start->state);
		if (more == 1)
			start_at(search, to);
	}
	for (int i = 0; i < count && more == 1; i++)
		start_expect(search, &next[i]);
	for (int i = 0; i < count && !over(search); i++) {
		if (more == 1)
			next[i].bound = (uint8_t)start_bound(search, &next[i]);
		search_from(search, &next[i], length, more - 1);
	}
}

/* ---- near the solved state ---- */

/* Whether `left` moves solve it: all are tried. */
static bool solve_near(struct search *search, const struct cube_state3 *state, int at, int left)
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
		if (solve_near(search, &next, at + 1, left - 1))
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
		if (solve_near(search, &search->start[0].state, 0, bound)) {
			found(search, bound);
			search->limit = -1; /* nothing is left to look for */
			break;
		}
	}
	return bound;
}

/* ---- the whole ---- */

static void search_length(struct search *search, int length)
{
	const struct cube_solve_task *task = search->task;
	for (int suffix = 0; suffix <= SUFFIX && (suffix == 0 || length - suffix >= SHORTEST);
	     suffix++)
		for (int i = 0; i < DIRECTIONS && !over(search); i++)
			if (!search->start[i].again &&
			    (task->step == 0 || (unsigned)i % task->step == task->unit))
				search_from(search, &search->start[i], length, suffix);
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	const struct small *tables = memory;
	struct search search = {.phases = &tables->phases,
				.large = two_phase_large(memory),
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
	for (int length = 0; length <= search.limit && !over(&search); length++)
		search_length(&search, length);
	search.longest_2 = LONGEST_2;
	for (int length = 0; length < search.limit - PATIENCE_2 && !over(&search); length++)
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
