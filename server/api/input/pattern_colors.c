/* pattern_colors.c: reading patterns of colours: the compact string, and six arrays of items. */
#include <stdio.h>

#include "server/api/input/input.h"
#include "server/api/input/pattern_internal.h"
#include "server/api/request/problem.h"

/* Adds the arrays of items as a leaf. */
static bool add_colors(struct pattern_reading *in, const uint8_t *items, bool held)
{
	size_t stars = 0;
	for (size_t i = 0; i < cube_facelets(in->size); i++)
		stars += items[i] == CUBE_ITEM_ANY;
	struct cube_pattern *pattern = ctx_alloc(in->ctx, cube_pattern_bytes(in->size, stars));
	if (!pattern)
		return false;
	cube_pattern_make(pattern, in->size, items);
	const struct cube_query_node node = {
		.kind = CUBE_QUERY_COLORS, .held = held, .span = 1, .pattern = pattern};
	return pattern_add(in, &node, 1);
}

static bool size_problem(struct pattern_reading *in, const char *pointer, int size)
{
	int n = in->size;
	char expected[64];
	snprintf(expected, sizeof expected, "%d items in each array", n * n);
	return pattern_problem(in->ctx, pointer, expected,
			       "The pattern is for a %dx%dx%d; the cube is a %dx%dx%d.", size, size,
			       size, n, n, n);
}

/* Answers for a text that is the name of a pattern, or nearly. Returns false if it is neither. */
static bool refuse_name(struct pattern_reading *in, const char *pointer, struct text text)
{
	const bool known = cube_named_find(text.bytes, text.length) != NULL;
	const char *meant = known ? text.bytes : pattern_nearest(text);
	struct out out;
	if (!meant)
		return false;
	problem_begin(in->ctx->request, PROBLEM_BAD_PATTERN, &out,
		      known ? "Must be an object to name a pattern: {\"name\": \"%s\"}."
			    : "Unknown pattern; name one in an object: {\"name\": \"%s\"}.",
		      meant);
	input_place_write(in->ctx, &out, &(struct json_place){.pointer = pointer});
	problem_member(&out, "expected", "six arrays, or an object such as {\"name\": \"cross\"}");
	problem_member(&out, "suggestion", known ? NULL : meant);
	problem_end(in->ctx->request, &out);
	return true;
}

static bool text_problem(struct pattern_reading *in, const char *pointer, struct text text,
			 const struct cube_pattern_error *error)
{
	struct out out;
	const char *array = cube_pattern_arrays[error->array < CUBE_FACES ? error->array : 0];
	char detail[160];
	if (refuse_name(in, pointer, text))
		return false;
	switch (error->code) {
	case CUBE_PATTERN_ITEM:
		snprintf(detail, sizeof detail,
			 "Item %zu of %s must be a colour, a generic 1 to 6, or *.",
			 error->item + 1, array);
		break;
	case CUBE_PATTERN_COUNT:
		snprintf(detail, sizeof detail, "%s has %zu items; the first array has %zu.", array,
			 error->item, error->expected);
		break;
	case CUBE_PATTERN_ARRAYS:
		snprintf(detail, sizeof detail,
			 "A pattern must have six arrays; this one has %s%d.",
			 error->array > CUBE_FACES ? "at least " : "", error->array);
		break;
	default:
		snprintf(detail, sizeof detail,
			 "%zu items; a pattern has six arrays of n*n items, or is an object such "
			 "as {\"name\": \"cross\"}.",
			 error->item);
	}
	problem_begin(in->ctx->request, PROBLEM_BAD_PATTERN, &out, "%s", detail);
	input_place_write(in->ctx, &out, &(struct json_place){.pointer = pointer});
	problem_member(&out, "expected",
		       "six arrays of n*n items: U R F D L B or W R G Y O B, 1 to 6, *; or an "
		       "object such as {\"name\": \"cross\"}");
	out_member_integer(&out, "offset",
			   (int64_t)(error->offset < text.length ? error->offset : text.length));
	out_member_integer(&out, "length", (int64_t)error->length);
	if (error->code == CUBE_PATTERN_ITEM || error->code == CUBE_PATTERN_COUNT)
		out_member_string(&out, "array", array);
	problem_end(in->ctx->request, &out);
	return false;
}

