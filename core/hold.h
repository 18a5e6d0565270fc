/* core/hold.h: the 24 ways to hold a cube, as rotations of its faces. Internal; cube/hold.h numbers them.
 *
 * A rotation takes each face to a face and turns it by some quarters on the way. That is enough to
 * say where it takes any facelet of any size, so orbits need no tables of their own. */
#ifndef CORE_HOLD_H
#define CORE_HOLD_H

#include "cube/cube.h"
#include "cube/hold.h"

struct cube_hold {
	uint8_t to[CUBE_FACES];   /* the place of each face */
	uint8_t spin[CUBE_FACES]; /* clockwise quarters by which it arrives there turned */
};

/* All of them by number. A rotation is known by where it takes U and F,
 * so that of[a][b] is the index of the one with U to a and F to b, -1 if there is none. */
struct cube_holds {
	struct cube_hold hold[CUBE_HOLDS];
	int8_t of[CUBE_FACES][CUBE_FACES];
};

extern const struct cube_holds cube_hold_table;

/* Returns where the rotation takes a facelet of a cube of size n. */
static inline size_t cube_hold_facelet(const struct cube_hold *hold, int n, int face, int row,
				       int column)
{
	for (int i = hold->spin[face]; i > 0; i--) {
		int right = n - 1 - row;
		row = column;
		column = right;
	}
	return (size_t)((hold->to[face] * n + row) * n + column);
}

#endif
