/* core/solve/optimal/optimal3_look.h: looking a state up in the tables of the optimal method for the 3x3x3,
 * and what that allows. For the hot loop: all inline. */
#ifndef CORE_SOLVE_OPTIMAL_OPTIMAL3_LOOK_H
#define CORE_SOLVE_OPTIMAL_OPTIMAL3_LOOK_H

#include <stdatomic.h>

#include "core/bytes.h"
#include "core/solve/optimal/optimal3_internal.h"

#define ALL_MOVES ((1u << MOVES) - 1)

/* The coordinates of a state as an axis sees it. */
struct axis_place {
	uint16_t twist, flip, slice;
};

/* The place of a state in the table; prefetched, so that it is there when it is read. */
struct table_look {
	struct axis_place place;
	uint16_t symmetry;
	const _Atomic uint8_t *at;
};

/* Bit 0 of eight bytes, the first one's highest. */
static inline uint32_t bits_of_8(uint64_t bytes)
{
	return (uint32_t)((bytes & 0x0101010101010101u) * 0x8040201008040201u >> 56);
}

/* The same as coordinate_twist.of and so on, by words: the digits of the eight corners are summed
 * up pair by pair, the last one then left out. */
static inline struct axis_place place_of(const struct optimal3 *tables,
					 const struct cube_state3 *state)
{
	uint64_t low = bytes_word(state->piece), high = bytes_word(state->piece + 4);
	uint64_t twist = bytes_word(state->piece + CUBE_STATE3_CORNERS) >> CUBE_STATE3_TURN &
			 0x0303030303030303u;
	twist = (twist * 3 + (twist >> 8)) & 0x00ff00ff00ff00ffu;
	twist = (twist * 9 + (twist >> 16)) & 0x0000ffff0000ffffu;
	twist = (twist * 81 + (twist >> 32)) & 0xffffffffu;
	uint32_t flip = bits_of_8(low >> 4) << 4 | (bits_of_8(high >> 4) & 15);
	uint32_t places = bits_of_8(low >> 3) << 4 | (bits_of_8(high >> 3) & 15);
	return (struct axis_place){.twist = (uint16_t)(twist / 3),
				   .flip = (uint16_t)(flip >> 1),
				   .slice = tables->slice_of_places[places]};
}

static inline struct axis_place place_after(const struct optimal3 *tables, struct axis_place place,
					    int move)
{
	return (struct axis_place){.twist = tables->twist_move[place.twist][move],
				   .flip = tables->flip_move[place.flip][move],
				   .slice = tables->slice_move[place.slice][move]};
}

static inline struct table_look look_up(const struct optimal3 *tables, struct axis_place place)
{
	struct optimal3_where where = optimal3_find(tables, place.twist, place.flip, place.slice);
	struct table_look look = {.place = place,
				  .symmetry = (uint16_t)where.symmetry,
				  .at = &tables->entry[ENTRY_BYTES * where.entry]};
	__builtin_prefetch((const void *)look.at);
	return look;
}

/* The entry; what is above it belongs to the next ones. */
static inline uint64_t look_read(const struct table_look *look)
{
	return bytes_word((const uint8_t *)(uintptr_t)look->at);
}

/* The splits of a state, and of the state before which a quarter turn of the axis's face is made:
 * so its solution is this one's with such a last move more. Which of the two faces, and which way,
 * does not matter: what is between them is in the group. The tetrads follow from the sum of bits 0
 * and 2 of a corner's number, and what a turn of U, R, F makes of them by the sums that follow. */
static inline void splits_of(const struct optimal3 *tables, const struct cube_state3 *state,
			     uint8_t *split, uint8_t turned[AXES])
{
	uint64_t corners = bytes_word(state->piece + CUBE_STATE3_CORNERS);
	uint32_t low = bits_of_8(corners), middle = bits_of_8(corners >> 1);
	uint32_t high = bits_of_8(corners >> 2);
	*split = tables->split_of_places[low ^ high];
	turned[tables->axis_of[CUBE_U]] = tables->split_of_places[low];
	turned[tables->axis_of[CUBE_R]] = tables->split_of_places[middle ^ high];
	turned[tables->axis_of[CUBE_F]] = tables->split_of_places[low ^ middle ^ high];
}

/* Returns the number of moves; the builtin would need a processor that can count, or a library that
 * does. */
static inline uint32_t moves_in(uint32_t set)
{
	set = (set & 0x55555) + (set >> 1 & 0x55555);
	set = (set & 0x33333) + (set >> 2 & 0x33333);
	set = (set & 0xf0f0f) + (set >> 4 & 0xf0f0f);
	return (set + (set >> 8) + (set >> 16)) & 31;
}

#endif
