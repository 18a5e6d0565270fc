/* core/solve/reduction/plan.h: the steps of the search for centres as rows of a table; internal.
 *
 * A cube of size 6 or 7 becomes one of size 5: left and right obliques beside each other, and on a
 * 7x7x7 the middle centre between them, form a bar, which blocks of two layers move as one. So
 * blocks of three layers solve the inner orbits and make bars alike, and then those of two layers
 * bring bars and outer corners home. This is done for each stage in turn, so that each step has
 * some 35 to 40 bits to bring right, which depth-first search can find. The steps of size 7 make
 * the left obliques like the right ones, and then turn the middle layers until those between are
 * alike too; these turn only as the stage to come allows, and so leave what the stage has done. In
 * the last stage that would not do: there one axis comes after the other, the first by all blocks,
 * then with the blocks of three layers about that axis only, which leave it alone.
 *
 * The order of stages and the bars are those of
 * https://github.com/dwalton76/rubiks-cube-NxNxN-solver, which has tables of gigabytes for them. */
#ifndef CORE_SOLVE_REDUCTION_PLAN_H
#define CORE_SOLVE_REDUCTION_PLAN_H

#include "core/solve/reduction/centers.h"

#define STEP_ORBITS 6
#define STEP_LOOKS 5
#define STEP_BITS 8

/* Blocks that may turn: of one layer, two, three; or the middle layer alone. */
#define BLOCK_1 1
#define BLOCK_2 2
#define BLOCK_3 4
#define BLOCK_MIDDLE 8
#define BLOCKS 4

/* The test of an orbit, after those before it in the row were moved. */
enum step_test {
	TEST_NONE,
	TEST_HOME,  /* as the stage wants it, by the table of distances */
	TEST_ALIKE, /* each place is as that of the orbit before */
	TEST_INNER, /* by the tables of bars: x home, left like right */
	TEST_OUTER, /* x and t home */
	TEST_AXIS   /* one axis after another: x, left, right, then also t, and that between them */
};

struct center_step {
	enum center_stage stage;
	uint8_t blocks, late; /* the blocks that turn, and those only as the next stage allows */
	uint8_t even;         /* a bit for each depth of wings that are to be even permutations */
	uint8_t axis;         /* TEST_AXIS: how many axes are done */
	uint8_t looks;
	struct {
		uint8_t orbit;
		enum step_test test;
	} look[STEP_LOOKS];
};

/* The steps for a size; a step without looks follows the last. */
struct center_plan {
	uint8_t size, orbits;
	struct {
		uint8_t row, column;
		enum center_kind kind;
	} cell[STEP_ORBITS];
	const struct center_step *steps;
};

/* NULL if there is none for that size. */
const struct center_plan *plan_of(int size);

#define STEP_MOVES_MAX 63
struct step_move {
	struct cube_turn turn;
	uint8_t of[STEP_ORBITS]; /* center_move of each orbit */
	uint8_t block;           /* which of the blocks it turns */
	uint8_t length;          /* the middle layer counts as two */
	uint8_t odd;             /* the depths of wings that it makes odd where they were even */
	uint8_t hold;            /* the hold of the middle centres then */
	uint8_t order;           /* turns about an axis are made in that order only */
};

/* All moves of a plan; returns how many. */
int plan_moves(const struct center_plan *plan, struct step_move moves[STEP_MOVES_MAX]);

/* Returns true if a step may turn so. `order`: the axes, where these come one after another. */
bool plan_allows(const struct center_step *step, const struct step_move *move,
		 const uint8_t order[3]);

#endif
