/* core/solve/two_phase/two_phase.c: Kociemba's two-phase method for the 3x3x3.
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
#include <assert.h>
#include <string.h>

#include "core/solve/two_phase/search.h"

#define PATIENCE_2 12 /* second phases that are tried at first: longer ones take long */
#define LONGEST_2 18
#define NEAR 4 /* up to here shortest solutions are promised */

/* ---- the cubes that are searched ---- */

/* In three steps, so that of several starts each is done for all of them: the memory that the next
 * step reads is fetched meanwhile. */
static void start_at(const struct phase_search *search, struct start *start)
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

static void start_expect(const struct phase_search *search, const struct start *start)
{
	if (search->large)
		large_expect_distance(search->large, start->outside);
}

static int start_bound(const struct phase_search *search, const struct start *start)
{
	if (phase1_within(search->phases, start->hash))
		return phase1_nearer(search->phases, start->hash);
	return search->large ? large_distance_1(search->large, start->outside) : NEAR_1 + 1;
}

static void prepare_starts(struct phase_search *search)
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

static bool search_is_over(const struct phase_search *search)
{
	return search->stopped || two_phase_is_enough(search);
}

static bool leaves(int move)
{
	return move_face(move) % 3 != CUBE_U && !move_is_half(move);
}

/* Solutions whose moves but those of phase 2 are `length`, the last `more` of them given. A
 * solution S M, M the last move, is one S of the cube that M was done before. The first of those
 * given must leave the group of phase 2: others can be the last of that. */
static void search_from(struct phase_search *search, const struct start *start, int length,
			int more)
{
	struct start next[MOVES];
	int count = 0;
	if (more == 0) {
		two_phase_search(search, start, length - start->suffix_count);
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
	for (int i = 0; i < count && !search_is_over(search); i++) {
		if (more == 1)
			next[i].bound = (uint8_t)start_bound(search, &next[i]);
		search_from(search, &next[i], length, more - 1);
	}
}

/* ---- near the solved state ---- */

/* Returns true if `left` moves solve it: all are tried. */
static bool solve_near(struct phase_search *search, const struct cube_state3 *state, int at,
		       int left)
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
static int search_near(struct phase_search *search)
{
	int bound = 0;
	for (int i = 0; i < DIRECTIONS; i++)
		bound = search->start[i].bound > bound ? search->start[i].bound : bound;
	search->now = &search->start[0];
	for (; bound <= NEAR && bound <= search->limit; bound++) {
		if (solve_near(search, &search->start[0].state, 0, bound)) {
			two_phase_found(search, bound);
			search->limit = -1; /* nothing is left to look for */
			break;
		}
	}
	return bound;
}

/* ---- the whole ---- */

/* The shortest A that are tried with a B. Where large tables keep longer ones from going wrong, short
 * ones are worth their lookups only when the others have found nothing. */
static int shortest(const struct phase_search *search, int length)
{
	return search->large && length <= 11 ? 8 : 7;
}

static void search_length(struct phase_search *search, int length)
{
	const struct cube_solve_task *task = search->task;
	for (int suffix = 0;
	     suffix <= SUFFIX && (suffix == 0 || length - suffix >= shortest(search, length));
	     suffix++)
		for (int i = 0; i < DIRECTIONS && !search_is_over(search); i++)
			if (!search->start[i].again &&
			    (task->step == 0 || (unsigned)i % task->step == task->unit))
				search_from(search, &search->start[i], length, suffix);
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	const struct small_tables *tables = memory;
	struct phase_search search = {.phases = &tables->phases,
				      .large = two_phase_large(memory),
				      .task = task,
				      .poll_at = 1,
				      .best_length = -1,
				      .limit = task->length_max > 0 ? task->length_max : LONGEST};
	assert(task->metric == CUBE_SOLVE_HTM);
	if (search.limit > LONGEST)
		search.limit = LONGEST;
	prepare_starts(&search);
	solution->bound = search_near(&search);
	/* First with a bound on phase 2; then what that has left out, if still wanted. */
	search.longest_2 = PATIENCE_2;
	for (int length = 0; length <= search.limit && !search_is_over(&search); length++)
		search_length(&search, length);
	search.longest_2 = LONGEST_2;
	for (int length = 0; length < search.limit - PATIENCE_2 && !search_is_over(&search);
	     length++)
		search_length(&search, length);
	solution->count = 0;
	solution->length = -1;
	solution->nodes = search.nodes;
	if (search.best_length >= 0)
		held_write(&search.held, search.best, search.best_length, task->metric, solution);
	return two_phase_is_enough(&search) ? CUBE_SOLVE_ENOUGH
	       : search.stopped             ? CUBE_SOLVE_STOPPED
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
