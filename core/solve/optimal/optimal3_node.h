/* core/solve/optimal/optimal3_node.h: the nodes of the search of the optimal method for the 3x3x3, and what
 * is known of their children before these are made. For the hot loop: all inline.
 *
 * A state is seen in two views, as itself and as its inverse, and in each along three axes. A move
 * is made in one view, at its end of the solution. The other view has it at the end of its
 * solution, so what it sees is what the last move of one may be:
 *
 *     a half turn: it is in the groups of all axes, and these see one move less before it
 *     a quarter turn: the axis in whose group it would be but for the splits has the entry already;
 *         so it sees what is left before it. The other axes have to look, and see the same for both
 *         quarter turns of a face, which are a half turn apart. */
#ifndef CORE_SOLVE_OPTIMAL_OPTIMAL3_NODE_H
#define CORE_SOLVE_OPTIMAL_OPTIMAL3_NODE_H

#include "core/solve/optimal/optimal3_look.h"

#define VIEWS 2 /* the state, and its inverse */

struct node {
	struct cube_state3 state[VIEWS][AXES];
	struct table_look look[VIEWS][AXES];
	uint64_t entry[VIEWS][AXES];
	uint8_t split[VIEWS];
	uint8_t turned[VIEWS][AXES]; /* splits with a quarter turn of the axis before the state */
	uint8_t distance[VIEWS][AXES];
	uint8_t before[VIEWS][AXES]; /* and with that turn */
	uint8_t last[VIEWS];         /* face of the last move, or CUBE_FACES */
	uint8_t view, move;          /* the last move of all */
	uint32_t allowed[VIEWS];     /* moves that may lead to a solution */
};

typedef void compose_t(struct cube_state3 *result, const struct cube_state3 *a,
		       const struct cube_state3 *b);

/* The result of a move from a node, as far as it is known. */
struct move_step {
	struct table_look own[AXES]; /* of the view in which it is made */
	uint32_t allowed;            /* moves of that view which may follow it */
	uint8_t split;               /* of the other view, as in a node */
	uint8_t turned[AXES], distance[AXES], before[AXES];
};

/* The look-ups before the children of a node are known, an axis at a time: each time
 * there are fewer moves that the next one is asked about. */
struct branch {
	int view;       /* in which they are made */
	uint32_t moves; /* moves not forbidden yet */
	struct table_look turned[CUBE_FACES]
				[AXES]; /* of the other view, after a quarter turn of a face */
	uint64_t entry[CUBE_FACES][AXES];
	uint8_t distance[CUBE_FACES][AXES];
	struct move_step step[MOVES];
};

static inline uint32_t quarters_of(int face)
{
	return 5u << 3 * face;
}

static inline int axis_after(int axis, int steps)
{
	return axis + steps < AXES ? axis + steps : axis + steps - AXES;
}

/* The moves of the other view that can be the first of `left`, where a view sees such distances,
 * and such with a quarter turn before. */
static inline uint32_t ends(const struct optimal3 *tables, const uint8_t distance[AXES],
			    const uint8_t before[AXES], int left)
{
	uint32_t halves = tables->halves, quarters = 0;
	for (int axis = 0; axis < AXES; axis++) {
		halves = distance[axis] < left ? halves : 0;
		quarters |= before[axis] < left ? tables->turns_of[axis] : 0;
	}
	return halves | quarters;
}

/* The other view of quarter turns has to be looked up, by the axes that do not have it. */
static inline void ask_turned(const struct optimal3 *tables, const struct node *node, int steps,
			      compose_t *compose, struct branch *branch)
{
	const int view = branch->view;
	for (int face = 0; face < CUBE_FACES; face++) {
		struct cube_state3 state;
		if ((branch->moves & quarters_of(face)) == 0)
			continue;
		int axis = axis_after(tables->axis_of[face], steps);
		compose(&state, &tables->axis_moves[3 * face][axis], &node->state[!view][axis]);
		branch->turned[face][axis] = look_up(tables, place_of(tables, &state));
	}
}

/* It is read, with `left` to go after the move. */
static inline void judge_turned(const struct optimal3 *tables, const struct node *node, int steps,
				int left, struct branch *branch)
{
	for (int face = 0; face < CUBE_FACES; face++) {
		if ((branch->moves & quarters_of(face)) == 0)
			continue;
		int same = tables->axis_of[face], axis = axis_after(same, steps);
		uint32_t split = node->turned[!branch->view][same];
		const struct table_look *look = &branch->turned[face][axis];
		uint64_t entry = look_read(look);
		int distance = optimal3_distance(tables, axis, look->symmetry, entry, split);
		branch->entry[face][axis] = entry;
		branch->distance[face][axis] = (uint8_t)distance;
		branch->moves &= distance > left ? ~quarters_of(face) : ALL_MOVES;
	}
}

