/* core/solve/two_phase/phases.c: the small tables of the two-phase method, made. */
#include "core/solve/two_phase/phases.h"

const uint8_t phase2_moves[MOVES_2] = {0, 1, 2, 4, 7, 9, 10, 11, 13, 16};

static const uint8_t faces[MOVES] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5};
static const uint8_t faces_2[MOVES_2] = {0, 0, 0, 1, 2, 3, 3, 3, 4, 5};

/* ---- the states of both phases, packed: three times 16 bits ---- */

static uint64_t pack(uint64_t low, uint64_t middle, uint64_t high)
{
	return low | middle << 16 | high << 32;
}

static struct outside outside_of(uint64_t state)
{
	return (struct outside){(uint16_t)state, (uint16_t)(state >> 16), (uint16_t)(state >> 32)};
}

static uint64_t outside_after(const void *phases, uint64_t state, unsigned move)
{
	struct outside next = phase1_after(phases, outside_of(state), (int)move);
	return pack(next.twist, next.flip, next.slice);
}

static unsigned outside_names(const void *context, uint64_t state, uint32_t names[NEAR_NAMES])
{
	const struct phases *p = context;
	struct outside outside = outside_of(state);
	uint32_t class = p->twist_class[outside.twist], fixed = p->twist_fixed[class / 16];
	unsigned count = 0;
	for (uint32_t s = 0; fixed >> s != 0; s++)
		if (fixed >> s & 1)
			names[count++] = phase1_name(p, outside, p->symmetries.then[class % 16][s]);
	return count;
}

static struct inside inside_of(uint64_t state)
{
	return (struct inside){(uint16_t)state, (uint16_t)(state >> 16), (uint16_t)(state >> 32)};
}

static uint64_t inside_after(const void *phases, uint64_t state, unsigned move)
{
	struct inside next = phase2_after(phases, inside_of(state), move);
	return pack(next.corners, next.edges, next.spread);
}

static uint16_t seen_by(const struct phases *p, uint16_t class, uint32_t symmetry)
{
	return (uint16_t)((class & ~15) | p->symmetries.then[class % 16][symmetry]);
}

static unsigned inside_names(const void *context, uint64_t state, uint32_t names[NEAR_NAMES])
{
	const struct phases *p = context;
	const struct inside inside = inside_of(state);
	uint32_t corners = p->corner_fixed[inside.corners / 16];
	uint32_t edges = p->edge_fixed[inside.edges / 16];
	unsigned count = 0;
	names[0] = phase2_name(p, inside);
	if ((corners | edges) == 1) /* only the first symmetry, which does nothing */
		return 1;
	for (uint32_t c = 0; corners >> c != 0; c++)
		for (uint32_t e = 0; edges >> e != 0; e++)
			if (corners >> c & edges >> e & 1)
				names[count++] = phase2_name(
					p, (struct inside){seen_by(p, inside.corners, c),
							   seen_by(p, inside.edges, e),
							   inside.spread});
	return count;
}

/* ---- the tables ---- */

static void make_slice_mask(struct phases *p)
{
	for (uint32_t slice = 0; slice < SLICES; slice++) {
		struct cube_state3 state;
		uint32_t mask = 0;
		coordinate_slice.state(slice, &state);
		for (int i = 0; i < CUBE_EDGES - 1; i++)
			mask = mask << 1 | ((state.piece[i] >= 8) != (i >= 8));
		p->slice_mask[slice] = (uint16_t)mask;
	}
}

static void make_phase1(struct phases *p)
{
	for (int face = 0; face <= CUBE_FACES; face++) {
		p->follow[face] = 0;
		for (int m = 0; m < MOVES; m++)
			if (face_follows(move_face(m), face))
				p->follow[face] |= 1u << m;
	}
	coordinate_moves(&coordinate_twist, p->moves, MOVES, p->twist_move[0]);
	coordinate_moves(&coordinate_flip, p->moves, MOVES, p->flip_move[0]);
	coordinate_moves(&coordinate_slice, p->moves, MOVES, p->slice_move[0]);
	coordinate_images(&coordinate_flip, &p->symmetries, p->flip_image[0]);
	coordinate_images(&coordinate_slice, &p->symmetries, p->slice_image[0]);
	struct classes twists = {.coordinate = &coordinate_twist,
				 .count = TWIST_CLASSES,
				 .symmetries = SYMMETRIES_UD,
				 .of = p->twist_class,
				 .fixed = p->twist_fixed};
	classes_make(&twists, &p->symmetries, NULL, 0);
	make_slice_mask(p);
	const struct near near = {NEAR_1, NEARER_1_BITS, WITHIN_1_BITS, p->nearer_1, p->within_1};
	const struct near_space space = {p, 0, MOVES, faces, outside_after, outside_names};
	near_make(&near, &space, &p->work);
}

static void make_phase2(struct phases *p)
{
	for (int face = 0; face <= CUBE_FACES; face++) {
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
	uint16_t places_move[PLACES * MOVES_2], places[PLACES * MOVES_2];
	coordinate_moves(&coordinate_middle, moves, MOVES_2, middle_move);
	coordinate_moves(&coordinate_spread, moves, MOVES_2, p->spread_move[0]);
	coordinate_columns(&coordinate_middle, middle_move, MOVES_2, middles);
	coordinate_moves(&coordinate_places, moves, MOVES_2, places_move);
	coordinate_columns(&coordinate_places, places_move, MOVES_2, places);
	coordinate_images(&coordinate_places, &p->symmetries, p->places_image[0]);
	coordinate_images(&coordinate_middle, &p->symmetries, p->middle_image[0]);
	struct classes corners = {
		&coordinate_corners, CORNER_CLASSES,          SYMMETRIES_UD, p->corner_class,
		p->corner_fixed,     p->corner_class_move[0], NULL};
	struct classes edges = {
		&coordinate_edges, EDGE_CLASSES,          SYMMETRIES_UD, p->edge_class,
		p->edge_fixed,     p->edge_class_move[0], NULL};
	classes_make(&corners, &p->symmetries, moves, MOVES_2);
	classes_make(&edges, &p->symmetries, moves, MOVES_2);
	const struct near near = {NEAR_2, NEARER_2_BITS, WITHIN_2_BITS, p->nearer_2, p->within_2};
	uint64_t solved = pack(0, 0, coordinate_spread.of(&cube_state3_solved));
	const struct near_space space = {p, solved, MOVES_2, faces_2, inside_after, inside_names};
	near_make(&near, &space, &p->work);
	const struct pair pairs[] = {
		{&corners, &coordinate_places, places, p->places_image[0], MOVES_2},
		{&corners, &coordinate_middle, middles, p->middle_image[0], MOVES_2},
		{&edges, &coordinate_middle, middles, p->middle_image[0], MOVES_2}};
	prune_make(&pairs[0], p->corner_places[0]);
	prune_make(&pairs[1], p->corner_middle[0]);
	prune_make(&pairs[2], p->edge_middle[0]);
}

void phases_make(struct phases *phases)
{
	moves_make(phases->moves);
	symmetries_make(&phases->symmetries, phases->moves);
	make_phase1(phases);
	make_phase2(phases);
}
