/* core/format/misread.c: faces that were read turned, or in the place of another face.
 *
 * Somebody types or scans a face after another, and holds one of them the wrong way round. Its colours are
 * all right, but no cube has them there. Every way to turn the faces back is tried, 4^6 of them. If none
 * leads to a cube, the faces are tried in other orders: in the 24 of the 720 that the middle centres
 * allow, again with all turnings, and on even sizes in all 720, with no face turned. Faces are turned one after the other, and each corner is looked at as soon as its three
 * faces are; so nearly all ways end at the second corner. Turns of faces and their orders leave each
 * orbit of centres as it is, so only corners, edges and wings are looked at.
 *
 * Random colours are a cube in one of some 10^7 arrangements (2x2x2) or far fewer, so that of all these ways
 * only the right one leads to a cube, unless the cube is nearly solved. */
#include "core/format/format_internal.h"

#include <string.h>

#include "core/hold.h"
#include "core/permutation.h"

struct faces_search {
	int n;
	const uint8_t *colors;
	struct orbit corners;
	uint8_t ring[CUBE_FACES][4];              /* colours of a face's corners, clockwise */
	uint8_t at[ORBIT_PLACES][ORBIT_STICKERS]; /* index in the ring of a place's facelets */
	struct face_reading now;
	bool turning; /* faces may be turned */
	struct face_readings *found;
};

static const struct face_reading as_sent = {.from = {0, 1, 2, 3, 4, 5}};

/* The colour that a facelet shows in this reading. */
static uint8_t color_at(const struct faces_search *search, const struct face_reading *reading,
			size_t facelet)
{
	const int n = search->n, area = n * n;
	const int face = (int)facelet / area;
	int row = (int)facelet % area / n, column = (int)facelet % n;
	for (int i = reading->turn[face]; i > 0; i--) {
		const int before = row;
		row = n - 1 - column;
		column = before;
	}
	return search->colors[reading->from[face] * area + row * n + column];
}

/* Adds up an orbit as it is read; false if not every piece is there. */
static bool add_pieces(const struct faces_search *search, const struct orbit *orbit, int *turns,
		       bool *odd)
{
	uint8_t permutation[ORBIT_PLACES];
	uint32_t there = 0;
	for (int place = 0; place < orbit->count; place++) {
		uint8_t seen[ORBIT_STICKERS];
		for (int i = 0; i < orbit->stickers; i++)
			seen[i] = color_at(search, &search->now, orbit->facelet[place][i]);
		const int found = cube_orbit_find(orbit, seen);
		if (found < 0 || there >> (found >> 2) & 1)
			return false;
		permutation[place] = (uint8_t)(found >> 2);
		there |= UINT32_C(1) << permutation[place];
		*turns += found & 3;
	}
	*odd ^= cube_permutation_is_odd(permutation, orbit->count);
	return true;
}

/* Returns true if the facelets are a cube, apart from the centres beside the middle. */
static bool is_cube(const struct faces_search *search)
{
	const int n = search->n;
	const size_t area = (size_t)n * (size_t)n;
	struct orbit orbit;
	int twists = 0, flips = 0, ignored = 0;
	bool odd = false, unbound = false;
	if (!add_pieces(search, &search->corners, &twists, &odd) || twists % 3 != 0)
		return false;
	if (n % 2 != 0) {
		uint8_t seen[CUBE_FACES];
		for (size_t face = 0; face < CUBE_FACES; face++)
			seen[face] = search->colors[search->now.from[face] * area + area / 2];
		cube_orbit_edges(&orbit, n);
		if (!add_pieces(search, &orbit, &flips, &odd) || flips % 2 != 0 ||
		    odd != cube_permutation_is_odd(seen, CUBE_FACES))
			return false;
	}
	for (int column = 1; column < n / 2; column++) {
		cube_orbit_wings(&orbit, n, column);
		if (!add_pieces(search, &orbit, &ignored, &unbound))
			return false;
	}
	return true;
}

/* Returns how many facelets differ in two readings, counted up to `most`. None may: of a face in
 * one colour, nobody sees that it is turned. */
static int differences(const struct faces_search *search, const struct face_reading *a,
		       const struct face_reading *b, int most)
{
	int count = 0;
	for (size_t i = 0; i < cube_facelets(search->n) && count < most; i++)
		count += color_at(search, a, i) != color_at(search, b, i);
	return count;
}

/* Keeps a reading that is a cube, if no other one changes fewer faces. */
static void keep(struct faces_search *search, int changed)
{
	struct face_readings *found = search->found;
	if (changed < found->changed) {
		found->changed = changed;
		found->count = 0;
	}
	for (int i = 0; i < found->count; i++)
		if (differences(search, &found->reading[i], &search->now, 1) == 0)
			return;
	if (found->count == 0)
		found->stickers = differences(search, &as_sent, &search->now, 3);
	if (found->count < FACE_READINGS)
		found->reading[found->count++] = search->now;
}

