/* core/sets/sets_internal.h: the last layer of a state, shared by the files beside it. */
#ifndef CORE_SETS_SETS_INTERNAL_H
#define CORE_SETS_SETS_INTERNAL_H

#include "cube/named.h"
#include "cube/sets.h"

#define LAYER_PLACES 4
#define BASE_FIRST 4 /* the first corner of D */
#define LAYER_PERMUTATIONS 24
#define LAYER_TWISTS 27
#define LAYER_FLIPS 8

/* Numbers of what counts, as they make up the number of a state. */
#define NUMBER_OF_SHAPE (LAYER_PERMUTATIONS * LAYER_PERMUTATIONS)
#define NUMBER_OF_TWISTS (LAYER_FLIPS * NUMBER_OF_SHAPE)

/* The permutation of a layer of corners, apart from its turns. */
enum layer_class { CLASS_SOLVED, CLASS_ADJACENT, CLASS_DIAGONAL };

/* The places URF UFL ULB UBR and UR UF UL UB; what does not count is as solved. */
struct last_layer {
	uint8_t corner[LAYER_PLACES], twist[LAYER_PLACES];
	uint8_t edge[LAYER_PLACES], flip[LAYER_PLACES];
};

void layer_of_number(uint32_t number, struct last_layer *layer);
/* U, way / 4 times, then the layer, then U, way % 4 times; what does not count stays solved. */
#define LAYER_WAYS 16
void layer_turn(const struct cube_set *set, const struct last_layer *layer, int way,
		struct last_layer *turned);
/* The smallest number of the 16 that turns of U before and after lead to. */
uint32_t layer_smallest(const struct cube_set *set, const struct last_layer *layer);
/* Returns the number of states of the case if this one has the smallest number of them, otherwise
 * 0. Symmetric states are counted once, so the result can be less than 16. */
int layer_states(const struct cube_set *set, const struct last_layer *layer, uint32_t *number);
/* The layer with R and L exchanged; and the one that undoes it. */
void layer_mirror(const struct last_layer *layer, struct last_layer *result);
void layer_invert(const struct last_layer *layer, struct last_layer *result);
/* The permutation of that number, in lexicographic order. */
void layer_permutation(uint32_t number, uint8_t permutation[LAYER_PLACES]);
/* Returns the class of a permutation of 0..3 around the layer. */
enum layer_class layer_class_of(const uint8_t permutation[LAYER_PLACES]);

/* The solved cube, centres home. */
void case_solved(struct cube_cubies *cubies);

static inline void swap_pieces(uint8_t *one, uint8_t *other)
{
	const uint8_t piece = *one;
	*one = *other;
	*other = piece;
}

/* ---- the last slot ---- */

#define SLOT_PLACES 5
#define SLOT_CORNER 4 /* DFR */
#define SLOT_EDGE 8   /* FR */
/* Shapes of one kind of pairs. */
#define SLOT_SHAPES 32
/* Places and turns of the pair; and the numbers of one of them. */
#define SLOT_PAIRS (SLOT_PLACES * 3 * SLOT_PLACES * 2)
#define NUMBER_OF_PAIR (LAYER_TWISTS * LAYER_FLIPS)
/* A pair that R U' R' would put into its slot, turned so that its number is the smallest. */
#define PAIR_JOINED 52

/* As cube_set_number(), of a state whose other slots are solved. */
bool slot_number(const struct cube_set *set, const struct cube_cubies *cubies, uint32_t *number);
/* The next number after this one that is the smallest of a case, with the number of the states; 0 if there is
 * none. */
uint32_t slot_next(const struct cube_set *set, uint32_t number, int *states);
/* A state with that number. */
void slot_state(uint32_t number, struct cube_cubies *cubies);
/* The state with that number, all of whose twists and flips are in it, after turns of U; the last layer is in
 * order, so that its parity may be wrong. */
void slot_make(uint32_t number, uint32_t turns, struct cube_cubies *cubies);
/* The shape of a case, and the first part of its name. */
int slot_shape(const struct cube_set *set, uint32_t number);
const char *slot_shape_name(int shape);

/* ---- shapes and names ---- */

#define SHAPES_MAX 64

/* The patterns that name cases, with the numbers of their states. */
struct shapes {
	const struct cube_named *row[SHAPES_MAX];
	uint32_t number[SHAPES_MAX];
	size_t count;
};
/* Reads the shapes of OLL if flips count, of PLL if the last layer is oriented, otherwise none. */
void shapes_read(const struct cube_set *set, struct shapes *shapes);
/* The shape of a state whose number is the smallest of its case. */
int shape_of_number(const struct cube_set *set, const struct shapes *shapes, uint32_t number);
int shape_of_twists(const uint8_t twist[LAYER_PLACES]);
/* Names a case, the `place`-th of its shape, from 1 on. */
void case_name(const struct cube_set *set, const struct shapes *shapes, int place,
	       struct cube_case *one);

#endif
