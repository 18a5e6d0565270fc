/* core/solve/reduction/plan.c: which steps solve the centres of each size, with which moves. */
#include "core/solve/reduction/plan.h"

#include <string.h>

#define B12 (BLOCK_1 | BLOCK_2)
#define B13 (BLOCK_1 | BLOCK_3)
#define B123 (BLOCK_1 | BLOCK_2 | BLOCK_3)
#define B12M (BLOCK_1 | BLOCK_2 | BLOCK_MIDDLE)

/* Depths of wings. */
#define OUTER (1 << 1)
#define INNER (1 << 2)

/* The tests of a step. */
/* clang-format off */
#define ONE_HOME(a) 1, {{a, TEST_HOME}}
#define HOME(a, b) 2, {{a, TEST_HOME}, {b, TEST_HOME}}
#define ALIKE(a, b) 2, {{a, TEST_NONE}, {b, TEST_ALIKE}}
#define OUTER_HOME(x, t) 2, {{x, TEST_HOME}, {t, TEST_OUTER}}
#define INNER_HOME(x, left, right) 3, {{x, TEST_HOME}, {left, TEST_NONE}, {right, TEST_INNER}}
#define AXIS(x, left, right, t, between)                                                           \
	5, {{x, TEST_NONE}, {left, TEST_NONE}, {right, TEST_AXIS}, {t, TEST_NONE}, {between, TEST_AXIS}}
/* clang-format on */

static const struct center_step steps_4[] = {{CENTER_AXIS, B12, 0, 0, 0, ONE_HOME(0)},
					     {CENTER_SPLIT, B12, 0, OUTER, 0, ONE_HOME(0)},
					     {CENTER_FACE, B12, 0, 0, 0, ONE_HOME(0)},
					     {.looks = 0}};

static const struct center_step steps_5[] = {{CENTER_HALF, B12, 0, 0, 0, HOME(0, 1)},
					     {CENTER_AXIS, B12, 0, 0, 0, HOME(0, 1)},
					     {CENTER_SPLIT, B12, 0, OUTER, 0, HOME(0, 1)},
					     {CENTER_FACE, B12, 0, 0, 0, OUTER_HOME(0, 1)},
					     {.looks = 0}};

static const struct center_step steps_6[] = {{CENTER_AXIS, B13, 0, 0, 0, ONE_HOME(0)},
					     {CENTER_AXIS, B123, BLOCK_3, 0, 0, ALIKE(1, 2)},
					     {CENTER_HALF, B12, 0, 0, 0, HOME(3, 1)},
					     {CENTER_AXIS, B12, 0, 0, 0, HOME(3, 1)},
					     {CENTER_SPLIT, B13, 0, INNER, 0, ONE_HOME(0)},
					     {CENTER_SPLIT, B123, BLOCK_3, 0, 0, ALIKE(1, 2)},
					     {CENTER_SPLIT, B12, 0, OUTER, 0, HOME(3, 1)},
					     {CENTER_FACE, B123, 0, 0, 0, INNER_HOME(0, 1, 2)},
					     {CENTER_FACE, B12, 0, 0, 0, OUTER_HOME(3, 1)},
					     {.looks = 0}};

static const struct center_step steps_7[] = {{CENTER_HALF, B13, 0, 0, 0, HOME(0, 1)},
					     {CENTER_AXIS, B13, 0, 0, 0, HOME(0, 1)},
					     {CENTER_AXIS, B123, BLOCK_3, 0, 0, ALIKE(2, 3)},
					     {CENTER_AXIS, B12M, BLOCK_MIDDLE, 0, 0, ALIKE(2, 4)},
					     {CENTER_HALF, B12, 0, 0, 0, HOME(5, 4)},
					     {CENTER_AXIS, B12, 0, 0, 0, HOME(5, 4)},
					     {CENTER_SPLIT, B13, 0, INNER, 0, HOME(0, 1)},
					     {CENTER_SPLIT, B123, BLOCK_3, 0, 0, ALIKE(2, 3)},
					     {CENTER_SPLIT, B12M, BLOCK_MIDDLE, 0, 0, ALIKE(2, 4)},
					     {CENTER_SPLIT, B12, 0, OUTER, 0, HOME(5, 4)},
					     {CENTER_FACE, B123, 0, 0, 0, AXIS(0, 2, 3, 1, 4)},
					     {CENTER_FACE, B123, 0, 0, 1, AXIS(0, 2, 3, 1, 4)},
					     {CENTER_FACE, B123, 0, 0, 2, AXIS(0, 2, 3, 1, 4)},
					     {CENTER_FACE, B12, 0, 0, 0, OUTER_HOME(5, 4)},
					     {.looks = 0}};

