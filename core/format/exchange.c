/* core/format/exchange.c: which two stickers to exchange where every piece is there.
 *
 * If two edges have a colour in common, exchanging the other two stickers is exchanging the edges: (a, b) and
 * (c, b) become (c, b) and (a, b). So if somebody exchanged two stickers of such edges while painting, every
 * piece is still there, but two are swapped. Some 20 such pairs of a cube make it right, and nobody knows
 * which one it was. People who paint a face mix up two stickers of that face, so those come first. */
#include "core/format/format_internal.h"

#include "core/hold.h"

/* As many of the 20 pieces at home say that a cube was put together wrongly, not painted wrongly. */
#define NEARLY_SOLVED 10

/* Two edge stickers, each a place and which of its facelets. */
struct edge_sticker {
	int place, at;
};

/* The edge that shows the colours of a place after one of them was changed; -1 if there is none. */
static int edge_with(const struct orbit_view *edges, struct edge_sticker one, uint8_t color)
{
	uint8_t seen[ORBIT_STICKERS] = {edges->seen[one.place][0], edges->seen[one.place][1]};
	seen[one.at] = color;
	return cube_orbit_find(&edges->orbit, seen);
}

/* Returns true if an exchange of these two swaps their edges, and flips one of them if that is
 * needed. */
static bool is_right(const struct orbit_view *edges, struct edge_sticker a, struct edge_sticker b)
{
	const uint8_t colors[2] = {edges->seen[a.place][a.at], edges->seen[b.place][b.at]};
	if (a.place == b.place || colors[0] == colors[1])
		return false;
	const int first = edge_with(edges, a, colors[1]), second = edge_with(edges, b, colors[0]);
	if (first < 0 || second < 0 || first >> 2 != edges->piece[b.place] ||
	    second >> 2 != edges->piece[a.place])
		return false;
	const int before = edges->turn[a.place] + edges->turn[b.place];
	return (edges->turns + (first & 3) + (second & 3) - before) % 2 == 0;
}

static int pieces_at_home(const struct orbit_view *view, int hold)
{
	const uint8_t *to = cube_hold_table.hold[hold].to;
	int count = 0;
	for (int place = 0; place < view->orbit.count; place++) {
		bool home = true;
		for (int i = 0; i < view->orbit.stickers; i++)
			home &= to[view->seen[place][i]] == view->orbit.face[place][i];
		count += home;
	}
	return count;
}

bool cube_is_nearly_solved(const struct orbit_view *corners, const struct orbit_view *edges,
			   int hold)
{
	return pieces_at_home(corners, hold) + pieces_at_home(edges, hold) >= NEARLY_SOLVED;
}

/* The stickers of the edges in facelet order. */
static void list_stickers(const struct orbit *edges, struct edge_sticker at[24])
{
	for (int i = 0; i < 24; i++) {
		const struct edge_sticker one = {i / 2, i % 2};
		int j = i;
		for (; j > 0 && edges->facelet[at[j - 1].place][at[j - 1].at] >
					edges->facelet[one.place][one.at];
		     j--)
			at[j] = at[j - 1];
		at[j] = one;
	}
}

size_t cube_exchanges(const struct orbit_view *edges, int size, struct fix *fixes, size_t capacity)
{
	const int area = size * size;
	struct edge_sticker at[24];
	size_t found = 0;
	list_stickers(&edges->orbit, at);
	for (int k = 0; k < 2 * 24 * 24; k++) { /* first those of one face */
		const struct edge_sticker one = at[k / 24 % 24], other = at[k % 24];
		const uint16_t a = edges->orbit.facelet[one.place][one.at],
			       b = edges->orbit.facelet[other.place][other.at];
		if (a >= b || (a / area == b / area) != (k < 24 * 24) ||
		    !is_right(edges, one, other))
			continue;
		const uint8_t from = edges->seen[one.place][one.at],
			      to = edges->seen[other.place][other.at];
		if (found < capacity)
			fixes[found] =
				(struct fix){.count = 2, .change = {{a, from, to}, {b, to, from}}};
		found++;
	}
	return found;
}
