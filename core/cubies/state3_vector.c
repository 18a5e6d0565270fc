/* core/cubies/state3_vector.c: compact states composed in two registers of sixteen bytes, one for edges and one for corners: with
 * SSSE3, on 64-bit ARM, and in WebAssembly. See core/bytes.h. */
#include "core/bytes.h"
#include "core/cubies/cubies_internal.h"

#ifdef BYTES_NAME

#define FLIP (1 << CUBE_STATE3_TURN)
#define TWISTS (3 << CUBE_STATE3_TURN)

struct halves {
	bytes16 edges, corners;
};

BYTES_CODE static inline struct halves load(const struct cube_state3 *state)
{
	return (struct halves){bytes_load(state->piece),
			       bytes_load(state->piece + CUBE_STATE3_CORNERS)};
}

BYTES_CODE static inline void store(struct cube_state3 *state, struct halves halves)
{
	bytes_store(state->piece, halves.edges);
	bytes_store(state->piece + CUBE_STATE3_CORNERS, halves.corners);
}

/* Flips add up without a carry. The sum of two twists is brought below 3 where it is more. */
BYTES_CODE static inline struct halves composed(struct halves a, struct halves b)
{
	bytes16 sum = bytes_at(a.corners, b.corners & CUBE_STATE3_PIECE) + (b.corners & TWISTS);
	bytes16 over = (bytes16)(sum >= TWISTS);
	return (struct halves){bytes_at(a.edges, b.edges & CUBE_STATE3_PIECE) ^ (b.edges & FLIP),
			       sum - (over & TWISTS)};
}

BYTES_CODE static void compose(struct cube_state3 *result, const struct cube_state3 *a,
			       const struct cube_state3 *b)
{
	store(result, composed(load(a), load(b)));
}

BYTES_CODE static void compose_each(struct cube_state3 *result, const struct cube_state3 *a,
				    const struct cube_state3 *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		store(&result[i], composed(load(&a[i]), load(&b[i])));
}

BYTES_CODE static void apply(struct cube_state3 *state, const struct cube_state3 *table,
			     const uint8_t *moves, size_t count)
{
	struct halves now = load(state);
	for (size_t i = 0; i < count; i++)
		now = composed(now, load(&table[moves[i]]));
	store(state, now);
}

BYTES_CODE static void step(struct cube_state3 *states, size_t count,
			    const struct cube_state3 *table, const uint8_t *actions,
			    uint8_t *solved)
{
	struct halves home = load(&cube_state3_solved);
	for (size_t i = 0; i < count; i++) {
		struct halves now = composed(load(&states[i]), load(&table[actions[i]]));
		store(&states[i], now);
		if (solved)
			solved[i] = bytes_all_zero((now.edges ^ home.edges) |
						   (now.corners ^ home.corners));
	}
}

const struct state3_code state3_vector = {BYTES_NAME,   compose, state3_invert,
					  compose_each, apply,   step};

#endif
