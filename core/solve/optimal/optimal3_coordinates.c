/* core/solve/optimal/optimal3_coordinates.c: what the tables of the optimal method for the 3x3x3 are
 * counted by: moves, classes and images of coordinates. */
#include <assert.h>
#include <string.h>

#include "core/solve/optimal/optimal3_internal.h"

/* ---- moves, blocks, edges ---- */

static void make_moves(struct optimal3 *tables)
{
	moves_make(tables->moves);
	symmetries_make(&tables->symmetries, tables->moves);
	for (int axis = 0; axis < AXES; axis++) {
		for (int m = 0; m < MOVES; m++) {
			uint8_t seen = tables->symmetries.move[SYMMETRIES_UD * axis][m];
			tables->axis_move[axis][m] = seen;
			tables->axis_moves[m][axis] = tables->moves[seen];
			if (move_is_half(m))
				tables->halves |= 1u << m;
			if (move_face(seen) % 3 != CUBE_U)
				continue;
			tables->axis_of[move_face(m)] = (uint8_t)axis;
			if (!move_is_half(m))
				tables->turns_of[axis] |= 1u << m;
		}
	}
	for (int face = 0; face <= CUBE_FACES; face++) {
		for (int m = 0; m < MOVES; m++) {
			bool follows = face == CUBE_FACES || face_follows(move_face(m), face);
			bool precedes = face == CUBE_FACES || face_follows(face, move_face(m));
			tables->order[0][face] |= (uint32_t)follows << m;
			tables->order[1][face] |= (uint32_t)precedes << m;
		}
	}
}

/* The first twist of each class stands for it; and of the images that a slice has under the
 * symmetries that leave that twist as it is, the first. */
static void make_blocks_of(struct optimal3 *tables, uint32_t class, uint32_t twist, uint32_t fixed,
			   uint32_t *count)
{
	memset(tables->block[class], 0xff, sizeof(tables->block[class]));
	tables->block_first[class] = *count;
	for (uint32_t slice = 0; slice < SLICES; slice++) {
		if (tables->block[class][slice] != UINT16_MAX)
			continue;
		for (uint32_t s = 0; s < SYMMETRIES_UD; s++) {
			uint16_t *block = &tables->block[class][tables->slice_image[s][slice]];
			if ((fixed >> s & 1) && *block == UINT16_MAX)
				*block = (uint16_t)(SYMMETRIES_UD *
							    (*count - tables->block_first[class]) +
						    tables->symmetries.inverse[s]);
		}
		assert(*count < BLOCKS);
		tables->block_twist[*count] = (uint16_t)twist;
		tables->block_slice[(*count)++] = (uint16_t)slice;
	}
}

static void make_classes(struct optimal3 *tables)
{
	uint32_t classes = 0, blocks = 0;
	struct cube_state3 state, seen;
	memset(tables->twist_class, 0xff, sizeof(tables->twist_class));
	for (uint32_t twist = 0; twist < TWISTS; twist++) {
		uint32_t fixed = 0;
		if (tables->twist_class[twist] != UINT16_MAX)
			continue;
		coordinate_twist.state(twist, &state);
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			symmetries_conjugate(&tables->symmetries, s, &state, &seen);
			uint32_t image = coordinate_twist.of(&seen);
			fixed |= (uint32_t)(image == twist) << s;
			if (tables->twist_class[image] == UINT16_MAX)
				tables->twist_class[image] =
					(uint16_t)(SYMMETRIES_UD * classes +
						   tables->symmetries.inverse[s]);
		}
		assert(classes < TWIST_CLASSES);
		make_blocks_of(tables, classes++, twist, fixed, &blocks);
	}
	assert(classes == TWIST_CLASSES && blocks == BLOCKS);
}

/* Quarter turns about the axis flip the middle edges as they are counted, wherever they are. So the
 * image of the flips is that of flips with all edges home, xor that of no flips with these edges
 * in their places. */
static void make_edge_images(struct optimal3 *tables)
{
	struct cube_state3 state, seen;
	if (tables->flips > 1)
		coordinate_images(&coordinate_flip, &tables->symmetries, tables->flip_image[0]);
	for (uint32_t slice = 0; slice < SLICES; slice++) {
		uint32_t places = 0;
		coordinate_slice.state(slice, &state);
		for (int i = 0; i < CUBE_EDGES; i++)
			places = places << 1 | (uint32_t)(state.piece[i] & CUBE_STATE3_PIECE) >> 3;
		tables->slice_of_places[places] = (uint16_t)slice;
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			symmetries_conjugate(&tables->symmetries, s, &state, &seen);
			tables->slice_image[s][slice] = (uint16_t)coordinate_slice.of(&seen);
			tables->flip_toggle[s][slice] =
				tables->flips > 1 ? (uint16_t)coordinate_flip.of(&seen) : 0;
		}
	}
}

/* ---- packed flips ---- */

