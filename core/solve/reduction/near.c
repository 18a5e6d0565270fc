/* core/solve/reduction/near.c: cubes a few turns from solved, of every size.
 *
 * On a solved cube no two neighbours on a face differ. The turn of an outer block parts, and brings
 * together, only the 4 * size pairs across its cut; all others stay side by side. So a cube with
 * that many differing pairs times k is at least k turns away, which sends nearly every cube away at
 * once, and leads a search of the others past nearly all turns. The count after a turn follows from
 * the two rings of stickers beside the cut, without turning. */
#include <string.h>

#include "core/hold.h"
#include "core/solve/reduction/reduction_internal.h"
#include "cube/cube.h"

#define SIDES 4

/* The faces around U, in the order in which a clockwise turn of U brings each one's to the next. */
static const uint8_t around[SIDES] = {CUBE_R, CUBE_F, CUBE_L, CUBE_B};

struct rings {
	uint8_t inside[2 * SIDES * CUBE_SIZE_MAX]; /* twice around */
	uint8_t outside[SIDES * CUBE_SIZE_MAX];
};

/* Pairs on all faces that differ. */
static int differing(const struct cube *cube)
{
	int n = cube->size, count = 0;
	uint8_t above[CUBE_SIZE_MAX];
	for (int row = 0; row < 6 * n; row++) {
		for (int column = 0; column < n; column++) {
			uint8_t color = (uint8_t)cube_color_at(cube, (size_t)(row * n + column));
			count += row % n > 0 && above[column] != color;
			above[column] = color;
			count += column > 0 && above[column - 1] != color;
		}
	}
	return count;
}

static int bound_of(int size, int pairs)
{
	return (pairs + 4 * size - 1) / (4 * size);
}

int near_bound(const struct cube *cube)
{
	return bound_of(cube->size, differing(cube));
}

/* Reads the rings beside the cut behind the first `layers` of U, R or F. */
static void read_rings(const struct cube *cube, int face, int layers, struct rings *rings)
{
	const struct cube_hold *hold =
		&cube_hold_table.hold[cube_hold_table.of[face][(face + 1) % 3]];
	int n = cube->size;
	uint8_t *inside = rings->inside, *outside = rings->outside;
	for (int side = 0; side < SIDES; side++) {
		for (int column = 0; column < n; column++) {
			size_t in = cube_hold_facelet(hold, n, around[side], layers - 1, column);
			size_t out = cube_hold_facelet(hold, n, around[side], layers, column);
			*inside++ = (uint8_t)cube_color_at(cube, in);
			*outside++ = (uint8_t)cube_color_at(cube, out);
		}
	}
	memcpy(inside, rings->inside, (size_t)(SIDES * n));
}

/* Across the cut, after so many clockwise quarter turns. */
static int differing_across(const struct rings *rings, int n, int quarters)
{
	const uint8_t *inside = rings->inside + (SIDES - quarters) % SIDES * n;
	int count = 0;
	for (int i = 0; i < SIDES * n; i++)
		count += inside[i] != rings->outside[i];
	return count;
}

struct near_search {
	struct reduction *reduction;
	struct cube *cube[NEAR_LENGTH + 1]; /* by how many turns are left */
	struct cube_turn turn[NEAR_LENGTH + 1];
};

/* A block's turn from the nearer face; the rest of the cube instead, where that is smaller, leaves
 * it held another way. */
static struct cube_turn turn_of(int n, int face, int layers, int quarters)
{
	if (2 * layers <= n)
		return cube_turn_make(n, face, 1, layers, quarters);
	return cube_turn_make(n, face + 3, 1, n - layers, quarters);
}

/* Returns true if `left` turns solve it; `pairs` differ. */
static bool search(struct near_search *near, int left, int pairs)
{
	const struct cube *cube = near->cube[left];
	int n = cube->size;
	struct rings rings;
	if (left == 0 || pairs == 0)
		return pairs == 0 && left == 0;
	for (int cut = 0; cut < 3 * (n - 1); cut++) {
		int face = cut / (n - 1), layers = cut % (n - 1) + 1;
		if (!reduction_go_on(near->reduction, 1))
			return false;
		read_rings(cube, face, layers, &rings);
		int now = differing_across(&rings, n, 0);
		for (int quarters = 1; quarters < 4; quarters++) {
			int after = pairs - now + differing_across(&rings, n, quarters);
			if (bound_of(n, after) > left - 1)
				continue;
			near->turn[left] = turn_of(n, face, layers, quarters);
			cube_copy(near->cube[left - 1], cube);
			cube_turn(near->cube[left - 1], near->turn[left]);
			if (search(near, left - 1, after))
				return true;
		}
	}
	return false;
}

size_t near_bytes(int size)
{
	return CUBE_SOLVE_ALIGNED(cube_bytes(size)) * (NEAR_LENGTH + 1);
}

int near_solve(struct reduction *reduction, void *work)
{
	struct near_search near = {.reduction = reduction};
	int size = reduction->cube->size, pairs = differing(reduction->cube);
	size_t cube = CUBE_SOLVE_ALIGNED(cube_bytes(size));
	for (int i = 0; i <= NEAR_LENGTH; i++)
		near.cube[i] = (struct cube *)((uint8_t *)work + (size_t)i * cube);
	for (int length = bound_of(size, pairs); length <= NEAR_LENGTH; length++) {
		cube_copy(near.cube[length], reduction->cube);
		if (!search(&near, length, pairs)) {
			if (reduction->stopped)
				break;
			continue;
		}
		for (int left = length; left > 0; left--) {
			struct cube_turn turn = near.turn[left];
			reduction_turn(reduction, turn.face, turn.from, turn.to, turn.quarters);
		}
		return length;
	}
	return NEAR_LENGTH + 1;
}
