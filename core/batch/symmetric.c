/* core/batch/symmetric.c: many states, each turned as a whole and mirrored. */
#include <assert.h>
#include <string.h>

#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"

#define ROTATIONS (CUBE_SYMMETRIES / 2)
#define DBL 6

/* Turns of the whole cube: what they make of a solved one, but for its centres, and which face each brings a face to. */
struct rotation {
	struct cube_state3 state;
	uint8_t face[CUBE_FACES];
};

/* Clang-format would put a number on each line. */
/* clang-format off */
static const struct rotation y2 = {
	{{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 12, 13, 14, 15, 2, 3, 0, 1, 6, 7, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}},
	{0, 4, 5, 3, 1, 2}};
static const struct rotation z2 = {
	{{6, 5, 4, 7, 2, 1, 0, 3, 9, 8, 11, 10, 12, 13, 14, 15, 5, 4, 7, 6, 1, 0, 3, 2, 8, 9, 10, 11, 12, 13, 14, 15}},
	{3, 4, 2, 0, 1, 5}};
static const struct rotation y = {
	{{3, 0, 1, 2, 7, 4, 5, 6, 27, 24, 25, 26, 12, 13, 14, 15, 3, 0, 1, 2, 7, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15}},
	{0, 2, 4, 3, 5, 1}};
static const struct rotation xy = {
	{{17, 8, 21, 9, 19, 11, 23, 10, 16, 20, 22, 18, 12, 13, 14, 15, 16, 36, 21, 33, 35, 23, 38, 18, 8, 9, 10, 11, 12, 13, 14, 15}},
	{1, 2, 0, 4, 5, 3}};
/* clang-format on */

/* ---- the symmetries ---- */

static void then(struct rotation *rotation, const struct rotation *next)
{
	cube_state3_compose(&rotation->state, &rotation->state, &next->state);
	for (int face = 0; face < CUBE_FACES; face++)
		rotation->face[face] = next->face[rotation->face[face]];
}

/* Makes the rotations of the symmetries 2 i and 2 i + 1. */
static void make_rotations(struct rotation rotations[ROTATIONS])
{
	for (int i = 0; i < ROTATIONS; i++) {
		rotations[i] = (struct rotation){cube_state3_solved, {0, 1, 2, 3, 4, 5}};
		for (int k = i / 8; k > 0; k--)
			then(&rotations[i], &xy);
		if (i & 2)
			then(&rotations[i], &z2);
		if (i & 1)
			then(&rotations[i], &y2);
		if (i & 4)
			then(&rotations[i], &y);
	}
}

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
	/* The faces that a clockwise turn like U, R and F brings each face to. */
	static const uint8_t turned[3][CUBE_FACES] = {
		{0, 2, 4, 3, 5, 1}, {5, 1, 0, 2, 4, 3}, {1, 3, 2, 4, 0, 5}};
	uint8_t face[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
	for (size_t i = 0; i < length && actions[i] < CUBE_ACTIONS; i++) {
		const int at = face[actions[i] / 3], axis = at % 3, amount = actions[i] % 3;
		actions[i] = (uint8_t)(3 * axis + amount);
		for (int quarters = at == axis ? 0 : amount + 1; quarters > 0; quarters--)
			for (int j = 0; j < CUBE_FACES; j++)
				face[j] = turned[axis][face[j]];
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
	make_rotations(rotations);
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
