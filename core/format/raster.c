/* core/format/raster.c: a picture as pixels. Polygons are painted one over the other. A polygon is painted
 * row by row: each of its sides adds, to the pixels it crosses in that row, by how much it changes what
 * is covered from there on to the right; the sum from the left is the part of each pixel that is covered.
 */
#include <string.h>

#include "core/format/scene.h"

struct canvas {
	int width, height;
	double scale;     /* pixels a unit of the scene */
	double left, top; /* its beginning, in pixels */
	uint8_t *pixels;  /* colours multiplied by their opacity, until the end */
	float *row;
};

struct paint {
	uint32_t color;
	unsigned opacity; /* percent */
};

/* ---- polygons ---- */

static double clamp(double value, double least, double most)
{
	return value < least ? least : value > most ? most : value;
}

/* A side within one pixel column: `height` of it, signed, at `x` in the middle. */
static void add_piece(float *row, int column, double height, double x)
{
	const double right = x - column;
	row[column] += (float)(height * (1 - right));
	row[column + 1] += (float)(height * right);
}

/* A side within one pixel row: from (x0, y0) to (x1, y1). */
static void add_side(const struct canvas *canvas, double x0, double y0, double x1, double y1)
{
	/* Anything left or right of the picture counts at its edge. */
	x0 = clamp(x0, 0, canvas->width);
	x1 = clamp(x1, 0, canvas->width);
	if (x0 > x1) {
		const double swapped = x0;
		x0 = x1;
		x1 = swapped;
	}
	const double height = y1 - y0;
	int column = (int)x0;
	if (x1 - column <= 1) {
		add_piece(canvas->row, column, height, (x0 + x1) / 2);
		return;
	}
	const double steep = height / (x1 - x0);
	for (double x = x0; x < x1; column++) {
		const double next = column + 1 < x1 ? column + 1 : x1;
		add_piece(canvas->row, column, steep * (next - x), (x + next) / 2);
		x = next;
	}
}

/* In steps of a sixteenth, which nobody sees, so that a picture has fewer colours and packs better. */
static void blend(uint8_t *pixel, const struct paint *paint, float covered)
{
	const float part = (float)(int)(covered * 16 + .5f) / 16;
	const float opacity = part * (float)paint->opacity / 100, rest = 1 - opacity;
	for (int i = 0; i < 3; i++) {
		const float color = (float)(paint->color >> (16 - 8 * i) & 255);
		pixel[i] = (uint8_t)(color * opacity + (float)pixel[i] * rest + .5f);
	}
	pixel[3] = (uint8_t)(255 * opacity + (float)pixel[3] * rest + .5f);
}

/* Paints the pixels of a row by what its sides have added, and empties it. */
static void paint_row(const struct canvas *canvas, int y, int left, int right,
		      const struct paint *paint)
{
	uint8_t *pixel = canvas->pixels + 4 * ((size_t)y * (size_t)canvas->width + (size_t)left);
	float sum = 0;
	for (int x = left; x <= right; x++, pixel += 4) {
		sum += canvas->row[x];
		canvas->row[x] = 0;
		const float covered = sum < 0 ? -sum : sum;
		if (x < canvas->width && covered > 1.f / 512)
			blend(pixel, paint, covered > 1 ? 1 : covered);
	}
	canvas->row[right + 1] = 0;
}

static void fill(const struct canvas *canvas, struct point *points, int count,
		 const struct paint *paint)
{
	double left = canvas->width, right = 0, top = canvas->height, bottom = 0;
	for (int i = 0; i < count; i++) {
		points[i].x = points[i].x * canvas->scale + canvas->left;
		points[i].y = points[i].y * canvas->scale + canvas->top;
		left = points[i].x < left ? points[i].x : left;
		right = points[i].x > right ? points[i].x : right;
		top = points[i].y < top ? points[i].y : top;
		bottom = points[i].y > bottom ? points[i].y : bottom;
	}
	left = clamp(left, 0, canvas->width);
	right = clamp(right, 0, canvas->width);
	top = clamp(top, 0, canvas->height);
	bottom = clamp(bottom, 0, canvas->height);
	for (int y = (int)top; y < canvas->height && y < bottom; y++) {
		for (int i = 0; i < count; i++) {
			const struct point a = points[i], b = points[i + 1 < count ? i + 1 : 0];
			const double y0 = clamp(a.y, y, y + 1), y1 = clamp(b.y, y, y + 1);
			if (y0 >= y1 && y0 <= y1)
				continue;
			const double slope = (b.x - a.x) / (b.y - a.y);
			add_side(canvas, a.x + (y0 - a.y) * slope, y0, a.x + (y1 - a.y) * slope,
				 y1);
		}
		paint_row(canvas, y, (int)left, (int)right, paint);
	}
}

/* ---- planes ---- */

static void fill_patch(const struct canvas *canvas, const struct plane *plane,
		       const double patch[4], double radius, const struct paint *paint)
{
	struct point points[OUTLINE_POINTS];
	fill(canvas, points,
	     scene_outline(plane, patch[0], patch[1], patch[2], patch[3], radius, points), paint);
}

/* A run goes on for two pixels under those right of it and below it, which are drawn later: so no two meet
 * in half covered pixels. Not if there may be nothing there. */
