/* core/solve/two_phase/tables.h: the tables of the two-phase method, small and large. */
#ifndef CORE_SOLVE_TWO_PHASE_TABLES_H
#define CORE_SOLVE_TWO_PHASE_TABLES_H

#include "core/solve/common/table_head.h"
#include "core/solve/two_phase/coset.h"
#include "core/solve/two_phase/phases.h"

#define TWO_PHASE_TABLES 2
#define MAGIC_SMALL 0x32706804
#define MAGIC_LARGE 0x32706c04

/* 10 MB. */
struct small_tables {
	struct table_head head;
	struct phases phases;
};

/* 273 MB: also exact distances of phase 1, and bounds of phase 2 by corners and the edges of U and
 * D. It begins like the small one, so that a search may take either. */
struct large_tables {
	struct small_tables small;
	struct coset coset;
	uint16_t edge_move[MOVES_2][EDGES];
	uint16_t edge_image[SYMMETRIES_UD][EDGES];
	uint8_t corner_edge[CORNER_CLASSES][EDGES];
};

/* The large tables in that memory, or NULL. */
static inline const struct large_tables *two_phase_large(const void *memory)
{
	const struct table_head *head = memory;
	return head->magic == MAGIC_LARGE ? memory : NULL;
}

/* Prefetch what large_distance_1() will read: first the one, then the other. */
static inline void large_expect_class(const struct large_tables *large, struct outside outside)
{
	__builtin_prefetch(&large->coset.class[outside.slice * FLIPS + outside.flip]);
}

static inline void large_expect_distance(const struct large_tables *large, struct outside outside)
{
	__builtin_prefetch(coset_place(&large->coset, outside.twist, outside.flip, outside.slice));
}

/* Returns how many moves there are to the group, exactly. */
static inline int large_distance_1(const struct large_tables *large, struct outside outside)
{
	return coset_distance(&large->coset, outside.twist, outside.flip, outside.slice);
}

/* A lower bound of phase 2, by the corners' class and symmetry and the edges' permutation. */
static inline int large_bound_2(const struct large_tables *large, uint32_t corners, uint32_t edges)
{
	return large->corner_edge[corners / 16][large->edge_image[corners % 16][edges]];
}

extern const struct cube_solver_tables two_phase_tables[TWO_PHASE_TABLES];

#endif
