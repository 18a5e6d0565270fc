/* core/cubies/state3.c: compact states: made, read, undone; and which code composes them here. */
#include "core/bytes.h"
#include "core/cubies/cubies_internal.h"

#include <assert.h>
#include <string.h>

#define CORNERS CUBE_STATE3_CORNERS
#define PIECE CUBE_STATE3_PIECE
#define TURN CUBE_STATE3_TURN

const struct cube_state3 cube_state3_solved = {{0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
						11, 12, 13, 14, 15, 0,  1,  2,  3,  4, 5,
						6,  7,  8,  9,  10, 11, 12, 13, 14, 15}};

void cube_state3_from_cubies(struct cube_state3 *state, const struct cube_cubies *cubies)
{
	*state = cube_state3_solved;
	for (int i = 0; i < CUBE_EDGES; i++) {
		assert(cubies->edge_permutation[i] < CUBE_EDGES && cubies->edge_orientation[i] < 2);
		state->piece[i] = (uint8_t)(cubies->edge_permutation[i] |
					    cubies->edge_orientation[i] << TURN);
	}
	for (int i = 0; i < CUBE_CORNERS; i++) {
		assert(cubies->corner_permutation[i] < CUBE_CORNERS &&
		       cubies->corner_orientation[i] < 3);
		state->piece[CORNERS + i] = (uint8_t)(cubies->corner_permutation[i] |
						      cubies->corner_orientation[i] << TURN);
	}
}

void cube_state3_to_cubies(const struct cube_state3 *state, struct cube_cubies *cubies)
{
	for (int i = 0; i < CUBE_EDGES; i++) {
		cubies->edge_permutation[i] = state->piece[i] & PIECE;
		cubies->edge_orientation[i] = state->piece[i] >> TURN;
	}
	for (int i = 0; i < CUBE_CORNERS; i++) {
		cubies->corner_permutation[i] = state->piece[CORNERS + i] & PIECE;
		cubies->corner_orientation[i] = state->piece[CORNERS + i] >> TURN;
	}
	for (uint8_t i = 0; i < CUBE_FACES; i++)
		cubies->centers[i] = i;
}

/* Half of a state: `count` pieces, each once and turned less than `turns` times, then those that
 * are none. Gives the permutation's parity. */
static bool half_possible(const uint8_t half[16], int count, int turns, bool *odd)
{
	unsigned seen = 0, sum = 0;
	*odd = false;
	for (int i = 0; i < 16; i++) {
		int piece = half[i] & PIECE, turn = half[i] >> TURN;
		if (turn >= turns || (i >= count && half[i] != i))
			return false;
		seen |= 1u << piece;
		sum += (unsigned)turn;
		for (int j = 0; j < i; j++)
			*odd ^= (half[j] & PIECE) > piece;
	}
	return seen == 0xffff && sum % (unsigned)turns == 0;
}

bool cube_state3_possible(const struct cube_state3 *state)
{
	bool edges, corners;
	return half_possible(state->piece, CUBE_EDGES, 2, &edges) &&
	       half_possible(state->piece + CORNERS, CUBE_CORNERS, 3, &corners) && edges == corners;
}

bool cube_state3_equal(const struct cube_state3 *a, const struct cube_state3 *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* ---- in a mirror ---- */

/* The places and pieces that left and right exchange. */
static const uint8_t mirror_edge[CUBE_EDGES] = {2, 1, 0, 3, 6, 5, 4, 7, 9, 8, 11, 10};
static const uint8_t mirror_corner[CUBE_CORNERS] = {1, 0, 3, 2, 5, 4, 7, 6};

/* Seen in a mirror, corners turn the other way round; edges do not change. */
void state3_mirror(struct cube_state3 *result, const struct cube_state3 *state)
{
	static const uint8_t twist[3] = {0, 2 << TURN, 1 << TURN};
	struct cube_state3 mirror = cube_state3_solved;
	for (int i = 0; i < CUBE_EDGES; i++) {
		uint8_t at = state->piece[i];
		mirror.piece[mirror_edge[i]] = (uint8_t)(mirror_edge[at & PIECE] | (at & ~PIECE));
	}
	for (int i = 0; i < CUBE_CORNERS; i++) {
		uint8_t at = state->piece[CORNERS + i];
		mirror.piece[CORNERS + mirror_corner[i]] =
			mirror_corner[at & PIECE] | twist[at >> TURN];
	}
	*result = mirror;
}

/* ---- which code ---- */

/* Reads what the compiler's start-up code found out about the processor: a load and a test. */
#if defined(__x86_64__)
static inline bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx2");
}

static inline bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}
#endif

const struct state3_code *state3_code(size_t index)
{
#if defined(__x86_64__)
	if (has_avx512() && index-- == 0)
		return &state3_avx512;
	if (has_avx2() && index-- == 0)
		return &state3_avx2;
#endif
#ifdef BYTES_NAME
	if (bytes_here() && index-- == 0)
		return &state3_vector;
#endif
	return index == 0 ? &state3_portable : NULL;
}

void cube_state3_compose(struct cube_state3 *result, const struct cube_state3 *a,
			 const struct cube_state3 *b)
{
	state3_code(0)->compose(result, a, b);
}

void cube_state3_invert(struct cube_state3 *result, const struct cube_state3 *state)
{
	state3_code(0)->invert(result, state);
}

void cube_state3_compose_each(struct cube_state3 *result, const struct cube_state3 *a,
			      const struct cube_state3 *b, size_t count)
{
	state3_code(0)->compose_each(result, a, b, count);
}

void cube_state3_apply(struct cube_state3 *state, const struct cube_state3 *table,
		       const uint8_t *moves, size_t count)
{
	state3_code(0)->apply(state, table, moves, count);
}
