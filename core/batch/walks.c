/* core/batch/walks.c: random states, walks and symmetries, each row from the seed and its number alone. */
#include <assert.h>
#include <string.h>

#include "core/batch/batch_internal.h"
#include "core/splitmix.h"
#include "cube/index.h"

__extension__ typedef unsigned __int128 wide;

/* ---- numbers of a row ---- */

static inline uint64_t row_begin(uint64_t seed, uint64_t row)
{
	return splitmix_mixed(splitmix_mixed(seed + SPLITMIX_STEP) + SPLITMIX_STEP * row);
}

/* Takes a digit 0 .. base - 1 from a fraction of 2^64, and leaves the rest of it. */
static inline unsigned digit(uint64_t *fraction, unsigned base)
{
	wide product = (wide)*fraction * base;
	*fraction = (uint64_t)product;
	return (unsigned)(product >> 64);
}

/* ---- states ---- */

#define CORNER_STATES (40320u * 2187u)
#define EDGE_STATES (239500800u * UINT64_C(2048))
/* The fractions that are left by numbers which would favour some digits: those below 2^64 mod the number of
 * states. */
#define SURPLUS(states) ((0 - (uint64_t)(states)) % (states))

/* Pieces that are not placed yet, four bits each. */
static inline uint8_t take(uint64_t *left, unsigned index)
{
	uint64_t below = (UINT64_C(1) << 4 * index) - 1;
	uint8_t piece = *left >> 4 * index & CUBE_STATE3_PIECE;
	*left = (*left & below) | (*left >> 4 & ~below);
	return piece;
}

/* Draws the corners. Returns true if their permutation is odd: if the sum of the digits is. */
static bool draw_corners(uint64_t *numbers, uint8_t corner[CUBE_CORNERS])
{
	for (;;) {
		uint64_t fraction = splitmix_next(numbers), left = 0x76543210;
		unsigned odd = 0, turned = 0;
		for (unsigned i = 0; i < CUBE_CORNERS - 1; i++) {
			unsigned index = digit(&fraction, CUBE_CORNERS - i);
			odd += index;
			corner[i] = take(&left, index);
		}
		corner[CUBE_CORNERS - 1] = (uint8_t)left;
		for (int i = 0; i < CUBE_CORNERS - 1; i++) {
			unsigned twist = digit(&fraction, 3);
			turned += twist;
			corner[i] |= (uint8_t)(twist << CUBE_STATE3_TURN);
		}
		corner[CUBE_CORNERS - 1] |= (uint8_t)((21 - turned) % 3 << CUBE_STATE3_TURN);
		if (fraction >= SURPLUS(CORNER_STATES))
			return odd & 1;
	}
}

/* Draws the edges, in a permutation of that parity. */
static void draw_edges(uint64_t *numbers, bool odd, uint8_t edge[CUBE_EDGES])
{
	for (;;) {
		uint64_t fraction = splitmix_next(numbers), left = 0xba9876543210;
		unsigned sum = odd, flips, parity = 0;
		for (unsigned i = 0; i < CUBE_EDGES - 2; i++) {
			unsigned index = digit(&fraction, CUBE_EDGES - i);
			sum += index;
			edge[i] = take(&left, index);
		}
		edge[CUBE_EDGES - 2] = take(&left, sum & 1);
		edge[CUBE_EDGES - 1] = (uint8_t)left;
		flips = digit(&fraction, 2048);
		for (int i = 0; i < CUBE_EDGES - 1; i++) {
			unsigned flip = flips >> i & 1;
			parity ^= flip;
			edge[i] |= (uint8_t)(flip << CUBE_STATE3_TURN);
		}
		edge[CUBE_EDGES - 1] |= (uint8_t)(parity << CUBE_STATE3_TURN);
		if (fraction >= SURPLUS(EDGE_STATES))
			return;
	}
}

void cube_batch_random(uint64_t seed, uint64_t first, size_t count, struct cube_state3 *states)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t numbers = row_begin(seed, first + i);
		struct cube_state3 state = cube_state3_solved;
		bool odd = draw_corners(&numbers, state.piece + CUBE_STATE3_CORNERS);
		draw_edges(&numbers, odd, state.piece);
		states[i] = state;
	}
}

/* ---- walks ---- */

/* Digits below 18 that a number of 64 bits gives, so that enough of it is left after the last one. */
#define DIGITS 7

