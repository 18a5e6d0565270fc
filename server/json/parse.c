/* parse.c: JSON of any kind, parsed by jansson into our own tree: the only file that includes
 * jansson. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "server/json/json_internal.h"
#include "server/json/writer.h"

/* The library allocates from the arena of the request being parsed; nothing is freed separately. If
 * out of memory the library reports "syntax error"; the flag separates the two cases. */
static _Thread_local struct arena *parse_arena;
static _Thread_local bool parse_memory_out;

static void *parse_malloc(size_t bytes)
{
	void *memory = arena_alloc(parse_arena, bytes);
	if (!memory)
		parse_memory_out = true;
	return memory;
}

static void parse_free(void *memory)
{
	(void)memory;
}

void json_setup(void)
{
	size_t seed = 0;
	if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
		seed = 0; /* 0: the library finds one */
	json_set_alloc_funcs(parse_malloc, parse_free);
	json_object_seed(seed);
}

/* ---- errors ---- */

/* A document being parsed. */
struct document {
	struct json_reader *reader;
	const char *text;
	size_t length;
};

static bool fail_syntax(const struct document *document, size_t offset, const char *detail)
{
	struct json_reader *reader = document->reader;
	json_fail(reader, &(struct json_place){0}, detail, NULL, NULL);
	if (reader->error.fault == JSON_FAULT_MEMORY)
		return false;
	if (offset > document->length)
		offset = document->length;
	reader->error.fault = JSON_FAULT_SYNTAX;
	reader->error.offset = offset;
	reader->error.column = cube_text_column(document->text, document->length, offset);
	return false;
}

/* Returns the position where the nesting exceeds `most`; `length` if it does not. The library
 * recurses. */
static size_t depth_exceeded_at(const char *text, size_t length, size_t most)
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

/* Returns the position where the fault begins: the library reports how far it had read and, in its
 * text, what it read last. */
static size_t fault_offset(size_t length, const json_error_t *error)
{
	size_t position = error->position > 0 ? (size_t)error->position : 0;
	const char *near = strstr(error->text, " near '");
	if (strstr(error->text, "near end of file"))
		return length;
	if (near) {
		size_t last = strlen(near) - strlen(" near '") - 1;
		return position > last ? position - last : 0;
	}
	return position > 0 ? position - 1 : 0;
}

static bool fail_parse(const struct document *document, const json_error_t *error)
{
	char detail[JSON_ERROR_TEXT_LENGTH + 32];
	const size_t offset = fault_offset(document->length, error);
	switch (json_error_code(error)) {
	case json_error_numeric_overflow:
		return json_fail(
			document->reader, &(struct json_place){.pointer = ""},
			"The body has a number of more than 64 bits; send the index of a cube "
			"as a string.",
			"numbers of at most 64 bits; send the index of a cube as a string", NULL);
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return fail_syntax(document, offset, "NUL characters (\\u0000) are not allowed.");
	default:
		snprintf(detail, sizeof detail, "The body is not valid JSON: %s.", error->text);
		return fail_syntax(document, offset, detail);
	}
}

/* ---- our own tree ---- */

static bool tree_of(struct arena *arena, json_t *from, struct json_value *value);

static bool items_of(struct arena *arena, json_t *from, struct json_value *value)
{
	value->count = json_array_size(from);
	value->items = arena_alloc(arena, value->count * sizeof *value->items);
	bool taken = value->items != NULL;
	for (size_t i = 0; taken && i < value->count; i++)
		taken = tree_of(arena, json_array_get(from, i), &value->items[i]);
	return taken;
}

