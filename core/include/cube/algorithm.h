/* cube/algorithm.h: move sequences as data, and the algebra on them.
 *
 * An algorithm is a flat array of nodes in the caller's memory, parents before
 * children. A node that holds others (a group, commutator or conjugate) is followed by all its
 * descendants; `end` is the index after the last of them, so that the next
 * sibling of node i is nodes[i].end (i + 1 for a turn). In a commutator and a
 * conjugate the first part is i+1 .. middle-1, the second middle .. end-1.
 *
 *     [R U: F]2  ->  0 CONJUGATE amount 2, middle 3, end 4;  1 R;  2 U;  3 F
 *
 * Meaning: (A)k is A k times, negative k the inverse; [A, B] = A B A' B';
 * [A: B] = A B A'. Repeats are worked out as powers of the sticker permutation, so the
 * cost of a query does not grow with the amounts: see cube_alg_apply.
 *
 * Written-out lengths and metrics are exact up to CUBE_COUNT_MAX, and CUBE_COUNT_OVER beyond.
 * All functions are pure over the caller's memory; nesting is at most CUBE_DEPTH_MAX. */
#ifndef CUBE_ALGORITHM_H
#define CUBE_ALGORITHM_H

#include "cube/error.h"
#include "cube/turn.h"

/* Deepest nesting of brackets. Bounds every stack and scratch area. */
#define CUBE_DEPTH_MAX 64
/* Largest |amount| of a group, 10^15: exact in JSON everywhere. */
#define CUBE_AMOUNT_MAX 1000000000000000
/* Largest exact count, 2^53 - 1; more is answered as CUBE_COUNT_OVER. */
#define CUBE_COUNT_MAX 9007199254740991u
#define CUBE_COUNT_OVER UINT64_MAX

enum cube_node_kind { CUBE_NODE_TURN, CUBE_NODE_GROUP, CUBE_NODE_COMMUTATOR, CUBE_NODE_CONJUGATE };

struct cube_node {
	int64_t amount;        /* of a group, commutator or conjugate; 1 for a turn */
	uint32_t end;          /* index after the last descendant */
	uint32_t middle;       /* first node of the second part; 0: none */
	struct cube_turn turn; /* of a turn */
	uint8_t kind;          /* enum cube_node_kind */
};

struct cube_alg {
	const struct cube_node *nodes;
	uint32_t count;
	uint8_t size;   /* of the cube it was read for */
	uint8_t depth;  /* deepest nesting, 0 for plain turns */
	uint32_t zeros; /* turns by 0 quarters, such as R0 and R4, that were read and left out */
};

/* Turns and rotations counted when everything is written out and nothing merged; the metrics of
 * notation: htm (OBTM), qtm (OBQTM), stm (RBTM), qstm, etm. CUBE_COUNT_OVER past CUBE_COUNT_MAX. */
struct cube_metrics {
	uint64_t htm, qtm, stm, qstm, etm;
};

/* Number of turns when written out. CUBE_COUNT_OVER past CUBE_COUNT_MAX. */
CUBE_API uint64_t cube_alg_length(const struct cube_alg *alg);

/* Bytes of scratch that cube_alg_apply needs for this algorithm on its size. 0 for
 * plain turns; else proportional to n*n * (depth + 1). */
CUBE_API size_t cube_alg_scratch_bytes(const struct cube_alg *alg);

/* Turns `cube` (of alg->size) by the algorithm. `scratch` has cube_alg_scratch_bytes, aligned like
 * malloc's. A part whose written-out length costs more than a composition of permutations is
 * worked out once and raised to its power, so the time is bounded by
 * O(count * n^2) whatever the amounts and nesting. */
CUBE_API void cube_alg_apply(struct cube *cube, const struct cube_alg *alg, void *scratch);

/* Writes the turns out into `turns` (room for `budget`) and stores their number.
 * Returns false, with `turns` undefined, if there are more than `budget`. */
