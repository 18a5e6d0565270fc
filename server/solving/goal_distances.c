/* goal_distances.c: the distances of states from goals, made once. */
#include "server/solving/goal_distances.h"

#include <stdlib.h>

#include "server/util/lock.h"

struct goal_distances {
	struct lock lock;
	struct cube_distances *of[]; /* by the goal's row; NULL: not made yet */
};

struct goal_distances *goal_distances_create(void)
{
	struct goal_distances *made = calloc(1, sizeof *made + cube_goals_count * sizeof *made->of);
	if (made && !lock_init(&made->lock)) {
		free(made);
		return NULL;
	}
	return made;
}

void goal_distances_destroy(struct goal_distances *made)
{
	if (!made)
		return;
	for (size_t i = 0; i < cube_goals_count; i++)
		free(made->of[i]);
	lock_destroy(&made->lock);
	free(made);
}

const struct cube_distances *goal_distances_take(struct goal_distances *made,
						 const struct cube_goal_row *goal)
{
	lock_acquire(&made->lock);
	struct cube_distances **distances = &made->of[goal - cube_goals];
	if (!*distances) {
		*distances = malloc(cube_distances_bytes(goal));
		if (*distances)
			cube_distances_make(goal, *distances);
	}
	const struct cube_distances *taken = *distances;
	lock_release(&made->lock);
	return taken;
}
