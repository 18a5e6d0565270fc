/* convert.c: POST /v1/convert: a cube in other forms, or many, one a line. POST /v1/validate:
 * whether a cube is possible. */
#include "cube/cube.h"
#include "cube/hold.h"
#include "server/api/input/batch.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/answer_view.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/steps/caching.h"

/* The cost per byte of a line of moves on the largest cube: see moves_cost. */
#define LINE_BYTE_NS 10030

struct convert {
	struct input_cube cube; /* first: input_cube_resolve passes it back as ctx->data */
	struct answer_view view;
};

static bool read_cube(struct context *ctx, struct convert *convert);
static void convert_lines(struct context *ctx, struct answer_view *view);
static void convert_line(struct batch_stream *stream, struct batch_item *item,
			 struct buffer *piece);
static bool write_converted(struct context *ctx, const struct input_cube *cube,
			    const struct answer_view *view);
static void read_line(struct buffer *line, struct buffer *piece);
static void convert_resolved(struct context *ctx);
static uint64_t convert_cost(const struct context *ctx);
static void convert_compute(struct context *ctx);
static void validate_resolved(struct context *ctx);
static void validate_compute(struct context *ctx);

void convert_handle(struct context *ctx)
{
	struct convert *convert = ctx_alloc(ctx, sizeof *convert);
	caching_follows(ctx);
	if (convert)
		*convert = (struct convert){.cube = {.at = -1}};
	if (!convert || !answer_view_read(ctx, &convert->view) ||
	    (!ctx->lines && !read_cube(ctx, convert)))
		ctx_answer(ctx);
	else if (ctx->lines)
		convert_lines(ctx, &convert->view);
	else
		input_cube_resolve(ctx, &convert->cube, convert_resolved);
}

/* Reads the body; an empty one is a solved cube. */
static bool read_cube(struct context *ctx, struct convert *convert)
{
	struct json_value *cube = NULL;
	const struct json_member member = {"cube", JSON_ANY, &cube, 0, 0};
	bool read = cube_body_read(ctx, &member, 1, &cube);
	read = input_cube_member(ctx, cube, "/cube", &convert->cube) && read;
	convert->cube.paint = true;
	return read;
}

static void convert_lines(struct context *ctx, struct answer_view *view)
{
	struct batch_stream *stream = ctx_alloc(ctx, sizeof *stream);
	if (!stream) {
		ctx_answer(ctx);
		return;
	}
	*stream = (struct batch_stream){
		.batch = {.ctx = ctx, .byte_ns = LINE_BYTE_NS, .size = CUBE_SIZE_MAX},
		.stream = {.length = UINT64_MAX},
		.write = convert_line,
		.data = view};
	batch_stream_start(stream, media_type(MEDIA_NDJSON));
}

static void convert_line(struct batch_stream *stream, struct batch_item *item, struct buffer *piece)
{
	const struct answer_view *view = stream->data;
	struct input_cube *cube = &item->cube;
	bool read = batch_read(item);
	cube->paint = true;
	if (read && input_cube_make(&item->ctx, cube) && write_converted(&item->ctx, cube, view)) {
		read_line(&item->request.reply.body, piece);
	} else {
		batch_error_write(item, piece);
	}
}

/* Writes {"cube": ...}. Any thread. */
static bool write_converted(struct context *ctx, const struct input_cube *cube,
			    const struct answer_view *view)
{
	if (!answer_view_fits(ctx, view, cube->size) ||
	    (answer_view_pieces(view) && !input_cube_possible(ctx, cube)) ||
	    (cube->form.format && cube->form.format->pieces && !input_cube_possible(ctx, cube)) ||
	    !input_cube_turn(ctx, cube))
		return false;
	if (reply_cube_text(ctx, cube->cube, view, 200))
		return true;
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	out_cube_member(&out, cube->cube, view, cube->known);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	return true;
}

/* Appends the line; a long one becomes the piece itself. */
static void read_line(struct buffer *line, struct buffer *piece)
{
	if (piece->length > 0 || line->length < PIECE_BYTES || line->failed) {
		buffer_add(piece, line->bytes, line->length);
		piece->failed = piece->failed || line->failed;
		return;
	}
	buffer_free(piece);
	*piece = *line;
	*line = (struct buffer){.charge = piece->charge};
}

static void convert_resolved(struct context *ctx)
{
	ctx_compute(ctx, convert_cost(ctx), convert_compute, NULL);
}

static uint64_t convert_cost(const struct context *ctx)
{
	const struct convert *convert = ctx->data;
	return moves_cost(&convert->cube.moves, convert->cube.size) +
	       cube_facelets(convert->cube.size) * 20 +
	       answer_view_cost(ctx, &convert->view, convert->cube.size);
}

static void convert_compute(struct context *ctx)
{
	const struct convert *convert = ctx->data;
	/* JSON is written as one line, too. */
	if (write_converted(ctx, &convert->cube, &convert->view) && ctx->media == MEDIA_NDJSON)
		ctx->request->reply.content_type = media_type(MEDIA_NDJSON);
}

void validate_handle(struct context *ctx)
{
	struct convert *convert = ctx_alloc(ctx, sizeof *convert);
	caching_follows(ctx);
	if (convert)
		*convert = (struct convert){.cube = {.at = -1}};
	if (convert && answer_view_read(ctx, &convert->view) && read_cube(ctx, convert))
		input_cube_resolve(ctx, &convert->cube, validate_resolved);
	else
		ctx_answer(ctx);
}

static void validate_resolved(struct context *ctx)
{
	ctx_compute(ctx, convert_cost(ctx), validate_compute, NULL);
}

static void validate_compute(struct context *ctx)
{
	const struct convert *convert = ctx->data;
	const struct input_cube *cube = &convert->cube;
	bool possible = cube->known != CUBE_IMPOSSIBLE;
	struct out out = {.buffer = &ctx->request->reply.body};
	if (!answer_view_fits(ctx, &convert->view, cube->size) || !input_cube_turn(ctx, cube))
		return;
	out_open(&out, '{');
	out_member_bool(&out, "possible", possible);
	if (!cube_problems_write(ctx, &out, cube))
		return;
	out_member_string(&out, "rotation",
			  possible ? cube_hold_moves(cube_hold_of(cube->cube)) : NULL);
	out_cube_member(&out, cube->cube, &convert->view, cube->known);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}
