/* answer_view.c: what the query asks for in the cubes of the answer. */
#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/pattern.h"
#include "server/api/input/answer_view.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/input/picture.h"
#include "server/api/request/media.h"
#include "server/api/request/route.h"

static bool unknown_format(struct context *ctx, const char *name, size_t length)
{
	static const struct json_place place = {.parameter = "as"};
	const char *names[FORMATS_MAX + 1];
	for (size_t i = 0; i < format_count; i++)
		names[i] = formats[i].name;
	names[format_count] = "none";
	return input_unknown(ctx, &place, (struct text){name, length}, "format", names,
			     format_count + 1);
}

static bool read_as(struct context *ctx, struct answer_view *view)
{
	const char *at = ctx->query.value[PARAMETER_AS].bytes;
	view->none = at && text_names(ctx->query.value[PARAMETER_AS], "none");
	while (at && !view->none) {
		size_t length = strcspn(at, ","), i = 0;
		while (i < format_count && !text_names((struct text){at, length}, formats[i].name))
			i++;
		if (i == format_count)
			return unknown_format(ctx, at, length);
		view->as |= 1u << i;
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

static bool read_order(struct context *ctx, struct answer_view *view)
{
	const struct text *name = &ctx->query.value[PARAMETER_ORDER];
	static const struct json_place place = {.parameter = "order"};
	const char *names[CUBE_PIECE_ORDERS];
	uint8_t index;
	if (!name->bytes)
		return true;
	for (int i = 0; i < CUBE_PIECE_ORDERS; i++)
		names[i] = cube_piece_order_name((enum cube_piece_order)i);
	if (!input_place_choice(ctx, &place, *name, "order of pieces", names, CUBE_PIECE_ORDERS,
				&index))
		return false;
	view->options.order = (enum cube_piece_order)index;
	return true;
}

static bool asks_for(const struct answer_view *view, format_writer *write)
{
	for (size_t i = 0; i < format_count; i++)
		if (view->as >> i & 1 && formats[i].write == write)
			return true;
	return false;
}

/* The pieces of which ranks are wanted: "URF,UF". */
static bool read_pieces(struct context *ctx, struct answer_view *view)
{
	static const struct json_place place = {.parameter = "pieces"};
	const char *at = ctx->query.value[PARAMETER_PIECES].bytes;
	view->options.pieces.size = 3;
	if (at && !asks_for(view, format_ranks_write))
		return query_problem(ctx, "pieces",
				     "pieces is for the format ranks; send as=ranks too.",
				     "pieces together with as=ranks", NULL);
	while (at) {
		const size_t length = strcspn(at, ",");
		if (!format_piece_add(&ctx->json, &place, (struct text){at, length},
				      &view->options.pieces))
			return input_refuse(ctx);
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

/* A 2x2x2 has fewer pieces. */
static bool pieces_fit(struct context *ctx, const struct cube_piece_list *pieces, int size)
{
	bool fit = size != 2 || pieces->edges == 0;
	for (int i = 0; i < pieces->corners; i++)
		fit &= cube_piece_can_be_listed(size, pieces->corner[i]);
	return fit || query_problem(ctx, "pieces",
				    "A 2x2x2 has no edges, and its corner DBL is always home; name "
				    "its other corners.",
				    "corners but DBL, such as URF", NULL);
}

/* Returns true if the Prefer header has return=minimal (RFC 7240). */
static bool prefers_minimal(const char *header)
{
	static const char minimal[] = "return=minimal";
	const size_t length = strlen(minimal);
	for (const char *at = header; at && *at; at += strcspn(at, ",")) {
		at += strspn(at, ", \t");
		/* The NUL counts as an end, too. */
		if (strncasecmp(at, minimal, length) == 0 && strchr(", \t;", at[length]))
			return true;
	}
	return false;
}

bool answer_view_read(struct context *ctx, struct answer_view *view)
{
	*view = (struct answer_view){0};
	const struct text *color = &ctx->query.value[PARAMETER_COLOR];
	if (color->bytes) {
		view->color = text_names(*color, "always");
		if (!view->color && !text_names(*color, "never"))
			return query_problem(ctx, "color", "Must be always or never.",
					     "always or never", NULL);
	}
	if (!read_as(ctx, view) || !read_order(ctx, view) || !read_pieces(ctx, view) ||
	    !picture_read_look(ctx, &view->picture))
		return false;
	if (route_changes(ctx->route) && prefers_minimal(ctx->request->header[HEADER_PREFER]))
		view->none = ctx->request->reply.minimal = true;
	return true;
}

bool answer_view_read_lean(struct context *ctx, struct answer_view *view)
{
	if (!answer_view_read(ctx, view))
		return false;
	view->none = view->none || !ctx->query.value[PARAMETER_AS].bytes;
	return true;
}

bool answer_view_fits(struct context *ctx, const struct answer_view *view, int size)
{
	for (size_t i = 0; i < format_count; i++) {
		if (!(view->as >> i & 1) || format_serves(&formats[i], size))
			continue;
		char sizes[FORMAT_SIZES_BYTES], detail[128];
		format_sizes(&formats[i], sizes);
		snprintf(detail, sizeof detail, "The format %s is for %s; the cube is a %dx%dx%d.",
			 formats[i].name, sizes, size, size, size);
		return query_problem(ctx, "as", detail, sizes, NULL);
	}
	return pieces_fit(ctx, &view->options.pieces, size);
}

bool reply_cube_text(struct context *ctx, const struct cube *cube, const struct answer_view *view,
		     unsigned status)
{
	struct reply *reply = &ctx->request->reply;
	const bool picture = ctx->media == MEDIA_SVG;
	if (!picture && ctx->media != MEDIA_TEXT)
		return false;
	uint8_t *shown = picture ? ctx_alloc(ctx, cube_facelets(cube->size)) : NULL;
	if (picture && !shown)
		return true;
	char *room =
		buffer_room(&reply->body, picture ? cube_picture_bytes(&view->picture, cube->size)
						  : cube_net_bytes(cube->size, view->color));
	if (room && picture) {
		cube_colors(cube, shown);
		reply->body.length += cube_picture_print(&view->picture, cube->size, shown, room);
	} else if (room) {
		reply->body.length += cube_net_print(cube, view->color, room);
	}
	reply->status = status;
	reply->content_type = media_type(ctx->media);
	return true;
}

/* Per facelet of a net; measured by tests/bench/views.c. */
#define WRITTEN_NS 3
/* The time for testing that the cube is solved and home, which every JSON answer says. */
#define LOOKED_NS 1

uint64_t answer_view_cost(const struct context *ctx, const struct answer_view *view, int size)
{
	uint64_t each = LOOKED_NS;
	if (view->none && ctx->media == MEDIA_JSON)
		return 0;
	for (uint32_t as = view->as | 1u << FORMAT_ALWAYS; as; as &= as - 1) {
		const struct format *format = &formats[__builtin_ctz(as)];
		each += format_serves(format, size) ? format->write_ns : 0;
	}
	if (ctx->media == MEDIA_SVG)
		return picture_text_cost(&view->picture, size);
	if (ctx->media == MEDIA_TEXT)
		each = WRITTEN_NS;
	return each * cube_facelets(size);
}
