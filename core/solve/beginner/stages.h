/* core/solve/beginner/stages.h: the stages of the beginner's method, and a cube as its learner holds it.
 * Internal; beginner.c describes the method. */
#ifndef CORE_SOLVE_BEGINNER_STAGES_H
#define CORE_SOLVE_BEGINNER_STAGES_H

#include "core/solve/common/moves.h"

enum beginner_stage {
	CROSS,
	FIRST_LAYER,
	SECOND_LAYER,
	LAST_CROSS,
	LAST_EDGES,
	LAST_CORNERS_PLACED,
	LAST_CORNERS_TURNED,
	STAGES
};

/* A cube as it is held: places are named by the sides it is seen from, and pieces by the places where
 * they belong as it is held. */
struct beginner_view {
	struct cube_state3 state;
	int hold;                  /* the task's cube, turned as a whole by it, is held like this */
	uint8_t color[CUBE_FACES]; /* of each side */
};

/* The four ways to look at a cube from its sides: rotations y by that many quarters. */
#define SIDES 4
struct beginner_sides {
	struct cube_state3 to[SIDES], back[SIDES];
};
void beginner_sides_make(struct beginner_sides *sides, int size);

/* The task's cube with the colour `first` down; of the ways to hold it so, the one that takes the
 * fewest rotations. A 2x2x2, which has no centres, is held so that most of the first layer is done
 * already, one corner at least; its edges are home for ever. */
void beginner_view_make(struct beginner_view *view, const struct cube *cube, int first);

/* Puts all edges home: those of a 2x2x2 are not there. */
void beginner_no_edges(struct cube_state3 *state);
/* Turned as a whole by y `quarters` times. `result` may be `view`. */
void beginner_view_turn(struct beginner_view *result, const struct beginner_view *view,
			const struct beginner_sides *sides, int quarters);

/* The places that hold their own piece the right way round, a bit for each byte of the state. */
uint32_t beginner_home(const struct cube_state3 *state);

/* The pieces that are home when a stage is over. */
extern const uint32_t beginner_homes[STAGES];

static inline bool all_of(uint32_t set, uint32_t wanted)
{
	return (set & wanted) == wanted;
}

static inline int beginner_count(uint32_t set)
{
	int count = 0;
	for (; set != 0; set &= set - 1)
		count++;
	return count;
}

/* Return true if a stage is over, and all before it; and how many are. */
bool beginner_reached(const struct cube_state3 *state, enum beginner_stage stage);
int beginner_stages_done(const struct cube_state3 *state);

/* Returns how many rotations of the whole cube a hold takes. */
int beginner_rotations(int hold);

#endif