CUBE_API CUBE_MUST_USE bool cube_alg_expand(const struct cube_alg *alg, size_t budget,
					    struct cube_turn *turns, size_t *count);

/* The inverse with the same structure: (R U)3 -> (U' R')3, [A, B] -> [B, A],
 * [A: B] -> [A: B']. `nodes` has room for alg->count; `inverse` points to it afterwards. */
CUBE_API void cube_alg_inverse(const struct cube_alg *alg, struct cube_node *nodes,
			       struct cube_alg *inverse);

/* Transforms give an algorithm as it looks when the cube, with its turns, is rotated or seen in a
 * mirror: a turn of a face becomes one of the face that it is taken to, in a mirror in the opposite
 * direction. Half turns stay as they are written. The mirrors are the planes of the slices: M
 * exchanges R and L, E U and D, S F and B. */
enum cube_plane { CUBE_PLANE_E, CUBE_PLANE_M, CUBE_PLANE_S };

struct cube_transform {
	uint8_t face[CUBE_FACES]; /* the place of each face */
	bool mirrored;
};

/* Begins with the one that changes nothing; then the others are done one after another. */
CUBE_API void cube_transform_init(struct cube_transform *transform);
/* By a turn of all layers: y takes turns of F to L, and makes L U L' of F U F'. An algorithm A becomes
 * y' A y. */
CUBE_API void cube_transform_rotate(struct cube_transform *transform, int size,
				    struct cube_turn rotation);
CUBE_API void cube_transform_mirror(struct cube_transform *transform, enum cube_plane plane);
/* `nodes` has room for alg->count; `result` points to it afterwards. */
CUBE_API struct cube_turn cube_turn_transform(int size, struct cube_turn turn,
					      const struct cube_transform *transform);
CUBE_API void cube_alg_transform(const struct cube_alg *alg, const struct cube_transform *transform,
				 struct cube_node *nodes, struct cube_alg *result);

/* Counts in all five metrics, any size, without writing anything out. */
CUBE_API void cube_alg_metrics(const struct cube_alg *alg, struct cube_metrics *metrics);
CUBE_API void cube_turns_metrics(int size, const struct cube_turn *turns, size_t count,
				 struct cube_metrics *metrics);

/* Shortens a flat sequence in place and returns its new length. Within each run of turns about
 * one axis, which commute: turns of the same layers are merged, turns that cancel are dropped, and if
 * fewer touching blocks have the same effect, these are written instead (r R' -> M' only if shorter,
 * never longer; see simplify.c). If a run vanishes, its neighbours are merged. The result does exactly
 * the same, spins included, is never longer in etm, and simplifying it again changes nothing. Turns
 * merged only with turns of their own layers keep their style (M2 M' -> M). */
CUBE_API size_t cube_turns_simplify(int size, struct cube_turn *turns, size_t count);

/* Sorts each run of turns of parallel layers, which commute: by the first layer counted from U, R or F,
 * then by the last one. So U comes before D, R before L, F before B, and R before Rw. O(count * the longest run). */
CUBE_API void cube_turns_order(int size, struct cube_turn *turns, size_t count);

/* Canonical text (SiGN, wide moves with w, single spaces, R3 as R') into `text`, like
 * snprintf: at most `capacity` bytes with the NUL, returns the length without it.
 * cube_alg_print keeps brackets and repeats; cube_turns_print is flat. Turns by 0 quarters and groups
 * repeated 0 times are left out, since other programs read R0 as R: if there are no other turns, the
 * text is empty. */
CUBE_API size_t cube_alg_print(const struct cube_alg *alg, char *text, size_t capacity);
CUBE_API size_t cube_turns_print(int size, const struct cube_turn *turns, size_t count, char *text,
				 size_t capacity);

/* Longest text of one turn with its NUL: "99-100Rw2'". */
#define CUBE_TURN_TEXT_MAX 16
/* One turn; R0 for a turn by 0 quarters. */
CUBE_API size_t cube_turn_print(int size, struct cube_turn turn, char text[CUBE_TURN_TEXT_MAX]);

#endif
