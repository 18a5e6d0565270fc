/* image.c: GET /v1/image.svg and .png: a picture of a cube, for pages and documents. Its URL says
 * everything, so a picture without a session may be cached. And the same of a session's cube. */
#include "cube/cube.h"
#include "server/api/cubes/image.h"

#include "server/api/request/handlers.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/etag.h"

static bool image_read(struct context *ctx, struct image *image);
static bool image_read_case(struct context *ctx, struct image *image);
static void image_compute(struct context *ctx);
static bool turn(struct context *ctx, struct image *image);
static void session_image_resolved(struct context *ctx);
static void session_image_compute(struct context *ctx);

void image_handle(struct context *ctx)
{
	struct image *image = ctx_alloc(ctx, sizeof *image);
	if (image)
		*image = (struct image){.cube = {.at = -1}};
	if (image && image_read(ctx, image))
		input_cube_resolve(ctx, &image->cube, image_resolved);
	else
		ctx_answer(ctx);
}

static bool image_read(struct context *ctx, struct image *image)
{
	if (!picture_read(ctx, &image->picture) || !picture_read_painting(ctx, &image->picture) ||
	    !input_cube_query(ctx, &image->cube))
		return false;
	image->cube.paint = true; /* impossible colours can be drawn too */
	image->cube.moves.text = ctx->query.value[PARAMETER_MOVES];
	return image_read_case(ctx, image) &&
	       moves_read_dialect(ctx, ctx->query.value[PARAMETER_NOTATION], NULL,
				  &image->cube.moves);
}

static bool image_read_case(struct context *ctx, struct image *image)
{
	const struct text solution = ctx->query.value[PARAMETER_CASE];
	if (!solution.bytes)
		return true;
	if (image->cube.moves.text.bytes)
		return query_problem(ctx, "case",
				     "Moves make the cube; case is the moves that solve it. Send "
				     "one of them.",
				     "moves or case", NULL);
	image->cube.moves.text = solution;
	image->cube.moves.parameter = "case";
	image->inverse = true;
	return true;
}

void image_resolved(struct context *ctx)
{
	const struct image *image = ctx->data;
	const int size = image->cube.size;
	const uint64_t moves = moves_cost(&image->cube.moves, size);
	ctx_compute(ctx, 2 * moves + picture_cost(ctx, &image->picture, size), image_compute, NULL);
}

static void image_compute(struct context *ctx)
{
	struct image *image = ctx->data;
	struct reply *reply = &ctx->request->reply;
	const struct format *format = image->cube.form.format;
	if ((format && format->pieces && !input_cube_possible(ctx, &image->cube)) ||
	    !turn(ctx, image))
		return;
	picture_reply(ctx, &image->picture, image->cube.cube, image->places);
	if (reply->status != 200)
		return;
	caching_follows(ctx);
	const uint64_t hash = etag_add_text(0, reply->content_type);
	const struct etag_state state =
		etag_of_hash(etag_add(hash, reply->body.bytes, reply->body.length));
	etag_reply(ctx, &state);
	if (etag_unchanged(ctx)) {
		buffer_free(&reply->body);
		reply->content_type = NULL;
	}
}

/* Turns the cube and, if stickers are known by their places only, a solved one as well. */
static bool turn(struct context *ctx, struct image *image)
{
	const int size = image->cube.size;
	const bool by_places =
		image->by_places || image->picture.painting || image->cube.known == CUBE_IMPOSSIBLE;
	struct cube_alg alg;
	if (by_places) {
		image->places = ctx_alloc(ctx, cube_bytes(size));
		if (!image->places)
			return false;
		cube_init(image->places, size);
	}
	if (!moves_read(ctx, &image->cube.moves, size, &alg))
		return false;
	if (image->inverse) {
		struct cube_node *nodes = ctx_alloc(ctx, (alg.count + 1) * sizeof *nodes);
		struct cube_alg inverse;
		if (!nodes)
			return false;
		cube_alg_inverse(&alg, nodes, &inverse);
		alg = inverse;
	}
	return cube_turn_by(ctx, image->cube.cube, &alg) &&
	       (!image->places || cube_turn_by(ctx, image->places, &alg));
}

/* ---- of a session ---- */

void session_image_handle(struct context *ctx)
{
	struct image *image = ctx_alloc(ctx, sizeof *image);
	if (!image) {
		ctx_answer(ctx);
		return;
	}
	*image = (struct image){
		.cube = {.source = CUBE_OF_SESSION, .session = ctx->visit.id, .at = -1}};
	if (picture_read(ctx, &image->picture) &&
	    query_integer(ctx, PARAMETER_AT, 0, UINT32_MAX - 1, &image->cube.at))
		input_cube_resolve(ctx, &image->cube, session_image_resolved);
	else
		ctx_answer(ctx);
}

static void session_image_resolved(struct context *ctx)
{
	struct image *image = ctx->data;
	const struct etag_state state =
		etag_of_session(etag_about(&ctx->visit.session->meta), ctx->visit.snapshot);
	const uint64_t shown = image->cube.at >= 0 ? (uint64_t)image->cube.at + 1 : 0;
	etag_reply_session(ctx, &state, ETAG_CUBE, NULL,
			   etag_add_number(image->picture.hash, shown));
	if (etag_unchanged(ctx))
		ctx_answer(ctx);
	else
		ctx_compute(ctx, picture_cost(ctx, &image->picture, image->cube.cube->size),
			    session_image_compute, NULL);
}

/* From a snapshot, which does not change. Any thread. */
static void session_image_compute(struct context *ctx)
{
	struct image *image = ctx->data;
	picture_reply(ctx, &image->picture, image->cube.cube, NULL);
	if (ctx->request->reply.status != 200)
		ctx->request->reply.etag = NULL;
}
