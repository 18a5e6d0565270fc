/* core/solve/optimal/optimal3_table.c: the tables of the optimal method for the 3x3x3, made by a
 * breadth-first search in passes over all entries.
 *
 * A move leads from a block to one other block, and there from each entry to another by a table of
 * flips, and from each split to another by one of splits. So a few kilobytes are in use at a time.
 * A pass looks at every entry that has no distance yet and asks its neighbours, where their block
 * has any at the right distance. What is as near as that is what one of these leads to by one of
 * its own nearest splits. Nothing is written but the entry itself, and any number of threads may
 * work on different rows. */
#include <stdatomic.h>
#include <string.h>

#include "core/solve/optimal/optimal3_internal.h"

#define UNSEEN 15
#define WIDE_SMALL 6
#define WIDE_MEDIUM 8
#define WIDE_LARGE 9
#define ROOM_SMALL BLOCKS
#define ROOM_MEDIUM 4722352u /* entries at distance 8 */
#define ROOM_LARGE 51829464u /* entries at distance 9, which are most of those up to there */
#define PARTS 45
#define PART_BLOCKS (BLOCKS / PARTS) /* without a rest */
#define STEP_COORDINATES 0
#define STEP_CLEAR 1
#define STEP_PASSES 2
#define STEPS_A_PASS 3 /* the next distance, then what is near at this one, and to keep that */
#define STEPS (STEP_PASSES + STEPS_A_PASS * DISTANCE_MAX)

/* ---- distances ---- */

/* In the highest byte, with the last three splits. */
static inline uint32_t distance(const struct optimal3 *tables, size_t entry)
{
	return atomic_load_explicit(&tables->entry[ENTRY_BYTES * entry + ENTRY_BYTES - 1],
				    memory_order_relaxed) >>
	       4;
}

/* The nearest splits of an entry that has a distance. */
static inline uint64_t nearest(const struct optimal3 *tables, size_t entry)
{
	uint64_t set = 0;
	for (int k = 0; k < ENTRY_BYTES; k++)
		set |= (uint64_t)atomic_load_explicit(
			       &tables->entry[ENTRY_BYTES * entry + (size_t)k],
			       memory_order_relaxed)
		       << 8 * k;
	return set & (((uint64_t)1 << SPLITS) - 1);
}

/* Splits five by five: what a set of those becomes. */
#define FIVES (SPLITS / 5)

struct spread {
	uint64_t of[FIVES][1 << 5];
};

/* The way of a move from a block: from a flip to another block's entry, by splits that lead to
 * its splits. */
struct block_way {
	uint32_t block;
	size_t first; /* entry of that block */
	const uint16_t *image;
	uint32_t toggle, move, symmetry;
	uint8_t leads[FLIPS_PACKED]; /* from a packed number to another */
	bool has_back;
	struct spread back; /* which splits lead to a set of that block's; made when first needed */
};

static void make_spread(struct spread *spread, const uint8_t image[SPLITS])
{
	for (uint32_t i = 0; i < FIVES; i++) {
		spread->of[i][0] = 0;
		for (uint32_t set = 1; set < 1 << 5; set++) {
			uint32_t lowest = (uint32_t)__builtin_ctz(set);
			spread->of[i][set] = spread->of[i][set & (set - 1)] |
					     (uint64_t)1 << image[5 * i + lowest];
		}
	}
}

static inline uint64_t spread_set(const struct spread *spread, uint64_t set)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < FIVES; i++)
		all |= spread->of[i][set >> 5 * i & 31];
	return all;
}

static void way_make(const struct optimal3 *tables, uint32_t block, uint32_t move,
		     struct block_way *way)
{
	uint32_t twist = tables->twist_move[tables->block_twist[block]][move];
	uint32_t slice = tables->slice_move[tables->block_slice[block]][move];
	struct optimal3_where to = optimal3_find(tables, twist, 0, slice);
	uint32_t toggle = (uint32_t)(to.entry % tables->flips);
	way->has_back = false;
	way->symmetry = to.symmetry;
	way->block = (uint32_t)(to.entry / tables->flips);
	way->first = to.entry - toggle;
	way->image = tables->flip_image[to.symmetry];
	way->toggle = toggle;
	way->move = move;
}

/* A move, an image and packing are linear but for what they do to no flips. So where a packed number
 * leads follows from where its bits do. */
static void way_pack(const struct optimal3 *tables, uint32_t block, struct block_way *way)
{
	const uint32_t twist = tables->twist_move[tables->block_twist[block]][way->move];
	const uint32_t slice = tables->slice_move[tables->block_slice[block]][way->move];
	const uint16_t *unpack = tables->unpack[tables->block_slice[block]];
	if (!tables->packed)
		return;
	for (uint32_t bit = 0; bit <= PACK_BITS; bit++) {
		const uint32_t packed = bit == 0 ? 0 : 1u << (bit - 1);
		const uint32_t flip = bit == 0 ? 0 : unpack[bit - 1];
		const uint32_t next = tables->flip_move[flip][way->move];
		const size_t to = optimal3_find(tables, twist, next, slice).entry;
		way->leads[packed] = (uint8_t)(to - way->first);
		for (uint32_t rest = 1; rest < packed; rest++)
			way->leads[packed | rest] =
				(uint8_t)(way->leads[packed] ^ way->leads[rest] ^ way->leads[0]);
	}
}

