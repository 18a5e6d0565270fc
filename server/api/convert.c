/* convert.c: POST /v1/convert: a cube in other forms, or many, a line each. POST /v1/validate:
 * whether there can be such a cube. */
#include "server/api/batch.h"
#include "server/api/input.h"
#include "server/api/negotiate.h"
#include "server/api/routes.h"

/* Of a line of moves on the largest cube, by the byte: see moves_cost. */
#define LINE_BYTE_NS 10030

struct convert {
	struct cube_request cube; /* first: cube_resolve hands it back as work->data */
	struct cube_view view;
};

/* The body {"cube": ...}; none is the default cube. */
static bool read_cube(struct work *work, struct convert *convert)
{
	struct input_value *cube = NULL;
	const struct input_member member = {"cube", INPUT_OBJECT, &cube, 0, 0};
	if (!input_object(work, work->body, "", &member, 1))
		return false;
	bool read =
		cube ? cube_request_read(work, cube, "/cube", &convert->cube)
		     : cube_request_solved(work, cube_size_default(work), "/cube", &convert->cube);
	convert->cube.paint = true;
	return read;
}

static uint64_t convert_cost(const struct work *work)
{
	const struct convert *convert = work->data;
	return moves_cost(&convert->cube.moves, convert->cube.size) +
	       cube_facelets(convert->cube.size) * 20 +
	       cube_view_cost(work, &convert->view, convert->cube.size);
}

/* Writes {"cube": ...}. Any thread. */
static bool write_converted(struct work *work, const struct cube_request *cube,
			    const struct cube_view *view)
{
	if (!cube_view_fits(work, view, cube->size) ||
	    (cube_view_pieces(view) && !cube_request_possible(work, cube)) ||
	    (cube->format && cube->format->pieces && !cube_request_possible(work, cube)) ||
	    !cube_request_turn(work, cube))
		return false;
	if (cube_reply_text(work, cube->cube, view, 200))
		return true;
	struct out out = {.buffer = &work->request->reply.body};
	out_open(&out, '{');
	out_key(&out, "cube");
	cube_write(&out, cube->cube, view, cube->known);
	out_close(&out, '}');
	work_reply_json(work, 200);
	return true;
}

static void convert_compute(struct work *work)
{
	const struct convert *convert = work->data;
	/* One line is what JSON is, too. */
	if (write_converted(work, &convert->cube, &convert->view) && work->media == MEDIA_NDJSON)
		work->request->reply.content_type = media_type(MEDIA_NDJSON);
}

static void convert_resolved(struct work *work)
{
	work_compute(work, convert_cost(work), convert_compute, NULL);
}

/* ---- lines ---- */

/* Appends the line; a long one becomes the piece itself. */
static void take_line(struct buffer *line, struct buffer *piece)
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

static void convert_line(struct batch_stream *stream, struct batch_item *item, struct buffer *piece)
{
	const struct cube_view *view = stream->data;
	struct cube_request *cube = &item->cube;
	bool read = batch_read(item);
	cube->paint = true;
	if (read && cube_request_make(&item->work, cube) &&
	    write_converted(&item->work, cube, view)) {
		take_line(&item->request.reply.body, piece);
	} else {
		batch_error_write(item, piece);
	}
}

static void convert_lines(struct work *work, struct cube_view *view)
{
	struct batch_stream *stream = work_take(work, sizeof *stream);
	if (!stream) {
		work_answer(work);
		return;
	}
	*stream = (struct batch_stream){.batch = {.work = work,
						 .byte_ns = LINE_BYTE_NS,
						 .size = CUBE_SIZE_MAX},
					.stream = {.length = UINT64_MAX},
					.write = convert_line,
					.data = view};
	batch_stream_start(stream, media_type(MEDIA_NDJSON));
}

void convert_handle(struct work *work)
{
	struct convert *convert = work_take(work, sizeof *convert);
	if (convert)
		*convert = (struct convert){.cube = {.at = -1}};
	if (!convert || !cube_view_read(work, &convert->view) ||
	    (!work->lines && !read_cube(work, convert)))
		work_answer(work);
	else if (work->lines)
		convert_lines(work, &convert->view);
	else
		cube_resolve(work, &convert->cube, convert_resolved);
}

/* ---- POST /v1/validate ---- */

static void validate_compute(struct work *work)
{
	const struct convert *convert = work->data;
	const struct cube_request *cube = &convert->cube;
	bool possible = cube->known != CUBE_IMPOSSIBLE;
	struct out out = {.buffer = &work->request->reply.body};
	if (!cube_view_fits(work, &convert->view, cube->size) || !cube_request_turn(work, cube))
		return;
	out_open(&out, '{');
	out_key(&out, "possible");
	out_bool(&out, possible);
	if (!cube_problems_write(work, &out, cube))
		return;
	out_key(&out, "rotation");
	out_string(&out, possible ? cube_hold_moves(cube_hold_of(cube->cube)) : NULL);
	out_key(&out, "cube");
	cube_write(&out, cube->cube, &convert->view, cube->known);
	out_close(&out, '}');
	work_reply_json(work, 200);
}

static void validate_resolved(struct work *work)
{
	work_compute(work, convert_cost(work), validate_compute, NULL);
}

void validate_handle(struct work *work)
{
	struct convert *convert = work_take(work, sizeof *convert);
	if (convert)
		*convert = (struct convert){.cube = {.at = -1}};
	if (convert && cube_view_read(work, &convert->view) && read_cube(work, convert))
		cube_resolve(work, &convert->cube, validate_resolved);
	else
		work_answer(work);
}
