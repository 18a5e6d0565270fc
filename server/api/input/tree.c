/* tree.c: JSON of any kind by jansson, as a tree of our own: the only place that knows it. */
#include "server/api/input/input_internal.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "server/api/request/problem.h"

/* The library's memory is the arena of the request that is parsed: nothing of it is freed on its
 * own. The library says "syntax error" when memory is out; the flag says what it was. */
static _Thread_local struct arena *input_arena;
static _Thread_local bool input_memory_out;

static void *input_malloc(size_t bytes)
{
	void *memory = arena_take(input_arena, bytes);
	if (!memory)
		input_memory_out = true;
	return memory;
}

static void input_free(void *memory)
{
	(void)memory;
}

void input_setup(void)
{
	size_t seed = 0;
	if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
		seed = 0; /* 0 lets the library find one of its own */
	json_set_alloc_funcs(input_malloc, input_free);
	json_object_seed(seed);
}

/* ---- what is wrong ---- */

static bool input_malformed(struct context *ctx, size_t offset, const char *detail)
{
	struct out out;
	const struct request *request = ctx->request;
	if (offset > request->body_length)
		offset = request->body_length;
	problem_begin(ctx->request, PROBLEM_MALFORMED_JSON, &out, "%s", detail);
	out_key(&out, "offset");
	out_integer(&out, (int64_t)offset);
	out_key(&out, "column");
	out_integer(&out, (int64_t)cube_text_column(request->body, request->body_length, offset));
	problem_end(ctx->request, &out);
	return false;
}

/* Where the nesting is deeper than `most`; `length` where it is not: the library recurses. */
static size_t input_depth(const char *text, size_t length, size_t most)
{
	size_t depth = 0;
	bool string = false;
	for (size_t i = 0; i < length; i++) {
		if (string) {
			if (text[i] == '\\')
				i++;
			else
				string = text[i] != '"';
		} else if (text[i] == '"') {
			string = true;
		} else if (text[i] == '[' || text[i] == '{') {
			if (++depth > most)
				return i;
		} else if ((text[i] == ']' || text[i] == '}') && depth > 0) {
			depth--;
		}
	}
	return length;
}

/* Where the fault begins: the library tells where it had read to, and in its text what it read
 * last. */
static size_t input_fault(const struct request *request, const json_error_t *error)
{
	size_t position = error->position > 0 ? (size_t)error->position : 0;
	const char *near = strstr(error->text, " near '");
	if (strstr(error->text, "near end of file"))
		return request->body_length;
	if (near) {
		size_t last = strlen(near) - strlen(" near '") - 1;
		return position > last ? position - last : 0;
	}
	return position > 0 ? position - 1 : 0;
}

static bool input_syntax(struct context *ctx, const json_error_t *error)
{
	char detail[JSON_ERROR_TEXT_LENGTH + 32];
	size_t fault = input_fault(ctx->request, error);
	switch (json_error_code(error)) {
	case json_error_numeric_overflow:
		return input_problem(ctx, "", "The body has a number that is too large.",
				     "numbers of at most 64 bits; the index of a cube is a string",
				     NULL);
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return input_malformed(ctx, fault, "The body has a NUL character, \\u0000.");
	default:
		snprintf(detail, sizeof detail, "The body is not valid JSON: %s.", error->text);
		return input_malformed(ctx, fault, detail);
	}
}

/* ---- a tree of our own ---- */

static bool tree_of(struct arena *arena, json_t *from, struct input_value *value);

static bool items_of(struct arena *arena, json_t *from, struct input_value *value)
{
	value->count = json_array_size(from);
	value->items = arena_take(arena, value->count * sizeof *value->items);
	bool taken = value->items != NULL;
	for (size_t i = 0; taken && i < value->count; i++)
		taken = tree_of(arena, json_array_get(from, i), &value->items[i]);
	return taken;
}

static bool members_of(struct arena *arena, json_t *from, struct input_value *value)
{
	const char *name;
	json_t *member;
	struct input_named *next = arena_take(arena, json_object_size(from) * sizeof *next);
	if (!next)
		return false;
	value->count = json_object_size(from);
	value->members = next;
	json_object_foreach(from, name, member)
	{
		next->name = (struct text){name, strlen(name)};
		if (!tree_of(arena, member, &next->value))
			return false;
		next++;
	}
	return true;
}

