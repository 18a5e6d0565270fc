/* core/cubies/ranks.c: permutation, twist and flip as numbers of their own. */
#include "cube/ranks.h"

#include <assert.h>

#include "core/cubies/cubies_internal.h"
#include "core/room.h"
#include "cube/hold.h"

const uint32_t cube_rank_counts[CUBE_RANK_PARTS] = {40320, 2187, 479001600, 2048};

void cube_ranks_of(const struct cube_cubies *cubies, uint32_t ranks[CUBE_RANK_PARTS])
{
	ranks[CUBE_RANK_CORNERS] = (uint32_t)cube_rank(cubies->corner_permutation, CUBE_CORNERS);
	ranks[CUBE_RANK_TWISTS] = cubies_rank_turns(cubies->corner_orientation, CUBE_CORNERS, 3);
	ranks[CUBE_RANK_EDGES] = (uint32_t)cube_rank(cubies->edge_permutation, CUBE_EDGES);
	ranks[CUBE_RANK_FLIPS] = cubies_rank_turns(cubies->edge_orientation, CUBE_EDGES, 2);
}

void cube_ranks_of_cube(const struct cube *cube, uint32_t ranks[CUBE_RANK_PARTS])
{
	union cube3 home;
	struct cube_cubies cubies;
	const int hold = cube_hold_of(cube);
	assert(hold >= 0);
	cube_hold_turn(&home.cube, cube, cube_hold_inverse(hold));
	cube_cubies_of(&cubies, &home.cube);
	cube_ranks_of(&cubies, ranks);
}

void cube_ranks_cubies(const uint32_t ranks[CUBE_RANK_PARTS], struct cube_cubies *cubies)
{
	for (int part = 0; part < CUBE_RANK_PARTS; part++)
		assert(ranks[part] < cube_rank_counts[part]);
	cube_unrank(ranks[CUBE_RANK_CORNERS], CUBE_CORNERS, cubies->corner_permutation);
	cubies_unrank_turns(ranks[CUBE_RANK_TWISTS], CUBE_CORNERS, 3, cubies->corner_orientation);
	cube_unrank(ranks[CUBE_RANK_EDGES], CUBE_EDGES, cubies->edge_permutation);
	cubies_unrank_turns(ranks[CUBE_RANK_FLIPS], CUBE_EDGES, 2, cubies->edge_orientation);
}
