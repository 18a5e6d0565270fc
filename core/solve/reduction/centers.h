/* core/solve/reduction/centers.h: tables for the centres of the smaller of the large cubes;
 * internal.
 *
 * The 24 centres of an orbit are 24 bits: 1 if a place's sticker is of those that a
 * stage looks at. Three stages bring them home:
 *
 *     half   one of R and L's colours onto the faces R and L;        all turns
 *     axis   R and L's colours onto the faces R and L;               all turns
 *     split  F and B's onto F and B, so that U and D's are on U and D; not what would undo `axis`
 *     face   each colour onto its own face;              blocks of several layers by half turns
 *
 * How many turns an orbit alone needs is in a table for each kind of orbit: on a diagonal (x), in
 * the middle of a side (t). The others are left or right of the middle; a left one and the right
 * one beside it move as one with blocks that end short of both, as t does. What the turn of a block
 * does to an orbit depends only on how many of the two lines of its cells it holds: none, the outer
 * one, or both. So all sizes share these tables. */
#ifndef CORE_SOLVE_REDUCTION_CENTERS_H
#define CORE_SOLVE_REDUCTION_CENTERS_H

#include "core/solve/reduction/reduction_internal.h"

enum center_kind { CENTER_X, CENTER_T, CENTER_LEFT, CENTER_RIGHT, CENTER_KINDS };
enum center_stage {
	CENTER_AXIS,
	CENTER_SPLIT,
	CENTER_FACE,
	CENTER_STAGES,
	CENTER_HALF = CENTER_STAGES /* without a table */
};

/* Lines of cells that a turn takes along: 0, 1, 2; or those in the middle alone. */
#define CENTER_LINES 4
#define CENTER_MIDDLE 3

/* Sets of three orbits: x and left and right; t, left, and the t between left and right; or x and t
 * alone. The first is to be home, the others to be alike; in the last one both to be home. */
enum bars_set { BARS_INNER, BARS_MIDDLE, BARS_OUTER, BARS_SETS };
#define BARS_ALONE 2 /* the sets that also have distances of one axis alone */
#define BARS_UNITS 6

#define CENTER_TABLES 2 /* x, t */
#define CENTER_MOVES (CUBE_FACES * CENTER_LINES * 3)
#define CENTER_AXES 735471 /* C(24, 8) */
#define CENTER_SPLITS 65536
#define CENTER_FACES 343000 /* C(8, 4)^3 */
#define CENTER_WAYS 70      /* C(8, 4) */
#define CENTER_ALL 0xffffffu

struct centers {
	/* Bits after a move: each byte of them moved. */
	uint32_t moved[CENTER_KINDS][CENTER_MOVES][3][256];
	uint32_t rank_high[4096], rank_low[4096]; /* of 24 bits, eight of which are set */
	uint32_t rank_byte[3][256];               /* of bytes of which four are set */
	uint8_t axis[CENTER_TABLES][CENTER_AXES];
	uint8_t split[CENTER_TABLES][CENTER_SPLITS];
	uint8_t face[CENTER_TABLES][CENTER_FACES];
	/* In the stage `face`, of the two faces of an axis: the turns that three orbits need, where
	 * blocks of three layers turn about an axis that is done only (its own: none is); the same
	 * as a share of turns, in units, blocks of two layers being bound to that axis too; and a
	 * share of all turns. */
	uint8_t alone[BARS_ALONE][3][3][CENTER_FACES];
	uint8_t rest[BARS_ALONE][3][3][CENTER_FACES];
	uint8_t share[BARS_SETS][3][CENTER_FACES];
};

/* Two steps of CENTER_KINDS parts. */
void centers_make(struct centers *centers, unsigned step, unsigned part);

static inline int center_count(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555u;
	bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
	return (int)(((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

static inline int center_move(int face, int lines, int quarters)
{
	return (face * CENTER_LINES + lines) * 3 + quarters - 1;
}

/* Returns true if blocks that hold centres (lines > 0) may turn so. */
static inline bool center_allowed(enum center_stage stage, int face, int lines, int quarters)
{
	return lines == 0 || quarters == 2 || stage == CENTER_AXIS || stage == CENTER_HALF ||
	       (stage == CENTER_SPLIT && face % 3 == CUBE_R);
}

static inline uint32_t center_moved(const uint32_t moved[3][256], uint32_t bits)
{
	return moved[0][bits & 255] | moved[1][bits >> 8 & 255] | moved[2][bits >> 16];
}

/* Returns how many turns at least until the bits are as the stage wants them. */
static inline int center_distance(const struct centers *centers, enum center_stage stage, int table,
				  uint32_t bits)
{
	if (stage == CENTER_AXIS)
		return centers->axis[table][centers->rank_high[bits >> 12] +
					    centers->rank_low[bits & 4095]];
	if (stage == CENTER_SPLIT)
		return centers->split[table][bits & 0xffff];
	return centers->face[table][centers->rank_byte[0][bits & 255] +
				    centers->rank_byte[1][bits >> 8 & 255] +
				    centers->rank_byte[2][bits >> 16]];
}

#endif
