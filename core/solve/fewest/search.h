/* core/solve/fewest/search.h: short solutions of a 3x3x3 through the stages eo, dr, htr and finish,
 * with turns on the scramble and on its inverse.
 *
 * With S the scramble, a stage has turns A on the normal and B on the inverse (cube/goal.h, NISS): after it
 * the state is B', S, A. After eo and dr it is a state of the domino group, which is solved by turns W
 * of that group; so the solution is A W B', with the A and B of both stages.
 *
 * - Every W is a way through htr: behind its last quarter turn are only half turns. Its turns can be
 *   on either side, W = P F Q' with P on the normal, Q on the inverse, and F half turns: P and Q
 *   are the stage htr, F the finish. The longest run of half turns makes htr shortest. NISS makes W no shorter,
 *   so it is found as two_phase's second phase is, with its tables.
 * - In the same way every solution passes through the stages: eo ends with the last quarter turn of F or B, dr
 *   with the last one of R or L after it. So what is searched for longer gets shorter, down to a
 *   shortest solution; but short first stages, as people see them, come first.
 * - On each side a stage either has no turns, or ends with one that the next stage may not make: a quarter
 *   turn of F or B for eo, of R or L for dr. A turn that commutes with that last turn, and that the next
 *   stage may make, belongs to the next stage. So A and B can be divided into stages in only one way, and
 *   no solution is found twice.
 * - All A B of a stage and length: the shorter of both is tried, all words of it, and the other one is
 *   looked up by the distances of the stage's table (as in goal/niss.c). To multiply on the inverse is to
 *   multiply the state from the other side, where coordinates say nothing.
 *
 * Six frames: three axes of eo, and for each two of dr. A state is seen in each as the tables have it.
 *
 * The order. In round k, an eo of l turns gets the dr of k - l turns; it is opened, with all dr of up to
 * `open` turns, in round l + open: many eo have no shorter dr, and looking for them would cost more than it
 * finds. For the same reason words of only up to `tried` turns are tried on the shorter side of a dr. A last
 * pass leaves nothing out.
 *
 * Sources: the stages and NISS are those of fewest-moves solvers (G. Razoux Schultz, 2009); programs that
 * search in this way are S. Tronto's nissy (https://github.com/sebastianotronto/nissy-classic) and
 * cubelib (https://github.com/Jobarion/cubelib), which the page mallard uses. */
#ifndef CORE_SOLVE_FEWEST_SEARCH_H
#define CORE_SOLVE_FEWEST_SEARCH_H

#include "core/solve/fewest/tables.h"
#include "core/solve/two_phase/search.h"

#define FEWEST_FRAMES 6
#define FEWEST_UNITS 16
#define FEWEST_LONGEST LONGEST                 /* of a solution, and of the turns of one side */
#define FEWEST_JOINED (3 * FEWEST_LONGEST + 1) /* before turns are merged */

enum fewest_stage { FEWEST_EO, FEWEST_DR, FEWEST_HTR, FEWEST_FINISH, FEWEST_STAGES };

/* Turns of one side, in the order in which they are made there. */
struct fewest_side {
	uint8_t move[FEWEST_LONGEST];
	uint8_t faces[FEWEST_LONGEST]; /* bits: those of the run of one axis that ends here */
	int count;
	int begin; /* of the stage that is searched */
};

/* The part of the space that a pass searches. */
struct fewest_effort {
	int eo;       /* turns of the longest eo */
	int open;     /* as above; 0: each length of dr in its round */
	int tried;    /* most turns of the shorter side of a dr; of an eo there is no limit */
	int finish;   /* longest W */
	bool divided; /* among the units of a task; else each of them does all */
};

/* A solution that was found, in the moves of its frame. */
struct fewest_solution {
	int frame;
	struct fewest_side side[2];
	int dr_begin[2]; /* the end of eo on each side */
	uint8_t rest[FEWEST_LONGEST];
	int rest_count;
	int length; /* of the solution: turns that meet are merged */
};

struct fewest_search {
	struct phase_search phases; /* of two_phase: the task, when to stop, and what finds W */
	const struct fewest_tables *tables;
	struct fewest_effort effort;
	int frame;
	int eo_length, round; /* of what is being searched */
	unsigned eo_number;   /* counts eo, to divide them among units */
	struct fewest_side side[2];
	int dr_begin[2];
	struct fewest_solution best; /* if phases.best_length is not -1 */
};

/* The symmetry that a frame is seen by. */
static inline int fewest_symmetry(int frame)
{
	return SYMMETRIES_UD * (frame / 2) + 8 * (frame % 2);
}

/* One round, in one frame, of which `state` is what the scramble looks like there. */
void fewest_round(struct fewest_search *search, const struct cube_state3 *state);

/* ---- stages.c ---- */

/* The turns of a solution in the moves of its frame, merged where they meet; returns how many. */
int fewest_join(const struct fewest_side side[2], const uint8_t *rest, int rest_count,
		uint8_t moves[FEWEST_JOINED]);

/* Writes the best solution: turns, and steps if they are wanted. */
void fewest_write(const struct fewest_search *search, struct cube_solution *solution);

#endif
