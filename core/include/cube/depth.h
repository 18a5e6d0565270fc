/* cube/depth.h: how many turns states are from solved, without a search for a solution: every 2x2x2, a 3x3x3
 * that is at most ten turns away, and a lower bound for every 3x3x3. A turn is one of an outer layer, a half
 * turn too (HTM).
 *
 * The 2x2x2 has a table of all its states, that of the method `optimal` (cube/solve.h).
 *
 * Of a 3x3x3, a hashed table has the 621,649 states that are up to five turns away: 1, 18, 243, 3240, 43239
 * and 574908 (https://cube20.org). For each turn more, a state is turned in all ways until one of these
 * is met: 18, 262 and 3502 look-ups for a state that is more than 6, 7 and 8 turns away. */
#ifndef CUBE_DEPTH_H
#define CUBE_DEPTH_H

#include "cube/state3.h"

/* Opaque. */
struct cube_depths;

/* The bytes of the table of a 3x3x3, aligned like malloc's: 16 MiB. */
CUBE_API size_t cube_depths_bytes(void);
/* Makes it, in some tenths of a second. Constant then: any number of threads may use it. */
CUBE_API void cube_depths_make(struct cube_depths *depths);

/* The farthest that cube_depth_of() looks. */
#define CUBE_DEPTH_MOST 10

/* Returns how far the state is from solved, or -1 if that is more than `most`, 0..CUBE_DEPTH_MOST. */
CUBE_API int cube_depth_of(const struct cube_depths *depths, const struct cube_state3 *state,
			   int most);

/* Returns how far a state of the 2x2x2 is from solved, 0..11: edges and the corner DBL are home.
 * `tables` are those of the method `optimal` for size 2. */
CUBE_API int cube_depth_of_2(const void *tables, const struct cube_state3 *state);

/* Returns a lower bound of how far a 3x3x3 is from solved: 0 for the solved state alone, and never more than
 * its distance (an admissible bound, in the words of A*). A state has the bound of its inverse and of its images
 * under the 48 symmetries (cube/batch.h). The bounds of neighbours may differ by two or more.
 *
 * `tables` are any of the method `optimal` for size 3. They have how many turns take a state into a
 * group, rounded down by one for some. That of the smallest tables, `small` (1.9 MB), has the states in which
 * no corner is twisted, the four middle edges are in their layer, and the corners URF, ULB, DLF, DRB are all in
 * their own places or all in those of the other four. Solved is one of them, so no solution is shorter. The
 * bound is the most of six such numbers: along three axes, of the state and of its inverse. With `small`, a
 * million random states have 8.35 on average, and 4 to 10; 0.24 us each on one core of an AMD EPYC. */
CUBE_API int cube_bound_of(const void *tables, const struct cube_state3 *state);

#endif
