/* cube/sets.h: named sets of cases of the last step of a solve, and algorithms for them.
 *
 * A set says what is done before (all but the last layer, and perhaps some of that) and what an
 * algorithm of the set has to solve. The last layer is at U, the first one at D. A state of a set
 * is, for the pieces that count,
 *
 *     corners    the permutation (24) and the twists (27) of the corners URF UFL ULB UBR
 *     edges      the permutation (24) and the flips (8) of the edges UR UF UL UB
 *     base       2x2x2 alone: how the oriented layer at D is permuted
 *
 * Each of these counts (CUBE_SET_COUNTS), is solved (CUBE_SET_SOLVED), or is free: an algorithm may
 * change it (CUBE_SET_FREE). If all pieces of a 3x3x3 count, corners and edges have one parity.
 *
 * Cases. Two states are one case if turns of U before and after the algorithm take one to the other:
 * S and U^a S U^b, the double cosets of the group of U. Mirror images and inverses are cases of
 * their own. Enumerating them takes the definition alone: all states are made, and each is named
 * by the smallest number (below) of the 16 that belong to it.
 *
 * On a 2x2x2, turns of D before and after identify states, too; turns of the whole cube about U and
 * D follow from these. Of D then three classes are left: solved, two adjacent corners swapped, two
 * diagonal ones. Turns of D do not touch U, so the cases of a class are the double cosets at U. PBL,
 * in which both layers count, also identifies a state with the one turned upside down.
 *
 * Sets of the last slot: the pair DFR FR is not solved before. Its two pieces and the last layer are in
 * the five places of corners and five of edges that they have together; twists and flips count of the
 * four pieces each that are not of the pair, by place, and what is permuted among these is free. States
 * are one case if turns of U before the algorithm take one to the other. Their mirror images are at
 * another slot.
 *
 * The number of a state: ((twists * 8 + flips) * 24 + corner permutation) * 24 + edge
 * permutation, where what does not count is 0. Twists are read in base 3 and flips in base 2, the
 * places in the order above and the first one the most significant, without the last one, which
 * follows. Permutations are numbered in lexicographic order. Twist, flip and replaced-by permutations
 * are those of cube/cubies.h.
 *
 * Of a set of the last slot it is (pair * 27 + twists) * 8 + flips, with the pair ((corner * 3 + twist) * 5
 * + edge) * 2 + flip; corner and edge are the places of its pieces, 0 for the slot, then as above.
 *
 * Order and names. Cases come by shape, then by number. The shape is that of the twists (O none, H, Pi,
 * U, T, L, S for sune and As for antisune, in this order) or, if flips count, the number of the OLL
 * case in core/pattern/oll.def (0: oriented). A name is the set's, the shape's and a number from 1 on:
 * "coll-pi-4", "ollcp-27-2". The cases of OLL and PLL have the names of the patterns of
 * cube/named.h ("oll-27", "pll-t"); those of PBL say what is swapped at U and D ("pbl-adj-diag").
 * Names never change. Of the last slot the shape is `slot` (both pieces are in it), `corner` or `edge` (only
 * this one is), `up` (both are in the last layer) or `solved`: "f2l-up-3". In ZBLS the case of F2L follows:
 * "zbls-up-3-2". WV has numbers alone.
 *
 * The solved state is left out, except of EG1 and EG2, where D remains to be solved. So there are
 *
 *     oll 57   pll 21   coll 42   cmll 42   zbll 493   ollcp 331   cll 42   eg1 43   eg2 43   pbl 5
 *     f2l 41   zbls 305   wv 27
 *
 * which agree with what is published: of COLL, CMLL and CLL 40 have twisted corners and two (the
 * adjacent and the diagonal swap) have none; 472 of ZBLL have twisted corners, the others are the PLL;
 * EG has 128 in all, CLL among them; OLLCP has 331; F2L has 41 and WV 27. (Speedsolving.com Wiki: COLL,
 * CMLL, ZBLL, OLLCP, EG, PBL, F2L, Winter Variation.)
 *
 * Functions are pure; the caller gives all memory. Any thread may call them. */
#ifndef CUBE_SETS_H
#define CUBE_SETS_H

#include "cube/cubies.h"
#include "cube/random.h"

enum cube_set_part { CUBE_SET_SOLVED, CUBE_SET_COUNTS, CUBE_SET_FREE };

/* The state of the layer at D: always solved, or, on a 2x2x2, in one of three classes. */
enum cube_set_base { CUBE_BASE_SOLVED, CUBE_BASE_ADJACENT, CUBE_BASE_DIAGONAL, CUBE_BASE_ANY };

/* The pair of the corner DFR and the edge FR: solved; anywhere in the last layer and its slot; or joined in
 * the last layer so that R U' R' would insert it. */
enum cube_set_slot { CUBE_SLOT_SOLVED, CUBE_SLOT_ANY, CUBE_SLOT_JOINED };

struct cube_set {
	const char *name;  /* lower case letters and digits */
	const char *title; /* for people */
	uint8_t size;      /* 2 or 3 */
	/* enum cube_set_part */
	uint8_t twists, flips, corners, edges;
	uint8_t base;   /* enum cube_set_base */
	bool slice;     /* the edges DF and DB and the slice M are free, too, as in Roux */
	uint8_t slot;   /* enum cube_set_slot */
	uint16_t cases; /* their number */
	const char *before, *after; /* the state before and after an algorithm, for people */
	const char *source;
};

#define CUBE_SETS 13
CUBE_DATA const struct cube_set cube_sets[CUBE_SETS];

/* The most cases that a set has. */
#define CUBE_SET_CASES_MAX 512

#define CUBE_CASE_NAME_BYTES 16

