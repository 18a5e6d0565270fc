/* cube/batch.h: many states of a 3x3x3, or of a 2x2x2, in one call: steps, colours, features, random states,
 * symmetries, matching.
 *
 * For learning and searching programs, and for languages in which a call costs more than a turn. A
 * batch is an array of struct cube_state3 (cube/state3.h), 32 bytes a state, with the centres home.
 * Row i of every other array belongs to state i:
 *
 *     actions    uint8_t[count]       one turn each
 *     colors     uint8_t[count][54]   0..5 (enum cube_face) by facelet, as cube_colors() writes them
 *     stickers   uint8_t[count][54]   0..53: where the sticker on each facelet belongs
 *     numbers    [count][324]         0 or 1: six for each facelet, by colour
 *     features   [count][364]         0 or 1: as in cube/features.h
 *     solved     uint8_t[count]       1 for a solved state, else 0
 *     fits       uint32_t[count]      sets of fits, as in cube/pattern.h
 *
 * Rows follow each other without gaps. Only states need an alignment (32 bytes), fits that of
 * uint32_t, and floats that of float. `count` may be 0. Arrays must not overlap.
 *
 * Nothing fails: states, actions and sizes are in the range that is said, or the result is undefined
 * (builds without NDEBUG check some of it). Nothing is allocated and nothing is kept, so any number of
 * threads may call these functions for different rows.
 *
 * What the processor can do best is asked at run time on x86-64 (AVX2, SSSE3, or neither), because one
 * library must run on every such processor. Every 64-bit ARM processor has NEON, so its code is simply
 * compiled, and so is that of WebAssembly with -msimd128. The result is the same to the byte everywhere.
 * On one core (AMD EPYC, AVX-512), build/bench/batch prints, in ns for a state of a batch of 4,096 (and
 * by portable code):
 *
 *     step            0.9 (20)     one_hot           27
 *     colors          9   (43)     features          53, as floats 145
 *     random         54            match             14 (six generics)
 *     walk of 1..26  40 */
#ifndef CUBE_BATCH_H
#define CUBE_BATCH_H

#include "cube/pattern.h"
#include "cube/state3.h"

#define CUBE_BATCH_COLORS 54
#define CUBE_BATCH_NUMBERS 324
#define CUBE_BATCH_COLORS_2 24
#define CUBE_BATCH_NUMBERS_2 144

/* ---- steps ---- */

/* The turns of the six faces: action 3 * face + 0, 1 or 2 is a quarter turn clockwise, a half turn, a
 * quarter turn counter-clockwise: U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'. */
#define CUBE_ACTIONS 18
CUBE_DATA const struct cube_state3 cube_actions[CUBE_ACTIONS];

/* Finds the action that undoes one. */
static inline int cube_action_inverse(int action)
{
	return action + 2 - 2 * (action % 3);
}

/* states[i] = states[i], then table[actions[i]]. The table, such as cube_actions, has a state for each
 * number in `actions`. `solved` says which states are solved after that, and may be NULL. */
CUBE_API void cube_batch_step(struct cube_state3 *states, size_t count,
			      const struct cube_state3 *table, const uint8_t *actions,
			      uint8_t *solved);

/* Finds the states that are solved. */
CUBE_API void cube_batch_solved(const struct cube_state3 *states, size_t count, uint8_t *solved);

/* Writes the children of each state behind it: what each action makes of a cube of size 3, or each of the
 * first CUBE_ACTIONS_2 of one of size 2 (see below). State i moves to i * (1 + actions), and what action a
 * makes of it is 1 + a further on, so `states` has room for count * (1 + actions) of them. */
CUBE_API void cube_batch_children(int size, struct cube_state3 *states, size_t count);

/* ---- random states ----
 *
 * Row i depends on `seed` and on first + i alone, and is the same on every machine: a data set can be
 * made in parts, by any number of threads, and any row can be made again. */

/* Makes states that turns lead to, each as likely as the others. 43,252,003,274,489,856,000 of them are
 * more than 64 bits hold; corners and edges take a number of their own, from which the places are taken
 * digit by digit, and numbers that would favour some are rejected (N. Brackett-Rozinsky and D. Lemire,
 * "Batched Ranged Random Integer Generation", 2024). The numbers are those of SplitMix64 (G. Steele,
 * D. Lea, C. Flood 2014), begun again for each row. */
CUBE_API void cube_batch_random(uint64_t seed, uint64_t first, size_t count,
				struct cube_state3 *states);

/* Makes walks from the solved state, of shortest..longest actions each (0 <= shortest <= longest <= 255),
 * every length as likely. An action is any of the eighteen, but none of the face that was turned just
 * before. `lengths` is how many there were, `last` the last action (CUBE_ACTIONS if there was none): the
 * label of a network that learns the way back. Either may be NULL. Lengths and actions are as likely as
 * each other to within 1 in 2^32. */
