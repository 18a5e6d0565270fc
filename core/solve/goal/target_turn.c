/* core/solve/goal/target_turn.c: targets and states: which fit, and what a target is from another side.
 */
#include "core/solve/goal/goal_internal.h"

bool goal_target_open(const struct goal_target *target)
{
	for (int place = 0; place < GOAL_PLACES; place++)
		if (target->allowed[place] != GOAL_ANYTHING)
			return false;
	return true;
}

/* A place by its byte. */
static int byte_of(int place)
{
	return place < CUBE_CORNERS ? CUBE_STATE3_CORNERS + place : place - CUBE_CORNERS;
}

bool goal_target_fits(const struct goal_target *target, const struct cube_state3 *state)
{
	for (int place = 0; place < GOAL_PLACES; place++) {
		const uint32_t is = state->piece[byte_of(place)];
		const uint32_t turns = place < CUBE_CORNERS ? 3 : 2;
		const uint32_t bit = turns * (is & CUBE_STATE3_PIECE) + (is >> CUBE_STATE3_TURN);
		if (!(target->allowed[place] >> bit & 1))
			return false;
	}
	return true;
}

/* Writes the target for inverse states: the place and the piece exchange roles, and the turn is
 * reversed. */
void goal_target_invert(struct goal_target *result, const struct goal_target *target)
{
	*result = (struct goal_target){.hold = target->hold};
	for (int place = 0; place < GOAL_PLACES; place++) {
		const int base = place < CUBE_CORNERS ? 0 : CUBE_CORNERS;
		const int turns = base == 0 ? 3 : 2;
		for (uint32_t rest = target->allowed[place]; rest; rest &= rest - 1) {
			const int bit = __builtin_ctz(rest), piece = bit / turns;
			const int turn = (turns - bit % turns) % turns;
			result->allowed[base + piece] |= 1u << (turns * (place - base) + turn);
		}
	}
}

/* With `rotation` r: r inverse, then the state, then r. At a place p there is what was at r's
 * place, under the name it has in r, turned by what r turns the place less what it turns the piece.
 */
void goal_target_turn(struct goal_target *result, const struct goal_target *target,
		      const struct cube_state3 *rotation)
{
	uint8_t named[GOAL_PLACES], turned[GOAL_PLACES];
	*result = (struct goal_target){.hold = target->hold};
	for (int place = 0; place < GOAL_PLACES; place++) {
		int base = place < CUBE_CORNERS ? 0 : CUBE_CORNERS;
		uint8_t was = rotation->piece[byte_of(place)];
		named[base + (was & CUBE_STATE3_PIECE)] = (uint8_t)(place - base);
		turned[place] = (uint8_t)(was >> CUBE_STATE3_TURN);
	}
	for (int place = 0; place < GOAL_PLACES; place++) {
		int base = place < CUBE_CORNERS ? 0 : CUBE_CORNERS, turns = base == 0 ? 3 : 2;
		int from = base + (rotation->piece[byte_of(place)] & CUBE_STATE3_PIECE);
		for (uint32_t rest = target->allowed[from]; rest; rest &= rest - 1) {
			int bit = __builtin_ctz(rest), piece = named[base + bit / turns];
			int turn = bit % turns + turned[place] - turned[base + piece] + turns;
			result->allowed[place] |= 1u << (turns * piece + turn % turns);
		}
	}
}
