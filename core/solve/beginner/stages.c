/* core/solve/beginner/stages.c: how far a cube is by the beginner's method, and from where it is
 * looked at. */
#include "core/solve/beginner/stages.h"

#include "core/hold.h"
#include "cube/cube.h"

#include <string.h>

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

int beginner_rotations(int hold)
{
	return (hold / SIDES != 0) + (hold % SIDES != 0);
}

void beginner_no_edges(struct cube_state3 *state)
{
	memcpy(state->piece, cube_state3_solved.piece, CUBE_STATE3_CORNERS);
}

void beginner_sides_make(struct beginner_sides *sides, int size)
{
	for (int side = 0; side < SIDES; side++) {
		rotation_make(&sides->to[side], side);
		if (size == 2)
			beginner_no_edges(&sides->to[side]);
		cube_state3_invert(&sides->back[side], &sides->to[side]);
	}
}

/* The solved cube is held as `solved` where this one is turned as a whole by `hold`. */
static void view_by(struct beginner_view *view, const struct cube *cube, int solved, int hold)
{
	struct cube_state3 state, rotation;
	struct cube_cubies cubies;
	cube_cubies_of(&cubies, cube);
	cube_state3_from_cubies(&state, &cubies);
	rotation_make(&rotation, solved);
	cube_state3_invert(&rotation, &rotation);
	cube_state3_compose(&view->state, &rotation, &state);
	rotation_make(&rotation, hold);
	cube_state3_compose(&view->state, &view->state, &rotation);
	if (cube->size == 2)
		beginner_no_edges(&view->state);
	view->hold = hold;
	for (uint8_t color = 0; color < CUBE_FACES; color++)
		view->color[cube_hold_table.hold[solved].to[color]] = color;
}

/* Most corners of the first layer home, then fewest rotations. */
static void view_of_2(struct beginner_view *view, const struct cube *cube, int first)
{
	int solved = 0, best = -1;
	while (cube_hold_table.hold[solved].to[first] != CUBE_D)
		solved++;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		struct beginner_view seen;
		view_by(&seen, cube, solved, hold);
		uint32_t home = beginner_home(&seen.state) & D_CORNERS;
		int done = 3 * beginner_count(home) - beginner_rotations(hold);
		if (home == 0 || done <= best)
			continue;
		*view = seen;
		best = done;
	}
}

void beginner_view_make(struct beginner_view *view, const struct cube *cube, int first)
{
	if (cube->size == 2) {
		view_of_2(view, cube, first);
		return;
	}
	const int held = cube_hold_of(cube);
	int best = -1;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		int solved = cube_hold_then(held, hold);
		if (cube_hold_table.hold[solved].to[first] == CUBE_D &&
		    (best < 0 || beginner_rotations(hold) < beginner_rotations(best)))
			best = hold;
	}
	view_by(view, cube, cube_hold_then(held, best), best);
}

void beginner_view_turn(struct beginner_view *result, const struct beginner_view *view,
			const struct beginner_sides *sides, int quarters)
{
	struct beginner_view turned;
	cube_state3_compose(&turned.state, &sides->back[quarters], &view->state);
	cube_state3_compose(&turned.state, &turned.state, &sides->to[quarters]);
	turned.hold = cube_hold_then(view->hold, quarters);
	for (int side = 0; side < CUBE_FACES; side++)
		turned.color[cube_hold_table.hold[quarters].to[side]] = view->color[side];
	*result = turned;
}
