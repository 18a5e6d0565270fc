/* core/turn3.h: turns of a layer of the 3x3x3, from a table. */
#ifndef CORE_TURN3_H
#define CORE_TURN3_H

#include <stdint.h>

/* Turns layer 0, 1 or 2, counted from R, U or F (axis 0, 1, 2), with the stickers of a face at its
 * end; clockwise as seen from there. `quarters`: -2, -1, 1 or 2. Spins are not looked at. */
void cube_turn3(uint16_t *stickers, int axis, int layer, int quarters);

#endif
