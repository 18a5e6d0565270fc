/* core/solve/four/four_internal.h: the search for the 4x4x4: its tables, what it keeps, and its parts. */
#ifndef CORE_SOLVE_FOUR_FOUR_INTERNAL_H
#define CORE_SOLVE_FOUR_FOUR_INTERNAL_H

#include "core/solve/common/table_head.h"
#include "core/solve/four/pairs.h"

#define FOUR_FRAMES 3      /* the cube as it is, and turned about URF - DBL */
#define FOUR_LONGEST_12 24 /* of phases 1 and 2 */
#define FOUR_LONGEST 48    /* of phases 1 to 3 */
#define FOUR_ROOM (FOUR_LONGEST + CUBE_SOLUTION_MAX)
#define FOUR_STAGES 5
#define FOUR_CANDIDATES 256
#define FOUR_NEAR 4 /* up to here solutions are shortest ones */
#define FOUR_NEAR_STATES 595

/* All states up to two moves away, however held: a number for each, ascending. */
struct four_near {
	uint64_t key[FOUR_NEAR_STATES];
	uint8_t distance[FOUR_NEAR_STATES];
};

struct four_tables {
	struct table_head head;
	struct four_moves moves;
	struct four_near near;
	struct four_centers centers;
	struct four_pairs pairs;
};

/* A way through phases 1 and 2, and what it leaves for phase 3. */
struct four_candidate {
	uint8_t path[FOUR_LONGEST_12];
	uint8_t length, length_1, frame;
	uint8_t bound; /* of the three phases together, */
	uint8_t rank;  /* and how long they may well be */
	uint8_t pair[FOUR_EDGES];
	uint8_t ends[FOUR_AXES];
	bool odd;
};

struct four_search {
	const struct four_tables *tables;
	const struct cube_solve_task *task;
	uint64_t nodes, poll_at;
	int depth; /* for the progress */
	bool stopped;

	struct four start[FOUR_FRAMES];
	uint8_t face[FOUR_FRAMES][CUBE_FACES]; /* each frame's faces, as the cube is held */
	bool wings_odd;

	/* Phases 1 and 2: what is searched now. */
	int frame, pair, length_1, length_2;
	uint64_t nodes_end; /* the share of these phases, or of phase 3 */
	uint8_t path[FOUR_LONGEST + 1];

	/* Phase 3, and the 3x3x3. */
	const struct four_candidate *now;
	int length_3;
	uint64_t share, there_end;           /* nodes of a candidate at each length */
	int tries;                           /* of the 3x3x3 that are left */
	struct cube_turn turns_3[FOUR_ROOM]; /* of the three phases */

	/* The best whole solution. */
	int best; /* -1: none */
	struct cube_turn turns[FOUR_ROOM];
	size_t behind[FOUR_STAGES]; /* number of turns when each stage is done */

	/* The last members: what is before is zeroed when a search begins. */
	size_t candidates;
	int least;                                        /* of their bounds */
	struct four_candidate candidate[FOUR_CANDIDATES]; /* the least ranks found, ascending */
};

/* ---- phases.c ---- */

/* Counts a node and polls now and then; false once the search must end. */
bool four_go_on(struct four_search *search);

/* Fills `candidate` by phases 1 and 2. */
void four_find_candidates(struct four_search *search);

/* ---- near.c ---- */

void four_near_make(struct four_near *near);

/* A shortest solution of up to FOUR_NEAR moves; returns how many, or -1 if there is none. */
int four_near_solve(const struct four_near *near, const struct cube *cube,
		    uint8_t moves[FOUR_NEAR]);

/* ---- finish.c ---- */

/* Phase 3 of the candidates, and the 3x3x3; improves the best solution. */
void four_finish_candidates(struct four_search *search);

#endif
