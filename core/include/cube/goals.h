/* cube/goals.h: goals with a name, for any place or a certain one: edges oriented on the axis of F and
 * B, a block of 2x2x2 at DBL.
 *
 * Each is a named pattern (cube/named.h), looked at in some of the 24 ways only. A place is named by
 * letters of faces of the cube as it is held when the goal is reached:
 *
 *     axis           two opposite faces in any order: "ud"
 *     face           "D"
 *     edge, corner   its two or three faces in any order: "DB", "DBL"
 *     face-edge      the face, then another beside it: "LD" is on L, along its edge with D
 *     face-corner    the face, then the two others at a corner: "DBL" is on D, at the corner DBL;
 *                    where the face alone will do, the corner is any of its four
 *
 * Upper or lower case. */
#ifndef CUBE_GOALS_H
#define CUBE_GOALS_H

#include "cube/named.h"

enum cube_goal_place {
	CUBE_GOAL_ANYWHERE, /* it has no places */
	CUBE_GOAL_AXIS,
	CUBE_GOAL_FACE,
	CUBE_GOAL_EDGE,
	CUBE_GOAL_CORNER,
	CUBE_GOAL_FACE_EDGE,
	CUBE_GOAL_FACE_CORNER,
	CUBE_GOAL_FACE_OR_CORNER
};

struct cube_goal_row {
	const char *name;    /* "eo", "2x2x2" */
	const char *title;   /* a name for people */
	const char *pattern; /* of cube_named */
	uint8_t place;       /* enum cube_goal_place */
	char at[4];          /* the place of the pattern as it is written */
	const char *example; /* of places: "ud, rl or fb"; NULL: it has none */
	const char *usual;   /* the place where it is usually made: "D"; NULL: it has none */
	int8_t farthest;     /* turns (HTM) to one place from the farthest states; -1: not counted.
			      * cube/distance.h has those states */
};

CUBE_DATA const struct cube_goal_row cube_goals[];
CUBE_DATA const size_t cube_goals_count;

/* The row with that name; NULL if there is none. */
CUBE_API CUBE_MUST_USE const struct cube_goal_row *cube_goal_find(const char *name, size_t length);
/* The fits (cube/pattern.h) in which the goal is at that place; 0 if it has no such place. */
CUBE_API CUBE_MUST_USE uint32_t cube_goal_fits(const struct cube_goal_row *goal, const char *place,
					       size_t length);

#endif
