/* near_depths.c: the depths of states near solved, made once. */
#include "server/solving/near_depths.h"

#include <stdlib.h>

#include "server/util/lock.h"

struct near_depths {
	struct lock lock;
	struct cube_depths *depths; /* NULL: not made yet */
};

struct near_depths *near_depths_create(void)
{
	struct near_depths *made = calloc(1, sizeof *made);
	if (made && !lock_init(&made->lock)) {
		free(made);
		return NULL;
	}
	return made;
}

void near_depths_destroy(struct near_depths *made)
{
	if (!made)
		return;
	free(made->depths);
	lock_destroy(&made->lock);
	free(made);
}

const struct cube_depths *near_depths_take(struct near_depths *made)
{
	lock_acquire(&made->lock);
	if (!made->depths) {
		made->depths = malloc(cube_depths_bytes());
		if (made->depths)
			cube_depths_make(made->depths);
	}
	const struct cube_depths *taken = made->depths;
	lock_release(&made->lock);
	return taken;
}
