/* algorithm/algorithm.c: length, writing out and inverse of an algorithm. */
#include "core/algorithm/tree.h"

uint64_t cube_alg_length(const struct cube_alg *alg)
{
	return tree_length(alg->nodes, 0, alg->count, CUBE_COUNT_MAX);
}

bool cube_alg_expand(const struct cube_alg *alg, size_t budget, struct cube_turn *turns,
		     size_t *count)
{
	/* A length that is over is larger than any budget that could be allocated. */
	uint64_t length = tree_length(alg->nodes, 0, alg->count, budget);
	if (length > budget || length == CUBE_COUNT_OVER)
		return false;
	*count = tree_expand(alg->nodes, 0, alg->count, turns);
	return true;
}

/* Siblings from..end whose inverse, or copy, is to be written from `to` on. */
struct node_run {
	uint32_t from, end, to;
	bool inverted;
};

/* Nodes keep their distances within a part, whatever their order becomes. */
static void copy_moved(const struct cube_node *from, struct cube_node *to, uint32_t i, uint32_t at)
{
	to[at] = from[i];
	to[at].end = from[i].end - i + at;
	if (from[i].middle > 0)
		to[at].middle = from[i].middle - i + at;
}

/* Writes one node of an inverted part to `at`, and what is inside it as parts to do. */
static int invert_node(const struct cube_node *from, struct cube_node *to, uint32_t i, uint32_t at,
		       struct node_run *todo)
{
	const struct cube_node *node = &from[i];
	uint32_t first = node->middle - i - 1, second = node->end - node->middle;
	copy_moved(from, to, i, at);
	switch ((enum cube_node_kind)node->kind) {
	case CUBE_NODE_TURN:
		to[at].turn = cube_turn_inverse(node->turn);
		return 0;
	case CUBE_NODE_GROUP:
		todo[0] = (struct node_run){i + 1, node->end, at + 1, true};
		return 1;
	case CUBE_NODE_COMMUTATOR:
		todo[0] = (struct node_run){node->middle, node->end, at + 1, false};
		todo[1] = (struct node_run){i + 1, node->middle, at + 1 + second, false};
		to[at].middle = at + 1 + second;
		return 2;
	case CUBE_NODE_CONJUGATE:
		todo[0] = (struct node_run){i + 1, node->middle, at + 1, false};
		todo[1] = (struct node_run){node->middle, node->end, at + 1 + first, true};
		return 2;
	}
	return 0;
}

void cube_alg_inverse(const struct cube_alg *alg, struct cube_node *nodes, struct cube_alg *inverse)
{
	/* A part waits while what is inside one of its nodes is done: two per level at most. */
	struct node_run todo[2 * CUBE_DEPTH_MAX + 3];
	int count = 1;
	todo[0] = (struct node_run){0, alg->count, 0, true};
	while (count > 0) {
		struct node_run *part = &todo[count - 1];
		if (part->from == part->end) {
			count--;
			continue;
		}
		uint32_t i = part->from;
		if (!part->inverted) {
			copy_moved(alg->nodes, nodes, i, part->to++);
			part->from++;
			continue;
		}
		/* The first sibling goes last: behind the room that all others need. */
		part->from = alg->nodes[i].end;
		count += invert_node(alg->nodes, nodes, i, part->to + (part->end - part->from),
				     &todo[count]);
	}
	*inverse = *alg;
	inverse->nodes = nodes;
}
