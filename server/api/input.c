/* input.c: the JSON of a request, read strictly with jansson. */
#include "server/api/input.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "server/api/problem.h"
#include "server/api/spell.h"

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

bool input_problem(struct work *work, const char *pointer, const char *detail, const char *expected,
		   const char *suggestion)
{
	struct out out;
	problem_begin(work->request, PROBLEM_BAD_MEMBER, &out, "%s", detail);
	out_key(&out, "pointer");
	out_string(&out, pointer);
	problem_member(&out, "expected", expected);
	problem_member(&out, "suggestion", suggestion);
	problem_end(work->request, &out);
	return false;
}

void input_place_write(struct out *out, const struct input_place *place)
{
	out_key(out, place->pointer ? "pointer" : "parameter");
	out_string(out, place->pointer ? place->pointer : place->parameter);
}

bool input_place_problem(struct work *work, const struct input_place *place, const char *detail,
			 const char *expected, const char *suggestion)
{
	return place->pointer ? input_problem(work, place->pointer, detail, expected, suggestion)
			      : query_problem(work, place->parameter, detail, expected, suggestion);
}

static bool input_malformed(struct work *work, size_t offset, const char *detail)
{
	struct out out;
	const struct request *request = work->request;
	if (offset > request->body_length)
		offset = request->body_length;
	problem_begin(work->request, PROBLEM_MALFORMED_JSON, &out, "%s", detail);
	out_key(&out, "offset");
	out_integer(&out, (int64_t)offset);
	out_key(&out, "column");
	out_integer(&out, (int64_t)cube_text_column(request->body, request->body_length, offset));
	problem_end(work->request, &out);
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

static bool input_syntax(struct work *work, const json_error_t *error)
{
	char detail[JSON_ERROR_TEXT_LENGTH + 32];
	size_t fault = input_fault(work->request, error);
	switch (json_error_code(error)) {
	case json_error_numeric_overflow:
		return input_problem(work, "", "The body has a number that is too large.",
				     "numbers of at most 64 bits; the index of a cube is a string",
				     NULL);
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return input_malformed(work, fault, "The body has a NUL character, \\u0000.");
	default:
		snprintf(detail, sizeof detail, "The body is not valid JSON: %s.", error->text);
		return input_malformed(work, fault, detail);
	}
}

bool input_parse(struct work *work)
{
	const struct request *request = work->request;
	json_error_t error;
	size_t deep = input_depth(request->body, request->body_length, INPUT_DEPTH_MAX);
	if (deep < request->body_length)
		return input_malformed(work, deep, "The body is nested deeper than 16 levels.");
	input_arena = &work->request->arena;
	input_memory_out = false;
	work->body = request->body_length > 0
			     ? json_loadb(request->body, request->body_length,
					  JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error)
			     : json_object();
	/* Where memory runs out in a string, the library may go on and drop a byte. */
	if (input_memory_out || (!work->body && request->body_length == 0))
		return work_no_memory(work);
	if (!work->body)
		return input_syntax(work, &error);
	if (!json_is_object(work->body))
		return input_problem(work, "", "The body is not a JSON object.", "an object, {...}",
				     NULL);
	return true;
}

struct json_t *input_stored(struct work *work, const char *text, size_t length)
{
	json_error_t error;
	if (input_depth(text, length, INPUT_DEPTH_MAX) < length)
		return NULL;
	input_arena = &work->request->arena;
	input_memory_out = false;
	json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!input_memory_out)
		return value;
	work_no_memory(work);
	return NULL;
}

static int print_bytes(const char *bytes, size_t length, void *buffer)
{
	buffer_add(buffer, bytes, length);
	return 0;
}

void input_print(struct work *work, const struct json_t *value, struct buffer *buffer)
{
	input_arena = &work->request->arena;
	if (json_dump_callback(value, print_bytes, buffer, JSON_COMPACT | JSON_ENCODE_ANY) != 0)
		buffer->failed = true;
}

struct json_t *input_member_at(const struct json_t *object, const char *name)
{
	return json_object_get(object, name);
}

bool input_each(struct json_t *object,
		bool (*visit)(void *context, const char *name, struct json_t *value), void *context)
{
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value)
	{
		if (!visit(context, name, value))
			return false;
	}
	return true;
}

bool input_is_text(const struct json_t *value)
{
	return json_is_string(value);
}

bool input_is_array(const struct json_t *value)
{
	return json_is_array(value);
}

bool input_is_object(const struct json_t *value)
{
	return json_is_object(value);
}

bool input_is_number(const struct json_t *value)
{
	return json_is_number(value);
}

