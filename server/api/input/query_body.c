/* query_body.c: bodies made of queries and of plain text. */
#include "server/api/input/query_body.h"

#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/util/utf8.h"

enum kind { KIND_TEXT, KIND_INTEGER, KIND_BOOL, KIND_PATTERN };

/* The parameters that may be members of a body. */
static const struct row {
	enum parameter parameter;
	const char *name;
	enum kind kind;
	bool cubes; /* describes a cube */
} rows[] = {
	{PARAMETER_SIZE, "size", KIND_INTEGER, true},
	{PARAMETER_FACELETS, "facelets", KIND_TEXT, true},
	{PARAMETER_INDEX, "index", KIND_TEXT, true},
	{PARAMETER_REID, "reid", KIND_TEXT, true},
	{PARAMETER_SESSION, "session", KIND_TEXT, true},
	{PARAMETER_AT, "at", KIND_INTEGER, true},
	{PARAMETER_MOVES, "moves", KIND_TEXT, true},
	{PARAMETER_NOTATION, "notation", KIND_TEXT, true},
	{PARAMETER_PATTERN, "pattern", KIND_PATTERN, false},
	{PARAMETER_ANY, "any", KIND_BOOL, false},
	{PARAMETER_SPIN, "spin", KIND_BOOL, false},
	{PARAMETER_ROTATION, "rotation", KIND_TEXT, false},
	{PARAMETER_MIRROR, "mirror", KIND_TEXT, false},
	{PARAMETER_WRITE, "write", KIND_TEXT, false},
	{PARAMETER_METHOD, "method", KIND_TEXT, false},
	{PARAMETER_METRIC, "metric", KIND_TEXT, false},
	{PARAMETER_UNTIL, "until", KIND_PATTERN, false},
	{PARAMETER_GOAL, "goal", KIND_TEXT, false},
	{PARAMETER_PLACE, "place", KIND_TEXT, false},
	{PARAMETER_GENERATORS, "generators", KIND_TEXT, false},
	{PARAMETER_NISS, "niss", KIND_BOOL, false},
	{PARAMETER_MAX_LENGTH, "max_length", KIND_INTEGER, false},
	{PARAMETER_IMPROVE, "improve", KIND_BOOL, false},
	{PARAMETER_SOLUTIONS, "solutions", KIND_INTEGER, false},
	{PARAMETER_TIMEOUT_MS, "timeout_ms", KIND_INTEGER, false},
	{PARAMETER_WAIT_MS, "wait_ms", KIND_INTEGER, false},
	{PARAMETER_FIRST, "first", KIND_TEXT, false},
	{PARAMETER_COLORS, "colors", KIND_TEXT, false},
	{PARAMETER_LANGUAGE, "language", KIND_TEXT, false},
	{PARAMETER_STEPS, "steps", KIND_INTEGER, false},
};

#define ROWS (sizeof rows / sizeof rows[0])

/* A value of another form stays a text, which its reader refuses. */
static struct json_value *integer_of(struct context *ctx, struct text text)
{
	const size_t digits = strspn(text.bytes, "0123456789");
	int64_t number = 0;
	if (digits == 0 || digits != text.length || digits > 18)
		return json_make_text(&ctx->json, text);
	for (size_t i = 0; i < digits; i++)
		number = number * 10 + (text.bytes[i] - '0');
	return json_make_whole(&ctx->json, number);
}

static struct json_value *bool_of(struct context *ctx, struct text text)
{
	const bool yes = text_names(text, "true") || text_is(text, "1");
	if (!yes && !text_names(text, "false") && !text_is(text, "0"))
		return json_make_text(&ctx->json, text);
	return json_make_bool(&ctx->json, yes);
}

/* A name, which has no spaces, or the arrays as one string, which has. */
static struct json_value *pattern_of(struct context *ctx, struct text text)
{
	struct json_part name = {"name", json_make_text(&ctx->json, text)};
	if (!name.value || strchr(text.bytes, ' '))
		return name.value;
	return json_make_object(&ctx->json, &name, 1);
}

static struct json_value *value_of(struct context *ctx, const struct row *row)
{
	const struct text text = ctx->query.value[row->parameter];
	struct json_value *value = NULL;
	if (!utf8_valid(text.bytes, text.length) || strlen(text.bytes) != text.length) {
		query_problem(ctx, row->name, "Must be valid UTF-8 without NUL characters.",
			      "text in UTF-8", NULL);
		return NULL;
	}
	switch (row->kind) {
	case KIND_TEXT:
		value = json_make_text(&ctx->json, text);
		break;
	case KIND_INTEGER:
		value = integer_of(ctx, text);
		break;
	case KIND_BOOL:
		value = bool_of(ctx, text);
		break;
	case KIND_PATTERN:
		value = pattern_of(ctx, text);
		break;
	}
	if (!value)
		ctx_no_memory(ctx);
	return value;
}

/* Colours are a part of the body if they are those of a lesson, not of a picture. */
static bool is_of_body(const struct context *ctx, enum parameter parameter)
{
	return parameter != PARAMETER_COLORS || (ctx->route->parameters >> PARAMETER_FIRST & 1);
}

/* Takes the members that describe a cube, or the others. */
static bool read_parts(struct context *ctx, bool cubes, struct json_part *parts, size_t *count)
{
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].cubes != cubes || !ctx->query.value[rows[i].parameter].bytes ||
		    !is_of_body(ctx, rows[i].parameter))
			continue;
		struct json_value *value = value_of(ctx, &rows[i]);
		if (!value)
			return false;
		parts[(*count)++] = (struct json_part){rows[i].name, value};
	}
	return true;
}

static bool make_body(struct context *ctx, const struct json_part *parts, size_t count)
{
	ctx->body = json_make_object(&ctx->json, parts, count);
	return ctx->body || ctx_no_memory(ctx);
}

bool query_body_make(struct context *ctx)
{
	/* A cube is described by more than its size and moves. */
	const bool cubes = ctx->route->parameters >> PARAMETER_FACELETS & 1;
	struct json_part members[ROWS + 1], cube[ROWS];
	size_t count = 0, cube_count = 0;
	if (!read_parts(ctx, true, cubes ? cube : members, cubes ? &cube_count : &count) ||
	    !read_parts(ctx, false, members, &count))
		return false;
	if (!cubes)
		return make_body(ctx, members, count);
	members[count] = (struct json_part){"cube", json_make_object(&ctx->json, cube, cube_count)};
	return members[count].value ? make_body(ctx, members, count + 1) : ctx_no_memory(ctx);
}

bool text_body_make(struct context *ctx)
{
	const struct request *request = ctx->request;
	struct json_part members[ROWS + 1];
	size_t count = 0;
	if (request->body_length > ctx->service->config.limits.body_bytes) {
		problem_answer(ctx->request, PROBLEM_BODY_LARGE,
			       "The body is larger than body_bytes (see /v1/limits).");
		return false;
	}
	const char *moves = arena_text(&ctx->request->arena, request->body, request->body_length);
	if (!moves)
		return ctx_no_memory(ctx);
	members[count++] = (struct json_part){
		"moves", json_make_text(&ctx->json, (struct text){moves, request->body_length})};
	if (!members[0].value)
		return ctx_no_memory(ctx);
	return read_parts(ctx, true, members, &count) && make_body(ctx, members, count);
}
