/* about.c: information about the server: formats, limits, health. */
#include <string.h>

#include "cube/poses.h"
#include "server/api/input/cube.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"
#include "server/format/format.h"
#include "server/json/writer.h"

static void write_format(struct out *out, const struct format *format, int64_t size_max);
static void write_orders(struct out *out);
static void write_names(struct out *out, const char *key, const char *names);
static void write_rotations(struct out *out);
static void write_limit(struct out *out, const char *name, uint64_t value, const char *unit,
			const char *meaning);
static void reply_status(struct context *ctx, const char *word, bool store);

void formats_handle(struct context *ctx)
{
	struct out out = {0};
	page_begin(ctx, &out);
	for (size_t i = 0; i < format_count; i++)
		write_format(&out, &formats[i], input_size_max(ctx));
	page_end_items(ctx, &out, 0);
	out_member_open(&out, "dialects", '[');
	for (int i = 0; i < CUBE_DIALECT_COUNT; i++) {
		out_open(&out, '{');
		out_member_string(&out, "name", cube_dialect_name((enum cube_dialect)i));
		out_member_string(&out, "text", cube_dialect_text((enum cube_dialect)i));
		out_close(&out, '}');
	}
	out_close(&out, ']');
	write_orders(&out);
	write_rotations(&out);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	ctx->request->reply.cache = caching_shared;
	ctx_answer(ctx);
}

static void write_format(struct out *out, const struct format *format, int64_t size_max)
{
	out_open(out, '{');
	out_member_string(out, "name", format->name);
	out_member_string(out, "media_type", format->media_type);
	out_member_string(out, "text", format->text);
	out_member_bool(out, "reads", format->read != NULL);
	out_member_bool(out, "writes", format->write != NULL);
	out_member_bool(out, "pieces", format->pieces != FORMAT_COLORS);
	out_range(out, "sizes", format->size_min,
		  format->size_max < size_max ? format->size_max : size_max);
	out_close(out, '}');
}

static void write_orders(struct out *out)
{
	out_member_open(out, "orders", '[');
	for (int i = 0; i < CUBE_PIECE_ORDERS; i++) {
		enum cube_piece_order order = (enum cube_piece_order)i;
		out_open(out, '{');
		out_member_string(out, "name", cube_piece_order_name(order));
		write_names(out, "corners", cube_piece_order_corners(order));
		write_names(out, "edges", cube_piece_order_edges(order));
		out_close(out, '}');
	}
	out_close(out, ']');
}

/* Names separated by spaces, as an array. */
static void write_names(struct out *out, const char *key, const char *names)
{
	out_member_open(out, key, '[');
	while (*names) {
		size_t length = strcspn(names, " ");
		out_bytes(out, names, length);
		names += length + strspn(names + length, " ");
	}
	out_close(out, ']');
}

/* By number, as in compact_poses. */
static void write_rotations(struct out *out)
{
	out_member_open(out, "rotations", '[');
	for (int i = 0; i < CUBE_HOLDS; i++) {
		int8_t matrix[3][3];
		cube_rotation_matrix(i, matrix);
		out_open(out, '{');
		out_member_string(out, "moves", cube_hold_moves(i));
		out_member_open(out, "matrix", '[');
		for (size_t row = 0; row < 3; row++)
			format_signed_write(out, matrix[row], 3);
		out_close(out, ']');
		out_close(out, '}');
	}
	out_close(out, ']');
}

void limits_handle(struct context *ctx)
{
	const struct limits *limits = &ctx->service->config.limits;
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	out_member_open(&out, "limits", '{');
#define LIMIT_WRITE(member, flag, value, unit, meaning)                                            \
	write_limit(&out, #member, limits->member, unit, meaning);
	LIMIT_TABLE(LIMIT_WRITE)
#undef LIMIT_WRITE
	out_close(&out, '}');
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	ctx->request->reply.cache = caching_shared;
	ctx_answer(ctx);
}

static void write_limit(struct out *out, const char *name, uint64_t value, const char *unit,
			const char *meaning)
{
	out_member_open(out, name, '{');
	out_key(out, "value");
	if (value == LIMIT_OFF)
		out_null(out);
	else
		out_integer(out, (int64_t)value);
	out_member_string(out, "unit", unit);
	out_member_string(out, "meaning", meaning);
	out_close(out, '}');
}

void health_handle(struct context *ctx)
{
	reply_status(ctx, "ok", false);
	ctx_answer(ctx);
}

/* {"status": "ok"}, or the word alone as plain text. */
static void reply_status(struct context *ctx, const char *word, bool store)
{
	struct reply *reply = &ctx->request->reply;
	struct out out = {.buffer = &reply->body};
	reply->cache = caching_none;
	if (ctx->media == MEDIA_TEXT) {
		buffer_text(&reply->body, word);
		buffer_add(&reply->body, "\n", 1);
		reply->status = 200;
		reply->content_type = media_type(MEDIA_TEXT);
		return;
	}
	out_open(&out, '{');
	out_member_string(&out, "status", word);
	if (store)
		out_member_string(&out, "store", "ok");
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

void ready_handle(struct context *ctx)
{
	struct store *store = ctx->service->store;
	enum store_status status = store->operations->health(store);
	if (atomic_load(&ctx->service->draining))
		problem_answer(ctx->request, PROBLEM_SHUTTING_DOWN,
			       "The server is about to stop. It still answers; send new requests "
			       "to another server, or try again in a moment.");
	else if (status == STORE_OK)
		reply_status(ctx, "ready", true);
	else
		ctx_store_problem(ctx, status);
	ctx_answer(ctx);
}
