/* core/solve/beginner/large_slots.c: the edges of a larger cube as pieces in places, turned without the rest of it. */
#include "core/solve/beginner/large_slots.h"
#include "cube/cube.h"

#include <assert.h>

/* The sides of each edge with the line of cells that it has there: the row 0, the last column, the last row, the
 * column 0; of the second side, whether they run the other way. In the order of struct cube_state3. */
static const struct slot {
	uint8_t side, line, side2, line2, back;
} slots[LARGE_SLOTS] = {
	{CUBE_U, 1, CUBE_R, 0, 1}, {CUBE_U, 2, CUBE_F, 0, 0}, {CUBE_U, 3, CUBE_L, 0, 0},
	{CUBE_U, 0, CUBE_B, 0, 1}, {CUBE_D, 1, CUBE_R, 2, 0}, {CUBE_D, 0, CUBE_F, 2, 0},
	{CUBE_D, 3, CUBE_L, 2, 1}, {CUBE_D, 2, CUBE_B, 2, 1}, {CUBE_F, 1, CUBE_R, 3, 0},
	{CUBE_F, 3, CUBE_L, 1, 0}, {CUBE_B, 1, CUBE_L, 3, 0}, {CUBE_B, 3, CUBE_R, 1, 0}};

#define ENDS 100 /* the value of an edge of an even size whose two ends are one pair */

/* ---- the edges as they are ---- */

static size_t line_facelet(int size, int side, int line, int i)
{
	const int last = size - 1;
	const int row = line == 0 ? 0 : line == 2 ? last : i;
	const int column = line == 3 ? 0 : line == 1 ? last : i;
	return (size_t)((side * size + row) * size + column);
}

void large_edge_facelets(int size, int slot, int cell, size_t facelets[2])
{
	const struct slot *at = &slots[slot];
	const int i = cell + 1;
	facelets[0] = line_facelet(size, at->side, at->line, i);
	facelets[1] = line_facelet(size, at->side2, at->line2, at->back ? size - 1 - i : i);
}

uint8_t edge_over(uint8_t cell)
{
	return (uint8_t)((cell & 7) << 3 | cell >> 3);
}

void edges_read(const struct cube *cube, struct edges *edges)
{
	for (int slot = 0; slot < LARGE_SLOTS; slot++)
		for (int cell = 0; cell < cube->size - 2; cell++) {
			size_t at[2];
			large_edge_facelets(cube->size, slot, cell, at);
			edges->cell[slot][cell] = (uint8_t)(cube_color_at(cube, at[0]) << 3 |
							    cube_color_at(cube, at[1]));
		}
}

/* Finds the edge that a facelet belongs to, the cell of the edge, and its side. */
void edges_find(int size, size_t facelet, int *slot, int *cell, int *side)
{
	for (*slot = 0; *slot < LARGE_SLOTS; ++*slot)
		for (*cell = 0; *cell < size - 2; ++*cell) {
			size_t at[2];
			large_edge_facelets(size, *slot, *cell, at);
			for (*side = 0; *side < 2; ++*side)
				if (at[*side] == facelet)
					return;
		}
	assert(false);
}

void large_edges_init(struct large *large)
{
	for (int move = 0; move < 18; move++) {
		union large_cube turned;
		cube_init(&turned.cube, large->size);
		cube_turn(&turned.cube, cube_turn_make(large->size, move / 3, 1, 1, move % 3 + 1));
		for (int slot = 0; slot < LARGE_SLOTS; slot++) {
			size_t at[2];
			int from, cell, side;
			large_edge_facelets(large->size, slot, 0, at);
			edges_find(large->size, turned.cube.sticker[at[0]], &from, &cell, &side);
			large->from[move][slot] = (uint8_t)from;
			large->end[move][slot] = cell != 0;
			large->over[move][slot] = (uint8_t)side;
		}
	}
}

void edges_move(const struct large *large, struct edges *edges, int move)
{
	const struct edges before = *edges;
	for (int slot = 0; slot < LARGE_SLOTS; slot++) {
		const int from = large->from[move][slot];
		if (from == slot)
			continue;
		for (int i = 0; i < large->cells; i++) {
			const uint8_t cell =
				before.cell[from]
					   [large->end[move][slot] ? large->cells - 1 - i : i];
			edges->cell[slot][i] = large->over[move][slot] ? edge_over(cell) : cell;
		}
	}
}

/* Rows of the sides to the left, or back. */
void edges_turn_rows(struct edges *edges, int a, int b, bool back)
{
	static const uint8_t ring[] = {SLOT_FR, SLOT_FL, SLOT_BL, SLOT_BR};
	for (int row = a; row <= b; row++) {
		uint8_t was[4];
		for (int i = 0; i < 4; i++)
			was[i] = edge_over(edges->cell[ring[i]][row]);
		for (int i = 0; i < 4; i++)
			edges->cell[ring[(i + (back ? 3 : 1)) % 4]][row] = was[i];
	}
}

/* ---- how far they are ---- */

/* Returns how many cells are one edge with the middle or the ends. */
int edge_together(const uint8_t *cell, int cells)
{
	int count = 0;
	const uint8_t with = cell[cells % 2 != 0 ? cells / 2 : 0];
	for (int i = 0; i < cells; i++)
		count += cell[i] == with;
	return count;
}

int edge_worth(const uint8_t *cell, int cells)
{
	if (cells % 2 != 0)
		return edge_together(cell, cells);
	return cell[0] == cell[cells - 1] ? ENDS + edge_together(cell, cells) : 0;
}

int edges_worth(const struct edges *edges, int cells)
{
	int sum = 0;
	for (int slot = 0; slot < LARGE_SLOTS; slot++)
		sum += edge_worth(edges->cell[slot], cells);
	return sum;
}

int edges_paired(const struct edges *edges, int cells)
{
	int count = 0;
	for (int slot = 0; slot < LARGE_SLOTS; slot++)
		count += edge_together(edges->cell[slot], cells) == cells;
	return count;
}
