/* core/format/picture.c: a picture as SVG. Each face is drawn flat, in cells of 20 units, and put where it
 * belongs by the matrix of its group; with perspective, every point is written where it is seen. */
#include "cube/picture.h"

#include <assert.h>
#include <string.h>

#include "core/format/scene.h"

#define HEAD_BYTES 640   /* and the end */
#define PLANE_BYTES 1400 /* of a plane without its stickers: its group, its ground, eight paths */
#define STICKER_BYTES 22 /* of the longest, "M1984 1984h12v12h-12z" */
#define RUN_BYTES 9      /* of a run, "m98 0h1", or a tenth more where a row begins */
#define LINES_BYTES 30   /* of two lines between runs */
#define PATCH_BYTES 240  /* of twelve points anywhere */
#define ARROW_BYTES (ARROW_POINTS * 22 + 40)

/* ---- writing ---- */

static char *put_text(char *to, const char *text)
{
	size_t length = strlen(text);
	memcpy(to, text, length);
	return to + length;
}

static char *put_number(char *to, long number)
{
	char digits[20];
	int count = 0;
	unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
	if (number < 0)
		*to++ = '-';
	do
		digits[count++] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	while (count > 0)
		*to++ = digits[--count];
	return to;
}

/* In thousandths: -.866, 17.32. */
static char *put_real(char *to, double number)
{
	const long thousandths = (long)(number * 1000 + (number < 0 ? -.5 : .5));
	long rest = (thousandths < 0 ? -thousandths : thousandths) % 1000;
	if (thousandths < 0)
		*to++ = '-';
	if (thousandths / 1000 != 0 || rest == 0)
		to = put_number(to, (thousandths < 0 ? -thousandths : thousandths) / 1000);
	if (rest > 0)
		*to++ = '.';
	for (long unit = 100; rest > 0; unit /= 10) {
		*to++ = (char)('0' + rest / unit);
		rest %= unit;
	}
	return to;
}

