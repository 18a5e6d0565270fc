/* core/solve/beginner/fit.c: which algorithm fits the cube as it is held. */
#include "core/solve/beginner/beginner_internal.h"

void beginner_after_row(const struct lesson *lesson, const struct cube_state3 *state, int row,
			int times, struct cube_state3 *after)
{
	*after = *state;
	for (int i = 0; i < times; i++)
		cube_state3_compose(after, after, &lesson->row[row]);
}

static bool is_home(const struct cube_state3 *state, int place)
{
	return state->piece[place] == cube_state3_solved.piece[place];
}

/* The place that a row of the first stages fills. */
static int target_of(int row)
{
	switch (beginner_cases[row].stage) {
	case CROSS:
		return PLACE_DF;
	case FIRST_LAYER:
		return PLACE_DFR;
	default:
		return beginner_cases[row].moves[0] == 'R' ? PLACE_FR : PLACE_FL;
	}
}

/* A row that takes its piece to its place; or, for a piece that has to come out first, the first one
 * of the stage. */
static bool judge_piece(const struct lesson *lesson, struct beginner_choice *choice)
{
	const struct cube_state3 *state = &choice->before;
	const int target = target_of(choice->row);
	const enum beginner_stage stage = choice->stage;
	struct cube_state3 after;
	if (is_home(state, target))
		return false;
	beginner_after_row(lesson, state, choice->row, 1, &after);
	choice->piece = target;
	choice->main = beginner_cases[choice->row].main;
	if (is_home(&after, target))
		return true;
	if (stage == CROSS || choice->quarters > 0 || beginner_cases[choice->row].moves[0] != 'R' ||
	    choice->row != beginner_row(stage))
		return false;
	choice->piece = state->piece[target] & CUBE_STATE3_PIECE;
	if (stage == FIRST_LAYER)
		choice->piece += CUBE_STATE3_CORNERS;
	choice->main = stage == FIRST_LAYER ? WORD_FIRST_LIFT : WORD_SECOND_LIFT;
	choice->rank = 1;
	return (beginner_homes[stage] >> choice->piece & 1) != 0;
}

static bool judge_cross(const struct cube_state3 *state, struct beginner_choice *choice)
{
	int good = 0;
	for (int i = PLACE_UR; i <= PLACE_UB; i++)
		good |= (state->piece[i] >> CUBE_STATE3_TURN == 0) << i;
	const int line = 1 << PLACE_UR | 1 << PLACE_UL, angle = 1 << PLACE_UB | 1 << PLACE_UL;
	choice->main = beginner_cases[choice->row].main;
	if (choice->quarters > 0)
		return false;
	if (good != 0)
		return good == (choice->main == WORD_LINE ? line : angle);
	choice->rank = 1;
	choice->main = choice->main == WORD_LINE ? WORD_DOT : WORD_NONE;
	return choice->main != WORD_NONE;
}

static bool judge_edges(const struct cube_state3 *state, struct beginner_choice *choice)
{
	uint32_t home = beginner_home(state) & 15;
	choice->rank = 0;
	if (home == 15)
		choice->main = WORD_MATCH;
	else if (home == (1u << PLACE_UB | 1u << PLACE_UR))
		choice->main = WORD_EXCHANGE;
	else if (home == (1u << PLACE_UB | 1u << PLACE_UF))
		choice->main = WORD_OPPOSITE;
	else
		return false;
	return true;
}

/* Returns true if two pairs of corners of the last layer have changed places. */
static bool corners_crossed(const struct cube_state3 *state)
{
	for (int i = 0; i < 4; i++) {
		int piece = state->piece[CUBE_STATE3_CORNERS + i] & CUBE_STATE3_PIECE;
		if ((state->piece[CUBE_STATE3_CORNERS + piece] & CUBE_STATE3_PIECE) != i)
			return false;
	}
	return true;
}

static bool judge_corners(const struct lesson *lesson, const struct cube_state3 *state,
			  struct beginner_choice *choice)
{
	struct cube_state3 after;
	if (choice->quarters > 0 && lesson->size > 2)
		return false;
	beginner_after_row(lesson, state, choice->row, 1, &after);
	int in_place = corners_placed(state);
	if (in_place == 4) {
		choice->main = WORD_PLACED;
		return true;
	}
	choice->rank = in_place == 0;
	choice->main = WORD_NO_CORNER;
	if (in_place == 1)
		choice->main = corners_placed(&after) == 4 ? WORD_ROUND : WORD_ROUND_FIRST;
	if (in_place == 0)
		return corners_crossed(state);
	return in_place == 1 &&
	       (state->piece[PLACE_URF] & CUBE_STATE3_PIECE) == PLACE_URF - CUBE_STATE3_CORNERS;
}

bool beginner_fits(const struct lesson *lesson, struct beginner_choice *choice)
{
	choice->rank = 0;
	choice->piece = -1;
	switch (beginner_cases[choice->row].stage) {
	case LAST_CROSS:
		return judge_cross(&choice->before, choice);
	case LAST_EDGES:
		return judge_edges(&choice->before, choice);
	case LAST_CORNERS_PLACED:
		return judge_corners(lesson, &choice->before, choice);
	default:
		return judge_piece(lesson, choice);
	}
}
