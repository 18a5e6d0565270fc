/* core/solve/beginner/notes.h: which pieces and places a step is about. Internal to the beginner's
 * method. */
#ifndef CORE_SOLVE_BEGINNER_NOTES_H
#define CORE_SOLVE_BEGINNER_NOTES_H

#include "core/hold.h"
#include "core/solve/beginner/cases.h"
#include "core/solve/beginner/stages.h"

/* Places, as bytes of struct cube_state3. */
enum beginner_place {
	PLACE_UR,
	PLACE_UF,
	PLACE_UL,
	PLACE_UB,
	PLACE_DF = 5,
	PLACE_FR = 8,
	PLACE_FL,
	PLACE_URF = CUBE_STATE3_CORNERS,
	PLACE_UFL,
	PLACE_ULB,
	PLACE_UBR,
	PLACE_DFR,
	PLACE_DLF,
	PLACE_DBL,
	PLACE_DRB
};

/* A step: the cube is turned as a whole by y, the top layer by some quarters, and the algorithm made. */
struct beginner_choice {
	enum beginner_stage stage;
	int row;                   /* of beginner_cases */
	int side, quarters, times; /* of y; of the top layer; how often the algorithm */
	int rank;                  /* 0: fits; 1: for want of one that does */
	int piece;     /* which it is about, as a byte of the solved state; -1: several */
	uint16_t main; /* its text: enum beginner_word */
	struct cube_state3 before; /* as it is held, with the top layer turned */
};

/* Returns true if only the top layer is turned, without an algorithm. */
bool beginner_is_bare(const struct beginner_choice *choice);

/* The first row of a stage. */
int beginner_row(enum beginner_stage stage);

/* Return the corners of the last layer that are in their places, twisted or not; and twisted
 * ones. */
int corners_placed(const struct cube_state3 *state);
int corners_twisted(const struct cube_state3 *state);

/* Fills the note and the piece of a step, `before` it (as it is held in the step) and `after` it. */
void beginner_note(struct cube_solve_step *step, int size, const struct beginner_choice *choice,
		   const struct beginner_view *before, const struct cube_state3 *after);

/* Notes a step that only a cube of even size has: one edge is turned over (`flip`), or two change
 * places. */
void beginner_note_parity(struct cube_solve_step *step, bool flip,
			  const struct beginner_view *before, const struct cube_state3 *after);

#endif
