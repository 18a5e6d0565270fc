/* core/batch/paint.c: the colours of many states, place by place, and in registers of sixteen bytes. */
#include "core/batch/batch_internal.h"
#include "core/bytes.h"
#include "core/cubies/cubies_internal.h"

#define AREA 9
#define MIDDLE 4

/* ---- for every processor ---- */

static void paint_one(const uint8_t *piece, uint8_t *colors)
{
	for (int face = 0; face < CUBE_FACES; face++)
		colors[AREA * face + MIDDLE] = (uint8_t)face;
	for (int i = 0; i < CUBE_EDGES; i++) {
		int flip = piece[i] >> CUBE_STATE3_TURN;
		const uint8_t *place = cubies_edge_facelets[i],
			      *home = cubies_edge_facelets[piece[i] & CUBE_STATE3_PIECE];
		colors[place[flip]] = home[0] / AREA;
		colors[place[1 - flip]] = home[1] / AREA;
	}
	for (int i = 0; i < CUBE_CORNERS; i++) {
		uint8_t corner = piece[CUBE_STATE3_CORNERS + i];
		int at = corner >> CUBE_STATE3_TURN;
		const uint8_t *place = cubies_corner_facelets[1][i],
			      *home = cubies_corner_facelets[1][corner & CUBE_STATE3_PIECE];
		for (int j = 0; j < 3; j++) {
			colors[place[at]] = home[j] / AREA;
			at = at == 2 ? 0 : at + 1;
		}
	}
}

static void colors_portable(const struct cube_state3 *states, size_t count, uint8_t *colors)
{
	for (size_t i = 0; i < count; i++)
		paint_one(states[i].piece, colors + CUBE_BATCH_COLORS * i);
}

static const struct paint_code paint_portable = {"portable", colors_portable};

/* ---- in registers ----
 *
 * First the colours of all stickers by place: of edges at the first and the second facelet of each
 * place, of corners at the first and the second (in one register) and at the third. Then four stores
 * write sixteen facelets each, the last two of which overlap. */

#ifdef BYTES_NAME

#define FLIP (1 << CUBE_STATE3_TURN)
#define TWIST (1 << CUBE_STATE3_TURN)
#define STORES 4
#define ___ 0x80 /* no sticker of this register */

static const uint8_t store_from[STORES] = {0, 16, 32, 38};

/* By piece: the colours of the first and the second sticker of each edge. */
static const bytes16 edge_colors[2] = {{0, 0, 0, 0, 3, 3, 3, 3, 2, 2, 5, 5},
				       {1, 2, 4, 5, 1, 2, 4, 5, 1, 4, 4, 1}};
/* By twist of the corner: the colours that its place shows at its first facelet, by corner, and after
 * these at its second facelet. */
static const bytes16 corner_colors[3] = {{0, 0, 0, 0, 3, 3, 3, 3, 1, 2, 4, 5, 2, 4, 5, 1},
					 {2, 4, 5, 1, 1, 2, 4, 5, 0, 0, 0, 0, 3, 3, 3, 3},
					 {1, 2, 4, 5, 2, 4, 5, 1, 2, 4, 5, 1, 1, 2, 4, 5}};
/* The same of the third facelet. */
static const bytes16 third_colors[3] = {
	{2, 4, 5, 1, 1, 2, 4, 5}, {1, 2, 4, 5, 2, 4, 5, 1}, {0, 0, 0, 0, 3, 3, 3, 3}};

