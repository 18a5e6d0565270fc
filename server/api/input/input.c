/* input.c: errors in the JSON of a request as problems. */
#include "server/api/input/input.h"

#include <stdio.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/store/store.h"
#include "server/util/suggest.h"
#include "server/util/utf8.h"

/* Maximum length of a name. */
#define NAME_CODE_POINTS 32

/* The parameter of a member: "size" of "/cube/size", "pattern" of "/pattern/name". */
static const char *parameter_of(const struct context *ctx, const char *pointer)
{
	static const char cube[] = "/cube/";
	const char *name = pointer + strspn(pointer, "/");
	if (strncmp(pointer, cube, strlen(cube)) == 0)
		name = pointer + strlen(cube);
	const size_t length = strcspn(name, "/");
	const char *parameter = arena_text(&ctx->request->arena, name, length);
	return parameter ? parameter : "";
}

/* Returns the pointer for a cube whose members are at the top of the body: "/moves" for
 * "/cube/moves". */
static const char *pointer_on_top(const char *pointer)
{
	static const char cube[] = "/cube";
	const size_t length = strlen(cube);
	const bool inside = strncmp(pointer, cube, length) == 0 &&
			    (pointer[length] == '/' || pointer[length] == '\0');
	return inside ? pointer + length : pointer;
}

struct json_place input_place(const struct context *ctx, const struct json_place *place)
{
	const struct route *route = ctx->route;
	if (!place->pointer || !route)
		return *place;
	if (route->body == BODY_QUERY)
		return (struct json_place){.parameter = parameter_of(ctx, place->pointer)};
	if (ctx->cube_on_top)
		return (struct json_place){.pointer = pointer_on_top(place->pointer)};
	if (!ctx->plain)
		return *place;
	if (strcmp(place->pointer, "/moves") == 0)
		return (struct json_place){.pointer = ""};
	return (struct json_place){.parameter = parameter_of(ctx, place->pointer)};
}

void input_place_write(const struct context *ctx, struct out *out, const struct json_place *place)
{
	const struct json_place known = input_place(ctx, place);
	out_member_string(out, known.pointer ? "pointer" : "parameter",
			  known.pointer ? known.pointer : known.parameter);
}

static enum problem_type problem_of(const struct json_error *error)
{
	if (error->fault == JSON_FAULT_SYNTAX)
		return PROBLEM_MALFORMED_JSON;
	return error->place.pointer ? PROBLEM_BAD_MEMBER : PROBLEM_BAD_PARAMETER;
}

static bool same_place(const struct json_place *a, const struct json_place *b)
{
	return (a->pointer && b->pointer && strcmp(a->pointer, b->pointer) == 0) ||
	       (a->parameter && b->parameter && strcmp(a->parameter, b->parameter) == 0);
}

/* Adds an error to the list, unless its place is there already; false if out of memory. */
static bool keep_fault(struct context *ctx, const struct json_error *error)
{
	const struct json_place place = input_place(ctx, &error->place);
	struct json_error **end = &ctx->faults;
	size_t count = 0;
	for (; *end; end = &(*end)->next, count++)
		if (same_place(&(*end)->place, &place))
			return true;
	if (count == JSON_ERRORS_MAX)
		return true;
	*end = ctx_alloc(ctx, sizeof **end);
	if (!*end)
		return false;
	**end = *error;
	(*end)->place = place;
	(*end)->next = NULL;
	return true;
}

/* Its position in the value, and what is expected there. */
static void write_rest(struct out *out, const struct json_error *error)
{
	if (error->column > 0)
		out_member_integer(out, "offset", (int64_t)error->offset);
	if (error->column > 0 && error->fault == JSON_FAULT_VALUE)
		out_member_integer(out, "length", (int64_t)error->length);
	if (error->column > 0)
		out_member_integer(out, "column", (int64_t)error->column);
	problem_member(out, "expected", error->expected);
	problem_member(out, "suggestion", error->suggestion);
}

static void write_errors(const struct context *ctx, struct out *out, const struct json_error *error)
{
	out_member_open(out, "errors", '[');
	for (; error; error = error->next) {
		out_open(out, '{');
		input_place_write(ctx, out, &error->place);
		problem_member(out, "detail", error->detail);
		write_rest(out, error);
		out_close(out, '}');
	}
	out_close(out, ']');
}

