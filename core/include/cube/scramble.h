/* cube/scramble.h: scrambles by the rules of the World Cube Association, in the form of TNoodle's.
 *
 *     2x2x2   a random state, at least 4 moves from solved, by exactly 11 moves of U, R and F: the
 *             length says nothing of the distance
 *     3x3x3   a random state, at least 2 moves from solved, by at most 20 turns of two_phase. The
 *             mean is 19.3, as that of 50,000 of TNoodle's scrambles that were counted
 *     4x4x4   a random state, at least 2 moves from solved, by reduction: some 45 turns of faces
 *             and Uw, Rw, Fw
 *     beyond  20 n - 40 random moves of outer blocks up to n/2 layers thick, on even n those of
 *             half the cube only of U, R and F. Turns of one axis in a row are of different blocks
 *
 * With a subgroup, of sizes 2 and 3: a random state of those that a few generators lead to, by turns of
 * these (cube/subgroup.h), each as likely; the solved state is drawn again.
 *
 * With generators, of sizes 2 and 3: a random walk of 29 to 40 turns, each number of turns as likely. A
 * block does not turn again until one about another axis has. Nearly uniform over the states that the
 * generators make, but not exactly; the solved state is drawn again. Twelve lengths in a row, since a
 * walk of only one length misses states if the generators are half turns.
 *
 * Random states are uniform (cube/random.h) but for those too near. A scramble is meant for a cube
 * that is home. Source: WCA Regulations 4b, 4d (2024); the moves of larger cubes as TNoodle's. */
#ifndef CUBE_SCRAMBLE_H
#define CUBE_SCRAMBLE_H

#include "cube/distance.h"
#include "cube/draw.h"
#include "cube/random.h"
#include "cube/sets.h"
#include "cube/subgroup.h"
#include "cube/turn.h"

enum cube_scramble_variant {
	CUBE_SCRAMBLE_PLAIN,
	CUBE_SCRAMBLE_BLD, /* from 3 on: then held in one of the 24 ways, by turning all but fewer than
	                    * half of the layers (even n: by rotations) as {-, Rw, Rw2, Rw', Fw, Fw'}
	                    * and {-, Uw, Uw2, Uw'}. The turn before them is of another axis than the first
	                    * of them (but on 4x4x4); for that the 3x3x3 may take 21 turns, but did
	                    * not in the tests */
	CUBE_SCRAMBLE_FMC, /* size 3: begins and ends with R' U' F, which no adjacent turn cancels */
};

struct cube_scramble_task {
	int size;
	enum cube_scramble_variant variant; /* one of the size */
	struct cube_random random;
	const void *optimal2;  /* tables of that method; for size 2 */
	const void *two_phase; /* its tables, for size 3 any of them, for 4 the smallest */
	const void *reduction; /* tables of that method; for size 4. NULL: 40 random moves then */
	void *work;            /* work_bytes(4) of that method; for size 4 with tables */
	/* Not NULL, for size 3 and CUBE_SCRAMBLE_PLAIN: draws the state among those that fit a
	 * pattern, however near; made, and it has found one. At most 23 turns lead there: the last
	 * three are random, the others are the inverse of what solves the state before these, so
	 * that a scramble does not show the usual way back from it. For a state that is nearly
	 * solved they are at most 30, the last ten random: with fewer, turns would cancel. */
	struct cube_draw *draw;
	/* Not NULL, for a set of that size and CUBE_SCRAMBLE_PLAIN: the state is one of the set, or of
	 * that case (NULL: any), however near. The last three turns are random as above, also of a
	 * 2x2x2, whose scrambles have 11 turns all the same. */
	const struct cube_set *set;
	const struct cube_case *set_case;
	/* Not NULL, for the same and without draw: states at a distance from a goal, drawn and
	 * scrambled in the same way. */
	const struct cube_distant *distant;
	/* Not NULL, for sizes 2 and 3, CUBE_SCRAMBLE_PLAIN and none of the above: the only turns; no
	 * tables are needed. One of quarters +-1 stands for all turns of its layers, one of +-2 for the
	 * half turn alone (cube/goal.h). cube_scramble_walks() is true of them. */
	const struct cube_turn *generators;
	size_t generator_count;
	/* Not NULL, instead of generators: the states that they lead to; cube_subgroup_writes() is true. */
	const struct cube_subgroup *subgroup;
};

/* Room for a scramble of that size. */
static inline size_t cube_scramble_room(int size)
{
	return size <= 3 ? 40 : size == 4 ? 82 : (size_t)(20 * size);
}

/* Returns true if there are scrambles of that size in that variant. */
CUBE_API bool cube_scramble_has(int size, enum cube_scramble_variant variant);

/* Returns true if a random walk can be made of these turns: each turns some but not all layers, and
 * they turn about more than one axis. */
CUBE_API bool cube_scramble_walks(int size, const struct cube_turn *generators, size_t count);

/* Writes a scramble into `turns` (cube_scramble_room()); returns its number of turns. Size 3 takes
 * some milliseconds (fmc ten, with a subgroup up to 80), size 4 a tenth of a second, now and then a whole one; the others
 * some microseconds. */
CUBE_API size_t cube_scramble(const struct cube_scramble_task *task, struct cube_turn *turns);

#endif
