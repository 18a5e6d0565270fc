/* core/solve/optimal/optimal3.c: shortest solutions of the 3x3x3. */
#include <assert.h>
#include <string.h>

#include "core/cubies/cubies_internal.h"
#include "core/solve/common/methods.h"
#include "core/solve/common/poll.h"
#include "core/solve/optimal/optimal3_internal.h"
#include "core/solve/optimal/optimal3_node.h"

#define LONGEST 20 /* every state, in HTM */
#define ROOM 24
#define POLL_NODES 4096
#define BEGIN_NODES 20000 /* of the method that gives a first solution: some milliseconds */
#define UNIT_MOVES 2
#define UNITS 243 /* ways of two moves */
#define BATCH 8   /* nodes that are looked up together */

struct optimal3_search {
	const struct optimal3 *tables;
	const struct cube_solve_task *task;
	struct cube_solution *solution;
	const struct state3_code *code;
	struct held held;
	uint64_t nodes, poll_at;
	unsigned ways; /* of two moves, so far, at this length */
	int length;    /* of solutions looked for */
	int limit;     /* solutions must be no longer */
	bool stopped, found;
	bool enough_listed;        /* the caller wants no more */
	bool enough_shared;        /* another search has found a solution that is short enough */
	uint32_t first[VIEWS];     /* first moves that are tried */
	uint8_t path[VIEWS][ROOM]; /* moves done in each view */
	int path_length[VIEWS];
	uint8_t best[ROOM];
	int best_length; /* -1: none; where not `found`, the caller has it already */
};

/* ---- the search ---- */

static void poll(struct optimal3_search *search)
{
	search->poll_at = search->nodes + POLL_NODES;
	search->enough_shared = poll_shared(search->task, &search->limit);
	search->stopped =
		poll_stopped(search->task, search->nodes, search->length, search->best_length);
}

static bool search_is_over(const struct optimal3_search *search)
{
	return search->stopped || search->found || search->enough_shared || search->enough_listed ||
	       search->length > search->limit;
}

static void lower_limit(struct optimal3_search *search)
{
	if (search->limit >= search->best_length)
		search->limit = search->best_length - 1;
	poll_share(search->task, search->best_length);
}

/* Lists a solution. Where the two ends meet, the last move may be of a face that was just turned:
 * such a solution is also found in its proper order, or is not one of that length. */
static void list_solution(struct optimal3_search *search, const uint8_t *moves, int count)
{
	for (int i = 1; i < count; i++)
		if (!face_follows(move_face(moves[i]), move_face(moves[i - 1])))
			return;
	search->enough_listed =
		!held_list(&search->held, moves, count, search->task, search->solution);
}

/* The moves of the state, then the inverse of those of the inverse. */
static void keep_solution(struct optimal3_search *search)
{
	uint8_t moves[ROOM];
	int count = search->path_length[0];
	memcpy(moves, search->path[0], (size_t)count);
	for (int i = search->path_length[1]; i-- > 0;)
		moves[count++] = (uint8_t)move_inverse(search->path[1][i]);
	if (search->task->each) {
		list_solution(search, moves, count);
		return;
	}
	memcpy(search->best, moves, (size_t)count);
	search->best_length = count;
	search->found = true;
	lower_limit(search);
}

/* The last move. */
static void try_last_move(struct optimal3_search *search, const struct node *node)
{
	for (uint8_t move = 0; move < MOVES; move++) {
		struct cube_state3 state;
		cube_state3_compose(&state, &node->state[0][0], &search->tables->moves[move]);
		if (!search->found && cube_state3_equal(&state, &cube_state3_solved)) {
			search->path[0][search->path_length[0]++] = move;
			keep_solution(search);
			search->path_length[0]--;
		}
	}
}

/* Returns true if a node after two moves belongs to another search. */
static bool is_others(struct optimal3_search *search, int left)
{
	const struct cube_solve_task *task = search->task;
	return search->length - left == UNIT_MOVES && task->step > 0 &&
	       search->ways++ % task->step != task->unit;
}

