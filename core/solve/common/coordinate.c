/* core/solve/common/coordinate.c: coordinates, their moves, and their classes under symmetry. */
#include "core/solve/common/coordinate.h"

#include <assert.h>
#include <string.h>

#include "core/permutation.h"
#include "cube/ranks.h"

#define TURN CUBE_STATE3_TURN
#define PIECE CUBE_STATE3_PIECE
#define FIRST_MIDDLE 8 /* edges 0..7 belong to U and D, 8..11 between them */

/* ---- turns as digits: all but the last, which follows ---- */

static void digits_set(uint32_t value, uint8_t *pieces, uint32_t count, uint32_t base)
{
	uint32_t sum = 0;
	for (uint32_t i = count - 1; i-- > 0; value /= base) {
		pieces[i] = (uint8_t)(i | value % base << TURN);
		sum += value % base;
	}
	pieces[count - 1] = (uint8_t)((count - 1) | (count * base - sum) % base << TURN);
}

static void twist_state(uint32_t value, struct cube_state3 *state)
{
	*state = cube_state3_solved;
	digits_set(value, state->piece + CUBE_STATE3_CORNERS, CUBE_CORNERS, 3);
}

static void flip_state(uint32_t value, struct cube_state3 *state)
{
	*state = cube_state3_solved;
	digits_set(value, state->piece, CUBE_EDGES, 2);
}

/* ---- four places of twelve ---- */

static void slice_state(uint32_t value, struct cube_state3 *state)
{
	const uint32_t set = cube_unrank_set(value, CUBE_EDGES - FIRST_MIDDLE);
	uint8_t outer = 0, middle = FIRST_MIDDLE;
	*state = cube_state3_solved;
	for (int place = 0; place < CUBE_EDGES; place++)
		state->piece[place] = set >> (CUBE_EDGES - 1 - place) & 1 ? middle++ : outer++;
}

bool pieces_are_odd(const uint8_t *pieces, int count)
{
	uint8_t permutation[CUBE_EDGES];
	for (int i = 0; i < count; i++)
		permutation[i] = pieces[i] & PIECE;
	return cube_permutation_is_odd(permutation, count);
}

/* ---- permutations: ranks from the last one on, which is the solved one's, so that it has 0 ----
 */

static void permutation_set(uint32_t value, uint8_t *pieces, uint32_t values, int count, int first)
{
	uint8_t permutation[CUBE_CORNERS];
	cube_unrank(values - 1 - value, count, permutation);
	for (int i = 0; i < count; i++)
		pieces[i] = (uint8_t)(permutation[i] + first);
}

static void corners_state(uint32_t value, struct cube_state3 *state)
{
	*state = cube_state3_solved;
	permutation_set(value, state->piece + CUBE_STATE3_CORNERS, CORNERS, CUBE_CORNERS, 0);
}

static void edges_state(uint32_t value, struct cube_state3 *state)
{
	*state = cube_state3_solved;
	permutation_set(value, state->piece, EDGES, FIRST_MIDDLE, 0);
}

static void middle_state(uint32_t value, struct cube_state3 *state)
{
	*state = cube_state3_solved;
	permutation_set(value, state->piece + FIRST_MIDDLE, MIDDLES, CUBE_EDGES - FIRST_MIDDLE,
			FIRST_MIDDLE);
}

/* Returns the number of the set of four places of U and D that have edges of U: 70 ways. */
static uint32_t places_of(const struct cube_state3 *state)
{
	uint32_t set = 0;
	for (uint32_t i = 0; i < FIRST_MIDDLE; i++)
		if ((state->piece[i] & PIECE) < FIRST_MIDDLE / 2)
			set |= 1u << i;
	return cube_rank_set(set);
}

static void places_state(uint32_t value, struct cube_state3 *state)
{
	const uint32_t set = cube_unrank_set(value, FIRST_MIDDLE / 2);
	uint8_t upper = 0, lower = FIRST_MIDDLE / 2;
	*state = cube_state3_solved;
	for (int place = 0; place < FIRST_MIDDLE; place++)
		state->piece[place] = set >> place & 1 ? upper++ : lower++;
}

