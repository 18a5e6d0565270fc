/* core/solve/goal/search.c: the search for goals: iterative deepening, with tables or by trying all
 * turns; and states as goals. */
#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/solve/common/poll.h"
#include "core/solve/goal/goal_internal.h"
#include "cube/algorithm.h"
#include "cube/cube.h"

/* Polls every few hundred microseconds: the time for a node grows with the cube. */
#define POLL_STICKERS 50000

bool goal_poll(struct goal_search *search)
{
	uint64_t nodes = search->solution->nodes++;
	if (nodes % search->poll_nodes == 0)
		search->stopped = poll_stopped(search->task, nodes, search->length, -1);
	return search->stopped;
}

/* Returns true if the query holds for the cube in task.work. */
static bool query_holds(const struct goal_search *search)
{
	const struct cube *cube = search->task->work;
	uint8_t *colors = (uint8_t *)search->task->work + cube_bytes(cube->size);
	cube_colors(cube, colors);
	return cube_query_match(search->goal->query, colors, CUBE_FITS_ALL) != 0;
}

/* Returns how many turns at the beginning of the list are of one axis: they commute. */
static size_t count_parallel(const struct cube_turn *turns, size_t count)
{
	size_t parallel = 0;
	while (parallel < count && turns[parallel].face % 3 == turns[0].face % 3)
		parallel++;
	return parallel;
}

/* Returns true if the query holds for the cube in task.work after any choice of these turns, all of
 * them only if `all`; or the search was stopped. They are of one axis, and the cube is as before
 * when it returns. Takes 2^count queries. */
static bool some_reach(struct goal_search *search, const struct cube_turn *turns, size_t count,
		       bool all)
{
	struct cube *cube = search->task->work;
	if (count == 0)
		return all && (goal_poll(search) || query_holds(search));
	if (some_reach(search, turns + 1, count - 1, true))
		return true;
	cube_turn(cube, turns[0]);
	const bool reached = some_reach(search, turns + 1, count - 1, all);
	cube_turn(cube, cube_turn_inverse(turns[0]));
	return reached;
}

/* Returns true if the cube in task.work reaches the goal before the end of the turns, whichever of
 * parallel ones are made first; at the end of them too if `at_end`. */
static bool reached_on_the_way(struct goal_search *search, const struct cube_turn *turns,
			       size_t count, bool at_end)
{
	bool reached = at_end && count == 0 && query_holds(search);
	for (size_t from = 0, group; from < count && !reached; from += group) {
		group = count_parallel(turns + from, count - from);
		reached = some_reach(search, turns + from, group, at_end || from + group < count);
		cube_turn_all(search->task->work, turns + from, group);
	}
	return reached;
}

/* The cube in task.work with these turns on its inverse. */
static void begin_work(const struct goal_search *search, const struct cube_turn *inverse,
		       size_t count)
{
	if (count > 0)
		cube_goal_premove(search->task->work, search->task->cube, inverse, count);
	else
		cube_copy(search->task->work, search->task->cube);
}

/* The same of a solution with turns on the inverse: `inverse` of them follow the `normal` ones. */
static bool reached_before(struct goal_search *search, const struct cube_turn *turns, size_t normal,
			   size_t inverse)
{
	const struct cube_turn *other = turns + normal;
	struct cube_turn made[CUBE_GOAL_LENGTH_MAX];
	for (size_t from = 0, group; from < inverse; from += group) {
		group = count_parallel(other + from, inverse - from);
		memcpy(made, other, from * sizeof made[0]);
		for (uint32_t choice = 0; choice + 1 < UINT32_C(1) << group; choice++) {
			size_t count = from;
			for (size_t i = 0; i < group; i++)
				if (choice >> i & 1)
					made[count++] = other[from + i];
			begin_work(search, made, count);
			if (reached_on_the_way(search, turns, normal, true))
				return true;
		}
	}
	begin_work(search, other, inverse);
	return reached_on_the_way(search, turns, normal, false);
}

