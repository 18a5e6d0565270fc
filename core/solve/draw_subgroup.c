/* core/solve/draw_subgroup.c: random states of those that a few turns lead to. */
#include "core/solve/subgroup/subgroup_internal.h"

void cube_subgroup_draw(const struct cube_subgroup *subgroup, const struct cube_random *random,
			struct cube *cube)
{
	const struct chain *chain = &subgroup->chain;
	struct perm perm;
	perm_identity(&perm);
	for (int level = chain->levels; level-- > 0;) {
		const size_t at = (size_t)cube_random_below(random, chain->count[level]);
		perm_compose(&perm, &chain->reach[level][at], &perm, chain->range);
	}
	perm_to_cube(&perm, subgroup->size, cube);
}