bool input_refuse(struct context *ctx)
{
	struct out out;
	if (ctx->json.error.fault == JSON_FAULT_MEMORY)
		return ctx_no_memory(ctx);
	if (ctx->request->reply.status >= 500) /* reading went on after that */
		return false;
	for (const struct json_error *error = &ctx->json.error; error; error = error->next)
		if (!keep_fault(ctx, error))
			return false;
	const struct json_error *first = ctx->faults;
	problem_begin(ctx->request, problem_of(first), &out, "%s", first->detail);
	if (first->fault == JSON_FAULT_VALUE)
		input_place_write(ctx, &out, &first->place);
	write_rest(&out, first);
	if (first->next)
		write_errors(ctx, &out, first);
	problem_end(ctx->request, &out);
	return false;
}

bool input_parse(struct context *ctx)
{
	const struct request *request = ctx->request;
	return json_parse_body(&ctx->json, request->body, request->body_length, &ctx->body) ||
	       input_refuse(ctx);
}

bool input_object(struct context *ctx, struct json_value *object, const char *pointer,
		  const struct json_member *members, size_t count)
{
	return json_read_members(&ctx->json, object, pointer, members, count) || input_refuse(ctx);
}

bool input_value(struct context *ctx, struct json_value *value, const char *pointer,
		 const struct json_member *as)
{
	return json_read_value(&ctx->json, value, pointer, as) || input_refuse(ctx);
}

const char *input_pointer(struct context *ctx, const char *pointer, const char *name)
{
	return json_pointer(&ctx->json, pointer, name);
}

const char *input_pointer_index(struct context *ctx, const char *pointer, size_t index)
{
	return json_pointer_index(&ctx->json, pointer, index);
}

bool input_problem(struct context *ctx, const char *pointer, const char *detail,
		   const char *expected, const char *suggestion)
{
	const struct json_place place = {.pointer = pointer};
	return input_place_problem(ctx, &place, detail, expected, suggestion);
}

bool input_place_problem(struct context *ctx, const struct json_place *place, const char *detail,
			 const char *expected, const char *suggestion)
{
	json_fail(&ctx->json, place, detail, expected, suggestion);
	return input_refuse(ctx);
}

bool input_session_id(struct context *ctx, const struct json_place *place, struct text text,
		      struct session_id *id)
{
	return session_id_parse(text.bytes, text.length, id) ||
	       input_place_problem(
		       ctx, place,
		       "A session id has 16 letters and digits, for example 7n3k9qv2m5x8c4tz.",
		       "16 letters and digits", NULL);
}

bool input_name(struct context *ctx, struct json_value *value, const char *pointer, char *into)
{
	static const char expected[] =
		"a string of at most 32 characters without control characters, or null";
	into[0] = '\0';
	if (json_is_kind(value, JSON_KIND_NULL))
		return true;
	if (!json_is_kind(value, JSON_KIND_TEXT))
		return input_problem(ctx, pointer, "Must be a string or null.", expected, NULL);
	struct text name = json_value_text(value);
	size_t points = 0;
	for (size_t at = 0, bytes; at < name.length; at += bytes, points++) {
		uint32_t point;
		bytes = utf8_decode(name.bytes + at, name.length - at, &point);
		if (bytes == 0 || !utf8_printable(point))
			return input_problem(
				ctx, pointer,
				"A name must not have control characters, or characters "
				"that hide text or change its direction.",
				expected, NULL);
	}
	if (points > NAME_CODE_POINTS)
		return input_problem(ctx, pointer, "A name has at most 32 characters.", expected,
				     NULL);
	memcpy(into, name.bytes, name.length);
	into[name.length] = '\0';
	return true;
}

bool input_choice(struct context *ctx, struct text name, const char *pointer, const char *what,
		  const char *const *names, size_t count, uint8_t *index)
{
	const struct json_place place = {.pointer = pointer};
	return input_place_choice(ctx, &place, name, what, names, count, index);
}

bool input_place_choice(struct context *ctx, const struct json_place *place, struct text name,
			const char *what, const char *const *names, size_t count, uint8_t *index)
{
	for (uint8_t i = 0; i < count; i++)
		if (text_names(name, names[i])) {
			*index = i;
			return true;
		}
	return input_unknown(ctx, place, name, what, names, count);
}

bool input_unknown(struct context *ctx, const struct json_place *place, struct text name,
		   const char *what, const char *const *names, size_t count)
{
	char expected[256], detail[320];
	suggest_list(names, count, expected, sizeof expected);
	snprintf(detail, sizeof detail, "Unknown %s; use %s.", what, expected);
	return input_place_problem(ctx, place, detail, expected,
				   suggest_nearest(name.bytes, name.length, names, count));
}
