/* cube/subgroup.h: the states of a 2x2x2 or 3x3x3 that a few turns lead to: how many there are,
 * whether a cube is one of them, random ones, and short turns that make one.
 *
 * Turns are permutations of the stickers (corners, edges and middle centres, whose spins do not
 * count), and the states that some turns lead to from the solved cube are the group that these
 * permutations generate. It is described by a base and a strong generating set (C. C. Sims,
 * "Computational methods in the study of permutation groups", 1970; D. E. Knuth, "Efficient
 * representation of perm groups", Combinatorica 11, 1991; A. Seress, "Permutation Group
 * Algorithms", 2003):
 *
 *     base         places b1, b2, ..; G(i) are the elements that leave the stickers of the first i
 *                  in their places, so that G = G(0) >= G(1) >= .. >= 1
 *     transversal  for each sticker that G(i) brings to the next place of the base, one element
 *                  that does so
 *
 * Each element is in exactly one way a product of one element of each transversal. So the number of
 * elements is the product of their lengths; independent uniform choices from them make a uniform
 * random element; and an element is divided by those that it needs, one transversal after the
 * other, to learn whether it belongs to the group. Schreier's lemma finds the generators of each
 * G(i).
 *
 * Turns that make a state are found in phases, as H. Kociemba's two-phase algorithm does (1992,
 * http://kociemba.org/cube.htm), after M. Thistlethwaite (1981): G = H(0) > H(1) > .. > 1 are
 * groups of fewer and fewer of the turns, such as <R, U, F> > <R, U> > <R2, U> > 1, and turns of
 * H(i) lead from a state of H(i) to one of H(i+1). Which coset of H(i+1) a state is in is two
 * numbers: the coset of its corners in what H(i+1) makes of corners alone, and the same of edges
 * and centres. A table has the distance of each pair. The first solution is made of shortest
 * phases; others, of longer first phases, shorten it for a limited number of positions. With one
 * phase it is shortest.
 *
 *     generators     states                turns, mean   a search   tables
 *     R U            73,483,200            15.7           5 ms      0.6 MB, made in 2 ms
 *     R U F          170,659,735,142,400   21.0          22 ms      4 MB, 0.1 s
 *     R U L          159,993,501,696,000   22.8          26 ms      3 MB, 0.1 s
 *     M U            184,320               11.0           0.04 ms   6 MB, 0.1 s
 *     Rw U           5,417,769,369,600     27.7          27 ms      13 MB, 0.5 s
 *
 * Processor time of `cubed scramble --generators MOVES --count 201`, less that with a count of 1.
 *
 * A subgroup is constant once made: any number of threads may use it. It has no pointers, so that
 * it may be moved. */
#ifndef CUBE_SUBGROUP_H
#define CUBE_SUBGROUP_H

#include "cube/index.h"
#include "cube/random.h"
#include "cube/turn.h"

/* Memory for making one, aligned as by malloc; what is made is at the beginning of it. */
#define CUBE_SUBGROUP_BYTES ((size_t)32 << 20)

/* The longest scramble, in turns. */
#define CUBE_SUBGROUP_LONGEST 40

/* Opaque. */
struct cube_subgroup;

/* Makes the subgroup of a cube of size 2 or 3 in `memory`, of CUBE_SUBGROUP_BYTES; returns the
 * bytes that have to be kept. A generator of quarters +-1 stands for all turns of its layers, one
 * of +-2 for the half turn alone; none turns the whole cube. Takes from a millisecond to some
 * tenths of a second. */
CUBE_API size_t cube_subgroup_make(int size, const struct cube_turn *generators, size_t count,
				   struct cube_subgroup *memory);

/* The number of states. */
CUBE_API struct cube_index cube_subgroup_order(const struct cube_subgroup *subgroup);

/* Returns true if the generators lead from the solved cube to this one, of the same size. Spins of centres
 * do not count. */
CUBE_API bool cube_subgroup_has(const struct cube_subgroup *subgroup, const struct cube *cube);

/* Makes `cube`, which has room for the size, a state of the subgroup, each as likely as the others.
 * Its spins are 0. */
CUBE_API void cube_subgroup_draw(const struct cube_subgroup *subgroup,
				 const struct cube_random *random, struct cube *cube);

/* Returns true if cube_subgroup_turns() works. It does not if there are no phases whose tables fit into
 * the memory, or none that are short enough. */
CUBE_API bool cube_subgroup_writes(const struct cube_subgroup *subgroup);

/* Writes turns of the generators that make `cube`, a state of the subgroup, of a solved cube; there
 * is room for CUBE_SUBGROUP_LONGEST. Returns how many, or -1 if none were found. */
CUBE_API int cube_subgroup_turns(const struct cube_subgroup *subgroup, const struct cube *cube,
				 struct cube_turn *turns);

#endif
