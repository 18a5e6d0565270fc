/* core/format/orbit.c: where the pieces of a cube lie and what they show. */
#include "core/format/orbit.h"

#include <string.h>

#include "core/hold.h"

enum { U, R, F, D, L, B };

static const uint8_t corners[8][3] = {{U, R, F}, {U, F, L}, {U, L, B}, {U, B, R},
				      {D, F, R}, {D, L, F}, {D, B, L}, {D, R, B}};
static const uint8_t edges[12][2] = {{U, R}, {U, F}, {U, L}, {U, B}, {D, R}, {D, F},
				     {D, L}, {D, B}, {F, R}, {F, L}, {B, L}, {B, R}};

#define CORNER(piece, a, b, c)                                                                     \
	[a][b][c] = 1 + 4 * (piece), [c][a][b] = 2 + 4 * (piece), [b][c][a] = 3 + 4 * (piece)
const uint8_t cube_corner_showing[6][6][6] = {
	CORNER(0, U, R, F), CORNER(1, U, F, L), CORNER(2, U, L, B), CORNER(3, U, B, R),
	CORNER(4, D, F, R), CORNER(5, D, L, F), CORNER(6, D, B, L), CORNER(7, D, R, B),
};

#define EDGE(piece, a, b) [a][b] = 1 + 4 * (piece), [b][a] = 2 + 4 * (piece)
const uint8_t cube_edge_showing[6][6] = {
	EDGE(0, U, R), EDGE(1, U, F), EDGE(2, U, L), EDGE(3, U, B), EDGE(4, D, R),  EDGE(5, D, F),
	EDGE(6, D, L), EDGE(7, D, B), EDGE(8, F, R), EDGE(9, F, L), EDGE(10, B, L), EDGE(11, B, R),
};

/* On which side of a face another one lies: 0 above row 0, 1 right, 2 below, 3 left. */
static const uint8_t side_of[6][6] = {
	[U] = {[B] = 0, [R] = 1, [F] = 2, [L] = 3}, [R] = {[U] = 0, [B] = 1, [D] = 2, [F] = 3},
	[F] = {[U] = 0, [R] = 1, [D] = 2, [L] = 3}, [D] = {[F] = 0, [R] = 1, [B] = 2, [L] = 3},
	[L] = {[U] = 0, [F] = 1, [D] = 2, [B] = 3}, [B] = {[U] = 0, [L] = 1, [D] = 2, [R] = 3},
};

/* Offsets in a face, by side. */
struct border {
	uint16_t first[4], second[4];
};

static void add_edges(struct orbit *orbit, const struct border *border, size_t area, int turns)
{
	int place = 0;
	for (int edge = 0; edge < 12; edge++) {
		for (int turn = 0; turn < turns; turn++, place++) {
			uint8_t a = edges[edge][turn], b = edges[edge][1 - turn];
			orbit->face[place][0] = a;
			orbit->face[place][1] = b;
			orbit->facelet[place][0] =
				(uint16_t)(a * area + border->first[side_of[a][b]]);
			orbit->facelet[place][1] =
				(uint16_t)(b * area + border->second[side_of[b][a]]);
		}
	}
}

/* The wing at UF in `column`: that far from the left on U, looked at with F below; and on F, looked
 * at with U above. Turning the page gives the other sides. */
static struct border border_of(int n, int column)
{
	int end = n - 1, k = column, far = end - column;
	return (struct border){
		.first = {(uint16_t)far, (uint16_t)(far * n + end), (uint16_t)(end * n + k),
			  (uint16_t)(k * n)},
		.second = {(uint16_t)k, (uint16_t)(k * n + end), (uint16_t)(end * n + far),
			   (uint16_t)(far * n)},
	};
}

void cube_orbit_corners(struct orbit *orbit, int n)
{
	size_t area = (size_t)n * (size_t)n;
	/* The corner between a side and the next one clockwise. A corner's name goes clockwise, so
	 * that the second face lies on the first of the two sides. */
	const size_t offset[4] = {(size_t)n - 1, area - 1, area - (size_t)n, 0};
	orbit->count = 8;
	orbit->stickers = orbit->turns = 3;
	for (int place = 0; place < 8; place++) {
		for (int i = 0; i < 3; i++) {
			uint8_t face = corners[place][i], next = corners[place][i < 2 ? i + 1 : 0];
			orbit->face[place][i] = face;
			orbit->facelet[place][i] =
				(uint16_t)(face * area + offset[side_of[face][next]]);
		}
	}
}

void cube_orbit_edges(struct orbit *orbit, int n)
{
	struct border border = border_of(n, n / 2);
	orbit->count = 12;
	orbit->stickers = orbit->turns = 2;
	add_edges(orbit, &border, (size_t)n * (size_t)n, 1);
}

void cube_orbit_wings(struct orbit *orbit, int n, int column)
{
	struct border border = border_of(n, column);
	orbit->count = 24;
	orbit->stickers = 2;
	orbit->turns = 1;
	add_edges(orbit, &border, (size_t)n * (size_t)n, 2);
}

int cube_hold_of_centers(const uint8_t colors[CUBE_FACES])
{
	uint8_t at[CUBE_FACES] = {0};
	unsigned there = 0;
	for (uint8_t face = 0; face < CUBE_FACES; face++) {
		at[colors[face]] = face;
		there |= 1U << colors[face];
	}
	if (there != (1U << CUBE_FACES) - 1)
		return -1;
	int hold = cube_hold_table.of[at[U]][at[F]];
	return hold >= 0 && memcmp(cube_hold_table.hold[hold].to, at, sizeof(at)) == 0 ? hold : -1;
}

void cube_center_places(uint16_t places[4], int n, int row, int column)
{
	int found[4] = {row * n + column, column * n + n - 1 - row, (n - 1 - column) * n + row,
			(n - 1 - row) * n + n - 1 - column};
	for (int i = 0; i < 4; i++) {
		int smaller = 0;
		for (int j = 0; j < 4; j++)
			smaller += found[j] < found[i];
		places[smaller] = (uint16_t)found[i];
	}
}
