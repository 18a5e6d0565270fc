/* core/solve/beginner/stages.c: how far a cube is by the beginner's method, and from where it is
 * looked at. */
#include "core/solve/beginner/stages.h"

#include "core/hold.h"

/* Places as bits, those of corners from bit 16: bytes of struct cube_state3. */
#define U_EDGES 0x0000000fu
#define D_EDGES 0x000000f0u
#define MIDDLE_EDGES 0x00000f00u
#define U_CORNERS 0x000f0000u
#define D_CORNERS 0x00f00000u
#define TWO_LAYERS (D_EDGES | D_CORNERS | MIDDLE_EDGES)

/* ---- how far a cube is ---- */

uint32_t beginner_home(const struct cube_state3 *state)
{
	uint32_t home = 0;
	for (int i = 0; i < 32; i++)
		home |= (uint32_t)(state->piece[i] == cube_state3_solved.piece[i]) << i;
	return home;
}

/* The last layer's: flips of its edges, and which corners are where. */
static bool last_layer_is(const struct cube_state3 *state, enum beginner_stage stage)
{
	for (int i = 0; i < 4; i++) {
		int edge = state->piece[i], corner = state->piece[CUBE_STATE3_CORNERS + i];
		if (edge >> CUBE_STATE3_TURN != 0)
			return false;
		if (stage >= LAST_EDGES && edge != i)
			return false;
		if (stage >= LAST_CORNERS_PLACED && (corner & CUBE_STATE3_PIECE) != i)
			return false;
	}
	return true;
}

/* The places that are home after a stage at the latest. */
const uint32_t beginner_homes[STAGES] = {D_EDGES,
					 D_EDGES | D_CORNERS,
					 TWO_LAYERS,
					 TWO_LAYERS,
					 TWO_LAYERS | U_EDGES,
					 TWO_LAYERS | U_EDGES,
					 TWO_LAYERS | U_EDGES | U_CORNERS};

bool beginner_reached(const struct cube_state3 *state, enum beginner_stage stage)
{
	return all_of(beginner_home(state), beginner_homes[stage]) &&
	       (stage < LAST_CROSS || last_layer_is(state, stage));
}

int beginner_stages_done(const struct cube_state3 *state)
{
	int done = 0;
	while (done < STAGES && beginner_reached(state, (enum beginner_stage)done))
		done++;
	return done;
}

/* ---- the view ---- */

/* The cube as if made by the same moves of other faces: of hold.to[face] for a face. */
static void view_from(struct cube_state3 *seen, const struct cube_state3 *state, int hold)
{
	struct cube_state3 rotation, back;
	rotation_make(&rotation, hold);
	cube_state3_invert(&back, &rotation);
	cube_state3_compose(seen, &back, state);
	cube_state3_compose(seen, seen, &rotation);
}

void beginner_view_make(struct beginner_view *view, const struct cube *cube)
{
	struct held held;
	int best = -1, best_done = -1;
	held_home(&held, cube);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		const uint8_t *to = cube_hold_table.hold[hold].to;
		struct cube_state3 seen;
		view_from(&seen, &held.state, hold);
		/* Below is the face that is, as the cube is held; and of four such views one. */
		int done = 2 * beginner_stages_done(&seen), down = 0;
		while (to[down] != CUBE_D)
			down++;
		done += held.face[down] == CUBE_D;
		if (done > best_done) {
			best = hold;
			best_done = done;
			view->state = seen;
		}
	}
	for (uint8_t face = 0; face < CUBE_FACES; face++) {
		int in_view = cube_hold_table.hold[best].to[face];
		view->color[in_view] = face;
		view->face[in_view] = held.face[face];
	}
}
