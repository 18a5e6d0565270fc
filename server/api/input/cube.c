/* cube.c: reading the cube of a request. */
#include "server/api/input/cube.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/format/format.h"

int64_t cube_size_max(const struct context *ctx)
{
	uint64_t limit = ctx->service->config.limits.size;
	return limit < CUBE_SIZE_MAX ? (int64_t)limit : CUBE_SIZE_MAX;
}

int64_t cube_size_default(const struct context *ctx)
{
	return cube_size_max(ctx) < 3 ? cube_size_max(ctx) : 3;
}

bool cube_request_solved(struct context *ctx, int64_t size, const char *pointer,
			 struct cube_request *request)
{
	if (size < CUBE_SIZE_MIN || size > cube_size_max(ctx)) {
		char expected[64];
		snprintf(expected, sizeof expected, "an integer from %d to %d", CUBE_SIZE_MIN,
			 (int)cube_size_max(ctx));
		return pointer ? input_problem(ctx, pointer, "This number is out of range.",
					       expected, NULL)
			       : query_problem(ctx, "size", "This number is out of range.",
					       expected, NULL);
	}
	request->source = CUBE_OF_SIZE;
	request->size = (int)size;
	return true;
}

/* The members that may describe a cube; at most one of them may be given. */
struct description {
	struct json_value *format[FORMATS_MAX];
	int64_t size, at;
	struct text session, notation;
	struct json_value *moves;
};

static bool read_session(struct context *ctx, struct text id, struct json_place place, int64_t at,
			 struct cube_request *request)
{
	request->source = CUBE_OF_SESSION;
	request->at = at;
	request->where = place;
	return session_id_parse(id.bytes, id.length, &request->session) ||
	       input_place_problem(ctx, &place, "Invalid session id.", "16 letters and digits",
				   NULL);
}

/* The value is read when the cube is made: it may be large. */
static void read_format(const struct format *format, struct json_place place,
			struct cube_request *request)
{
	request->source = CUBE_OF_FORMAT;
	request->format = format;
	request->where = place;
}

/* A size given together with a description that allows it. */
static bool read_size_beside(struct context *ctx, const struct format *format, int64_t size,
			     const struct json_place *place, struct cube_request *request)
{
	char sizes[FORMAT_SIZES_BYTES], detail[64];
	if (size < 0 || format_serves(format, (int)size)) {
		request->given.size = size < 0 ? 0 : (int)size;
		return true;
	}
	format_sizes(format, sizes);
	snprintf(detail, sizeof detail, "The format %s does not support this size.", format->name);
	return input_place_problem(ctx, place, detail, sizes, NULL);
}

/* If `pointer` is NULL, the cube is given in the query, and `parameter` is the one too many. */
static bool one_description(struct context *ctx, const char *pointer, const char *parameter)
{
	char expected[256] = "exactly one of size, session";
	for (size_t i = 0; i < format_count; i++)
		if (pointer ? formats[i].read != NULL : formats[i].read_text != NULL) {
			size_t used = strlen(expected);
			snprintf(expected + used, sizeof expected - used, ", %s", formats[i].name);
		}
	const struct json_place place = {pointer, parameter};
	return input_place_problem(ctx, &place, "Only one description of a cube is allowed.",
				   expected, NULL);
}

static bool read_one(struct context *ctx, struct description *in, const char *pointer,
		     struct cube_request *request)
{
	int found = in->session.bytes != NULL;
	size_t format = 0;
	for (size_t i = 0; i < format_count; i++)
		if (in->format[i]) {
			format = i;
			found++;
		}
	struct json_value *value = in->format[format];
	if (in->size >= 0 && !(value && formats[format].sized))
		found++;
	if (found > 1)
		return one_description(ctx, pointer, NULL);
	if (in->at >= 0 && !in->session.bytes)
		return input_problem(ctx, input_pointer(ctx, pointer, "at"),
				     "A revision is allowed only with a session.",
				     "session together with at", NULL);
	const struct json_place size = {.pointer = input_pointer(ctx, pointer, "size")};
	if (value) {
		const struct json_place place = {
			.pointer = input_pointer(ctx, pointer, formats[format].name)};
		request->value = value;
		read_format(&formats[format], place, request);
		return read_size_beside(ctx, &formats[format], in->size, &size, request);
	}
	if (in->session.bytes)
		return read_session(
			ctx, in->session,
			(struct json_place){.pointer = input_pointer(ctx, pointer, "session")},
			in->at, request);
	return cube_request_solved(ctx, in->size >= 0 ? in->size : cube_size_default(ctx),
				   size.pointer, request);
}

