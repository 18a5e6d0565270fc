/* core/cubies/state3_portable.c: compact states composed place by place, for every processor. */
#include "core/cubies/cubies_internal.h"

/* The sum of two turns, by itself in steps of 16: mod 2 and mod 3. */
static const uint8_t flips[3] = {0 << CUBE_STATE3_TURN, 1 << CUBE_STATE3_TURN, 0};
static const uint8_t twists[5] = {0, 1 << CUBE_STATE3_TURN, 2 << CUBE_STATE3_TURN, 0,
				  1 << CUBE_STATE3_TURN};

static inline uint8_t place(const uint8_t *a, uint8_t b, const uint8_t *sums)
{
	uint8_t piece = a[b & CUBE_STATE3_PIECE];
	return (piece & CUBE_STATE3_PIECE) |
	       sums[(piece >> CUBE_STATE3_TURN) + (b >> CUBE_STATE3_TURN)];
}

static void compose(struct cube_state3 *result, const struct cube_state3 *a,
		    const struct cube_state3 *b)
{
	struct cube_state3 both = cube_state3_solved;
	for (int i = 0; i < CUBE_EDGES; i++)
		both.piece[i] = place(a->piece, b->piece[i], flips);
	const uint8_t *corners = a->piece + CUBE_STATE3_CORNERS;
	for (int i = CUBE_STATE3_CORNERS; i < CUBE_STATE3_CORNERS + CUBE_CORNERS; i++)
		both.piece[i] = place(corners, b->piece[i], twists);
	*result = both;
}

void state3_invert(struct cube_state3 *result, const struct cube_state3 *state)
{
	/* By the turn of the piece: the turn that takes it back. */
	static const uint8_t flip[2] = {0 << CUBE_STATE3_TURN, 1 << CUBE_STATE3_TURN},
			     twist[3] = {0 << CUBE_STATE3_TURN, 2 << CUBE_STATE3_TURN,
					 1 << CUBE_STATE3_TURN};
	struct cube_state3 inverse = cube_state3_solved;
	for (int i = 0; i < CUBE_EDGES; i++) {
		uint8_t at = state->piece[i];
		inverse.piece[at & CUBE_STATE3_PIECE] = (uint8_t)(i | flip[at >> CUBE_STATE3_TURN]);
	}
	for (int i = 0; i < CUBE_CORNERS; i++) {
		uint8_t at = state->piece[CUBE_STATE3_CORNERS + i];
		inverse.piece[CUBE_STATE3_CORNERS + (at & CUBE_STATE3_PIECE)] =
			(uint8_t)(i | twist[at >> CUBE_STATE3_TURN]);
	}
	*result = inverse;
}

static void compose_each(struct cube_state3 *result, const struct cube_state3 *a,
			 const struct cube_state3 *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		compose(&result[i], &a[i], &b[i]);
}

static void apply(struct cube_state3 *state, const struct cube_state3 *table, const uint8_t *moves,
		  size_t count)
{
	for (size_t i = 0; i < count; i++)
		compose(state, state, &table[moves[i]]);
}

static void step(struct cube_state3 *states, size_t count, const struct cube_state3 *table,
		 const uint8_t *actions, uint8_t *solved)
{
	for (size_t i = 0; i < count; i++) {
		compose(&states[i], &states[i], &table[actions[i]]);
		if (solved)
			solved[i] = cube_state3_equal(&states[i], &cube_state3_solved);
	}
}

const struct state3_code state3_portable = {"portable",   compose, state3_invert,
					    compose_each, apply,   step};