/* Returns the splits that lead to those that are near at another block's entry. */
static inline uint64_t way_back(const struct optimal3 *tables, struct block_way *way, size_t to)
{
	if (!way->has_back) {
		const uint8_t *image = tables->split_image[0][way->symmetry];
		uint8_t back[SPLITS];
		for (uint8_t split = 0; split < SPLITS; split++)
			back[image[tables->split_move[split][way->move]]] = split;
		make_spread(&way->back, back);
		way->has_back = true;
	}
	return spread_set(&way->back, nearest(tables, to));
}

static inline size_t way_leads(const struct optimal3 *tables, const struct block_way *way,
			       uint32_t from)
{
	if (tables->packed)
		return way->first + way->leads[from];
	return way->first + (way->image[tables->flip_move[from][way->move]] ^ way->toggle);
}

/* Writes an entry, at `room` if that is behind the last one. The distance comes last, and
 * with what is in its byte: a thread that reads another one meanwhile finds it unchanged. */
static void entry_set(struct optimal3 *tables, size_t entry, uint32_t distance, uint64_t splits)
{
	uint64_t value = (uint64_t)distance << ENTRY_DISTANCE | splits;
	for (int k = 0; k < ENTRY_BYTES; k++)
		atomic_store_explicit(&tables->entry[ENTRY_BYTES * entry + (size_t)k],
				      (uint8_t)(value >> 8 * k), memory_order_relaxed);
}

static bool block_has(const struct optimal3 *tables, uint32_t block, int depth)
{
	return atomic_load_explicit(&tables->there[block], memory_order_relaxed) >> depth & 1;
}

