/* core/sets/slot.c: sets of the last slot: the place of the pair that belongs there, and the twists and flips
 * of the others. */
#include "core/permutation.h"
#include "core/sets/sets_internal.h"
#include "cube/ranks.h"

/* The places of the pair and of the last layer, the slot first. */
static const uint8_t corner_places[SLOT_PLACES] = {SLOT_CORNER, 0, 1, 2, 3};
static const uint8_t edge_places[SLOT_PLACES] = {SLOT_EDGE, 0, 1, 2, 3};

/* The last slot and layer. The indices are those of the places above. */
struct slot {
	uint8_t corner, edge; /* the places of the pieces of the pair */
	uint8_t twist[SLOT_PLACES], flip[SLOT_PLACES];
};

/* Collects the twists or flips of the four pieces that are not of the pair, which is at `pair`. */
static void others(const uint8_t turn[SLOT_PLACES], uint8_t pair, uint8_t other[LAYER_PLACES])
{
	for (int i = 0, count = 0; i < SLOT_PLACES; i++)
		if (i != pair)
			other[count++] = turn[i];
}

static uint32_t pair_of(const struct slot *slot)
{
	const uint32_t corner = slot->corner * 3u + slot->twist[slot->corner];
	return (corner * SLOT_PLACES + slot->edge) * 2u + slot->flip[slot->edge];
}

static uint32_t number_of(const struct cube_set *set, const struct slot *slot)
{
	uint8_t twist[LAYER_PLACES], flip[LAYER_PLACES];
	uint32_t twists = 0, flips = 0;
	others(slot->twist, slot->corner, twist);
	others(slot->flip, slot->edge, flip);
	if (set->twists == CUBE_SET_COUNTS)
		twists = cube_rank_turns(twist, LAYER_PLACES, 3);
	if (set->flips == CUBE_SET_COUNTS)
		flips = cube_rank_turns(flip, LAYER_PLACES, 2);
	return (pair_of(slot) * LAYER_TWISTS + twists) * LAYER_FLIPS + flips;
}

/* Turns the four others as `digits` says, the first one most significant; the last one follows. */
static void turn_others(uint8_t turn[SLOT_PLACES], uint8_t pair, uint32_t digits, uint32_t base)
{
	uint32_t sum = turn[pair], weight = base * base;
	int count = 0;
	for (int i = 0; i < SLOT_PLACES; i++) {
		if (i == pair)
			continue;
		turn[i] =
			(uint8_t)(count < 3 ? digits / weight % base : (base - sum % base) % base);
		sum += turn[i];
		weight = weight > 1 ? weight / base : 1;
		count++;
	}
}

static void of_number(uint32_t number, struct slot *slot)
{
	const uint32_t pair = number / NUMBER_OF_PAIR;
	*slot = (struct slot){.corner = (uint8_t)(pair / (2 * SLOT_PLACES) / 3),
			      .edge = (uint8_t)(pair / 2 % SLOT_PLACES)};
	slot->twist[slot->corner] = (uint8_t)(pair / (2 * SLOT_PLACES) % 3);
	slot->flip[slot->edge] = (uint8_t)(pair % 2);
	turn_others(slot->twist, slot->corner, number / LAYER_FLIPS % LAYER_TWISTS, 3);
	turn_others(slot->flip, slot->edge, number % LAYER_FLIPS, 2);
}

/* The place after a turn of U. */
static uint8_t next_place(int place)
{
	return (uint8_t)(place == 0 ? 0 : place % LAYER_PLACES + 1);
}

static void turn_u(struct slot *slot)
{
	const struct slot before = *slot;
	slot->corner = next_place(before.corner);
	slot->edge = next_place(before.edge);
	for (int i = 0; i < SLOT_PLACES; i++) {
		slot->twist[next_place(i)] = before.twist[i];
		slot->flip[next_place(i)] = before.flip[i];
	}
}

/* Returns the smallest of the numbers that turns of U lead to. `same`: how many of the four are it. */
static uint32_t smallest(const struct cube_set *set, struct slot slot, int *same)
{
	uint32_t number = UINT32_MAX;
	*same = 0;
	for (int i = 0; i < LAYER_PLACES; i++, turn_u(&slot)) {
		const uint32_t one = number_of(set, &slot);
		*same = one < number ? 1 : *same + (one == number);
		number = one < number ? one : number;
	}
	return number;
}

static bool is_of(const struct cube_set *set, uint32_t number)
{
	return set->slot == CUBE_SLOT_ANY || number == 0 || number / NUMBER_OF_PAIR == PAIR_JOINED;
}

