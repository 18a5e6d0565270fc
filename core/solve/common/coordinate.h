/* core/solve/common/coordinate.h: what a search has to know of a state, as numbers.
 *
 * A coordinate is a part of the state that moves change by themselves: what it is after a move
 * depends only on what it was. So a table of `count` rows says where every move leads.
 *
 * The first three say how far a state is from the group <U, D, R2, F2, L2, B2>, and are 0 in it:
 *     twist    2187   how the first seven corners are twisted, base 3
 *     flip     2048   how the first eleven edges are flipped, base 2
 *     slice     495   in which four places the edges FR FL BL BR are
 * The others are of states in that group:
 *     corners 40320   the permutation of the corners (40319 - cube_rank)
 *     edges   40320   that of the eight edges of U and D
 *     middle     24   that of the four others
 *     places     70   in which places the edges of U are
 *     spread   1680   24 * places + middle
 *
 * Source: H. Kociemba, http://kociemba.org/cube.htm, "The Two-Phase-Algorithm". */
#ifndef CORE_SOLVE_COMMON_COORDINATE_H
#define CORE_SOLVE_COMMON_COORDINATE_H

#include "core/solve/common/symmetry.h"

#define TWISTS CUBE_STATE3_TWISTS
#define FLIPS CUBE_STATE3_FLIPS
#define SLICES CUBE_STATE3_SLICES
#define CORNERS CUBE_STATE3_CORNER_RANKS
#define EDGES CUBE_STATE3_EDGE_RANKS
#define MIDDLES CUBE_STATE3_MIDDLE_RANKS
#define PLACES 70u
#define SPREADS 1680u

struct coordinate {
	uint32_t count;
	uint32_t (*of)(const struct cube_state3 *state);
	/* A state with that value: as far as possible solved in everything else.
	 */
	void (*state)(uint32_t value, struct cube_state3 *state);
};

extern const struct coordinate coordinate_twist, coordinate_flip, coordinate_slice,
	coordinate_corners, coordinate_edges, coordinate_middle, coordinate_places,
	coordinate_spread;

/* Returns true if a permutation of pieces is odd: `count` bytes of a struct cube_state3, of corners
 * or of edges. */
bool pieces_are_odd(const uint8_t *pieces, int count);

/* move[value * count + i] = where `moves[i]` leads. */
void coordinate_moves(const struct coordinate *coordinate, const struct cube_state3 *moves,
		      size_t count, uint16_t *move);

/* The same turned round: column[i * coordinate->count + value]. */
void coordinate_columns(const struct coordinate *coordinate, const uint16_t *move, size_t count,
			uint16_t *column);

/* image[s * count + value] = what symmetry s (below SYMMETRIES_UD) makes of it. */
void coordinate_images(const struct coordinate *coordinate, const struct symmetries *all,
		       uint16_t *image);

/* A coordinate with those values taken together that symmetries make of each other. Of each class
 * the smallest value stands for all; class and symmetry of a value are those with
 * S' value S = the class's. A struct of pointers to the caller's arrays. */
struct classes {
	const struct coordinate *coordinate;
	uint32_t count; /* of classes */
	int symmetries;
	uint16_t *of;        /* by value: 16 * class + symmetry; NULL if that does not fit */
	uint16_t *fixed;     /* by class: bit s: symmetry s leaves the class's value as it is */
	uint16_t *move;      /* by class * moves + move: 16 * class + symmetry */
	uint32_t *move_wide; /* the same if it needs more bits; then `move` is NULL */
};

/* Fills the arrays; `count` is what it will come to. */
void classes_make(const struct classes *classes, const struct symmetries *all,
		  const struct cube_state3 *moves, size_t move_count);

#endif
