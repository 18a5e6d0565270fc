/* reader.c: values into the caller's variables, strictly. */
#include <stdio.h>
#include <string.h>

#include "server/json/json_internal.h"
#include "server/util/suggest.h"

/* The number of members that an error lists. */
#define NAMES_MAX 32

/* ---- errors ---- */

bool json_fail_memory(struct json_reader *reader)
{
	reader->error = (struct json_error){.fault = JSON_FAULT_MEMORY};
	return false;
}

static const char *keep_text(struct json_reader *reader, const char *text)
{
	return text && text[0] ? arena_text(reader->arena, text, strlen(text)) : NULL;
}

bool json_fail(struct json_reader *reader, const struct json_place *place, const char *detail,
	       const char *expected, const char *suggestion)
{
	reader->error = (struct json_error){.fault = JSON_FAULT_VALUE,
					    .place = *place,
					    .detail = keep_text(reader, detail),
					    .expected = keep_text(reader, expected),
					    .suggestion = keep_text(reader, suggestion)};
	return reader->error.detail ? false : json_fail_memory(reader);
}

bool json_fail_text(struct json_reader *reader, const struct json_place *place, const char *what,
		    struct text text, const struct cube_error *error)
{
	char detail[256];
	snprintf(detail, sizeof detail, "%s: %s.", what, cube_error_text(error->code));
	json_fail(reader, place, detail, error->expected, error->suggestion);
	reader->error.offset = error->offset;
	reader->error.length = error->length;
	reader->error.column = cube_text_column(text.bytes, text.length, error->offset);
	return false;
}

static bool fail_at(struct json_reader *reader, const char *pointer, const char *detail,
		    const char *expected, const char *suggestion)
{
	return json_fail(reader, &(struct json_place){.pointer = pointer}, detail, expected,
			 suggestion);
}

void *json_alloc(struct json_reader *reader, size_t bytes)
{
	void *memory = arena_alloc(reader->arena, bytes);
	if (!memory)
		json_fail_memory(reader);
	return memory;
}

/* ---- values ---- */

bool json_is_kind(const struct json_value *value, enum json_kind kind)
{
	return value && value->kind == kind;
}

bool json_value_is_number(const struct json_value *value)
{
	return json_is_kind(value, JSON_KIND_WHOLE) || json_is_kind(value, JSON_KIND_REAL);
}

size_t json_item_count(const struct json_value *array)
{
	return json_is_kind(array, JSON_KIND_ARRAY) ? array->count : 0;
}

struct json_value *json_item(const struct json_value *array, size_t index)
{
	return index < json_item_count(array) ? &array->items[index] : NULL;
}

struct text json_value_text(const struct json_value *value)
{
	return json_is_kind(value, JSON_KIND_TEXT) ? (struct text){value->text, value->count}
						   : (struct text){0};
}

int64_t json_value_whole(const struct json_value *value)
{
	return json_is_kind(value, JSON_KIND_WHOLE) ? value->whole : INT64_MIN;
}

static size_t member_count(const struct json_value *object)
{
	return json_is_kind(object, JSON_KIND_OBJECT) ? object->count : 0;
}

struct json_value *json_member_of(const struct json_value *object, const char *name)
{
	for (size_t i = 0; i < member_count(object); i++)
		if (strcmp(object->members[i].name.bytes, name) == 0)
			return &object->members[i].value;
	return NULL;
}

bool json_each_member(struct json_value *object,
		      bool (*visit)(void *context, const char *name, struct json_value *value),
		      void *context)
{
	for (size_t i = 0; i < member_count(object); i++)
		if (!visit(context, object->members[i].name.bytes, &object->members[i].value))
			return false;
	return true;
}

/* ---- places ---- */

