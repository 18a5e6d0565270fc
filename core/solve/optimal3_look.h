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
	uint16_t symmetry;
	const _Atomic uint8_t *at;
};

/* What was read: the entry for the parity that the state has, and that for the other one. */
struct sight {
	uint32_t entry[PARITIES];
	uint32_t symmetry;
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
	struct optimal3_where where = optimal3_find(tables, place.twist, place.flip, place.slice);
	struct look look = {.place = place,
			    .symmetry = (uint16_t)where.symmetry,
			    .at = &tables->entry[ENTRY_BYTES * where.entry]};
	__builtin_prefetch((const void *)look.at);
	return look;
}

static inline struct sight look_see(struct look look, uint32_t parity)
{
	const uint32_t mask = (1u << 8 * ENTRY_BYTES) - 1;
	uint64_t entries = load_8((const uint8_t *)(uintptr_t)look.at);
	uint32_t even = (uint32_t)entries & mask;
	uint32_t odd = (uint32_t)(entries >> 8 * ENTRY_BYTES) & mask;
	return (struct sight){.entry = {parity ? odd : even, parity ? even : odd},
			      .symmetry = look.symmetry};
}

/* That of a state with the other parity. */
static inline struct sight sight_turned(struct sight sight)
{
	return (struct sight){.entry = {sight.entry[1], sight.entry[0]},
			      .symmetry = sight.symmetry};
}

/* With the state's own parity, 0, or the other. */
static inline int sight_distance(const struct sight *sight, int other)
{
	return (int)(sight->entry[other] >> ENTRY_DISTANCE);
}

static inline changes_t sight_changes(const struct optimal3 *tables, int axis,
				      const struct sight *sight, int other)
{
	return optimal3_changes(tables, axis, sight->symmetry, sight->entry[other]);
}

static inline uint32_t nearer(changes_t changes)
{
	return (uint32_t)changes;
}

static inline uint32_t farther(changes_t changes)
{
	return (uint32_t)(changes >> CHANGES_FARTHER);
}

/* What sights of a state allow, with some moves to go. The last move of a solution is a half turn,
 * and then all axes see one less than what is left before it; or it is a quarter turn, and then the
 * axis in whose group it stays sees the other parity with one less. */
struct verdict {
	uint32_t within;   /* moves that leave a distance no longer than what is then left */
	uint32_t halves;   /* after which the last one can be a half turn */
	uint32_t quarters; /* after which it can be a quarter turn */
	uint32_t barred;   /* that are not the last: the other view may not begin with them */
};

static inline struct verdict verdict_begin(void)
{
	return (struct verdict){.within = ALL_MOVES, .halves = ALL_MOVES};
}

/* Takes in what one axis sees. An entry is taken apart only where its distance is close to what is
 * left: that is the time this takes. */
static inline void verdict_take(struct verdict *verdict, const struct optimal3 *tables, int axis,
				const struct sight *sight, int left)
{
	int slack = left - sight_distance(sight, 0), slack_other = left - sight_distance(sight, 1);
	if (slack <= 0) {
		verdict->halves = 0;
		verdict->barred |= tables->halves;
		verdict->within &= slack < 0 ? 0 : nearer(sight_changes(tables, axis, sight, 0));
	} else if (slack <= 2) {
		changes_t changes = sight_changes(tables, axis, sight, 0);
		verdict->halves &= slack == 1 ? nearer(changes) : ~farther(changes);
		verdict->within &= slack == 1 ? ~farther(changes) : ALL_MOVES;
	}
	if (slack_other <= 0) {
		verdict->barred |= tables->turns_of[axis];
	} else if (slack_other > 2) {
		verdict->quarters = ALL_MOVES;
	} else {
		changes_t changes = sight_changes(tables, axis, sight, 1);
		verdict->quarters |= slack_other == 1 ? nearer(changes) : ~farther(changes);
	}
}

/* The moves that all axes allow. */
static inline uint32_t verdict_moves(const struct verdict *verdict, int left)
{
	return left > 1 ? verdict->within & (verdict->halves | verdict->quarters) : verdict->within;
}

/* The moves after which an axis sees no less than that distance, with the state's own parity or
 * the other. */
static inline uint32_t moves_to(const struct optimal3 *tables, int axis, const struct sight *sight,
				int other, int distance)
{
	int more = sight_distance(sight, other) - distance;
	if (more > 0)
		return ALL_MOVES;
	if (more < -1)
		return 0;
	changes_t changes = sight_changes(tables, axis, sight, other);
	return more == 0 ? ~nearer(changes) : farther(changes);
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
