/* core/format/format_internal.h: what is wrong with colours, and its repair. Internal to the library.
 *
 * diagnose.c reads and reports, suspect.c picks the piece to name where sums do not add up,
 * misread.c finds faces that were read turned or exchanged, repair.c what to recolour, exchange.c which two
 * stickers to exchange where every piece is there; plan.c says which repair is reported with which problem,
 * candidates.c which others are as likely.
 * docs/reference/diagnosis.md is the description for users. */
#ifndef CORE_FORMAT_FORMAT_INTERNAL_H
#define CORE_FORMAT_FORMAT_INTERNAL_H

#include "core/format/orbit.h"
#include "cube/facelets.h"

struct repair_plan;

/* Finds what is wrong with colours that no turns lead to; see cube_from_colors(). 0 if they are a cube.
 * `plan` says which repairs are reported. */
size_t cube_diagnose(int size, const uint8_t *colors, struct cube_problem *problems,
		     size_t capacity, struct repair_plan *plan);

/* colors.c: makes a state of colours; false, with `cube` undefined, if turns do not lead to them. */
bool cube_place(struct cube *cube, int size, const uint8_t *colors);

/* ---- diagnose.c: what is seen ---- */

/* The stickers that the places of an orbit show. */
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

/* view.c: sees what an orbit that is laid out in `view` shows, all members but `first`. */
void cube_view_orbit(struct orbit_view *view, const uint8_t *colors);

/* The colours that the middle centres of an odd cube show; `hold` -1 if they fit none. */
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
	bool right; /* the exchange brings both home */
};

/* The two pieces whose exchange makes the permutations even: ones that are each in the other's home
 * (by the middle centres) and right then, edges before corners; else ones that are each in
 * the other's home; else the first that is not at home, and what is in its home. */
struct swap cube_swapped_pieces(const struct orbit_view *corners, const struct orbit_view *edges,
				int hold);

/* ---- misread.c: faces that were read wrongly ---- */

/* A face shows the colours that were sent for `from`, turned clockwise by so many quarters. */
struct face_reading {
	uint8_t from[CUBE_FACES], turn[CUBE_FACES];
};

/* The readings that are a cube and change the fewest faces. Those that look alike count once. */
#define FACE_READINGS 4
struct face_readings {
	struct face_reading reading[FACE_READINGS];
	int count;    /* at most FACE_READINGS */
	int changed;  /* faces */
	int stickers; /* of the first one: how many differ from what was sent, up to 3 */
};

/* Tries all turnings and orders of the faces. The centres beside the middle must be right: four of each
 * colour in every orbit. Some 30 us on a 3x3x3; O(n) more for each reading whose corners fit. */
void cube_misread_faces(int size, const uint8_t *colors, struct face_readings *found);

/* One step of undoing it: two faces change places, or, if they are the same, the face is turned clockwise. */
struct face_step {
	uint8_t face, other, turn;
};
#define FACE_STEPS 11

/* The steps of a reading, exchanges first; returns how many. Room for FACE_STEPS. */
int cube_reading_steps(const struct face_reading *reading, struct face_step steps[]);

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
	uint8_t faces; /* the faces they are on, as bits; only if cube_fix_pieces() finds it */
};

/* The fixes with the fewest changes, at most CHANGES_MAX, that make the orbit whole and its turns
 * add up, by the parity of the permutation that comes about. At most two pieces are other ones
 * then. */
void cube_fix_pieces(const struct orbit_view *view, struct fix best[2]);
void cube_fix_middles(const struct middles *middles, int n, struct fix best[2]);

/* Finds the exchanges of two stickers that repair a middle edge orbit in which every piece is there,
 * whose parity is wrong, and whose flips may be: those of one face first, then by facelets. Returns
 * the number of them; the first `capacity` are written. */
size_t cube_exchanges(const struct orbit_view *edges, int size, struct fix *fixes, size_t capacity);

/* Returns true if at least half of the corners and middle edges are at home. */
bool cube_is_nearly_solved(const struct orbit_view *corners, const struct orbit_view *edges,
			   int hold);

/* Exchanges two colours of each mirrored corner; needs a known orbit. fixes[place] is set for
 * these. */
void cube_fix_mirrored(const struct orbit_view *corners, struct fix fixes[8]);

/* Finds two colours, a and b, whose exchange all over the cube makes it one; false if there are
 * none. Centre orbits are taken to be right. Opposite ones are preferred, R and L first, and what
 * leaves the cube held with U up and F to the front. */
bool cube_fix_scheme(int size, const uint8_t *colors, uint8_t *a, uint8_t *b);

/* ---- plan.c: what is reported ---- */

enum repair_kind {
	REPAIR_NONE,
	REPAIR_FACES,    /* turns and exchanges of faces */
	REPAIR_RECOLOUR, /* one repair: up to three facelets of other colours */
	REPAIR_EXCHANGE, /* one repair: two facelets exchanged */
	REPAIR_COLOURS,  /* one repair: two colours exchanged everywhere */
	REPAIR_PIECE,    /* one repair: a twist, a flip or a swap */
	REPAIR_SEVERAL,
};

/* The repairs so far. All that are reported, done in order, make the colours a cube. */
struct repair_plan {
	struct cube_problem *problems;
	size_t stored; /* number that may be written to */
	int size;
	bool hopeless; /* something has no repair: then none is reported */
	size_t repairs, changes;
	struct recolor change[2];  /* the first ones */
	struct cube_problem first; /* its repair is the first one reported */
	size_t faces;              /* so many first problems are of faces: only they have repairs */
	enum repair_kind kind;     /* the kind to report */
	bool fits; /* every colour is there as often as it should be, in each orbit */
};

/* Report with problem `index` what to do. A fix without changes reports nothing, a missing one makes
 * the plan hopeless. */
void cube_plan_fix(struct repair_plan *plan, size_t index, const struct fix *fix);
void cube_plan_twist(struct repair_plan *plan, size_t index, const char *name, int amount);
void cube_plan_flip(struct repair_plan *plan, size_t index, const char *name);
void cube_plan_swap(struct repair_plan *plan, size_t index, const char *a, const char *b);
void cube_plan_face(struct repair_plan *plan, size_t index, const struct face_step *step);

/* Writes the repair of a fix or a step in words. */
void cube_print_fix(char text[CUBE_REPAIR_BYTES], int n, const struct fix *fix);
void cube_print_step(char text[CUBE_REPAIR_BYTES], const struct face_step *step);

/* Finishes the plan when all is known (`fits`, see above): a single repair moves to problem 0, two
 * changes that belong together become one, and an exchange of colours replaces what is longer. */
void cube_plan_finish(struct repair_plan *plan, const uint8_t *colors, bool fits);

#endif
