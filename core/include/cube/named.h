/* cube/named.h: patterns with names: stages of solving, cases of the last layer, pretty ones.
 *
 * A named pattern is data: one row with a text. The text is alternatives with "|" between, each of
 * parts with "&" between, all of which hold in the same way (cube/query.h). A part is one of
 *
 *     *1*111*1* ****2**2* ...    six arrays of a 3x3x3 in the order of cube/pattern.h
 *     {UF:home URF:placed}       pieces, looked at from all sides
 *     =NAME                      what that row has
 *
 * For other sizes arrays are stretched: corners stay corners, an edge's item stands for the whole
 * edge, a middle's for all within; a 2x2x2 has the corners alone.
 *
 * So generics bind within their part. "edges-paired" makes use of that: each edge is a part. */
#ifndef CUBE_NAMED_H
#define CUBE_NAMED_H

#include "cube/query.h"

/* The layer that A stands for in a pattern about a layer. In a solve by layers, A is the same face
 * in all patterns of the first layer, and the opposite face in all those of the last one. */
enum cube_layer { CUBE_LAYER_NONE, CUBE_LAYER_FIRST, CUBE_LAYER_LAST, CUBE_LAYERS };

struct cube_named {
	const char *name;           /* "f2l", "oll-27": lower case, digits and hyphens */
	const char *title;          /* a name for people */
	uint8_t size_min, size_max; /* of cubes it is meant for */
	const char *text;
	const char *setup;  /* moves that make such a cube of a solved one; of cases: "(...)'", the
			     * inverse of an algorithm for it */
	const char *source; /* its origin */
	uint8_t layer;      /* enum cube_layer */
};

CUBE_DATA const struct cube_named cube_named[];
CUBE_DATA const size_t cube_named_count;

/* The row with that name; NULL if there is none. */
CUBE_API CUBE_MUST_USE const struct cube_named *cube_named_find(const char *name, size_t length);

/* ---- as a query ---- */

/* Bytes of memory, aligned like malloc's, for the row as a query on cubes of that size, which it
 * serves. */
CUBE_API size_t cube_named_bytes(const struct cube_named *named, int size);
/* Makes it there; prepared. O(n^2) for each part. */
CUBE_API struct cube_query_node *cube_named_make(const struct cube_named *named, int size,
						 void *memory);

/* ---- part by part, for printing ---- */

enum cube_named_kind { CUBE_NAMED_COLORS, CUBE_NAMED_PIECES, CUBE_NAMED_ROW };

struct cube_named_part {
	enum cube_named_kind kind;
	bool alternative; /* it begins another alternative */
	const char *text; /* COLORS: the arrays; PIECES: what is in the braces */
	size_t length;
	const struct cube_named *row; /* ROW: which */
};

/* The part at *at (at first: row->text), and moves on; false at the end. */
CUBE_API CUBE_MUST_USE bool cube_named_part(const char **at, struct cube_named_part *part);
/* The next rule of a PIECES part, which begins at part->text; false at the end. */
CUBE_API CUBE_MUST_USE bool cube_named_rule(const struct cube_named_part *part, const char **at,
					    struct cube_piece_rule *rule);
/* The items of a COLORS part for a cube of that size: 6*size*size. */
CUBE_API void cube_named_items(const struct cube_named_part *part, int size, uint8_t *items);

#endif
