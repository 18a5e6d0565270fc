/* core/format/view.c: what the places of an orbit show. */
#include "core/format/format_internal.h"

#include "core/permutation.h"

static void see_place(struct orbit_view *view, int place, const uint8_t *colors)
{
	const struct orbit *orbit = &view->orbit;
	uint8_t *seen = view->seen[place];
	for (int i = 0; i < orbit->stickers; i++)
		seen[i] = colors[orbit->facelet[place][i]];
	int found = cube_orbit_find(orbit, seen);
	view->piece[place] = (int8_t)(found < 0 ? -1 : found >> 2);
	view->turn[place] = (uint8_t)(found < 0 ? 0 : found & 3);
	if (found >= 0 || orbit->stickers < 3)
		return;
	const uint8_t mirror[3] = {seen[2], seen[1], seen[0]};
	found = cube_orbit_find(orbit, mirror);
	if (found >= 0) {
		view->piece[place] = (int8_t)(found >> 2);
		view->mirrored |= UINT32_C(1) << place;
	}
}

void cube_view_orbit(struct orbit_view *view, const uint8_t *colors)
{
	uint32_t there = 0;
	view->mirrored = 0;
	view->known = true;
	view->turns = 0;
	for (int place = 0; place < view->orbit.count; place++) {
		see_place(view, place, colors);
		view->turns += view->turn[place];
		if (view->piece[place] < 0)
			view->known = false;
		else
			there |= UINT32_C(1) << view->piece[place];
	}
	view->known = view->known && there == (UINT32_C(1) << view->orbit.count) - 1;
	view->whole = view->known && view->mirrored == 0;
	view->turns %= view->orbit.turns;
	uint8_t permutation[ORBIT_PLACES] = {0};
	for (int place = 0; place < view->orbit.count; place++)
		permutation[place] = (uint8_t)view->piece[place];
	view->odd = view->known && cube_permutation_is_odd(permutation, view->orbit.count);
}
