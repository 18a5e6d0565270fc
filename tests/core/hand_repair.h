/* tests/core/hand_repair.h: does what a repair of the diagnosis says, as a reader of its words would.
 *
 * Places are found in space from their letters (geometry.h), not in the library's tables. */
#ifndef TESTS_CORE_HAND_REPAIR_H
#define TESTS_CORE_HAND_REPAIR_H

#include "cube/facelets.h"

/* The facelets of a corner or middle edge in the order of its name ("URF", "FU"); how many. */
int hand_facelets(int size, const char *name, size_t facelets[3]);

/* Changes a corner, an edge, or two of them (letter by letter), as a hand can; clockwise 1 or 2. */
void hand_twist(int size, uint8_t *colors, const char *corner, int clockwise);
void hand_flip(int size, uint8_t *colors, const char *edge);
void hand_swap(int size, uint8_t *colors, const char *a, const char *b);

/* Follows one repair. False, with a message on stderr, if the text is not understood or says what is not
 * so. */
bool hand_repair(int size, uint8_t *colors, const char *repair);

#endif