bool cube_request_read(struct context *ctx, struct json_value *object, const char *pointer,
		       struct cube_request *request)
{
	struct description in = {.size = -1, .at = -1};
	struct json_member members[5 + FORMATS_MAX] = {
		{"size", JSON_INT64, &in.size, CUBE_SIZE_MIN, cube_size_max(ctx)},
		{"session", JSON_TEXT, &in.session, 0, 0},
		{"at", JSON_INT64, &in.at, 0, UINT32_MAX - 1},
		{"moves", JSON_ANY, &in.moves, 0, 0},
		{"notation", JSON_TEXT, &in.notation, 0, 0},
	};
	size_t count = 5;
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read)
			members[count++] = (struct json_member){
				.name = formats[i].name, .type = JSON_ANY, .into = &in.format[i]};
	*request = (struct cube_request){.at = -1, .pointer = pointer};
	return input_object(ctx, object, pointer, members, count) &&
	       read_one(ctx, &in, pointer, request) &&
	       moves_read_dialect(ctx, in.notation, input_pointer(ctx, pointer, "notation"),
				  &request->moves) &&
	       (!in.moves || moves_from_json(ctx, in.moves, input_pointer(ctx, pointer, "moves"),
					     &request->moves));
}

/* The query parameter with the format's name. */
static enum parameter parameter_of(const struct format *format)
{
	static const struct {
		const char *name;
		enum parameter parameter;
	} rows[] = {{"facelets", PARAMETER_FACELETS},
		    {"reid", PARAMETER_REID},
		    {"index", PARAMETER_INDEX}};
	size_t i = 0;
	while (strcmp(rows[i].name, format->name) != 0)
		i++;
	return rows[i].parameter;
}

static bool query_one(struct context *ctx, int64_t size, int64_t at, struct cube_request *request)
{
	const struct text *value = ctx->query.value;
	const struct format *format = NULL;
	const char *last = NULL;
	int found = value[PARAMETER_SESSION].bytes != NULL;
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read_text && value[parameter_of(&formats[i])].bytes) {
			format = &formats[i];
			last = format->name;
			found++;
		}
	if (size >= 0 && !(format && format->sized)) {
		last = "size";
		found++;
	}
	if (found > 1)
		return one_description(ctx, NULL, last);
	if (at >= 0 && !value[PARAMETER_SESSION].bytes)
		return query_problem(ctx, "at", "A revision is allowed only with a session.",
				     "session together with at", NULL);
	if (format) {
		const struct json_place place = {.parameter = format->name};
		const struct json_place beside = {.parameter = "size"};
		request->text = value[parameter_of(format)];
		read_format(format, place, request);
		return read_size_beside(ctx, format, size, &beside, request);
	}
	if (value[PARAMETER_SESSION].bytes)
		return read_session(ctx, value[PARAMETER_SESSION],
				    (struct json_place){.parameter = "session"}, at, request);
	return cube_request_solved(ctx, size >= 0 ? size : cube_size_default(ctx), NULL, request);
}

bool cube_request_query(struct context *ctx, struct cube_request *request)
{
	int64_t size = -1, at = -1;
	*request = (struct cube_request){.at = -1};
	return query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, cube_size_max(ctx), &size) &&
	       query_integer(ctx, PARAMETER_AT, 0, UINT32_MAX - 1, &at) &&
	       query_one(ctx, size, at, request);
}