/* The children of a node that something can come of, `left` moves from the end. */
static int children_of(struct optimal3_search *search, const struct node *node,
		       const struct branch *branch, int left, struct node children[MOVES])
{
	const struct optimal3 *tables = search->tables;
	const struct state3_code *code = search->code;
	const int view = branch->view;
	int count = 0;
	for (uint32_t moves = branch->moves; moves != 0; moves &= moves - 1) {
		int move = __builtin_ctz(moves);
		struct node *child = &children[count];
		if (!branch_follow(tables, node, branch, move, left, child) ||
		    is_others(search, left))
			continue;
		code->compose_each(child->state[view], node->state[view], tables->axis_moves[move],
				   AXES);
		code->compose_each(child->state[!view], tables->axis_moves[move_inverse(move)],
				   node->state[!view], AXES);
		count++;
	}
	return count;
}

static void enter_node(struct optimal3_search *search, const struct node *node)
{
	if (node->move < MOVES)
		search->path[node->view][search->path_length[node->view]++] = node->move;
}

static void leave_node(struct optimal3_search *search, const struct node *node)
{
	if (node->move < MOVES)
		search->path_length[node->view]--;
}

/* All that nodes lead to by the moves allowed in the smaller view, with `left` to go after these.
 * What all need is prefetched before the first is tried, so that the processor waits for
 * none of it singly. */
static void expand_nodes(struct optimal3_search *search, const struct node *nodes, int count,
			 int left)
{
	const struct optimal3 *tables = search->tables;
	struct branch branches[BATCH];
	compose_t *compose = search->code->compose;
	for (int i = 0; i < count && left > 0; i++)
		branch_begin(tables, &nodes[i], compose, &branches[i]);
	for (int i = 0; i < count && left > 0; i++) {
		search->nodes += moves_in(branches[i].moves);
		branch_second(tables, &nodes[i], left, compose, &branches[i]);
	}
	for (int i = 0; i < count && left > 0; i++)
		branch_third(tables, &nodes[i], left, compose, &branches[i]);
	if (search->nodes >= search->poll_at)
		poll(search);
	for (int i = 0; i < count && !search_is_over(search); i++) {
		struct node children[MOVES];
		enter_node(search, &nodes[i]);
		int all =
			left > 0 ? children_of(search, &nodes[i], &branches[i], left, children) : 0;
		for (int from = 0; from < all && !search_is_over(search); from += BATCH)
			expand_nodes(search, children + from,
				     all - from < BATCH ? all - from : BATCH, left - 1);
		if (left == 0)
			try_last_move(search, &nodes[i]);
		leave_node(search, &nodes[i]);
	}
}

/* ---- the whole ---- */

static void prepare_root(struct optimal3_search *search, struct node *root)
{
	const struct optimal3 *tables = search->tables;
	held_home(&search->held, search->task->cube);
	search->code = state3_code(0);
	root->move = MOVES;
	for (int view = 0; view < VIEWS; view++) {
		for (int axis = 0; axis < AXES; axis++) {
			struct cube_state3 *state = &root->state[view][axis];
			symmetries_conjugate(&tables->symmetries, SYMMETRIES_UD * axis,
					     &search->held.state, state);
			if (view == 1)
				cube_state3_invert(state, state);
			root->look[view][axis] = look_up(tables, place_of(tables, state));
			root->entry[view][axis] = look_read(&root->look[view][axis]);
		}
		splits_of(tables, &root->state[view][0], &root->split[view], root->turned[view]);
		for (int axis = 0; axis < AXES; axis++) {
			uint32_t symmetry = root->look[view][axis].symmetry;
			uint64_t entry = root->entry[view][axis];
			int distance =
				optimal3_distance(tables, axis, symmetry, entry, root->split[view]);
			root->distance[view][axis] = (uint8_t)distance;
			root->before[view][axis] = (uint8_t)optimal3_distance(
				tables, axis, symmetry, entry, root->turned[view][axis]);
			if (search->length < distance)
				search->length = distance;
		}
		root->last[view] = CUBE_FACES;
	}
	if (search->length == 0 && !cube_state3_equal(&search->held.state, &cube_state3_solved))
		search->length = 1;
}