/* By register of colours and store: where in it the colour of a facelet is. */
static const bytes16 sticker_at[4][STORES] = {
	{{___, 3, ___, 2, ___, 0, ___, 1, ___, ___, ___, ___, ___, ___, ___, ___},
	 {___, ___, ___, ___, ___, 9, ___, 8, ___, ___, ___, ___, 5, ___, 6, ___},
	 {4, ___, 7, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___},
	 {___, ___, ___, ___, ___, ___, ___, ___, ___, ___, 11, ___, 10, ___, ___, ___}},
	{{___, ___, ___, ___, ___, ___, ___, ___, ___, ___, 0, ___, 8, ___, 11, ___},
	 {4, ___, ___, 1, ___, ___, ___, ___, ___, 5, ___, ___, ___, ___, ___, ___},
	 {___, ___, ___, ___, ___, 2, ___, 10, ___, 9, ___, 6, ___, ___, 3, ___},
	 {___, 10, ___, 9, ___, 6, ___, ___, 3, ___, ___, ___, ___, ___, 7, ___}},
	{{2, ___, 3, ___, ___, ___, 1, ___, 0, 8, ___, ___, ___, ___, ___, ___},
	 {___, 15, 9, ___, ___, ___, ___, ___, ___, ___, 12, 5, ___, 4, ___, ___},
	 {___, 6, ___, 7, 10, ___, ___, ___, ___, ___, ___, ___, 13, 11, ___, ___},
	 {___, ___, ___, ___, ___, ___, 13, 11, ___, ___, ___, ___, ___, ___, ___, 14}},
	{{___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, 3, ___, ___, ___, 4},
	 {___, ___, ___, ___, 0, ___, ___, ___, 5, ___, ___, ___, ___, ___, ___, ___},
	 {___, ___, ___, ___, ___, ___, 1, ___, ___, ___, 6, ___, ___, ___, ___, 2},
	 {1, ___, ___, ___, 6, ___, ___, ___, ___, 2, ___, ___, ___, 7, ___, ___}}};
static const bytes16 middles[STORES] = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0},
					{0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3},
					{0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0},
					{0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0}};

/* Chooses for each corner among tables by its twist. */
BYTES_CODE static inline bytes16 by_twist(const bytes16 table[3], bytes16 corner, bytes16 twist)
{
	return (bytes_at(table[0], corner) & (bytes16)(twist == 0)) |
	       (bytes_at(table[1], corner) & (bytes16)(twist == TWIST)) |
	       (bytes_at(table[2], corner) & (bytes16)(twist == 2 * TWIST));
}

BYTES_CODE static void colors_vector(const struct cube_state3 *states, size_t count,
				     uint8_t *colors)
{
	const bytes16 twice = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
	const bytes16 second = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
	for (size_t i = 0; i < count; i++, colors += CUBE_BATCH_COLORS) {
		bytes16 edges = bytes_load(states[i].piece), edge = edges & CUBE_STATE3_PIECE;
		bytes16 flipped = (bytes16)((edges & FLIP) == FLIP), seen[4];
		seen[0] = bytes_at(edge_colors[0], edge);
		seen[1] = bytes_at(edge_colors[1], edge);
		bytes16 changed = (seen[0] ^ seen[1]) & flipped;
		seen[0] ^= changed;
		seen[1] ^= changed;
		bytes16 corners =
			bytes_at(bytes_load(states[i].piece + CUBE_STATE3_CORNERS), twice);
		bytes16 corner = corners & CUBE_STATE3_PIECE, twist = corners ^ corner;
		seen[2] = by_twist(corner_colors, corner | second, twist);
		seen[3] = by_twist(third_colors, corner, twist);
		for (int k = 0; k < STORES; k++) {
			bytes16 out = middles[k];
			for (int j = 0; j < 4; j++)
				out |= bytes_at(seen[j], sticker_at[j][k]);
			bytes_store(colors + store_from[k], out);
		}
	}
}

static const struct paint_code paint_vector = {BYTES_NAME, colors_vector};

#endif

/* ---- which code ---- */

const struct paint_code *paint_code(size_t index)
{
#ifdef BYTES_NAME
	if (bytes_here() && index-- == 0)
		return &paint_vector;
#endif
	return index == 0 ? &paint_portable : NULL;
}

void cube_batch_colors(const struct cube_state3 *states, size_t count, uint8_t *colors)
{
	paint_code(0)->colors(states, count, colors);
}