/* Reports the turns found for a list, unless fewer of them reach the goal. True if that ends the
 * search. The cube in task.work is as the turns leave it before and after. */
static bool list_turns(struct goal_search *search)
{
	const struct cube_solve_task *task = search->task;
	const struct cube_solution *solution = search->solution;
	struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	const size_t count = solution->count, inverse = solution->inverse;
	const size_t normal = count - inverse;
	memcpy(turns, solution->turns, count * sizeof(turns[0]));
	cube_turns_order(task->cube->size, turns, normal);
	cube_turns_order(task->cube->size, turns + normal, inverse);
	const bool before = reached_before(search, turns, normal, inverse);
	begin_work(search, turns + normal, inverse);
	cube_turn_all(task->work, turns, normal);
	search->enough = !before && !task->each(task->each_context, turns, count);
	return search->enough;
}

/* ---- all turns ---- */

/* Turns the cube in task.work, and turns it back if that leads nowhere. */
bool goal_search_plain(struct goal_search *search, int left, size_t depth,
		       const struct goal_move *before)
{
	const struct cube_goal *goal = search->goal;
	struct cube *cube = search->task->work;
	if (goal_poll(search))
		return false;
	search->solution->count = depth;
	if (left == 0 && search->goal->niss)
		goal_niss_append(search);
	if (left == 0)
		return query_holds(search) && (!search->task->each || list_turns(search));
	for (const struct goal_move *move = goal->move; move < goal->move + goal->move_count;
	     move++) {
		int length = move->cost;
		if (move->spare || length > left || !goal_move_follows(move, before))
			continue;
		search->solution->turns[depth] = move->turn;
		cube_turn(cube, move->turn);
		if (goal_search_plain(search, left - length, depth + 1, move))
			return true;
		cube_turn(cube, cube_turn_inverse(move->turn));
		if (search->stopped)
			return false;
	}
	return false;
}

/* ---- with tables ---- */

static int bound_of(const struct cube_goal *goal, const struct goal_base *base,
		    const struct cube_state3 *inverse)
{
	int bound = 0;
	for (int i = 0; i < base->tables; i++) {
		size_t table = base->table[i];
		int distance =
			goal_distances(goal, table)[goal_entry(&goal->table[table], inverse)];
		bound = distance > bound ? distance : bound;
	}
	return bound;
}

bool goal_is_near(const struct goal_search *search, const struct cube_state3 *inverse, int left)
{
	const struct goal_base *base = search->base;
	for (int i = 0; i < base->tables; i++) {
		size_t table = base->table[i];
		const struct goal_table *row = &search->goal->table[table];
		if (goal_distances(search->goal, table)[goal_entry(row, inverse)] > left)
			return false;
	}
	return true;
}

/* Returns true if the cube in task.work is as this root wants it, and not as an earlier one does:
 * the same turns may be found from several roots, since tables do not know all that is wanted. */
static bool is_of_root(const struct goal_search *search)
{
	struct cube_state3 state;
	(void)goal_state(&state, search->task->work);
	for (const struct goal_root *root = search->goal->root; root <= search->root; root++) {
		struct cube_state3 seen = state, rotation;
		rotation_make(&rotation, root->rotation);
		goal_turn_state(&seen, &rotation);
		if (goal_target_fits(&search->goal->base[root->base].target, &seen))
			return root == search->root;
	}
	return false;
}

/* Turns the cube itself along the path: the tables know what is wanted of places, not of pieces
 * together. */
static bool path_leads_there(struct goal_search *search, size_t depth)
{
	if (search->goal->niss) {
		goal_niss_write(search, depth);
	} else {
		cube_copy(search->task->work, search->task->cube);
		for (size_t i = 0; i < depth; i++)
			search->solution->turns[i] =
				search->goal->move[search->original[search->path[i]]].turn;
		search->solution->count = depth;
		cube_turn_all(search->task->work, search->solution->turns, depth);
	}
	if (!query_holds(search))
		return false;
	return !search->task->each || (is_of_root(search) && list_turns(search));
}

