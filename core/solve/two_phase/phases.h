/* core/solve/two_phase/phases.h: the small tables of the two-phase method: moves, classes, what is near. 10
 * MB.
 *
 * In phase 1 a state is (twist, flip, slice), all 0 at its end. Flips depend on where an edge
 * belongs and where it is, along the axis of U and D; the symmetries 8..15 turn the other two axes
 * into each other, and what is flipped along the one is not flipped along the other if it is a
 * middle edge in another place, or another edge in the middle: slice_mask says where.
 *
 * In phase 2 it is (corners, edges, spread) under the ten moves that stay in the group. */
#ifndef CORE_SOLVE_TWO_PHASE_PHASES_H
#define CORE_SOLVE_TWO_PHASE_PHASES_H

#include "core/solve/common/near.h"
#include "core/solve/common/prune.h"

#define MOVES_2 10 /* of phase 2 */

#define TWIST_CLASSES 168u /* under the 16 symmetries that keep the axis of U and D */
#define CORNER_CLASSES 2768u
#define EDGE_CLASSES 2768u

/* The depths of the tables of near states in each phase, and the bits of their sizes (near.h). */
#define NEAR_1 7
#define NEARER_1_BITS 20
#define WITHIN_1_BITS 24
#define NEAR_2 9
#define NEARER_2_BITS 21
#define WITHIN_2_BITS 24

/* The moves of phase 2, by number there, as the 18 are numbered: U U2 U' R2 F2 D D2 D' L2 B2. */
extern const uint8_t phase2_moves[MOVES_2];

struct phases {
	struct cube_state3 moves[MOVES];
	struct symmetries symmetries;

	/* Phase 1. */
	uint32_t follow[CUBE_FACES + 1]; /* bit m: move m may follow a turn of the face */
	uint16_t twist_move[TWISTS][MOVES];
	uint16_t flip_move[FLIPS][MOVES];
	uint16_t slice_move[SLICES][MOVES];
	uint16_t twist_class[TWISTS]; /* 16 * class + symmetry */
	uint16_t twist_fixed[TWIST_CLASSES];
	uint16_t flip_image[SYMMETRIES_UD][FLIPS];
	uint16_t slice_image[SYMMETRIES_UD][SLICES];
	uint16_t slice_mask[SLICES]; /* flips to be changed before symmetries 8..15 */
	uint8_t nearer_1[(1u << NEARER_1_BITS) / 2];
	uint8_t within_1[(1u << WITHIN_1_BITS) / 8];

	/* Phase 2. */
	uint16_t follow_2[CUBE_FACES + 1]; /* bit m: its move m may follow a turn of the face */
	uint8_t move_2[SYMMETRIES_UD][MOVES_2]; /* the images of its moves by symmetries */
	uint16_t corner_class[CORNERS];
	uint16_t edge_class[EDGES];
	uint16_t corner_class_move[CORNER_CLASSES][MOVES_2];
	uint16_t edge_class_move[EDGE_CLASSES][MOVES_2];
	uint16_t corner_fixed[CORNER_CLASSES];
	uint16_t edge_fixed[EDGE_CLASSES];
	uint16_t spread_move[SPREADS][MOVES_2];
	uint16_t places_image[SYMMETRIES_UD][PLACES];
	uint16_t middle_image[SYMMETRIES_UD][MIDDLES];
	uint8_t nearer_2[(1u << NEARER_2_BITS) / 2];
	uint8_t within_2[(1u << WITHIN_2_BITS) / 8];
	uint8_t edge_middle[EDGE_CLASSES][MIDDLES];
	uint8_t corner_middle[CORNER_CLASSES][MIDDLES];
	uint8_t corner_places[CORNER_CLASSES][PLACES];
	struct near_work work; /* of the making */
};

void phases_make(struct phases *phases);

/* A state of phase 1, and one of phase 2. */
struct outside {
	uint16_t twist, flip, slice;
};
struct inside {
	uint16_t corners, edges; /* classes, as in corner_class and edge_class */
	uint16_t spread;
};

static inline bool outside_home(struct outside outside)
{
	return (outside.twist | outside.flip | outside.slice) == 0;
}

static inline bool inside_solved(struct inside inside)
{
	return inside.corners / 16 == 0 && inside.edges / 16 == 0 && inside.spread % MIDDLES == 0;
}

/* ---- phase 1 ---- */