/* Returns true if the corners whose last face is this one, in facelet order, are corners of a
 * cube. */
static bool corners_fit(const struct faces_search *search, int face)
{
	for (int place = 0; place < search->corners.count; place++) {
		const uint8_t *faces = search->corners.face[place];
		uint8_t seen[ORBIT_STICKERS];
		int last = 0;
		for (int i = 0; i < 3; i++) {
			const int turned = search->at[place][i] - search->now.turn[faces[i]];
			last = faces[i] > last ? faces[i] : last;
			seen[i] = search->ring[search->now.from[faces[i]]][turned & 3];
		}
		if (last == face && cube_orbit_find(&search->corners, seen) < 0)
			return false;
	}
	return true;
}

/* Turns the faces from this one on; `changed` are those before it that are not as they were sent. */
static void turn_faces(struct faces_search *search, int face, int changed)
{
	if (face == CUBE_FACES) {
		if (changed > 0 && is_cube(search))
			keep(search, changed);
		return;
	}
	for (int turn = 0; turn < (search->turning ? 4 : 1); turn++) {
		const int more = changed + (turn > 0 || search->now.from[face] != face);
		search->now.turn[face] = (uint8_t)turn;
		if (more <= search->found->changed && corners_fit(search, face))
			turn_faces(search, face + 1, more);
	}
}

/* The orders that the middle centres allow, one for each way to hold the cube. */
static void try_held_orders(struct faces_search *search)
{
	const size_t area = (size_t)search->n * (size_t)search->n;
	uint8_t where[CUBE_FACES];
	unsigned there = 0;
	for (uint8_t face = 0; face < CUBE_FACES; face++) {
		const uint8_t color = search->colors[face * area + area / 2];
		where[color] = face;
		there |= 1U << color;
	}
	if (there != (1U << CUBE_FACES) - 1)
		return;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		for (int color = 0; color < CUBE_FACES; color++)
			search->now.from[cube_hold_table.hold[hold].to[color]] = where[color];
		turn_faces(search, 0, 0);
	}
}

/* All orders but the first, which is the one that was sent. */
static void try_all_orders(struct faces_search *search)
{
	search->turning = false;
	for (int order = 1; order < 720; order++) {
		uint8_t left[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
		for (int i = 0, rest = order; i < CUBE_FACES; rest /= CUBE_FACES - i, i++) {
			const int pick = rest % (CUBE_FACES - i);
			search->now.from[i] = left[pick];
			memmove(left + pick, left + pick + 1, (size_t)(CUBE_FACES - 1 - pick));
		}
		turn_faces(search, 0, 0);
	}
}

/* Returns true if the middle centres, in the order that was sent, are those of a cube. */
static bool may_stay(const struct faces_search *search)
{
	const size_t area = (size_t)search->n * (size_t)search->n;
	uint8_t seen[CUBE_FACES];
	for (size_t face = 0; face < CUBE_FACES; face++)
		seen[face] = search->colors[face * area + area / 2];
	return search->n % 2 == 0 || cube_hold_of_centers(seen) >= 0;
}

void cube_misread_faces(int size, const uint8_t *colors, struct face_readings *found)
{
	const size_t n = (size_t)size, area = n * n;
	const size_t offset[4] = {0, n - 1, area - 1, area - n};
	struct faces_search search = {
		.n = size, .colors = colors, .now = as_sent, .turning = true, .found = found};
	*found = (struct face_readings){.changed = CUBE_FACES};
	cube_orbit_corners(&search.corners, size);
	for (int face = 0; face < CUBE_FACES; face++)
		for (int i = 0; i < 4; i++)
			search.ring[face][i] = colors[(size_t)face * area + offset[i]];
	for (int place = 0; place < search.corners.count; place++)
		for (int i = 0; i < 3; i++)
			for (uint8_t at = 0; at < 4; at++)
				if (search.corners.facelet[place][i] % area == offset[at])
					search.at[place][i] = at;
	if (may_stay(&search))
		turn_faces(&search, 0, 0);
	if (found->count > 0)
		return;
	if (size % 2 != 0)
		try_held_orders(&search);
	else
		try_all_orders(&search);
}

int cube_reading_steps(const struct face_reading *reading, struct face_step steps[])
{
	uint8_t at[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
	int count = 0;
	for (uint8_t face = 0; face < CUBE_FACES; face++) {
		uint8_t other = face;
		while (at[other] != reading->from[face])
			other++;
		if (other == face)
			continue;
		at[other] = at[face];
		at[face] = reading->from[face];
		steps[count++] = (struct face_step){.face = face, .other = other};
	}
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		if (reading->turn[face] > 0)
			steps[count++] = (struct face_step){face, face, reading->turn[face]};
	return count;
}
