/* core/cubies/orders.c: other orders of the pieces: places and pieces renumbered alike. */
#include "cube/cubies.h"

#include <assert.h>
#include <string.h>

#include "core/name.h"

static const struct {
	const char *name, *corners, *edges;
} orders[CUBE_PIECE_ORDERS] = {
#define CUBE_PIECE_ORDER_ROW(constant, name, corners, edges) [constant] = {name, corners, edges},
	CUBE_PIECE_ORDER_TABLE(CUBE_PIECE_ORDER_ROW)
#undef CUBE_PIECE_ORDER_ROW
};

/* Kociemba's number of each piece; that the names say the same is tested. */
static const struct numbers {
	uint8_t corner[CUBE_CORNERS], edge[CUBE_EDGES];
} numbers[CUBE_PIECE_ORDERS] = {
	[CUBE_ORDER_KOCIEMBA] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
	[CUBE_ORDER_REID] = {{0, 3, 2, 1, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6, 8, 9, 11, 10}},
	[CUBE_ORDER_NISSY] = {{0, 2, 5, 7, 1, 3, 4, 6}, {1, 3, 7, 5, 0, 2, 6, 4, 8, 9, 10, 11}},
	[CUBE_ORDER_PAVELSAVARA] = {{2, 3, 0, 1, 6, 7, 4, 5},
				    {3, 0, 1, 2, 10, 11, 8, 9, 7, 4, 5, 6}},
};

const char *cube_piece_order_name(enum cube_piece_order order)
{
	return orders[order].name;
}

const char *cube_piece_order_corners(enum cube_piece_order order)
{
	return orders[order].corners;
}

const char *cube_piece_order_edges(enum cube_piece_order order)
{
	return orders[order].edges;
}

bool cube_piece_order_find(const char *name, size_t length, enum cube_piece_order *order)
{
	int i = name_find(&orders[0].name, sizeof(orders[0]), CUBE_PIECE_ORDERS, name, length);
	if (i >= 0)
		*order = (enum cube_piece_order)i;
	return i >= 0;
}

static void to_order(uint8_t *pieces, uint8_t *turns, const uint8_t *from_pieces,
		     const uint8_t *from_turns, const uint8_t *kociemba, int count)
{
	uint8_t own[CUBE_EDGES];
	for (uint8_t i = 0; i < count; i++)
		own[kociemba[i]] = i;
	for (int i = 0; i < count; i++) {
		assert(from_pieces[kociemba[i]] < count);
		pieces[i] = own[from_pieces[kociemba[i]]];
		turns[i] = from_turns[kociemba[i]];
	}
}

static void from_order(uint8_t *pieces, uint8_t *turns, const uint8_t *from_pieces,
		       const uint8_t *from_turns, const uint8_t *kociemba, int count)
{
	for (int i = 0; i < count; i++) {
		assert(from_pieces[i] < count);
		pieces[kociemba[i]] = kociemba[from_pieces[i]];
		turns[kociemba[i]] = from_turns[i];
	}
}

void cube_cubies_to_order(struct cube_cubies *result, const struct cube_cubies *cubies,
			  enum cube_piece_order order)
{
	struct cube_cubies from = *cubies;
	to_order(result->corner_permutation, result->corner_orientation, from.corner_permutation,
		 from.corner_orientation, numbers[order].corner, CUBE_CORNERS);
	to_order(result->edge_permutation, result->edge_orientation, from.edge_permutation,
		 from.edge_orientation, numbers[order].edge, CUBE_EDGES);
	memcpy(result->centers, from.centers, sizeof(from.centers));
}

void cube_cubies_from_order(struct cube_cubies *result, const struct cube_cubies *cubies,
			    enum cube_piece_order order)
{
	struct cube_cubies from = *cubies;
	from_order(result->corner_permutation, result->corner_orientation, from.corner_permutation,
		   from.corner_orientation, numbers[order].corner, CUBE_CORNERS);
	from_order(result->edge_permutation, result->edge_orientation, from.edge_permutation,
		   from.edge_orientation, numbers[order].edge, CUBE_EDGES);
	memcpy(result->centers, from.centers, sizeof(from.centers));
}
