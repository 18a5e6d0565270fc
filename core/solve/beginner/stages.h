/* core/solve/beginner/stages.h: the stages of the beginner's method. Internal; beginner.c describes
 * the method. */
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

/* A cube seen with the first layer down and its centres home. */
struct beginner_view {
	struct cube_state3 state;
	uint8_t color[CUBE_FACES]; /* of a face in this view */
	uint8_t face[CUBE_FACES];  /* which one it is, as the cube is held */
};

/* The first layer is the most complete one; of equal ones, the one that is down as the cube is held. */
void beginner_view_make(struct beginner_view *view, const struct cube *cube);

/* The places that hold their own piece the right way round, a bit for each byte of the state. */
uint32_t beginner_home(const struct cube_state3 *state);

/* Those that do when a stage is over. */
extern const uint32_t beginner_homes[STAGES];

static inline bool all_of(uint32_t set, uint32_t wanted)
{
	return (set & wanted) == wanted;
}

/* Whether a stage is over, and all before it; how many are. */
bool beginner_reached(const struct cube_state3 *state, enum beginner_stage stage);
int beginner_stages_done(const struct cube_state3 *state);

#endif
