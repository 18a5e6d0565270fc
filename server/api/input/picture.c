/* picture.c: the parameters of pictures, and drawing them. */
#include "cube/cube.h"
#include "cube/hold.h"
#include "cube/mask.h"
#include "cube/pattern.h"
#include "server/api/input/picture.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/etag.h"
#include "server/format/png.h"
#include "server/util/suggest.h"

#define PIXELS_MIN 16
/* More than this the limit may not allow: a picture is drawn in memory. */
#define PIXELS_MAX 8192

#define COLOR_EXPECTED "a colour: three or six hexadecimal digits, for example 1e293b, or a name"

static bool read_view(struct context *ctx, struct cube_picture *picture);
static bool read_pixels(struct context *ctx, struct cube_picture *picture);
static bool read_rotate(struct context *ctx, struct picture_request *request);
static bool read_color(struct context *ctx, enum parameter parameter, const char *name,
		       uint32_t *color, uint8_t *opacity);
static bool read_colors(struct context *ctx, struct cube_picture *picture);

static const enum parameter parameters[] = {
	PARAMETER_VIEW,       PARAMETER_COLORS,  PARAMETER_PIXELS, PARAMETER_ROTATE,
	PARAMETER_BACKGROUND, PARAMETER_PLASTIC, PARAMETER_MASK,   PARAMETER_ARROWS};

bool picture_read(struct context *ctx, struct picture_request *request)
{
	struct cube_picture *picture = &request->picture;
	*request = (struct picture_request){
		.arrow_color = 0x444444, .mask_name = "mask", .arrows_name = "arrows"};
	request->mask = ctx->query.value[PARAMETER_MASK];
	request->arrows = ctx->query.value[PARAMETER_ARROWS];
	for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
		request->hash = etag_add_text(request->hash, ctx->query.value[parameters[i]].bytes);
	if (!picture_read_look(ctx, picture))
		return false;
	request->hides = picture->view == CUBE_PICTURE_TRANS;
	return read_pixels(ctx, picture) && read_rotate(ctx, request) &&
	       read_color(ctx, PARAMETER_BACKGROUND, "background", &picture->background,
			  &picture->background_opacity) &&
	       read_color(ctx, PARAMETER_PLASTIC, "plastic", &picture->plastic,
			  &picture->plastic_opacity);
}

bool picture_read_look(struct context *ctx, struct cube_picture *picture)
{
	return read_view(ctx, picture) && read_colors(ctx, picture);
}

static bool read_view(struct context *ctx, struct cube_picture *picture)
{
	const struct text *name = &ctx->query.value[PARAMETER_VIEW];
	const struct json_place place = {.parameter = "view"};
	const char *names[CUBE_PICTURE_VIEWS];
	uint8_t index = CUBE_PICTURE_ISO;
	for (int i = 0; i < CUBE_PICTURE_VIEWS; i++)
		names[i] = cube_picture_view_name((enum cube_picture_view)i);
	const bool known = !name->bytes || input_place_choice(ctx, &place, *name, "view", names,
							      CUBE_PICTURE_VIEWS, &index);
	cube_picture_init(picture, (enum cube_picture_view)index);
	return known;
}

static bool read_colors(struct context *ctx, struct cube_picture *picture)
{
	const struct text *text = &ctx->query.value[PARAMETER_COLORS];
	if (!text->bytes || cube_picture_colors_parse(text->bytes, text->length, picture->colors))
		return true;
	return query_problem(ctx, "colors",
			     "Must be wca, okabe-ito or six colours, for example "
			     "ffffff,b71234,009b48,ffd500,ff5800,0046ad.",
			     "wca, okabe-ito, or six comma-separated colours for U, R, F, D, L, B",
			     NULL);
}

static bool read_pixels(struct context *ctx, struct cube_picture *picture)
{
	const uint64_t limit = ctx->service->config.limits.picture_pixels;
	const int64_t most = limit < PIXELS_MAX ? (int64_t)limit : PIXELS_MAX;
	int64_t pixels = 0;
	if (!query_integer(ctx, PARAMETER_PIXELS, PIXELS_MIN, most, &pixels))
		return false;
	picture->pixels = (int)pixels;
	return true;
}

/* Moves such as "x y2" turn the cube; degrees such as "y45x-34" replace the usual view of it. */
static bool read_rotate(struct context *ctx, struct picture_request *request)
{
	const struct text *text = &ctx->query.value[PARAMETER_ROTATE];
	struct cube_picture *picture = &request->picture;
	const bool space = picture->view == CUBE_PICTURE_ISO || picture->view == CUBE_PICTURE_TRANS;
	if (!text->bytes || cube_rotation_parse(text->bytes, text->length, &request->hold))
		return true;
	if (!cube_picture_turn_parse(text->bytes, text->length, picture->turn))
		return query_problem(ctx, "rotate",
				     "Must be rotations such as \"x y2\", or degrees about the "
				     "axes such as y45x-34.",
				     "rotations (x, y' and z2), or each axis with its degrees, "
				     "for example y45x-34",
				     NULL);
	picture->turned = true;
	return space || query_problem(ctx, "rotate",
				      "Degrees are for the views iso and trans; flat views are "
				      "turned by rotations such as \"x y2\".",
				      "rotations such as \"x y2\"", NULL);
}

