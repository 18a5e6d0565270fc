/* core/solve/optimal3_table.c: the tables of the optimal method for the 3x3x3, made by a
 * breadth-first search in passes over all entries.
 *
 * A move leads from a block to one other
 * block, and there from each entry to another by a table of flips. So a few kilobytes are in use at
 * a time. A pass looks at every entry that has no distance yet and asks its neighbours, where their
 * block has any at the right distance: nothing is written but the entry itself, and any number of
 * threads may work on different rows. */
#include "core/solve/optimal3.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#define UNSEEN 15
#define PARTS 45
#define PART_BLOCKS (BLOCKS / PARTS) /* without a rest */
#define STEP_COORDINATES 0
#define STEP_CLEAR 1
#define STEP_PASSES 2
#define STEP_DIGITS (STEP_PASSES + DISTANCE_MAX)
#define STEPS (STEP_DIGITS + 1)

/* ---- coordinates ---- */

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
			tables->slice_image[s][slice] = (uint16_t)coordinate_slice.of(&seen);
			tables->flip_toggle[s][slice] =
				(uint16_t)(coordinate_flip.of(&seen) % tables->flips);
		}
	}
}

/* ---- changes ---- */

#define ALL_OF_FACE 7
#define QUARTERS_OF_FACE 5

/* The digit for the moves of a face, bits 0..2, that lead nearer or farther: one of them is 0. */
static uint32_t digit_of(uint32_t nearer, uint32_t farther, bool is_far)
{
	uint32_t told = is_far ? nearer : farther, other = is_far ? farther : nearer;
	if (told != 0 || other == 0)
		return told;
	if (!is_far) /* no move less may be told */
		return (other | QUARTERS_OF_FACE) == QUARTERS_OF_FACE ? 9 : 8;
	return other == ALL_OF_FACE ? 8 : (other & QUARTERS_OF_FACE) == QUARTERS_OF_FACE ? 9 : 0;
}

/* What a digit says, as changes of the first face. */
static changes_t changes_of(uint32_t digit, bool is_far)
{
	bool farther = (digit < 8) != is_far;
	changes_t moves = digit < 8 ? digit : digit == 8 ? ALL_OF_FACE : QUARTERS_OF_FACE;
	return farther ? moves << CHANGES_FARTHER : moves;
}

/* A mirror exchanges the two quarter turns. */
static changes_t mirrored(changes_t changes)
{
	const changes_t first = 1 | (changes_t)1 << CHANGES_FARTHER;
	return (changes & first) << 2 | (changes >> 2 & first) | (changes & first << 1);
}

