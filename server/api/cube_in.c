/* cube_in.c: reading the cube of a request. */
#include "server/api/cube_in.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/state.h"
#include "server/format/format.h"

int64_t cube_size_max(const struct work *work)
{
	uint64_t limit = work->service->config.limits.size;
	return limit < CUBE_SIZE_MAX ? (int64_t)limit : CUBE_SIZE_MAX;
}

int64_t cube_size_default(const struct work *work)
{
	return cube_size_max(work) < 3 ? cube_size_max(work) : 3;
}

bool cube_request_solved(struct work *work, int64_t size, const char *pointer,
			 struct cube_request *request)
{
	if (size < CUBE_SIZE_MIN || size > cube_size_max(work)) {
		char expected[64];
		snprintf(expected, sizeof expected, "a whole number from %d to %d", CUBE_SIZE_MIN,
			 (int)cube_size_max(work));
		return pointer ? input_problem(work, pointer, "This number is out of range.",
					       expected, NULL)
			       : query_problem(work, "size", "This number is out of range.",
					       expected, NULL);
	}
	request->source = CUBE_OF_SIZE;
	request->size = (int)size;
	return true;
}

/* What one member said of the cube; at most one may be there. */
struct description {
	struct input_value *format[FORMATS_MAX];
	int64_t size, at;
	struct text session, notation;
	struct input_value *moves;
};

static bool take_session(struct work *work, struct text id, struct input_place place, int64_t at,
			 struct cube_request *request)
{
	request->source = CUBE_OF_SESSION;
	request->at = at;
	request->where = place;
	return session_id_parse(id.bytes, id.length, &request->session) ||
	       input_place_problem(work, &place, "This is not a session id.", "16 letters and digits",
				   NULL);
}

/* The value is read when the cube is made: it may be large. */
static void take_format(const struct format *format, struct input_place place,
			struct cube_request *request)
{
	request->source = CUBE_OF_FORMAT;
	request->format = format;
	request->where = place;
}

/* The size beside a description that may have it. */
static bool take_size_beside(struct work *work, const struct format *format, int64_t size,
			     const struct input_place *place, struct cube_request *request)
{
	char sizes[FORMAT_SIZES_BYTES], detail[64];
	if (size < 0 || format_serves(format, (int)size)) {
		request->given.size = size < 0 ? 0 : (int)size;
		return true;
	}
	format_sizes(format, sizes);
	snprintf(detail, sizeof detail, "The format %s does not serve this size.", format->name);
	return input_place_problem(work, place, detail, sizes, NULL);
}

/* Without a pointer the cube is told in the query: `parameter` is one too many there. */
static bool one_description(struct work *work, const char *pointer, const char *parameter)
{
	char expected[256] = "exactly one of size, session";
	for (size_t i = 0; i < format_count; i++)
		if (pointer ? formats[i].read != NULL : formats[i].read_text != NULL) {
			size_t used = strlen(expected);
			snprintf(expected + used, sizeof expected - used, ", %s", formats[i].name);
		}
	const struct input_place place = {pointer, parameter};
	return input_place_problem(work, &place, "A cube has one description.", expected, NULL);
}

static bool take_one(struct work *work, struct description *in, const char *pointer,
		     struct cube_request *request)
{
	int found = in->session.bytes != NULL;
	size_t format = 0;
	for (size_t i = 0; i < format_count; i++)
		if (in->format[i]) {
			format = i;
			found++;
		}
	struct input_value *value = in->format[format];
	if (in->size >= 0 && !(value && formats[format].sized))
		found++;
	if (found > 1)
		return one_description(work, pointer, NULL);
	if (in->at >= 0 && !in->session.bytes)
		return input_problem(work, input_pointer(work, pointer, "at"),
				     "A revision needs its session.", "session beside it", NULL);
	const struct input_place size = {.pointer = input_pointer(work, pointer, "size")};
	if (value) {
		const struct input_place place = {
			.pointer = input_pointer(work, pointer, formats[format].name)};
		request->value = value;
		take_format(&formats[format], place, request);
		return take_size_beside(work, &formats[format], in->size, &size, request);
	}
	if (in->session.bytes)
		return take_session(
			work, in->session,
			(struct input_place){.pointer = input_pointer(work, pointer, "session")},
			in->at, request);
	return cube_request_solved(work, in->size >= 0 ? in->size : cube_size_default(work),
				   size.pointer, request);
}

bool cube_request_read(struct work *work, struct input_value *object, const char *pointer,
		       struct cube_request *request)
{
	struct description in = {.size = -1, .at = -1};
	struct input_member members[5 + FORMATS_MAX] = {
		{"size", INPUT_INTEGER, &in.size, CUBE_SIZE_MIN, cube_size_max(work)},
		{"session", INPUT_TEXT, &in.session, 0, 0},
		{"at", INPUT_INTEGER, &in.at, 0, UINT32_MAX - 1},
		{"moves", INPUT_ANY, &in.moves, 0, 0},
		{"notation", INPUT_TEXT, &in.notation, 0, 0},
	};
	size_t count = 5;
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read)
			members[count++] = (struct input_member){
				.name = formats[i].name, .type = INPUT_ANY, .into = &in.format[i]};
	*request = (struct cube_request){.at = -1, .pointer = pointer};
	return input_object(work, object, pointer, members, count) &&
	       take_one(work, &in, pointer, request) &&
	       moves_take_dialect(work, in.notation, input_pointer(work, pointer, "notation"),
				  &request->moves) &&
	       (!in.moves ||
		moves_take(work, in.moves, input_pointer(work, pointer, "moves"), &request->moves));
}

static bool query_one(struct work *work, int64_t size, int64_t at, struct cube_request *request)
{
	const struct text *value = work->query.value;
	const struct format *format = NULL;
	const char *last = NULL;
	int found = value[PARAMETER_SESSION].bytes != NULL;
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read_text && value[formats[i].parameter].bytes) {
			format = &formats[i];
			last = format->name;
			found++;
		}
	if (size >= 0 && !(format && format->sized)) {
		last = "size";
		found++;
	}
	if (found > 1)
		return one_description(work, NULL, last);
	if (at >= 0 && !value[PARAMETER_SESSION].bytes)
		return query_problem(work, "at", "A revision needs its session.",
				     "session beside it", NULL);
	if (format) {
		const struct input_place place = {.parameter = format->name};
		const struct input_place beside = {.parameter = "size"};
		request->text = value[format->parameter];
		take_format(format, place, request);
		return take_size_beside(work, format, size, &beside, request);
	}
	if (value[PARAMETER_SESSION].bytes)
		return take_session(work, value[PARAMETER_SESSION],
				    (struct input_place){.parameter = "session"}, at, request);
	return cube_request_solved(work, size >= 0 ? size : cube_size_default(work), NULL, request);
}

bool cube_request_query(struct work *work, struct cube_request *request)
{
	int64_t size = -1, at = -1;
	*request = (struct cube_request){.at = -1};
	return query_integer(work, PARAMETER_SIZE, CUBE_SIZE_MIN, cube_size_max(work), &size) &&
	       query_integer(work, PARAMETER_AT, 0, UINT32_MAX - 1, &at) &&
	       query_one(work, size, at, request);
}
