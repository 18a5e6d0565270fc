/* image.c: GET /v1/image.svg: a picture of a cube, for pages and documents. What is asked of it is
 * all in its address, so that one of no session may be kept by whoever shows it. */
#include "server/api/cube_in.h"
#include "server/api/cube_out.h"
#include "server/api/routes.h"

struct image {
	struct cube_request cube; /* first: cube_resolve hands it back as work->data */
	struct cube_view view;
};

static void image_compute(struct work *work)
{
	const struct image *image = work->data;
	const struct format *format = image->cube.format;
	if ((format && format->pieces && !cube_request_possible(work, &image->cube)) ||
	    !cube_request_turn(work, &image->cube))
		return;
	cube_reply_text(work, image->cube.cube, &image->view, 200);
	if (image->cube.source != CUBE_OF_SESSION)
		work->request->reply.cache = "public, max-age=86400";
}

static void image_resolved(struct work *work)
{
	const struct image *image = work->data;
	int size = image->cube.size;
	work_compute(work, moves_cost(&image->cube.moves, size) + cube_view_cost(work, &image->view, size),
		     image_compute, NULL);
}

static bool image_read(struct work *work, struct image *image)
{
	if (!cube_view_read(work, &image->view) || !cube_request_query(work, &image->cube))
		return false;
	image->cube.paint = true; /* colours that are no cube can be drawn too */
	image->cube.moves.text = work->query.value[PARAMETER_MOVES];
	return moves_take_dialect(work, work->query.value[PARAMETER_NOTATION], NULL,
				  &image->cube.moves);
}

void image_handle(struct work *work)
{
	struct image *image = work_take(work, sizeof *image);
	if (image)
		*image = (struct image){.cube = {.at = -1}};
	if (image && image_read(work, image))
		cube_resolve(work, &image->cube, image_resolved);
	else
		work_answer(work);
}