static void draw_runs(const struct canvas *canvas, const struct scene *scene,
		      const struct plane *plane, const struct cube_picture *picture,
		      const uint8_t *row)
{
	const int n = scene->size;
	const bool whole = picture->sticker_opacity == 100 &&
			   !memchr(row, CUBE_SHOWN_HIDDEN, (size_t)(plane->rows * n));
	const int under = whole ? 1 + (int)(2 / (CELL * canvas->scale)) : 0;
	for (int y = 0; y < plane->rows; y++, row += n)
		for (int x = 0, cells; x < n; x += cells) {
			cells = scene_run(scene, row, x);
			if (row[x] == CUBE_SHOWN_HIDDEN)
				continue;
			const int right = x + cells + under < n ? x + cells + under : n;
			const int bottom =
				y + 1 + under < plane->rows ? y + 1 + under : plane->rows;
			const double patch[4] = {CELL * x, CELL * y, CELL * right, CELL * bottom};
			const struct paint paint = {picture->colors[row[x]],
						    picture->sticker_opacity};
			fill_patch(canvas, plane, patch, 0, &paint);
		}
}

static void draw_stickers(const struct canvas *canvas, const struct scene *scene,
			  const struct plane *plane, const struct cube_picture *picture,
			  const uint8_t *row)
{
	const int n = scene->size;
	const double inset = STICKER_INSET;
	for (int y = 0; y < plane->rows; y++, row += n)
		for (int x = 0; x < n; x++) {
			if (row[x] == CUBE_SHOWN_HIDDEN)
				continue;
			const double patch[4] = {CELL * x + inset, CELL * y + inset,
						 CELL * (x + 1) - inset, CELL * (y + 1) - inset};
			const struct paint paint = {picture->colors[row[x]],
						    picture->sticker_opacity};
			fill_patch(canvas, plane, patch, STICKER_RADIUS, &paint);
		}
}

static void draw_lines(const struct canvas *canvas, const struct scene *scene,
		       const struct plane *plane, const struct paint *paint)
{
	const double half = scene_line_width(scene) / 2, width = CELL * scene->size;
	for (int i = 1; i < scene->size; i++) {
		const double middle = CELL * i;
		const double down[4] = {middle - half, 0, middle + half, CELL * plane->rows};
		const double across[4] = {0, middle - half, width, middle + half};
		fill_patch(canvas, plane, down, 0, paint);
		if (i < plane->rows)
			fill_patch(canvas, plane, across, 0, paint);
	}
}

static void draw_plane(const struct canvas *canvas, const struct scene *scene,
		       const struct plane *plane, const struct cube_picture *picture,
		       const uint8_t *shown)
{
	const double rim = GROUND_RIM, width = CELL * scene->size, height = CELL * plane->rows;
	const double ground[4] = {-rim, -rim, width + rim, height + rim};
	const struct paint plastic = {picture->plastic, picture->plastic_opacity};
	const struct paint lines = {picture->plastic, 100};
	if (!plane->far && plastic.opacity > 0)
		fill_patch(canvas, plane, ground, rim, &plastic);
	if (picture->sticker_opacity > 0)
		(scene->merged ? draw_runs
			       : draw_stickers)(canvas, scene, plane, picture,
						shown + plane->face * scene->size * scene->size);
	if (scene->merged && plastic.opacity > 0)
		draw_lines(canvas, scene, plane, &lines);
}

/* ---- the picture ---- */

/* Colours as they are, whatever their opacity. */
static void divide_by_opacity(uint8_t *pixel, const uint8_t *end)
{
	for (; pixel < end; pixel += 4)
		for (int i = 0; pixel[3] > 0 && pixel[3] < 255 && i < 3; i++) {
			const unsigned color = (pixel[i] * 255u + pixel[3] / 2u) / pixel[3];
			pixel[i] = (uint8_t)(color > 255 ? 255 : color);
		}
}

void cube_picture_draw(const struct cube_picture *picture, int size, const uint8_t *shown,
		       uint8_t *pixels, float *row)
{
	struct scene scene;
	struct canvas canvas = {.pixels = pixels, .row = row};
	scene_make(&scene, picture, size);
	cube_picture_extent(picture, &canvas.width, &canvas.height);
	canvas.scale = canvas.width / scene.width;
	if (canvas.scale * scene.height > canvas.height)
		canvas.scale = canvas.height / scene.height;
	canvas.left = (canvas.width - canvas.scale * scene.width) / 2;
	canvas.top = (canvas.height - canvas.scale * scene.height) / 2;
	const size_t count = (size_t)canvas.width * (size_t)canvas.height;
	const struct paint background = {picture->background, picture->background_opacity};
	memset(pixels, 0, 4 * count);
	for (size_t i = 0; background.opacity > 0 && i < count; i++)
		blend(pixels + 4 * i, &background, 1);
	for (int i = 0; i < canvas.width + 2; i++)
		row[i] = 0;
	for (int i = 0; i < scene.count; i++)
		draw_plane(&canvas, &scene, &scene.planes[i], picture, shown);
	for (size_t i = 0; i < picture->arrow_count; i++) {
		struct point points[ARROW_POINTS];
		const struct paint paint = {picture->arrows[i].color, 100};
		fill(&canvas, points, scene_arrow(&scene, &picture->arrows[i], points), &paint);
	}
	divide_by_opacity(pixels, pixels + 4 * count);
}
