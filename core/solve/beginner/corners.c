/* core/solve/beginner/corners.c: the corners of the last layer, twisted one after the other as the cube
 * is held. */
#include "core/solve/beginner/beginner_internal.h"

#include <assert.h>
#include <limits.h>

#define TWISTS 3 /* the algorithm of that stage is made twice, or four times */

/* Finds the next step from one side: the nearest corner that is twisted, then the layer's way back;
 * false if the cube is solved. */
static bool next_corner(struct lesson *lesson, const struct cube_state3 *state, int side,
			struct beginner_choice *best)
{
	int least = INT_MAX;
	const bool closing = corners_twisted(state) == 0;
	if (cube_state3_equal(state, &cube_state3_solved))
		return false;
	for (int i = 0; i < SIDES * TWISTS; i++) {
		struct beginner_choice choice = {.stage = LAST_CORNERS_TURNED,
						 .row = beginner_row(LAST_CORNERS_TURNED),
						 .side = side,
						 .quarters = i % SIDES,
						 .times = i / SIDES * 2,
						 .before = *state};
		struct cube_state3 after;
		if (choice.quarters > 0)
			cube_state3_compose(&choice.before, state,
					    &lesson->moves[choice.quarters - 1]);
		beginner_after_row(lesson, &choice.before, choice.row, choice.times, &after);
		choice.main = choice.times == 0 ? WORD_CLOSE : WORD_TWIST;
		lesson->solution->nodes++;
		if ((choice.times == 0) != closing ||
		    (closing ? !cube_state3_equal(&after, &cube_state3_solved)
			     : corners_twisted(&after) == corners_twisted(state) ||
				       after.piece[PLACE_URF] >> CUBE_STATE3_TURN != 0))
			continue;
		const int place = closing && lesson->size > 2 ? PLACE_UF : PLACE_URF;
		choice.piece = (choice.before.piece[place] & CUBE_STATE3_PIECE) +
			       (place & CUBE_STATE3_CORNERS);
		int cost = choice.times * 4 + (choice.quarters > 0);
		if (cost < least) {
			least = cost;
			*best = choice;
		}
	}
	assert(least < INT_MAX);
	return true;
}

/* Returns the turns that the corners take from a side. */
static int corners_cost(struct lesson *lesson, int side)
{
	struct beginner_view seen;
	struct beginner_choice choice;
	int cost = cube_hold_then(lesson->view.hold, side) != lesson->held;
	beginner_view_turn(&seen, &lesson->view, &lesson->sides, side);
	while (next_corner(lesson, &seen.state, 0, &choice)) {
		beginner_after_row(lesson, &choice.before, choice.row, choice.times, &seen.state);
		cost += choice.times * 4 + (choice.quarters > 0);
	}
	return cost;
}

static int cheapest_side(struct lesson *lesson)
{
	int best = 0, least = INT_MAX;
	for (int side = 0; side < SIDES; side++) {
		int cost = corners_cost(lesson, side);
		if (cost < least) {
			least = cost;
			best = side;
		}
	}
	return best;
}

void beginner_turn_corners(struct lesson *lesson, int side)
{
	struct beginner_choice choice;
	struct cube_state3 seen;
	if (side == SIDES)
		side = cheapest_side(lesson);
	cube_state3_compose(&seen, &lesson->sides.back[side], &lesson->view.state);
	cube_state3_compose(&seen, &seen, &lesson->sides.to[side]);
	while (next_corner(lesson, &seen, side, &choice)) {
		beginner_make_step(lesson, &choice);
		seen = lesson->view.state;
		side = 0;
	}
}

int beginner_corners_begun(const struct lesson *lesson, const struct beginner_view *view)
{
	const int row = beginner_row(LAST_CORNERS_TURNED);
	for (int i = 0; i < SIDES * TWISTS; i++) {
		const int side = i % SIDES, times = i / SIDES * 2;
		struct beginner_view seen;
		struct cube_state3 back, turned;
		beginner_view_turn(&seen, view, &lesson->sides, side);
		beginner_after_row(lesson, &seen.state, row, times, &back);
		for (int quarters = 0; quarters < SIDES; quarters++) {
			turned = back;
			if (quarters > 0)
				cube_state3_compose(&turned, &back, &lesson->moves[quarters - 1]);
			if (beginner_reached(&turned, LAST_CORNERS_PLACED))
				return times == 0 ? SIDES : side;
		}
	}
	return -1;
}
