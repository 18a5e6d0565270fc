/* core/solve/draw_case.c: random states of a set of cases. */
#include "core/permutation.h"
#include "core/sets/sets_internal.h"

static uint8_t below(const struct cube_random *random, uint32_t bound)
{
	return (uint8_t)cube_random_below(random, bound);
}

/* Shuffles the pieces in these places, each order equally likely. */
static void shuffle(const struct cube_random *random, uint8_t *piece, const uint8_t *places,
		    uint32_t count)
{
	for (uint32_t i = count; i > 1; i--)
		swap_pieces(&piece[places[i - 1]], &piece[places[below(random, i)]]);
}

/* Twists or flips that sum to 0, each choice equally likely. */
static void turn_pieces(const struct cube_random *random, uint8_t *turn, const uint8_t *places,
			uint32_t count, uint32_t turns)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i + 1 < count; i++) {
		turn[places[i]] = below(random, turns);
		sum += turn[places[i]];
	}
	turn[places[count - 1]] = (uint8_t)((turns - sum % turns) % turns);
}

/* Any state of the pieces that the set does not want solved, each equally likely. The caller checks
 * parity and the class of D. */
static void draw_any(const struct cube_set *set, const struct cube_random *random,
		     struct cube_cubies *cubies)
{
	static const uint8_t upper[] = {0, 1, 2, 3}, slice[] = {0, 1, 2, 3, 5, 7},
			     lower[] = {4, 5, 7};
	const uint8_t *edges = set->slice ? slice : upper;
	const uint32_t edge_count = set->slice ? 6 : 4;
	case_solved(cubies);
	if (set->corners != CUBE_SET_SOLVED)
		shuffle(random, cubies->corner_permutation, upper, 4);
	if (set->twists != CUBE_SET_SOLVED)
		turn_pieces(random, cubies->corner_orientation, upper, 4, 3);
	if (set->size == 2) {
		if (set->base != CUBE_BASE_SOLVED)
			shuffle(random, cubies->corner_permutation, lower, 3);
		return;
	}
	if (set->edges != CUBE_SET_SOLVED)
		shuffle(random, cubies->edge_permutation, edges, edge_count);
	if (set->flips != CUBE_SET_SOLVED)
		turn_pieces(random, cubies->edge_orientation, edges, edge_count, 2);
}

/* Replaces what counts by a state of the case: one of the 16 ways to turn U before and after, which lead
 * to each of its states equally often. */
static void draw_case(const struct cube_set *set, const struct cube_case *one,
		      const struct cube_random *random, struct cube_cubies *cubies)
{
	struct last_layer layer, turned;
	layer_of_number(one->number, &layer);
	layer_turn(set, &layer, below(random, LAYER_WAYS), &turned);
	for (int i = 0; i < LAYER_PLACES; i++) {
		if (set->corners == CUBE_SET_COUNTS)
			cubies->corner_permutation[i] = turned.corner[i];
		if (set->twists == CUBE_SET_COUNTS)
			cubies->corner_orientation[i] = turned.twist[i];
		if (set->edges == CUBE_SET_COUNTS)
			cubies->edge_permutation[i] = turned.edge[i];
		if (set->flips == CUBE_SET_COUNTS)
			cubies->edge_orientation[i] = turned.flip[i];
	}
}

/* Shuffles the pieces of the last layer, wherever the one of the pair is. */
static void shuffle_others(const struct cube_random *random, uint8_t *piece, uint8_t slot)
{
	uint8_t places[LAYER_PLACES + 1] = {0, 1, 2, 3, slot};
	for (uint8_t i = 0; i < LAYER_PLACES; i++)
		if (piece[places[i]] == slot)
			swap_pieces(&places[i], &places[LAYER_PLACES]);
	shuffle(random, piece, places, LAYER_PLACES);
}

/* The same as draw_any() and draw_case() for the last slot. */
static void draw_slot(const struct cube_set *set, const struct cube_case *one,
		      const struct cube_random *random, struct cube_cubies *cubies)
{
	const uint32_t number = one ? one->number : 0;
	uint32_t pair = below(random, SLOT_PAIRS), twists = below(random, LAYER_TWISTS);
	uint32_t flips = below(random, LAYER_FLIPS);
	if (one || set->slot == CUBE_SLOT_JOINED)
		pair = one ? number / NUMBER_OF_PAIR : PAIR_JOINED;
	if (one && set->twists == CUBE_SET_COUNTS)
		twists = number / LAYER_FLIPS % LAYER_TWISTS;
	if ((one && set->flips == CUBE_SET_COUNTS) || set->flips == CUBE_SET_SOLVED)
		flips = number % LAYER_FLIPS;
	slot_make((pair * LAYER_TWISTS + twists) * LAYER_FLIPS + flips, below(random, LAYER_PLACES),
		  cubies);
	shuffle_others(random, cubies->corner_permutation, SLOT_CORNER);
	shuffle_others(random, cubies->edge_permutation, SLOT_EDGE);
}

void cube_set_draw(const struct cube_set *set, const struct cube_case *one,
		   const struct cube_random *random, struct cube_cubies *cubies)
{
	uint32_t number;
	for (;;) {
		if (set->slot != CUBE_SLOT_SOLVED)
			draw_slot(set, one, random, cubies);
		else
			draw_any(set, random, cubies);
		if (one && set->slot == CUBE_SLOT_SOLVED && set->base != CUBE_BASE_ANY)
			draw_case(set, one, random, cubies);
		if (set->size == 3 &&
		    cube_permutation_is_odd(cubies->corner_permutation, CUBE_CORNERS) !=
			    cube_permutation_is_odd(cubies->edge_permutation, CUBE_EDGES))
			continue;
		if (cube_set_number(set, cubies, &number) && !cube_set_is_trivial(set, number) &&
		    (!one || one->number == number))
			return;
	}
}
