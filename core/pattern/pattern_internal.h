/* core/pattern/pattern_internal.h: the inside of a pattern, and how facelets move with a fit. Internal. */
#ifndef CORE_PATTERN_PATTERN_INTERNAL_H
#define CORE_PATTERN_PATTERN_INTERNAL_H

#include "cube/pattern.h"

/* ---- fit.c: the 24 ways ---- */

/* The place to which a fit takes a face: facelet (row, column) of it goes to origin + row*down +
 * column*right. */
struct fit_face {
	int origin, down, right;
};

/* For home facelets as they are with A in front, upright. */
void fit_faces(struct fit_face faces[CUBE_FACES], int size, int fit);

/* The home facelet of an item: array 0..5 as in cube/pattern.h. */
size_t fit_home_facelet(int size, int array, int row, int column);

/* ---- make.c: tables of a 2x2x2 or 3x3x3 ---- */

#define SMALL_MAX 3
#define SMALL_FACELETS 54
#define SMALL_HALF 27 /* facelets of a half; the second half of a 2x2x2 is empty */
/* The colours in four blocks of sixteen bytes that begin here: what a byte shuffle looks up in. */
#define SMALL_BLOCKS 4
#define SMALL_LAST_BLOCK 38

/* In bytes, eight ways are the first bytes of eight 32-bit places, the next eight the second ones,
 * and so on: a shift makes numbers of them. */
#define SMALL_SLOT(fit) (4 * ((fit) % 8) + (fit) / 8)
#define SMALL_ABSENT 0x80 /* a byte shuffle makes 0 of it */

struct small_generic {
	uint32_t mask[2][CUBE_FITS]; /* its facelets, by half and fit */
	/* By slot: where in the block the facelet that gives its colour is; for a centred pattern
	 * in the first block alone, whose bytes are then the middles of the faces. */
	uint8_t at[SMALL_BLOCKS][32];
	uint8_t color_from[CUBE_FITS]; /* the facelet that gives its colour */
	uint8_t number;                /* 0..5 */
};

struct small_pattern {
	uint32_t mask[2][CUBE_FITS];    /* facelets with a colour, by half and fit */
	uint32_t want[3][2][CUBE_FITS]; /* the bits of these colours */
	struct small_generic generic[CUBE_GENERICS];
};

/* ---- make.c: items of larger cubes ---- */

struct placed_item {
	uint8_t face, row, column; /* home facelet */
	uint8_t item;              /* no star */
};

/* Followed by a struct small_pattern, or, where size > SMALL_MAX, by the items, class by class. */
struct cube_pattern {
	uint8_t size;
	uint8_t named;         /* bit by colour: the pattern names it */
	uint8_t generic_count; /* generics in the pattern */
	bool centred;          /* 3x3x3: each generic stands in a middle, which gives its colour */
	uint32_t item_count;   /* without the stars */
};

static inline const struct small_pattern *pattern_small(const struct cube_pattern *pattern)
{
	return (const struct small_pattern *)(pattern + 1);
}

static inline const struct placed_item *pattern_items(const struct cube_pattern *pattern)
{
	return (const struct placed_item *)(pattern + 1);
}

/* ---- pieces.c: rules, one by one ---- */

struct cube_pieces;
uint32_t pieces_count(const struct cube_pieces *pieces);
/* Returns true if one of them holds in that fit, and writes the first facelet of its place to
 * `facelet`. */
bool pieces_one_fits(const struct cube_pieces *pieces, uint32_t which, int fit,
		     const uint8_t *colors, int *facelet);

/* ---- match.c, match_x86.c: which code ---- */

/* A way of matching patterns of small cubes. */
struct pattern_code {
	const char *name; /* "avx2", "portable" */
	uint32_t (*match)(const struct cube_pattern *pattern, const uint8_t *colors);
};

/* Returns the ways of matching that this machine has, the fastest first; NULL after the last. */
const struct pattern_code *pattern_code(size_t index);

extern const struct pattern_code pattern_portable;
#if defined(__x86_64__)
extern const struct pattern_code pattern_avx2; /* only with AVX2 */
#endif

#endif
