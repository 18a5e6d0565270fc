/* algorithm/tree.h: going through the nodes of an algorithm; counting that cannot overflow. */
#ifndef CORE_ALGORITHM_TREE_H
#define CORE_ALGORITHM_TREE_H

#include "cube/algorithm.h"

/* Counts stop at CUBE_COUNT_OVER once they pass CUBE_COUNT_MAX. */
static inline uint64_t count_add(uint64_t a, uint64_t b)
{
	/* Neither overflows: both are at most CUBE_COUNT_MAX then. */
	return a > CUBE_COUNT_MAX || b > CUBE_COUNT_MAX || a + b > CUBE_COUNT_MAX ? CUBE_COUNT_OVER
										  : a + b;
}

static inline uint64_t count_multiply(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0)
		return 0;
	return a > CUBE_COUNT_MAX || b > CUBE_COUNT_MAX / a ? CUBE_COUNT_OVER : a * b;
}

/* Amounts are within +-CUBE_AMOUNT_MAX. */
static inline uint64_t amount_size(int64_t amount)
{
	return amount < 0 ? (uint64_t)-amount : (uint64_t)amount;
}

/* A walk over the turns, each with how often it occurs when everything is written out. It
 * visits every node at most once, and skips what has no occurrence. */
struct tree_walk {
	const struct cube_node *nodes;
	uint32_t at, end;
	int depth;
	struct {
		uint64_t times; /* occurrences of what is inside */
		uint32_t end;   /* this holds for the nodes before it */
	} stack[2 * CUBE_DEPTH_MAX + 1];
};

/* Over the siblings from..end, which occur once. */
void tree_walk_init(struct tree_walk *walk, const struct cube_node *nodes, uint32_t from,
		    uint32_t end);
/* The next turn and its occurrences (1.. CUBE_COUNT_OVER); NULL at the end. */
const struct cube_node *tree_walk_next(struct tree_walk *walk, uint64_t *times);

/* Turns of siblings from..end written out; may stop counting once there are more than `enough`. */
uint64_t tree_length(const struct cube_node *nodes, uint32_t from, uint32_t end, uint64_t enough);

/* Writes out siblings from..end, of which tree_length is known to fit, and returns the number.
 * Every node is visited once: repeats and inverses are copied from what is written already. */
size_t tree_expand(const struct cube_node *nodes, uint32_t from, uint32_t end,
		   struct cube_turn *turns);

#endif
