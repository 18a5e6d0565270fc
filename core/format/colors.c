/* core/format/colors.c: makes a state of colours; diagnose.c says why if there is none.
 *
 * A piece is known by the colours that it shows in the order of its place's facelets (orbit.h).
 * What turns can reach, orbits of one-coloured centres apart, is given by three sums that no turn
 * changes, rotations of the whole cube among them:
 *   - the twists of the corners, measured at the U and D faces: 0 mod 3;
 *   - the flips of the middle edges: 0 mod 2. A quarter turn of any layer flips four or none;
 *   - the parities of corners, middle edges and middle centres together: even. An outer quarter
 *     turn is odd on corners and edges, a middle one on edges and centres.
 * Wings and the other centres are bound by nothing: centres of one colour can be exchanged. */
#include "cube/cube.h"
#include "cube/facelets.h"

#include <assert.h>
#include <string.h>

#include "core/format/format_internal.h"
#include "core/format/orbit.h"
#include "core/permutation.h"

/* The terms that an orbit adds to the sums. */
struct sums {
	int turns; /* twists or flips */
	bool odd;  /* the permutation's parity */
};

/* Puts the stickers of every piece where its colours are; false if not every piece is there. */
static bool place_pieces(struct cube *cube, const struct orbit *orbit, const uint8_t *colors,
			 struct sums *sums)
{
	uint32_t there = 0;
	int stickers = orbit->stickers;
	for (int place = 0; place < orbit->count; place++) {
		const uint16_t *facelet = orbit->facelet[place];
		uint8_t seen[ORBIT_STICKERS];
		for (int i = 0; i < stickers; i++)
			seen[i] = colors[facelet[i]];
		int found = cube_orbit_find(orbit, seen);
		if (found < 0)
			return false;
		int piece = found >> 2, at = found & 3;
		sums->turns += at;
		for (int i = 0; i < stickers; i++) {
			cube->sticker[facelet[at]] = orbit->facelet[piece][i];
			at = at + 1 < stickers ? at + 1 : 0;
		}
		/* The parity of the inversions: greater pieces in earlier places. */
		sums->odd ^= __builtin_parity(there >> piece);
		there |= UINT32_C(1) << piece;
	}
	return there == (UINT32_C(1) << orbit->count) - 1;
}

static bool place_middles(struct cube *cube, const uint8_t *colors, struct sums *sums)
{
	size_t area = (size_t)cube->size * cube->size;
	uint8_t seen[CUBE_FACES];
	for (size_t face = 0; face < CUBE_FACES; face++) {
		size_t middle = face * area + area / 2;
		seen[face] = colors[middle];
		cube->sticker[middle] = (uint16_t)(seen[face] * area + area / 2);
	}
	if (cube_hold_of_centers(seen) < 0)
		return false;
	sums->odd ^= cube_permutation_is_odd(seen, CUBE_FACES);
	return true;
}

/* The same four places on every face: a colour's stickers are put there in facelet order. */
static bool place_centers(struct cube *cube, const uint8_t *colors, const uint16_t places[4])
{
	size_t area = (size_t)cube->size * cube->size;
	uint8_t taken[CUBE_FACES] = {0};
	for (size_t first = 0; first < CUBE_FACES * area; first += area) {
		for (int i = 0; i < 4; i++) {
			size_t facelet = first + places[i];
			uint8_t color = colors[facelet];
			if (taken[color] == 4)
				return false;
			cube->sticker[facelet] = (uint16_t)(color * area + places[taken[color]++]);
		}
	}
	return true;
}

static bool place_all(struct cube *cube, const uint8_t *colors)
{
	int n = cube->size;
	struct sums corners = {0}, edges = {0}, unbound = {0};
	struct orbit orbit;
	cube_orbit_corners(&orbit, n);
	if (!place_pieces(cube, &orbit, colors, &corners) || corners.turns % 3 != 0)
		return false;
	if (n % 2 != 0) {
		cube_orbit_edges(&orbit, n);
		if (!place_pieces(cube, &orbit, colors, &edges) || edges.turns % 2 != 0 ||
		    !place_middles(cube, colors, &edges) || corners.odd != edges.odd)
			return false;
	}
	for (int column = 1; column < n / 2; column++) {
		cube_orbit_wings(&orbit, n, column);
		if (!place_pieces(cube, &orbit, colors, &unbound))
			return false;
	}
	for (int row = 1; row < n / 2; row++) {
		for (int column = 1; column < (n + 1) / 2; column++) {
			uint16_t places[4];
			cube_center_places(places, n, row, column);
			if (!place_centers(cube, colors, places))
				return false;
		}
	}
	return true;
}

bool cube_place(struct cube *cube, int size, const uint8_t *colors)
{
	assert(cube_size_valid(size));
	memset(cube, 0, sizeof(*cube));
	cube->size = (uint8_t)size;
	return place_all(cube, colors);
}

size_t cube_from_colors(struct cube *cube, int size, const uint8_t *colors,
			struct cube_problem *problems, size_t capacity)
{
	if (cube_place(cube, size, colors))
		return 0;
	struct repair_plan plan;
	const size_t found = cube_diagnose(size, colors, problems, capacity, &plan);
	assert(found > 0);
	return found;
}

bool cube_assemble(struct cube *cube, int size, const uint8_t *colors)
{
	struct sums any = {0};
	struct orbit orbit;
	assert(size == 2 || size == 3);
	memset(cube, 0, sizeof(*cube));
	cube->size = (uint8_t)size;
	cube_orbit_corners(&orbit, size);
	if (!place_pieces(cube, &orbit, colors, &any))
		return false;
	if (size == 2)
		return true;
	cube_orbit_edges(&orbit, size);
	return place_pieces(cube, &orbit, colors, &any) && place_middles(cube, colors, &any);
}
