/* core/solve/optimal3.c: shortest solutions of the 3x3x3. */
#include "core/solve/optimal3.h"

#include "core/solve/methods.h"
#include "core/solve/optimal3_outlook.h"

#include <assert.h>
#include <string.h>

#define LONGEST 20 /* every state, in HTM */
#define ROOM 24
#define POLL_NODES 4096
#define BEGIN_NODES 20000 /* of the method that gives a first solution: some milliseconds */
#define UNITS 243         /* ways of two moves */

struct search {
	const struct optimal3 *tables;
	const struct cube_solve_task *task;
	const struct cube_state3_code *code;
	struct held held;
	uint64_t nodes, poll_at;
	unsigned ways; /* of two moves, so far, at this length */
	int length;    /* of solutions looked for */
	int limit;     /* solutions must be no longer */
	bool stopped, found;
	uint32_t first[VIEWS];     /* first moves that are tried */
	uint8_t path[VIEWS][ROOM]; /* moves done in each view */
	int path_length[VIEWS];
	uint8_t best[ROOM];
	int best_length; /* -1: none; where not `found`, the caller has it already */
};

/* ---- the search ---- */

static void listen(struct search *search)
{
	const struct cube_solve_shared *shared = search->task->shared;
	int best = shared ? atomic_load_explicit(&shared->best, memory_order_relaxed) - 1 : -1;
	if (best >= 0 && best <= search->limit)
		search->limit = best - 1;
}

static void poll(struct search *search)
{
	const struct cube_solve_task *task = search->task;
	const struct cube_solve_progress progress = {
		.nodes = search->nodes, .depth = search->length, .best = search->best_length};
	search->poll_at = search->nodes + POLL_NODES;
	listen(search);
	search->stopped = (task->stop && atomic_load_explicit(task->stop, memory_order_relaxed)) ||
			  (task->nodes_max > 0 && search->nodes >= task->nodes_max) ||
			  (task->carry_on && !task->carry_on(task->context, &progress));
}

static bool over(const struct search *search)
{
	return search->stopped || search->found || search->length > search->limit;
}

static void tell_others(struct search *search)
{
	if (search->limit >= search->best_length)
		search->limit = search->best_length - 1;
	if (!search->task->shared)
		return;
	_Atomic int *best = &search->task->shared->best;
	int seen = atomic_load(best), length = search->best_length + 1;
	while ((seen == 0 || seen > length) && !atomic_compare_exchange_weak(best, &seen, length))
		continue;
}

/* The moves of the state, then those of the inverse, turned round. */
static void found(struct search *search)
{
	int count = search->path_length[0];
	memcpy(search->best, search->path[0], (size_t)count);
	for (int i = search->path_length[1]; i-- > 0;)
		search->best[count++] = (uint8_t)move_inverse(search->path[1][i]);
	search->best_length = count;
	search->found = true;
	tell_others(search);
}

/* Fills `allowed` of a node that has its sights; false where one is empty. */
static bool decide(const struct search *search, struct node *node, int left)
{
	const struct optimal3 *tables = search->tables;
	struct verdict verdict[VIEWS];
	for (int view = 0; view < VIEWS; view++) {
		verdict[view] = verdict_begin();
		for (int axis = 0; axis < AXES; axis++)
			verdict_take(&verdict[view], tables, axis, &node->sight[view][axis], left);
	}
	for (int view = 0; view < VIEWS; view++)
		node->allowed[view] = verdict_moves(&verdict[view], left) & ~verdict[!view].barred &
				      tables->order[view][node->last[view]];
	return node->allowed[0] != 0 && node->allowed[1] != 0;
}

/* A move and where it leads. */
struct child {
	struct look own[AXES]; /* in the view in which it is done */
	struct answer *answer; /* in the other one */
	uint32_t may;          /* moves of the other view that nothing forbids yet */
	uint8_t move;
};

/* The moves allowed in a view, but those after which the other view, with `left` to go, has none.
 * That costs less than to look at what a move leads to in its own view. Returns how many. */
