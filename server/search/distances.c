/* distances.c: tables of distances, each made once. */
#include "server/search/distances.h"

#include <stdlib.h>

#include "cube/solve.h"
#include "server/util/lock.h"
#include "server/util/log.h"

struct distances {
	struct lock lock;
	struct cube_depths *from_solved;    /* NULL: not made yet */
	void *bounds;                       /* the same */
	struct cube_distances *from_goal[]; /* by the goal's row; NULL: not made yet */
};

static void log_made(const char *name, size_t bytes)
{
	log_event(LOG_INFO, "tables made", LOG_TEXT("tables", name), LOG_NUMBER("bytes", bytes));
}

struct distances *distances_create(void)
{
	struct distances *made =
		calloc(1, sizeof *made + cube_goals_count * sizeof *made->from_goal);
	if (made && !lock_init(&made->lock)) {
		free(made);
		return NULL;
	}
	return made;
}

void distances_destroy(struct distances *made)
{
	if (!made)
		return;
	for (size_t i = 0; i < cube_goals_count; i++)
		free(made->from_goal[i]);
	free(made->from_solved);
	free(made->bounds);
	lock_destroy(&made->lock);
	free(made);
}

const struct cube_distances *distances_from_goal(struct distances *made,
						 const struct cube_goal_row *goal)
{
	lock_acquire(&made->lock);
	struct cube_distances **distances = &made->from_goal[goal - cube_goals];
	if (!*distances) {
		*distances = malloc(cube_distances_bytes(goal));
		if (*distances) {
			cube_distances_make(goal, *distances);
			log_made("distances of a goal", cube_distances_bytes(goal));
		}
	}
	const struct cube_distances *taken = *distances;
	lock_release(&made->lock);
	return taken;
}

const struct cube_depths *distances_from_solved(struct distances *made)
{
	lock_acquire(&made->lock);
	if (!made->from_solved) {
		made->from_solved = malloc(cube_depths_bytes());
		if (made->from_solved) {
			cube_depths_make(made->from_solved);
			log_made("distances", cube_depths_bytes());
		}
	}
	const struct cube_depths *taken = made->from_solved;
	lock_release(&made->lock);
	return taken;
}

const void *distances_bounds(struct distances *made)
{
	const struct cube_solver_tables *tables = cube_solver_find("optimal", 7, 3)->tables;
	lock_acquire(&made->lock);
	if (!made->bounds) {
		made->bounds = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(tables->bytes));
		if (made->bounds) {
			cube_solver_make(tables, made->bounds);
			log_made("bounds", tables->bytes);
		}
	}
	const void *taken = made->bounds;
	lock_release(&made->lock);
	return taken;
}