/* Computes the other view after a move; false if nothing may follow then. If so, the view's own
 * entries are asked for. */
static inline bool step_begin(const struct optimal3 *tables, const struct node *node, int move,
			      int left, compose_t *compose, struct branch *branch)
{
	const int view = branch->view, face = move_face(move), same = tables->axis_of[face];
	struct move_step *step = &branch->step[move];
	struct cube_state3 state;
	compose(&state, &tables->axis_moves[move_inverse(move)][0], &node->state[!view][0]);
	splits_of(tables, &state, &step->split, step->turned);
	for (int axis = 0; axis < AXES; axis++) {
		bool known = move_is_half(move) || axis == same;
		const struct table_look *look =
			known ? &node->look[!view][axis] : &branch->turned[face][axis];
		uint64_t entry = known ? node->entry[!view][axis] : branch->entry[face][axis];
		step->distance[axis] = move_is_half(move) ? node->distance[!view][axis]
				       : known            ? node->before[!view][axis]
							  : branch->distance[face][axis];
		step->before[axis] = (uint8_t)optimal3_distance(tables, axis, look->symmetry, entry,
								step->turned[axis]);
	}
	step->allowed =
		ends(tables, step->distance, step->before, left) & tables->order[view][face];
	if (step->allowed == 0)
		return false;
	for (int axis = 0; axis < AXES; axis++) {
		struct axis_place place = place_after(tables, node->look[view][axis].place,
						      tables->axis_move[axis][move]);
		step->own[axis] = look_up(tables, place);
	}
	return true;
}

static inline void branch_begin(const struct optimal3 *tables, const struct node *node,
				compose_t *compose, struct branch *branch)
{
	const int view = moves_in(node->allowed[1]) < moves_in(node->allowed[0]);
	branch->view = view;
	branch->moves = node->allowed[view];
	ask_turned(tables, node, 1, compose, branch);
}

static inline void branch_second(const struct optimal3 *tables, const struct node *node, int left,
				 compose_t *compose, struct branch *branch)
{
	judge_turned(tables, node, 1, left, branch);
	ask_turned(tables, node, 2, compose, branch);
}

static inline void branch_third(const struct optimal3 *tables, const struct node *node, int left,
				compose_t *compose, struct branch *branch)
{
	judge_turned(tables, node, 2, left, branch);
	for (uint32_t moves = branch->moves; moves != 0; moves &= moves - 1) {
		int move = __builtin_ctz(moves);
		if (!step_begin(tables, node, move, left, compose, branch))
			branch->moves &= ~(1u << move);
	}
}

/* Makes the child after a move, without its states; false if it cannot lead to a solution. */
static inline bool branch_follow(const struct optimal3 *tables, const struct node *node,
				 const struct branch *branch, int move, int left,
				 struct node *child)
{
	const int view = branch->view, face = move_face(move);
	const struct move_step *step = &branch->step[move];
	const uint32_t split = tables->split_move[node->split[view]][move];
	for (int axis = 0; axis < AXES; axis++) {
		const struct table_look *look = &step->own[axis];
		uint64_t entry = look_read(look);
		int distance = optimal3_distance(tables, axis, look->symmetry, entry, split);
		if (distance > left)
			return false;
		uint8_t turned = tables->split_move[node->turned[view][axis]][move];
		child->entry[view][axis] = entry;
		child->distance[view][axis] = (uint8_t)distance;
		child->turned[view][axis] = turned;
		child->before[view][axis] =
			(uint8_t)optimal3_distance(tables, axis, look->symmetry, entry, turned);
	}
	child->allowed[view] = step->allowed;
	child->allowed[!view] = ends(tables, child->distance[view], child->before[view], left) &
				tables->order[!view][node->last[!view]];
	if (child->allowed[!view] == 0)
		return false;
	for (int axis = 0; axis < AXES; axis++) {
		bool known = move_is_half(move) || axis == tables->axis_of[face];
		child->look[view][axis] = step->own[axis];
		child->look[!view][axis] =
			known ? node->look[!view][axis] : branch->turned[face][axis];
		child->entry[!view][axis] =
			known ? node->entry[!view][axis] : branch->entry[face][axis];
	}
	memcpy(child->turned[!view], step->turned, AXES);
	memcpy(child->distance[!view], step->distance, AXES);
	memcpy(child->before[!view], step->before, AXES);
	child->split[view] = (uint8_t)split;
	child->split[!view] = step->split;
	child->last[view] = (uint8_t)face;
	child->last[!view] = node->last[!view];
	child->view = (uint8_t)view;
	child->move = (uint8_t)move;
	return true;
}

#endif
