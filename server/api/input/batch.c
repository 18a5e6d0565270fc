/* batch.c: many cubes in one request, one after the other. */
#include "server/api/input/batch.h"

#include <string.h>

#include "server/api/input/input.h"
#include "server/api/input/moves.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

/* The time that one piece may take, whatever its cubes cost. */
#define PIECE_NS 5000000

static void item_begin(const struct batch *batch, struct batch_item *item)
{
	const struct context *ctx = batch->ctx;
	*item = (struct batch_item){.number = batch->number, .pointer = ""};
	request_init(&item->request);
	request_join(&item->request, ctx->request);
	if (!ctx->lines) /* its problem may become that of the request */
		item->request.id = ctx->request->id;
	ctx_init(&item->ctx, ctx->service, &item->request);
	item->ctx.route = ctx->route;
	item->ctx.query = ctx->query;
}

static bool is_blank(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
			return false;
	return true;
}

/* The bytes up to the end of the line that begins at `at`. */
static size_t line_length(const struct request *request, size_t at)
{
	const char *line = request->body + at;
	const char *end = memchr(line, '\n', request->body_length - at);
	return end ? (size_t)(end - line) : request->body_length - at;
}

static bool next_line(struct batch *batch, struct batch_item *item)
{
	const struct request *request = batch->ctx->request;
	while (batch->at < request->body_length) {
		const char *line = request->body + batch->at;
		size_t length = line_length(request, batch->at);
		batch->at += length + 1;
		batch->number++;
		if (is_blank(line, length))
			continue;
		item_begin(batch, item);
		item->request.body = line;
		item->request.body_length = length;
		return true;
	}
	return false;
}

/* ---- an array, read in place ---- */

static size_t skip_blanks(const struct request *request, size_t at)
{
	const char *body = request->body;
	while (at < request->body_length &&
	       (body[at] == ' ' || body[at] == '\t' || body[at] == '\r' || body[at] == '\n'))
		at++;
	return at;
}

/* The position after the object that begins at `at`; 0 if it does not end. */
static size_t object_end(const struct request *request, size_t at)
{
	const char *body = request->body;
	size_t depth = 0;
	bool string = false;
	for (; at < request->body_length; at++) {
		if (string) {
			if (body[at] == '\\')
				at++;
			else
				string = body[at] != '"';
		} else if (body[at] == '"') {
			string = true;
		} else if (body[at] == '{' || body[at] == '[') {
			depth++;
		} else if ((body[at] == '}' || body[at] == ']') && --depth == 0) {
			return at + 1;
		}
	}
	return 0;
}

/* The position after `text` and the white space around it; 0 if it is not there. */
static size_t skip_text(const struct request *request, size_t at, const char *text)
{
	const size_t length = strlen(text);
	at = skip_blanks(request, at);
	if (request->body_length - at < length || memcmp(request->body + at, text, length) != 0)
		return 0;
	return skip_blanks(request, at + length);
}

/* The position after the array; 0 if it is not well formed. `at` is after its bracket. */
static size_t list_end(const struct request *request, size_t at)
{
	size_t next = skip_text(request, at, "]");
	if (next)
		return next;
	for (;;) {
		if (at == request->body_length || request->body[at] != '{')
			return 0;
		at = object_end(request, at);
		if (!at)
			return 0;
		next = skip_text(request, at, ",");
		if (!next)
			return skip_text(request, at, "]");
		at = next;
	}
}

bool batch_list(struct batch *batch, const char *name)
{
	const struct request *request = batch->ctx->request;
	size_t at = skip_text(request, 0, "{"), end = 0;
	at = at ? skip_text(request, at, name) : 0;
	at = at ? skip_text(request, at, ":") : 0;
	at = at ? skip_text(request, at, "[") : 0;
	end = at ? list_end(request, at) : 0;
	end = end ? skip_text(request, end, "}") : 0;
	batch->list = end == request->body_length && end > 0;
	batch->at = batch->list ? at : 0;
	return batch->list;
}

static bool next_in_list(struct batch *batch, struct batch_item *item)
{
	const struct request *request = batch->ctx->request;
	if (request->body[batch->at] != '{')
		return false;
	const size_t end = object_end(request, batch->at), next = skip_text(request, end, ",");
	batch->number++;
	item_begin(batch, item);
	item->pointer = input_pointer_index(&item->ctx, batch->pointer, batch->number - 1);
	item->request.body = request->body + batch->at;
	item->request.body_length = end - batch->at;
	item->listed = true;
	batch->at = next ? next : skip_blanks(request, end);
	return true;
}

static bool next_and_only(struct batch *batch, struct batch_item *item)
{
	if (batch->number++ > 0)
		return false;
	item_begin(batch, item);
	item->ctx.cube_on_top = batch->ctx->cube_on_top;
	item->object = batch->one;
	item->pointer = "/cube";
	return true;
}

