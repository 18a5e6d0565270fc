/* cube/cube.h: the state of an n x n x n cube, sticker by sticker.
 *
 * A state says, for each of the 6*n*n facelets (the places), which original
 * sticker is there now. Stickers keep their identity: two white centre stickers
 * are different stickers. Colours, cubies and 3D poses are all derived from it.
 *
 * Conventions, the same in every header of this library:
 *   - Faces in Kociemba's order U R F D L B, numbered 0..5. A facelet is
 *     face*n*n + row*n + column, each face read row by row as one looks at it in
 *     the usual unfolding: U above F, L F R B in a row, D below F.
 *   - A sticker is named by the facelet it has on the solved cube.
 *   - Axes: x to the right, y up, z towards the viewer.
 *   - Permutations are replaced-by: sticker[place] is what is there now.
 *   - "A B" means A first, then B. Turns are clockwise as seen looking at the face.
 *
 * A state used as a transformation is the state that it makes of a solved cube.
 *
 * The spin. Every cubie but the middle centre of an odd cube has a position from
 * which its rotation follows: only the points on an axis of the cube are fixed by
 * a rotation, and corners and edges show two or more stickers. So the state needs
 * one number more for each of the six middle centres of an odd cube: spin[face] is
 * the number of clockwise quarter turns from that face's "up" (towards row 0) to
 * where the "up" mark of the sticker now there points. Even sizes keep it at 0.
 *
 * Nothing here allocates, does I/O or keeps state: all functions may be called
 * from any thread on distinct cubes. */
#ifndef CUBE_CUBE_H
#define CUBE_CUBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/api.h"
#include "cube/size.h"

struct cube {
	uint8_t size;                    /* n, CUBE_SIZE_MIN..CUBE_SIZE_MAX */
	uint8_t spin[CUBE_FACES];        /* 0..3, see above; all 0 on even sizes */
	uint8_t reserved;                /* 0 */
	CUBE_FLEXIBLE(uint16_t sticker); /* cube_facelets(size) stickers by facelet */
};

/* Bytes of a struct cube of that size, for the caller to allocate
 * (aligned for uint16_t): 116 for 3x3x3, 120,008 for 100x100x100. */
static inline size_t cube_bytes(int size)
{
	return sizeof(struct cube) + cube_facelets(size) * sizeof(uint16_t);
}

/* Makes `cube` solved and held as it was made: U up, F to the front. `cube` has
 * room for cube_bytes(size); `size` is valid. O(n^2). */
CUBE_API void cube_init(struct cube *cube, int size);

/* Copies a state; `to` has room for cube_bytes(from->size). */
CUBE_API void cube_copy(struct cube *to, const struct cube *from);

/* Equal in size, every sticker and every spin. */
CUBE_API bool cube_equal(const struct cube *a, const struct cube *b);

/* The colour (0..5, the face it belongs to) that the facelet shows. */
CUBE_API int cube_color_at(const struct cube *cube, size_t facelet);

/* Every face shows one colour, however the cube is held. */
CUBE_API bool cube_is_solved(const struct cube *cube);

/* Every facelet shows the colour of its own face. */
CUBE_API bool cube_is_home(const struct cube *cube);

/* Returns true if `cube` is a state in memory at all: its size is valid, it has every sticker
 * exactly once, and its spins are in range. Does not check that turns can reach it. `seen` is
 * scratch memory of cube_facelets(size) bytes. For data read from outside. */
CUBE_API CUBE_MUST_USE bool cube_well_formed(const struct cube *cube, uint8_t *seen);

/* result = a, then b. All of one size; `result` is neither a nor b. O(n^2). */
CUBE_API void cube_compose(struct cube *CUBE_RESTRICT result, const struct cube *a,
			   const struct cube *b);

/* result = the state that undoes `cube`: both compositions are solved with spin 0.
 * `result` is not `cube`. */
CUBE_API void cube_invert(struct cube *CUBE_RESTRICT result, const struct cube *cube);

/* result = `cube` applied `exponent` times (0: solved; negative: the inverse).
 * Works through the cycles of the permutation, each walked once, so the cost is
 * O(n^2) for every exponent. `result` is not `cube`. */
CUBE_API void cube_power(struct cube *CUBE_RESTRICT result, const struct cube *cube,
			 int64_t exponent);

/* Returns how often `cube` as a transformation must be applied until nothing is changed: with
 * `spin` until every sticker and middle centre is as at first, without it until every colour is.
 * Cycles stay within orbits of at most 24 stickers, so the result is at most lcm(1..24) =
 * 5,354,228,880. O(n^2). */
CUBE_API uint64_t cube_order(const struct cube *cube, bool spin);

#endif
