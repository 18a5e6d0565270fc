/* core/rotate.h: turning square blocks of 16-bit stickers in place; for turn.c only. */
#ifndef CORE_ROTATE_H
#define CORE_ROTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edge of a tile: as many stickers as fit a 128-bit register, which every x86-64 has. */
#define CUBE_TILE 8

/* Turns an n x n face lying row by row in memory by `quarters` clockwise, -2..2. O(n^2). */
void cube_rotate_face(uint16_t *face, int n, int quarters);

/* Four tiles that do not overlap, each given by its top left sticker, rows `stride` stickers apart.
 * Tile 0 goes to the place of 1, 1 to 2, 2 to 3 and 3 to 0, and each is itself turned a quarter,
 * clockwise or the other way. */
void cube_cycle_tiles(uint16_t *const tile[4], ptrdiff_t stride, bool clockwise);

#endif
