/* core/solve/beginner/beginner_internal.h: a lesson under way, as the files of the beginner's method
 * share it. */
#ifndef CORE_SOLVE_BEGINNER_BEGINNER_INTERNAL_H
#define CORE_SOLVE_BEGINNER_BEGINNER_INTERNAL_H

#include "core/solve/beginner/notes.h"

struct lesson {
	struct cube_state3 moves[MOVES];
	struct beginner_sides sides;
	struct beginner_view view; /* as the cube is held now, at first turned as first wanted */
	struct cube_state3 row[BEGINNER_CASES]; /* the effect of each algorithm */
	uint8_t row_moves[BEGINNER_CASES][BEGINNER_MOVES];
	uint8_t row_count[BEGINNER_CASES];
	struct cube_solution *solution;
	const struct cube_solve_task *task;
	int size;     /* 2 or 3 */
	int turned;   /* the size of the cube that is turned: a larger one may be a 3x3x3 by now */
	int begun;    /* stages of it that came before */
	int held;     /* the hold of the cube, after the task's cube; view.hold: as it should be */
	uint8_t last; /* the side of the last turn in the view; CUBE_FACES: none */
};

/* ---- fit.c ---- */

/* A state, then a row so many times. */
void beginner_after_row(const struct lesson *lesson, const struct cube_state3 *state, int row,
			int times, struct cube_state3 *after);
/* Returns true if the row fits what is seen in choice->before; fills rank, main and piece. */
bool beginner_fits(const struct lesson *lesson, struct beginner_choice *choice);

/* ---- beginner.c ---- */

/* Makes the step, and says what there is to say about it. */
void beginner_make_step(struct lesson *lesson, const struct beginner_choice *choice);
/* Turns the whole cube; returns how many rotations that took. */
size_t beginner_rotate(struct cube_solution *solution, int size, int hold);
/* Goes on with a cube of size `turned`, reduced to the 3x3x3 of the task, after `begun` stages: adds the turns
 * and the steps. False if it was stopped. */
bool beginner_teach(const struct cube_solve_task *task, int turned, int begun,
		    struct cube_solution *solution);

/* ---- parity.c: what a 3x3x3 that was a cube of even size may need before a stage ---- */

/* Turns over one edge before the last cross, exchanges two before the last edges. */
void beginner_parity(struct lesson *lesson, enum beginner_stage stage);

/* ---- corners.c: the corners of the last layer, twisted one after the other as the cube is held ---- */

/* Returns the side from which twisting the last corners was begun, if only they, and perhaps a turn
 * of the whole last layer, are left; SIDES if it may begin from any side; -1 if more is left.
 * Between the first and the last corner, the layers below are as the algorithm left them. */
int beginner_corners_begun(const struct lesson *lesson, const struct beginner_view *view);
/* Twists them from that side; SIDES: from the best one. */
void beginner_turn_corners(struct lesson *lesson, int side);

#endif
