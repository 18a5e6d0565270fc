/* core/sets/layer.c: the last layer of a state, its number, and what turns of U make of it. */
#include "core/sets/sets_internal.h"
#include "cube/ranks.h"

static uint32_t permutation_number(const uint8_t permutation[LAYER_PLACES])
{
	uint32_t number = 0;
	for (uint32_t i = 0; i < LAYER_PLACES; i++) {
		uint32_t smaller = 0;
		for (uint32_t k = i + 1; k < LAYER_PLACES; k++)
			smaller += permutation[k] < permutation[i];
		number = number * (LAYER_PLACES - i) + smaller;
	}
	return number;
}

void layer_permutation(uint32_t number, uint8_t permutation[LAYER_PLACES])
{
	uint8_t left[LAYER_PLACES] = {0, 1, 2, 3};
	uint32_t weight = LAYER_PERMUTATIONS;
	for (uint32_t i = 0; i < LAYER_PLACES; i++) {
		weight /= LAYER_PLACES - i;
		const uint32_t at = number / weight;
		number %= weight;
		permutation[i] = left[at];
		for (uint32_t k = at; k + 1 < LAYER_PLACES - i; k++)
			left[k] = left[k + 1];
	}
}

enum layer_class layer_class_of(const uint8_t permutation[LAYER_PLACES])
{
	int follow = 0, precede = 0;
	for (int i = 0; i < LAYER_PLACES; i++) {
		const int step = (permutation[(i + 1) & 3] - permutation[i]) & 3;
		follow += step == 1;
		precede += step == 3;
	}
	return follow == LAYER_PLACES    ? CLASS_SOLVED
	       : precede == LAYER_PLACES ? CLASS_DIAGONAL
					 : CLASS_ADJACENT;
}

static uint32_t shape_number(const struct last_layer *layer)
{
	return cube_rank_turns(layer->twist, LAYER_PLACES, 3) * LAYER_FLIPS +
	       cube_rank_turns(layer->flip, LAYER_PLACES, 2);
}

static uint32_t layer_number(const struct last_layer *layer)
{
	return shape_number(layer) * NUMBER_OF_SHAPE +
	       permutation_number(layer->corner) * LAYER_PERMUTATIONS +
	       permutation_number(layer->edge);
}

void layer_of_number(uint32_t number, struct last_layer *layer)
{
	layer_permutation(number % LAYER_PERMUTATIONS, layer->edge);
	number /= LAYER_PERMUTATIONS;
	layer_permutation(number % LAYER_PERMUTATIONS, layer->corner);
	number /= LAYER_PERMUTATIONS;
	cube_unrank_turns(number % LAYER_FLIPS, LAYER_PLACES, 2, layer->flip);
	cube_unrank_turns(number / LAYER_FLIPS, LAYER_PLACES, 3, layer->twist);
}

void layer_turn(const struct cube_set *set, const struct last_layer *layer, int way,
		struct last_layer *turned)
{
	const int before = way / 4, after = way % 4;
	const bool corners = set->corners == CUBE_SET_COUNTS, edges = set->edges == CUBE_SET_COUNTS;
	for (int i = 0; i < LAYER_PLACES; i++) {
		const int from = (i - after) & 3;
		turned->twist[i] = layer->twist[from];
		turned->flip[i] = layer->flip[from];
		turned->corner[i] =
			corners ? (uint8_t)((layer->corner[from] - before) & 3) : layer->corner[i];
		turned->edge[i] =
			edges ? (uint8_t)((layer->edge[from] - before) & 3) : layer->edge[i];
	}
}

void layer_mirror(const struct last_layer *layer, struct last_layer *result)
{
	for (int i = 0; i < LAYER_PLACES; i++) {
		const int corner = i ^ 1, edge = (2 - i) & 3; /* URF and UFL, UR and UL, ... */
		result->corner[corner] = layer->corner[i] ^ 1;
		result->twist[corner] = (uint8_t)((3 - layer->twist[i]) % 3);
		result->edge[edge] = (uint8_t)((2 - layer->edge[i]) & 3);
		result->flip[edge] = layer->flip[i];
	}
}

void layer_invert(const struct last_layer *layer, struct last_layer *result)
{
	for (uint8_t i = 0; i < LAYER_PLACES; i++) {
		result->corner[layer->corner[i]] = i;
		result->twist[layer->corner[i]] = (uint8_t)((3 - layer->twist[i]) % 3);
		result->edge[layer->edge[i]] = i;
		result->flip[layer->edge[i]] = layer->flip[i];
	}
}

/* Permutations are looked at only if the shape, which weighs most, is small. */
uint32_t layer_smallest(const struct cube_set *set, const struct last_layer *layer)
{
	uint32_t smallest = UINT32_MAX;
	for (int way = 0; way < LAYER_WAYS; way++) {
		struct last_layer turned;
		layer_turn(set, layer, way, &turned);
		if (shape_number(&turned) > smallest / NUMBER_OF_SHAPE)
			continue;
		const uint32_t number = layer_number(&turned);
		smallest = number < smallest ? number : smallest;
	}
	return smallest;
}

int layer_states(const struct cube_set *set, const struct last_layer *layer, uint32_t *number)
{
	int same = 0;
	*number = layer_number(layer);
	for (int way = 0; way < LAYER_WAYS; way++) {
		struct last_layer turned;
		layer_turn(set, layer, way, &turned);
		if (shape_number(&turned) > *number / NUMBER_OF_SHAPE)
			continue;
		const uint32_t other = layer_number(&turned);
		if (other < *number)
			return 0;
		same += other == *number;
	}
	return LAYER_WAYS / same;
}
