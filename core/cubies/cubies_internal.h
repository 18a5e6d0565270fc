/* core/cubies/cubies_internal.h: what the files beside it share. */
#ifndef CORE_CUBIES_CUBIES_INTERNAL_H
#define CORE_CUBIES_CUBIES_INTERNAL_H

#include "cube/cubies.h"
#include "cube/state3.h"

/* ---- cubies.c ---- */

/* The facelets of each place, in the order of Kociemba's names: of size 2 and 3, and of size 3. */
extern const uint8_t cubies_corner_facelets[2][CUBE_CORNERS][3];
extern const uint8_t cubies_edge_facelets[CUBE_EDGES][2];

/* ---- state3.c ---- */

/* Writes what a state looks like in a mirror between left and right, whose colours are exchanged then: turns
 * lead to that as well. `result` may be `state`. */
void state3_mirror(struct cube_state3 *result, const struct cube_state3 *state);

/* ---- rotations.c ---- */

#define ROTATIONS 24

/* A turn of the whole cube: the state that it makes of a solved cube, whose centres stay, and the face to which
 * each face comes. */
struct rotation {
	struct cube_state3 state;
	uint8_t face[CUBE_FACES];
};

/* Makes the rotations of the symmetries 2 i and 2 i + 1; cube/batch.h numbers these. */
void rotations_make(struct rotation rotations[ROTATIONS]);

/* ---- ranks.c ---- */

/* The cubies of a cube of size 2 or 3 that turns lead to, turned as a whole until it is home. */
void cubies_home(struct cube_cubies *cubies, const struct cube *cube);

/* ---- state3_portable.c, state3_vector.c, state3_x86.c: ways of composing states; state3.c chooses ---- */

/* One way of doing what the functions of these names in cube/state3.h do; all do the same. */
struct state3_code {
	const char *name; /* "portable", "avx2" .. */
	void (*compose)(struct cube_state3 *result, const struct cube_state3 *a,
			const struct cube_state3 *b);
	void (*invert)(struct cube_state3 *result, const struct cube_state3 *state);
	void (*compose_each)(struct cube_state3 *result, const struct cube_state3 *a,
			     const struct cube_state3 *b, size_t count);
	void (*apply)(struct cube_state3 *state, const struct cube_state3 *table,
		      const uint8_t *moves, size_t count);
	/* cube_batch_step() of cube/batch.h */
	void (*step)(struct cube_state3 *states, size_t count, const struct cube_state3 *table,
		     const uint8_t *actions, uint8_t *solved);
};

/* Returns the ways that this machine has, the best first: 0 is what the public functions use, the last
 * one is portable. NULL past the last. They never change, so a search may keep one. */
const struct state3_code *state3_code(size_t index);

extern const struct state3_code state3_portable;
/* Inverts place by place. */
void state3_invert(struct cube_state3 *result, const struct cube_state3 *state);
/* If core/bytes.h defines BYTES_NAME, and for processors for which bytes_here() returns true. */
extern const struct state3_code state3_vector;
#if defined(__x86_64__)
/* Each only for processors that have the instructions of its name. */
extern const struct state3_code state3_avx2, state3_avx512;
#endif

#endif
