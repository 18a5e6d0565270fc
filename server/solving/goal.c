/* goal.c: goals other than the solved cube. */
#include "server/solving/goal.h"

#include <stdlib.h>

#include "cube/hold.h"

static enum cube_solve_end solve(const void *tables, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	return cube_goal_solve(tables, task, solution);
}

static size_t room(int size)
{
	(void)size;
	return CUBE_GOAL_LENGTH_MAX;
}

const struct cube_solver solve_goal_method = {
	.name = "goal",
	.size_min = CUBE_SIZE_MIN,
	.size_max = CUBE_SIZE_MAX,
	.length_max = {CUBE_GOAL_LENGTH_MAX, CUBE_GOAL_LENGTH_MAX},
	.optimal = true,
	.room = room,
	.work_bytes = cube_goal_work_bytes,
	.units = 1,
	.solve = solve};

struct cube_goal *solve_goal_make(const struct solve_goal *goal, const struct cube *cube)
{
	const struct cube_goal_plan plan = {.query = goal->query,
					    .generators = goal->generators,
					    .generator_count = goal->generator_count,
					    .size = cube->size,
					    .hold = cube_hold_of(cube)};
	struct cube_goal *made =
		aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(cube_goal_bytes(&plan)));
	if (made)
		cube_goal_make(&plan, made);
	return made;
}

const char *solve_goal_metric(const struct solve_goal *goal, int size,
			      enum cube_solve_metric metric)
{
	const bool halves = metric == CUBE_SOLVE_HTM;
	bool inner = false, rotation = false;
	for (size_t i = 0; i < goal->generator_count; i++) {
		const bool first = goal->generators[i].from == 1;
		const bool last = goal->generators[i].to == size;
		inner |= !first && !last;
		rotation |= first && last;
	}
	if (rotation)
		return halves ? "etm" : NULL;
	if (inner)
		return halves ? "stm" : "qstm";
	return halves ? "htm" : "qtm";
}

/* Whether they show the same colours, held in any way. */
static bool show_same_colors(const struct cube *cube, const struct cube *state,
			     struct cube *scratch)
{
	const size_t facelets = cube_facelets(cube->size);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		size_t same = 0;
		cube_hold_turn(scratch, state, hold);
		while (same < facelets && cube_color_at(cube, same) == cube_color_at(scratch, same))
			same++;
		if (same == facelets)
			return true;
	}
	return false;
}

bool solve_goal_reached(const struct solve_goal *goal, const struct cube *cube,
			const struct solve_scratch *scratch, const struct cube_turn *turns,
			size_t count)
{
	cube_copy(scratch->cube, goal->query ? cube : goal->from);
	cube_turn_all(scratch->cube, turns, count);
	if (!goal->query)
		return show_same_colors(scratch->cube, goal->state, scratch->other);
	cube_colors(scratch->cube, scratch->colors);
	return cube_query_match(goal->query, scratch->colors, CUBE_FITS_ALL) != 0;
}
