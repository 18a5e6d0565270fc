/* cube/hold.h: the 24 ways to hold a cube.
 *
 * A hold is a rotation of the whole cube, given as the one that takes a cube from home (U up, F to
 * the front) to how it is held. Holds are numbered 0..23: 0 is home, and hold 4 i + j is the i-th
 * of nothing, x, x2, x', z, z', then y j times. So 1 is y, 5 is x y, 23 is z' y'.
 *
 * How a cube is held is seen from its middle centres; on even sizes, which have none, by the corner
 * DBL. A cube held as h is one that was held as home and then turned as a whole by the moves of h.
 */
#ifndef CUBE_HOLD_H
#define CUBE_HOLD_H

#include "cube/size.h"

#define CUBE_HOLDS 24

/* Canonical text of the rotation: "", "y", "x y2", "z' y'"; at most five bytes. `hold` is 0..23. */
CUBE_API const char *cube_hold_moves(int hold);

/* The inverse: turned as a whole by it, a cube that is held as `hold` is home. */
CUBE_API int cube_hold_inverse(int hold);

/* Both rotations, one after the other, as one. */
CUBE_API int cube_hold_then(int first, int second);

/* Returns the rotation that takes the cube from home to the way in which `cube` is held; -1 if the
 * middle centres or the corner fit no such rotation, which turns never cause. O(1). */
CUBE_API int cube_hold_of(const struct cube *cube);

/* result = `cube` turned as a whole by `hold`, spins included. `result` has room for cube_bytes
 * and is not `cube`. O(n^2). */
CUBE_API void cube_hold_turn(struct cube *CUBE_RESTRICT result, const struct cube *cube, int hold);

/* result = `cube` turned as a whole until its middle centres (even sizes: its corner DBL) are
 * home. Returns how it was held, so that cube_hold_turn by it leads back. `cube` is one that turns
 * lead to. O(n^2). */
CUBE_API int cube_hold_home(struct cube *CUBE_RESTRICT result, const struct cube *cube);

#endif
