/* cube.c: reading the cube of a request. */
#include "server/api/input/cube.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/format/format.h"

/* Members of a cube object other than the formats. */
#define MEMBERS 9

int64_t input_size_max(const struct context *ctx)
{
	uint64_t limit = ctx->service->config.limits.size;
	return limit < CUBE_SIZE_MAX ? (int64_t)limit : CUBE_SIZE_MAX;
}

int64_t input_size_default(const struct context *ctx)
{
	return input_size_max(ctx) < 3 ? input_size_max(ctx) : 3;
}

bool input_cube_solved(struct context *ctx, int64_t size, const char *pointer,
		       struct input_cube *request)
{
	if (size < CUBE_SIZE_MIN || size > input_size_max(ctx)) {
		char expected[64], detail[96];
		const struct json_place place = {pointer, pointer ? NULL : "size"};
		snprintf(expected, sizeof expected, "an integer from %d to %d", CUBE_SIZE_MIN,
			 (int)input_size_max(ctx));
		snprintf(detail, sizeof detail, "%lld is out of range; use %s.", (long long)size,
			 expected);
		return input_place_problem(ctx, &place, detail, expected, NULL);
	}
	request->source = CUBE_OF_SIZE;
	request->size = (int)size;
	return true;
}

/* The parts of a body or a query that may describe a cube. */
struct description {
	struct input_form forms[FORMATS_MAX]; /* the given ones, in the table's order */
	size_t form_count;
	int64_t size, at;
	struct text session;
	struct json_place size_from, session_from, at_from;
};

static bool read_session(struct context *ctx, const struct description *in,
			 struct input_cube *request)
{
	request->source = CUBE_OF_SESSION;
	request->at = in->at;
	request->where = in->session_from;
	return input_session_id(ctx, &in->session_from, in->session, &request->session);
}

/* Returns how much a form identifies: every sticker; the colours; or the colours of the cube turned
 * as a whole until it is home. */
static int identifies(const struct format *format)
{
	return format->stickers ? 2 : format->homed ? 0 : 1;
}

/* The value is read when the cube is made: it may be large. */
static bool read_forms(struct context *ctx, struct description *in, struct input_cube *request)
{
	size_t first = 0;
	for (size_t i = 1; i < in->form_count; i++)
		if (identifies(in->forms[i].format) > identifies(in->forms[first].format))
			first = i;
	const struct input_form form = in->forms[first];
	request->source = CUBE_OF_FORMAT;
	request->form = form;
	request->where = form.place;
	request->given.size = in->size < 0 ? 0 : (int)in->size;
	if (in->size >= 0 && !format_serves(form.format, (int)in->size)) {
		char sizes[FORMAT_SIZES_BYTES], detail[96];
		format_sizes(form.format, sizes);
		snprintf(detail, sizeof detail, "The format %s is for %s.", form.format->name,
			 sizes);
		return input_place_problem(ctx, &in->size_from, detail, sizes, NULL);
	}
	in->forms[first] = in->forms[0];
	request->other_count = in->form_count - 1;
	if (request->other_count == 0)
		return true;
	const size_t bytes = request->other_count * sizeof *request->others;
	request->others = ctx_alloc(ctx, bytes);
	if (request->others)
		memcpy(request->others, in->forms + 1, bytes);
	return request->others != NULL;
}

/* The places must be set. */
static bool read_described(struct context *ctx, struct description *in, struct input_cube *request)
{
	request->claims.size = in->size < 0 ? 0 : in->size;
	request->claims.size_from = in->size_from;
	if (in->at >= 0 && !in->session.bytes)
		return input_place_problem(ctx, &in->at_from,
					   "at is allowed only together with session.",
					   "session together with at", NULL);
	if (in->session.bytes && in->form_count > 0) {
		char detail[96];
		snprintf(detail, sizeof detail, "%s is not allowed together with session.",
			 in->forms[0].format->name);
		return input_place_problem(ctx, &in->forms[0].place, detail,
					   "the cube of a session, or a description of a cube",
					   NULL);
	}
	if (in->session.bytes)
		return read_session(ctx, in, request);
	if (in->form_count > 0)
		return read_forms(ctx, in, request);
	return input_cube_solved(ctx, in->size >= 0 ? in->size : input_size_default(ctx),
				 in->size_from.pointer, request);
}

/* ---- in a body ---- */

static struct json_place place_in(struct context *ctx, const char *pointer, const char *name)
{
	return (struct json_place){.pointer = input_pointer(ctx, pointer, name)};
}

/* Answers have null for a format that does not support the size. Alone it is read, and refused. */
static void drop_nulls(struct description *in)
{
	size_t kept = 0;
	for (size_t i = 0; i < in->form_count; i++)
		if (!json_is_kind(in->forms[i].value, JSON_KIND_NULL))
			in->forms[kept++] = in->forms[i];
	if (kept > 0)
		in->form_count = kept;
}

static bool read_identity(struct context *ctx, struct text identity, const char *pointer,
			  struct cube_claims *claims)
{
	claims->assumed = text_is(identity, "assumed");
	return claims->assumed || !identity.bytes ||
	       input_problem(ctx, input_pointer(ctx, pointer, "identity"),
			     "Must be \"assumed\", or absent.", "\"assumed\", or no identity",
			     NULL);
}

