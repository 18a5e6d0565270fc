/* core/pattern/facts.c: canonical forms, their hash, symmetry, and cycles of pieces. */
#include "cube/facts.h"

#include <assert.h>
#include <string.h>

#include "core/pattern/pattern_internal.h"

/* ---- canonical ---- */

/* Returns true if the state seen in the way `fit` is smaller than `result`, and then writes it
 * there. */
static bool replace_if_smaller(int n, const uint8_t *colors, uint8_t *restrict result,
			       const struct fit_face faces[CUBE_FACES])
{
	bool smaller = false;
	for (int face = 0; face < CUBE_FACES; face++) {
		const uint8_t *row = colors + faces[face].origin;
		for (int i = 0; i < n; i++, row += faces[face].down) {
			const uint8_t *at = row;
			for (int k = 0; k < n; k++, at += faces[face].right, result++) {
				if (!smaller && *at != *result) {
					if (*at > *result)
						return false;
					smaller = true;
				}
				*result = *at;
			}
		}
	}
	return smaller;
}

int cube_canonical(int size, const uint8_t *colors, uint8_t *restrict result)
{
	int best = cube_fit(CUBE_F, 0);
	assert(result != colors);
	memcpy(result, colors, cube_facelets(size));
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		struct fit_face faces[CUBE_FACES];
		fit_faces(faces, size, fit);
		if (replace_if_smaller(size, colors, result, faces))
			best = fit;
	}
	return best;
}

uint64_t cube_colors_hash(int size, const uint8_t *colors)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < cube_facelets(size); i++) {
		hash ^= (uint8_t)cube_face_letters[colors[i]];
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}

/* ---- symmetry ---- */

/* Left and right in a mirror: a face lies on the other one's place, its columns backwards. */
static void mirror(struct fit_face faces[CUBE_FACES], int n)
{
	struct fit_face right = faces[CUBE_R];
	faces[CUBE_R] = faces[CUBE_L];
	faces[CUBE_L] = right;
	for (int face = 0; face < CUBE_FACES; face++) {
		faces[face].origin += (n - 1) * faces[face].right;
		faces[face].right = -faces[face].right;
	}
}

/* Returns true if a single renaming of the colours maps each facelet's colour to that of the
 * facelet where it goes. */
static bool is_renamed(int n, const uint8_t *colors, const struct fit_face faces[CUBE_FACES])
{
	const uint8_t *from = colors;
	int8_t name[CUBE_FACES];
	unsigned taken = 0;
	memset(name, -1, sizeof(name));
	for (int face = 0; face < CUBE_FACES; face++) {
		const uint8_t *row = colors + faces[face].origin;
		for (int i = 0; i < n; i++, row += faces[face].down) {
			const uint8_t *at = row;
			for (int k = 0; k < n; k++, at += faces[face].right, from++) {
				if (name[*from] == *at)
					continue;
				if (name[*from] >= 0 || (taken >> *at & 1))
					return false;
				name[*from] = (int8_t)*at;
				taken |= 1u << *at;
			}
		}
	}
	return true;
}

int cube_symmetry(int size, const uint8_t *colors)
{
	int count = 0;
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		struct fit_face faces[CUBE_FACES];
		fit_faces(faces, size, fit);
		count += is_renamed(size, colors, faces);
		mirror(faces, size);
		count += is_renamed(size, colors, faces);
	}
	return count;
}

/* ---- cycles ---- */

/* `at` is where each place's piece came from: the piece at place i is permutation[i]. */
static size_t cycles_of(const uint8_t *permutation, const uint8_t *turns, uint8_t count,
			uint8_t modulus, struct cube_cycle *cycles)
{
	uint8_t place_of[CUBE_EDGES];
	unsigned seen = 0;
	size_t found = 0;
	for (uint8_t place = 0; place < count; place++)
		place_of[permutation[place]] = place;
	for (uint8_t first = 0; first < count; first++) {
		struct cube_cycle cycle = {0};
		for (uint8_t piece = first; !(seen >> piece & 1); piece = place_of[piece]) {
			seen |= 1u << piece;
			cycle.pieces[cycle.length++] = piece;
			cycle.turn = (uint8_t)((cycle.turn + turns[place_of[piece]]) % modulus);
		}
		if (cycle.length > 1 || cycle.turn != 0)
			cycles[found++] = cycle;
	}
	return found;
}

size_t cube_corner_cycles(const struct cube_cubies *cubies,
			  struct cube_cycle cycles[CUBE_CORNER_CYCLES_MAX])
{
	return cycles_of(cubies->corner_permutation, cubies->corner_orientation, CUBE_CORNERS, 3,
			 cycles);
}

size_t cube_edge_cycles(const struct cube_cubies *cubies,
			struct cube_cycle cycles[CUBE_EDGE_CYCLES_MAX])
{
	return cycles_of(cubies->edge_permutation, cubies->edge_orientation, CUBE_EDGES, 2, cycles);
}
