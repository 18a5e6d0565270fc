/* core/batch/symmetric.c: many states, each turned as a whole and mirrored. */
#include <assert.h>
#include <string.h>

#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"
#include "core/hold.h"

#define DBL 6

/* ---- the symmetries ---- */

static void conjugate(const struct rotation *rotation, bool mirrors, struct cube_state3 *state)
{
	struct cube_state3 undo;
	cube_state3_invert(&undo, &rotation->state);
	cube_state3_compose(state, &undo, state);
	cube_state3_compose(state, state, &rotation->state);
	if (mirrors)
		state3_mirror(state, state);
}

/* ---- actions ---- */

/* Changes actions of faces to those of the faces that `face` names; in a mirror they turn the other way round. */
static void rename_faces(const uint8_t face[CUBE_FACES], bool mirrors, size_t length,
			 uint8_t *actions)
{
	for (size_t i = 0; i < length && actions[i] < CUBE_ACTIONS; i++) {
		const int action = 3 * face[actions[i] / 3] + actions[i] % 3;
		actions[i] = (uint8_t)(mirrors ? cube_action_inverse(action) : action);
	}
}

/* Changes actions to those of U, R and F: after each of another face, the whole cube is turned back. */
static void hold_actions(size_t length, uint8_t *actions)
{
	static const uint8_t holds[] = {
		1, 4, 16}; /* y, x and z, the turns of the whole cube like U, R and F */
	uint8_t face[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
	for (size_t i = 0; i < length && actions[i] < CUBE_ACTIONS; i++) {
		const int at = face[actions[i] / 3], axis = at % 3, amount = actions[i] % 3;
		actions[i] = (uint8_t)(3 * axis + amount);
		for (int quarters = at == axis ? 0 : amount + 1; quarters > 0; quarters--)
			for (int j = 0; j < CUBE_FACES; j++)
				face[j] = cube_hold_table.hold[holds[axis]].to[face[j]];
	}
}

/* ---- states ---- */

/* Returns the rotation that brings the corner DBL home. */
static const struct rotation *homeward(const struct rotation rotations[ROTATIONS],
				       const struct cube_state3 *state)
{
	const uint8_t *corner = state->piece + CUBE_STATE3_CORNERS;
	int place = 0;
	while ((corner[place] & CUBE_STATE3_PIECE) != DBL)
		place++;
	const int twist = (3 - (corner[place] >> CUBE_STATE3_TURN)) % 3;
	int i = 0;
	while (rotations[i].state.piece[CUBE_STATE3_CORNERS + DBL] !=
	       (place | twist << CUBE_STATE3_TURN))
		i++;
	return &rotations[i];
}

/* Turns a 2x2x2 as a whole until it is held as rows are, and its actions with it. */
static void hold(const struct rotation rotations[ROTATIONS], struct cube_state3 *state,
		 size_t length, uint8_t *actions)
{
	const struct rotation *rotation = homeward(rotations, state);
	cube_state3_compose(state, state, &rotation->state);
	memcpy(state->piece, cube_state3_solved.piece, CUBE_STATE3_CORNERS);
	rename_faces(rotation->face, false, length, actions);
	hold_actions(length, actions);
}

void cube_batch_symmetric(int size, const uint8_t *symmetries, size_t count,
			  struct cube_state3 *states, size_t length, uint8_t *actions)
{
	struct rotation rotations[ROTATIONS];
	assert(size == 2 || size == 3);
	rotations_make(rotations);
	length = actions ? length : 0;
	for (size_t i = 0; i < count; i++) {
		static const uint8_t mirrored[CUBE_FACES] = {0, 4, 2, 3, 1, 5};
		const struct rotation *rotation = &rotations[symmetries[i] / 2];
		const bool mirrors = symmetries[i] % 2;
		conjugate(rotation, mirrors, &states[i]);
		rename_faces(rotation->face, false, length, actions);
		if (mirrors)
			rename_faces(mirrored, true, length, actions);
		if (size == 2)
			hold(rotations, &states[i], length, actions);
		actions = actions ? actions + length : NULL;
	}
}
