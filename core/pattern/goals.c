/* core/pattern/goals.c: goals with places: in which of the 24 ways their pattern is looked at. */
#include "cube/goals.h"

#include <string.h>

#include "core/hold.h"
#include "core/name.h"
#include "core/pattern/pattern_internal.h"

#define PLACE_LETTERS 3

const struct cube_goal_row cube_goals[] = {
#include "core/pattern/goals.def"
};

const size_t cube_goals_count = sizeof(cube_goals) / sizeof(cube_goals[0]);

/* The form of the name of each kind of place. */
static const struct place_form {
	uint8_t shortest, longest; /* letters */
	bool first;                /* the first one stands for itself, the others in any order */
} forms[] = {
	[CUBE_GOAL_ANYWHERE] = {1, 0, false},   [CUBE_GOAL_AXIS] = {2, 2, false},
	[CUBE_GOAL_FACE] = {1, 1, true},        [CUBE_GOAL_EDGE] = {2, 2, false},
	[CUBE_GOAL_CORNER] = {3, 3, false},     [CUBE_GOAL_FACE_EDGE] = {2, 2, true},
	[CUBE_GOAL_FACE_CORNER] = {3, 3, true}, [CUBE_GOAL_FACE_OR_CORNER] = {1, 3, true},
};

const struct cube_goal_row *cube_goal_find(const char *name, size_t length)
{
	int i = name_find(&cube_goals[0].name, sizeof(cube_goals[0]), cube_goals_count, name,
			  length);
	return i >= 0 ? &cube_goals[i] : NULL;
}

/* A face by its letter; CUBE_FACES if there is none. */
static int face_of(char letter)
{
	const char upper = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
	int face = 0;
	while (face < CUBE_FACES && cube_face_letters[face] != upper)
		face++;
	return face;
}

/* The faces of a place, a bit each. */
static unsigned faces_of(const int *faces, size_t count)
{
	unsigned bits = 0;
	for (size_t i = 0; i < count; i++)
		bits |= 1u << faces[i];
	return bits;
}

/* Returns true if no two faces are on one axis. */
static bool are_neighbours(const int *faces, size_t count)
{
	unsigned axes = 0;
	for (size_t i = 0; i < count; i++) {
		if (axes >> faces[i] % 3 & 1)
			return false;
		axes |= 1u << faces[i] % 3;
	}
	return true;
}

/* Returns true if a fit takes the goal's own place to these faces. */
static bool is_there(const struct cube_goal_row *goal, int fit, const int *faces, size_t count)
{
	const uint8_t *to = cube_hold_table.hold[cube_fit_hold(fit)].to;
	int own[PLACE_LETTERS] = {0};
	for (size_t i = 0; goal->at[i]; i++)
		own[i] = to[face_of(goal->at[i])];
	if (goal->place == CUBE_GOAL_AXIS)
		return own[0] % 3 == faces[0] % 3;
	return (!forms[goal->place].first || own[0] == faces[0]) &&
	       faces_of(own, count) == faces_of(faces, count);
}

uint32_t cube_goal_fits(const struct cube_goal_row *goal, const char *place, size_t length)
{
	const struct place_form *form = &forms[goal->place];
	int faces[PLACE_LETTERS];
	uint32_t fits = 0;
	if (length < form->shortest || length > form->longest ||
	    (goal->place == CUBE_GOAL_FACE_OR_CORNER && length == 2))
		return 0;
	for (size_t i = 0; i < length; i++) {
		faces[i] = face_of(place[i]);
		if (faces[i] == CUBE_FACES)
			return 0;
	}
	if (goal->place == CUBE_GOAL_AXIS ? faces[0] % 3 != faces[1] % 3 || faces[0] == faces[1]
					  : !are_neighbours(faces, length))
		return 0;
	for (int fit = 0; fit < CUBE_FITS; fit++)
		if (is_there(goal, fit, faces, length))
			fits |= 1u << fit;
	return fits;
}