/* Excludes first moves by symmetry. A symmetry that leaves the cube unchanged turns a solution into
 * another one, so one of each set of equivalent first moves is enough: the first in the order of
 * the faces, or the last for a search of the inverse, whose moves are made from the end. */
static void prepare_first(struct optimal3_search *search)
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
static void find_first(struct optimal3_search *search, struct cube_solution *solution)
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
		lower_limit(search);
}

static bool is_enough(const struct optimal3_search *search)
{
	return search->enough_shared ||
	       (search->best_length >= 0 && search->best_length <= search->task->length_enough);
}

static void search_length(struct optimal3_search *search, struct node *root)
{
	search->ways = 0;
	for (int view = 0; view < VIEWS; view++)
		root->allowed[view] =
			search->first[view] & ends(search->tables, root->distance[!view],
						   root->before[!view], search->length);
	expand_nodes(search, root, 1, search->length - 1);
}

static void search_all(struct optimal3_search *search, struct node *root)
{
	while (search->length <= search->limit && !search->stopped && !is_enough(search)) {
		search_length(search, root);
		if (search_is_over(search))
			break;
		search->length++;
	}
}

/* Every solution of that length. Symmetries do not leave any out, and the shortest are in the parts of
 * the first search alone. */
static enum cube_solve_end list_all(struct optimal3_search *search, struct node *root)
{
	const struct cube_solve_task *task = search->task;
	const int least = search->length;
	assert(task->length_max > 0 && task->length_max < ROOM);
	search->length = search->limit = task->length_max;
	search->first[0] = search->first[1] = ALL_MOVES;
	if (least <= search->length &&
	    (search->length > UNIT_MOVES || task->step == 0 || task->unit == 0))
		search_length(search, root);
	search->solution->nodes = search->nodes;
	return search->enough_listed ? CUBE_SOLVE_ENOUGH
	       : search->stopped     ? CUBE_SOLVE_STOPPED
				     : CUBE_SOLVE_ALL;
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	struct optimal3_search search = {.tables = memory,
					 .task = task,
					 .solution = solution,
					 .best_length = -1,
					 .limit =
						 task->length_max > 0 ? task->length_max : LONGEST};
	struct node root;
	assert(task->metric == CUBE_SOLVE_HTM);
	search.limit = search.limit > LONGEST ? LONGEST : search.limit;
	solution->count = 0;
	solution->length = -1;
	prepare_root(&search, &root);
	if (task->each)
		return list_all(&search, &root);
	prepare_first(&search);
	search.enough_shared = poll_shared(task, &search.limit);
	if (search.length == 0 && search.limit >= 0)
		keep_solution(&search);
	else
		find_first(&search, solution);
	search_all(&search, &root);
	if (search.found)
		held_write(&search.held, search.best, search.best_length, task->metric, solution);
	solution->nodes = search.nodes;
	solution->bound = search.length;
	return is_enough(&search) ? CUBE_SOLVE_ENOUGH
	       : search.stopped   ? CUBE_SOLVE_STOPPED
				  : CUBE_SOLVE_ALL;
}

const struct cube_solver solver_optimal3 = {.name = "optimal",
					    .size_min = 3,
					    .size_max = 3,
					    .length_max = {LONGEST},
					    .optimal = true,
					    .lists = ROOM - 1,
					    .base = &solver_two_phase,
					    .units = UNITS,
					    .tables = optimal3_tables,
					    .table_count = OPTIMAL3_TABLES,
					    .solve = solve};
