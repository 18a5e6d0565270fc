/* core/solve/subgroup/subgroup.c: the group that a few turns generate: made, counted, asked and
 * drawn from. */
#include "cube/cube.h"
#include "cube/subgroup.h"

#include <assert.h>
#include <string.h>

#include "core/room.h"
#include "core/solve/subgroup/subgroup_internal.h"

/* ---- moves ---- */

static bool has_perm(const struct cube_subgroup *subgroup, const struct perm *perm)
{
	for (int m = 0; m < subgroup->moves; m++)
		if (memcmp(&subgroup->move[m].perm, perm, sizeof(*perm)) == 0)
			return true;
	return false;
}

static void perm_of_turn(int size, struct cube_turn turn, struct perm *perm)
{
	union cube3 room;
	cube_init(&room.cube, size);
	cube_turn(&room.cube, turn);
	perm_from_cube(perm, &room.cube);
}

/* Adds the moves of a generator, unless they are there, from whichever side it is seen. False if
 * there are too many. */
static bool add_generator(struct cube_subgroup *subgroup, struct cube_turn turn)
{
	const bool half = turn.quarters % 2 == 0;
	struct perm perm;
	perm_of_turn(subgroup->size, turn, &perm);
	if (has_perm(subgroup, &perm))
		return true;
	if (subgroup->generators == GENERATORS)
		return false;
	for (int quarters = half ? 2 : 1; quarters <= (half ? 2 : 3); quarters++) {
		struct group_move *move = &subgroup->move[subgroup->moves++];
		turn.quarters = cube_quarters(quarters);
		*move = (struct group_move){
			.turn = turn, .generator = subgroup->generators, .axis = turn.face % 3};
		perm_of_turn(subgroup->size, turn, &move->perm);
		perm_identity(&move->inverse);
		perm_invert(&move->inverse, &move->perm, subgroup->range);
	}
	subgroup->generators++;
	return true;
}

/* Quarter turns first: a half turn of the same layers adds nothing. */
static bool add_generators(struct cube_subgroup *subgroup, const struct cube_turn *generators,
			   size_t count)
{
	bool all = true;
	for (int half = 0; half < 2; half++)
		for (size_t i = 0; i < count && all; i++)
			if (generators[i].quarters % 2 == 0 ? half : !half)
				all = add_generator(subgroup, generators[i]);
	return all;
}

/* ---- the group ---- */

size_t cube_subgroup_make(int size, const struct cube_turn *generators, size_t count,
			  struct cube_subgroup *memory)
{
	struct room room = {.subgroup = memory, .used = sizeof(*memory)};
	assert(size == 2 || size == 3);
	memset(memory, 0, sizeof(*memory));
	memory->size = size;
	memory->range = (struct range){0, size == 2 ? POINTS_2 : POINTS};
	room.making = subgroup_at(memory, ROOM_END);
	const bool few = add_generators(memory, generators, count);
	chain_begin(&memory->chain, memory->range, &room.making->scratch);
	for (size_t i = 0; i < count; i++) {
		struct perm perm;
		perm_of_turn(size, generators[i], &perm);
		chain_add(&memory->chain, &perm, &room.making->scratch);
	}
	if (few)
		subgroup_plan(&room);
	return memory->phases > 0 ? room.used : sizeof(*memory);
}

struct cube_index cube_subgroup_order(const struct cube_subgroup *subgroup)
{
	const group_order order = chain_order(&subgroup->chain);
	return (struct cube_index){(uint64_t)(order >> 64), (uint64_t)order};
}

bool cube_subgroup_writes(const struct cube_subgroup *subgroup)
{
	return subgroup->phases > 0;
}

bool cube_subgroup_has(const struct cube_subgroup *subgroup, const struct cube *cube)
{
	struct perm perm;
	assert(cube->size == subgroup->size);
	perm_from_cube(&perm, cube);
	return chain_has(&subgroup->chain, &perm);
}
