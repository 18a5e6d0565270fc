/* core/sets/cases.c: the cases of a set, and which of them a state is. */
#include <assert.h>
#include <string.h>

#include "core/permutation.h"
#include "core/sets/sets_internal.h"

#define CLASSES 3

/* Edges that do not belong to F2L or to the blocks of Roux. */
#define EDGE_DF 5
#define EDGE_DB 7

/* ---- the number of a state ---- */

static bool corners_at_d(const struct cube_set *set, const struct cube_cubies *cubies)
{
	uint8_t base[LAYER_PLACES];
	for (int i = 0; i < LAYER_PLACES; i++) {
		base[i] = (uint8_t)i;
		if (set->slot != CUBE_SLOT_SOLVED && BASE_FIRST + i == SLOT_CORNER)
			continue;
		const int piece = cubies->corner_permutation[BASE_FIRST + i] - BASE_FIRST;
		if (piece < 0 || cubies->corner_orientation[BASE_FIRST + i] != 0 ||
		    (set->size == 3 && piece != i))
			return false;
		base[i] = (uint8_t)piece;
	}
	return set->base == CUBE_BASE_ANY || (int)layer_class_of(base) == (int)set->base;
}

static bool edges_below(const struct cube_set *set, const struct cube_cubies *cubies)
{
	for (int i = LAYER_PLACES; i < CUBE_EDGES; i++)
		if (!(set->slice && (i == EDGE_DF || i == EDGE_DB)) &&
		    !(set->slot != CUBE_SLOT_SOLVED && i == SLOT_EDGE) &&
		    (cubies->edge_permutation[i] != i || cubies->edge_orientation[i] != 0))
			return false;
	/* In the slice M the centres are free as well; if it is turned in another way, R and L are
	 * elsewhere. */
	for (int face = 0; face < CUBE_FACES; face++)
		if (!(set->slice && face % 3 != CUBE_R) && cubies->centers[face] != face)
			return false;
	return true;
}

/* Reads the parts that count; false if the others are not as the set requires. */
static bool read_layer(const struct cube_set *set, const struct cube_cubies *cubies,
		       struct last_layer *layer)
{
	for (uint8_t i = 0; i < LAYER_PLACES; i++) {
		const uint8_t twist = cubies->corner_orientation[i];
		const uint8_t flip = cubies->edge_orientation[i];
		if ((twist != 0 && set->twists == CUBE_SET_SOLVED) ||
		    (flip != 0 && set->flips == CUBE_SET_SOLVED))
			return false;
		layer->twist[i] = twist;
		layer->flip[i] = set->flips == CUBE_SET_COUNTS ? flip : 0;
		layer->corner[i] =
			set->corners == CUBE_SET_COUNTS ? cubies->corner_permutation[i] : i;
		layer->edge[i] = set->edges == CUBE_SET_COUNTS ? cubies->edge_permutation[i] : i;
	}
	return true;
}

static uint32_t number_of_classes(enum layer_class one, enum layer_class other)
{
	return (uint32_t)(one > other ? CLASSES * (int)one + (int)other
				      : CLASSES * (int)other + (int)one);
}

bool cube_set_number(const struct cube_set *set, const struct cube_cubies *cubies, uint32_t *number)
{
	struct last_layer layer;
	uint8_t base[LAYER_PLACES];
	if (!corners_at_d(set, cubies) || (set->size == 3 && !edges_below(set, cubies)))
		return false;
	if (set->slot != CUBE_SLOT_SOLVED)
		return slot_number(set, cubies, number);
	if (!read_layer(set, cubies, &layer))
		return false;
	if (set->base != CUBE_BASE_ANY) {
		*number = layer_smallest(set, &layer);
		return true;
	}
	for (int i = 0; i < LAYER_PLACES; i++)
		base[i] = (uint8_t)(cubies->corner_permutation[BASE_FIRST + i] - BASE_FIRST);
	*number = number_of_classes(layer_class_of(layer.corner), layer_class_of(base));
	return true;
}

bool cube_set_is_trivial(const struct cube_set *set, uint32_t number)
{
	return number == 0 && (set->base == CUBE_BASE_SOLVED || set->base == CUBE_BASE_ANY);
}

/* ---- enumerating ---- */

struct enumeration {
	const struct cube_set *set;
	struct shapes shapes;
	struct cube_case *cases;
	size_t count;
};

/* Adds the case of which this state has the smallest number. States come by their numbers. */
static void add_state(struct enumeration *all, const struct last_layer *layer)
{
	uint32_t number;
	const int states = layer_states(all->set, layer, &number);
	if (states == 0 || cube_set_is_trivial(all->set, number))
		return;
	assert(all->count < all->set->cases);
	all->cases[all->count++] = (struct cube_case){
		.number = number,
		.states = (uint16_t)states,
		.shape = (uint16_t)shape_of_number(all->set, &all->shapes, number)};
}

