/* core/solve/subgroup/subgroup_internal.h: the inside of a subgroup. Internal; cube/subgroup.h
 * describes it. */
#ifndef CORE_SOLVE_SUBGROUP_SUBGROUP_INTERNAL_H
#define CORE_SOLVE_SUBGROUP_SUBGROUP_INTERNAL_H

#include "cube/subgroup.h"

__extension__ typedef unsigned __int128 group_order;

/* ---- chain.c: permutations, and groups of them ---- */

/* The points are stickers: 3 * corner + i, then 24 + 2 * edge + i, then 48 + centre. A 2x2x2 has
 * the first 24 of them. */
#define POINTS 54
#define POINTS_2 24
#define POINTS_CORNERS 24
#define POINTS_CENTERS 48
#define LEVELS 26 /* one base point for each piece */
#define ORBIT 24  /* the most places that a sticker comes to */
#define STRONG                                                                                     \
	72 /* generators of one level: each doubles its group at least, which has < 2^71 elements */
#define NOWHERE 255

/* to[place] = the sticker there. "a, then b" is a.to[b.to[place]]. */
struct perm {
	uint8_t to[POINTS];
};

/* Points `first` .. `end` - 1. */
struct range {
	uint8_t first, end;
};

/* A base with its transversals. */
struct chain {
	struct range range; /* of what moves */
	uint8_t levels;
	uint8_t base[LEVELS];
	uint8_t count[LEVELS];            /* of the orbit */
	uint8_t orbit[LEVELS][ORBIT];     /* the points that come to the base point */
	uint8_t at[LEVELS][POINTS];       /* by point: where it is in `orbit`, or NOWHERE */
	struct perm reach[LEVELS][ORBIT]; /* the element that brings it there */
	struct perm back[LEVELS][ORBIT];  /* its inverse */
};

/* Memory while a chain is made: generators by level. */
struct chain_scratch {
	uint8_t count[LEVELS];
	struct perm strong[LEVELS][STRONG];
};

void perm_identity(struct perm *perm);
/* In that range. `result` may be `b`. */
void perm_compose(struct perm *result, const struct perm *a, const struct perm *b,
		  struct range range);
void perm_invert(struct perm *restrict result, const struct perm *perm, struct range range);
/* From the cube, and back with spins of 0. */
void perm_from_cube(struct perm *perm, const struct cube *cube);
void perm_to_cube(const struct perm *perm, int size, struct cube *cube);

/* The chain of 1, to which generators are added. */
void chain_begin(struct chain *chain, struct range range, struct chain_scratch *scratch);
void chain_add(struct chain *chain, const struct perm *generator, struct chain_scratch *scratch);
group_order chain_order(const struct chain *chain);
bool chain_has(const struct chain *chain, const struct perm *perm);
/* The representative of the coset `perm` H, the same for all its elements; H is the chain's group.
 * */
void chain_represent(const struct chain *chain, struct perm *perm);

/* ---- cosets.c: the cosets of a phase, by number ---- */

#define PARTS 2 /* corners; edges and centres */
#define GENERATORS 6
#define MOVES (3 * GENERATORS)
#define PHASES 3
#define UNREACHED 255

struct part {
	struct chain chain; /* of the next group, on these points */
	uint32_t count;     /* of cosets */
	uint32_t mask;      /* of the slots, a power of two less 1 */
	size_t points;      /* offset: those of each representative */
	size_t slots;       /* offset: numbers + 1 by hash, 0: free */
	size_t moved;       /* offset: numbers by number * moves + move */
};

struct phase {
	uint8_t count;       /* of moves */
	uint8_t move[MOVES]; /* their numbers in the subgroup */
	uint32_t next;       /* a bit for each move of the subgroup: the next phase has it */
	uint8_t farthest;
	struct part part[PARTS];
	size_t distance; /* offset: by number of the first part * count of the second + its number */
};

struct group_move {
	struct cube_turn turn;
	uint8_t generator; /* its number; of one axis, they are made by rising number */
	uint8_t axis;
	struct perm perm, inverse;
};

struct cube_subgroup {
	int size;
	struct range range;
	struct chain chain;
	uint8_t generators, moves;
	struct group_move move[MOVES];
	uint8_t phases;
	struct phase phase[PHASES];
};

/* The memory of a subgroup that is being made; at its end is what only making needs. */
struct making {
	struct chain_scratch scratch;
	struct chain tried; /* of groups that may be those of a phase */
};

struct room {
	struct cube_subgroup *subgroup;
	size_t used;
	struct making *making;
};

#define ROOM_END (CUBE_SUBGROUP_BYTES - (sizeof(struct making) + 63) / 64 * 64)

/* Takes bytes, as an offset; 0 if there are not that many. */
size_t room_take(struct room *room, size_t bytes);

static inline void *subgroup_at(const struct cube_subgroup *subgroup, size_t offset)
{
	return (uint8_t *)(uintptr_t)subgroup + offset;
}

extern const struct range part_range[PARTS];

/* Fills a phase, of which the moves and the chains of the parts are set; `count` is how many cosets
 * each part has. Returns how many pairs of cosets its moves lead to; 0 if there is no room. */
uint32_t phase_make(struct room *room, struct phase *phase, const uint32_t count[PARTS]);

/* The number of the coset that `perm` is in. */
uint32_t part_number(const struct cube_subgroup *subgroup, const struct part *part,
		     const struct perm *perm);

static inline int phase_distance(const struct cube_subgroup *subgroup, const struct phase *phase,
				 uint32_t first, uint32_t second)
{
	const uint8_t *distance = subgroup_at(subgroup, phase->distance);
	return distance[(size_t)first * phase->part[1].count + second];
}

/* ---- plan.c: which phases ---- */

/* Makes the phases, or none if they do not fit. */
void subgroup_plan(struct room *room);

#endif