bool goal_descend(struct goal_search *search, const struct cube_state3 *inverse, size_t hold,
		  int left, size_t depth)
{
	const struct cube_goal *goal = search->goal;
	const struct goal_move *before = depth > 0 ? &goal->move[search->path[depth - 1]] : NULL;
	if (goal_poll(search))
		return false;
	if (left == 0)
		return path_leads_there(search, depth);
	for (size_t m = 0; m < goal->move_count; m++) {
		const struct goal_state_move *move = &goal->holds.move[hold][m];
		struct cube_state3 after;
		int rest = left - goal->move[m].cost;
		if (goal->move[search->original[m]].spare || rest < 0 ||
		    !goal_move_follows(&goal->move[m], before))
			continue;
		cube_state3_compose(&after, &move->inverse, inverse);
		if (!goal_is_near(search, &after, rest))
			continue;
		search->path[depth] = (uint8_t)m;
		if (goal_descend(search, &after, move->hold, rest, depth + 1))
			return true;
		if (search->stopped)
			return false;
	}
	return false;
}

/* Returns true if what no move ever moves is as the root's base wants it. */
static bool is_open_to_moves(const struct cube_goal *goal, const struct goal_root *root,
			     const struct cube_state3 *inverse)
{
	const struct goal_target *target = &goal->base[root->base].target;
	const uint8_t *original = goal->holds.original[root->rotation];
	struct cube_state3 state;
	cube_state3_invert(&state, inverse);
	for (int place = 0; place < GOAL_PLACES && goal->holds.count == 1; place++) {
		int byte =
			place < CUBE_CORNERS ? CUBE_STATE3_CORNERS + place : place - CUBE_CORNERS;
		uint32_t piece = state.piece[byte] & CUBE_STATE3_PIECE;
		uint32_t bit = goal_turns(byte) * piece + (state.piece[byte] >> CUBE_STATE3_TURN);
		bool moved = (target->allowed[place] >> bit & 1) != 0;
		for (size_t m = 0; m < goal->move_count && !moved; m++)
			moved = !goal->move[original[m]].spare &&
				goal->holds.move[0][m].inverse.piece[byte] !=
					cube_state3_solved.piece[byte];
		if (!moved)
			return false;
	}
	return true;
}

static int view_from_roots(const struct cube_goal *goal, const struct cube *cube,
			   struct goal_view seen[GOAL_TARGETS_MAX])
{
	struct cube_state3 inverse;
	int least = CUBE_GOAL_NEVER, hold = goal_state(&inverse, cube);
	assert(hold == goal->hold);
	(void)hold;
	cube_state3_invert(&inverse, &inverse);
	for (size_t i = 0; i < goal->root_count; i++) {
		struct cube_state3 rotation;
		rotation_make(&rotation, goal->root[i].rotation);
		seen[i].inverse = inverse;
		goal_turn_state(&seen[i].inverse, &rotation);
		seen[i].bound =
			is_open_to_moves(goal, &goal->root[i], &seen[i].inverse)
				? bound_of(goal, &goal->base[goal->root[i].base], &seen[i].inverse)
				: CUBE_GOAL_NEVER;
		least = seen[i].bound < least ? seen[i].bound : least;
	}
	return goal->niss ? goal_niss_bound(goal, seen) : least;
}

static bool search_roots(struct goal_search *search, const struct goal_view seen[GOAL_TARGETS_MAX])
{
	const struct cube_goal *goal = search->goal;
	for (size_t i = 0; i < goal->root_count && !search->stopped; i++) {
		search->root = &goal->root[i];
		search->base = &goal->base[goal->root[i].base];
		search->original = goal->holds.original[goal->root[i].rotation];
		if (seen[i].bound <= search->length &&
		    goal_descend(search, &seen[i].inverse, 0, search->length, 0))
			return true;
	}
	return false;
}

