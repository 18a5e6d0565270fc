/* core/format/repair.c: the fewest facelets to recolour so that an orbit is whole again, and two
 * colours that were taken for each other. */
#include "core/format/format_internal.h"
#include "core/permutation.h"

#include "core/hold.h"

/* A place, and the piece that it is to show, turned by `turn`. */
struct paint {
	int place, piece, turn;
};

/* Adds the changes of painting to a fix; false if they are too many. */
static bool add_paint(struct fix *fix, const struct orbit_view *view, struct paint paint)
{
	const struct orbit *orbit = &view->orbit;
	for (int i = 0; i < orbit->stickers; i++) {
		int at = (i + paint.turn) % orbit->stickers;
		uint8_t from = view->seen[paint.place][at], to = orbit->face[paint.piece][i];
		if (from == to)
			continue;
		if (fix->count == CHANGES_MAX)
			return false;
		fix->change[fix->count++] =
			(struct recolor){orbit->facelet[paint.place][at], from, to};
		fix->faces |= (uint8_t)(1U << orbit->face[paint.place][at]);
	}
	return true;
}

/* A search over the ways to repaint one or two places. */
struct repaint_search {
	const struct orbit_view *view;
	int lost[2], losses; /* pieces that no place shows */
	struct fix *best;
};

/* Returns true if the first of two fixes with as many changes exchanges two stickers of one face,
 * and the other does not: people who paint face after face mix up these. */
static bool is_likelier(const struct fix *fix, const struct fix *best)
{
	const struct recolor *change = fix->change;
	return fix->count == 2 && (fix->faces & (fix->faces - 1)) == 0 &&
	       (best->faces & (best->faces - 1)) != 0 && change[0].from == change[1].to &&
	       change[0].to == change[1].from;
}

static void consider(struct repaint_search *search, const struct paint paint[2])
{
	const struct orbit_view *view = search->view;
	uint8_t permutation[ORBIT_PLACES];
	int turns = 0;
	struct fix fix = {0};
	for (int i = 0; i < search->losses; i++)
		if (!add_paint(&fix, view, paint[i]))
			return;
	for (int place = 0; place < view->orbit.count; place++) {
		permutation[place] = (uint8_t)view->piece[place];
		turns += view->turn[place];
	}
	for (int i = 0; i < search->losses; i++) {
		permutation[paint[i].place] = (uint8_t)paint[i].piece;
		turns += paint[i].turn - view->turn[paint[i].place];
	}
	if (turns % view->orbit.turns != 0)
		return;
	struct fix *best = &search->best[cube_permutation_is_odd(permutation, view->orbit.count)];
	if (best->count < 0 || fix.count < best->count ||
	    (fix.count == best->count && is_likelier(&fix, best)))
		*best = fix;
}

/* Returns true if all places but these two show different pieces. */
static bool others_fit(const struct orbit_view *view, int a, int b)
{
	uint32_t there = 0;
	for (int place = 0; place < view->orbit.count; place++) {
		if (place == a || place == b)
			continue;
		if (view->piece[place] < 0 || view->mirrored >> place & 1 ||
		    there >> view->piece[place] & 1)
			return false;
		there |= UINT32_C(1) << view->piece[place];
	}
	return true;
}

/* Every way to put the lost pieces into places a and b (the same one for one loss). */
static void repaint(struct repaint_search *search, int a, int b)
{
	int turns = search->view->orbit.turns;
	if (!others_fit(search->view, a, b))
		return;
	for (int turn = 0; turn < turns; turn++) {
		struct paint paint[2] = {{a, search->lost[0], turn}};
		if (search->losses == 1)
			consider(search, paint);
		for (int other = 0; other < turns && search->losses == 2; other++) {
			paint[0].piece = search->lost[0];
			paint[1] = (struct paint){b, search->lost[1], other};
			consider(search, paint);
			paint[0].piece = search->lost[1];
			paint[1].piece = search->lost[0];
			consider(search, paint);
		}
	}
}

void cube_fix_pieces(const struct orbit_view *view, struct fix best[2])
{
	struct repaint_search search = {.view = view, .best = best};
	int count = view->orbit.count, places[ORBIT_PLACES], suspects = 0;
	uint8_t shown[ORBIT_PLACES] = {0};
	best[0].count = best[1].count = -1;
	if (view->whole) {
		best[view->odd].count = 0;
		return;
	}
	for (int place = 0; place < count; place++)
		if (view->piece[place] >= 0 && !(view->mirrored >> place & 1))
			shown[view->piece[place]]++;
	for (int piece = 0; piece < count; piece++) {
		if (shown[piece] > 0)
			continue;
		if (search.losses == 2)
			return;
		search.lost[search.losses++] = piece;
	}
	for (int place = 0; place < count; place++) {
		int piece = view->piece[place];
		if (piece < 0 || view->mirrored >> place & 1 || shown[piece] > 1)
			places[suspects++] = place;
	}
	for (int i = 0; i < suspects; i++) {
		if (search.losses == 1)
			repaint(&search, places[i], places[i]);
		for (int j = i + 1; j < suspects && search.losses == 2; j++)
			repaint(&search, places[i], places[j]);
	}
}