bool batch_next(struct batch *batch, struct batch_item *item)
{
	if (batch->one)
		return next_and_only(batch, item);
	if (batch->list)
		return next_in_list(batch, item);
	if (!batch->array)
		return next_line(batch, item);
	if (batch->at == json_item_count(batch->array))
		return false;
	batch->number++;
	item_begin(batch, item);
	item->object = json_item(batch->array, batch->at);
	item->pointer = input_pointer_index(&item->ctx, batch->pointer, batch->at++);
	return true;
}

/* Cost of a cube's bytes; from its moves on, as moves. */
static uint64_t bytes_cost(const struct batch *batch, size_t at, size_t length)
{
	const char *bytes = batch->ctx->request->body + at;
	const char *moves = memmem(bytes, length, "\"moves\"", strlen("\"moves\""));
	const size_t moves_length = moves ? length - (size_t)(moves - bytes) : 0;
	return (length - moves_length) * batch->byte_ns +
	       (moves ? moves_text_cost(moves, moves_length, batch->size) : 0);
}

static uint64_t batch_list_cost(const struct batch *batch)
{
	const struct request *request = batch->ctx->request;
	if (request->body[batch->at] != '{')
		return 0;
	return bytes_cost(batch, batch->at, object_end(request, batch->at) - batch->at);
}

uint64_t batch_cost(const struct batch *batch)
{
	const struct request *request = batch->ctx->request;
	if (batch->array || batch->one || batch->at >= request->body_length)
		return 0;
	if (batch->list)
		return batch_list_cost(batch);
	return bytes_cost(batch, batch->at, line_length(request, batch->at));
}

bool batch_line_fits(struct context *ctx)
{
	if (ctx->request->body_length <= ctx->service->config.limits.body_bytes)
		return true;
	problem_answer(ctx->request, PROBLEM_BODY_LARGE,
		       "The line is larger than body_bytes (see /v1/limits).");
	return false;
}

static bool read_line(struct batch_item *item, struct json_value **cube)
{
	struct context *ctx = &item->ctx;
	const struct json_member member = {"cube", JSON_ANY, cube, 0, 0};
	if (!batch_line_fits(ctx) || !input_parse(ctx))
		return false;
	*cube = ctx->body;
	if (!json_member_of(ctx->body, "cube"))
		return true;
	item->pointer = "/cube";
	return input_object(ctx, ctx->body, "", &member, 1);
}

bool batch_read(struct batch_item *item)
{
	struct context *ctx = &item->ctx;
	if (item->listed && !input_parse(ctx))
		return false;
	struct json_value *cube = item->listed ? ctx->body : item->object;
	if (!cube && !read_line(item, &cube))
		return false;
	if (!input_cube_read(ctx, cube, item->pointer, &item->cube))
		return false;
	if (item->cube.source == CUBE_OF_SESSION)
		return input_problem(
			ctx, item->cube.where.pointer,
			"Sessions are not read in a list of cubes; describe the cube itself.",
			"a description of the cube itself", NULL);
	return true;
}

void batch_item_finish(struct batch_item *item)
{
	request_finish(&item->request);
}

void batch_error_write(const struct batch_item *item, struct buffer *buffer)
{
	const struct buffer *problem = &item->request.reply.body;
	struct out out = {.buffer = buffer};
	if (problem->failed || problem->length == 0) {
		buffer->failed = true;
		return;
	}
	out_open(&out, '{');
	out_member_integer(&out, "line", (int64_t)item->number);
	out_key(&out, "error");
	buffer_add(buffer, problem->bytes, problem->length - 1); /* without its line break */
	out_close(&out, '}');
	buffer_add(buffer, "\n", 1);
}

void batch_refuse(struct batch *batch, struct batch_item *item)
{
	struct request *request = batch->ctx->request;
	request_move_reply(request, &item->request);
	if (batch->array || batch->one || batch->list || request->reply.body.failed)
		return;
	/* Reopens the problem to add a member. */
	struct out out = {.buffer = &request->reply.body, .comma = true};
	request->reply.body.length -= strlen("}\n");
	out_member_integer(&out, "line", (int64_t)item->number);
	problem_end(request, &out);
}

/* ---- a stream over a batch ---- */

static enum stream_state batch_piece(struct stream *stream, struct buffer *piece)
{
	struct batch_stream *self = container_of(stream, struct batch_stream, stream);
	const uint64_t due_ns = monotonic_ns() + PIECE_NS;
	if (self->begin && !self->begun)
		self->begin(self, piece);
	self->begun = true;
	do {
		struct batch_item item;
		if (!batch_next(&self->batch, &item)) {
			if (self->end)
				self->end(self, piece);
			return STREAM_END;
		}
		self->write(self, &item, piece);
		batch_item_finish(&item);
		stream->cost_ns = batch_cost(&self->batch);
	} while (piece->length < PIECE_BYTES && !piece->failed && stream->cost_ns <= WORKER_NS &&
		 monotonic_ns() < due_ns);
	return STREAM_MORE;
}

void batch_stream_start(struct batch_stream *stream, const char *content_type)
{
	stream->stream.next = batch_piece;
	stream->stream.cost_ns = batch_cost(&stream->batch);
	stream_start(stream->batch.ctx, &stream->stream, content_type);
}
