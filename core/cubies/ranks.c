/* core/cubies/ranks.c: permutation, twist and flip as numbers of their own. */
#include "cube/cube.h"
#include "cube/ranks.h"

#include <assert.h>

#include "core/cubies/cubies_internal.h"
#include "core/room.h"
#include "cube/hold.h"

const uint32_t cube_rank_counts[CUBE_RANK_PARTS] = {40320, 2187, 479001600, 2048};

uint32_t cube_rank_turns(const uint8_t *turns, int count, uint32_t base)
{
	uint32_t rank = 0;
	for (int i = 0; i + 1 < count; i++)
		rank = rank * base + turns[i];
	return rank;
}

void cube_unrank_turns(uint32_t rank, int count, uint32_t base, uint8_t *turns)
{
	uint32_t sum = 0;
	for (int i = count - 2; i >= 0; i--) {
		turns[i] = (uint8_t)(rank % base);
		sum += turns[i];
		rank /= base;
	}
	turns[count - 1] = (uint8_t)(((uint32_t)count * base - sum) % base);
}

void cube_ranks_of(const struct cube_cubies *cubies, uint32_t ranks[CUBE_RANK_PARTS])
{
	ranks[CUBE_RANK_CORNERS] = (uint32_t)cube_rank(cubies->corner_permutation, CUBE_CORNERS);
	ranks[CUBE_RANK_TWISTS] = cube_rank_turns(cubies->corner_orientation, CUBE_CORNERS, 3);
	ranks[CUBE_RANK_EDGES] = (uint32_t)cube_rank(cubies->edge_permutation, CUBE_EDGES);
	ranks[CUBE_RANK_FLIPS] = cube_rank_turns(cubies->edge_orientation, CUBE_EDGES, 2);
}

void cubies_home(struct cube_cubies *cubies, const struct cube *cube)
{
	union cube3 home;
	assert(cube->size == 2 || cube->size == 3);
	const int hold = cube_hold_of(cube);
	assert(hold >= 0);
	if (hold > 0) {
		cube_hold_turn(&home.cube, cube, cube_hold_inverse(hold));
		cube = &home.cube;
	}
	cube_cubies_of(cubies, cube);
}

void cube_ranks_of_cube(const struct cube *cube, uint32_t ranks[CUBE_RANK_PARTS])
{
	struct cube_cubies cubies;
	cubies_home(&cubies, cube);
	cube_ranks_of(&cubies, ranks);
}

void cube_ranks_cubies(const uint32_t ranks[CUBE_RANK_PARTS], struct cube_cubies *cubies)
{
	for (int part = 0; part < CUBE_RANK_PARTS; part++)
		assert(ranks[part] < cube_rank_counts[part]);
	cube_unrank(ranks[CUBE_RANK_CORNERS], CUBE_CORNERS, cubies->corner_permutation);
	cube_unrank_turns(ranks[CUBE_RANK_TWISTS], CUBE_CORNERS, 3, cubies->corner_orientation);
	cube_unrank(ranks[CUBE_RANK_EDGES], CUBE_EDGES, cubies->edge_permutation);
	cube_unrank_turns(ranks[CUBE_RANK_FLIPS], CUBE_EDGES, 2, cubies->edge_orientation);
}