static bool read_text(struct pattern_reading *in, struct text text, const char *pointer, bool held)
{
	struct cube_pattern_error error;
	size_t room = text.length < CUBE_FACELETS_MAX ? text.length : CUBE_FACELETS_MAX;
	uint8_t *items = ctx_alloc(in->ctx, room + 1);
	int size;
	if (!items || !pattern_part(in, pointer))
		return false;
	if (cube_pattern_parse(text.bytes, text.length, items, &size, &error) != CUBE_PATTERN_OK)
		return text_problem(in, pointer, text, &error);
	return size == in->size ? add_colors(in, items, held) : size_problem(in, pointer, size);
}

static int item_of(const struct json_value *value)
{
	if (json_is_kind(value, JSON_KIND_TEXT)) {
		struct text text = json_value_text(value);
		return text.length == 1 ? cube_pattern_item(text.bytes[0]) : -1;
	}
	int64_t number = json_value_is_number(value) ? json_value_whole(value) : 0;
	return number >= 1 && number <= CUBE_GENERICS ? CUBE_ITEM_GENERIC + (int)number - 1 : -1;
}

static bool count_problem(struct pattern_reading *in, const char *pointer, int array,
			  const char *what, size_t count, int expected)
{
	char text[32];
	snprintf(text, sizeof text, "%d %s", expected, what);
	return pattern_problem(in->ctx, pointer, text, "%s has %zu %s.", cube_pattern_arrays[array],
			       count, what);
}

static bool read_items(struct pattern_reading *in, struct json_value *from, const char *pointer,
		       int array, size_t first, size_t count, uint8_t *items)
{
	for (size_t i = 0; i < count; i++) {
		int item = item_of(json_item(from, i));
		if (item < 0)
			return pattern_problem(
				in->ctx, input_pointer_index(in->ctx, pointer, i),
				"one of U R F D L B or W R G Y O B, 1 to 6, or *",
				"Item %zu of %s must be a colour, a generic 1 to 6, or *.",
				first + i + 1, cube_pattern_arrays[array]);
		items[i] = (uint8_t)item;
	}
	return true;
}

/* One array: n*n items, or n rows of n. */
static bool read_array(struct pattern_reading *in, struct json_value *from, const char *pointer,
		       int array, uint8_t *items)
{
	size_t n = (size_t)in->size,
	       count = json_is_kind(from, JSON_KIND_ARRAY) ? json_item_count(from) : 0;
	if (!json_is_kind(from, JSON_KIND_ARRAY))
		return pattern_problem(in->ctx, pointer, "an array of items",
				       "%s must be an array.", cube_pattern_arrays[array]);
	if (count != n || !json_is_kind(json_item(from, 0), JSON_KIND_ARRAY))
		return count == n * n ? read_items(in, from, pointer, array, 0, count, items)
				      : count_problem(in, pointer, array, "items", count,
						      in->size * in->size);
	for (size_t row = 0; row < n; row++) {
		struct json_value *at = json_item(from, row);
		const char *place = input_pointer_index(in->ctx, pointer, row);
		if (!json_is_kind(at, JSON_KIND_ARRAY) || json_item_count(at) != n)
			return pattern_problem(in->ctx, place, "as many items as there are rows",
					       "Row %zu of %s must be an array of %zu items.",
					       row + 1, cube_pattern_arrays[array], n);
		if (!read_items(in, at, place, array, row * n, n, items + row * n))
			return false;
	}
	return true;
}

bool pattern_read_faces(struct pattern_reading *in, struct json_value *faces, const char *pointer,
			bool held)
{
	size_t area = (size_t)in->size * (size_t)in->size;
	if (json_is_kind(faces, JSON_KIND_TEXT))
		return read_text(in, json_value_text(faces), pointer, held);
	if (!json_is_kind(faces, JSON_KIND_ARRAY) || json_item_count(faces) != CUBE_FACES)
		return pattern_problem(in->ctx, pointer,
				       "A, A.up, A.right, A.left, A.down, A.down.down",
				       "Must be six arrays of n*n items, or a string.");
	uint8_t *items = ctx_alloc(in->ctx, cube_facelets(in->size));
	if (!items || !pattern_part(in, pointer))
		return false;
	for (int array = 0; array < CUBE_FACES; array++)
		if (!read_array(in, json_item(faces, (size_t)array),
				input_pointer_index(in->ctx, pointer, (size_t)array), array,
				items + area * (size_t)array))
			return false;
	return add_colors(in, items, held);
}