/* Gives a distance to the entries of a block that have none, and a neighbour at `depth`. */
static void pass_block(struct optimal3 *tables, uint32_t block, int depth)
{
	uint16_t at[FLIPS];
	uint64_t splits[FLIPS];
	struct block_way way;
	size_t size = tables->flips, first = block * size, count = 0, met = 0;
	tables->met[(depth + 1) % 2][block] = 0;
	if (!block_has(tables, block, UNSEEN))
		return;
	for (uint32_t i = 0; i < size; i++) {
		at[count] = (uint16_t)i;
		count += distance(tables, first + i) == UNSEEN;
	}
	memset(splits, 0, count * sizeof(splits[0]));
	for (uint32_t m = 0; m < MOVES && count > 0; m++) {
		way_make(tables, block, m, &way);
		if (!block_has(tables, way.block, depth))
			continue;
		way_pack(tables, block, &way);
		for (size_t i = 0; i < count; i++) {
			size_t to = way_leads(tables, &way, at[i]);
			if (distance(tables, to) == (uint32_t)depth)
				splits[i] |= way_back(tables, &way, to);
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (splits[i] == 0)
			continue;
		entry_set(tables, first + at[i], (uint32_t)depth + 1, splits[i]);
		met++;
	}
	tables->met[(depth + 1) % 2][block] = (uint16_t)met;
	uint16_t there = atomic_load_explicit(&tables->there[block], memory_order_relaxed);
	if (met > 0)
		there |= (uint16_t)(1u << (depth + 1));
	if (met == count)
		there &= (uint16_t) ~(1u << UNSEEN);
	atomic_store_explicit(&tables->there[block], there, memory_order_relaxed);
}

/* Returns the place behind the last entry where those at a distance have room: the first one of a
 * part. */
static size_t room_of(const struct optimal3 *tables, uint32_t first_block, int depth)
{
	size_t room = (size_t)BLOCKS * tables->flips;
	for (uint32_t block = 0; block < first_block; block++)
		room += tables->met[depth % 2][block];
	return room;
}

/* Computes which entries of a block at `depth` have neighbours that are at most one move farther.
 * This depends on the nearest moves of other blocks, so nothing is changed yet, and the results are
 * written from `room` on. */
static void widen_block(struct optimal3 *tables, uint32_t block, int depth, size_t room)
{
	uint16_t at[FLIPS];
	uint64_t splits[FLIPS];
	struct block_way way;
	size_t size = tables->flips, first = block * size, count = 0;
	if (!block_has(tables, block, depth))
		return;
	for (uint32_t i = 0; i < size; i++) {
		if (distance(tables, first + i) != (uint32_t)depth)
			continue;
		at[count] = (uint16_t)i;
		splits[count++] = nearest(tables, first + i);
	}
	for (uint32_t m = 0; m < MOVES; m++) {
		way_make(tables, block, m, &way);
		way_pack(tables, block, &way);
		for (size_t i = 0; i < count; i++) {
			size_t to = way_leads(tables, &way, at[i]);
			if (distance(tables, to) <= (uint32_t)depth)
				splits[i] |= way_back(tables, &way, to);
		}
	}
	for (size_t i = 0; i < count; i++)
		entry_set(tables, room + i, (uint32_t)depth, splits[i] | (uint64_t)1 << ENTRY_WIDE);
}

static void keep_block(struct optimal3 *tables, uint32_t block, int depth, size_t room)
{
	size_t size = tables->flips, first = block * size;
	if (!block_has(tables, block, depth))
		return;
	for (size_t i = first; i < first + size; i++) {
		if (distance(tables, i) != (uint32_t)depth)
			continue;
		entry_set(tables, i, (uint32_t)depth,
			  nearest(tables, room++) | (uint64_t)1 << ENTRY_WIDE);
	}
}

static void clear_block(struct optimal3 *tables, uint32_t block)
{
	size_t size = (size_t)ENTRY_BYTES * tables->flips, first = block * size;
	for (size_t i = first; i < first + size; i++)
		atomic_init(&tables->entry[i],
			    i % ENTRY_BYTES == ENTRY_BYTES - 1 ? UNSEEN << 4 : 0);
	atomic_init(&tables->there[block], 1u << UNSEEN);
	if (block == 0) {
		/* Twist 0 is the first of its class, and solved: slice and flip are 0. */
		uint32_t solved = tables->split_of_places[OPTIMAL3_SECOND_TETRAD];
		entry_set(tables, 0, 0, (uint64_t)1 << solved);
		atomic_init(&tables->there[0], 1u << UNSEEN | 1);
		tables->met[0][0] = 1;
	}
}

static uint8_t *entries_end(struct optimal3 *tables)
{
	return (uint8_t *)tables->entry + (size_t)ENTRY_BYTES * BLOCKS * tables->flips;
}

static void make(struct optimal3 *tables, uint32_t flips, unsigned step, unsigned part)
{
	const uint32_t first = part * PART_BLOCKS, end = first + PART_BLOCKS;
	if (step == STEP_COORDINATES && part == 0) {
		memset(&tables->head + 1, 0, sizeof(*tables) - sizeof(tables->head));
		tables->flips = flips;
		tables->packed = flips == FLIPS_PACKED;
		tables->wide = flips == FLIPS ? WIDE_LARGE : flips > 1 ? WIDE_MEDIUM : WIDE_SMALL;
		memset(entries_end(tables), 0,
		       (size_t)tables->head.bytes -
			       (size_t)(entries_end(tables) - (uint8_t *)tables));
		optimal3_make_coordinates(tables);
	}
	if (step == STEP_COORDINATES)
		return;
	const int depth = (int)(step - STEP_PASSES) / STEPS_A_PASS;
	const unsigned what =
		step == STEP_CLEAR ? STEPS_A_PASS : (step - STEP_PASSES) % STEPS_A_PASS;
	if ((what == 1 || what == 2) && (uint32_t)depth > tables->wide)
		return;
	size_t room = what == 1 || what == 2 ? room_of(tables, first, depth) : 0;
	for (uint32_t block = first; block < end; block++) {
		if (what == STEPS_A_PASS)
			clear_block(tables, block);
		else if (what == 0)
			pass_block(tables, block, depth);
		else if (what == 1)
			widen_block(tables, block, depth, room);
		else
			keep_block(tables, block, depth, room);
		room += tables->met[depth % 2][block];
	}
}

static void make_small(void *tables, unsigned step, unsigned part)
{
	make(tables, 1, step, part);
}

static void make_medium(void *tables, unsigned step, unsigned part)
{
	make(tables, FLIPS_PACKED, step, part);
}

static void make_large(void *tables, unsigned step, unsigned part)
{
	make(tables, FLIPS, step, part);
}

/* Eight bytes are read at once: the last entries are not the last bytes. */
#define BYTES(flips, room)                                                                         \
	CUBE_SOLVE_ALIGNED(sizeof(struct optimal3) +                                               \
			   ((size_t)BLOCKS * (flips) + (room)) * ENTRY_BYTES + 3)

const struct cube_solver_tables optimal3_tables[OPTIMAL3_TABLES] = {
	{.name = "small",
	 .magic = 0x336f700b,
	 .bytes = BYTES(1, ROOM_SMALL),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_small},
	{.name = "medium",
	 .magic = 0x336f700d,
	 .bytes = BYTES(FLIPS_PACKED, ROOM_MEDIUM),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_medium},
	{.name = "large",
	 .magic = 0x336f700c,
	 .bytes = BYTES(FLIPS, ROOM_LARGE),
	 .steps = STEPS,
	 .parts = PARTS,
	 .make = make_large},
};