static inline struct outside phase1_after(const struct phases *phases, struct outside from, int m)
{
	return (struct outside){.twist = phases->twist_move[from.twist][m],
				.flip = phases->flip_move[from.flip][m],
				.slice = phases->slice_move[from.slice][m]};
}

/* Its name, seen as its twists' class, to which `symmetry` takes it. */
static inline uint32_t phase1_name(const struct phases *phases, struct outside outside,
				   uint32_t symmetry)
{
	uint32_t mask = symmetry >= SYMMETRIES_ALL ? phases->slice_mask[outside.slice] : 0u;
	uint32_t flip = phases->flip_image[symmetry][outside.flip ^ mask];
	return (phases->twist_class[outside.twist] / 16 * FLIPS + flip) * SLICES +
	       phases->slice_image[symmetry][outside.slice];
}

static inline uint64_t phase1_hash(const struct phases *phases, struct outside outside)
{
	return near_hash(phase1_name(phases, outside, phases->twist_class[outside.twist] % 16));
}

/* Returns true if the state may be within NEAR_1 moves of the group. */
static inline bool phase1_within(const struct phases *phases, uint64_t hash)
{
	return near_within(phases->within_1, WITHIN_1_BITS, hash);
}

static inline int phase1_nearer(const struct phases *phases, uint64_t hash)
{
	return near_nearer(phases->nearer_1, NEARER_1_BITS, hash);
}

/* Prefetches what both will read. */
static inline void phase1_expect(const struct phases *phases, uint64_t hash)
{
	near_expect(phases->within_1, WITHIN_1_BITS, phases->nearer_1, NEARER_1_BITS, hash);
}

/* ---- phase 2 ---- */

/* Returns where a move of phase 2 leads from a class and symmetry: corners or edges. */
static inline uint16_t class_after(const struct phases *phases, uint32_t from,
				   const uint16_t move[][MOVES_2], uint32_t m)
{
	uint32_t to = move[from / 16][phases->move_2[from % 16][m]];
	return (uint16_t)((to & ~15u) | phases->symmetries.then[from % 16][to % 16]);
}

static inline struct inside phase2_after(const struct phases *phases, struct inside from,
					 uint32_t m)
{
	return (struct inside){
		.corners = class_after(phases, from.corners, phases->corner_class_move, m),
		.edges = class_after(phases, from.edges, phases->edge_class_move, m),
		.spread = phases->spread_move[from.spread][m]};
}

/* A lower bound of the moves to the solved state. */
static inline int phase2_bound(const struct phases *phases, struct inside inside)
{
	uint32_t corners = inside.corners / 16, held = inside.corners % 16;
	uint32_t places = inside.spread / MIDDLES, middle = inside.spread % MIDDLES;
	int a = phases->corner_places[corners][phases->places_image[held][places]];
	int b = phases->corner_middle[corners][phases->middle_image[held][middle]];
	int c = phases->edge_middle[inside.edges / 16]
				   [phases->middle_image[inside.edges % 16][middle]];
	a = a > b ? a : b;
	return a > c ? a : c;
}

/* The name: the corners' class, the edges' and by which symmetry the corners' one is seen from
 * theirs, and how the middle edges are seen by the corners' one. */
static inline uint32_t phase2_name(const struct phases *phases, struct inside inside)
{
	const struct symmetries *s = &phases->symmetries;
	uint32_t corners = inside.corners / 16, edges = inside.edges / 16;
	uint32_t held = s->then[s->inverse[inside.edges % 16]][inside.corners % 16];
	return ((corners * EDGE_CLASSES + edges) * 16 + held) * MIDDLES +
	       phases->middle_image[inside.corners % 16][inside.spread % MIDDLES];
}

static inline uint64_t phase2_hash(const struct phases *phases, struct inside inside)
{
	return near_hash(phase2_name(phases, inside));
}

static inline void phase2_expect(const struct phases *phases, uint64_t hash)
{
	near_expect(phases->within_2, WITHIN_2_BITS, phases->nearer_2, NEARER_2_BITS, hash);
}

/* Returns true if the state may be within `most` moves of the solved state; `most` is up to NEAR_2. */
static inline bool phase2_near(const struct phases *phases, uint64_t hash, int most)
{
	return near_within(phases->within_2, WITHIN_2_BITS, hash) &&
	       near_nearer(phases->nearer_2, NEARER_2_BITS, hash) <= most;
}

#endif