static bool read_color(struct context *ctx, enum parameter parameter, const char *name,
		       uint32_t *color, uint8_t *opacity)
{
	const struct text *text = &ctx->query.value[parameter];
	if (!text->bytes)
		return true;
	if (text_names(*text, "transparent")) {
		*opacity = 0;
		return true;
	}
	*opacity = *opacity ? *opacity : 100;
	return cube_picture_color_parse(text->bytes, text->length, color) ||
	       query_problem(ctx, name,
			     "Must be a colour, for example 1e293b or silver, or transparent.",
			     COLOR_EXPECTED ", or transparent", NULL);
}

bool picture_read_painting(struct context *ctx, struct picture_request *request)
{
	struct text *text = &ctx->query.value[PARAMETER_FACELETS];
	if (!text->bytes || text->bytes[strcspn(text->bytes, "n.")] == '\0')
		return true;
	char *colors = ctx_alloc(ctx, text->length + 1);
	request->painting = colors ? ctx_alloc(ctx, text->length + 1) : NULL;
	if (!request->painting)
		return false;
	for (size_t i = 0; i <= text->length; i++) {
		const char letter = text->bytes[i];
		const bool grey = letter == 'n', hidden = letter == '.';
		colors[i] = grey || hidden ? 'U' : letter;
		if (letter && !strchr(" \t\r\n", letter))
			request->painting[request->painted++] = grey     ? CUBE_SHOWN_GREY
								: hidden ? CUBE_SHOWN_HIDDEN
									 : PAINTING_NONE;
	}
	*text = (struct text){colors, text->length};
	return true;
}

/* ---- drawing ---- */

/* Measured by tests/bench/views.c, in ns. SVG: each facelet, and if every point of it is written. */
#define SVG_FACELET_NS 45
#define SVG_POINTS_NS 480
#define MASK_FACELET_NS 20
/* PNG: each facelet; each pixel, which differs from its neighbours the more cells there are. */
#define PNG_NS 150000
#define PNG_FACELET_NS 200
#define PNG_PIXEL_NS 25
#define PNG_CELL_NS 3 / 2
/* Each arrow; and in a PNG each pixel, since one may go from corner to corner. */
#define ARROW_NS 5000
#define PNG_ARROW_PIXEL_NS 2

uint64_t picture_text_cost(const struct cube_picture *picture, int size)
{
	const bool points = picture->distance > 0 && size < CUBE_PICTURE_MERGED;
	return (points ? SVG_POINTS_NS : SVG_FACELET_NS) * cube_facelets(size);
}

/* Returns the number of requested arrows, or more: they are read later. */
static uint64_t arrows_most(struct text text)
{
	uint64_t count = text.length > 0;
	for (size_t i = 0; i < text.length && count < CUBE_ARROWS_MAX; i++)
		count += text.bytes[i] == ',';
	return count;
}

uint64_t picture_cost(const struct context *ctx, const struct picture_request *request, int size)
{
	int width, height;
	const uint64_t mask = request->mask.bytes ? MASK_FACELET_NS * cube_facelets(size) : 0;
	const uint64_t arrows = arrows_most(request->arrows);
	const uint64_t marked = mask + arrows * ARROW_NS;
	if (ctx->media != MEDIA_PNG)
		return marked + picture_text_cost(&request->picture, size);
	cube_picture_extent(&request->picture, &width, &height);
	const uint64_t pixels = (uint64_t)width * (uint64_t)height;
	return marked + PNG_NS + PNG_FACELET_NS * cube_facelets(size) +
	       (PNG_PIXEL_NS + (uint64_t)size * PNG_CELL_NS + arrows * PNG_ARROW_PIXEL_NS) * pixels;
}

static bool mask_problem(struct context *ctx, const struct picture_request *request)
{
	const char *names[64];
	char detail[160];
	size_t count = 0;
	for (const char *name; count < 64 && (name = cube_mask_stage(count)) != NULL;)
		names[count++] = name;
	snprintf(detail, sizeof detail,
		 "Must be a stage such as f2l or cross-x2, a pattern of GET /v1/patterns for this "
		 "size, or six arrays of one.");
	return query_problem(
		ctx, request->mask_name, detail,
		"a stage (cross, f2l, oll, pll, ...), the name of a pattern, or the "
		"arrays of a pattern",
		suggest_nearest(request->mask.bytes, request->mask.length, names, count));
}

