/* cube/query.h: patterns of pieces, and combinations of patterns.
 *
 * Colours alone cannot say "these edges are oriented", so a pattern may also ask for pieces: at a
 * place, named by the faces that it lies between (URF, UF; on larger cubes an edge is all the wings
 * and the middle edge between its corners), one of
 *
 *     home      the place's own piece, neither twisted nor flipped
 *     placed    the place's own piece, turned in any way
 *     oriented  whichever piece it is, it is not twisted or flipped
 *     slice     an edge that belongs to the same slice as the place: each of its colours is that of a
 *               face that the place lies between, or of the one opposite
 *     half_turns each sticker has the colour of the face that it lies on, or of the one opposite; and
 *               if this is asked of all eight corners, half turns alone can bring all of them home
 *
 * Half turns keep each corner among four places, a tetrad, and permute the two tetrads alike: call the
 * places of a tetrad 0..3, bit by bit by the axes, so that half turns add (xor) the same to two of
 * four; then each tetrad's permutation is x -> A x + t over two bits, and A is the same for both. That
 * leaves 4! * 4 = 96 of 4! * 4! = 576 (M. B. Thistlethwaite's third group). Edges follow by parity.
 *
 * Not twisted or flipped: a sticker of the colour of U or D lies on U or D; an edge without one has
 * one of the colour of F or B on the facelet of the place that is on U or D, or, at the four places
 * between, on F or B.
 *
 * Colours of faces are those of the middle centres; on even sizes, which have none, those
 * that follow from the corner DBL. So a solved cube has all pieces home however it is held. Such a
 * pattern can be looked at from all 24 sides like one of colours (cube/pattern.h): U is then what
 * lies above A, and so on, and F is A. Or only as the cube is held: fit 4 * CUBE_F, A being F,
 * upright.
 *
 * A query combines patterns: `all` fits if all of its parts fit in the same way, `any` if one does,
 * `not` if its part does not (among the ways considered). `anywhere` fits in every way if its part
 * fits in any: so parts of one `all` may each fit in a way of their own. `among` fits if its part
 * does, in some of the ways only. Generics belong to one pattern of colours: two patterns may bind the
 * same generic to different colours.
 *
 * A query is an array of nodes, each followed by its parts. All memory is the caller's. */
#ifndef CUBE_QUERY_H
#define CUBE_QUERY_H

#include "cube/pattern.h"

/* ---- pieces ---- */

#define CUBE_PLACES 20 /* eight corners, then twelve edges, in Kociemba's order */

enum cube_piece_condition {
	CUBE_PIECE_HOME,
	CUBE_PIECE_PLACED,
	CUBE_PIECE_ORIENTED,
	CUBE_PIECE_SLICE,
	CUBE_PIECE_HALF_TURNS,
	CUBE_PIECE_CONDITIONS
};

struct cube_piece_rule {
	uint8_t place;     /* 0..CUBE_PLACES-1 */
	uint8_t condition; /* enum cube_piece_condition */
};

/* A place by the letters of its faces in any order ("FUR"); -1 if there is none. Upper case. */
CUBE_API CUBE_MUST_USE int cube_place_find(const char *name, size_t length);
/* "URF", "UF". */
CUBE_API const char *cube_place_name(int place);
/* "home"; and back, -1 if there is none. */
CUBE_API const char *cube_piece_condition_name(enum cube_piece_condition condition);
CUBE_API CUBE_MUST_USE int cube_piece_condition_find(const char *name, size_t length);
/* Returns true if cubes of that size have the place, and the condition has a meaning for it. A
 * 2x2x2 has no edges, corners belong to no slice, and edges can be oriented only on a 3x3x3. */
CUBE_API CUBE_MUST_USE bool cube_piece_rule_valid(int size, struct cube_piece_rule rule);

/* Prepared rules; opaque. */
struct cube_pieces;

CUBE_API size_t cube_pieces_bytes(int size, size_t rules);
/* Makes them of valid rules; memory aligned like malloc's. O(rules * n). */
CUBE_API void cube_pieces_make(struct cube_pieces *pieces, int size,
			       const struct cube_piece_rule *rules, size_t count);
/* The fits of `among` in which all rules hold. The colours are those of a cube that turns lead to.
 */
CUBE_API uint32_t cube_pieces_match(const struct cube_pieces *pieces, const uint8_t *colors,
				    uint32_t among);

/* ---- queries ---- */

enum cube_query_kind {
	CUBE_QUERY_ALL,      /* of the nodes below; of none: always */
	CUBE_QUERY_ANY,      /* of the nodes below; of none: never */
	CUBE_QUERY_NOT,      /* of the one node below */
	CUBE_QUERY_COLORS,   /* pattern */
	CUBE_QUERY_PIECES,   /* pieces */
	CUBE_QUERY_ANYWHERE, /* of the one node below */
	CUBE_QUERY_AMONG,    /* of the one node below, in the fits `among` */
};

struct cube_query_node {
	uint8_t kind;  /* enum cube_query_kind */
	bool held;     /* of colours and pieces: only as the cube is held */
	uint32_t span; /* nodes of this one and all below it */
	uint32_t ways; /* fits considered; set by cube_query_prepare() */
	union {
		const struct cube_pattern *pattern;
		const struct cube_pieces *pieces;
		uint32_t among;
	};
};

/* Fills in what nodes derive from those below them. `nodes` is one node with all below it, with valid
 * spans. */
CUBE_API void cube_query_prepare(struct cube_query_node *nodes);
/* The fits of `among` in which the query holds. */
CUBE_API uint32_t cube_query_match(const struct cube_query_node *nodes, const uint8_t *colors,
				   uint32_t among);
/* Bindings of the first pattern of colours in it that has generics, fits in that way, and stands
 * below no `not` and no `anywhere`; all -1 if there is none. */
CUBE_API void cube_query_bindings(const struct cube_query_node *nodes, const uint8_t *colors,
				  int fit, int8_t bound[CUBE_GENERICS]);

#endif
