/* core/pattern/query.c: combinations of patterns. A node is followed by those below it, so that a walk
 * over them is a step by a span; sets of fits are bits, so that all is `and`, any is `or`. */
#include "cube/query.h"

#include <assert.h>
#include <string.h>

static uint32_t ways_of(struct cube_query_node *node)
{
	struct cube_query_node *end = node + node->span;
	assert(node->span > 0);
	node->ways = CUBE_FITS_ALL;
	switch (node->kind) {
	case CUBE_QUERY_COLORS:
	case CUBE_QUERY_PIECES:
		node->ways = node->held ? 1u << cube_fit(CUBE_F, 0) : CUBE_FITS_ALL;
		break;
	case CUBE_QUERY_ANY:
		node->ways = 0;
		for (struct cube_query_node *part = node + 1; part < end; part += part->span)
			node->ways |= ways_of(part);
		break;
	case CUBE_QUERY_ANYWHERE:
		ways_of(node + 1);
		break;
	case CUBE_QUERY_AMONG:
		node->ways = node->among & ways_of(node + 1);
		break;
	default:
		for (struct cube_query_node *part = node + 1; part < end; part += part->span)
			node->ways &= ways_of(part);
	}
	return node->ways;
}

void cube_query_prepare(struct cube_query_node *nodes)
{
	ways_of(nodes);
}

uint32_t cube_query_match(const struct cube_query_node *node, const uint8_t *colors, uint32_t among)
{
	const struct cube_query_node *end = node + node->span, *part = node + 1;
	uint32_t found = 0;
	among &= node->ways;
	switch (node->kind) {
	case CUBE_QUERY_COLORS:
		return cube_pattern_match(node->pattern, colors, among);
	case CUBE_QUERY_PIECES:
		return cube_pieces_match(node->pieces, colors, among);
	case CUBE_QUERY_NOT:
		return among & ~cube_query_match(part, colors, among);
	case CUBE_QUERY_ANYWHERE:
		return cube_query_match(part, colors, CUBE_FITS_ALL) != 0 ? among : 0;
	case CUBE_QUERY_ANY:
		for (; part < end && found != among; part += part->span)
			found |= cube_query_match(part, colors, among & ~found);
		return found;
	default:
		for (; part < end && among != 0; part += part->span)
			among = cube_query_match(part, colors, among);
		return among;
	}
}

static bool bind(const struct cube_query_node *node, const uint8_t *colors, int fit,
		 int8_t bound[CUBE_GENERICS])
{
	const struct cube_query_node *end = node + node->span;
	if (node->kind == CUBE_QUERY_NOT || node->kind == CUBE_QUERY_ANYWHERE ||
	    cube_query_match(node, colors, 1u << fit) == 0)
		return false;
	if (node->kind == CUBE_QUERY_COLORS)
		cube_pattern_bindings(node->pattern, colors, fit, bound);
	for (int i = 0; i < CUBE_GENERICS; i++)
		if (bound[i] >= 0)
			return true;
	for (const struct cube_query_node *part = node + 1; part < end; part += part->span)
		if (bind(part, colors, fit, bound))
			return true;
	return false;
}

void cube_query_bindings(const struct cube_query_node *nodes, const uint8_t *colors, int fit,
			 int8_t bound[CUBE_GENERICS])
{
	memset(bound, -1, CUBE_GENERICS);
	bind(nodes, colors, fit, bound);
}
