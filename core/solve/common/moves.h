/* core/solve/common/moves.h: the 18 turns of outer layers by number, and cubes as the searches take them.
 *
 * Move 3 * face + quarters - 1: U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'. Internal to the
 * solvers. */
#ifndef CORE_SOLVE_COMMON_MOVES_H
#define CORE_SOLVE_COMMON_MOVES_H

#include "cube/hold.h"
#include "cube/solve.h"
#include "cube/state3.h"

#define MOVES 18

static inline int move_face(int move)
{
	return move / 3;
}

/* 1, 2, 3. */
static inline int move_quarters(int move)
{
	return move % 3 + 1;
}

static inline int move_inverse(int move)
{
	return 3 * (move / 3) + 2 - move % 3;
}

static inline bool move_is_half(int move)
{
	return move % 3 == 1;
}

/* In that metric: 1, or 2 for a half turn in QTM. */
static inline int move_length(int move, enum cube_solve_metric metric)
{
	return metric == CUBE_SOLVE_QTM && move_is_half(move) ? 2 : 1;
}

/* Returns true if a face may be turned after another one (CUBE_FACES: after nothing): not the same
 * face again, and of two opposite ones, which commute, the one with the higher number second. */
static inline bool face_follows(int face, int before)
{
	return before == CUBE_FACES || (face != before && face + 3 != before);
}

/* Joins the last move with one of the same face that it can be brought next to; returns how many
 * there are then. `count` is at least 1. */
int moves_join_last(uint8_t *moves, int count);

/* Computes what the moves make of a solved cube. */
void moves_make(struct cube_state3 moves[MOVES]);

/* Computes what a rotation of the whole cube (cube/hold.h) makes of a solved one: corners,
 * edges. */
void rotation_make(struct cube_state3 *rotation, int hold);

/* A cube of size 2 or 3 with its centres (size 2: the corner DBL) home. */
struct held {
	struct cube_state3 state; /* of size 2, the edges are home */
	uint8_t face[CUBE_FACES]; /* the places of its faces, as the cube is held */
};

/* Size 3: the cube turned home as a whole, so that a move of face f is returned as one of face[f]. */
void held_home(struct held *held, const struct cube *cube);

/* Size 2, another way: the cube stays as it is, and its colours are renamed until the corner in
 * the place DBL is the one that belongs there. Moves of U, R and F then solve it as it is held. */
void held_renamed(struct held *held, const struct cube *cube);

/* A move as a turn of the cube as it is held. */
struct cube_turn held_turn(const struct held *held, int move);

/* For a search that lists: passes the solution to task->each, written into solution->turns, unless
 * fewer of its moves solve the cube. False if that ends the search. */
bool held_list(const struct held *held, const uint8_t *moves, int count,
	       const struct cube_solve_task *task, struct cube_solution *solution);

/* Fills turns, count and length of a solution; `count` is at most its room. */
void held_write(const struct held *held, const uint8_t *moves, int count,
		enum cube_solve_metric metric, struct cube_solution *solution);

#endif
