/* core/solve/phases.c: the small tables of the two-phase method, made. */
#include "core/solve/phases.h"

const uint8_t phase2_moves[MOVES_2] = {0, 1, 2, 4, 7, 9, 10, 11, 13, 16};

static void make_phase1(struct phases *p)
{
	for (int face = 0; face < CUBE_FACES; face++) {
		p->follow[face] = 0;
		for (int m = 0; m < MOVES; m++)
			if (face_follows(move_face(m), face))
				p->follow[face] |= 1u << m;
	}
	coordinate_moves(&coordinate_twist, p->moves, MOVES, p->twist_move[0]);
	coordinate_moves(&coordinate_flip, p->moves, MOVES, p->flip_move[0]);
	coordinate_moves(&coordinate_ribbon, p->moves, MOVES, p->ribbon_move[0]);
	coordinate_images(&coordinate_twist, &p->symmetries, SYMMETRIES_ALL, p->twist_image[0]);
	coordinate_images(&coordinate_slice, &p->symmetries, SYMMETRIES_ALL, p->slice_image[0]);
	struct classes flips = {
		&coordinate_flip,      FLIP_CLASSES, SYMMETRIES_ALL, p->flip_class, p->flip_fixed,
		p->flip_class_move[0], NULL};
	struct classes ribbons = {&coordinate_ribbon,
				  RIBBON_CLASSES,
				  SYMMETRIES_ALL,
				  p->ribbon_class,
				  p->ribbon_fixed,
				  p->ribbon_class_move[0],
				  NULL};
	classes_make(&flips, &p->symmetries, p->moves, MOVES);
	classes_make(&ribbons, &p->symmetries, p->moves, MOVES);
	uint16_t slice_move[SLICES * MOVES], slices[SLICES * MOVES], twists[TWISTS * MOVES];
	coordinate_moves(&coordinate_slice, p->moves, MOVES, slice_move);
	coordinate_columns(&coordinate_slice, slice_move, MOVES, slices);
	coordinate_columns(&coordinate_twist, p->twist_move[0], MOVES, twists);
	const struct pair flip_slice = {&flips, &coordinate_slice, slices, p->slice_image[0],
					MOVES};
	const struct pair flip_twist = {&flips, &coordinate_twist, twists, p->twist_image[0],
					MOVES};
	const struct pair ribbon_twist = {&ribbons, &coordinate_twist, twists, p->twist_image[0],
					  MOVES};
	prune_make(&flip_slice, p->flip_slice[0]);
	prune_make(&flip_twist, p->flip_twist[0]);
	prune_make(&ribbon_twist, p->ribbon_twist[0]);
}

static void make_phase2(struct phases *p)
{
	for (int face = 0; face < CUBE_FACES; face++) {
		p->follow_2[face] = 0;
		for (int m = 0; m < MOVES_2; m++)
			if (face_follows(move_face(phase2_moves[m]), face))
				p->follow_2[face] |= (uint16_t)(1 << m);
	}
	struct cube_state3 moves[MOVES_2];
	for (int m = 0; m < MOVES_2; m++)
		moves[m] = p->moves[phase2_moves[m]];
	for (int s = 0; s < SYMMETRIES_UD; s++)
		for (int m = 0; m < MOVES_2; m++)
			for (uint8_t as = 0; as < MOVES_2; as++)
				if (phase2_moves[as] == p->symmetries.move[s][phase2_moves[m]])
					p->move_2[s][m] = as;
	uint16_t middle_move[MIDDLES * MOVES_2], middles[MIDDLES * MOVES_2];
	uint16_t spreads[SPREADS * MOVES_2];
	coordinate_moves(&coordinate_middle, moves, MOVES_2, middle_move);
	coordinate_moves(&coordinate_spread, moves, MOVES_2, p->spread_move[0]);
	coordinate_columns(&coordinate_middle, middle_move, MOVES_2, middles);
	coordinate_columns(&coordinate_spread, p->spread_move[0], MOVES_2, spreads);
	coordinate_images(&coordinate_spread, &p->symmetries, SYMMETRIES_UD, p->spread_image[0]);
	coordinate_images(&coordinate_middle, &p->symmetries, SYMMETRIES_UD, p->middle_image[0]);
	struct classes corners = {
		&coordinate_corners, CORNER_CLASSES,          SYMMETRIES_UD, p->corner_class,
		p->corner_fixed,     p->corner_class_move[0], NULL};
	struct classes edges = {
		&coordinate_edges, EDGE_CLASSES,          SYMMETRIES_UD, p->edge_class,
		p->edge_fixed,     p->edge_class_move[0], NULL};
	classes_make(&corners, &p->symmetries, moves, MOVES_2);
	classes_make(&edges, &p->symmetries, moves, MOVES_2);
	const struct pair corner_spread = {&corners, &coordinate_spread, spreads,
					   p->spread_image[0], MOVES_2};
	const struct pair edge_middle = {&edges, &coordinate_middle, middles, p->middle_image[0],
					 MOVES_2};
	prune_make(&corner_spread, p->corner_spread[0]);
	prune_make(&edge_middle, p->edge_middle[0]);
}

void phases_make(struct phases *phases)
{
	moves_make(phases->moves);
	symmetries_make(&phases->symmetries, phases->moves);
	make_phase1(phases);
	make_phase2(phases);
}
