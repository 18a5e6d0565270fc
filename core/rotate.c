/* core/rotate.c: turns a face in place, four 8 x 8 tiles at a time.
 *
 * A quarter turn moves the stickers of a face around in fours: (r, c) goes to (c, n-1-r), that to
 * (n-1-r, n-1-c), that to (n-1-c, r). One quadrant holds one place of each four. Tile by tile is
 * many times faster than sticker by sticker, because a tile is turned in registers: a transpose of
 * its rows, taken from the bottom up (clockwise) or put from the bottom up (the other way). */
#include "core/rotate.h"

#include <string.h>

typedef uint16_t tile_row __attribute__((vector_size(2 * CUBE_TILE)));

static inline tile_row load(const uint16_t *from)
{
	tile_row row;
	memcpy(&row, from, sizeof(row));
	return row;
}

static inline void store(uint16_t *to, tile_row row)
{
	memcpy(to, &row, sizeof(row));
}

static inline tile_row low(tile_row a, tile_row b)
{
	return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline tile_row high(tile_row a, tile_row b)
{
	return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/* Interleaves the upper with the lower half. With row and column of a place as one 6-bit number,
 * this rotates its bits by one; three times swaps row and column, which is the transpose. */
static inline void interleave(tile_row to[8], const tile_row from[8])
{
	to[0] = low(from[0], from[4]);
	to[1] = high(from[0], from[4]);
	to[2] = low(from[1], from[5]);
	to[3] = high(from[1], from[5]);
	to[4] = low(from[2], from[6]);
	to[5] = high(from[2], from[6]);
	to[6] = low(from[3], from[7]);
	to[7] = high(from[3], from[7]);
}

/* Reads a tile transposed, its rows taken `step` apart from `from`. */
static inline void load_transposed(tile_row rows[8], const uint16_t *from, ptrdiff_t step)
{
	tile_row a[8] = {load(from),
			 load(from + step),
			 load(from + 2 * step),
			 load(from + 3 * step),
			 load(from + 4 * step),
			 load(from + 5 * step),
			 load(from + 6 * step),
			 load(from + 7 * step)};
	tile_row b[8];
	interleave(b, a);
	interleave(a, b);
	interleave(rows, a);
}

static inline void store_rows(uint16_t *to, ptrdiff_t step, const tile_row rows[8])
{
	store(to, rows[0]);
	store(to + step, rows[1]);
	store(to + 2 * step, rows[2]);
	store(to + 3 * step, rows[3]);
	store(to + 4 * step, rows[4]);
	store(to + 5 * step, rows[5]);
	store(to + 6 * step, rows[6]);
	store(to + 7 * step, rows[7]);
}

void cube_cycle_tiles(uint16_t *const tile[4], ptrdiff_t stride, bool clockwise)
{
	ptrdiff_t bottom = (CUBE_TILE - 1) * stride;
	ptrdiff_t first_read = clockwise ? bottom : 0, read_step = clockwise ? -stride : stride;
	ptrdiff_t first_write = bottom - first_read, write_step = -read_step;
	uint16_t *a = tile[0], *b = tile[1], *c = tile[2], *d = tile[3];
	tile_row even[8], odd[8];

	/* No more than two tiles wait at a time: they fill the 16 registers. */
	load_transposed(even, a + first_read, read_step);
	load_transposed(odd, b + first_read, read_step);
	store_rows(b + first_write, write_step, even);
	load_transposed(even, c + first_read, read_step);
	store_rows(c + first_write, write_step, odd);
	load_transposed(odd, d + first_read, read_step);
	store_rows(d + first_write, write_step, even);
	store_rows(a + first_write, write_step, odd);
}

/* The fours of one row of the quadrant, from column `first` up to `end`, sticker by sticker. */
static void turn_fours(uint16_t *face, ptrdiff_t n, ptrdiff_t row, ptrdiff_t first, ptrdiff_t end,
		       bool clockwise)
{
	uint16_t *top = face + row * n + first;                      /* runs right */
	uint16_t *right = face + first * n + n - 1 - row;            /* runs down */
	uint16_t *bottom = face + (n - 1 - row) * n + n - 1 - first; /* runs left */
	uint16_t *left = face + (n - 1 - first) * n + row;           /* runs up */
	if (!clockwise) {
		uint16_t *swapped = right;
		right = left;
		left = swapped;
	}
	ptrdiff_t right_step = clockwise ? n : -n;
	for (ptrdiff_t i = first; i < end; i++) {
		uint16_t a = *top, b = *right, c = *bottom, d = *left;
		*top++ = d;
		*right = a;
		*bottom-- = b;
		*left = c;
		right += right_step;
		left -= right_step;
	}
}

static void turn_quarter(uint16_t *face, ptrdiff_t n, bool clockwise)
{
	ptrdiff_t height = n / 2, width = (n + 1) / 2;
	ptrdiff_t tiled_height = height - height % CUBE_TILE,
		  tiled_width = width - width % CUBE_TILE;
	for (ptrdiff_t r = 0; r < tiled_height; r += CUBE_TILE) {
		for (ptrdiff_t c = 0; c < tiled_width; c += CUBE_TILE) {
			ptrdiff_t far_r = n - CUBE_TILE - r, far_c = n - CUBE_TILE - c;
			uint16_t *right = face + c * n + far_r, *left = face + far_c * n + r;
			uint16_t *const tile[4] = {face + r * n + c, clockwise ? right : left,
						   face + far_r * n + far_c,
						   clockwise ? left : right};
			cube_cycle_tiles(tile, n, clockwise);
		}
	}
	/* The rest beside the tiles: columns to their right, given as the rows that a quarter turn
	 * makes of them, and the rows below. */
	if (tiled_height != 0)
		for (ptrdiff_t c = tiled_width; c < width; c++)
			turn_fours(face, n, c, n - tiled_height, n, clockwise);
	for (ptrdiff_t r = tiled_height; r < height; r++)
		turn_fours(face, n, r, 0, width, clockwise);
}

/* Swaps within pairs and then the pairs: two instructions each, where a compiler may make ten of
 * one shuffle of eight. */
static inline tile_row reversed(tile_row row)
{
	typedef uint32_t pair_row __attribute__((vector_size(2 * CUBE_TILE)));
	pair_row pairs = (pair_row)row;
	pairs = pairs << 16 | pairs >> 16;
	return (tile_row)__builtin_shufflevector(pairs, pairs, 3, 2, 1, 0);
}

/* Half a turn is the whole face backwards. */
static void turn_half(uint16_t *face, ptrdiff_t n)
{
	uint16_t *front = face, *back = face + n * n;
	while (back - front >= 2 * CUBE_TILE) {
		back -= CUBE_TILE;
		tile_row a = load(front), b = load(back);
		store(front, reversed(b));
		store(back, reversed(a));
		front += CUBE_TILE;
	}
	while (back - front >= 2) {
		uint16_t a = *front;
		*front++ = *--back;
		*back = a;
	}
}

void cube_rotate_face(uint16_t *face, int n, int quarters)
{
	if (quarters % 2 != 0)
		turn_quarter(face, n, quarters == 1);
	else if (quarters != 0)
		turn_half(face, n);
}