static uint32_t options(uint8_t part, uint32_t count)
{
	return part == CUBE_SET_COUNTS ? count : 1;
}

static void add_permutations(struct enumeration *all, struct last_layer *layer)
{
	const struct cube_set *set = all->set;
	const bool both = set->corners == CUBE_SET_COUNTS && set->edges == CUBE_SET_COUNTS;
	for (uint32_t c = 0; c < options(set->corners, LAYER_PERMUTATIONS); c++)
		for (uint32_t e = 0; e < options(set->edges, LAYER_PERMUTATIONS); e++) {
			layer_permutation(c, layer->corner);
			layer_permutation(e, layer->edge);
			if (!both || cube_permutation_is_odd(layer->corner, LAYER_PLACES) ==
					     cube_permutation_is_odd(layer->edge, LAYER_PLACES))
				add_state(all, layer);
		}
}

/* Cases come by their numbers; now by shapes first. Insertion is stable. */
static void sort_by_shape(struct cube_case *cases, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const struct cube_case one = cases[i];
		size_t at = i;
		for (; at > 0 && cases[at - 1].shape > one.shape; at--)
			cases[at] = cases[at - 1];
		cases[at] = one;
	}
}

/* The pairs of classes, and how many permutations there are of each. */
static void add_classes(struct enumeration *all)
{
	static const uint16_t of_class[CLASSES] = {4, 16, 4};
	for (int u = 1; u < CLASSES; u++)
		for (int d = 0; d <= u; d++)
			all->cases[all->count++] = (struct cube_case){
				.number = (uint32_t)(CLASSES * u + d),
				.states = (uint16_t)(of_class[u] * of_class[d] * (u == d ? 1 : 2))};
}

static void add_slots(struct enumeration *all)
{
	int states;
	for (uint32_t number = slot_next(all->set, 0, &states); number != 0;
	     number = slot_next(all->set, number, &states)) {
		assert(all->count < all->set->cases);
		all->cases[all->count++] =
			(struct cube_case){.number = number,
					   .states = (uint16_t)states,
					   .shape = (uint16_t)slot_shape(all->set, number)};
	}
}

static void add_layers(struct enumeration *all)
{
	const struct cube_set *set = all->set;
	struct last_layer layer;
	for (uint32_t t = 0; t < options(set->twists, LAYER_TWISTS); t++)
		for (uint32_t f = 0; f < options(set->flips, LAYER_FLIPS); f++) {
			layer_of_number(t * NUMBER_OF_TWISTS + f * NUMBER_OF_SHAPE, &layer);
			add_permutations(all, &layer);
		}
}

void cube_set_cases(const struct cube_set *set, struct cube_case *cases)
{
	struct enumeration all = {.set = set, .cases = cases};
	shapes_read(set, &all.shapes);
	if (set->base == CUBE_BASE_ANY)
		add_classes(&all);
	else if (set->slot != CUBE_SLOT_SOLVED)
		add_slots(&all);
	else
		add_layers(&all);
	assert(all.count == set->cases);
	sort_by_shape(cases, all.count);
	for (size_t i = 0, first = 0; i < all.count; i++) {
		first = cases[i].shape == cases[first].shape ? first : i;
		case_name(set, &all.shapes, (int)(i - first) + 1, &cases[i]);
	}
}

/* ---- mirror images and inverses ---- */

/* The case of a layer that was made of one of a case. */
static int place_of(const struct cube_set *set, const struct cube_case *cases,
		    const struct last_layer *layer)
{
	const uint32_t number = layer_smallest(set, layer);
	int place = 0;
	while (cases[place].number != number) {
		place++;
		assert(place < set->cases);
	}
	return place;
}

int cube_case_mirror(const struct cube_set *set, const struct cube_case *cases, size_t place)
{
	struct last_layer layer, mirrored;
	if (set->slot != CUBE_SLOT_SOLVED) /* it is at another slot */
		return -1;
	if (set->base == CUBE_BASE_ANY) /* swaps, whichever of these */
		return (int)place;
	layer_of_number(cases[place].number, &layer);
	layer_mirror(&layer, &mirrored);
	return place_of(set, cases, &mirrored);
}

int cube_case_inverse(const struct cube_set *set, const struct cube_case *cases, size_t place)
{
	struct last_layer layer, inverse;
	if (set->slot != CUBE_SLOT_SOLVED ||
	    (set->twists == CUBE_SET_COUNTS && set->corners == CUBE_SET_FREE) ||
	    (set->flips == CUBE_SET_COUNTS && set->edges == CUBE_SET_FREE))
		return -1;
	if (set->base == CUBE_BASE_ANY)
		return (int)place;
	layer_of_number(cases[place].number, &layer);
	layer_invert(&layer, &inverse);
	return place_of(set, cases, &inverse);
}
