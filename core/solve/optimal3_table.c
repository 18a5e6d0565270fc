/* core/solve/optimal3_table.c: the tables of the optimal method for the 3x3x3, made by a
 * breadth-first search in passes over all entries.
 *
 * The entries of one row and slice are a block of all flips; a move leads from a block to one other
 * block, and there from each entry to another by a table of flips. So a few kilobytes are in use at
 * a time. A pass looks at every entry that has no distance yet and asks its neighbours, where their
 * block has any at the right distance: nothing is written but the entry itself, and any number of
 * threads may work on different rows. */
#include "core/solve/optimal3.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#define UNSEEN 15
#define PART_CLASSES 4 /* rows of a part */
#define PARTS (TWIST_CLASSES / PART_CLASSES)
#define STEP_COORDINATES 0
#define STEP_CLEAR 1
#define STEP_PASSES 2
#define STEP_CHANGES (STEP_PASSES + DISTANCE_MAX)
#define STEPS (STEP_CHANGES + 1)

/* ---- coordinates ---- */

static void make_moves(struct optimal3 *tables)
{
	moves_make(tables->moves);
	symmetries_make(&tables->symmetries, tables->moves);
	for (int axis = 0; axis < AXES; axis++) {
		for (int m = 0; m < MOVES; m++) {
			uint8_t seen = tables->symmetries.move[SYMMETRIES_UD * axis][m];
			bool stays = move_face(seen) % 3 == CUBE_U || move_is_half(seen);
			tables->axis_move[axis][m] = seen;
			tables->axis_moves[m][axis] = tables->moves[seen];
			tables->around[axis] |= (uint32_t)stays << m;
			if (move_face(seen) % 3 == CUBE_U)
				tables->axis_of[move_face(m)] = (uint8_t)axis;
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

static void make_twist_classes(struct optimal3 *tables)
{
	uint32_t count = 0;
	struct cube_state3 state, seen;
	memset(tables->twist_class, 0xff, sizeof(tables->twist_class));
	for (uint32_t twist = 0; twist < TWISTS; twist++) {
		if (tables->twist_class[twist] != UINT16_MAX)
			continue;
		coordinate_twist.state(twist, &state);
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			symmetries_conjugate(&tables->symmetries, s, &state, &seen);
			uint16_t *class = &tables->twist_class[coordinate_twist.of(&seen)];
			if (*class == UINT16_MAX)
				*class = (uint16_t)(SYMMETRIES_UD * count +
						    tables->symmetries.inverse[s]);
		}
		assert(count < TWIST_CLASSES);
		tables->twist_of_class[count++] = (uint16_t)twist;
	}
	assert(count == TWIST_CLASSES);
}

/* Quarter turns about the axis flip the middle edges as they are counted, wherever they are. So the
 * image of the flips is that of flips with all edges home, xor that of no flips with these edges
 * in their places. */
static void make_edge_images(struct optimal3 *tables)
{
	struct cube_state3 state, seen;
	if (tables->flips > 1)
		coordinate_images(&coordinate_flip, &tables->symmetries, SYMMETRIES_UD,
				  tables->flip_image[0]);
	for (uint32_t slice = 0; slice < SLICES; slice++) {
		uint32_t places = 0;
		coordinate_slice.state(slice, &state);
		for (int i = 0; i < CUBE_EDGES; i++)
			places = places << 1 | (uint32_t)(state.piece[i] & CUBE_STATE3_PIECE) >> 3;
		tables->slice_of_places[places] = (uint16_t)slice;
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			symmetries_conjugate(&tables->symmetries, s, &state, &seen);
			tables->slice_image[s][slice] = coordinate_slice.of(&seen) * tables->flips +
							coordinate_flip.of(&seen) % tables->flips;
		}
	}
}

/* Bit of a move in the nibbles of its face and the opposite one. */
static int bit_in_byte(int move)
{
	return 4 * (move_face(move) / 3) + move_quarters(move) - 1;
}

/* Opposite faces remain opposite ones, however they are seen. */
static void make_changes(struct optimal3 *tables)
{
	for (int reading = 0; reading < READINGS; reading++) {
		for (uint32_t byte = 0; byte < 256; byte++) {
			for (int i = 0; i < 6; i++) {
				int move = i < 3 ? i : 9 + i - 3, seen = move;
				seen = reading & SWAPPED ? (seen + 9) % MOVES : seen;
				seen = reading & MIRRORED ? move_inverse(seen) : seen;
				bool farther = byte >> (seen < 9 ? 3 : 7) & 1;
				if (byte >> bit_in_byte(seen) & 1)
					tables->changes[reading][byte] |=
						(changes_t)1 << move
							     << (farther ? CHANGES_FARTHER : 0);
			}
		}
	}
	for (int axis = 0; axis < AXES; axis++) {
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			for (int pair = 0; pair < 3; pair++) {
				int seen = tables->symmetries
						   .move[s][tables->axis_move[axis][3 * pair]];
				int face = move_face(seen);
				tables->shift[axis][s][pair] = (uint8_t)(8 + 8 * (face % 3));
				tables->reading[axis][s][pair] =
					(uint8_t)((face >= 3 ? SWAPPED : 0) |
						  (move_quarters(seen) == 3 ? MIRRORED : 0));
			}
		}
	}
}

