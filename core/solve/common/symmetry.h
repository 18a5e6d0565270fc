/* core/solve/common/symmetry.h: the 48 symmetries of the cube, and what they make of states and moves.
 *
 * A symmetry S is a rotation and perhaps a mirroring of space. The state S' A S looks from where S
 * takes the viewer as A did before: it is as far from solved, and its solution is that of A, seen
 * so too. Symmetry 16 * k + s, with bits of s:
 *
 *     1 mirror left and right     2 y2     4 z2     8 y     16 k: k times x y, about URF - DBL
 *
 * 0 does nothing. 0..15 keep the axis of U and D where it is, and of these 0..7 all three axes.
 * After H. Kociemba, "Symmetric patterns" and "Equivalent cubes and symmetry",
 * http://kociemba.org/math/symmetric.htm. */
#ifndef CORE_SOLVE_COMMON_SYMMETRY_H
#define CORE_SOLVE_COMMON_SYMMETRY_H

#include "core/solve/common/moves.h"

#define SYMMETRIES 48
#define SYMMETRIES_UD 16 /* symmetries that keep the axis of U and D */
#define SYMMETRIES_ALL 8 /* symmetries that keep all axes */

struct symmetries {
	struct cube_state3 rotation[SYMMETRIES / 2]; /* of 2 i and 2 i + 1 */
	struct cube_state3 inverted[SYMMETRIES / 2];
	uint8_t move[SYMMETRIES][MOVES]; /* S' m S */
	uint8_t inverse[SYMMETRIES];
	uint8_t then[SYMMETRIES_UD][SYMMETRIES_UD]; /* the first, then the second */
};

/* `moves` are those of moves_make. */
void symmetries_make(struct symmetries *symmetries, const struct cube_state3 moves[MOVES]);

/* result = S' state S; they may be one. */
void symmetries_conjugate(const struct symmetries *symmetries, int symmetry,
			  const struct cube_state3 *state, struct cube_state3 *result);

#endif