const char *json_pointer(struct json_reader *reader, const char *pointer, const char *name)
{
	size_t base = strlen(pointer), length = strlen(name);
	char *joined = arena_alloc(reader->arena, base + 2 * length + 2);
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

const char *json_pointer_index(struct json_reader *reader, const char *pointer, size_t index)
{
	char name[24];
	snprintf(name, sizeof name, "%zu", index);
	return json_pointer(reader, pointer, name);
}

/* ---- into variables ---- */

/* False if the value is not of the type. */
static bool assign_value(struct json_value *value, const struct json_member *as)
{
	switch (as->type) {
	case JSON_TEXT:
		if (!json_is_kind(value, JSON_KIND_TEXT))
			return false;
		*(struct text *)as->into = json_value_text(value);
		return true;
	case JSON_INT64:
		if (!json_is_kind(value, JSON_KIND_WHOLE) || value->whole < as->min ||
		    value->whole > as->max)
			return false;
		*(int64_t *)as->into = value->whole;
		return true;
	case JSON_BOOLEAN:
		if (!json_is_kind(value, JSON_KIND_BOOL))
			return false;
		*(bool *)as->into = value->truth;
		return true;
	case JSON_MEMBERS:
		if (!json_is_kind(value, JSON_KIND_OBJECT))
			return false;
		break;
	case JSON_ITEMS:
		if (!json_is_kind(value, JSON_KIND_ARRAY))
			return false;
		break;
	case JSON_ANY:
		break;
	}
	*(struct json_value **)as->into = value;
	return true;
}

static bool fail_integer(struct json_reader *reader, const struct json_value *value,
			 const char *pointer, const struct json_member *as)
{
	char expected[80], detail[160];
	snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)as->min,
		 (long long)as->max);
	if (json_is_kind(value, JSON_KIND_WHOLE))
		snprintf(detail, sizeof detail, "%lld is out of range; use %s.",
			 (long long)value->whole, expected);
	else if (json_is_kind(value, JSON_KIND_REAL))
		snprintf(detail, sizeof detail,
			 "Must be an integer of at most 64 bits, without a fraction or an "
			 "exponent, for example %lld.",
			 (long long)(as->min > 0 ? as->min : 1));
	else
		snprintf(detail, sizeof detail, "Must be %s.", expected);
	return fail_at(reader, pointer, detail, expected, NULL);
}

bool json_read_value(struct json_reader *reader, struct json_value *value, const char *pointer,
		     const struct json_member *as)
{
	static const char *const wanted[][2] = {
		[JSON_TEXT] = {"Must be a string, \"...\".", "a string"},
		[JSON_BOOLEAN] = {"Must be true or false.", "true or false"},
		[JSON_MEMBERS] = {"Must be an object, {...}.", "an object"},
		[JSON_ITEMS] = {"Must be an array, [...].", "an array"},
	};
	if (assign_value(value, as))
		return true;
	if (as->type == JSON_INT64)
		return fail_integer(reader, value, pointer, as);
	return fail_at(reader, pointer, wanted[as->type][0], wanted[as->type][1], NULL);
}

static bool fail_unknown(struct json_reader *reader, const char *pointer, const char *name,
			 const struct json_member *members, size_t count)
{
	char expected[320], detail[400];
	const char *names[NAMES_MAX] = {NULL};
	const size_t named = count < NAMES_MAX ? count : NAMES_MAX;
	for (size_t i = 0; i < named; i++)
		names[i] = members[i].name;
	suggest_list(names, named, expected, sizeof expected);
	snprintf(detail, sizeof detail, "Unknown member; use %s.", expected);
	return fail_at(reader, json_pointer(reader, pointer, name),
		       count > 0 ? detail : "No members are expected here.",
		       count > 0 ? expected : "no members",
		       suggest_nearest(name, strlen(name), names, named));
}

/* Reads one member; false, with the error set, if it is unknown or of a wrong type. */
static bool read_member(struct json_reader *reader, struct json_named *member, const char *pointer,
			const struct json_member *members, size_t count)
{
	const char *name = member->name.bytes;
	size_t i = 0;
	while (i < count && !(members[i].name[0] == name[0] && /* mostly false */
			      strcmp(members[i].name, name) == 0))
		i++;
	if (i == count)
		return fail_unknown(reader, pointer, name, members, count);
	return assign_value(&member->value, &members[i]) ||
	       json_read_value(reader, &member->value, json_pointer(reader, pointer, name),
			       &members[i]);
}

bool json_read_members(struct json_reader *reader, struct json_value *object, const char *pointer,
		       const struct json_member *members, size_t count)
{
	struct json_error *first = NULL, **end = &first;
	size_t errors = 0;
	for (size_t at = 0; at < member_count(object) && errors < JSON_ERRORS_MAX; at++) {
		if (read_member(reader, &object->members[at], pointer, members, count))
			continue;
		if (reader->error.fault == JSON_FAULT_MEMORY)
			return false;
		*end = json_alloc(reader, sizeof **end);
		if (!*end)
			return false;
		**end = reader->error;
		end = &(*end)->next;
		errors++;
	}
	if (first)
		reader->error = *first;
	return !first;
}