static void make_coordinates(struct optimal3 *tables)
{
	make_moves(tables);
	coordinate_moves(&coordinate_twist, tables->moves, MOVES, tables->twist_move[0]);
	coordinate_moves(&coordinate_flip, tables->moves, MOVES, tables->flip_move[0]);
	coordinate_moves(&coordinate_slice, tables->moves, MOVES, tables->slice_move[0]);
	make_twist_classes(tables);
	make_edge_images(tables);
	make_changes(tables);
}

/* ---- distances ---- */

static inline uint32_t distance(const _Atomic uint32_t *entry)
{
	return atomic_load_explicit(entry, memory_order_relaxed) & 15;
}

/* Where a move leads from a block: from the entry with some flips to
 * entry[image[flip_move[flips][move]] ^ toggle]. */
struct way {
	uint32_t class, slice; /* of the other block */
	const _Atomic uint32_t *entry;
	const uint16_t *image;
	uint32_t toggle;
};

static struct way way_of(const struct optimal3 *tables, uint32_t class, uint32_t slice, int move)
{
	uint32_t to = tables->twist_class[tables->twist_move[tables->twist_of_class[class]][move]];
	uint32_t image = tables->slice_image[to % SYMMETRIES_UD][tables->slice_move[slice][move]];
	struct way way = {.class = to / SYMMETRIES_UD,
			  .slice = image / tables->flips,
			  .image = tables->flip_image[to % SYMMETRIES_UD],
			  .toggle = image % tables->flips};
	way.entry = &tables->entry[way.class * optimal3_width(tables) + way.slice * tables->flips];
	return way;
}

static inline uint32_t distance_by(const struct optimal3 *tables, const struct way *way,
				   uint32_t flip, int move)
{
	return distance(&way->entry[way->image[tables->flip_move[flip][move]] ^ way->toggle]);
}

static bool block_has(const struct optimal3 *tables, uint32_t class, uint32_t slice, int depth)
{
	return atomic_load_explicit(&tables->there[class][slice], memory_order_relaxed) >> depth &
	       1;
}

/* Those of a block that have no distance and a neighbour at `depth`. */
static void pass_block(struct optimal3 *tables, uint32_t class, uint32_t slice, int depth)
{
	uint16_t at[FLIPS];
	size_t count = 0, first;
	_Atomic uint32_t *block =
		&tables->entry[class * optimal3_width(tables) + slice * tables->flips];
	if (!block_has(tables, class, slice, UNSEEN))
		return;
	for (uint32_t flip = 0; flip < tables->flips; flip++) {
		at[count] = (uint16_t)flip;
		count += distance(&block[flip]) == UNSEEN;
	}
	first = count;
	for (int m = 0; m < MOVES && count > 0; m++) {
		const struct way way = way_of(tables, class, slice, m);
		size_t left = 0;
		if (!block_has(tables, way.class, way.slice, depth))
			continue;
		for (size_t i = 0; i < count; i++) {
			uint16_t flip = at[i];
			bool met = distance_by(tables, &way, flip, m) == (uint32_t)depth;
			if (met)
				atomic_store_explicit(&block[flip], (uint32_t)depth + 1,
						      memory_order_relaxed);
			at[left] = flip;
			left += !met;
		}
		count = left;
	}
	uint16_t there = atomic_load_explicit(&tables->there[class][slice], memory_order_relaxed);
	if (count < first)
		there |= (uint16_t)(1u << (depth + 1));
	if (count == 0)
		there &= (uint16_t) ~(1u << UNSEEN);
	atomic_store_explicit(&tables->there[class][slice], there, memory_order_relaxed);
}