static char *put_color(char *to, const char *attribute, uint32_t color)
{
	to = put_text(to, attribute);
	to = put_text(to, "=\"#");
	for (int shift = 20; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[color >> shift & 15];
	*to++ = '"';
	return to;
}

static char *put_opacity(char *to, unsigned percent)
{
	if (percent >= 100)
		return to;
	to = put_text(to, " opacity=\"");
	to = put_real(to, percent / 100.0);
	return put_text(to, "\"");
}

static char *put_point(char *to, char command, struct point point)
{
	*to++ = command;
	to = put_real(to, point.x);
	*to++ = ' ';
	return put_real(to, point.y);
}

static char *put_polygon(char *to, const struct point *points, int count)
{
	for (int i = 0; i < count; i++)
		to = put_point(to, i == 0 ? 'M' : 'L', points[i]);
	return put_text(to, "z");
}

/* A rectangle with round corners, as it is seen. */
static char *put_patch(char *to, const struct plane *plane, double left, double top, double right,
		       double bottom, double radius)
{
	const double x[4] = {left, right, right, left}, y[4] = {top, top, bottom, bottom};
	for (int i = 0; i < 4; i++) {
		/* Along the sides that meet at this corner. */
		const double dx = x[(i + 1) % 4] - x[i], dy = y[(i + 1) % 4] - y[i];
		const double bx = x[(i + 3) % 4] - x[i], by = y[(i + 3) % 4] - y[i];
		const double on = dx + dy < 0 ? -dx - dy : dx + dy;
		const double back = bx + by < 0 ? -bx - by : bx + by;
		to = put_point(
			to, i == 0 ? 'M' : 'L',
			scene_map(plane, x[i] + bx / back * radius, y[i] + by / back * radius));
		to = put_point(to, 'Q', scene_map(plane, x[i], y[i]));
		to = put_point(to, ' ',
			       scene_map(plane, x[i] + dx / on * radius, y[i] + dy / on * radius));
	}
	return put_text(to, "z");
}

/* ---- what a face has ---- */

/* A picture that is being written. */
struct writing {
	const struct cube_picture *picture;
	struct scene scene;
	const uint8_t *shown;
};

/* A sticker, or a run of `cells`, in the coordinates that suit its group. */
static char *put_part(const struct writing *writing, const struct plane *plane, char *to, int row,
		      int column, int cells, int *after)
{
	const double inset = STICKER_INSET;
	if (!writing->scene.flat)
		return put_patch(to, plane, CELL * column + inset, CELL * row + inset,
				 CELL * (column + 1) - inset, CELL * (row + 1) - inset,
				 STICKER_RADIUS);
	if (!writing->scene.merged) {
		*to++ = 'M';
		to = put_number(to, CELL * column + 4);
		*to++ = ' ';
		to = put_number(to, CELL * row + 4);
		return put_text(to, "h12v12h-12z");
	}
	/* In cells, relative to the end of the run before it. */
	*to++ = *after < 0 ? 'M' : 'm';
	to = put_number(to, *after < 0 ? column : column - *after);
	*to++ = ' ';
	to = put_number(to, *after < 0 ? row : 0);
	*to++ = 'h';
	to = put_number(to, cells);
	*after = column + cells;
	return to;
}

static char *put_path(const struct writing *writing, char *to, uint32_t color)
{
	to = put_text(to, "<path ");
	if (!writing->scene.merged) {
		to = put_color(to, "fill", color);
		*to++ = ' ';
	}
	if (writing->scene.flat)
		to = put_color(to, "stroke", color);
	to = put_opacity(to, writing->picture->sticker_opacity);
	return put_text(to, " d=\"");
}

/* The stickers of one colour, as one path; nothing if there are none. */
static char *put_stickers(const struct writing *writing, const struct plane *plane, char *to,
			  unsigned color)
{
	const int n = writing->scene.size;
	const uint8_t *row = writing->shown + plane->face * n * n;
	bool any = false;
	for (int y = 0; y < plane->rows; y++, row += n) {
		int after = -1;
		for (int x = 0, cells; x < n; x += cells) {
			cells = scene_run(&writing->scene, row, x);
			if (row[x] != color)
				continue;
			if (!any)
				to = put_path(writing, to, writing->picture->colors[color]);
			any = true;
			to = put_part(writing, plane, to, y, x, cells, &after);
		}
	}
	return any ? put_text(to, "\"/>\n") : to;
}

/* The lines between runs. */
static char *put_lines(const struct writing *writing, const struct plane *plane, char *to)
{
	const int n = writing->scene.size;
	to = put_text(to, "<path ");
	to = put_color(to, "stroke", writing->picture->plastic);
	to = put_text(to, " stroke-width=\"");
	to = put_real(to, scene_line_width(&writing->scene) / CELL);
	to = put_text(to, "\" d=\"");
	for (int i = 1; i < n; i++) {
		*to++ = 'M';
		to = put_number(to, i);
		to = put_text(to, "-.5v");
		to = put_number(to, plane->rows);
		if (i < plane->rows) {
			to = put_text(to, "M0 ");
			to = put_real(to, i - .5);
			*to++ = 'h';
			to = put_number(to, n);
		}
	}
	return put_text(to, "\"/>\n");
}

static char *put_ground(const struct writing *writing, const struct plane *plane, char *to)
{
	const struct scene *scene = &writing->scene;
	const double unit = scene->merged ? CELL : 1, rim = GROUND_RIM;
	const double width = CELL * scene->size, height = CELL * plane->rows;
	to = put_text(to, "<path d=\"");
	if (scene->flat) {
		to = put_text(to, unit > 1 ? "M0-.5h" : "M0 0h");
		to = put_real(to, width / unit);
		*to++ = 'v';
		to = put_real(to, height / unit);
		*to++ = 'h';
		to = put_real(to, -width / unit);
		to = put_text(to, "z\" stroke-width=\"");
		to = put_real(to, 2 * rim / unit);
		to = put_text(to, "\" ");
		to = put_color(to, "stroke", writing->picture->plastic);
		*to++ = ' ';
	} else {
		to = put_patch(to, plane, -rim, -rim, width + rim, height + rim, rim);
		to = put_text(to, "\" ");
	}
	to = put_color(to, "fill", writing->picture->plastic);
	to = put_opacity(to, writing->picture->plastic_opacity);
	return put_text(to, "/>\n");
}

static char *put_group(const struct writing *writing, const struct plane *plane, char *to)
{
	const struct scene *scene = &writing->scene;
	const double *m = plane->map;
	if (!scene->flat)
		return put_text(to, "<g>\n");
	/* Rows of strokes are numbered by their middles. */
	const bool merged = scene->merged;
	const double unit = merged ? CELL : 1, down = merged ? CELL / 2.0 : 0;
	const double matrix[6] = {m[0] * unit, m[3] * unit,        m[1] * unit,
				  m[4] * unit, m[2] + m[1] * down, m[5] + m[4] * down};
	to = put_text(to, "<g transform=\"matrix(");
	for (int i = 0; i < 6; i++) {
		to = put_text(to, i > 0 ? " " : "");
		to = put_real(to, matrix[i]);
	}
	return put_text(to, merged ? ")\" stroke-width=\"1.06\" fill=\"none\">\n"
				   : ")\" stroke-width=\"5\">\n");
}

static char *put_plane(const struct writing *writing, const struct plane *plane, char *to)
{
	const struct cube_picture *picture = writing->picture;
	to = put_group(writing, plane, to);
	if (!plane->far && picture->plastic_opacity > 0)
		to = put_ground(writing, plane, to);
	for (unsigned color = 0; picture->sticker_opacity > 0 && color < CUBE_SHOWN_COLORS; color++)
		to = put_stickers(writing, plane, to, color);
	if (writing->scene.merged && picture->plastic_opacity > 0)
		to = put_lines(writing, plane, to);
	return put_text(to, "</g>\n");
}

/* ---- the picture ---- */

size_t cube_picture_bytes(const struct cube_picture *picture, int size)
{
	struct scene scene;
	scene_make(&scene, picture, size);
	const size_t n = (size_t)size;
	size_t bytes = HEAD_BYTES + picture->arrow_count * ARROW_BYTES;
	for (int i = 0; i < scene.count; i++) {
		const size_t rows = scene.planes[i].rows;
		bytes += PLANE_BYTES;
		if (!scene.flat)
			bytes += PATCH_BYTES * rows * n;
		else if (scene.merged) /* a row may begin once for each colour */
			bytes += RUN_BYTES * rows * n + rows * CUBE_SHOWN_COLORS * 4 +
				 LINES_BYTES * n;
		else
			bytes += STICKER_BYTES * rows * n;
	}
	return bytes;
}

static char *put_head(const struct writing *writing, char *to)
{
	const struct scene *scene = &writing->scene;
	int width, height;
	cube_picture_extent(writing->picture, &width, &height);
	to = put_text(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
	to = put_number(to, width);
	to = put_text(to, "\" height=\"");
	to = put_number(to, height);
	to = put_text(to, "\" viewBox=\"0 0 ");
	to = put_real(to, scene->width);
	*to++ = ' ';
	to = put_real(to, scene->height);
	to = put_text(to, "\" role=\"img\">\n<title>");
	for (int i = 0; i < 3; i++) {
		to = put_text(to, i > 0 ? "x" : "A ");
		to = put_number(to, scene->size);
	}
	to = put_text(to, " cube</title>\n");
	if (writing->picture->background_opacity > 0) {
		to = put_text(to, "<rect width=\"100%\" height=\"100%\" ");
		to = put_color(to, "fill", writing->picture->background);
		to = put_opacity(to, writing->picture->background_opacity);
		to = put_text(to, "/>\n");
	}
	return put_text(to, "<g stroke-linejoin=\"round\">\n");
}

static char *put_arrow(const struct writing *writing, const struct cube_picture_arrow *arrow,
		       char *to)
{
	struct point points[ARROW_POINTS];
	to = put_text(to, "<path ");
	to = put_color(to, "fill", arrow->color);
	to = put_text(to, " d=\"");
	to = put_polygon(to, points, scene_arrow(&writing->scene, arrow, points));
	return put_text(to, "\"/>\n");
}

size_t cube_picture_print(const struct cube_picture *picture, int size, const uint8_t *shown,
			  char *text)
{
	struct writing writing = {.picture = picture, .shown = shown};
	scene_make(&writing.scene, picture, size);
	char *to = put_head(&writing, text);
	for (int i = 0; i < writing.scene.count; i++)
		to = put_plane(&writing, &writing.scene.planes[i], to);
	for (size_t i = 0; i < picture->arrow_count; i++)
		to = put_arrow(&writing, &picture->arrows[i], to);
	to = put_text(to, "</g>\n</svg>\n");
	assert((size_t)(to - text) <= cube_picture_bytes(picture, size));
	return (size_t)(to - text);
}

bool cube_picture_sees(const struct cube_picture *picture, int size, size_t facelet)
{
	struct scene scene;
	scene_make(&scene, picture, size);
	return scene_plane(&scene, facelet) != NULL;
}
