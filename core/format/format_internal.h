/* core/format/format_internal.h: what is wrong with colours, and its repair. Internal to the library.
 *
 * diagnose.c reads and reports, suspect.c picks the piece to name where sums do not add up,
 * repair.c finds what to recolour, plan.c says which repair is reported with which problem.
 * docs/reference/diagnosis.md is the description for users. */
#ifndef CORE_FORMAT_FORMAT_INTERNAL_H
#define CORE_FORMAT_FORMAT_INTERNAL_H

#include "core/format/orbit.h"
#include "cube/facelets.h"

/* Finds what is wrong with colours that no turns lead to; see cube_from_colors(). */
size_t cube_diagnose(int size, const uint8_t *colors, struct cube_problem *problems,
		     size_t capacity);

/* ---- diagnose.c: what is seen ---- */

/* What the places of an orbit show. */
struct orbit_view {
	struct orbit orbit;
	uint8_t seen[ORBIT_PLACES][ORBIT_STICKERS];
	int8_t piece[ORBIT_PLACES]; /* -1 if no piece shows that; a mirrored one counts as itself
				     */
	uint8_t turn[ORBIT_PLACES]; /* 0 if it is mirrored or none */
	uint32_t mirrored;          /* places, one bit each */
	bool known;                 /* every piece is in one place, mirrored or not */
	bool whole;                 /* and none is mirrored */
	bool odd;                   /* the permutation, where known */
	int turns;                  /* twists or flips added up */
	size_t first;               /* the index of its first problem */
};

/* What the middle centres of an odd cube show; `hold` -1 if they fit none. */
struct middles {
	uint8_t seen[CUBE_FACES];
	int hold;
	bool odd;
	size_t first;
};

/* ---- suspect.c: which one to name ---- */

/* The corner that is twisted by `amount`, 1 or 2, too many: a place. Twists can be measured from
 * each of three pairs of opposite faces by each of three pairs of colours; the measure that calls
 * the fewest corners twisted is taken. Several that are twisted in it are all as good: the first
 * that is by that amount, in Kociemba's order, else the first. */
int cube_twisted_corner(const struct orbit_view *corners, int amount);

/* The edge that is flipped, found in the same way: the measures are the orders of the three axes. */
int cube_flipped_edge(const struct orbit_view *edges);

/* Two pieces of one orbit; facelet i of place a and facelet (i + shift) % stickers of b change
 * places. */
struct swap {
	const struct orbit_view *view;
	int a, b, shift;
};

/* The two pieces whose exchange makes the permutations even: ones that are each in the other's home
 * (by the middle centres) and right then, edges before corners; else ones that are each in
 * the other's home; else the first that is not at home, and what is in its home. */
struct swap cube_swapped_pieces(const struct orbit_view *corners, const struct orbit_view *edges,
				int hold);

/* ---- repair.c: what to recolour ---- */

#define CHANGES_MAX 3

struct recolor {
	uint16_t facelet;
	uint8_t from, to;
};

/* A few facelets of one orbit in other colours. `count` 0: nothing is to be done; -1: no fix. */
struct fix {
	int count;
	struct recolor change[CHANGES_MAX];
};

/* The fixes with the fewest changes, at most CHANGES_MAX, that make the orbit whole and its turns
 * add up, by the parity of the permutation that comes about. At most two pieces are other ones
 * then. */
void cube_fix_pieces(const struct orbit_view *view, struct fix best[2]);
void cube_fix_middles(const struct middles *middles, int n, struct fix best[2]);

/* Exchanges two colours of each mirrored corner; needs a known orbit. fixes[place] is set for
 * these. */
void cube_fix_mirrored(const struct orbit_view *corners, struct fix fixes[8]);

/* Finds two colours, a and b, whose exchange all over the cube makes it one; false if there are
 * none. Centre orbits are taken to be right. Opposite ones are preferred, R and L first, and what
 * leaves the cube held with U up and F to the front. */
bool cube_fix_scheme(int size, const uint8_t *colors, uint8_t *a, uint8_t *b);

/* ---- plan.c: what is reported ---- */

/* The repairs so far. All that are reported, done in order, make the colours a cube. */
struct repair_plan {
	struct cube_problem *problems;
	size_t stored; /* how many may be written to */
	int size;
	bool hopeless; /* something has no repair: then none is reported */
	size_t repairs, changes;
	struct recolor change[2];  /* the first ones */
	struct cube_problem first; /* its repair is the first one reported */
};

/* Report with problem `index` what to do. A fix without changes reports nothing, a missing one makes
 * the plan hopeless. */
void cube_plan_fix(struct repair_plan *plan, size_t index, const struct fix *fix);
void cube_plan_twist(struct repair_plan *plan, size_t index, const char *name, int amount);
void cube_plan_flip(struct repair_plan *plan, size_t index, const char *name);
void cube_plan_swap(struct repair_plan *plan, size_t index, const char *a, const char *b);

/* When all is known: a single repair moves to problem 0, two changes that belong together become
 * one, and an exchange of colours replaces what is longer. `scheme`: whether to look for that. */
void cube_plan_finish(struct repair_plan *plan, const uint8_t *colors, bool scheme);

#endif
