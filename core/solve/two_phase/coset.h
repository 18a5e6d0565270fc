/* core/solve/two_phase/coset.h: how far every state is from the group of phase 2: exactly. 150 MB.
 *
 * There are 2187 * 2048 * 495 cosets, given by twist, flip and slice. The 1,013,760 pairs of flip
 * and slice are 64,430 classes under the 16 symmetries that keep the axis of U and D; of each
 * class, one pair with all twists is in the table. Source: H. Kociemba,
 * http://kociemba.org/cube.htm. */
#ifndef CORE_SOLVE_TWO_PHASE_COSET_H
#define CORE_SOLVE_TWO_PHASE_COSET_H

#include "core/solve/common/prune.h"

#define COSET_PAIRS (SLICES * FLIPS) /* slice * FLIPS + flip */
#define COSET_CLASSES 64430u

struct coset {
	uint32_t class[COSET_PAIRS]; /* 16 * class + symmetry */
	uint32_t class_move[COSET_CLASSES][MOVES];
	uint16_t fixed[COSET_CLASSES];
	uint16_t twist_image[SYMMETRIES_UD][TWISTS];
	uint8_t distance[COSET_CLASSES][TWISTS];
};

/* Takes some seconds. `twist_move` is by twist * MOVES + move. */
void coset_make(struct coset *coset, const struct symmetries *symmetries,
		const struct cube_state3 moves[MOVES], const uint16_t *twist_move);

static inline const uint8_t *coset_place(const struct coset *coset, uint32_t twist, uint32_t flip,
					 uint32_t slice)
{
	uint32_t class = coset->class[slice * FLIPS + flip];
	return &coset->distance[class / 16][coset->twist_image[class % 16][twist]];
}

static inline int coset_distance(const struct coset *coset, uint32_t twist, uint32_t flip,
				 uint32_t slice)
{
	return *coset_place(coset, twist, flip, slice);
}

#endif