CUBE_API void cube_batch_walk(uint64_t seed, uint64_t first, size_t count, int shortest,
			      int longest, struct cube_state3 *states, uint8_t *lengths,
			      uint8_t *last);

/* ---- states as numbers ---- */

/* Writes the colours of each state. */
CUBE_API void cube_batch_colors(const struct cube_state3 *states, size_t count, uint8_t *colors);

/* Writes which sticker is on each facelet, by the facelet that it has when the cube is solved, as
 * cube/cube.h numbers them. */
CUBE_API void cube_batch_stickers(const struct cube_state3 *states, size_t count,
				  uint8_t *stickers);

/* Writes the colours of each state as 54 times six numbers 0 or 1: number 6 * facelet + colour is 1. */
CUBE_API void cube_batch_one_hot(const struct cube_state3 *states, size_t count, uint8_t *numbers);

/* Write the 364 features of each state (cube/features.h), as bytes or as floats. */
CUBE_API void cube_batch_features(const struct cube_state3 *states, size_t count,
				  uint8_t *features);
CUBE_API void cube_batch_features_float(const struct cube_state3 *states, size_t count,
					float *features);

/* ---- 2x2x2 ----
 *
 * A 2x2x2 is the corners of a 3x3x3 whose edges are home, held so that its corner DBL is: the turns of U,
 * R and F lead to all its 3,674,160 states, and are the first nine of cube_actions. Rows are as above, of 24
 * facelets and 144 numbers. */

#define CUBE_ACTIONS_2 9

/* Make states that are as likely as the others, and walks of the nine actions, as those above. The state of
 * a row is the one whose index (cube/index.h) is drawn for it. */
CUBE_API void cube_batch_random_2(uint64_t seed, uint64_t first, size_t count,
				  struct cube_state3 *states);
CUBE_API void cube_batch_walk_2(uint64_t seed, uint64_t first, size_t count, int shortest,
				int longest, struct cube_state3 *states, uint8_t *lengths,
				uint8_t *last);

/* Writes for each walk of cube_batch_walk(), or with size 2 of cube_batch_walk_2(), the actions that undo
 * it, the last one first: `longest` numbers, CUBE_ACTIONS after the last. */
CUBE_API void cube_batch_walk_back(int size, uint64_t seed, uint64_t first, size_t count,
				   int shortest, int longest, uint8_t *actions);

/* Write what the functions above write of a 3x3x3. */
CUBE_API void cube_batch_colors_2(const struct cube_state3 *states, size_t count, uint8_t *colors);
CUBE_API void cube_batch_stickers_2(const struct cube_state3 *states, size_t count,
				    uint8_t *stickers);
CUBE_API void cube_batch_one_hot_2(const struct cube_state3 *states, size_t count,
				   uint8_t *numbers);

/* ---- symmetries ----
 *
 * A cube has 48 symmetries: it is turned as a whole in one of 24 ways, or that is seen in a mirror. A row has
 * its centres home (2x2x2: the corner DBL), so it is not just held in another way: its colours are renamed until
 * they are home again, those of a mirror too. The result is another state that turns lead to. It is as far from
 * solved, and its solutions are those of the first state, turn by turn, as the symmetry shows them. So there is
 * nothing that some form of a row cannot show; lengths, distances and bounds stay, and actions change with the
 * state.
 *
 * A 2x2x2 is turned on as a whole, without renaming, until DBL is home, and then each turn of D, L or B is one of
 * the face opposite, which differs by a turn of the whole cube. So its actions depend on its state too.
 *
 * Symmetry 16 * k + s, with bits of s: 1 mirrors left and right, 2 is y2, 4 z2 and 8 y; k is how often x y, a
 * third of a turn about URF and DBL, is done before these. 0 changes nothing. */

#define CUBE_SYMMETRIES 48

/* Draws a symmetry for each row, each as likely (to within 1 in 2^58), from `seed` and first + i alone, like the
 * states above, but from another number of the row. */
CUBE_API void cube_batch_symmetries(uint64_t seed, uint64_t first, size_t count,
				    uint8_t *symmetries);

/* Changes the states of cubes of size 2 or 3 by a symmetry each. So it does, unless `actions` is NULL, the
 * actions that follow each state: `length` numbers, CUBE_ACTIONS after the last one, as those of
 * cube_batch_walk_back(). */
CUBE_API void cube_batch_symmetric(int size, const uint8_t *symmetries, size_t count,
				   struct cube_state3 *states, size_t length, uint8_t *actions);

/* ---- matching ---- */

/* Matches the colours of `count` cubes of the pattern's size (6 * size * size bytes each) in all ways:
 * fits[i] is what cube_pattern_match() returns for cube i. */
CUBE_API void cube_batch_match(const struct cube_pattern *pattern, const uint8_t *colors,
			       size_t count, uint32_t *fits);

#endif