/* The flips of edges in other places than these, in the order of the places. */
static uint32_t pack(uint32_t places, uint32_t flip)
{
	uint32_t packed = 0, all = flip << 1;
	for (int bit = 1; bit < CUBE_EDGES; bit++)
		all ^= all >> bit & 1; /* the last edge's */
	for (int bit = CUBE_EDGES; bit-- > 0;)
		if (!(places >> bit & 1))
			packed = packed << 1 | (all >> bit & 1);
	return packed;
}

/* Packing is linear: the number of a sum (xor) of flips is the sum of their numbers. */
static void make_packs_of(struct optimal3 *tables, uint32_t places)
{
	const uint32_t slice = tables->slice_of_places[places];
	for (uint32_t flip = 0; flip < FLIPS; flip++) {
		const uint32_t packed = pack(places, flip);
		for (int bit = 0; bit < PACK_BITS; bit++)
			if (packed == 1u << bit)
				tables->unpack[slice][bit] = (uint16_t)flip;
		if (flip < 1 << PACK_LOW_BITS)
			tables->pack_low[slice][flip] = (uint8_t)packed;
		if (flip % (1 << PACK_LOW_BITS) == 0)
			tables->pack_high[slice][flip >> PACK_LOW_BITS] = (uint8_t)packed;
	}
}

static void make_packs(struct optimal3 *tables)
{
	struct cube_state3 state;
	for (uint32_t slice = 0; slice < SLICES; slice++) {
		uint32_t places = 0;
		coordinate_slice.state(slice, &state);
		for (int i = 0; i < CUBE_EDGES; i++)
			places = places << 1 | (uint32_t)(state.piece[i] & CUBE_STATE3_PIECE) >> 3;
		make_packs_of(tables, places);
	}
}

/* ---- splits ---- */

static uint32_t split_of(const struct optimal3 *tables, const struct cube_state3 *state)
{
	uint32_t places = 0;
	for (int i = 0; i < CUBE_CORNERS; i++) {
		uint32_t piece = state->piece[CUBE_STATE3_CORNERS + i] & CUBE_STATE3_PIECE;
		places = places << 1 | (OPTIMAL3_SECOND_TETRAD >> (CUBE_CORNERS - 1 - piece) & 1);
	}
	return tables->split_of_places[places];
}

/* A state in which the second tetrad is in these places. */
static void split_state(uint32_t places, struct cube_state3 *state)
{
	uint8_t next[2] = {0, 0};
	*state = cube_state3_solved;
	for (int i = 0; i < CUBE_CORNERS; i++) {
		uint32_t second = places >> (CUBE_CORNERS - 1 - i) & 1;
		while ((OPTIMAL3_SECOND_TETRAD >> (CUBE_CORNERS - 1 - next[second]) & 1) != second)
			next[second]++;
		state->piece[CUBE_STATE3_CORNERS + i] = next[second]++;
	}
}

static void make_splits(struct optimal3 *tables)
{
	uint8_t places[SPLITS];
	uint32_t count = 0;
	/* Without the place URF: that one is then among the first tetrad's. */
	for (uint32_t set = 0; set < 1 << (CUBE_CORNERS - 1); set++) {
		uint32_t in = 0, all = (1 << CUBE_CORNERS) - 1;
		for (int i = 0; i < CUBE_CORNERS; i++)
			in += set >> i & 1;
		if (in != CUBE_CORNERS / 2)
			continue;
		tables->split_of_places[set] = tables->split_of_places[all ^ set] = (uint8_t)count;
		places[count++] = (uint8_t)set;
	}
	assert(count == SPLITS);
	for (uint32_t split = 0; split < SPLITS; split++) {
		struct cube_state3 state, next;
		split_state(places[split], &state);
		for (int m = 0; m < MOVES; m++) {
			cube_state3_compose(&next, &state, &tables->moves[m]);
			tables->split_move[split][m] = (uint8_t)split_of(tables, &next);
		}
		for (int axis = 0; axis < AXES; axis++) {
			for (int s = 0; s < SYMMETRIES_UD; s++) {
				symmetries_conjugate(&tables->symmetries, SYMMETRIES_UD * axis,
						     &state, &next);
				symmetries_conjugate(&tables->symmetries, s, &next, &next);
				tables->split_image[axis][s][split] =
					(uint8_t)split_of(tables, &next);
			}
		}
	}
}

void optimal3_make_coordinates(struct optimal3 *tables)
{
	make_moves(tables);
	coordinate_moves(&coordinate_twist, tables->moves, MOVES, tables->twist_move[0]);
	coordinate_moves(&coordinate_flip, tables->moves, MOVES, tables->flip_move[0]);
	coordinate_moves(&coordinate_slice, tables->moves, MOVES, tables->slice_move[0]);
	make_edge_images(tables);
	if (tables->packed)
		make_packs(tables);
	make_classes(tables);
	make_splits(tables);
}
