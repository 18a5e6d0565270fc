/* judge.c: what the state at the end of a solve is worth. */
#include "cube/cube.h"
#include "server/modules/times/judge.h"

#include "server/modules/times/files/results.h"

/* Returns true if a turn of the block, by any amount, solves the cube. Turns the block all the way
 * round. */
static bool block_solves(struct cube *cube, int face, int layers)
{
	const struct cube_turn turn = cube_turn_make(cube->size, face, 1, layers, 1);
	bool solves = false;
	for (int i = 0; i < 4; i++) {
		cube_turn(cube, turn);
		solves |= i < 3 && cube_is_solved(cube);
	}
	return solves;
}

int64_t judge_state(struct cube *cube)
{
	const int size = cube->size;
	if (cube_is_solved(cube))
		return 0;
	/* The block of the other layers does the same, with the cube held otherwise. */
	for (int face = 0; face < CUBE_FACES; face++)
		for (int layers = 1; layers <= size / 2; layers++)
			if (block_solves(cube, face, layers))
				return PENALTY_TWO;
	return PENALTY_DNF;
}

uint64_t judge_cost(int size)
{
	const uint64_t n = (uint64_t)size;
	return 24 * (n / 2) * (3 * n * n + 100);
}