static int children_of(struct search *search, const struct node *node, int view, int left,
		       struct outlook *outlook, struct child children[MOVES])
{
	const struct optimal3 *tables = search->tables;
	uint32_t open = tables->order[!view][node->last[!view]], asked = 0;
	int count = 0, kept = 0;
	look_out(tables, node, view, left, outlook);
	for (uint32_t moves = node->allowed[view]; moves != 0; moves &= moves - 1) {
		int move = __builtin_ctz(moves), face = move_face(move);
		struct child *child = &children[count];
		child->may = open & outlook_after(tables, outlook, move, left);
		if (child->may == 0)
			continue;
		child->move = (uint8_t)move;
		child->answer = move_is_half(move) ? &outlook->half : &outlook->quarters[face];
		if (!move_is_half(move) && !(asked >> face & 1)) {
			asked |= 1u << face;
			ask(tables, node, !view, move, search->code->compose, child->answer);
			child->answer->may = 0;
		}
		child->answer->may |= child->may;
		count++;
	}
	for (int i = 0; i < count; i++) {
		struct child *child = &children[kept];
		if (!children[i].answer->read)
			read_answer(tables, outlook, children[i].move, !node->parity, left,
				    children[i].answer);
		child->may = children[i].may & verdict_moves(&children[i].answer->verdict, left);
		if (child->may == 0)
			continue;
		child->move = children[i].move;
		child->answer = children[i].answer;
		for (int axis = 0; axis < AXES; axis++) {
			int move = tables->axis_move[axis][child->move];
			struct place place = node->look[view][axis].place;
			child->own[axis] = look_at(tables, place_after(tables, place, move));
		}
		kept++;
	}
	return kept;
}

/* The node behind a child, but for its states; false where it leads nowhere. */
static bool arrive(const struct search *search, const struct node *node, int view, int left,
		   const struct child *child, struct node *next)
{
	const struct optimal3 *tables = search->tables;
	struct verdict verdict = verdict_begin();
	uint32_t open =
		tables->order[view][move_face(child->move)] & ~child->answer->verdict.barred;
	next->parity = node->parity ^ !move_is_half(child->move);
	for (int axis = 0; axis < AXES && (verdict.within & open) != 0; axis++) {
		next->sight[view][axis] = look_see(child->own[axis], next->parity);
		verdict_take(&verdict, tables, axis, &next->sight[view][axis], left);
	}
	next->last[view] = (uint8_t)move_face(child->move);
	next->last[!view] = node->last[!view];
	next->allowed[view] = verdict_moves(&verdict, left) & open;
	next->allowed[!view] = child->may & ~verdict.barred;
	if (next->allowed[view] == 0 || next->allowed[!view] == 0)
		return false;
	memcpy(next->look[view], child->own, sizeof(child->own));
	memcpy(next->look[!view], child->answer->look, sizeof(child->answer->look));
	memcpy(next->sight[!view], child->answer->sight, sizeof(child->answer->sight));
	return true;
}

static void states_after(const struct search *search, const struct node *node, int view, int move,
			 struct node *next)
{
	const struct optimal3 *tables = search->tables;
	search->code->compose_each(next->state[view], node->state[view], tables->axis_moves[move],
				   AXES);
	search->code->compose_each(next->state[!view], tables->axis_moves[move_inverse(move)],
				   node->state[!view], AXES);
}

/* The last move. */
static void finish(struct search *search, const struct node *node)
{
	for (uint8_t move = 0; move < MOVES; move++) {
		struct cube_state3 state;
		cube_state3_compose(&state, &node->state[0][0], &search->tables->moves[move]);
		if (!search->found && cube_state3_equal(&state, &cube_state3_solved)) {
			search->path[0][search->path_length[0]++] = move;
			found(search);
			search->path_length[0]--;
		}
	}
}

/* All that the moves allowed in the smaller view lead to, with `left` to go after them. */
static void expand(struct search *search, const struct node *node, int left)
{
	const int view = moves_in(node->allowed[1]) < moves_in(node->allowed[0]);
	const struct cube_solve_task *task = search->task;
	struct outlook outlook;
	struct child children[MOVES];
	search->nodes += moves_in(node->allowed[view]);
	if (search->nodes >= search->poll_at)
		poll(search);
	if (left == 0) {
		finish(search, node);
		return;
	}
	int count = children_of(search, node, view, left, &outlook, children);
	for (int i = 0; i < count && !over(search); i++) {
		struct node next;
		if (!arrive(search, node, view, left, &children[i], &next))
			continue;
		if (search->length - left == 2 && task->step > 0 &&
		    search->ways++ % task->step != task->unit)
			continue;
		states_after(search, node, view, children[i].move, &next);
		search->path[view][search->path_length[view]++] = children[i].move;
		expand(search, &next, left - 1);
		search->path_length[view]--;
	}
}

/* ---- the whole ---- */

static bool corners_are_odd(const struct cube_state3 *state)
{
	const uint8_t *corner = state->piece + CUBE_STATE3_CORNERS;
	bool odd = false;
	for (int i = 0; i < CUBE_CORNERS; i++)
		for (int k = 0; k < i; k++)
			odd ^= (corner[k] & CUBE_STATE3_PIECE) > (corner[i] & CUBE_STATE3_PIECE);
	return odd;
}