/* Opposite faces remain opposite ones, however they are seen. */
static void make_changes(struct optimal3 *tables)
{
	for (int kind = 0; kind < DIGITS_KINDS; kind++) {
		for (uint32_t pair = 0; pair < 100; pair++) {
			changes_t one = changes_of(pair % 10, kind & DIGITS_FAR);
			changes_t two = changes_of(pair / 10, kind & DIGITS_FAR);
			one = kind & MIRRORED ? mirrored(one) : one;
			two = kind & MIRRORED ? mirrored(two) : two;
			for (int faces = 0; faces < 3; faces++)
				tables->changes[faces][kind][pair] =
					(kind & SWAPPED ? two | one << 9 : one | two << 9)
					<< 3 * faces;
		}
	}
	for (int axis = 0; axis < AXES; axis++) {
		for (int s = 0; s < SYMMETRIES_UD; s++) {
			for (int faces = 0; faces < 3; faces++) {
				int move = tables->axis_move[axis][3 * faces];
				int seen = tables->symmetries.move[s][move];
				int face = move_face(seen);
				int kind = (face >= 3 ? SWAPPED : 0) |
					   (move_quarters(seen) == 3 ? MIRRORED : 0);
				tables->reading[axis][s].of[face % 3] =
					(uint8_t)(DIGITS_KINDS * faces + kind);
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
	make_edge_images(tables);
	make_classes(tables);
	make_changes(tables);
}

/* ---- distances ---- */

/* The highest byte of an entry has its distance, and nothing else of it while that is looked for:
 * so others may read what is being written. */
static inline _Atomic uint8_t *top_of(struct optimal3 *tables, size_t entry)
{
	return &tables->entry[ENTRY_BYTES * entry + 2];
}

static inline uint32_t distance(const struct optimal3 *tables, size_t entry)
{
	return atomic_load_explicit(&tables->entry[ENTRY_BYTES * entry + 2],
				    memory_order_relaxed) >>
	       4;
}

/* Where a move leads from a block: from an entry, 2 * flip + parity, to another block's. */
struct way {
	uint32_t block;
	size_t first; /* entry of that block */
	const uint16_t *image;
	uint32_t toggle, parity, move;
};

static struct way way_of(const struct optimal3 *tables, uint32_t block, uint32_t move)
{
	uint32_t twist = tables->twist_move[tables->block_twist[block]][move];
	uint32_t slice = tables->slice_move[tables->block_slice[block]][move];
	struct optimal3_where to = optimal3_find(tables, twist, 0, slice);
	uint32_t size = PARITIES * tables->flips, toggle = (uint32_t)(to.entry % size) / PARITIES;
	return (struct way){.block = (uint32_t)(to.entry / size),
			    .first = to.entry - to.entry % size,
			    .image = tables->flip_image[to.symmetry],
			    .toggle = toggle,
			    .parity = !move_is_half((int)move),
			    .move = move};
}

static inline size_t way_leads(const struct optimal3 *tables, const struct way *way, uint32_t from)
{
	uint32_t flip = way->image[tables->flip_move[from / PARITIES][way->move]] ^ way->toggle;
	return way->first + PARITIES * flip + ((from % PARITIES) ^ way->parity);
}

static bool block_has(const struct optimal3 *tables, uint32_t block, int depth)
{
	return atomic_load_explicit(&tables->there[block], memory_order_relaxed) >> depth & 1;
}

/* Those of a block that have no distance and a neighbour at `depth`. */
static void pass_block(struct optimal3 *tables, uint32_t block, int depth)
{
	uint16_t at[PARITIES * FLIPS];
	size_t count = 0, all, size = PARITIES * tables->flips, first = block * size;
	if (!block_has(tables, block, UNSEEN))
		return;
	for (uint32_t i = 0; i < size; i++) {
		at[count] = (uint16_t)i;
		count += distance(tables, first + i) == UNSEEN;
	}
	all = count;
	for (uint32_t m = 0; m < MOVES && count > 0; m++) {
		const struct way way = way_of(tables, block, m);
		size_t left = 0;
		if (!block_has(tables, way.block, depth))
			continue;
		for (size_t i = 0; i < count; i++) {
			uint16_t from = at[i];
			bool met =
				distance(tables, way_leads(tables, &way, from)) == (uint32_t)depth;
			if (met)
				atomic_store_explicit(top_of(tables, first + from),
						      (uint8_t)((depth + 1) << 4),
						      memory_order_relaxed);
			at[left] = from;
			left += !met;
		}
		count = left;
	}
	uint16_t there = atomic_load_explicit(&tables->there[block], memory_order_relaxed);
	if (count < all)
		there |= (uint16_t)(1u << (depth + 1));
	if (count == 0)
		there &= (uint16_t) ~(1u << UNSEEN);
	atomic_store_explicit(&tables->there[block], there, memory_order_relaxed);
}

/* ---- the digits, when all distances are known ---- */

static uint32_t code_of(uint32_t nearer, uint32_t farther, bool is_far)
{
	uint32_t code = 0;
	for (int pair = 0; pair < 3; pair++) {
		int one = 3 * pair, two = one + 9;
		code = 100 * code + digit_of(nearer >> one & 7, farther >> one & 7, is_far) +
		       10 * digit_of(nearer >> two & 7, farther >> two & 7, is_far);
	}
	return code;
}

static void digits_block(struct optimal3 *tables, uint32_t block)
{
	uint32_t nearer[PARITIES * FLIPS], farther[PARITIES * FLIPS];
	size_t size = PARITIES * tables->flips, first = block * size;
	memset(nearer, 0, sizeof(nearer));
	memset(farther, 0, sizeof(farther));
	for (uint32_t m = 0; m < MOVES; m++) {
		const struct way way = way_of(tables, block, m);
		for (uint32_t i = 0; i < size; i++) {
			uint32_t here = distance(tables, first + i);
			uint32_t next = distance(tables, way_leads(tables, &way, i));
			nearer[i] |= (uint32_t)(next < here) << m;
			farther[i] |= (uint32_t)(next > here) << m;
		}
	}
	for (uint32_t i = 0; i < size; i++) {
		uint32_t here = distance(tables, first + i);
		uint32_t entry =
			here << ENTRY_DISTANCE | code_of(nearer[i], farther[i], here >= FAR);
		for (int k = 0; k < ENTRY_BYTES; k++)
			atomic_store_explicit(&tables->entry[ENTRY_BYTES * (first + i) + (size_t)k],
					      (uint8_t)(entry >> 8 * k), memory_order_relaxed);
	}
}

static void clear_block(struct optimal3 *tables, uint32_t block)
{
	size_t size = (size_t)ENTRY_BYTES * PARITIES * tables->flips, first = block * size;
	for (size_t i = first; i < first + size; i++)
		atomic_init(&tables->entry[i], i % ENTRY_BYTES == 2 ? UNSEEN << 4 : 0);
	atomic_init(&tables->there[block], 1u << UNSEEN);
	if (block == 0) {
		/* Twist 0 is the first of its class, and solved: slice and flip are 0. */
		atomic_init(top_of(tables, 0), 0);
		atomic_init(&tables->there[0], 1u << UNSEEN | 1);
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
	for (uint32_t block = part * PART_BLOCKS; block < (part + 1) * PART_BLOCKS; block++) {
		if (step == STEP_CLEAR)
			clear_block(tables, block);
		else if (step == STEP_DIGITS)
			digits_block(tables, block);
		else
			pass_block(tables, block, (int)(step - STEP_PASSES));
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

/* Eight bytes are read at once: the last entries are not the last bytes. */
#define BYTES(flips)                                                                               \
	((sizeof(struct optimal3) + (size_t)BLOCKS * (flips)*PARITIES * ENTRY_BYTES + 2 +          \
	  CUBE_SOLVE_ALIGN - 1) /                                                                  \
	 CUBE_SOLVE_ALIGN * CUBE_SOLVE_ALIGN)

const struct cube_solver_tables optimal3_tables[OPTIMAL3_TABLES] = {
	{.name = "small",
	 .magic = 0x336f7005,
	 .bytes = BYTES(1),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_small},
	{.name = "large",
	 .magic = 0x336f7006,
	 .bytes = BYTES(FLIPS),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_large},
};
