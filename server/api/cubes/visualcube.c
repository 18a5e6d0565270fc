/* visualcube.c: GET /v1/visualcube: pictures with the parameters of VisualCube (Conrad Rider), so that
 * addresses made for it can be used here. What is not supported is refused, never drawn otherwise. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cube/mask.h"
#include "server/api/cubes/image.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"

#define SIZE_DEFAULT 128
#define PZL_MAX 10
#define DISTANCE_DEFAULT 5

static const char usual_turn[] = "y45x-34", usual_scheme[] = "yrbwog";

static bool read_format(struct context *ctx);
static bool read_cube(struct context *ctx, struct image *image);
static bool read_view(struct context *ctx, struct cube_picture *picture);
static bool read_style(struct context *ctx, struct picture_request *request);
static bool read_scheme(struct context *ctx, struct picture_request *request);
static bool read_stage(struct context *ctx, struct picture_request *request);
static bool read_stickers(struct context *ctx, struct image *image);
static bool read_algorithm(struct context *ctx, struct image *image);

void visualcube_handle(struct context *ctx)
{
	struct image *image = ctx_alloc(ctx, sizeof *image);
	if (!image) {
		ctx_answer(ctx);
		return;
	}
	*image = (struct image){.cube = {.at = -1}, .by_places = true};
	struct picture_request *request = &image->picture;
	request->mask_name = "stage";
	request->arrows_name = "arw";
	request->arrow_color = 0x808080;
	if (read_format(ctx) && read_cube(ctx, image) && read_view(ctx, &request->picture) &&
	    read_style(ctx, request) && read_scheme(ctx, request) && read_stage(ctx, request) &&
	    read_stickers(ctx, image) && read_algorithm(ctx, image))
		input_cube_resolve(ctx, &image->cube, image_resolved);
	else
		ctx_answer(ctx);
}

/* The text of a parameter; an empty one is as none. */
static struct text given(const struct context *ctx, enum parameter parameter)
{
	const struct text *text = &ctx->query.value[parameter];
	return text->length > 0 ? *text : (struct text){0};
}

static bool read_format(struct context *ctx)
{
	const struct text fmt = given(ctx, PARAMETER_FMT);
	ctx->media = text_is(fmt, "svg") ? MEDIA_SVG : MEDIA_PNG;
	return !fmt.bytes || text_is(fmt, "svg") || text_is(fmt, "png") ||
	       query_problem(ctx, "fmt", "Pictures are PNG or SVG: use png.", "png or svg", "png");
}

static bool read_cube(struct context *ctx, struct image *image)
{
	const uint64_t limit = ctx->service->config.limits.picture_pixels;
	int64_t size = input_size_default(ctx), pixels = SIZE_DEFAULT;
	const int64_t most = input_size_max(ctx) < PZL_MAX ? input_size_max(ctx) : PZL_MAX;
	if (!query_integer(ctx, PARAMETER_PZL, CUBE_SIZE_MIN, most, &size) ||
	    !query_integer(ctx, PARAMETER_SIZE, 16, limit < 8192 ? (int64_t)limit : 8192, &pixels))
		return false;
	const struct text view = given(ctx, PARAMETER_VIEW);
	struct cube_picture *picture = &image->picture.picture;
	cube_picture_init(picture, text_is(view, "plan")    ? CUBE_PICTURE_PLAN
				   : text_is(view, "trans") ? CUBE_PICTURE_TRANS
							    : CUBE_PICTURE_ISO);
	picture->pixels = (int)pixels;
	image->cube.source = CUBE_OF_SIZE;
	image->cube.size = (int)size;
	return !view.bytes || picture->view != CUBE_PICTURE_ISO ||
	       query_problem(ctx, "view", "Must be plan or trans, or absent.",
			     "plan, trans, or no view", NULL);
}

static bool read_view(struct context *ctx, struct cube_picture *picture)
{
	const struct text turn = given(ctx, PARAMETER_R);
	int64_t distance = DISTANCE_DEFAULT;
	if (!query_integer(ctx, PARAMETER_DIST, 1, 100, &distance))
		return false;
	if (picture->view == CUBE_PICTURE_PLAN)
		return !turn.bytes || query_problem(ctx, "r", "The view plan cannot be rotated.",
						    "r without view=plan", NULL);
	picture->distance = (double)distance;
	picture->turned = cube_picture_turn_parse(turn.bytes ? turn.bytes : usual_turn,
						  turn.bytes ? turn.length : strlen(usual_turn),
						  picture->turn);
	return picture->turned ||
	       query_problem(ctx, "r", "Must be axes with degrees, such as y45x-34.",
			     "one or more of x, y and z, each with its degrees", NULL);
}

