/* image.c: GET /v1/image.svg: a picture of a cube, for pages and documents. Its URL says
 * everything, so a picture without a session may be cached. */
#include "server/api/input/cube.h"
#include "server/api/input/cube_view.h"
#include "server/api/request/handlers.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"

struct image {
	struct cube_request cube; /* first: cube_resolve passes it back as ctx->data */
	struct cube_view view;
};

static bool image_read(struct context *ctx, struct image *image);
static void image_resolved(struct context *ctx);
static void image_compute(struct context *ctx);

void image_handle(struct context *ctx)
{
	struct image *image = ctx_alloc(ctx, sizeof *image);
	if (image)
		*image = (struct image){.cube = {.at = -1}};
	if (image && image_read(ctx, image))
		cube_resolve(ctx, &image->cube, image_resolved);
	else
		ctx_answer(ctx);
}

static bool image_read(struct context *ctx, struct image *image)
{
	if (!cube_view_read(ctx, &image->view) || !cube_request_query(ctx, &image->cube))
		return false;
	image->cube.paint = true; /* impossible colours can be drawn too */
	image->cube.moves.text = ctx->query.value[PARAMETER_MOVES];
	return moves_read_dialect(ctx, ctx->query.value[PARAMETER_NOTATION], NULL,
				  &image->cube.moves);
}

static void image_resolved(struct context *ctx)
{
	const struct image *image = ctx->data;
	int size = image->cube.size;
	ctx_compute(ctx,
		    moves_cost(&image->cube.moves, size) + cube_view_cost(ctx, &image->view, size),
		    image_compute, NULL);
}

static void image_compute(struct context *ctx)
{
	const struct image *image = ctx->data;
	const struct format *format = image->cube.form.format;
	if ((format && format->pieces && !cube_request_possible(ctx, &image->cube)) ||
	    !cube_request_turn(ctx, &image->cube))
		return;
	cube_reply_text(ctx, image->cube.cube, &image->view, 200);
	caching_follows(ctx);
}