bool input_is_null(const struct json_t *value)
{
	return json_is_null(value);
}

size_t input_array_length(const struct json_t *array)
{
	return json_array_size(array);
}

struct json_t *input_array_at(const struct json_t *array, size_t index)
{
	return json_array_get(array, index);
}

struct text input_text(const struct json_t *value)
{
	return (struct text){json_string_value(value), json_string_length(value)};
}

int64_t input_number(const struct json_t *value)
{
	return json_is_integer(value) ? json_integer_value(value) : INT64_MIN;
}

const char *input_pointer(struct work *work, const char *pointer, const char *name)
{
	size_t base = strlen(pointer), length = strlen(name);
	char *joined = arena_take(&work->request->arena, base + 2 * length + 2);
	if (!joined)
		return "";
	memcpy(joined, pointer, base);
	char *at = joined + base;
	*at++ = '/';
	for (; *name; name++) {
		if (*name == '~' || *name == '/') {
			*at++ = '~';
			*at++ = *name == '~' ? '0' : '1';
		} else {
			*at++ = *name;
		}
	}
	*at = '\0';
	return joined;
}

const char *input_pointer_index(struct work *work, const char *pointer, size_t index)
{
	char name[24];
	snprintf(name, sizeof name, "%zu", index);
	return input_pointer(work, pointer, name);
}

/* Takes a value that is as wanted; false where it is not. */
static bool input_take(struct json_t *value, const struct input_member *as)
{
	switch (as->type) {
	case INPUT_TEXT:
		if (!json_is_string(value))
			return false;
		*(struct text *)as->into = input_text(value);
		return true;
	case INPUT_INTEGER:
		if (!json_is_integer(value) || json_integer_value(value) < as->min ||
		    json_integer_value(value) > as->max)
			return false;
		*(int64_t *)as->into = json_integer_value(value);
		return true;
	case INPUT_BOOL:
		if (!json_is_boolean(value))
			return false;
		*(bool *)as->into = json_is_true(value);
		return true;
	case INPUT_OBJECT:
		if (!json_is_object(value))
			return false;
		break;
	case INPUT_ARRAY:
		if (!json_is_array(value))
			return false;
		break;
	case INPUT_ANY:
		break;
	}
	*(struct json_t **)as->into = value;
	return true;
}

static bool input_no_integer(struct work *work, const json_t *value, const char *pointer,
			     const struct input_member *as)
{
	char expected[80];
	snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)as->min,
		 (long long)as->max);
	const char *detail = json_is_integer(value) ? "This number is out of range."
			     : json_is_real(value)
				     ? "This number has a fraction or an exponent, or is too large."
				     : "This is no whole number.";
	return input_problem(work, pointer, detail, expected, NULL);
}

bool input_value(struct work *work, struct json_t *value, const char *pointer,
		 const struct input_member *as)
{
	static const char *const wanted[][2] = {
		[INPUT_TEXT] = {"This is no string.", "a string"},
		[INPUT_BOOL] = {"This is neither true nor false.", "true or false"},
		[INPUT_OBJECT] = {"This is no object.", "an object"},
		[INPUT_ARRAY] = {"This is no array.", "an array"},
	};
	if (input_take(value, as))
		return true;
	if (as->type == INPUT_INTEGER)
		return input_no_integer(work, value, pointer, as);
	return input_problem(work, pointer, wanted[as->type][0], wanted[as->type][1], NULL);
}

static bool input_unknown(struct work *work, const char *pointer, const char *name,
			  const struct input_member *members, size_t count)
{
	char expected[256] = "no members";
	const char *names[32];
	size_t length = 0;
	for (size_t i = 0; i < count && i < 32; i++) {
		names[i] = members[i].name;
		if (length < sizeof expected)
			length += (size_t)snprintf(expected + length, sizeof expected - length,
						   "%s%s",
						   i           ? ", "
						   : count > 1 ? "one of "
							       : "",
						   names[i]);
	}
	return input_problem(work, input_pointer(work, pointer, name),
			     "This member is not known here.", expected,
			     spell_nearest(name, strlen(name), names, count < 32 ? count : 32));
}

bool input_object(struct work *work, struct json_t *object, const char *pointer,
		  const struct input_member *members, size_t count)
{
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value)
	{
		size_t i = 0;
		while (i < count && strcmp(members[i].name, name) != 0)
			i++;
		if (i == count)
			return input_unknown(work, pointer, name, members, count);
		if (!input_take(value, &members[i]))
			return input_value(work, value, input_pointer(work, pointer, name),
					   &members[i]);
	}
	return true;
}
