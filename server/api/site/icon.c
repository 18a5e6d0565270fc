/* icon.c: the icons of the page when it is installed, for the tabs of browsers that show no SVG, and
 * for crawlers: a solved cube, drawn as all pictures are. */
#include <string.h>

#include "cube/picture.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/route.h"
#include "server/api/steps/caching.h"
#include "server/format/png.h"

#define SIZE 3
/* An estimate; see cube_picture_draw() and png_write_pixels(). */
#define PIXEL_NS 30

/* The ground is opaque where a system cuts the icon into a shape of its own; then the cube stays
 * within the inner 80 %. */
static const struct icon {
	const char *path;
	int pixels, cube;
	bool ground;
} icons[] = {
	{"/favicon.ico", 48, 48, false},           {"/icon-192.png", 192, 188, false},
	{"/icon-512.png", 512, 500, false},        {"/icon-maskable-512.png", 512, 404, true},
	{"/apple-touch-icon.png", 180, 152, true},
};

#define GROUND 0xf3f4f6

/* Moves the picture, whose rows are at the beginning of the canvas, to its middle. */
static void center(const struct icon *icon, uint8_t *canvas)
{
	const size_t row = 4 * (size_t)icon->cube, wide = 4 * (size_t)icon->pixels;
	const size_t border = (size_t)(icon->pixels - icon->cube) / 2;
	for (size_t y = (size_t)icon->cube; y-- > 0;)
		memmove(canvas + (border + y) * wide + 4 * border, canvas + y * row, row);
}

/* Colours the pixels around the picture in the middle; without a ground they are clear. */
static void fill_border(const struct icon *icon, uint8_t *canvas)
{
	const uint8_t ground[4] = {GROUND >> 16, GROUND >> 8 & 0xff, GROUND & 0xff, 0xff};
	const int from = (icon->pixels - icon->cube) / 2, to = from + icon->cube;
	for (int y = 0; y < icon->pixels; y++)
		for (int x = 0; x < icon->pixels; x++)
			if (y < from || y >= to || x < from || x >= to)
				memcpy(canvas + 4 * ((size_t)y * (size_t)icon->pixels + (size_t)x),
				       icon->ground ? ground : (const uint8_t[4]){0}, 4);
}

/* Any thread. */
static void icon_draw(struct context *ctx)
{
	const struct icon *icon = ctx->data;
	struct reply *reply = &ctx->request->reply;
	struct cube_picture picture;
	uint8_t shown[CUBE_FACES * SIZE * SIZE];
	const size_t pixels = (size_t)icon->pixels * (size_t)icon->pixels;
	uint8_t *canvas = ctx_alloc(ctx, 4 * pixels);
	float *row = ctx_alloc(ctx, ((size_t)icon->cube + 2) * sizeof *row);
	if (!canvas || !row)
		return;
	for (size_t i = 0; i < sizeof shown; i++)
		shown[i] = (uint8_t)(i / (SIZE * SIZE));
	cube_picture_init(&picture, CUBE_PICTURE_ISO);
	picture.pixels = icon->cube;
	picture.background = GROUND;
	picture.background_opacity = icon->ground ? 100 : 0;
	cube_picture_draw(&picture, SIZE, shown, canvas, row);
	center(icon, canvas);
	fill_border(icon, canvas);
	if (!png_write_pixels(&reply->body, &ctx->request->arena, canvas, icon->pixels,
			      icon->pixels) &&
	    !ctx_no_memory(ctx))
		return;
	reply->status = 200;
	reply->content_type = media_type(MEDIA_PNG);
	reply->cache = caching_pure;
}

void icon_handle(struct context *ctx)
{
	const struct icon *icon = icons;
	while (strcmp(icon->path, ctx->route->path) != 0)
		icon++; /* each has its row in routes.def */
	ctx->data = (void *)icon;
	ctx_compute(ctx, (uint64_t)icon->pixels * (uint64_t)icon->pixels * PIXEL_NS, icon_draw,
		    NULL);
}
