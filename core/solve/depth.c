/* core/solve/depth.c: how many turns states are from solved: a table of those near it, and turns until it is met. */
#include "cube/depth.h"

#include <assert.h>
#include <string.h>

#include "core/solve/common/moves.h"
#include "core/solve/optimal/optimal2.h"
#include "core/solve/optimal/optimal3.h"
#include "cube/batch.h"
#include "cube/index.h"

/* States up to that far are in the table: 621,649 in 2^20 places. */
#define NEAR 5
#define PLACE_BITS 20
#define PLACES ((size_t)1 << PLACE_BITS)

/* A state in 120 bits, six for each piece, and above them one more than its distance; 0: an empty place. */
struct key {
	uint64_t low, high;
};
#define DISTANCE 56 /* its first bit in `high` */
#define PIECES ((UINT64_C(1) << DISTANCE) - 1)

struct cube_depths {
	struct key key[PLACES];
};

size_t cube_depths_bytes(void)
{
	return sizeof(struct cube_depths);
}

/* Joins the lower six bits of each byte. */
static inline uint64_t pack(const uint8_t pieces[8])
{
	uint64_t bytes;
	memcpy(&bytes, pieces, sizeof(bytes));
	bytes = (bytes & 0x003f003f003f003fu) | (bytes & 0x3f003f003f003f00u) >> 2;
	bytes = (bytes & 0x00000fff00000fffu) | (bytes & 0x0fff00000fff0000u) >> 4;
	return (bytes & 0xffffffu) | bytes >> 32 << 24;
}

/* The last eight of sixteen bytes of edges are four edges and the values 12..15, which are always there. */
static inline struct key key_of(const struct cube_state3 *state)
{
	uint64_t last = pack(state->piece + 8);
	return (struct key){.low = pack(state->piece + CUBE_STATE3_CORNERS) | last << 48,
			    .high = pack(state->piece) | (last >> 16 & 0xff) << 48};
}

static inline size_t place_of(struct key key)
{
	uint64_t hash = key.low * 0x9e3779b97f4a7c15u ^ key.high * 0xc2b2ae3d27d4eb4fu;
	return (size_t)((hash ^ hash >> 29) * 0x94d049bb133111ebu >> (64 - PLACE_BITS));
}

/* Returns the place of a state, or the empty one where it would be. */
static inline size_t find(const struct cube_depths *depths, struct key key)
{
	size_t place = place_of(key);
	for (;; place = (place + 1) % PLACES) {
		const struct key *there = &depths->key[place];
		if (there->high == 0 ||
		    (there->low == key.low && (there->high & PIECES) == key.high))
			return place;
	}
}

/* Returns the distance of a state in the table, else -1. */
static inline int look_up(const struct cube_depths *depths, const struct cube_state3 *state)
{
	return (int)(depths->key[find(depths, key_of(state))].high >> DISTANCE) - 1;
}

/* ---- the table ---- */

/* Enters the states that are `left` turns further and not there yet. */
static void enter(struct cube_depths *depths, const struct cube_state3 *state, int left, int before,
		  int distance)
{
	if (left == 0) {
		struct key key = key_of(state);
		struct key *there = &depths->key[find(depths, key)];
		key.high |= (uint64_t)(distance + 1) << DISTANCE;
		if (there->high == 0)
			*there = key;
		return;
	}
	for (int move = 0; move < MOVES; move++) {
		struct cube_state3 next;
		if (!face_follows(move_face(move), before))
			continue;
		cube_state3_compose(&next, state, &cube_actions[move]);
		enter(depths, &next, left - 1, move_face(move), distance);
	}
}

void cube_depths_make(struct cube_depths *depths)
{
	memset(depths, 0, sizeof(*depths));
	for (int distance = 0; distance <= NEAR; distance++)
		enter(depths, &cube_state3_solved, distance, CUBE_FACES, distance);
}

/* ---- states ---- */

/* Returns true if a turn leads into the table: all places are prefetched before the first is read. */
static bool meets_next(const struct cube_depths *depths, const struct cube_state3 *state,
		       int before)
{
	struct key keys[MOVES];
	int count = 0;
	for (int move = 0; move < MOVES; move++) {
		struct cube_state3 next;
		if (!face_follows(move_face(move), before))
			continue;
		cube_state3_compose(&next, state, &cube_actions[move]);
		keys[count] = key_of(&next);
		__builtin_prefetch(&depths->key[place_of(keys[count++])]);
	}
	for (int i = 0; i < count; i++)
		if (depths->key[find(depths, keys[i])].high != 0)
			return true;
	return false;
}

/* Returns true if `left` turns, at least one, lead into the table. */
static bool meets(const struct cube_depths *depths, const struct cube_state3 *state, int left,
		  int before)
{
	if (left == 1)
		return meets_next(depths, state, before);
	for (int move = 0; move < MOVES; move++) {
		struct cube_state3 next;
		if (!face_follows(move_face(move), before))
			continue;
		cube_state3_compose(&next, state, &cube_actions[move]);
		if (meets(depths, &next, left - 1, move_face(move)))
			return true;
	}
	return false;
}

int cube_depth_of(const struct cube_depths *depths, const struct cube_state3 *state, int most)
{
	assert(0 <= most && most <= CUBE_DEPTH_MOST);
	const int near = look_up(depths, state);
	if (near >= 0)
		return near <= most ? near : -1;
	for (int turns = 1; NEAR + turns <= most; turns++)
		if (meets(depths, state, turns, CUBE_FACES))
			return NEAR + turns;
	return -1;
}

int cube_depth_of_2(const void *tables, const struct cube_state3 *state)
{
	struct cube_cubies cubies;
	cube_state3_to_cubies(state, &cubies);
	return optimal2_distance(tables, (uint32_t)cube_index_of_cubies(&cubies, 2).low,
				 CUBE_SOLVE_HTM);
}

int cube_bound_of(const void *tables, const struct cube_state3 *state)
{
	return optimal3_bound(tables, state);
}
