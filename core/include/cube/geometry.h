/* cube/geometry.h: how the facelets of a cube lie beside each other: neighbours, strips of a layer, and
 * the cubies that they are on.
 *
 * Facelets are numbered as in cube/cube.h, cubies as in cube/poses.h (those that are seen, by their
 * coordinates, x slowest). All of it depends on the size alone. */
#ifndef CUBE_GEOMETRY_H
#define CUBE_GEOMETRY_H

#include "cube/size.h"

/* The ways from a facelet, as its face is looked at: towards row 0, the last column, the last row,
 * column 0. */
enum cube_way { CUBE_UP, CUBE_RIGHT, CUBE_DOWN, CUBE_LEFT, CUBE_WAYS };

/* The facelets beside a facelet, by enum cube_way. At the edge of a face, that on the same cubie round the
 * edge. O(1). */
CUBE_API void cube_facelet_neighbors(int size, size_t facelet, uint16_t neighbors[CUBE_WAYS]);

/* The facelets around a layer, counted from a face (1 the outermost), clockwise as seen when looking at that
 * face: four strips of n, the first on the face above it in the direction of its row 0. A quarter turn
 * of the layer takes the sticker of ring[i] to ring[i + n], modulo 4n. O(n). */
CUBE_API void cube_layer_ring(int size, int face, int layer, uint16_t *ring);

/* The index of the cubie that a facelet is on. O(1). */
CUBE_API size_t cube_facelet_cubie(int size, size_t facelet);
/* The facelets of a cubie, ascending: 3 of a corner, 2 of an edge, 1 of a centre. Returns how many. O(1). */
CUBE_API int cube_cubie_facelets(int size, size_t cubie, uint16_t facelets[3]);

#endif
