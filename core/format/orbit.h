/* core/format/orbit.h: where the pieces of a cube lie and what they show. Internal to the library.
 *
 * An orbit is a set of pieces that turns carry into each other's places: the 8 corners, the 12
 * middle edges (odd sizes), and 24 wings for each column 1 .. n/2 - 1 beside the middle. Places and
 * pieces of an orbit have the same numbers. Corners and edges are in Kociemba's order; wing
 * 2 * edge + turn lies on that edge of the cube and is named from the sticker that comes first when
 * the piece at UF in that column is carried there: turn 0 is named like the edge, 1 backwards.
 *
 * A piece that is turned by t shows its colour j at facelet (j + t) % stickers of its place, in the
 * order of the name. Corners turn by 0..2 (clockwise), edges by 0..1, wings not at all. */
#ifndef CORE_FORMAT_ORBIT_H
#define CORE_FORMAT_ORBIT_H

#include "cube/size.h"

#define ORBIT_PLACES 24
#define ORBIT_STICKERS 3

struct orbit {
	uint8_t count;    /* places */
	uint8_t stickers; /* of a piece */
	uint8_t turns;    /* in how many ways a piece fits a place */
	uint8_t face[ORBIT_PLACES]
		    [ORBIT_STICKERS]; /* of a place's facelets, in the order of its name */
	uint16_t facelet[ORBIT_PLACES][ORBIT_STICKERS];
};

/* Lay out the orbits of a cube of size n; edges only if n is odd, 0 < column < n/2. */
void cube_orbit_corners(struct orbit *orbit, int n);
void cube_orbit_edges(struct orbit *orbit, int n);
void cube_orbit_wings(struct orbit *orbit, int n, int column);

/* 1 + 4 * piece + turn by the colours shown in the order of a place's name, 0 if none shows
 * them. */
extern const uint8_t cube_corner_showing[6][6][6];
extern const uint8_t cube_edge_showing[6][6];

/* Returns the piece that shows these colours: 4 * piece + turn, or -1. */
static inline int cube_orbit_find(const struct orbit *orbit, const uint8_t *seen)
{
	if (orbit->stickers == 3)
		return cube_corner_showing[seen[0]][seen[1]][seen[2]] - 1;
	int found = cube_edge_showing[seen[0]][seen[1]] - 1;
	/* A wing turned over is the other one of its edge. */
	return orbit->turns == 2 || found < 0 ? found : 8 * (found >> 2) + 4 * (found & 1);
}

/* The number of the hold in which the middle centres show these colours by face, or -1. */
int cube_hold_of_centers(const uint8_t colors[CUBE_FACES]);

/* Centre orbits: the four places on each face, offsets in ascending order, that the one at (row,
 * column) is carried to; 0 < row < n/2, 0 < column < (n + 1)/2 meets every orbit once. */
void cube_center_places(uint16_t places[4], int n, int row, int column);

#endif
