/* core/solve/common/prune.h: pruning tables: a lower bound for the moves that are still needed.
 *
 * A table has a byte for each pair of a class of one coordinate and a value of another: how many
 * moves take both of them to their solved values. Whatever else a state needs, it needs as many. */
#ifndef CORE_SOLVE_COMMON_PRUNE_H
#define CORE_SOLVE_COMMON_PRUNE_H

#include "core/solve/common/coordinate.h"

/* The pair: classes with their moves; and a value with as many moves, by move * count + value, and
 * its images as coordinate_images makes them. Of at most PAIR_WIDTH values. */
#define PAIR_WIDTH 40320
struct pair {
	const struct classes *classes;
	const struct coordinate *other;
	const uint16_t *move;
	const uint16_t *image;
	size_t moves;
};

/* table[class * other->count + image of the other by the class's symmetry], by breadth-first search
 * from the solved state. Needs 80 KB of the stack. */
void prune_make(const struct pair *pair, uint8_t *table);

/* at[] = the places in a row of `width` entries that are `distance`, ascending; there is room for
 * all of them. Returns how many. */
size_t prune_entries(const uint8_t *row, uint32_t width, uint8_t distance, uint16_t *at);

#endif
