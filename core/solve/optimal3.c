/* core/solve/optimal3.c: shortest solutions of the 3x3x3. */
#include "core/solve/optimal3.h"

#include "core/solve/methods.h"

#include <assert.h>
#include <string.h>

#define LONGEST 20 /* every state, in HTM */
#define ROOM 24
#define ALL_MOVES ((1u << MOVES) - 1)
#define POLL_NODES 4096
#define BEGIN_NODES 20000 /* of the method that gives a first solution: some milliseconds */
#define UNITS 243         /* ways of two moves */
#define ENTRY_SYMMETRY 4  /* bits that an entry leaves for it */
#define VIEWS 2           /* the state, and its inverse */

struct place {
	uint16_t twist, flip, slice;
};

/* A state, by both views as each axis sees it. */
struct node {
	struct cube_state3 state[VIEWS][AXES];
	struct place place[VIEWS][AXES];
	uint32_t entry[VIEWS][AXES];
	uint32_t allowed[VIEWS]; /* moves that may lead to a solution */
	uint8_t last[VIEWS];     /* face of the last move, or CUBE_FACES */
};

struct search {
	const struct optimal3 *tables;
	const struct cube_solve_task *task;
	void (*compose_each)(struct cube_state3 *, const struct cube_state3 *,
			     const struct cube_state3 *, size_t);
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

/* ---- states to coordinates ---- */

/* Bit 0 of eight bytes, the first one's highest. */
static inline uint32_t bits_of_8(uint64_t bytes)
{
	return (uint32_t)((bytes & 0x0101010101010101u) * 0x8040201008040201u >> 56);
}

static inline uint64_t load_8(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* The same as coordinate_twist.of and so on, by words: the digits of the eight corners are summed
 * up pair by pair, the last one then left out. */
static inline struct place place_of(const struct optimal3 *tables, const struct cube_state3 *state)
{
	uint64_t low = load_8(state->piece), high = load_8(state->piece + 4);
	uint64_t twist = load_8(state->piece + CUBE_STATE3_CORNERS) >> CUBE_STATE3_TURN &
			 0x0303030303030303u;
	twist = (twist * 3 + (twist >> 8)) & 0x00ff00ff00ff00ffu;
	twist = (twist * 9 + (twist >> 16)) & 0x0000ffff0000ffffu;
	twist = (twist * 81 + (twist >> 32)) & 0xffffffffu;
	uint32_t flip = bits_of_8(low >> 4) << 4 | (bits_of_8(high >> 4) & 15);
	uint32_t places = bits_of_8(low >> 3) << 4 | (bits_of_8(high >> 3) & 15);
	return (struct place){.twist = (uint16_t)(twist / 3),
			      .flip = (uint16_t)(flip >> 1),
			      .slice = tables->slice_of_places[places]};
}

/* ---- what the entries allow ---- */

struct verdict {
	uint32_t within; /* moves that leave a distance no longer than what is then left */
	uint32_t nearer; /* shorter than that */
	uint32_t barred; /* moves that the other view may not do */
};

/* By the entry of one axis, with `left` moves to go. */
static inline struct verdict verdict_of(const struct optimal3 *tables, int axis, uint32_t entry,
					int left)
{
	changes_t changes = optimal3_changes(tables, axis, entry >> ENTRY_SYMMETRY & 15, entry);
	uint32_t less = (uint32_t)changes;
	uint32_t not_more = ~(uint32_t)(changes >> CHANGES_FARTHER) & ALL_MOVES;
	int slack = left - (int)(entry & 15);
	const uint32_t sets[] = {0, less, not_more, ALL_MOVES, ALL_MOVES};
	slack = slack < -1 ? -1 : slack > 3 ? 3 : slack;
	return (struct verdict){.within = sets[slack + 1],
				.nearer = slack < 0 ? 0 : sets[slack],
				.barred = slack == 0 ? tables->around[axis] : 0};
}

/* By those of all axes. The last move of a solution stays in the group of one axis at least: so one
 * distance is less than what is left. And if the distance of an axis is all that is left, the last
 * move does not stay in its group; the last move is the first of the other view. */
static uint32_t allowed_moves(const struct optimal3 *tables, const uint32_t entry[AXES], int left,
			      uint32_t *barred)
{
	uint32_t within = ALL_MOVES, nearer = left > 1 ? 0 : ALL_MOVES;
	for (int axis = 0; axis < AXES; axis++) {
		struct verdict verdict = verdict_of(tables, axis, entry[axis], left);
		within &= verdict.within;
		nearer |= verdict.nearer;
		*barred |= verdict.barred;
	}
	return within & nearer;
}

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

/* A child that is looked at. */
struct child {
	struct place place[AXES];
	const _Atomic uint32_t *at[AXES];
	uint8_t move;
};

static inline const _Atomic uint32_t *entry_at(const struct optimal3 *tables, struct place place)
{
	const _Atomic uint32_t *at =
		&tables->entry[optimal3_index(tables, place.twist, place.flip, place.slice)];
	__builtin_prefetch((const void *)at);
	return at;
}

/* With the symmetry it is seen by. */
static inline uint32_t entry_load(const struct optimal3 *tables, const _Atomic uint32_t *at,
				  struct place place)
{
	uint32_t symmetry = tables->twist_class[place.twist] % SYMMETRIES_UD;
	return atomic_load_explicit(at, memory_order_relaxed) | symmetry << ENTRY_SYMMETRY;
}

static inline struct place place_after(const struct optimal3 *tables, struct place place, int move)
{
	return (struct place){.twist = tables->twist_move[place.twist][move],
			      .flip = tables->flip_move[place.flip][move],
			      .slice = tables->slice_move[place.slice][move]};
}

/* All of a child but the entries of the other view, which are asked for. */
static void descend(struct search *search, const struct node *node, int view,
		    const struct child *child, struct node *next, const _Atomic uint32_t *at[AXES])
{
	const struct optimal3 *tables = search->tables;
	int other = !view;
	search->compose_each(next->state[view], node->state[view], tables->axis_moves[child->move],
			     AXES);
	search->compose_each(next->state[other], tables->axis_moves[move_inverse(child->move)],
			     node->state[other], AXES);
	for (int axis = 0; axis < AXES; axis++) {
		next->place[view][axis] = child->place[axis];
		next->place[other][axis] = place_of(tables, &next->state[other][axis]);
		at[axis] = entry_at(tables, next->place[other][axis]);
	}
	next->last[view] = (uint8_t)move_face(child->move);
	next->last[other] = node->last[other];
}

/* Fills `allowed` of a node that has its entries; false where one is empty. */
static bool decide(const struct search *search, struct node *node, int left)
{
	const struct optimal3 *tables = search->tables;
	uint32_t barred[VIEWS] = {0, 0};
	for (int view = 0; view < VIEWS; view++)
		node->allowed[view] =
			allowed_moves(tables, node->entry[view], left, &barred[!view]);
	node->allowed[0] &= tables->follow[node->last[0]] & ~barred[0];
	node->allowed[1] &= tables->precede[node->last[1]] & ~barred[1];
	return node->allowed[0] != 0 && node->allowed[1] != 0;
}

/* How many moves; the builtin would need a processor that can count, or a library that does. */
static inline uint32_t moves_in(uint32_t set)
{
	set = (set & 0x55555) + (set >> 1 & 0x55555);
	set = (set & 0x33333) + (set >> 2 & 0x33333);
	set = (set & 0xf0f0f) + (set >> 4 & 0xf0f0f);
	return (set + (set >> 8) + (set >> 16)) & 31;
}

/* All that the moves allowed in the smaller view lead to, with `left` to go after them. */
static void expand(struct search *search, const struct node *node, int left)
{
	const struct optimal3 *tables = search->tables;
	const int view = moves_in(node->allowed[1]) < moves_in(node->allowed[0]);
	const int at = search->length - left - 1;
	struct child children[MOVES];
	struct node next[MOVES];
	const _Atomic uint32_t *other_at[MOVES][AXES];
	int count = 0, kept = 0, first = 0;
	for (int axis = 1; axis < AXES; axis++)
		if ((node->entry[view][axis] & 15) > (node->entry[view][first] & 15))
			first = axis;
	for (uint32_t moves = node->allowed[view]; moves != 0; moves &= moves - 1) {
		struct child *child = &children[count++];
		child->move = (uint8_t)__builtin_ctz(moves);
		for (int axis = 0; axis < AXES; axis++) {
			child->place[axis] = place_after(tables, node->place[view][axis],
							 tables->axis_move[axis][child->move]);
			child->at[axis] = entry_at(tables, child->place[axis]);
		}
	}
	search->nodes += (uint64_t)count;
	if (search->nodes >= search->poll_at)
		poll(search);
	for (int i = 0; i < count; i++) {
		const struct child *child = &children[i];
		const uint32_t *follow = view ? tables->precede : tables->follow;
		uint32_t barred = 0, may = follow[move_face(child->move)];
		if (left > 0) {
			uint32_t entry = entry_load(tables, child->at[first], child->place[first]);
			if ((verdict_of(tables, first, entry, left).within & may) == 0)
				continue;
			for (int axis = 0; axis < AXES; axis++)
				next[kept].entry[view][axis] =
					entry_load(tables, child->at[axis], child->place[axis]);
			if ((allowed_moves(tables, next[kept].entry[view], left, &barred) & may) ==
			    0)
				continue;
		}
		if (at == 1 && search->task->step > 0 &&
		    search->ways++ % search->task->step != search->task->unit)
			continue;
		descend(search, node, view, child, &next[kept], other_at[kept]);
		children[kept++].move = child->move;
	}
	for (int i = 0; i < kept && !over(search); i++) {
		search->path[view][search->path_length[view]++] = children[i].move;
		for (int axis = 0; axis < AXES; axis++)
			next[i].entry[!view][axis] =
				entry_load(tables, other_at[i][axis], next[i].place[!view][axis]);
		if (left == 0) {
			if (cube_state3_equal(&next[i].state[0][0], &cube_state3_solved))
				found(search);
		} else if (decide(search, &next[i], left)) {
			expand(search, &next[i], left - 1);
		}
		search->path_length[view]--;
	}
}

/* ---- the whole ---- */

static void prepare(struct search *search, struct node *root)
{
	const struct optimal3 *tables = search->tables;
	held_home(&search->held, search->task->cube);
	search->compose_each = cube_state3_code(0)->compose_each;
	for (int view = 0; view < VIEWS; view++) {
		for (int axis = 0; axis < AXES; axis++) {
			struct cube_state3 *state = &root->state[view][axis];
			symmetries_conjugate(&tables->symmetries, SYMMETRIES_UD * axis,
					     &search->held.state, state);
			if (view == 1)
				cube_state3_invert(state, state);
			root->place[view][axis] = place_of(tables, state);
			root->entry[view][axis] =
				entry_load(tables, entry_at(tables, root->place[view][axis]),
					   root->place[view][axis]);
			int distance = (int)(root->entry[view][axis] & 15);
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