/* Draws actions below `all`. */
static void draw_actions(uint64_t *numbers, unsigned length, unsigned all, uint8_t *actions)
{
	uint64_t fraction = 0;
	unsigned turned = CUBE_ACTIONS; /* the first action of the face before */
	for (unsigned i = 0; i < length; i++) {
		if (i % DIGITS == 0)
			fraction = splitmix_next(numbers);
		unsigned action = digit(&fraction, turned == CUBE_ACTIONS ? all : all - 3);
		if (action >= turned)
			action += 3;
		actions[i] = (uint8_t)action;
		turned = action / 3 * 3;
	}
}

/* The lengths of walks, and the actions that they are made of: those below `all`. */
struct walks {
	uint64_t seed;
	unsigned shortest, longest, all;
};

/* Draws a walk. Returns its length. */
static inline unsigned draw_walk(const struct walks *walks, uint64_t row, uint8_t *actions)
{
	uint64_t numbers = row_begin(walks->seed, row), fraction = splitmix_next(&numbers);
	unsigned length = walks->shortest + digit(&fraction, walks->longest - walks->shortest + 1);
	draw_actions(&numbers, length, walks->all, actions);
	return length;
}

static struct walks walks_of(uint64_t seed, int shortest, int longest, unsigned all)
{
	assert(0 <= shortest && shortest <= longest && longest <= UINT8_MAX);
	return (struct walks){seed, (unsigned)shortest, (unsigned)longest, all};
}

static inline void walk(const struct walks *walks, uint64_t first, size_t count,
			struct cube_state3 *states, uint8_t *lengths, uint8_t *last)
{
	uint8_t actions[UINT8_MAX + 1];
	for (size_t i = 0; i < count; i++) {
		unsigned length = draw_walk(walks, first + i, actions);
		states[i] = cube_state3_solved;
		cube_state3_apply(&states[i], cube_actions, actions, length);
		if (lengths)
			lengths[i] = (uint8_t)length;
		if (last)
			last[i] = length > 0 ? actions[length - 1] : CUBE_ACTIONS;
	}
}

void cube_batch_walk(uint64_t seed, uint64_t first, size_t count, int shortest, int longest,
		     struct cube_state3 *states, uint8_t *lengths, uint8_t *last)
{
	const struct walks walks = walks_of(seed, shortest, longest, CUBE_ACTIONS);
	walk(&walks, first, count, states, lengths, last);
}

/* ---- symmetries ---- */

/* The number before those that a state or walk is drawn from. */
void cube_batch_symmetries(uint64_t seed, uint64_t first, size_t count, uint8_t *symmetries)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t fraction = splitmix_mixed(row_begin(seed, first + i));
		symmetries[i] = (uint8_t)digit(&fraction, CUBE_SYMMETRIES);
	}
}

/* ---- of a 2x2x2 ---- */

#define STATES_2 UINT64_C(3674160)

void cube_batch_random_2(uint64_t seed, uint64_t first, size_t count, struct cube_state3 *states)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t numbers = row_begin(seed, first + i), fraction;
		struct cube_index index = {0};
		struct cube_cubies cubies;
		do {
			fraction = splitmix_next(&numbers);
			index.low = digit(&fraction, (unsigned)STATES_2);
		} while (fraction < SURPLUS(STATES_2));
		const bool is_index = cube_index_cubies(index, 2, &cubies);
		assert(is_index);
		(void)is_index;
		cube_state3_from_cubies(&states[i], &cubies);
	}
}

void cube_batch_walk_2(uint64_t seed, uint64_t first, size_t count, int shortest, int longest,
		       struct cube_state3 *states, uint8_t *lengths, uint8_t *last)
{
	const struct walks walks = walks_of(seed, shortest, longest, CUBE_ACTIONS_2);
	walk(&walks, first, count, states, lengths, last);
	for (size_t i = 0; i < count; i++)
		memcpy(states[i].piece, cube_state3_solved.piece, CUBE_STATE3_CORNERS);
}

/* ---- the way back ---- */

void cube_batch_walk_back(int size, uint64_t seed, uint64_t first, size_t count, int shortest,
			  int longest, uint8_t *actions)
{
	assert(size == 2 || size == 3);
	const struct walks walks =
		walks_of(seed, shortest, longest, size == 2 ? CUBE_ACTIONS_2 : CUBE_ACTIONS);
	uint8_t walked[UINT8_MAX + 1];
	for (size_t i = 0; i < count; i++, actions += longest) {
		unsigned length = draw_walk(&walks, first + i, walked);
		for (unsigned j = 0; j < length; j++)
			actions[j] = (uint8_t)cube_action_inverse(walked[length - 1 - j]);
		memset(actions + length, CUBE_ACTIONS, walks.longest - length);
	}
}
