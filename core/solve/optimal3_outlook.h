/* core/solve/optimal3_outlook.h: what is known of a node's children before they are looked up, and
 * what the other view says of them. For the hot loop: all inline. */
#ifndef CORE_SOLVE_OPTIMAL3_OUTLOOK_H
#define CORE_SOLVE_OPTIMAL3_OUTLOOK_H

#include "core/solve/optimal3_look.h"

#define VIEWS 2 /* the state, and its inverse */

/* A state, by both views as each axis sees it. */
struct node {
	struct cube_state3 state[VIEWS][AXES];
	struct look look[VIEWS][AXES];
	struct sight sight[VIEWS][AXES];
	uint32_t allowed[VIEWS]; /* moves that may lead to a solution */
	uint8_t last[VIEWS];     /* face of the last move, or CUBE_FACES */
	uint8_t parity;          /* of the corners' permutation */
};

typedef void compose_t(struct cube_state3 *result, const struct cube_state3 *a,
		       const struct cube_state3 *b);

/* What a move makes of the other view. */
struct answer {
	struct look look[AXES];
	struct sight sight[AXES];
	struct verdict verdict;
	uint32_t may; /* moves of the other view that something may come of */
	bool read;
};

/* All about the children of a node that is not about one of them. */
struct outlook {
	uint32_t no_halves; /* moves after which the own view says: the last is no half turn */
	uint32_t no_quarters[AXES];   /* no quarter turn that stays in the axis's group */
	struct verdict quarter[AXES]; /* of the other view, that axis, after such a quarter turn */
	struct answer half;           /* after a half turn */
	struct answer quarters[CUBE_FACES]; /* after one of a face */
};

static inline void look_out(const struct optimal3 *tables, const struct node *node, int view,
			    int left, struct outlook *outlook)
{
	outlook->no_halves = 0;
	outlook->half.verdict = verdict_begin();
	outlook->half.read = true;
	for (int axis = 0; axis < AXES; axis++) {
		const struct sight *own = &node->sight[view][axis];
		const struct sight *sight = &node->sight[!view][axis];
		const struct sight turned = sight_turned(*sight);
		outlook->half.look[axis] = node->look[!view][axis];
		outlook->half.sight[axis] = *sight;
		verdict_take(&outlook->half.verdict, tables, axis, sight, left);
		outlook->quarter[axis] = verdict_begin();
		verdict_take(&outlook->quarter[axis], tables, axis, &turned, left);
		outlook->no_halves |= moves_to(tables, axis, own, 0, left);
		outlook->no_quarters[axis] = moves_to(tables, axis, own, 1, left);
	}
}

/* The moves of the other view that are still possible after a move of this one. */
static inline uint32_t outlook_after(const struct optimal3 *tables, const struct outlook *outlook,
				     int move, int left)
{
	uint32_t may = outlook->no_halves >> move & 1 ? ~tables->halves : ALL_MOVES;
	for (int axis = 0; axis < AXES; axis++)
		may &= ~(outlook->no_quarters[axis] >> move & 1 ? tables->turns_of[axis] : 0);
	return may &
	       (move_is_half(move) ? verdict_moves(&outlook->half.verdict, left)
				   : outlook->quarter[tables->axis_of[move_face(move)]].within);
}

/* The other view has a move at its end. An axis does not see it there if the move stays in the
 * axis's group, but for the parity; and a quarter turn to it is as good as one the other way, a
 * half turn apart. So two axes are asked about the two quarter turns of a face, and none about its
 * half turn. */
static inline void ask(const struct optimal3 *tables, const struct node *node, int other, int move,
		       compose_t *compose, struct answer *answer)
{
	const struct cube_state3 *before = tables->axis_moves[move_inverse(move)];
	for (int axis = 0; axis < AXES; axis++) {
		struct cube_state3 state;
		if (tables->turns_of[axis] >> move & 1) {
			answer->look[axis] = node->look[other][axis];
			continue;
		}
		compose(&state, &before[axis], &node->state[other][axis]);
		answer->look[axis] = look_at(tables, place_of(tables, &state));
	}
	answer->read = false;
}

/* The axis that was not asked comes first; what is clear by then is not read on. */
static inline void read_answer(const struct optimal3 *tables, const struct outlook *outlook,
			       int move, uint32_t parity, int left, struct answer *answer)
{
	int same = tables->axis_of[move_face(move)];
	answer->read = true;
	answer->verdict = outlook->quarter[same];
	answer->sight[same] = look_see(answer->look[same], parity);
	for (int axis = 0; axis < AXES; axis++) {
		if (axis == same)
			continue;
		answer->sight[axis] = look_see(answer->look[axis], parity);
		verdict_take(&answer->verdict, tables, axis, &answer->sight[axis], left);
		if ((answer->verdict.within & answer->may) == 0) {
			answer->verdict.within = 0;
			return;
		}
	}
}

#endif
