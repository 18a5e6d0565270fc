/* core/solve/optimal/optimal3_internal.h: the tables of the optimal method for the 3x3x3.
 *
 * Half turns leave four corners, a tetrad: URF, ULB, DLF, DRB, and the other four another one,
 * among themselves. A state is reduced if it is in the group <U, D, R2, F2, L2, B2> and each tetrad
 * in its own places or in those of the other. That is a group too, with all half turns in it, and
 * how many moves take a state there is a lower bound of what it needs. It depends on four
 * coordinates: twist, flip and slice (coordinate.h), and the split: in which four places the
 * corners of a tetrad are, or else those of the other, 35 ways. These are 7.8e10 values, of which
 * the 16 symmetries that keep the axis make the same.
 *
 * So the table has a block for each class of twist and slice together, 68,355, and in it an entry
 * for each flip, seen by the symmetry that makes of twist and slice those of the class. An entry is
 * about all 35 splits and has five bytes, the lowest first:
 *
 *     bits 36..39  the distance of the split that is nearest
 *     bit  35      1: the near splits are those that are one move farther at most, and the others
 *                  at least two; 0: those as near, and the others at least one
 *     bits  0..34  the near splits
 *
 * The latter from distance 10 on. To say so little of so many prunes best for its bytes: with the
 * exact distances a search would still look at two thirds as many states.
 *
 * The medium tables leave out how the four middle edges are flipped. The states that keep the other
 * eight edges in the outer layers, unflipped, and are else as above, are a group too: nothing more is
 * asked than that these eight, the twists and the tetrads stay as they are. It contains the one
 * above, and the 16 symmetries keep it. So how many moves take a state there is never more than for
 * the one above, and changes by one at most with a move. The flips of the eight edges, in the order
 * of their places, are a packed number, which is linear (by xor) in all flips where the middle edges
 * are in given places. The small tables leave out all flips, in the same way.
 *
 * Source: the group <U, D, R2, F2, L2, B2>, H. Kociemba, http://kociemba.org/math/optimal.htm, and
 * M. Reid's solver of 1997, along three axes. That the tetrads prune well, and a bit for many states
 * more than numbers for few: S. Tronto's h48, https://github.com/sebastianotronto/nissy-core,
 * doc/h48.md, and T. Rokicki's nxopt, https://github.com/rokicki/cube20src.
 * That bounds may look at some of the pieces only: R. Korf, "Finding optimal solutions to Rubik's Cube
 * using pattern databases", AAAI 1997. */
#ifndef CORE_SOLVE_OPTIMAL_OPTIMAL3_INTERNAL_H
#define CORE_SOLVE_OPTIMAL_OPTIMAL3_INTERNAL_H

#include "core/solve/common/coordinate.h"
#include "core/solve/common/table_head.h"

#define AXES 3
#define SPLITS 35u
#define TWIST_CLASSES 168u
#define BLOCKS 68355u               /* classes of twist and slice */
#define OPTIMAL3_SECOND_TETRAD 0x5a /* as a set of places, URF highest: UFL UBR DFR DBL */
#define DISTANCE_MAX 12             /* of any state to the group of the axis */
#define PACK_BITS 8                 /* a flip for each edge that is not a middle one */
#define FLIPS_PACKED (1u << PACK_BITS)
#define PACK_LOW_BITS 6
#define ENTRY_BYTES 5
#define ENTRY_DISTANCE 36 /* its first bit */
#define ENTRY_WIDE 35

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
	uint32_t flips;                    /* 2048; or packed numbers; or 1: left out */
	uint32_t packed;                   /* 1: an entry is about all flips of a packed number */
	uint32_t wide;                     /* the last distance with bit 35 */
	uint16_t twist_move[TWISTS][MOVES];
	uint16_t flip_move[FLIPS][MOVES];
	uint16_t slice_move[SLICES][MOVES];
	uint16_t twist_class[TWISTS]; /* 16 * class + symmetry */
	uint16_t slice_image[SYMMETRIES_UD][SLICES];
	uint16_t flip_image[SYMMETRIES_UD][FLIPS];   /* with the edges home; 0 where left out */
	uint16_t flip_toggle[SYMMETRIES_UD][SLICES]; /* its further effect on flips, to be xor-ed */
	/* A flip's packed number, where the middle edges are in these places: that of its lower six
	 * bits, xor that of the others; and a flip for each bit of a packed number. */
	uint8_t pack_low[SLICES][1 << PACK_LOW_BITS];
	uint8_t pack_high[SLICES][FLIPS >> PACK_LOW_BITS];
	uint16_t unpack[SLICES][PACK_BITS];
	uint16_t slice_of_places[1 << CUBE_EDGES];  /* by bits for the places, UR highest */
	uint8_t split_of_places[1 << CUBE_CORNERS]; /* by bits for the places, URF highest */
	uint8_t split_move[SPLITS][MOVES];
	uint8_t split_image[AXES][SYMMETRIES_UD][SPLITS]; /* as the axis sees it, by the symmetry */
	uint32_t block_first[TWIST_CLASSES];              /* of the class */
	uint16_t block[TWIST_CLASSES][SLICES]; /* 16 * block from there + symmetry, by the image */
	uint16_t block_twist[BLOCKS];          /* the class's */
	uint16_t block_slice[BLOCKS];
	_Atomic uint16_t there[BLOCKS]; /* while it is made: bit d: it has the distance d */
	uint16_t met[2][BLOCKS];        /* and how many at distances just reached, even and odd */
	_Atomic uint8_t entry[]; /* by block and flip; behind the last one, room to make them */
};

/* The packed number of a flip. */
static inline uint32_t optimal3_pack(const struct optimal3 *tables, uint32_t slice, uint32_t flip)
{
	return (uint32_t)(tables->pack_low[slice][flip % (1u << PACK_LOW_BITS)] ^
			  tables->pack_high[slice][flip >> PACK_LOW_BITS]);
}

/* The place of the entry about three coordinates, and the symmetry they are seen by. */
struct optimal3_where {
	size_t entry;
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
	if (tables->packed)
		image = optimal3_pack(tables, tables->block_slice[block], image);
	return (struct optimal3_where){.entry = (size_t)block * tables->flips + image,
				       .symmetry = symmetry};
}

/* Returns what an entry says of a split, as the cube is held, for an axis and the symmetry it is
 * seen by. */
static inline int optimal3_distance(const struct optimal3 *tables, int axis, uint32_t symmetry,
				    uint64_t entry, uint32_t split)
{
	uint32_t bit = tables->split_image[axis][symmetry][split];
	return (int)((entry >> ENTRY_DISTANCE & 15) +
		     ((~entry >> bit & 1) << (entry >> ENTRY_WIDE & 1)));
}

/* ---- optimal3_coordinates.c ---- */

/* Fills all from `symmetries` to `block_slice`; `flips` is there, and the rest 0. */
void optimal3_make_coordinates(struct optimal3 *tables);

/* ---- optimal3_table.c ---- */

/* Rows of cube_solver.tables. */
extern const struct cube_solver_tables optimal3_tables[];
#define OPTIMAL3_TABLES 3

#endif
