/* core/solve/reduction/wings.h: the pairing of edges as permutations; internal.
 *
 * Wings are to be where the middle edge of their edge is; even sizes have none, and one is imagined
 * on each edge, where that leaves the fewest wings to be moved. `middle[place]` is the home of the
 * middle edge's sticker there, and `wing[k][home]` that of the wing of orbit k beside the middle
 * edge with that home. So edges are paired when all are the identity, and outer turns change
 * `middle` alone. The wings of orbit k, 0 the outermost, are in the layer k + 2 of each face.
 *
 * All that changes wings is of one form: blocks about an axis, a word of outer turns which brings
 * the faces around that axis back as they were, and the blocks back. This leaves all centres as
 * they are. A word that replaces one edge of those that the blocks cut makes cycles of three wings,
 * one in each layer. A permutation with c cycles of odd length takes (24 - c) / 2 such cycles. */
#ifndef CORE_SOLVE_REDUCTION_WINGS_H
#define CORE_SOLVE_REDUCTION_WINGS_H

#include "core/solve/reduction/reduction_internal.h"

#define WORD_LENGTH 5
#define WORD_SHORT 3
#define WORDS_MAX 4000
#define WING_BYTES 32 /* 24, and 8 that are at home */
#define WING_ORBITS_MAX ((CUBE_SIZE_MAX - 2) / 2)
#define AXES 3

/* Outer turns about an axis that is U's. */
struct word {
	uint8_t length;
	uint8_t move[WORD_LENGTH]; /* of moves.h */
	uint8_t from[ORBIT];       /* its effect on places */
};

/* Made once. */
struct words {
	uint32_t count;
	uint32_t count_of[WORD_LENGTH + 1]; /* no longer than that: the shorter ones come first */
	struct word word[WORDS_MAX];
	uint8_t turn[CUBE_FACES][4][ORBIT]; /* the effect of outer turns on places, by quarters */
	uint8_t view[AXES][ORBIT];          /* the places of a cube seen with that axis as U's */
};

void words_make(struct words *words);

/* The hold that brings U to the positive end of an axis, U, R, F. */
int words_hold(int axis);

/* The wings of the layers that the words are for: around U, in the order that U turns them. */
#define RING 4
extern const uint8_t ring_of_u[RING], ring_of_d[RING];

struct pairing {
	uint8_t middle[ORBIT];
	uint8_t wing[WING_ORBITS_MAX][WING_BYTES];
	int orbits;
};

/* The wings are even permutations. */
void pairing_of(struct pairing *pairing, const struct cube *cube);

/* Returns how many cycles of three make it the identity. */
int wings_distance(const uint8_t wing[WING_BYTES]);
/* Returns how many are in place. */
int wings_home(const uint8_t wing[WING_BYTES]);
/* A layer with that ring turned `quarters` on, then the middle edges become `after`, and the layer
 * turned back. */
void wings_change(uint8_t wing[WING_BYTES], const uint8_t ring[RING], int quarters,
		  const uint8_t before[ORBIT], const uint8_t after[ORBIT]);

#endif