/* ---- colours ---- */

static bool color_problem(struct context *ctx, const char *name)
{
	char detail[160], expected[160] = "";
	for (size_t i = 0; i < 12; i++) {
		strncat(expected, cube_picture_color_name(i),
			sizeof expected - strlen(expected) - 1);
		strncat(expected, ", ", sizeof expected - strlen(expected) - 1);
	}
	strncat(expected, "or 3 or 6 hexadecimal digits", sizeof expected - strlen(expected) - 1);
	snprintf(detail, sizeof detail, "Unknown colour in %s.", name);
	return query_problem(ctx, name, detail, expected, NULL);
}

/* A colour, or t: transparent. */
static bool read_color(struct context *ctx, enum parameter parameter, const char *name,
		       uint32_t *color, uint8_t *opacity)
{
	const struct text text = given(ctx, parameter);
	if (!text.bytes)
		return true;
	if (opacity && (text_is(text, "t") || text_is(text, "transparent"))) {
		*opacity = 0;
		return true;
	}
	return cube_picture_color_parse(text.bytes, text.length, color) || color_problem(ctx, name);
}

static bool read_style(struct context *ctx, struct picture_request *request)
{
	struct cube_picture *picture = &request->picture;
	const bool trans = picture->view == CUBE_PICTURE_TRANS;
	int64_t plastic = trans ? 50 : 100, stickers = 100;
	if (!query_integer(ctx, PARAMETER_CO, 0, 100, &plastic) ||
	    !query_integer(ctx, PARAMETER_FO, 0, 100, &stickers))
		return false;
	request->hides = trans;
	picture->plastic = trans ? 0xbfbfbf : 0;
	picture->plastic_opacity = (uint8_t)plastic;
	picture->sticker_opacity = (uint8_t)stickers;
	picture->background = 0xffffff;
	picture->background_opacity = 100;
	request->arrows = given(ctx, PARAMETER_ARW);
	return read_color(ctx, PARAMETER_BG, "bg", &picture->background,
			  &picture->background_opacity) &&
	       read_color(ctx, PARAMETER_CC, "cc", &picture->plastic, &picture->plastic_opacity) &&
	       read_color(ctx, PARAMETER_AC, "ac", &request->arrow_color, NULL);
}

/* Six letters, or six colours with commas between. */
static bool read_scheme(struct context *ctx, struct picture_request *request)
{
	const struct text text = given(ctx, PARAMETER_SCH);
	const char *letters = text.bytes ? text.bytes : usual_scheme;
	uint32_t *colors = request->picture.colors;
	if (text.bytes && memchr(text.bytes, ',', text.length))
		return cube_picture_colors_parse(text.bytes, text.length, colors) ||
		       color_problem(ctx, "sch");
	if (strlen(letters) != CUBE_FACES)
		return query_problem(ctx, "sch", "Must have six colours, for U, R, F, D, L and B.",
				     "six letters such as yrbwog, or six colours with commas",
				     NULL);
	for (int i = 0; i < CUBE_FACES; i++)
		if (!cube_picture_color_parse(&letters[i], 1, &colors[i]))
			return color_problem(ctx, "sch");
	return true;
}

/* A stage and perhaps rotations, with or without "-" between. */
static bool read_stage(struct context *ctx, struct picture_request *request)
{
	const struct text text = given(ctx, PARAMETER_STAGE);
	const char *names[64];
	size_t count = 0, longest = 0;
	if (!text.bytes)
		return true;
	for (const char *name; count < 64 && (name = cube_mask_stage(count)) != NULL; count++) {
		const size_t length = strlen(name);
		names[count] = name;
		if (length > longest && length <= text.length &&
		    memcmp(name, text.bytes, length) == 0)
			longest = length;
	}
	const char *rest = text.bytes + longest;
	rest += longest > 0 && *rest == '-';
	int hold;
	if (longest == 0 || (*rest && !cube_rotation_parse(rest, strlen(rest), &hold))) {
		const struct json_place place = {.parameter = "stage"};
		return input_unknown(ctx, &place, text, "stage", names, count);
	}
	char *mask = ctx_alloc(ctx, text.length + 2);
	if (!mask)
		return false;
	memcpy(mask, text.bytes, longest);
	mask[longest] = '\0';
	if (*rest) {
		mask[longest] = '-';
		memcpy(mask + longest + 1, rest, strlen(rest) + 1);
	}
	request->mask = (struct text){mask, strlen(mask)};
	return true;
}

