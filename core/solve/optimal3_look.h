/* core/solve/optimal3_look.h: looking a state up in the tables of the optimal method for the 3x3x3,
 * and what that allows. For the hot loop: all inline. */
#ifndef CORE_SOLVE_OPTIMAL3_LOOK_H
#define CORE_SOLVE_OPTIMAL3_LOOK_H

#include "core/solve/optimal3.h"

#include <stdatomic.h>
#include <string.h>

#define ALL_MOVES ((1u << MOVES) - 1)

/* The coordinates of a state as an axis sees it. */
struct place {
	uint16_t twist, flip, slice;
};

/* Where in the table it is; asked for already, so that it is there when it is read. */
struct look {
	struct place place;
	const _Atomic uint32_t *at;
};

/* What was read. */
struct sight {
	changes_t changes; /* of moves as the cube is held */
	int distance;
};

/* Bit 0 of eight bytes, the first one's highest. */
static inline uint32_t bits_of_8(uint64_t bytes)
{
	return (uint32_t)((bytes & 0x0101010101010101u) * 0x8040201008040201u >> 56);
}

static inline uint64_t load_8(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* The same as coordinate_twist.of and so on, by words: the digits of the eight corners are summed
 * up pair by pair, the last one then left out. */
static inline struct place place_of(const struct optimal3 *tables, const struct cube_state3 *state)
{
	uint64_t low = load_8(state->piece), high = load_8(state->piece + 4);
	uint64_t twist = load_8(state->piece + CUBE_STATE3_CORNERS) >> CUBE_STATE3_TURN &
			 0x0303030303030303u;
	twist = (twist * 3 + (twist >> 8)) & 0x00ff00ff00ff00ffu;
	twist = (twist * 9 + (twist >> 16)) & 0x0000ffff0000ffffu;
	twist = (twist * 81 + (twist >> 32)) & 0xffffffffu;
	uint32_t flip = bits_of_8(low >> 4) << 4 | (bits_of_8(high >> 4) & 15);
	uint32_t places = bits_of_8(low >> 3) << 4 | (bits_of_8(high >> 3) & 15);
	return (struct place){.twist = (uint16_t)(twist / 3),
			      .flip = (uint16_t)(flip >> 1),
			      .slice = tables->slice_of_places[places]};
}

static inline struct place place_after(const struct optimal3 *tables, struct place place, int move)
{
	return (struct place){.twist = tables->twist_move[place.twist][move],
			      .flip = tables->flip_move[place.flip][move],
			      .slice = tables->slice_move[place.slice][move]};
}

static inline struct look look_at(const struct optimal3 *tables, struct place place)
{
	struct look look = {.place = place};
	look.at = &tables->entry[optimal3_index(tables, place.twist, place.flip, place.slice)];
	__builtin_prefetch((const void *)look.at);
	return look;
}

static inline struct sight look_see(const struct optimal3 *tables, int axis, struct look look)
{
	uint32_t entry = atomic_load_explicit(look.at, memory_order_relaxed);
	uint32_t symmetry = tables->twist_class[look.place.twist] % SYMMETRIES_UD;
	return (struct sight){.changes = optimal3_changes(tables, axis, symmetry, entry),
			      .distance = (int)(entry & 15)};
}

/* What sights of a state allow, with some moves to go. */
struct verdict {
	uint32_t within; /* moves that leave a distance no longer than what is then left */
	uint32_t nearer; /* shorter than that */
	uint32_t barred; /* moves that the other view may not do */
};

/* That of one axis. If its distance is all that is left, the last move does not stay in its group;
 * and the last move is the first one of the other view. */
static inline struct verdict verdict_of(const struct optimal3 *tables, int axis, struct sight sight,
					int left)
{
	uint32_t less = (uint32_t)sight.changes;
	uint32_t not_more = ~(uint32_t)(sight.changes >> CHANGES_FARTHER) & ALL_MOVES;
	int slack = left - sight.distance;
	const uint32_t sets[] = {0, less, not_more, ALL_MOVES, ALL_MOVES};
	slack = slack < -1 ? -1 : slack > 3 ? 3 : slack;
	return (struct verdict){.within = sets[slack + 1],
				.nearer = slack < 0 ? 0 : sets[slack],
				.barred = slack == 0 ? tables->around[axis] : 0};
}

/* Those of all axes begin with this, take each in, and allow what then is both. The last move of a
 * solution stays in the group of one axis at least: so one distance is less than what is left. */
static inline struct verdict verdict_begin(int left)
{
	return (struct verdict){.within = ALL_MOVES, .nearer = left > 1 ? 0 : ALL_MOVES};
}

static inline void verdict_take(struct verdict *verdict, struct verdict other)
{
	verdict->within &= other.within;
	verdict->nearer |= other.nearer;
	verdict->barred |= other.barred;
}

/* The moves after which an axis sees that distance. */
static inline uint32_t moves_to(struct sight sight, int distance)
{
	uint32_t less = (uint32_t)sight.changes;
	uint32_t more = (uint32_t)(sight.changes >> CHANGES_FARTHER);
	switch (distance - sight.distance) {
	case -1:
		return less;
	case 0:
		return ~(less | more) & ALL_MOVES;
	case 1:
		return more;
	default:
		return 0;
	}
}

/* How many moves; the builtin would need a processor that can count, or a library that does. */
static inline uint32_t moves_in(uint32_t set)
{
	set = (set & 0x55555) + (set >> 1 & 0x55555);
	set = (set & 0x33333) + (set >> 2 & 0x33333);
	set = (set & 0xf0f0f) + (set >> 4 & 0xf0f0f);
	return (set + (set >> 8) + (set >> 16)) & 31;
}

#endif