static bool members_of(struct arena *arena, json_t *from, struct json_value *value)
{
	const char *name;
	json_t *member;
	struct json_named *next = arena_alloc(arena, json_object_size(from) * sizeof *next);
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

/* The library's texts stay where they are, on the same arena. At most JSON_DEPTH_MAX deep. */
static bool tree_of(struct arena *arena, json_t *from, struct json_value *value)
{
	static const unsigned char kinds[] = {
		[JSON_OBJECT] = JSON_KIND_OBJECT, [JSON_ARRAY] = JSON_KIND_ARRAY,
		[JSON_STRING] = JSON_KIND_TEXT,   [JSON_INTEGER] = JSON_KIND_WHOLE,
		[JSON_REAL] = JSON_KIND_REAL,     [JSON_TRUE] = JSON_KIND_BOOL,
		[JSON_FALSE] = JSON_KIND_BOOL,    [JSON_NULL] = JSON_KIND_NULL,
	};
	*value = (struct json_value){.kind = kinds[json_typeof(from)]};
	switch (value->kind) {
	case JSON_KIND_BOOL:
		value->truth = json_is_true(from);
		return true;
	case JSON_KIND_WHOLE:
		value->whole = json_integer_value(from);
		return true;
	case JSON_KIND_REAL:
		value->real = from;
		return true;
	case JSON_KIND_TEXT:
		value->count = json_string_length(from);
		value->text = json_string_value(from);
		return true;
	case JSON_KIND_ARRAY:
		return items_of(arena, from, value);
	case JSON_KIND_OBJECT:
		return members_of(arena, from, value);
	case JSON_KIND_NULL:
		break;
	}
	return true;
}

/* If this returns NULL, `parse_memory_out` says whether it ran out of memory. */
static struct json_value *read_any(struct arena *arena, const char *text, size_t length,
				   json_error_t *error)
{
	parse_arena = arena;
	parse_memory_out = false;
	json_t *tree = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, error);
	/* If memory runs out within a string, the library may go on and drop a byte. */
	if (!tree || parse_memory_out)
		return NULL;
	struct json_value *value = arena_alloc(arena, sizeof *value);
	if (value && tree_of(arena, tree, value))
		return value;
	parse_memory_out = true;
	return NULL;
}

bool json_parse(struct json_reader *reader, const char *text, size_t length,
		struct json_value **value)
{
	const struct document document = {reader, text, length};
	json_error_t error;
	const size_t deep = depth_exceeded_at(text, length, JSON_DEPTH_MAX);
	if (deep < length)
		return fail_syntax(&document, deep,
				   "The body must not be nested deeper than 16 levels.");
	*value = read_any(reader->arena, text, length, &error);
	if (*value)
		return true;
	return parse_memory_out ? json_fail_memory(reader) : fail_parse(&document, &error);
}

bool json_parse_body_any(struct json_reader *reader, const char *body, size_t length,
			 struct json_value **value)
{
	static const char nothing[] = "{}";
	if (!json_parse(reader, length > 0 ? body : nothing, length > 0 ? length : strlen(nothing),
			value))
		return false;
	return json_is_kind(*value, JSON_KIND_OBJECT) ||
	       json_fail(reader, &(struct json_place){.pointer = ""},
			 "The body must be a JSON object, for example {\"size\": 3}.",
			 "an object, {...}", NULL);
}

bool json_parse_body(struct json_reader *reader, const char *body, size_t length,
		     struct json_value **value)
{
	if (length == 0 || !json_parse_flat(reader->arena, body, length, value))
		return json_parse_body_any(reader, body, length, value);
	return *value || json_fail_memory(reader);
}

/* ---- printing ---- */

static int print_bytes(const char *bytes, size_t length, void *buffer)
{
	buffer_add(buffer, bytes, length);
	return 0;
}

static void print_real(struct arena *arena, const json_t *real, struct out *out)
{
	parse_arena = arena;
	out_raw(out, "", 0); /* writes the comma before it */
	if (json_dump_callback(real, print_bytes, out->buffer, JSON_ENCODE_ANY) != 0)
		out->buffer->failed = true;
}

static void print_value(struct arena *arena, const struct json_value *value, struct out *out)
{
	switch (value->kind) {
	case JSON_KIND_NULL:
		out_null(out);
		break;
	case JSON_KIND_BOOL:
		out_bool(out, value->truth);
		break;
	case JSON_KIND_WHOLE:
		out_integer(out, value->whole);
		break;
	case JSON_KIND_REAL:
		print_real(arena, value->real, out);
		break;
	case JSON_KIND_TEXT:
		out_bytes(out, value->text, value->count);
		break;
	case JSON_KIND_ARRAY:
		out_open(out, '[');
		for (size_t i = 0; i < value->count; i++)
			print_value(arena, &value->items[i], out);
		out_close(out, ']');
		break;
	case JSON_KIND_OBJECT:
		out_open(out, '{');
		for (size_t i = 0; i < value->count; i++) {
			out_bytes(out, value->members[i].name.bytes, value->members[i].name.length);
			buffer_add(out->buffer, ":", 1);
			out->comma = false;
			print_value(arena, &value->members[i].value, out);
		}
		out_close(out, '}');
		break;
	}
}

void json_print(struct arena *arena, const struct json_value *value, struct buffer *buffer)
{
	struct out out = {.buffer = buffer};
	print_value(arena, value, &out);
}
