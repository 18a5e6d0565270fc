/* draw_internal.h: what the files that draw a screen share. */
#ifndef TERMINAL_PLAY_DRAW_INTERNAL_H
#define TERMINAL_PLAY_DRAW_INTERNAL_H

#include "clients/terminal/play/screen.h"

/* ---- draw.c ---- */

/* Writes a text from `row` on, in lines of at most `columns`; each takes its whole row. `screen` may be
 * NULL. Returns how many rows it takes. */
int play_put_lines(struct play_screen *screen, int row, int columns, const char *text);

/* ---- draw_cube.c ---- */

/* Puts a character on the screen; nothing if it is outside. */
void play_put(struct play_screen *screen, int row, int column, char letter, uint8_t color);

/* Draws the cube in `rows` rows from `top` on, as large as it fits: in an oblique view if that is
 * wanted and fits, else unfolded, else U, F and R alone; else it writes how much room the cube needs. */
void play_draw_cube(struct play_screen *screen, int top, int rows, const struct cube *cube,
		    bool oblique);

#endif
