/* core/solve/two_phase/coset.c: the table of all cosets, made. */
#include "core/solve/two_phase/coset.h"

#include <assert.h>
#include <string.h>

#define UNSEEN UINT32_MAX

static uint32_t pair_of(const struct cube_state3 *state)
{
	return coordinate_slice.of(state) * FLIPS + coordinate_flip.of(state);
}

static void pair_state(uint32_t pair, struct cube_state3 *state)
{
	struct cube_state3 flips;
	coordinate_slice.state(pair / FLIPS, state);
	coordinate_flip.state(pair % FLIPS, &flips);
	for (int i = 0; i < CUBE_EDGES; i++)
		state->piece[i] |= flips.piece[i] & (uint8_t)~CUBE_STATE3_PIECE;
}

/* Classes in the order of their smallest pairs. */
static void make_classes(struct coset *coset, const struct symmetries *symmetries,
			 uint32_t *smallest)
{
	uint32_t count = 0;
	struct cube_state3 state, seen;
	memset(coset->class, 0xff, sizeof(coset->class));
	for (uint32_t pair = 0; pair < COSET_PAIRS; pair++) {
		if (coset->class[pair] != UNSEEN)
			continue;
		uint16_t fixed = 0;
		pair_state(pair, &state);
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			symmetries_conjugate(symmetries, s, &state, &seen);
			uint32_t image = pair_of(&seen);
			if (coset->class[image] == UNSEEN)
				coset->class[image] = 16 * count + symmetries->inverse[s];
			fixed |= (uint16_t)((image == pair) << s);
		}
		assert(count < COSET_CLASSES);
		coset->fixed[count] = fixed;
		smallest[count++] = pair;
	}
	assert(count == COSET_CLASSES);
}

void coset_make(struct coset *coset, const struct symmetries *symmetries,
		const struct cube_state3 moves[MOVES], const uint16_t *twist_move)
{
	uint32_t *smallest = (uint32_t *)(void *)coset->class_move; /* at its end: each is read
								     * before moves lie there */
	struct cube_state3 state, next;
	smallest += COSET_CLASSES * (MOVES - 1);
	make_classes(coset, symmetries, smallest);
	for (uint32_t class = 0; class < COSET_CLASSES; class ++) {
		pair_state(smallest[class], &state);
		for (int m = 0; m < MOVES; m++) {
			cube_state3_compose(&next, &state, &moves[m]);
			coset->class_move[class][m] = coset->class[pair_of(&next)];
		}
	}
	coordinate_images(&coordinate_twist, symmetries, coset->twist_image[0]);
	const struct classes classes = {.count = COSET_CLASSES,
					.symmetries = SYMMETRIES_UD,
					.fixed = coset->fixed,
					.move_wide = coset->class_move[0]};
	uint16_t twists[TWISTS * MOVES];
	coordinate_columns(&coordinate_twist, twist_move, MOVES, twists);
	const struct pair pair = {&classes, &coordinate_twist, twists, coset->twist_image[0],
				  MOVES};
	prune_make(&pair, coset->distance[0]);
}
