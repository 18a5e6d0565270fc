/* core/solve/beginner/large.h: a lesson of a 4x4x4 to 7x7x7 under way: its centres, then its edges; what is
 * left is a 3x3x3. Internal to the beginner's method. */
#ifndef CORE_SOLVE_BEGINNER_LARGE_H
#define CORE_SOLVE_BEGINNER_LARGE_H

#include "core/solve/beginner/cases.h"
#include "core/solve/beginner/names.h"
#include "cube/cube.h"
#include "cube/solve.h"

#define LARGE_MIN 4
#define LARGE_MAX 7
#define LARGE_CELLS (LARGE_MAX - 2) /* in a row, without the outer layers */
#define LARGE_SLOTS 12
#define LARGE_ALGORITHM 15 /* turns of the longest */

enum large_stage { LARGE_CENTERS, LARGE_EDGES, LARGE_STAGES };

union large_cube {
	struct cube cube;
	uint16_t room[sizeof(struct cube) / sizeof(uint16_t) + 6 * LARGE_MAX * LARGE_MAX];
};

struct large {
	int size, cells;
	uint8_t color[CUBE_FACES]; /* of each side, as its centre is or will be */
	uint8_t first;             /* colour of the first layer */
	struct cube_solution *solution;
	const struct cube_solve_task *task;
	struct cube_solve_step step; /* the step being made */
	size_t begin;                /* of its turns in the solution */
	/* The effects of outer turns on edges: from which slot, turned over or not, end to end or not. */
	uint8_t from[18][LARGE_SLOTS], over[18][LARGE_SLOTS], end[18][LARGE_SLOTS];
	union large_cube now; /* as it is held */
};

/* ---- large.c: a step is begun, its note is filled, its turns are made, it is ended ---- */

/* Turns the whole cube. */
void large_begin(struct large *large, enum large_stage stage, int hold);
/* Adds a turn; the first ones of a step may bring pieces into position. */
void large_turn(struct large *large, struct cube_turn turn, bool setup);
void large_end(struct large *large);

/* The cells `a` to `b` of a row, from 0 without the outer layer, as a turn that takes the front up (columns) or
 * to the left (rows); of outer layers too if they are next to it and `wide`. */
struct cube_turn large_columns(int size, int a, int b, bool wide, int quarters);
struct cube_turn large_rows(int size, int a, int b, int quarters);

/* The turn that takes it back. */
struct cube_turn large_back(struct cube_turn turn);

/* Turns over the edge at the top front, of the layers `from` to `to`. */
int large_flip(int size, int from, int to, struct cube_turn turns[LARGE_ALGORITHM]);
/* Exchanges the edges at the top front and the top back. */
int large_exchange(int size, struct cube_turn turns[LARGE_ALGORITHM]);

/* ---- large_algorithms.c ---- */

struct large_row {
	const char *stage, *moves; /* moves NULL: those of large_flip or large_exchange, by size */
	uint16_t name, text;       /* enum beginner_word */
	bool odd, even;            /* the sizes that need it */
};

/* The `index`-th algorithm of a stage that a 3x3x3 does not need, with its moves; NULL past the last. */
const struct large_row *large_algorithm_at(const char *stage, int size, size_t index,
					   char moves[CUBE_LESSON_MOVES]);

/* ---- large_centers.c ---- */

/* Decides which colour each side gets, and the first layer if it is open. */
void large_assign(struct large *large);
/* False if all centres are done. */
bool large_center_step(struct large *large);

/* ---- large_edges.c ---- */

void large_edges_init(struct large *large);
enum large_found { LARGE_MADE, LARGE_DONE, LARGE_STUCK };
enum large_found large_edge_step(struct large *large);
/* The facelets of a cell of an edge, on both sides. */
void large_edge_facelets(int size, int slot, int cell, size_t facelets[2]);

#endif