struct cube_case {
	char name[CUBE_CASE_NAME_BYTES];
	uint32_t number; /* the smallest of its states, see above; of PBL the classes of U and D */
	/* 0..7: O H Pi U T L S As; if flips count, the number of OLL; of the last slot the shape's
	 * number (solved slot corner edge up) times 32, of ZBLS with that of the case of F2L. */
	uint16_t shape;
	uint16_t states; /* the number of its states: 16 or a divisor, of PBL of 576 */
};

/* The set with that name (not NUL-terminated); NULL if there is none. */
CUBE_API CUBE_MUST_USE const struct cube_set *cube_set_find(const char *name, size_t length);

/* Writes the cases of a set, set->cases of them, in their order. Makes all its states: some 2 ms for
 * the largest. */
CUBE_API void cube_set_cases(const struct cube_set *set, struct cube_case *cases);

/* The number of the case that a state is, whether or not it is solved; false if the state is not
 * one of the set: centres, or pieces that should be solved, are not. 0.2 us. Of a 2x2x2 it is
 * to be held as the set says, D at D, and may be turned about U. */
CUBE_API CUBE_MUST_USE bool cube_set_number(const struct cube_set *set,
					    const struct cube_cubies *cubies, uint32_t *number);
/* Returns true if that number is the solved state of a set that leaves it out. */
CUBE_API bool cube_set_is_trivial(const struct cube_set *set, uint32_t number);

/* The place, among the cases of the set, of the mirror image of a case, in which R and L are exchanged. It may be
 * the case itself. -1 of a set of the last slot. */
CUBE_API int cube_case_mirror(const struct cube_set *set, const struct cube_case *cases,
			      size_t place);
/* The place of the inverse: of the case of the states whose inverses are in this one. It may be the case
 * itself. -1 if it depends on what is free: where pieces are permuted that count only by how they
 * are turned (OLL, and OLLCP for its edges), and in sets of the last slot. */
CUBE_API int cube_case_inverse(const struct cube_set *set, const struct cube_case *cases,
			       size_t place);

/* A state of a case with centres (2x2x2: the corner DBL) home: that of its number, and what is free
 * solved as far as parity allows. */
CUBE_API void cube_case_state(const struct cube_set *set, const struct cube_case *one,
			      struct cube_cubies *cubies);

/* Draws a state with centres (2x2x2: the corner DBL) home: of that case, or, if it is NULL, of any
 * case of the set, each state as likely as the others, what is free too. So a case comes as often as
 * it has states. Some 5 us at most. */
CUBE_API void cube_set_draw(const struct cube_set *set, const struct cube_case *one,
			    const struct cube_random *random, struct cube_cubies *cubies);

/* Writes the usual names of a case, such as "Sune" for "oll-27" or "T perm" for "pll-t", to
 * `found`, and returns how many there are. Only cases of OLL and PLL have any. */
#define CUBE_CASE_ALIASES_MAX 4
CUBE_API size_t cube_case_aliases(const char *name, const char *found[CUBE_CASE_ALIASES_MAX]);
/* The name of the case of the set with that usual name (not NUL-terminated); NULL if none has it. Upper and lower
 * case, spaces and hyphens make no difference, and "perm" may be left out. */
CUBE_API CUBE_MUST_USE const char *cube_case_called(const struct cube_set *set, const char *alias,
						    size_t length);

/* ---- algorithms ---- */

/* An algorithm for a case. Those of one case solve one state, which the first of them solves by
 * itself: turned as a whole by y `hold` times (2x2x2 alone), then U `before` times, the moves, and U
 * `after` times. What is free may differ after each.
 *
 * They were searched (tools/find-algorithms.c, `make algorithms`) among all that two words of up to 5
 * to 9 turns make, one after the other, over R U, R U F, R U D, R U L, R r U, R U M and some sets of four;
 * of a 2x2x2 all words of up to 11 turns of R U F and 13 of R U. Of each case the easiest are
 * here, in ascending order of effort, among them the shortest one.
 *
 * Effort says how hard an algorithm is to turn, in tenths of a quick turn of U. It is a sum over
 * turns: R, U 10; r 12; F 15; D, L 14; f 20; M 17, M' 15; B 30; half turns of R 15, U 14, r 17, F 20, D 20,
 * L 19, f 27, M 20, B 40. Added are the new grips: a wrist rests in the middle and reaches a
 * quarter turn to either side; R and r turn the right one, L the left one, a half turn by two quarters in
 * either direction; each turn that a wrist cannot follow from where it may be costs 15 for a new grip, and the
 * cheapest way is counted. The weights are this library's own estimates. That weights of turns and new
 * grips add up to a measure of speed is the idea of the Movecount Coefficient Calculator (trangium,
 * Speedsolving.com, 2020). */
struct cube_case_algorithm {
	uint8_t set;    /* index in cube_sets */
	uint16_t place; /* index in the cases of the set */
	uint8_t hold, before, after;
	uint8_t length;    /* turns, a slice or a wide turn one */
	uint16_t effort;   /* in tenths */
	const char *moves; /* in SiGN */
};

/* The longest text of moves, with its NUL. */
#define CUBE_ALGORITHM_BYTES 64

/* Makes `cube`, which has room for the set's size, the state of a case that its algorithms solve: the
 * inverse of the first one; without one, that of cube_case_state(). `place` is the case's among `cases`.
 * Of a 3x3x3 the slice M may be turned, if it is free. */
CUBE_API void cube_case_cube(const struct cube_set *set, const struct cube_case *cases,
			     size_t place, struct cube *cube);

/* The algorithms for a case, by its place among the cases of the set; NULL and 0 if there are
 * none. */
CUBE_API const struct cube_case_algorithm *cube_case_algorithms(const struct cube_set *set,
								size_t place, size_t *count);

#endif
