/* draw_cube.c: the cube on a screen: unfolded, or in an oblique view. */
#include "clients/terminal/play/draw_internal.h"
#include "cube/cube.h"

#include <stdio.h>

void play_put(struct play_screen *screen, int row, int column, char letter, uint8_t color)
{
	if (row >= 0 && row < screen->rows && column >= 0 && column < screen->columns)
		screen->cells[row * screen->columns + column] = (struct play_cell){letter, color};
}

/* ---- unfolded ---- */

static const char color_letters[CUBE_FACES + 1] = "WRGYOB";

/* The places of the faces, in faces from the left and the top; -1: not shown. */
struct view {
	int across, down;
	int8_t column[CUBE_FACES], row[CUBE_FACES];
};

static const struct view unfolded = {4, 3, {1, 2, 1, 1, 0, 3}, {0, 1, 1, 2, 1, 1}};
static const struct view three_faces = {2, 2, {0, 1, 0, -1, -1, -1}, {0, 1, 1, -1, -1, -1}};

/* Columns and rows of a sticker. */
struct scale {
	int wide, high;
};
static const struct scale scales[] = {{6, 3}, {4, 2}, {2, 1}, {1, 1}};
#define SCALES (sizeof scales / sizeof scales[0])

/* Faces are one column apart. */
static int view_columns(const struct view *view, struct scale scale, int size)
{
	return view->across * (size * scale.wide + 1) - 1;
}

static int view_rows(const struct view *view, struct scale scale, int size)
{
	return view->down * size * scale.high;
}

static void draw_sticker(struct play_screen *screen, int row, int column, struct scale scale,
			 int color)
{
	for (int y = 0; y < scale.high; y++)
		for (int x = 0; x < scale.wide; x++)
			play_put(screen, row + y, column + x, ' ', (uint8_t)color);
	play_put(screen, row + (scale.high - 1) / 2, column + (scale.wide - 1) / 2,
		 color_letters[color], (uint8_t)color);
}

static void draw_face(struct play_screen *screen, int top, const struct view *view,
		      struct scale scale, const struct cube *cube, int face)
{
	const int n = cube->size, left = view->column[face] * (n * scale.wide + 1);
	top += view->row[face] * n * scale.high;
	for (int place = 0; place < n * n; place++)
		draw_sticker(screen, top + place / n * scale.high, left + place % n * scale.wide,
			     scale, cube_color_at(cube, (size_t)(face * n * n + place)));
}

static bool draw_view(struct play_screen *screen, int top, int rows, const struct view *view,
		      const struct cube *cube)
{
	for (size_t i = 0; i < SCALES; i++) {
		const struct scale scale = scales[i];
		if (view_columns(view, scale, cube->size) > screen->columns ||
		    view_rows(view, scale, cube->size) > rows)
			continue;
		for (int face = 0; face < CUBE_FACES; face++)
			if (view->column[face] >= 0)
				draw_face(screen, top, view, scale, cube, face);
		return true;
	}
	return false;
}

/* ---- oblique ---- */

/* F as it is, U sheared to the right and R upwards: a row up is two columns to the right, which look
 * like an angle of 45 degrees. A sticker of F is `wide` by `high`; one of U is `depth` rows, one of R
 * is 2 * `depth` columns. */
struct oblique {
	int wide, high, depth;
};
static const struct oblique obliques[] = {{8, 4, 3}, {6, 3, 2}, {4, 2, 1}, {2, 1, 1}};
#define OBLIQUES (sizeof obliques / sizeof obliques[0])

static int oblique_columns(const struct oblique *view, int size)
{
	return size * (view->wide + 2 * view->depth);
}

static int oblique_rows(const struct oblique *view, int size)
{
	return size * (view->high + view->depth);
}

/* The facelet at a row, counted upwards from the bottom of F, and a column, from the left of F; -1:
 * none is there. `middle`: whether its letter belongs here. */
static int oblique_facelet(const struct oblique *view, int n, int row, int column, bool *middle)
{
	const int wide = n * view->wide, high = n * view->high, deep = 2 * view->depth;
	int face = CUBE_F, down = high - 1 - row, right = column, height = view->high,
	    width = view->wide;
	if (row >= high && column - 2 * (row - high) - 1 < wide) {
		face = CUBE_U;
		height = view->depth;
		down = n * height - 1 - (row - high);
		right = column - 2 * (row - high) - 1;
	} else if (column >= wide) {
		face = CUBE_R;
		width = deep;
		right = column - wide;
		down = high - 1 - (row - (right + 1) / 2);
	}
	if (right < 0 || right >= n * width || down < 0 || down >= n * height)
		return -1;
	*middle = down % height == (height - 1) / 2 && right % width == (width - 1) / 2;
	return face * n * n + down / height * n + right / width;
}

static bool draw_oblique(struct play_screen *screen, int top, int rows, const struct cube *cube)
{
	const int n = cube->size;
	size_t i = 0;
	while (i < OBLIQUES && (oblique_columns(&obliques[i], n) > screen->columns ||
				oblique_rows(&obliques[i], n) > rows))
		i++;
	if (i == OBLIQUES)
		return false;
	const int high = oblique_rows(&obliques[i], n), wide = oblique_columns(&obliques[i], n);
	for (int row = 0; row < high; row++) {
		for (int column = 0; column < wide; column++) {
			bool middle = false;
			const int facelet =
				oblique_facelet(&obliques[i], n, high - 1 - row, column, &middle);
			if (facelet < 0)
				continue;
			const int color = cube_color_at(cube, (size_t)facelet);
			play_put(screen, top + row, column, middle ? color_letters[color] : ' ',
				 (uint8_t)color);
		}
	}
	return true;
}

/* ---- the view that fits ---- */

void play_draw_cube(struct play_screen *screen, int top, int rows, const struct cube *cube,
		    bool oblique)
{
	char text[160];
	const struct scale least = scales[SCALES - 1];
	if ((oblique && draw_oblique(screen, top, rows, cube)) ||
	    draw_view(screen, top, rows, &unfolded, cube) ||
	    draw_view(screen, top, rows, &three_faces, cube))
		return;
	snprintf(text, sizeof text,
		 "The cube needs %d columns and %d rows here; there are %d and %d. Make the "
		 "terminal larger, or its letters smaller.",
		 view_columns(&three_faces, least, cube->size),
		 view_rows(&three_faces, least, cube->size), screen->columns, rows > 0 ? rows : 0);
	play_put_lines(screen, top, screen->columns, text);
}
