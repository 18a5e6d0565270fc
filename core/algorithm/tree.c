/* algorithm/tree.c: the walk over the turns of an algorithm, its length, writing it out. */
#include "core/algorithm/tree.h"

#include <string.h>

void tree_walk_init(struct tree_walk *walk, const struct cube_node *nodes, uint32_t from,
		    uint32_t end)
{
	walk->nodes = nodes;
	walk->at = from;
	walk->end = end;
	walk->depth = 0;
	walk->stack[0].times = 1;
	walk->stack[0].end = end;
}

static void push(struct tree_walk *walk, uint64_t times, uint32_t end)
{
	walk->depth++;
	walk->stack[walk->depth].times = times;
	walk->stack[walk->depth].end = end;
}

const struct cube_node *tree_walk_next(struct tree_walk *walk, uint64_t *times)
{
	while (walk->at < walk->end) {
		while (walk->at >= walk->stack[walk->depth].end)
			walk->depth--;
		const struct cube_node *node = &walk->nodes[walk->at++];
		*times = walk->stack[walk->depth].times;
		if (node->kind == CUBE_NODE_TURN)
			return node;
		uint64_t inside = count_multiply(*times, amount_size(node->amount));
		uint64_t twice = count_multiply(inside, 2);
		if (inside == 0) {
			walk->at = node->end;
		} else if (node->kind == CUBE_NODE_CONJUGATE) {
			/* A B A': the first part twice, the second once. */
			push(walk, inside, node->end);
			push(walk, twice, node->middle);
		} else {
			push(walk, node->kind == CUBE_NODE_COMMUTATOR ? twice : inside, node->end);
		}
	}
	return NULL;
}

uint64_t tree_length(const struct cube_node *nodes, uint32_t from, uint32_t end, uint64_t enough)
{
	struct tree_walk walk;
	uint64_t length = 0, times;
	/* Plain turns need no walk. */
	for (; from < end && nodes[from].kind == CUBE_NODE_TURN; from++)
		length++;
	tree_walk_init(&walk, nodes, from, end);
	while (length <= enough && tree_walk_next(&walk, &times))
		length = count_add(length, times);
	return length;
}

/* Appends the inverse of turns from..end at `to`, which is not before `end`. */
static size_t append_inverse(struct cube_turn *turns, size_t from, size_t end, size_t to)
{
	for (size_t i = end; i > from; i--)
		turns[to++] = cube_turn_inverse(turns[i - 1]);
	return to;
}

static void invert_in_place(struct cube_turn *turns, size_t from, size_t end)
{
	for (; from < end; from++, end--) {
		struct cube_turn first = turns[from];
		turns[from] = cube_turn_inverse(turns[end - 1]);
		turns[end - 1] = cube_turn_inverse(first);
	}
}

/* A bracket that is being written: where its parts begin among the turns. */
struct open_bracket {
	uint32_t node;
	size_t first, second;
};

/* Finishes a bracket, its parts written once, and returns the new number of turns. */
static size_t finish_bracket(const struct cube_node *node, const struct open_bracket *bracket,
			     struct cube_turn *turns, size_t count)
{
	size_t first = bracket->first, second = bracket->second, middle = count;
	if (node->amount == 0)
		return first;
	if (node->kind != CUBE_NODE_GROUP)
		count = append_inverse(turns, first, second, count);
	if (node->kind == CUBE_NODE_COMMUTATOR)
		count = append_inverse(turns, second, middle, count);
	size_t length = count - first;
	if (node->amount < 0)
		invert_in_place(turns, first, count);
	if (length == 0)
		return count;
	for (uint64_t times = amount_size(node->amount); times > 1; times--) {
		memcpy(turns + count, turns + first, length * sizeof(*turns));
		count += length;
	}
	return count;
}

size_t tree_expand(const struct cube_node *nodes, uint32_t from, uint32_t end,
		   struct cube_turn *turns)
{
	struct open_bracket stack[CUBE_DEPTH_MAX];
	int depth = 0;
	size_t count = 0;
	for (uint32_t at = from;;) {
		/* Close the brackets that end here, innermost first (the second part of one may be
		 * empty and begin here). */
		while (depth > 0 && at >= nodes[stack[depth - 1].node].end) {
			const struct cube_node *closed = &nodes[stack[--depth].node];
			if (closed->middle == at)
				stack[depth].second = count;
			count = finish_bracket(closed, &stack[depth], turns, count);
		}
		if (depth > 0 && at == nodes[stack[depth - 1].node].middle)
			stack[depth - 1].second = count;
		if (at >= end)
			return count;
		const struct cube_node *node = &nodes[at];
		if (node->kind == CUBE_NODE_TURN) {
			turns[count++] = node->turn;
			at++;
		} else if (node->amount == 0) {
			at = node->end;
		} else {
			stack[depth++] = (struct open_bracket){at++, count, count};
		}
	}
}
