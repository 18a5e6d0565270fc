/* core/solve/beginner/parity.c: cases that a cube of even size has when it is a 3x3x3 otherwise: one edge too
 * many is turned over, or two edges have changed places. */
#include "core/solve/beginner/beginner_internal.h"
#include "core/solve/beginner/large.h"
#include "core/solve/beginner/names.h"
#include "core/solve/common/coordinate.h"

#include <assert.h>
#include <string.h>

static bool is_flipped(const struct cube_state3 *state)
{
	int flips = 0;
	for (int i = 0; i < CUBE_EDGES; i++)
		flips += state->piece[i] >> CUBE_STATE3_TURN;
	return flips % 2 != 0;
}

/* From which side an edge in front is to be turned over: the way the cube is held, if that may be. */
static int side_to_flip(const struct lesson *lesson)
{
	int best = -1;
	for (int side = 0; side < SIDES; side++) {
		struct beginner_view seen;
		beginner_view_turn(&seen, &lesson->view, &lesson->sides, side);
		const bool kept = seen.hold == lesson->held;
		if (seen.state.piece[PLACE_UF] >> CUBE_STATE3_TURN != 0 && (best < 0 || kept))
			best = side;
	}
	assert(best >= 0);
	return best;
}

static void turn_over(struct beginner_view *view)
{
	view->state.piece[PLACE_UF] ^= 1 << CUBE_STATE3_TURN;
}

static void exchange(struct beginner_view *view)
{
	const uint8_t front = view->state.piece[PLACE_UF];
	view->state.piece[PLACE_UF] = view->state.piece[PLACE_UB];
	view->state.piece[PLACE_UB] = front;
}

static void make(struct lesson *lesson, enum beginner_stage stage, int side)
{
	struct cube_solution *solution = lesson->solution;
	struct cube_solve_step step = {.stage = (unsigned char)(lesson->begun + (int)stage)};
	struct cube_turn turns[LARGE_ALGORITHM];
	const size_t begin = solution->count;
	const bool flip = stage == LAST_CROSS;
	const int by = cube_hold_then(lesson->view.hold, side);
	step.rotations = beginner_rotate(solution, lesson->turned,
					 cube_hold_then(cube_hold_inverse(lesson->held), by));
	beginner_view_turn(&lesson->view, &lesson->view, &lesson->sides, side);
	lesson->held = lesson->view.hold;
	const struct beginner_view before = lesson->view;
	const int count = flip ? large_flip(lesson->turned, 2, lesson->turned / 2, turns)
			       : large_exchange(lesson->turned, turns);
	assert(solution->count + (size_t)count <= solution->room);
	memcpy(solution->turns + solution->count, turns, (size_t)count * sizeof *turns);
	solution->count += (size_t)count;
	(flip ? turn_over : exchange)(&lesson->view);
	lesson->last = CUBE_FACES;
	step.count = solution->count - begin;
	beginner_note_parity(&step, flip, &before, &lesson->view.state);
	step.note.size = (uint8_t)lesson->turned;
	step.note.turns = (uint8_t)count;
	memcpy(step.note.turn, turns, (size_t)count * sizeof *turns);
	if (solution->steps && solution->step_count < solution->step_room)
		solution->steps[solution->step_count++] = step;
}

void beginner_parity(struct lesson *lesson, enum beginner_stage stage)
{
	const struct cube_state3 *state = &lesson->view.state;
	if (stage == LAST_CROSS && is_flipped(state))
		make(lesson, stage, side_to_flip(lesson));
	if (stage == LAST_EDGES &&
	    pieces_are_odd(state->piece, CUBE_EDGES) !=
		    pieces_are_odd(state->piece + CUBE_STATE3_CORNERS, CUBE_CORNERS))
		make(lesson, stage, 0);
}