/* The library's texts are where they are, on the same arena. At most INPUT_DEPTH_MAX deep. */
static bool tree_of(struct arena *arena, json_t *from, struct input_value *value)
{
	static const unsigned char kinds[] = {
		[JSON_OBJECT] = KIND_OBJECT, [JSON_ARRAY] = KIND_ARRAY, [JSON_STRING] = KIND_TEXT,
		[JSON_INTEGER] = KIND_WHOLE, [JSON_REAL] = KIND_REAL,   [JSON_TRUE] = KIND_BOOL,
		[JSON_FALSE] = KIND_BOOL,    [JSON_NULL] = KIND_NULL,
	};
	*value = (struct input_value){.kind = kinds[json_typeof(from)]};
	switch (value->kind) {
	case KIND_BOOL:
		value->truth = json_is_true(from);
		return true;
	case KIND_WHOLE:
		value->whole = json_integer_value(from);
		return true;
	case KIND_REAL:
		value->real = from;
		return true;
	case KIND_TEXT:
		value->count = json_string_length(from);
		value->text = json_string_value(from);
		return true;
	case KIND_ARRAY:
		return items_of(arena, from, value);
	case KIND_OBJECT:
		return members_of(arena, from, value);
	case KIND_NULL:
		break;
	}
	return true;
}

/* Where this returns NULL, `input_memory_out` tells whether it is for that. */
static struct input_value *read_any(struct arena *arena, const char *text, size_t length,
				    json_error_t *error)
{
	input_arena = arena;
	input_memory_out = false;
	json_t *tree = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, error);
	/* Where memory runs out in a string, the library may go on and drop a byte. */
	if (!tree || input_memory_out)
		return NULL;
	struct input_value *value = arena_take(arena, sizeof *value);
	if (value && tree_of(arena, tree, value))
		return value;
	input_memory_out = true;
	return NULL;
}

bool input_parse_any(struct context *ctx)
{
	static const char nothing[] = "{}";
	const struct request *request = ctx->request;
	const bool empty = request->body_length == 0;
	json_error_t error;
	size_t deep = input_depth(request->body, request->body_length, INPUT_DEPTH_MAX);
	if (deep < request->body_length)
		return input_malformed(ctx, deep, "The body is nested deeper than 16 levels.");
	ctx->body = read_any(&ctx->request->arena, empty ? nothing : request->body,
			     empty ? strlen(nothing) : request->body_length, &error);
	if (!ctx->body && input_memory_out)
		return ctx_no_memory(ctx);
	if (!ctx->body)
		return input_syntax(ctx, &error);
	if (!input_is_object(ctx->body))
		return input_problem(ctx, "", "The body is not a JSON object.", "an object, {...}",
				     NULL);
	return true;
}

bool input_parse(struct context *ctx)
{
	const struct request *request = ctx->request;
	if (request->body_length == 0 ||
	    !input_flat(&ctx->request->arena, request->body, request->body_length, &ctx->body))
		return input_parse_any(ctx);
	return ctx->body || ctx_no_memory(ctx);
}

struct input_value *input_stored(struct context *ctx, const char *text, size_t length)
{
	json_error_t error;
	if (input_depth(text, length, INPUT_DEPTH_MAX) < length)
		return NULL;
	struct input_value *value = read_any(&ctx->request->arena, text, length, &error);
	if (!value && input_memory_out)
		ctx_no_memory(ctx);
	return value;
}

/* ---- printing ---- */

static int print_bytes(const char *bytes, size_t length, void *buffer)
{
	buffer_add(buffer, bytes, length);
	return 0;
}

static void print_real(struct arena *arena, const json_t *real, struct out *out)
{
	input_arena = arena;
	out_raw(out, "", 0); /* the comma before it */
	if (json_dump_callback(real, print_bytes, out->buffer, JSON_ENCODE_ANY) != 0)
		out->buffer->failed = true;
}

static void print(struct arena *arena, const struct input_value *value, struct out *out)
{
	switch (value->kind) {
	case KIND_NULL:
		out_null(out);
		break;
	case KIND_BOOL:
		out_bool(out, value->truth);
		break;
	case KIND_WHOLE:
		out_integer(out, value->whole);
		break;
	case KIND_REAL:
		print_real(arena, value->real, out);
		break;
	case KIND_TEXT:
		out_bytes(out, value->text, value->count);
		break;
	case KIND_ARRAY:
		out_open(out, '[');
		for (size_t i = 0; i < value->count; i++)
			print(arena, &value->items[i], out);
		out_close(out, ']');
		break;
	case KIND_OBJECT:
		out_open(out, '{');
		for (size_t i = 0; i < value->count; i++) {
			out_bytes(out, value->members[i].name.bytes, value->members[i].name.length);
			buffer_add(out->buffer, ":", 1);
			out->comma = false;
			print(arena, &value->members[i].value, out);
		}
		out_close(out, '}');
		break;
	}
}

void input_print(struct context *ctx, const struct input_value *value, struct buffer *buffer)
{
	struct out out = {.buffer = buffer};
	print(&ctx->request->arena, value, &out);
}
