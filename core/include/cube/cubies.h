/* cube/cubies.h: a 2x2x2 or 3x3x3 as cubies: which piece is in which place, and how it sits there.
 *
 * Replaced-by: the index is the place, the value is the piece there now. Places are fixed in space
 * and pieces are named by their colours, so after M no corner has moved, and after y all have.
 * Kociemba's order:
 *
 *     corners  URF UFL ULB UBR DFR DLF DBL DRB
 *     edges    UR UF UL UB DR DF DL DB FR FL BL BR
 *
 * Twist (corner_orientation): clockwise steps 0..2 from the place's facelet on U or D to where the
 * piece's U or D sticker is. Flip (edge_orientation): 0 if the piece's first-named sticker is
 * on the place's first-named facelet, else 1. centers[i] is the colour of the centre on face i, in
 * the order U R F D L B.
 *
 * Other orders renumber places and pieces alike. Whatever the names are, twist and flip keep their
 * meaning: every order names the sticker on U or D first, and without one that on F or B.
 *
 * On a 2x2x2 only the corners mean something; edges and centers are as on a solved 3x3x3. The
 * spins of centres are not included. All functions are pure and O(1). */
#ifndef CUBE_CUBIES_H
#define CUBE_CUBIES_H

#include "cube/size.h"

#define CUBE_CORNERS 8
#define CUBE_EDGES 12

struct cube_cubies {
	uint8_t corner_permutation[CUBE_CORNERS]; /* 0..7 */
	uint8_t corner_orientation[CUBE_CORNERS]; /* 0..2 */
	uint8_t edge_permutation[CUBE_EDGES];     /* 0..11 */
	uint8_t edge_orientation[CUBE_EDGES];     /* 0..1 */
	uint8_t centers[CUBE_FACES];              /* enum cube_face */
};

/* The five arrays, in the order of the struct: for reading and writing them by name. Only the
 * first CUBE_CUBIES_ARRAYS_2 of them belong to a 2x2x2. */
#define CUBE_CUBIES_ARRAYS 5
#define CUBE_CUBIES_ARRAYS_2 2
struct cube_cubies_array {
	char name[20];  /* the member's name, as in the API */
	uint8_t offset; /* in struct cube_cubies */
	uint8_t count;  /* of places */
	uint8_t values; /* one more than the largest value */
};
CUBE_DATA const struct cube_cubies_array cube_cubies_arrays[CUBE_CUBIES_ARRAYS];

/* Returns true if all values of the arrays that belong to `size` (2 or 3) are in range. Otherwise
 * `array` is set to the row of the table and `index` to the place of the first value that is
 * not. */
CUBE_API CUBE_MUST_USE bool cube_cubies_in_range(const struct cube_cubies *cubies, int size,
						 int *array, int *index);

/* Fills `cubies` from a cube of size 2 or 3 whose corners and edges are pieces: every state that
 * cube_from_colors or turns make. */
CUBE_API void cube_cubies_of(struct cube_cubies *cubies, const struct cube *cube);

/* Writes the 6*size*size colours that the cubies show. All values are in range; apart from that
 * they may be impossible (a piece twice, twists that do not add up): cube_from_colors() reports what
 * is wrong. */
CUBE_API void cube_cubies_paint(const struct cube_cubies *cubies, int size, uint8_t *colors);

/* ---- piece orders ---- */

/* One row each: constant, name in the API, corners, edges; names as their authors write them. */
#define CUBE_PIECE_ORDER_TABLE(X)                                                                  \
	X(CUBE_ORDER_KOCIEMBA, "kociemba", "URF UFL ULB UBR DFR DLF DBL DRB",                      \
	  "UR UF UL UB DR DF DL DB FR FL BL BR")                                                   \
	X(CUBE_ORDER_REID, "reid", "UFR URB UBL ULF DRF DFL DLB DBR",                              \
	  "UF UR UB UL DF DR DB DL FR FL BR BL")                                                   \
	X(CUBE_ORDER_NISSY, "nissy", "UFR UBL DFL DBR UFL UBR DFR DBL",                            \
	  "UF UB DB DF UR UL DL DR FR FL BL BR")                                                   \
	X(CUBE_ORDER_PAVELSAVARA, "pavelsavara", "UBL UBR UFR UFL DBL DBR DFR DFL",                \
	  "UB UR UF UL BL BR FR FL DB DR DF DL")

enum cube_piece_order {
#define CUBE_PIECE_ORDER_ROW(constant, name, corners, edges) constant,
	CUBE_PIECE_ORDER_TABLE(CUBE_PIECE_ORDER_ROW)
#undef CUBE_PIECE_ORDER_ROW
		CUBE_PIECE_ORDERS
};

/* The order's name in the API, and its places: eight, or twelve, names with a space between. */
CUBE_API const char *cube_piece_order_name(enum cube_piece_order order);
CUBE_API const char *cube_piece_order_corners(enum cube_piece_order order);
CUBE_API const char *cube_piece_order_edges(enum cube_piece_order order);
/* Finds an order by its name (not NUL-terminated); false if there is none. */
CUBE_API CUBE_MUST_USE bool cube_piece_order_find(const char *name, size_t length,
						  enum cube_piece_order *order);

/* The same cubies in another order, from Kociemba's and to it. Values are in range. `result` may be
 * `cubies`; centers are copied. */
CUBE_API void cube_cubies_to_order(struct cube_cubies *result, const struct cube_cubies *cubies,
				   enum cube_piece_order order);
CUBE_API void cube_cubies_from_order(struct cube_cubies *result, const struct cube_cubies *cubies,
				     enum cube_piece_order order);

#endif
