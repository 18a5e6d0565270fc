/* core/solve/optimal3.h: the tables of the optimal method for the 3x3x3.
 *
 * How many moves take a state into the group <U, D, R2, F2, L2, B2> is a lower bound of what it
 * needs. It depends on three coordinates (coordinate.h), twist, flip and slice: 2.2e9 values, of
 * which the 16 symmetries that keep the axis make the same. So the table has a row for each class
 * of twists, 168, and in it an entry for each slice and flip, seen by the symmetry of the twist:
 *
 *     bits 0..3     the distance
 *     bits 8..31    a nibble for each face U D R L F B, about its moves 1, 2, 3: bits 0..2, those
 *                   that change the distance by one; bit 3: to more, else to less
 *
 * Two moves of a face are one move apart, so that it is either more or less for all that change it.
 * One look tells the distances of all 18 neighbours.
 *
 * Source: H. Kociemba, http://kociemba.org/math/optimal.htm; M. Reid's solver of 1997 used the same
 * group along three axes. Moves kept with the distance: E. Spitzer's rob-twophase,
 * https://github.com/efrantar/rob-twophase. */
#ifndef CORE_SOLVE_OPTIMAL3_H
#define CORE_SOLVE_OPTIMAL3_H

#include "core/solve/coordinate.h"
#include "core/solve/table_head.h"

#define AXES 3
#define TWIST_CLASSES 168u
#define DISTANCE_MAX 12 /* of any state to the group */

/* How a byte of an entry is read, that is about two opposite faces: the faces exchanged, or the
 * moves turned round as in a mirror. */
#define SWAPPED 1
#define MIRRORED 2
#define READINGS 4

/* Moves by bits: those that lead nearer in the low half, those that lead farther in the high one.
 */
typedef uint64_t changes_t;
#define CHANGES_FARTHER 32

struct optimal3 {
	struct table_head head;
	struct symmetries symmetries;
	struct cube_state3 moves[MOVES];
	struct cube_state3 axis_moves[MOVES][AXES]; /* a move as each axis sees it */
	uint8_t axis_move[AXES][MOVES];
	uint32_t around[AXES];             /* bit m: the move stays in the axis's group */
	uint8_t axis_of[CUBE_FACES];       /* whose group quarter turns of a face stay in */
	uint32_t order[2][CUBE_FACES + 1]; /* bit m: the move may be done after a turn of the face;
					    * [1]: where they are done from the end */
	uint32_t flips;                    /* 2048, or 1: they are left out */
	uint16_t twist_move[TWISTS][MOVES];
	uint16_t flip_move[FLIPS][MOVES];
	uint16_t slice_move[SLICES][MOVES];
	uint16_t twist_class[TWISTS]; /* 16 * class + symmetry */
	uint16_t twist_of_class[TWIST_CLASSES];
	uint16_t flip_image[SYMMETRIES_UD][FLIPS];   /* 0 where they are left out */
	uint32_t slice_image[SYMMETRIES_UD][SLICES]; /* flips * slice, and what the symmetry
						      * does to the flips there, to be xor-ed */
	uint16_t slice_of_places[1 << CUBE_EDGES];   /* by bits for the places, UR highest */
	changes_t changes[READINGS][256]; /* of U and D, for other faces 3 or 6 bits higher */
	uint8_t reading[AXES][SYMMETRIES_UD][3]; /* of the byte that is about U and D, and so on */
	uint8_t shift[AXES][SYMMETRIES_UD][3];   /* where in the entry that byte is */
	_Atomic uint16_t there[TWIST_CLASSES][SLICES]; /* while it is made: bit d: distance d is */
	_Atomic uint32_t entry[];                      /* row, slice, flip */
};

static inline size_t optimal3_width(const struct optimal3 *tables)
{
	return (size_t)SLICES * tables->flips;
}

/* Which entry is about these three. */
static inline size_t optimal3_index(const struct optimal3 *tables, uint32_t twist, uint32_t flip,
				    uint32_t slice)
{
	uint32_t class = tables->twist_class[twist], symmetry = class % SYMMETRIES_UD;
	return class / SYMMETRIES_UD * optimal3_width(tables) +
	       (tables->slice_image[symmetry][slice] ^ tables->flip_image[symmetry][flip]);
}

/* What an entry says of the moves as the cube is held, for an axis and the symmetry it is seen by.
 */
static inline changes_t optimal3_changes(const struct optimal3 *tables, int axis, uint32_t symmetry,
					 uint32_t entry)
{
	const uint8_t *reading = tables->reading[axis][symmetry];
	const uint8_t *shift = tables->shift[axis][symmetry];
	return tables->changes[reading[0]][entry >> shift[0] & 255] |
	       tables->changes[reading[1]][entry >> shift[1] & 255] << 3 |
	       tables->changes[reading[2]][entry >> shift[2] & 255] << 6;
}

/* Rows of cube_solver.tables. */
extern const struct cube_solver_tables optimal3_tables[];
#define OPTIMAL3_TABLES 2

#endif