/* ---- length by length ---- */

size_t cube_goal_work_bytes(int size)
{
	return cube_bytes(size) + cube_facelets(size);
}

static enum cube_solve_end give_up(struct cube_solution *solution, enum cube_solve_end end)
{
	solution->count = 0;
	solution->inverse = 0;
	solution->length = -1;
	return end;
}

static bool search_length(struct goal_search *search, const struct goal_view seen[GOAL_TARGETS_MAX])
{
	if (search->goal->niss)
		return goal_niss_search(search, seen);
	return search->goal->plain ? goal_search_plain(search, search->length, 0, NULL)
				   : search_roots(search, seen);
}

/* All of one length. */
static enum cube_solve_end list_all(struct goal_search *search,
				    const struct goal_view seen[GOAL_TARGETS_MAX])
{
	const struct cube_solve_task *task = search->task;
	assert(task->length_max > 0 && task->length_max <= CUBE_GOAL_LENGTH_MAX);
	search->length = task->length_max;
	cube_copy(task->work, task->cube);
	(void)search_length(search, seen);
	return give_up(search->solution, search->enough    ? CUBE_SOLVE_ENOUGH
					 : search->stopped ? CUBE_SOLVE_STOPPED
							   : CUBE_SOLVE_ALL);
}

enum cube_solve_end cube_goal_solve(const struct cube_goal *goal,
				    const struct cube_solve_task *task,
				    struct cube_solution *solution)
{
	struct goal_search search = {.goal = goal,
				     .task = task,
				     .solution = solution,
				     .poll_nodes = POLL_STICKERS / cube_facelets(goal->size) + 1};
	struct goal_view seen[GOAL_TARGETS_MAX];
	int longest = task->length_max > 0 && task->length_max < CUBE_GOAL_LENGTH_MAX
			      ? task->length_max
			      : CUBE_GOAL_LENGTH_MAX;
	assert(task->cube->size == goal->size && task->metric == goal->metric && task->work);
	solution->nodes = 0;
	solution->inverse = 0;
	solution->step_count = 0;
	solution->bound = goal->plain ? 0 : view_from_roots(goal, task->cube, seen);
	if (solution->bound == CUBE_GOAL_NEVER)
		return give_up(solution, CUBE_SOLVE_ALL);
	if (task->each)
		return list_all(&search, seen);
	cube_copy(task->work, task->cube);
	for (; solution->bound <= longest; solution->bound++) {
		search.length = solution->length = solution->bound;
		if (search_length(&search, seen))
			return CUBE_SOLVE_ENOUGH;
		if (search.stopped)
			return give_up(solution, CUBE_SOLVE_STOPPED);
	}
	return give_up(solution, CUBE_SOLVE_ALL);
}

/* ---- a state as the goal ---- */

void cube_goal_items(const struct cube *state, uint8_t *items)
{
	/* The arrays lie around F; B is seen from the other side. */
	static const uint8_t face[CUBE_FACES] = {CUBE_F, CUBE_U, CUBE_R, CUBE_L, CUBE_D, CUBE_B};
	size_t area = (size_t)state->size * state->size;
	for (int array = 0; array < CUBE_FACES; array++)
		for (size_t i = 0; i < area; i++) {
			size_t at = face[array] == CUBE_B ? area - 1 - i : i;
			*items++ = (uint8_t)cube_color_at(state, face[array] * area + at);
		}
}

void cube_goal_relabel(struct cube *restrict result, const struct cube *cube,
		       const struct cube *state, struct cube *scratch)
{
	assert(cube->size <= 3 && state->size == cube->size);
	cube_invert(scratch, state);
	cube_compose(result, scratch, cube);
}
