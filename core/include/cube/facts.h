/* cube/facts.h: canonical forms and symmetry of states, and their cycles as permutations.
 *
 * States are colours, 6*n*n of them by facelet (cube_colors() in cube/pattern.h): stickers of one
 * colour are alike. All functions are pure; the caller gives all memory. */
#ifndef CUBE_FACTS_H
#define CUBE_FACTS_H

#include "cube/cubies.h"
#include "cube/size.h"

/* The smallest of the 24 ways to hold the cube: its colours as numbers (U R F D L B are 0..5),
 * compared facelet by facelet. Two states have the same canonical form if they differ only in
 * how the cube is held. Returns the fit (cube/pattern.h) whose A is F in it. `result` is not
 * `colors`. O(n^2); 0.4 us for a 3x3x3. */
CUBE_API int cube_canonical(int size, const uint8_t *colors, uint8_t *CUBE_RESTRICT result);

/* A number for a state: FNV-1a with 64 bits of its facelet string, a byte each. It never
 * changes: databases hold it. O(n^2). */
CUBE_API uint64_t cube_colors_hash(int size, const uint8_t *colors);

/* Returns how many of the 48 rotations and reflections of a cube leave the state unchanged except
 * for a renaming of its colours: 48 for a solved cube and the superflip, 1 for almost every state.
 * It divides 48. O(n^2). */
CUBE_API int cube_symmetry(int size, const uint8_t *colors);

/* A cycle of pieces: each is now at the place of the next, the last at that of the first. `turn` is
 * the twist that remains after one round: clockwise thirds of a corner, flips of an edge. A solved
 * piece is not listed; a piece that is turned in its own place is a cycle of length 1. */
struct cube_cycle {
	uint8_t length;
	uint8_t turn;
	uint8_t pieces[CUBE_EDGES]; /* Kociemba's numbers */
};
#define CUBE_CORNER_CYCLES_MAX 8
#define CUBE_EDGE_CYCLES_MAX 12

/* Cycles, each from its lowest piece, in ascending order; returns how many there are. */
CUBE_API size_t cube_corner_cycles(const struct cube_cubies *cubies,
				   struct cube_cycle cycles[CUBE_CORNER_CYCLES_MAX]);
CUBE_API size_t cube_edge_cycles(const struct cube_cubies *cubies,
				 struct cube_cycle cycles[CUBE_EDGE_CYCLES_MAX]);

#endif