/* Left and right obliques are given by adjacent cells, so that their places are adjacent, too. */
static const struct center_plan plans[] = {
	{4, 1, {{1, 1, CENTER_X}}, steps_4},
	{5, 2, {{1, 1, CENTER_X}, {1, 2, CENTER_T}}, steps_5},
	{6,
	 4,
	 {{2, 2, CENTER_X}, {1, 2, CENTER_LEFT}, {1, 3, CENTER_RIGHT}, {1, 1, CENTER_X}},
	 steps_6},
	{7,
	 6,
	 {{2, 2, CENTER_X},
	  {2, 3, CENTER_T},
	  {1, 2, CENTER_LEFT},
	  {1, 4, CENTER_RIGHT},
	  {1, 3, CENTER_T},
	  {1, 1, CENTER_X}},
	 steps_7}};

const struct center_plan *plan_of(int size)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++)
		if (plans[i].size == size)
			return &plans[i];
	return NULL;
}

/* ---- moves ---- */

static int lines_held(int size, int row, int column, int layers)
{
	int other = column < size - 1 - column ? column : size - 1 - column;
	return (row < layers) + (2 * column + 1 != size && other < layers);
}

static void make_move(const struct center_plan *plan, int face, int block, int quarters,
		      struct step_move *move)
{
	static const uint8_t holds[3][4] = {{0, 1, 2, 3}, {0, 4, 8, 12}, {0, 16, 10, 20}};
	int size = plan->size, layers = block + 1, middle = size / 2 + 1;
	bool slice = 1 << block == BLOCK_MIDDLE;
	memset(move, 0, sizeof(*move));
	move->turn = slice ? cube_turn_make(size, face, middle, middle, quarters)
			   : cube_turn_make(size, face, 1, layers, quarters);
	move->block = (uint8_t)(1 << block);
	move->length = slice ? 2 : 1;
	move->odd = (uint8_t)(quarters == 2 || slice ? 0 : (1 << layers) - 2);
	move->hold = slice ? holds[face][quarters] : 0;
	move->order = (uint8_t)(block * CUBE_FACES + face);
	for (int k = 0; k < plan->orbits; k++) {
		int lines =
			slice ? CENTER_MIDDLE
			      : lines_held(size, plan->cell[k].row, plan->cell[k].column, layers);
		move->of[k] = (uint8_t)center_move(face, lines, quarters);
	}
}

int plan_moves(const struct center_plan *plan, struct step_move moves[STEP_MOVES_MAX])
{
	int count = 0;
	for (int block = 0; block < BLOCKS; block++) {
		bool slice = 1 << block == BLOCK_MIDDLE;
		/* One of two halves of the cube suffices. */
		bool half = slice || 2 * (block + 1) == plan->size;
		if (slice ? plan->size % 2 == 0 : 2 * (block + 1) > plan->size)
			continue;
		for (int i = 0; i < (half ? 9 : 18); i++)
			make_move(plan, i / 3, block, i % 3 + 1, &moves[count++]);
	}
	return count;
}

/* Turns that leave the next axis unchanged are useless, except that blocks of two layers still
 * change the others; blocks of three only about the axis that is done. */
static bool axis_allows(const struct center_step *step, const struct step_move *move,
			const uint8_t order[3])
{
	static const uint8_t axis_of[3] = {0, 2, 1}; /* U R F */
	int axis = axis_of[move->turn.face % 3], rank = axis == order[0]   ? 0
							: axis == order[1] ? 1
									   : 2;
	if (move->block == BLOCK_3 && step->axis > 0 && rank != 0)
		return false;
	if (step->axis == 2)
		return (move->block == BLOCK_1) == (rank != 0);
	return (move->block == BLOCK_1) == (rank == step->axis);
}

bool plan_allows(const struct center_step *step, const struct step_move *move,
		 const uint8_t order[3])
{
	enum center_stage stage = step->stage;
	if ((move->block & step->blocks) == 0)
		return false;
	if (move->block & step->late)
		stage = stage == CENTER_SPLIT ? CENTER_FACE : CENTER_SPLIT;
	return center_allowed(stage, move->turn.face, move->block != BLOCK_1,
			      move->turn.quarters) &&
	       (step->look[step->looks - 1].test != TEST_AXIS || axis_allows(step, move, order));
}