bool slot_number(const struct cube_set *set, const struct cube_cubies *cubies, uint32_t *number)
{
	struct slot slot = {0};
	int same;
	for (uint8_t i = 0; i < SLOT_PLACES; i++) {
		slot.twist[i] = cubies->corner_orientation[corner_places[i]];
		slot.flip[i] = cubies->edge_orientation[edge_places[i]];
		if (cubies->corner_permutation[corner_places[i]] == SLOT_CORNER)
			slot.corner = i;
		if (cubies->edge_permutation[edge_places[i]] == SLOT_EDGE)
			slot.edge = i;
	}
	for (int i = 0; i < SLOT_PLACES; i++)
		if ((set->twists == CUBE_SET_SOLVED && slot.twist[i] != 0 && i != slot.corner) ||
		    (set->flips == CUBE_SET_SOLVED && slot.flip[i] != 0 && i != slot.edge))
			return false;
	*number = smallest(set, slot, &same);
	return is_of(set, *number);
}

/* The next number in which what does not count is 0. */
static uint32_t next_number(const struct cube_set *set, uint32_t number)
{
	number++;
	if (set->flips != CUBE_SET_COUNTS)
		number = (number + LAYER_FLIPS - 1) / LAYER_FLIPS * LAYER_FLIPS;
	if (set->twists != CUBE_SET_COUNTS && number / LAYER_FLIPS % LAYER_TWISTS != 0)
		number = (number / NUMBER_OF_PAIR + 1) * NUMBER_OF_PAIR;
	return number;
}

uint32_t slot_next(const struct cube_set *set, uint32_t number, int *states)
{
	while ((number = next_number(set, number)) < SLOT_PAIRS * NUMBER_OF_PAIR) {
		struct slot slot;
		int same;
		of_number(number, &slot);
		if (!is_of(set, number) || smallest(set, slot, &same) != number)
			continue;
		*states = LAYER_PLACES / same;
		return number;
	}
	return 0;
}

/* ---- states ---- */

/* Puts pieces into the places: that of the pair where it is, those of the last layer in their order. */
static void place_pieces(uint8_t *piece, const uint8_t places[SLOT_PLACES], uint8_t pair)
{
	for (uint8_t i = 0, next = 0; i < SLOT_PLACES; i++)
		piece[places[i]] = i == pair ? places[0] : next++;
}

void slot_make(uint32_t number, uint32_t turns, struct cube_cubies *cubies)
{
	struct slot slot;
	of_number(number, &slot);
	for (; turns > 0; turns--)
		turn_u(&slot);
	case_solved(cubies);
	place_pieces(cubies->corner_permutation, corner_places, slot.corner);
	place_pieces(cubies->edge_permutation, edge_places, slot.edge);
	for (int i = 0; i < SLOT_PLACES; i++) {
		cubies->corner_orientation[corner_places[i]] = slot.twist[i];
		cubies->edge_orientation[edge_places[i]] = slot.flip[i];
	}
}

/* Returns the index of the last place but `before` that has no piece of the pair. */
static int last_other(uint8_t pair, int before)
{
	int at = before - 1;
	return at == pair ? at - 1 : at;
}

void slot_state(uint32_t number, struct cube_cubies *cubies)
{
	struct slot slot;
	of_number(number, &slot);
	slot_make(number, 0, cubies);
	if (cube_permutation_is_odd(cubies->corner_permutation, CUBE_CORNERS) ==
	    cube_permutation_is_odd(cubies->edge_permutation, CUBE_EDGES))
		return;
	const int one = last_other(slot.edge, SLOT_PLACES), other = last_other(slot.edge, one);
	swap_pieces(&cubies->edge_permutation[edge_places[one]],
		    &cubies->edge_permutation[edge_places[other]]);
}

/* ---- shapes ---- */

/* The kinds of pairs: solved; both pieces in the slot; only the corner, only the edge there; both in the last
 * layer. */
static const char *const kind_names[] = {"solved", "slot", "corner", "edge", "up"};

static int kind_of(uint32_t pair)
{
	const bool corner = pair / (2 * SLOT_PLACES) / 3 == 0, edge = pair / 2 % SLOT_PLACES == 0;
	return pair == 0 ? 0 : corner && edge ? 1 : corner ? 2 : edge ? 3 : 4;
}

/* Returns the place of a pair among those of its kind, from 1 on, as in the set of pairs alone. */
static int place_in_kind(uint32_t pair)
{
	static const struct cube_set pairs = {
		.twists = CUBE_SET_FREE, .flips = CUBE_SET_FREE, .slot = CUBE_SLOT_ANY};
	int place = 0, states;
	for (uint32_t number = slot_next(&pairs, 0, &states);
	     number != 0 && number <= pair * NUMBER_OF_PAIR;
	     number = slot_next(&pairs, number, &states))
		place += kind_of(number / NUMBER_OF_PAIR) == kind_of(pair);
	return place;
}

int slot_shape(const struct cube_set *set, uint32_t number)
{
	const uint32_t pair = number / NUMBER_OF_PAIR;
	if (set->slot == CUBE_SLOT_JOINED)
		return 0;
	return kind_of(pair) * SLOT_SHAPES +
	       (set->flips == CUBE_SET_COUNTS ? place_in_kind(pair) : 0);
}

const char *slot_shape_name(int shape)
{
	return kind_names[shape / SLOT_SHAPES];
}
