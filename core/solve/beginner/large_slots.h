/* core/solve/beginner/large_slots.h: the edges of a larger cube; internal to the beginner's method. */
#ifndef CORE_SOLVE_BEGINNER_LARGE_SLOTS_H
#define CORE_SOLVE_BEGINNER_LARGE_SLOTS_H

#include "core/solve/beginner/beginner_internal.h"
#include "core/solve/beginner/large.h"

enum { SLOT_UF = PLACE_UF, SLOT_FR = PLACE_FR, SLOT_FL = PLACE_FL, SLOT_BL = 10, SLOT_BR = 11 };

/* The cells of each edge, by the colours on its first and second side. */
struct edges {
	uint8_t cell[LARGE_SLOTS][LARGE_CELLS];
};

/* A piece the other way round. */
uint8_t edge_over(uint8_t cell);
/* Reads the edges of a cube. */
void edges_read(const struct cube *cube, struct edges *edges);
/* Finds the edge that a facelet belongs to, the cell of the edge, and its side. */
void edges_find(int size, size_t facelet, int *slot, int *cell, int *side);
/* By an outer turn (3 * face + quarters - 1). */
void edges_move(const struct large *large, struct edges *edges, int move);
/* Rows of the sides, the front to the left, or back. */
void edges_turn_rows(struct edges *edges, int a, int b, bool back);
/* Returns how many cells are one edge with the one in the middle, or at the end. */
int edge_together(const uint8_t *cell, int cells);
/* Return how far an edge is paired, and how far all of them are. */
int edge_worth(const uint8_t *cell, int cells);
int edges_worth(const struct edges *edges, int cells);
/* Returns how many edges are paired. */
int edges_paired(const struct edges *edges, int cells);

#endif
