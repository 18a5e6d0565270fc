/* core/format/suspect.c: which piece to name where every piece is there, but twists, flips or the
 * parity do not add up. Any choice can be repaired; these pick what a person would see. */
#include "core/format/format_internal.h"

#include "core/hold.h"

/* Opposite faces, and opposite colours, have one axis. */
static int axis_of(int face)
{
	return face % 3;
}

/* Clockwise steps from the place's facelet on one axis to the colour of an axis. */
static int twist_of(const struct orbit_view *corners, int place, int place_axis, int color_axis)
{
	int from = 0, to = 0;
	while (axis_of(corners->orbit.face[place][from]) != place_axis)
		from++;
	while (axis_of(corners->seen[place][to]) != color_axis)
		to++;
	return (to - from + 3) % 3;
}

int cube_twisted_corner(const struct orbit_view *corners, int amount)
{
	int fewest = 9, named = 0;
	for (int measure = 0; measure < 9; measure++) {
		int twisted = 0, first = -1, fitting = -1;
		for (int place = 0; place < 8; place++) {
			int twist = twist_of(corners, place, measure / 3, measure % 3);
			twisted += twist != 0;
			if (twist != 0 && first < 0)
				first = place;
			if (twist == amount && fitting < 0)
				fitting = place;
		}
		if (twisted < fewest) {
			fewest = twisted;
			named = fitting >= 0 ? fitting : first;
		}
	}
	return named;
}

/* The orders of the axes, the usual one first: U and D, then F and B, then R and L. The place of an
 * axis in the order. */
static const uint8_t rank_of[6][3] = {
	{0, 2, 1}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0},
};

/* Returns true if the sticker of the higher axis is off the facelet of the higher axis. */
static bool is_flipped(const struct orbit_view *edges, int place, const uint8_t *places,
		       const uint8_t *colors)
{
	const uint8_t *face = edges->orbit.face[place], *seen = edges->seen[place];
	bool second_place = places[axis_of(face[1])] < places[axis_of(face[0])];
	bool second_color = colors[axis_of(seen[1])] < colors[axis_of(seen[0])];
	return second_place != second_color;
}

int cube_flipped_edge(const struct orbit_view *edges)
{
	int fewest = 13, named = 0;
	for (int measure = 0; measure < 36; measure++) {
		int flipped = 0, first = -1;
		for (int place = 0; place < 12; place++) {
			if (!is_flipped(edges, place, rank_of[measure / 6], rank_of[measure % 6]))
				continue;
			flipped++;
			if (first < 0)
				first = place;
		}
		if (flipped < fewest) {
			fewest = flipped;
			named = first;
		}
	}
	return named;
}

/* Returns where the piece at `place` belongs: the place, and in *shift how far on each facelet's
 * colour is there. */
static int home_of(const struct orbit_view *view, int place, const uint8_t *to, int *shift)
{
	const struct orbit *orbit = &view->orbit;
	uint8_t faces[ORBIT_STICKERS];
	/* Its colours in the order of its name: a mirrored piece shows them otherwise. */
	for (int i = 0; i < orbit->stickers; i++)
		faces[i] = to[orbit->face[view->piece[place]][i]];
	int found = cube_orbit_find(orbit, faces);
	/* Colour i is at facelet i + turn, and belongs to facelet i - found's turn of its home. */
	*shift = (2 * orbit->stickers - (found & 3) - view->turn[place]) % orbit->stickers;
	return found >> 2;
}

/* Looks for two that are in each other's home; `right`: and not turned then. */
static bool find_exchange(const struct orbit_view *view, const uint8_t *to, bool right,
			  struct swap *swap)
{
	for (int a = 0; a < view->orbit.count; a++) {
		int shift, back, b = home_of(view, a, to, &shift);
		if (b <= a || home_of(view, b, to, &back) != a)
			continue;
		if (right && (shift + back) % view->orbit.stickers != 0)
			continue;
		*swap = (struct swap){view, a, b, shift, right};
		return true;
	}
	return false;
}

static bool find_stray(const struct orbit_view *view, const uint8_t *to, struct swap *swap)
{
	for (int a = 0; a < view->orbit.count; a++) {
		int shift, b = home_of(view, a, to, &shift);
		if (b == a)
			continue;
		*swap = (struct swap){.view = view, .a = a, .b = b, .shift = shift};
		return true;
	}
	return false;
}

struct swap cube_swapped_pieces(const struct orbit_view *corners, const struct orbit_view *edges,
				int hold)
{
	const uint8_t *to = cube_hold_table.hold[hold].to;
	struct swap swap = {0};
	if (find_exchange(edges, to, true, &swap) || find_exchange(corners, to, true, &swap) ||
	    find_exchange(edges, to, false, &swap) || find_exchange(corners, to, false, &swap) ||
	    find_stray(edges, to, &swap) || find_stray(corners, to, &swap))
		return swap;
	return swap; /* all are at home: not with an odd parity */
}
