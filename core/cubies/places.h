/* core/cubies/places.h: which facelets the places of pieces have, for the files beside it. */
#ifndef CORE_CUBIES_PLACES_H
#define CORE_CUBIES_PLACES_H

#include "cube/cubies.h"

/* Of size 2 and 3, in the order of Kociemba's names. */
extern const uint8_t cubies_corner_facelets[2][CUBE_CORNERS][3];
/* Of size 3. */
extern const uint8_t cubies_edge_facelets[CUBE_EDGES][2];

#endif
