/* core/sets/state.c: a state of each case. */
#include "core/permutation.h"
#include "core/sets/sets_internal.h"

void case_solved(struct cube_cubies *cubies)
{
	*cubies = (struct cube_cubies){0};
	for (uint8_t i = 0; i < CUBE_CORNERS; i++)
		cubies->corner_permutation[i] = i;
	for (uint8_t i = 0; i < CUBE_EDGES; i++)
		cubies->edge_permutation[i] = i;
	for (uint8_t i = 0; i < CUBE_FACES; i++)
		cubies->centers[i] = i;
}

/* Swaps the corner at a place with the next one of its layer (`apart` 1) or the one across (2). Callers
 * choose `first` so that DBL stays home. */
static void swap_corners(struct cube_cubies *cubies, int first, int apart)
{
	swap_pieces(&cubies->corner_permutation[first], &cubies->corner_permutation[first + apart]);
}

void cube_case_state(const struct cube_set *set, const struct cube_case *one,
		     struct cube_cubies *cubies)
{
	struct last_layer layer;
	if (set->slot != CUBE_SLOT_SOLVED) {
		slot_state(one->number, cubies);
		return;
	}
	case_solved(cubies);
	if (set->base == CUBE_BASE_ANY) {
		if (one->number / 3 != CLASS_SOLVED)
			swap_corners(cubies, 0, (int)(one->number / 3));
		if (one->number % 3 != CLASS_SOLVED)
			swap_corners(cubies, BASE_FIRST + (one->number % 3 == CLASS_DIAGONAL),
				     (int)(one->number % 3));
		return;
	}
	layer_of_number(one->number, &layer);
	for (int i = 0; i < LAYER_PLACES; i++) {
		cubies->corner_permutation[i] = layer.corner[i];
		cubies->corner_orientation[i] = layer.twist[i];
		cubies->edge_permutation[i] = layer.edge[i];
		cubies->edge_orientation[i] = layer.flip[i];
	}
	if (set->size == 2) {
		if (set->base != CUBE_BASE_SOLVED)
			swap_corners(cubies, BASE_FIRST + (set->base == CUBE_BASE_DIAGONAL),
				     (int)set->base);
	} else if (cube_permutation_is_odd(layer.corner, LAYER_PLACES) !=
		   cube_permutation_is_odd(layer.edge, LAYER_PLACES)) {
		/* One of them is free. */
		if (set->edges == CUBE_SET_FREE)
			swap_pieces(&cubies->edge_permutation[2], &cubies->edge_permutation[3]);
		else
			swap_corners(cubies, 2, 1);
	}
}