static uint32_t spread_of(const struct cube_state3 *state)
{
	return places_of(state) * MIDDLES + cube_state3_middle(state);
}

static void spread_state(uint32_t value, struct cube_state3 *state)
{
	struct cube_state3 middle;
	places_state(value / MIDDLES, state);
	middle_state(value % MIDDLES, &middle);
	memcpy(state->piece + FIRST_MIDDLE, middle.piece + FIRST_MIDDLE, CUBE_EDGES - FIRST_MIDDLE);
}

const struct coordinate coordinate_twist = {TWISTS, cube_state3_twist, twist_state},
			coordinate_flip = {FLIPS, cube_state3_flip, flip_state},
			coordinate_slice = {SLICES, cube_state3_slice, slice_state},
			coordinate_corners = {CORNERS, cube_state3_corners, corners_state},
			coordinate_edges = {EDGES, cube_state3_edges, edges_state},
			coordinate_middle = {MIDDLES, cube_state3_middle, middle_state},
			coordinate_places = {PLACES, places_of, places_state},
			coordinate_spread = {SPREADS, spread_of, spread_state};

/* ---- tables ---- */

void coordinate_moves(const struct coordinate *coordinate, const struct cube_state3 *moves,
		      size_t count, uint16_t *move)
{
	for (uint32_t value = 0; value < coordinate->count; value++) {
		struct cube_state3 state, next;
		coordinate->state(value, &state);
		for (size_t i = 0; i < count; i++) {
			cube_state3_compose(&next, &state, &moves[i]);
			*move++ = (uint16_t)coordinate->of(&next);
		}
	}
}

void coordinate_columns(const struct coordinate *coordinate, const uint16_t *move, size_t count,
			uint16_t *column)
{
	for (size_t i = 0; i < count; i++)
		for (uint32_t value = 0; value < coordinate->count; value++)
			*column++ = move[value * count + i];
}

void coordinate_images(const struct coordinate *coordinate, const struct symmetries *all,
		       uint16_t *image)
{
	for (uint32_t value = 0; value < coordinate->count; value++) {
		struct cube_state3 state, seen;
		coordinate->state(value, &state);
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			symmetries_conjugate(all, s, &state, &seen);
			image[(uint32_t)s * coordinate->count + value] =
				(uint16_t)coordinate->of(&seen);
		}
	}
}

/* The inverse of a symmetry leads back: where S makes `value` of the class's, S' does the other. */
void classes_make(const struct classes *classes, const struct symmetries *all,
		  const struct cube_state3 *moves, size_t move_count)
{
	const struct coordinate *coordinate = classes->coordinate;
	const uint16_t unseen = UINT16_MAX;
	struct cube_state3 state, seen;
	uint32_t count = 0;
	uint16_t *smallest = classes->fixed; /* until the moves are made */
	for (uint32_t value = 0; value < coordinate->count; value++)
		classes->of[value] = unseen;
	for (uint32_t value = 0; value < coordinate->count; value++) {
		if (classes->of[value] != unseen)
			continue;
		coordinate->state(value, &state);
		for (int s = 0; s < classes->symmetries; s++) {
			symmetries_conjugate(all, s, &state, &seen);
			uint16_t *of = &classes->of[coordinate->of(&seen)];
			if (*of == unseen)
				*of = (uint16_t)(16 * count + all->inverse[s]);
		}
		assert(count < classes->count);
		smallest[count++] = (uint16_t)value;
	}
	assert(count == classes->count);
	for (uint32_t class = 0; class < count; class ++) {
		uint16_t fixed = 0, value = smallest[class];
		coordinate->state(value, &state);
		for (size_t m = 0; m < move_count; m++) {
			cube_state3_compose(&seen, &state, &moves[m]);
			classes->move[class * move_count + m] = classes->of[coordinate->of(&seen)];
		}
		for (int s = 0; s < classes->symmetries; s++) {
			symmetries_conjugate(all, s, &state, &seen);
			fixed |= (uint16_t)((coordinate->of(&seen) == value) << s);
		}
		classes->fixed[class] = fixed;
	}
}
