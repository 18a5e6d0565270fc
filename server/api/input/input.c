/* input.c: the values of a request's JSON, taken strictly. */
#include "server/api/input/input_internal.h"

#include <stdio.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/util/suggest.h"

bool input_problem(struct context *ctx, const char *pointer, const char *detail,
		   const char *expected, const char *suggestion)
{
	struct out out;
	problem_begin(ctx->request, PROBLEM_BAD_MEMBER, &out, "%s", detail);
	out_key(&out, "pointer");
	out_string(&out, pointer);
	problem_member(&out, "expected", expected);
	problem_member(&out, "suggestion", suggestion);
	problem_end(ctx->request, &out);
	return false;
}

void input_place_write(struct out *out, const struct input_place *place)
{
	out_key(out, place->pointer ? "pointer" : "parameter");
	out_string(out, place->pointer ? place->pointer : place->parameter);
}

bool input_place_problem(struct context *ctx, const struct input_place *place, const char *detail,
			 const char *expected, const char *suggestion)
{
	return place->pointer ? input_problem(ctx, place->pointer, detail, expected, suggestion)
			      : query_problem(ctx, place->parameter, detail, expected, suggestion);
}

/* ---- values ---- */

static bool is_kind(const struct input_value *value, enum input_kind kind)
{
	return value && value->kind == kind;
}

bool input_is_text(const struct input_value *value)
{
	return is_kind(value, KIND_TEXT);
}

bool input_is_array(const struct input_value *value)
{
	return is_kind(value, KIND_ARRAY);
}

bool input_is_object(const struct input_value *value)
{
	return is_kind(value, KIND_OBJECT);
}

bool input_is_number(const struct input_value *value)
{
	return is_kind(value, KIND_WHOLE) || is_kind(value, KIND_REAL);
}

bool input_is_null(const struct input_value *value)
{
	return is_kind(value, KIND_NULL);
}

size_t input_array_length(const struct input_value *array)
{
	return input_is_array(array) ? array->count : 0;
}

struct input_value *input_array_at(const struct input_value *array, size_t index)
{
	return index < input_array_length(array) ? &array->items[index] : NULL;
}

struct text input_text(const struct input_value *value)
{
	return input_is_text(value) ? (struct text){value->text, value->count} : (struct text){0};
}

int64_t input_number(const struct input_value *value)
{
	return is_kind(value, KIND_WHOLE) ? value->whole : INT64_MIN;
}

static size_t member_count(const struct input_value *object)
{
	return input_is_object(object) ? object->count : 0;
}

struct input_value *input_member_at(const struct input_value *object, const char *name)
{
	for (size_t i = 0; i < member_count(object); i++)
		if (strcmp(object->members[i].name.bytes, name) == 0)
			return &object->members[i].value;
	return NULL;
}

bool input_each(struct input_value *object,
		bool (*visit)(void *context, const char *name, struct input_value *value),
		void *context)
{
	for (size_t i = 0; i < member_count(object); i++)
		if (!visit(context, object->members[i].name.bytes, &object->members[i].value))
			return false;
	return true;
}

/* ---- places ---- */

const char *input_pointer(struct context *ctx, const char *pointer, const char *name)
{
	size_t base = strlen(pointer), length = strlen(name);
	char *joined = arena_take(&ctx->request->arena, base + 2 * length + 2);
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

const char *input_pointer_index(struct context *ctx, const char *pointer, size_t index)
{
	char name[24];
	snprintf(name, sizeof name, "%zu", index);
	return input_pointer(ctx, pointer, name);
}

/* ---- what is wanted ---- */

/* Takes a value that is as wanted; false where it is not. */
static bool input_take(struct input_value *value, const struct input_member *as)
{
	switch (as->type) {
	case INPUT_TEXT:
		if (!input_is_text(value))
			return false;
		*(struct text *)as->into = input_text(value);
		return true;
	case INPUT_INTEGER:
		if (!is_kind(value, KIND_WHOLE) || value->whole < as->min || value->whole > as->max)
			return false;
		*(int64_t *)as->into = value->whole;
		return true;
	case INPUT_BOOL:
		if (!is_kind(value, KIND_BOOL))
			return false;
		*(bool *)as->into = value->truth;
		return true;
	case INPUT_OBJECT:
		if (!input_is_object(value))
			return false;
		break;
	case INPUT_ARRAY:
		if (!input_is_array(value))
			return false;
		break;
	case INPUT_ANY:
		break;
	}
	*(struct input_value **)as->into = value;
	return true;
}

static bool input_no_integer(struct context *ctx, const struct input_value *value,
			     const char *pointer, const struct input_member *as)
{
	char expected[80];
	snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)as->min,
		 (long long)as->max);
	const char *detail = is_kind(value, KIND_WHOLE) ? "This number is out of range."
			     : is_kind(value, KIND_REAL)
				     ? "This number has a fraction or an exponent, or is too large."
				     : "This is no whole number.";
	return input_problem(ctx, pointer, detail, expected, NULL);
}

bool input_value(struct context *ctx, struct input_value *value, const char *pointer,
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
		return input_no_integer(ctx, value, pointer, as);
	return input_problem(ctx, pointer, wanted[as->type][0], wanted[as->type][1], NULL);
}

static bool input_unknown(struct context *ctx, const char *pointer, const char *name,
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
	return input_problem(ctx, input_pointer(ctx, pointer, name),
			     "This member is not known here.", expected,
			     suggest_nearest(name, strlen(name), names, count < 32 ? count : 32));
}

bool input_object(struct context *ctx, struct input_value *object, const char *pointer,
		  const struct input_member *members, size_t count)
{
	for (size_t at = 0; at < member_count(object); at++) {
		const char *name = object->members[at].name.bytes;
		struct input_value *value = &object->members[at].value;
		size_t i = 0;
		while (i < count && !(members[i].name[0] == name[0] && /* most are not */
				      strcmp(members[i].name, name) == 0))
			i++;
		if (i == count)
			return input_unknown(ctx, pointer, name, members, count);
		if (!input_take(value, &members[i]))
			return input_value(ctx, value, input_pointer(ctx, pointer, name),
					   &members[i]);
	}
	return true;
}