static bool read_claim(struct context *ctx, struct json_value *value, const char *pointer,
		       const char *name, enum cube_claim *claim)
{
	bool said = false;
	const struct json_member as = {name, JSON_BOOLEAN, &said, 0, 0};
	if (!value)
		return true;
	if (!input_value(ctx, value, input_pointer(ctx, pointer, name), &as))
		return false;
	*claim = said ? CLAIM_TRUE : CLAIM_FALSE;
	return true;
}

static bool read_object(struct context *ctx, struct json_value *object, const char *pointer,
			struct input_cube *request)
{
	struct description in = {.size = -1, .at = -1};
	struct json_value *moves = NULL, *value[FORMATS_MAX] = {0};
	struct json_value *solved = NULL, *home = NULL, *possible = NULL;
	struct text notation = {0}, identity = {0};
	struct json_member members[MEMBERS + FORMATS_MAX] = {
		{"size", JSON_INT64, &in.size, CUBE_SIZE_MIN, input_size_max(ctx)},
		{"session", JSON_TEXT, &in.session, 0, 0},
		{"at", JSON_INT64, &in.at, 0, UINT32_MAX - 1},
		{"moves", JSON_ANY, &moves, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
		{"solved", JSON_ANY, &solved, 0, 0},
		{"home", JSON_ANY, &home, 0, 0},
		{"possible", JSON_ANY, &possible, 0, 0},
		{"identity", JSON_TEXT, &identity, 0, 0},
	};
	size_t count = MEMBERS;
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read)
			members[count++] = (struct json_member){
				.name = formats[i].name, .type = JSON_ANY, .into = &value[i]};
	bool read = input_object(ctx, object, pointer, members, count);
	for (size_t i = 0; i < format_count; i++)
		if (value[i])
			in.forms[in.form_count++] = (struct input_form){
				.format = &formats[i],
				.value = value[i],
				.place = place_in(ctx, pointer, formats[i].name)};
	drop_nulls(&in);
	in.size_from = place_in(ctx, pointer, "size");
	in.session_from = place_in(ctx, pointer, "session");
	in.at_from = place_in(ctx, pointer, "at");
	struct cube_claims *claims = &request->claims;
	read = read_described(ctx, &in, request) && read;
	read = read_claim(ctx, solved, pointer, "solved", &claims->solved) && read;
	read = read_claim(ctx, home, pointer, "home", &claims->home) && read;
	read = read_claim(ctx, possible, pointer, "possible", &claims->possible) && read;
	read = read_identity(ctx, identity, pointer, claims) && read;
	read = moves_read_dialect(ctx, notation, input_pointer(ctx, pointer, "notation"),
				  &request->moves) &&
	       read;
	return (!moves || moves_from_json(ctx, moves, input_pointer(ctx, pointer, "moves"),
					  &request->moves)) &&
	       read;
}

bool input_cube_read(struct context *ctx, struct json_value *value, const char *pointer,
		     struct input_cube *request)
{
	*request = (struct input_cube){.at = -1, .pointer = pointer};
	if (json_is_kind(value, JSON_KIND_OBJECT))
		return read_object(ctx, value, pointer, request);
	if (!json_is_kind(value, JSON_KIND_TEXT))
		return input_problem(
			ctx, pointer,
			"Must be an object or a facelet string, for example {\"size\": 3} "
			"or \"UUU...\".",
			"an object, or 6 n n letters", NULL);
	request->source = CUBE_OF_FORMAT;
	request->where = (struct json_place){.pointer = pointer};
	request->form = (struct input_form){
		.format = &formats[FORMAT_ALWAYS], .value = value, .place = request->where};
	return true;
}

bool input_cube_member(struct context *ctx, struct json_value *value, const char *pointer,
		       struct input_cube *request)
{
	if (value)
		return input_cube_read(ctx, value, pointer, request);
	*request = (struct input_cube){.at = -1, .pointer = pointer};
	return input_cube_solved(ctx, input_size_default(ctx), pointer, request);
}

void input_cube_beside(struct input_cube *request, int64_t size)
{
	if (size < 0 || size == request->claims.size)
		return;
	request->claims.size = size;
	request->claims.size_from = (struct json_place){.pointer = "/size"};
}

/* ---- in a query ---- */

/* Returns the text for the format in the query; its bytes are NULL if there is none. */
static struct text text_of(const struct context *ctx, const struct format *format)
{
	const enum parameter parameter = format->read_text && format->parameter
						 ? query_parameter(format->parameter)
						 : PARAMETER_COUNT;
	return parameter < PARAMETER_COUNT ? ctx->query.value[parameter] : (struct text){0};
}

bool input_cube_query(struct context *ctx, struct input_cube *request)
{
	struct description in = {.size = -1,
				 .at = -1,
				 .session = ctx->query.value[PARAMETER_SESSION],
				 .size_from = {.parameter = "size"},
				 .session_from = {.parameter = "session"},
				 .at_from = {.parameter = "at"}};
	*request = (struct input_cube){.at = -1};
	if (!query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx), &in.size) ||
	    !query_integer(ctx, PARAMETER_AT, 0, UINT32_MAX - 1, &in.at))
		return false;
	for (size_t i = 0; i < format_count; i++) {
		const struct text text = text_of(ctx, &formats[i]);
		if (text.bytes)
			in.forms[in.form_count++] =
				(struct input_form){.format = &formats[i],
						    .text = text,
						    .place = {.parameter = formats[i].parameter}};
	}
	return read_described(ctx, &in, request);
}
