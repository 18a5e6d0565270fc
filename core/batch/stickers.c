/* core/batch/stickers.c: many states as permutations of the stickers. */
#include <string.h>

#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"

/* Every sticker in its place, which those of the centres keep. */
static const uint8_t home[CUBE_BATCH_COLORS] = {
	0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
	18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
	36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
};

void place_corners(const struct cube_state3 *state, const uint8_t (*facelets)[3], uint8_t *stickers)
{
	const uint8_t *piece = state->piece + CUBE_STATE3_CORNERS;
	for (int i = 0; i < CUBE_CORNERS; i++) {
		const uint8_t *from = facelets[piece[i] & CUBE_STATE3_PIECE];
		int at = piece[i] >> CUBE_STATE3_TURN;
		for (int j = 0; j < 3; j++) {
			stickers[facelets[i][at]] = from[j];
			at = at == 2 ? 0 : at + 1;
		}
	}
}

static void place_edges(const uint8_t *piece, uint8_t *stickers)
{
	for (int i = 0; i < CUBE_EDGES; i++) {
		const uint8_t *from = cubies_edge_facelets[piece[i] & CUBE_STATE3_PIECE];
		const int flip = piece[i] >> CUBE_STATE3_TURN;
		stickers[cubies_edge_facelets[i][flip]] = from[0];
		stickers[cubies_edge_facelets[i][1 - flip]] = from[1];
	}
}

void cube_batch_stickers(const struct cube_state3 *states, size_t count, uint8_t *stickers)
{
	for (size_t i = 0; i < count; i++, stickers += CUBE_BATCH_COLORS) {
		memcpy(stickers, home, sizeof(home));
		place_corners(&states[i], cubies_corner_facelets[1], stickers);
		place_edges(states[i].piece, stickers);
	}
}
