/* core/solve/reduction/reduction_internal.h: what the stages of the reduction share; internal.
 *
 * The facelets of a cube fall into orbits of 24 that turns keep apart: those that the cell (row,
 * column) of a face meets when the cube is held in its 24 ways. A place of an orbit is numbered 4 *
 * side + quarters: the cell of that side (U D F B R L, opposite ones next to each other) after so
 * many clockwise quarter turns. So cells of other cubes have the same numbers where they lie alike:
 * the cell (0, k) stands for a wing, (0, middle) for a middle edge, and turns of outer layers do
 * the same to all of them. */
#ifndef CORE_SOLVE_REDUCTION_REDUCTION_INTERNAL_H
#define CORE_SOLVE_REDUCTION_REDUCTION_INTERNAL_H

#include "cube/solve.h"

#define ORBIT 24

extern const uint8_t reduction_sides[CUBE_FACES]; /* U D F B R L */

enum reduction_stage { STAGE_DIRECT, STAGE_PARITY, STAGE_CENTERS, STAGE_EDGES, STAGE_3 };

/* One search. */
struct reduction {
	const struct cube_solve_task *task;
	struct cube_solution *solution;
	struct cube *cube;        /* the task's cube, turned home as a whole, and then along */
	uint8_t face[CUBE_FACES]; /* the places of its faces, as the task's cube is held */
	uint64_t nodes, poll_at;
	int depth;    /* for the progress */
	size_t begun; /* of the solution's turns those before this stage */
	bool stopped;
};

/* ---- reduction.c: geometry ---- */

/* The facelet that is the place of the orbit of that cell. */
size_t orbit_facelet(int size, int row, int column, int place);
/* The place that the sticker there has at home. The cell's orbit holds it. */
int orbit_home(const struct cube *cube, int row, int column, int place);
/* from[place]: which place's sticker a turn brings there. */
void orbit_turn(int size, int row, int column, struct cube_turn turn, uint8_t from[ORBIT]);

/* ---- reduction.c: the search as the stages see it ---- */

/* Turns the cube, and adds it to the solution. Nothing if quarters is a multiple of 4. The
 * solution's room suffices for what the stages promise. */
void reduction_turn(struct reduction *reduction, int face, int from, int to, int quarters);
/* Counts nodes; false if the search is to end. */
bool reduction_go_on(struct reduction *reduction, uint64_t nodes);
/* Ends a stage: merges its adjacent turns of one block, and adds it as a step of the solution. */
void reduction_stage_end(struct reduction *reduction, enum reduction_stage stage);
/* Half turns as one. */
int reduction_length(const struct reduction *reduction, size_t from);

/* ---- near.c ---- */

/* No solution is shorter. Each outer block has one cut, across which 4 * size pairs of neighbours
 * on a face meet that need not be of one colour afterwards. O(size^2) */
int near_bound(const struct cube *cube);
#define NEAR_LENGTH 4
/* Looks for a shortest solution of up to NEAR_LENGTH turns. `work` has near_bytes(size). Returns
 * its length, else NEAR_LENGTH + 1. */
int near_solve(struct reduction *reduction, void *work);
size_t near_bytes(int size);

/* ---- blocks.c: large cubes ---- */

/* One turn for each wing orbit at most, after which all are even permutations. */
void blocks_parity(struct reduction *reduction);
/* All centres, by commutators of columns: at most 9 turns for each of 5 (size - 2)^2. */
void blocks_centers(struct reduction *reduction);

#endif
