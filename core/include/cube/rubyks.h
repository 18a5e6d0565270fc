/* cube/rubyks.h: a 3x3x3 cube as Rubyks keeps it: six arrays of nine.
 *
 * Sides and their colours: 0 top, 1 left, 2 back, 3 right, 4 front, 5 bottom. Element 0 of a
 * side is its centre; 1..8 go clockwise from 12 o'clock, odd ones edges and even ones corners,
 * so that 2 is the corner after 12 o'clock. 12 o'clock is up in this unfolding, whose middle is
 * the top side:
 *
 *         1
 *     5 4 0 2
 *         3
 *
 * So it points to the left side on 0, 2, 4 and 5, to the bottom on 1 and to the top on 3. The
 * moves u ur u2 ... turn turn_over invert are a dialect of cube/notation.h.
 *
 * After "Rubyks, a gem" (Jeff Fowler) and https://github.com/urthbound/rubyks. */
#ifndef CUBE_RUBYKS_H
#define CUBE_RUBYKS_H

#include "cube/form.h"
#include "cube/size.h"

#define CUBE_RUBYKS 54 /* element i of side s is at 9*s + i */

/* The colours of this library, 0..5 by face, as numbers of sides, and back. */
CUBE_DATA const uint8_t cube_rubyks_of_color[CUBE_FACES];
CUBE_DATA const uint8_t cube_color_of_rubyks[CUBE_FACES];

/* Writes the six arrays of a cube of size 3, one after the other. */
CUBE_API void cube_rubyks_write(const struct cube *cube, uint8_t sides[CUBE_RUBYKS]);

/* Reads `count` numbers into the colours of 54 facelets. Errors: COUNT (expected: 54), VALUE at
 * `index`. */
CUBE_API CUBE_MUST_USE enum cube_form_code cube_rubyks_read(const uint8_t *sides, size_t count,
							    uint8_t colors[54],
							    struct cube_form_error *error);

#endif