/* All distances are known: the nibbles of a block. */
static void changes_block(struct optimal3 *tables, uint32_t class, uint32_t slice)
{
	uint32_t word[FLIPS];
	_Atomic uint32_t *block =
		&tables->entry[class * optimal3_width(tables) + slice * tables->flips];
	for (uint32_t flip = 0; flip < tables->flips; flip++)
		word[flip] = distance(&block[flip]);
	for (int m = 0; m < MOVES; m++) {
		const struct way way = way_of(tables, class, slice, m);
		int byte = 8 + 8 * (move_face(m) % 3), bit = byte + bit_in_byte(m);
		int farther = byte + (move_face(m) < 3 ? 3 : 7);
		for (uint32_t flip = 0; flip < tables->flips; flip++) {
			uint32_t here = word[flip] & 15;
			uint32_t next = distance_by(tables, &way, flip, m);
			word[flip] |= (uint32_t)(next != here) << bit | (uint32_t)(next > here)
										<< farther;
		}
	}
	for (uint32_t flip = 0; flip < tables->flips; flip++)
		atomic_store_explicit(&block[flip], word[flip], memory_order_relaxed);
}

static void clear_row(struct optimal3 *tables, uint32_t class)
{
	size_t width = optimal3_width(tables), first = class * width;
	for (size_t i = first; i < first + width; i++)
		atomic_init(&tables->entry[i], UNSEEN);
	for (uint32_t slice = 0; slice < SLICES; slice++)
		atomic_init(&tables->there[class][slice], 1u << UNSEEN);
	if (class == 0) {
		/* Twist 0 is the first of its class, and solved: slice and flip are 0. */
		atomic_init(&tables->entry[0], 0);
		atomic_init(&tables->there[0][0], 1u << UNSEEN | 1);
	}
}

static void make(struct optimal3 *tables, uint32_t flips, unsigned step, unsigned part)
{
	if (step == STEP_COORDINATES && part == 0) {
		memset(&tables->head + 1, 0, sizeof(*tables) - sizeof(tables->head));
		tables->flips = flips;
		make_coordinates(tables);
	}
	if (step == STEP_COORDINATES)
		return;
	for (uint32_t class = part * PART_CLASSES; class < (part + 1) * PART_CLASSES; class ++) {
		if (step == STEP_CLEAR)
			clear_row(tables, class);
		for (uint32_t slice = 0; step >= STEP_PASSES && slice < SLICES; slice++) {
			if (step == STEP_CHANGES)
				changes_block(tables, class, slice);
			else
				pass_block(tables, class, slice, (int)(step - STEP_PASSES));
		}
	}
}

static void make_small(void *tables, unsigned step, unsigned part)
{
	make(tables, 1, step, part);
}

static void make_large(void *tables, unsigned step, unsigned part)
{
	make(tables, FLIPS, step, part);
}

#define BYTES(flips)                                                                               \
	((sizeof(struct optimal3) + (size_t)TWIST_CLASSES * SLICES * (flips) * sizeof(uint32_t) +  \
	  CUBE_SOLVE_ALIGN - 1) /                                                                  \
	 CUBE_SOLVE_ALIGN * CUBE_SOLVE_ALIGN)

const struct cube_solver_tables optimal3_tables[OPTIMAL3_TABLES] = {
	{.name = "small",
	 .magic = 0x336f7001,
	 .bytes = BYTES(1),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_small},
	{.name = "large",
	 .magic = 0x336f7002,
	 .bytes = BYTES(FLIPS),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_large},
};