void cube_fix_middles(const struct middles *middles, int n, struct fix best[2])
{
	size_t area = (size_t)n * (size_t)n;
	best[0].count = best[1].count = -1;
	if (middles->hold >= 0) {
		best[middles->odd].count = 0;
		return;
	}
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		const uint8_t *to = cube_hold_table.hold[hold].to;
		struct fix fix = {0}, *kept = &best[cube_permutation_is_odd(to, CUBE_FACES)];
		bool few = true;
		for (uint8_t color = 0; color < CUBE_FACES && few; color++) {
			uint8_t seen = middles->seen[to[color]];
			if (seen == color)
				continue;
			few = fix.count < CHANGES_MAX;
			if (few)
				fix.change[fix.count++] = (struct recolor){
					(uint16_t)(to[color] * area + area / 2), seen, color};
		}
		if (few && (kept->count < 0 || fix.count < kept->count))
			*kept = fix;
	}
}

void cube_fix_mirrored(const struct orbit_view *corners, struct fix fixes[8])
{
	int turns = corners->turns; /* a mirrored corner counts as 0 */
	uint32_t left = corners->mirrored;
	for (int place = 0; place < 8; place++) {
		if (!(left >> place & 1))
			continue;
		left &= ~(UINT32_C(1) << place);
		/* Each of the three pairs gives another twist; the last corner makes them add up.
		 */
		for (int kept = 0; kept < 3; kept++) {
			int a = (kept + 1) % 3, b = (kept + 2) % 3;
			const uint8_t *seen = corners->seen[place];
			const uint16_t *facelet = corners->orbit.facelet[place];
			uint8_t turned[3] = {seen[0], seen[1], seen[2]};
			turned[a] = seen[b];
			turned[b] = seen[a];
			int turn = cube_orbit_find(&corners->orbit, turned) & 3;
			if (left == 0 && (turns + turn) % 3 != 0)
				continue;
			turns += turn;
			fixes[place] = (struct fix){.count = 2,
						    .change = {{facelet[a], seen[a], seen[b]},
							       {facelet[b], seen[b], seen[a]}}};
			break;
		}
	}
}

/* ---- colours taken for each other ---- */

/* Adds up an orbit of pieces, each colour read as map[colour]; false if it is not whole. */
static bool add_orbit(const struct orbit *orbit, const uint8_t *colors, const uint8_t *map,
		      int *turns, bool *odd)
{
	uint8_t permutation[ORBIT_PLACES];
	uint32_t there = 0;
	for (int place = 0; place < orbit->count; place++) {
		uint8_t seen[ORBIT_STICKERS];
		for (int i = 0; i < orbit->stickers; i++)
			seen[i] = map[colors[orbit->facelet[place][i]]];
		int found = cube_orbit_find(orbit, seen);
		if (found < 0)
			return false;
		permutation[place] = (uint8_t)(found >> 2);
		there |= UINT32_C(1) << permutation[place];
		*turns += found & 3;
	}
	*odd ^= there == (UINT32_C(1) << orbit->count) - 1 &&
		cube_permutation_is_odd(permutation, orbit->count);
	return there == (UINT32_C(1) << orbit->count) - 1;
}

/* Returns true if the colours read so are a cube; `home`: held with U up and F to the front. */
static bool is_cube(int n, const uint8_t *colors, const uint8_t *map, bool *home)
{
	size_t area = (size_t)n * (size_t)n;
	struct orbit orbit;
	int twists = 0, flips = 0, ignored = 0, hold = -1;
	bool odd = false, unbound = false;
	cube_orbit_corners(&orbit, n);
	if (!add_orbit(&orbit, colors, map, &twists, &odd) || twists % 3 != 0)
		return false;
	if (n % 2 != 0) {
		uint8_t seen[CUBE_FACES];
		for (size_t face = 0; face < CUBE_FACES; face++)
			seen[face] = map[colors[face * area + area / 2]];
		hold = cube_hold_of_centers(seen);
		cube_orbit_edges(&orbit, n);
		if (hold < 0 || !add_orbit(&orbit, colors, map, &flips, &odd) || flips % 2 != 0 ||
		    odd != cube_permutation_is_odd(seen, CUBE_FACES))
			return false;
	}
	for (int column = 1; column < n / 2; column++) {
		cube_orbit_wings(&orbit, n, column);
		if (!add_orbit(&orbit, colors, map, &ignored, &unbound))
			return false;
	}
	*home = hold == 0;
	return true;
}

bool cube_fix_scheme(int size, const uint8_t *colors, uint8_t *a, uint8_t *b)
{
	static const uint8_t pairs[15][2] = {{CUBE_R, CUBE_L}, {CUBE_F, CUBE_B}, {CUBE_U, CUBE_D},
					     {CUBE_U, CUBE_R}, {CUBE_U, CUBE_F}, {CUBE_U, CUBE_L},
					     {CUBE_U, CUBE_B}, {CUBE_R, CUBE_F}, {CUBE_R, CUBE_D},
					     {CUBE_R, CUBE_B}, {CUBE_F, CUBE_D}, {CUBE_F, CUBE_L},
					     {CUBE_D, CUBE_L}, {CUBE_D, CUBE_B}, {CUBE_L, CUBE_B}};
	bool found = false;
	for (int i = 0; i < 15; i++) {
		uint8_t map[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
		bool home;
		map[pairs[i][0]] = pairs[i][1];
		map[pairs[i][1]] = pairs[i][0];
		if (!is_cube(size, colors, map, &home) || (found && !home))
			continue;
		*a = pairs[i][0];
		*b = pairs[i][1];
		found = true;
		if (home)
			break;
	}
	return found;
}
