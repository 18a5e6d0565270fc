/* features.c: POST /v1/features: many 3x3x3 cubes as rows of 364 numbers, for a neural network.
 *
 * In: {"cubes": [...]} or lines. Out, by Accept: an array of rows, one row a line, the bare
 * numbers, or a NumPy file. Only lines to lines report a wrong cube in its place; everything else
 * is refused as a whole, so all cubes are checked first, and made again for the answer. */
#include "cube/cube.h"
#include "server/api/cubes/feature_rows.h"
#include "server/api/input/batch.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/util/container_of.h"

/* Reading a cube, per byte: JSON, moves on a 3x3x3, and the check. */
#define CUBE_BYTE_NS 100

struct features {
	struct batch_stream stream; /* first: stream_start and ctx->data */
	const struct feature_dtype *dtype;
	struct batch begin; /* the batch before its first cube */
	size_t rows;
	bool each; /* an error takes its cube's place */
};

static bool features_read(struct context *ctx, struct features *features);
static void features_write(struct batch_stream *stream, struct batch_item *item,
			   struct buffer *piece);
static bool make_cube(struct batch_item *item);
static void features_begin(struct batch_stream *stream, struct buffer *piece);
static void features_end(struct batch_stream *stream, struct buffer *piece);
static void features_start(struct context *ctx);
static void features_check(struct context *ctx);
static bool find_cubes(struct context *ctx, struct batch *batch);
static void refuse_cube(struct batch *batch, struct batch_item *item);
static void features_checked(struct context *ctx);

void features_handle(struct context *ctx)
{
	struct features *features = ctx_alloc(ctx, sizeof *features);
	if (features)
		*features = (struct features){0};
	if (!features || !features_read(ctx, features)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = features;
	if (features->each)
		features_start(ctx);
	else
		ctx_compute(ctx, ctx->request->body_length * (PARSE_BYTE_NS + CUBE_BYTE_NS),
			    features_check, features_checked);
}

static bool features_read(struct context *ctx, struct features *features)
{
	struct batch *batch = &features->begin;
	*batch =
		(struct batch){.ctx = ctx, .pointer = "/cubes", .byte_ns = CUBE_BYTE_NS, .size = 3};
	features->each = ctx->lines && ctx->media == MEDIA_NDJSON;
	features->stream.stream.length = UINT64_MAX;
	features->stream.write = features_write;
	features->stream.begin = features_begin;
	features->stream.end = features_end;
	return feature_dtype_read(ctx, &features->dtype);
}

static void features_write(struct batch_stream *stream, struct batch_item *item,
			   struct buffer *piece)
{
	struct features *features = container_of(stream, struct features, stream);
	enum media media = stream->batch.ctx->media;
	if (!make_cube(item)) {
		/* All cubes were checked, so this is a lack of memory. */
		if (features->each)
			batch_error_write(item, piece);
		else
			piece->failed = true;
		return;
	}
	if (feature_media_is_bare(media)) {
		feature_numbers_write(features->dtype, item->cube.cube, piece);
		return;
	}
	if (media == MEDIA_JSON && features->rows++ > 0)
		buffer_add(piece, ",", 1);
	feature_row_write(item->cube.cube, piece);
	if (media == MEDIA_NDJSON)
		buffer_add(piece, "\n", 1);
}

static bool make_cube(struct batch_item *item)
{
	struct input_cube *cube = &item->cube;
	if (!batch_read(item) || (cube->size == 0 && !input_cube_make(&item->ctx, cube)))
		return false;
	if (cube->size != 3)
		return input_problem(&item->ctx, item->pointer,
				     "Features are of a 3x3x3; this cube has another size.",
				     "size 3", NULL);
	return (cube->cube || input_cube_make(&item->ctx, cube)) &&
	       input_cube_turn(&item->ctx, cube);
}

static void features_begin(struct batch_stream *stream, struct buffer *piece)
{
	struct features *features = container_of(stream, struct features, stream);
	if (stream->batch.ctx->media == MEDIA_NPY)
		feature_head_write(features->dtype, features->rows, piece);
	if (stream->batch.ctx->media == MEDIA_JSON)
		buffer_add(piece, "[", 1);
	features->rows = 0;
}

static void features_end(struct batch_stream *stream, struct buffer *piece)
{
	if (stream->batch.ctx->media == MEDIA_JSON)
		buffer_add(piece, "]\n", 2);
}

static void features_start(struct context *ctx)
{
	struct features *features = ctx->data;
	struct stream *stream = &features->stream.stream;
	if (feature_media_is_bare(ctx->media))
		stream->length = feature_rows_bytes(ctx->media, features->dtype, features->rows);
	features->stream.batch = features->begin;
	batch_stream_start(&features->stream, media_type(ctx->media));
}

/* Counts the rows, or refuses the request for the first wrong cube. Any thread. */
static void features_check(struct context *ctx)
{
	struct features *features = ctx->data;
	struct batch *batch = &features->stream.batch;
	struct batch_item item;
	if (!ctx->lines && !find_cubes(ctx, &features->begin))
		return;
	*batch = features->begin;
	while (ctx->request->reply.status == 0 && batch_next(batch, &item)) {
		if (make_cube(&item))
			features->rows++;
		else
			refuse_cube(batch, &item);
		batch_item_finish(&item);
	}
}

/* The array of cubes: where it stands, or parsed; or the one cube. */
static bool find_cubes(struct context *ctx, struct batch *batch)
{
	const struct json_member members[] = {{"cubes", JSON_ITEMS, &batch->array, 0, 0},
					      {"cube", JSON_ANY, &batch->one, 0, 0}};
	if (batch_list(batch, "\"cubes\""))
		return true;
	if (!input_parse(ctx) || !cube_body_read(ctx, members, 2, &batch->one))
		return false;
	if (batch->array && batch->one)
		return input_problem(ctx, "/cube", "Send either cubes or cube.",
				     "no cube beside cubes", NULL);
	return batch->array || batch->one ||
	       input_problem(ctx, "/cubes",
			     "cubes is required, for example {\"cubes\": [{\"moves\": \"R\"}]}.",
			     "an array of cubes", NULL);
}

/* If the body is not valid JSON, report that, not how this cube looks then. */
static void refuse_cube(struct batch *batch, struct batch_item *item)
{
	struct context *ctx = batch->ctx;
	if (!batch->list || item->request.reply.problem == 1 + PROBLEM_OUT_OF_MEMORY ||
	    input_parse(ctx))
		batch_refuse(batch, item);
}

static void features_checked(struct context *ctx)
{
	if (ctx->request->reply.status != 0)
		ctx_answer(ctx);
	else
		features_start(ctx);
}