static void prepare(struct search *search, struct node *root)
{
	const struct optimal3 *tables = search->tables;
	held_home(&search->held, search->task->cube);
	search->code = cube_state3_code(0);
	root->parity = corners_are_odd(&search->held.state);
	for (int view = 0; view < VIEWS; view++) {
		for (int axis = 0; axis < AXES; axis++) {
			struct cube_state3 *state = &root->state[view][axis];
			symmetries_conjugate(&tables->symmetries, SYMMETRIES_UD * axis,
					     &search->held.state, state);
			if (view == 1)
				cube_state3_invert(state, state);
			root->look[view][axis] = look_at(tables, place_of(tables, state));
			root->sight[view][axis] = look_see(root->look[view][axis], root->parity);
			int distance = sight_distance(&root->sight[view][axis], 0);
			if (search->length < distance)
				search->length = distance;
		}
		root->last[view] = CUBE_FACES;
	}
	if (search->length == 0 && !cube_state3_equal(&search->held.state, &cube_state3_solved))
		search->length = 1;
}

/* Where a symmetry leaves the cube as it is, what it makes of a solution is one too. Of the first
 * moves that it makes of each other one is enough: in the order of the faces the first, and the
 * last where the moves are those of the inverse, done from the end. */
static void prepare_first(struct search *search)
{
	const struct symmetries *symmetries = &search->tables->symmetries;
	struct cube_state3 seen;
	search->first[0] = search->first[1] = ALL_MOVES;
	for (int s = 1; s < SYMMETRIES; s++) {
		symmetries_conjugate(symmetries, s, &search->held.state, &seen);
		if (!cube_state3_equal(&seen, &search->held.state))
			continue;
		for (int m = 0; m < MOVES; m++) {
			if (symmetries->move[s][m] < m)
				search->first[0] &= ~(1u << m);
			if (symmetries->move[s][m] > m)
				search->first[1] &= ~(1u << m);
		}
	}
}

/* A solution that another method finds in a moment, so that there is one. */
static void begin(struct search *search, struct cube_solution *solution)
{
	const struct cube_solve_task *task = search->task;
	const struct cube_solve_task quick = {.cube = task->cube,
					      .length_max = task->length_max,
					      .length_enough = task->length_enough > search->length
								       ? task->length_enough
								       : search->length,
					      .nodes_max = BEGIN_NODES,
					      .stop = task->stop};
	if (!task->base || (task->shared && task->unit > 0) || search->length > search->limit)
		return;
	solver_two_phase.solve(task->base, &quick, solution);
	search->nodes = solution->nodes;
	search->best_length = solution->length;
	if (solution->length >= 0)
		tell_others(search);
}

static bool enough(const struct search *search)
{
	return search->best_length >= 0 && search->best_length <= search->task->length_enough;
}

static void search_all(struct search *search, struct node *root)
{
	while (search->length <= search->limit && !search->stopped && !enough(search)) {
		search->ways = 0;
		if (decide(search, root, search->length)) {
			root->allowed[0] &= search->first[0];
			root->allowed[1] &= search->first[1];
			expand(search, root, search->length - 1);
		}
		if (over(search))
			break;
		search->length++;
	}
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	struct search search = {.tables = memory,
				.task = task,
				.best_length = -1,
				.limit = task->length_max > 0 ? task->length_max : LONGEST};
	struct node root;
	assert(task->metric == CUBE_SOLVE_HTM);
	search.limit = search.limit > LONGEST ? LONGEST : search.limit;
	solution->count = 0;
	solution->length = -1;
	prepare(&search, &root);
	prepare_first(&search);
	listen(&search);
	if (search.length == 0 && search.limit >= 0)
		found(&search);
	else
		begin(&search, solution);
	search_all(&search, &root);
	if (search.found)
		held_tell(&search.held, search.best, search.best_length, task->metric, solution);
	solution->nodes = search.nodes;
	solution->bound = search.length;
	return enough(&search)  ? CUBE_SOLVE_ENOUGH
	       : search.stopped ? CUBE_SOLVE_STOPPED
				: CUBE_SOLVE_ALL;
}

const struct cube_solver solver_optimal3 = {.name = "optimal",
					    .size_min = 3,
					    .size_max = 3,
					    .length_max = {LONGEST},
					    .optimal = true,
					    .base = &solver_two_phase,
					    .units = UNITS,
					    .tables = optimal3_tables,
					    .table_count = OPTIMAL3_TABLES,
					    .solve = solve};
