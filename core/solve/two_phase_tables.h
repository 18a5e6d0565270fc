/* core/solve/two_phase_tables.h: the tables of the two-phase method, small and large. */
#ifndef CORE_SOLVE_TWO_PHASE_TABLES_H
#define CORE_SOLVE_TWO_PHASE_TABLES_H

#include "core/solve/coset.h"
#include "core/solve/phases.h"
#include "core/solve/table_head.h"

#define TWO_PHASE_TABLES 2
#define MAGIC_SMALL 0x32706803
#define MAGIC_LARGE 0x32706c03

/* 9 MB. */
struct small {
	struct table_head head;
	struct phases phases;
};

/* 272 MB: also exact distances of phase 1, and bounds of phase 2 by corners and the edges of U and
 * D. It begins like the small one, so that a search may take either. */
struct large {
	struct small small;
	struct coset coset;
	uint16_t edge_move[MOVES_2][EDGES];
	uint16_t edge_image[SYMMETRIES_UD][EDGES];
	uint8_t corner_edge[CORNER_CLASSES][EDGES];
};

extern const struct cube_solver_tables two_phase_tables[TWO_PHASE_TABLES];

#endif
