/* screen.c: a grid of characters, and the bytes that put them on a terminal. */
#include "clients/terminal/play/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define PLAIN "\033[0m"

bool play_screen_resize(struct play_screen *screen, int rows, int columns)
{
	play_screen_free(screen);
	screen->rows = rows > 0 ? rows : 1;
	screen->columns = columns > 0 ? columns : 1;
	screen->cells =
		calloc((size_t)screen->rows * (size_t)screen->columns, sizeof *screen->cells);
	return screen->cells != NULL;
}

void play_screen_free(struct play_screen *screen)
{
	free(screen->cells);
	screen->cells = NULL;
}

/* Black letters on white, red, green, yellow, orange, blue. */
static const uint8_t background[CUBE_FACES] = {231, 203, 77, 227, 215, 75};

static void set_color(uint8_t color, struct buffer *out)
{
	char text[32];
	if (color >= CUBE_FACES) {
		buffer_text(out, PLAIN);
		return;
	}
	snprintf(text, sizeof text, "\033[38;5;16;48;5;%dm", background[color]);
	buffer_text(out, text);
}

/* Its columns without the spaces at its end. */
static int used_columns(const struct play_cell *cells, int columns, bool colors)
{
	while (columns > 0 && cells[columns - 1].letter == ' ' &&
	       (!colors || cells[columns - 1].color == PLAY_PLAIN))
		columns--;
	return columns;
}

static void print_row(const struct play_cell *cells, int columns, bool colors, struct buffer *out)
{
	uint8_t color = PLAY_PLAIN;
	for (int i = 0; i < columns; i++) {
		if (colors && cells[i].color != color) {
			color = cells[i].color;
			set_color(color, out);
		}
		buffer_add(out, &cells[i].letter, 1);
	}
	if (color != PLAY_PLAIN)
		buffer_text(out, PLAIN);
}

static void print_lines(const struct play_screen *screen, struct buffer *out)
{
	for (int row = 0; row < screen->rows; row++) {
		const struct play_cell *cells = screen->cells + row * screen->columns;
		const int columns = used_columns(cells, screen->columns, false);
		print_row(cells, columns, false, out);
		if (columns > 0)
			buffer_text(out, "\n");
	}
}

void play_screen_print(const struct play_screen *screen, enum term_style style, struct buffer *out)
{
	if (style == TERM_DUMB) {
		print_lines(screen, out);
		return;
	}
	buffer_text(out, HOME);
	for (int row = 0; row < screen->rows; row++) {
		const struct play_cell *cells = screen->cells + row * screen->columns;
		const int columns = used_columns(cells, screen->columns, style == TERM_COLORS);
		print_row(cells, columns, style == TERM_COLORS, out);
		/* After the last column the cursor still stands in it. */
		if (columns < screen->columns)
			buffer_text(out, CLEAR_LINE);
		if (row + 1 < screen->rows)
			buffer_text(out, "\r\n");
	}
}