/* Returns true if all arrows are on visible facelets. */
static bool read_arrows(struct context *ctx, struct picture_request *request, int size)
{
	struct cube_picture *picture = &request->picture;
	const struct text *text = &request->arrows;
	char detail[160];
	size_t fault;
	if (!text->bytes)
		return true;
	if (!cube_picture_arrows_parse(text->bytes, text->length, size, request->arrow_color,
				       picture, &fault)) {
		snprintf(detail, sizeof detail,
			 "Cannot be read from character %zu on: an arrow is two facelets of the "
			 "cube, for example U0U2, U6U2U8-s8-i5 or R1R5-red; at most %d.",
			 fault + 1, CUBE_ARROWS_MAX);
		return query_problem(ctx, request->arrows_name, detail,
				     "arrows such as U0U2-s8-red, comma-separated", NULL);
	}
	for (size_t i = 0; i < picture->arrow_count; i++) {
		const struct cube_picture_arrow *arrow = &picture->arrows[i];
		if (cube_picture_sees(picture, size, arrow->from) &&
		    cube_picture_sees(picture, size, arrow->to) &&
		    (arrow->by == CUBE_NO_FACELET || cube_picture_sees(picture, size, arrow->by)))
			continue;
		snprintf(detail, sizeof detail,
			 "Arrow %zu is on a facelet that is not seen in this view.", i + 1);
		return query_problem(ctx, request->arrows_name, detail,
				     "arrows between facelets that are seen", NULL);
	}
	return true;
}

/* Returns what each facelet shows; NULL with a problem as the reply. `places` has where each
 * sticker was before the moves. */
static uint8_t *make_shown(struct context *ctx, struct picture_request *request,
			   const struct cube *cube, const struct cube *places)
{
	const int size = cube->size;
	const size_t count = cube_facelets(size);
	uint8_t *shown = ctx_alloc(ctx, count);
	uint8_t *mask = NULL;
	if (!shown)
		return NULL;
	if (request->mask.bytes) {
		void *scratch = ctx_alloc(ctx, CUBE_MASK_SCRATCH(size));
		mask = scratch ? ctx_alloc(ctx, count) : NULL;
		if (!mask)
			return NULL;
		if (!cube_mask_parse(request->mask.bytes, request->mask.length, size, mask,
				     scratch)) {
			mask_problem(ctx, request);
			return NULL;
		}
	}
	cube_colors(cube, shown);
	const struct cube *from = places ? places : cube;
	const uint8_t left_out = request->hides ? CUBE_SHOWN_HIDDEN : CUBE_SHOWN_GREY;
	for (size_t i = 0; i < count; i++) {
		const size_t home = from->sticker[i];
		const uint8_t painted = request->painting && home < request->painted
						? request->painting[home]
						: PAINTING_NONE;
		if (painted != PAINTING_NONE)
			shown[i] = painted;
		if (mask && !mask[home] && shown[i] != CUBE_SHOWN_HIDDEN)
			shown[i] = left_out;
	}
	return shown;
}

/* Turned as a whole; NULL if out of memory. */
static const struct cube *held(struct context *ctx, const struct cube *cube, int hold)
{
	if (!cube || hold == 0)
		return cube;
	struct cube *turned = ctx_alloc(ctx, cube_bytes(cube->size));
	if (turned)
		cube_hold_turn(turned, cube, hold);
	return turned;
}

static bool write_pixels(struct context *ctx, const struct cube_picture *picture, int size,
			 const uint8_t *shown)
{
	int width, height;
	cube_picture_extent(picture, &width, &height);
	uint8_t *pixels = ctx_alloc(ctx, 4 * (size_t)width * (size_t)height);
	float *row = pixels ? ctx_alloc(ctx, ((size_t)width + 2) * sizeof *row) : NULL;
	if (!row)
		return false;
	cube_picture_draw(picture, size, shown, pixels, row);
	return png_write_pixels(&ctx->request->reply.body, &ctx->request->arena, pixels, width,
				height) ||
	       ctx_no_memory(ctx);
}

static bool write_text(struct context *ctx, const struct cube_picture *picture, int size,
		       const uint8_t *shown)
{
	struct buffer *body = &ctx->request->reply.body;
	char *room = buffer_room(body, cube_picture_bytes(picture, size));
	if (!room)
		return ctx_no_memory(ctx);
	body->length += cube_picture_print(picture, size, shown, room);
	return true;
}

void picture_reply(struct context *ctx, struct picture_request *request, const struct cube *cube,
		   const struct cube *places)
{
	const struct cube *turned = held(ctx, cube, request->hold);
	const struct cube *moved = held(ctx, places, request->hold);
	const int size = cube->size;
	if (!turned || (places && !moved) || !read_arrows(ctx, request, size))
		return;
	const uint8_t *shown = make_shown(ctx, request, turned, moved);
	if (!shown)
		return;
	if (!(ctx->media == MEDIA_PNG ? write_pixels : write_text)(ctx, &request->picture, size,
								   shown))
		return;
	struct reply *reply = &ctx->request->reply;
	reply->status = 200;
	reply->content_type = media_type(ctx->media);
}