/* ---- the state ---- */

static bool read_facelet(char letter, uint8_t *shown)
{
	const char *face =
		letter ? memchr(cube_face_letters, toupper((unsigned char)letter), CUBE_FACES)
		       : NULL;
	if (face)
		*shown = (uint8_t)(face - cube_face_letters);
	else
		*shown = letter == 'n'   ? CUBE_SHOWN_GREY
			 : letter == 'o' ? CUBE_SHOWN_LIGHT
			 : letter == 't' ? CUBE_SHOWN_HIDDEN
					 : PAINTING_NONE;
	return *shown != PAINTING_NONE;
}

/* Letters of colours, of which the picture has as many as a cube, and two greys. */
static bool read_colored(struct cube_picture *picture, const char *letters, size_t length,
			 uint8_t *shown)
{
	char known[CUBE_FACES];
	size_t count = 0;
	for (size_t i = 0; i < length; i++) {
		const char letter = letters[i];
		const char *before = memchr(known, letter, count);
		uint32_t color;
		if (letter == 't') {
			shown[i] = CUBE_SHOWN_HIDDEN;
		} else if (letter == 'l' || letter == 's') {
			shown[i] = letter == 'l' ? CUBE_SHOWN_GREY : CUBE_SHOWN_LIGHT;
		} else if (before) {
			shown[i] = (uint8_t)(before - known);
		} else {
			if (count == CUBE_FACES || !cube_picture_color_parse(&letter, 1, &color))
				return false;
			picture->colors[count] = color;
			shown[i] = (uint8_t)count;
			known[count++] = letter;
		}
	}
	return true;
}

static bool read_stickers(struct context *ctx, struct image *image)
{
	struct picture_request *request = &image->picture;
	const struct text fc = given(ctx, PARAMETER_FC), fd = given(ctx, PARAMETER_FD);
	const struct text text = fc.bytes ? fc : fd;
	const size_t count = cube_facelets(image->cube.size);
	const char *name = fc.bytes ? "fc" : "fd";
	const bool trans = request->picture.view == CUBE_PICTURE_TRANS;
	char detail[128];
	if (!text.bytes)
		return true;
	if (text.length != count) {
		snprintf(detail, sizeof detail,
			 "Must have %zu letters, one for each facelet; has %zu.", count,
			 text.length);
		return query_problem(ctx, name, detail, "a letter for each facelet", NULL);
	}
	request->painting = ctx_alloc(ctx, count);
	request->painted = count;
	if (!request->painting)
		return false;
	if (fc.bytes && !read_colored(&request->picture, text.bytes, count, request->painting))
		return query_problem(ctx, name,
				     "Must be letters of colours, at most six different ones "
				     "beside l, s and t.",
				     "letters from n d l s w y r o b g m p t", NULL);
	for (size_t i = 0; fd.bytes && !fc.bytes && i < count; i++) {
		if (!read_facelet(text.bytes[i], &request->painting[i])) {
			snprintf(detail, sizeof detail, "Unknown facelet at character %zu.", i + 1);
			return query_problem(ctx, name, detail, "letters from u d l r f b n o t",
					     NULL);
		}
		/* Undefined stickers are not shown at all. */
		if (trans && request->painting[i] == CUBE_SHOWN_GREY)
			request->painting[i] = CUBE_SHOWN_HIDDEN;
	}
	return true;
}

/* Moves are written without spaces there: "RU2R'" is R U2 R'. */
static bool read_algorithm(struct context *ctx, struct image *image)
{
	const struct text alg = given(ctx, PARAMETER_ALG), solution = given(ctx, PARAMETER_CASE);
	const struct text text = solution.bytes ? solution : alg;
	if (alg.bytes && solution.bytes)
		return query_problem(ctx, "case", "Send alg or case, not both.", "alg or case",
				     NULL);
	if (!text.bytes)
		return true;
	char *moves = ctx_alloc(ctx, 2 * text.length + 1);
	if (!moves)
		return false;
	size_t length = 0;
	for (size_t i = 0; i < text.length; i++) {
		if (i > 0 && strchr("UDLRFBudlrfbMESxyz", text.bytes[i]) &&
		    strchr("UDLRFBudlrfbMESxyzw2'3", text.bytes[i - 1]))
			moves[length++] = ' ';
		moves[length++] = text.bytes[i];
	}
	moves[length] = '\0';
	image->cube.moves.text = (struct text){moves, length};
	image->cube.moves.parameter = solution.bytes ? "case" : "alg";
	image->inverse = solution.bytes != NULL;
	return true;
}
