/* core/solve/optimal3.h: the tables of the optimal method for the 3x3x3.
 *
 * How many moves take a state into the group <U, D, R2, F2, L2, B2>, and there to an even or an odd
 * permutation of the corners, is a lower bound of what it needs, if that is the parity that the
 * solved state has. It depends on three coordinates (coordinate.h), twist, flip and slice, and the
 * parity: 4.4e9 values, of which the 16 symmetries that keep the axis make the same. So the table
 * has a block for each class of twist and slice together, 68,355, and in it two entries, even and
 * odd, for each flip, seen by the symmetry that makes of twist and slice those of the class. An
 * entry has three bytes, the lowest first:
 *
 *     bits 20..23  the distance
 *     bits  0..19  10000 * a + 100 * b + c, about the moves of U and D, of R and L, of F and B,
 * each a digit for the first and ten times one for the second face: which of its moves 1, 2, 3
 * change the distance, as bits 0..2; two moves of a face are one move apart, so that it is either
 * more or less for all that change it
 *
 * There are 15 such changes of a face, and ten digits. From distance 10 on the digits 0..7 are
 * moves that lead nearer, 8 and 9 all and the quarter turns that lead farther; below they are the
 * other way round. Where there is no digit, less is told: fewer moves that lead farther, more that
 * lead nearer. So one look tells what is to be known of all 18 neighbours.
 *
 * Source: H. Kociemba, http://kociemba.org/math/optimal.htm; M. Reid's solver of 1997 used the same
 * group along three axes. Changes kept with the distance: rob-twophase,
 * https://github.com/efrantar/rob-twophase. */
#ifndef CORE_SOLVE_OPTIMAL3_H
#define CORE_SOLVE_OPTIMAL3_H

#include "core/solve/coordinate.h"
#include "core/solve/table_head.h"

#define AXES 3
#define PARITIES 2
#define TWIST_CLASSES 168u
#define BLOCKS 68355u   /* classes of twist and slice */
#define DISTANCE_MAX 12 /* of any state to the group and a parity */
#define ENTRY_BYTES 3
#define ENTRY_DISTANCE 20 /* its first bit */
#define FAR 10u           /* the distance from which the digits are about what leads nearer */

/* How the two digits about opposite faces are read: the faces exchanged, or the moves turned round
 * as in a mirror; and what they are about. */
#define SWAPPED 1
#define MIRRORED 2
#define DIGITS_FAR 4
#define DIGITS_KINDS 8

/* Moves by bits: those that lead nearer in the low half, those that lead farther in the high one.
 */
typedef uint64_t changes_t;
#define CHANGES_FARTHER 32

/* Which of `changes` the three pairs of digits are about, where they are not far: 8 * faces + kind.
 */
struct reading {
	uint8_t of[4];
};

struct optimal3 {
	struct table_head head;
	struct symmetries symmetries;
	struct cube_state3 moves[MOVES];
	struct cube_state3 axis_moves[MOVES][AXES]; /* a move as each axis sees it */
	uint8_t axis_move[AXES][MOVES];
	uint8_t axis_of[CUBE_FACES];       /* in whose group all turns of a face stay */
	uint32_t turns_of[AXES];           /* bit m: a quarter turn of such a face */
	uint32_t halves;                   /* bit m: a half turn: it stays in all groups */
	uint32_t order[2][CUBE_FACES + 1]; /* bit m: the move may be done after a turn of the face;
					    * [1]: where they are done from the end */
	uint32_t flips;                    /* 2048, or 1: they are left out */
	uint16_t twist_move[TWISTS][MOVES];
	uint16_t flip_move[FLIPS][MOVES];
	uint16_t slice_move[SLICES][MOVES];
	uint16_t twist_class[TWISTS]; /* 16 * class + symmetry */
	uint16_t slice_image[SYMMETRIES_UD][SLICES];
	uint16_t flip_image[SYMMETRIES_UD][FLIPS];   /* with the edges home; 0 where left out */
	uint16_t flip_toggle[SYMMETRIES_UD][SLICES]; /* what else it does to flips, to be xor-ed */
	uint16_t slice_of_places[1 << CUBE_EDGES];   /* by bits for the places, UR highest */
	uint32_t block_first[TWIST_CLASSES];         /* of the class */
	uint16_t block[TWIST_CLASSES][SLICES]; /* 16 * block from there + symmetry, by the image */
	changes_t changes[3][DIGITS_KINDS][100]; /* of U and D, of R and L, of F and B */
	struct reading reading[AXES][SYMMETRIES_UD];
	uint16_t block_twist[BLOCKS]; /* the class's */
	uint16_t block_slice[BLOCKS];
	_Atomic uint16_t there[BLOCKS]; /* while it is made: bit d: it has the distance d */
	_Atomic uint8_t entry[];        /* by block, flip, parity */
};

/* Where entries about these three are, and the symmetry they are seen by. */
struct optimal3_where {
	size_t entry; /* the even one; odd behind it */
	uint32_t symmetry;
};

static inline struct optimal3_where optimal3_find(const struct optimal3 *tables, uint32_t twist,
						  uint32_t flip, uint32_t slice)
{
	uint32_t class = tables->twist_class[twist] / SYMMETRIES_UD;
	uint32_t first = tables->twist_class[twist] % SYMMETRIES_UD;
	uint32_t second = tables->block[class][tables->slice_image[first][slice]];
	uint32_t block = tables->block_first[class] + second / SYMMETRIES_UD;
	uint32_t symmetry = tables->symmetries.then[first][second % SYMMETRIES_UD];
	uint32_t image = tables->flip_image[symmetry][flip] ^ tables->flip_toggle[symmetry][slice];
	return (struct optimal3_where){.entry = PARITIES * ((size_t)block * tables->flips + image),
				       .symmetry = symmetry};
}

/* What an entry says of the moves as the cube is held, for an axis and the symmetry it is seen by.
 */
static inline changes_t optimal3_changes(const struct optimal3 *tables, int axis, uint32_t symmetry,
					 uint32_t entry)
{
	const struct reading reading = tables->reading[axis][symmetry];
	const changes_t(*changes)[100] = tables->changes[0];
	uint32_t code = entry & ((1u << ENTRY_DISTANCE) - 1), a = code / 10000, rest = code % 10000;
	changes += entry >= FAR << ENTRY_DISTANCE ? DIGITS_FAR : 0;
	return changes[reading.of[0]][a] | changes[reading.of[1]][rest / 100] |
	       changes[reading.of[2]][rest % 100];
}

/* Rows of cube_solver.tables. */
extern const struct cube_solver_tables optimal3_tables[];
#define OPTIMAL3_TABLES 2

#endif
