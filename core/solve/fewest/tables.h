/* core/solve/fewest/tables.h: how far a 3x3x3 is from the end of each stage: exactly. 1.9 MB.
 *
 * Each stage brings the cube into a smaller group, by the moves of the group before:
 *
 *     stage    group                  moves                  states of the stage       farthest
 *     eo       <U D R L F2 B2>        all 18                 2048 flips                       7
 *     dr       <U D R2 L2 F2 B2>      U D R L F2 B2          2187 twists x 495 places        10
 *     htr      <U2 D2 R2 L2 F2 B2>    U D R2 L2 F2 B2        420 cosets of corners x 70      13
 *     finish   solved                 U2 D2 R2 L2 F2 B2      96 x 24 x 24 x 12 = 663,552     15
 *
 * A state of a stage is a coset: what the moves of the next stages make of each other counts as one. So
 * these are the numbers of states of one group divided by those of the next, each a table of
 * distances, by breadth-first search. Flips, twists and places are coordinates (common/coordinate.h). Of
 * the corners' 40,320 permutations half turns make 96; the others are 420 cosets of these. Of the
 * edges of U and D, four belong to the slice M, and are home where they are in its places (70 ways).
 *
 * The axes are those of the coordinates: edges are oriented for quarter turns of F and B, the domino is
 * that of U and D. Other axes are seen through symmetries.
 *
 * Sources: M. Thistlethwaite's four groups (1981), as fewest-moves solvers use them; their names, and
 * the table of states that half turns reach, also in S. Tronto's nissy. */
#ifndef CORE_SOLVE_FEWEST_TABLES_H
#define CORE_SOLVE_FEWEST_TABLES_H

#include "core/solve/common/coordinate.h"
#include "core/solve/common/table_head.h"

/* The moves of the groups, a bit each. */
#define FEWEST_ALL_MOVES 0x3ffffu
#define FEWEST_EO_MOVES 0x17ebfu   /* U D R L F2 B2 */
#define FEWEST_DR_MOVES 0x12e97u   /* U D R2 L2 F2 B2 */
#define FEWEST_HALF_MOVES 0x12492u /* U2 D2 R2 L2 F2 B2 */

#define CORNER_COSETS 420
#define SPLITS 70       /* of eight places into four and four */
#define HALF_CORNERS 96 /* permutations of the corners by half turns */
#define HALF_STATES (HALF_CORNERS * MIDDLES * MIDDLES * MIDDLES / 2)
#define MAGIC_FEWEST 0x66657702

struct fewest_tables {
	struct table_head head;
	uint16_t corner_coset[CORNERS]; /* of a permutation; 0 is that of the solved corners */
	uint8_t eo[FLIPS];
	uint8_t dr[TWISTS][SLICES];
	uint8_t corner_half[CORNERS]; /* which of the 96; HALF_CORNERS: none */
	uint8_t htr[CORNER_COSETS][SPLITS];
	uint8_t finish[HALF_STATES];
};

/* From a state with oriented edges, in the domino group, or in that of the half turns. */
int fewest_dr(const struct fewest_tables *tables, const struct cube_state3 *state);
int fewest_htr(const struct fewest_tables *tables, const struct cube_state3 *state);
int fewest_finish(const struct fewest_tables *tables, const struct cube_state3 *state);

extern const struct cube_solver_tables fewest_tables;

#endif
