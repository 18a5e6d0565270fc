/* screen.h: what `cubed play` shows, as characters in a grid, and the bytes that put them on a
 * terminal. All text is ASCII. */
#ifndef TERMINAL_PLAY_SCREEN_H
#define TERMINAL_PLAY_SCREEN_H

#include "clients/terminal/play/game.h"
#include "server/util/buffer.h"
#include "server/util/term_style.h"

#define PLAY_PLAIN 6 /* the colour of text; 0..5 are those of stickers */

struct play_cell {
	char letter;
	uint8_t color;
};

struct play_screen {
	int rows, columns; /* at least 1 */
	struct play_cell *cells;
};

/* An empty screen. False if out of memory. `screen` may be in use: its memory is freed. */
MUST_USE bool play_screen_resize(struct play_screen *screen, int rows, int columns);
void play_screen_free(struct play_screen *screen);

/* Draws all of it. */
void play_draw(struct play_screen *screen, const struct play *play, int64_t now_ms);

/* Adds the bytes that show the screen; for TERM_DUMB, its lines without the empty ones. */
void play_screen_print(const struct play_screen *screen, enum term_style style, struct buffer *out);

#endif
