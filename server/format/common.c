/* common.c: what the formats share: places, numbers, room, problems. */
#include "server/format/format.h"

#include <stdio.h>

#include "server/api/request/problem.h"

bool format_serves(const struct format *format, int size)
{
	return size >= format->size_min && size <= format->size_max;
}

void format_sizes(const struct format *format, char text[FORMAT_SIZES_BYTES])
{
	if (format->size_min == format->size_max)
		snprintf(text, FORMAT_SIZES_BYTES, "size %d", format->size_min);
	else
		snprintf(text, FORMAT_SIZES_BYTES, "sizes %d to %d", format->size_min,
			 format->size_max);
}

void format_paint(struct cube *cube, int size, const uint8_t *colors)
{
	uint16_t face = (uint16_t)(size * size);
	cube_init(cube, size);
	for (size_t i = 0; i < cube_facelets(size); i++)
		cube->sticker[i] = (uint16_t)(colors[i] * face);
}

bool format_room(struct context *ctx, int size, struct format_given *given)
{
	given->size = size;
	given->colors = ctx_take(ctx, cube_facelets(size));
	return given->colors != NULL;
}

struct input_place format_at(struct context *ctx, const struct input_place *place, size_t index)
{
	return (struct input_place){.pointer = input_pointer_index(ctx, place->pointer, index)};
}

struct input_place format_in(struct context *ctx, const struct input_place *place, const char *name)
{
	return (struct input_place){.pointer = input_pointer(ctx, place->pointer, name)};
}

/* ---- text ---- */

bool format_text(struct context *ctx, struct input_value *value, const struct input_place *place,
		 struct text *text)
{
	const struct input_member as = {.type = INPUT_TEXT, .into = text};
	return input_value(ctx, value, place->pointer, &as);
}

bool format_text_problem(struct context *ctx, const struct input_place *place, const char *what,
			 struct text letters, const struct cube_error *error)
{
	struct out out;
	problem_begin(ctx->request, place->pointer ? PROBLEM_BAD_MEMBER : PROBLEM_BAD_PARAMETER,
		      &out, "%s: %s.", what, cube_error_text(error->code));
	input_place_write(&out, place);
	out_key(&out, "offset");
	out_integer(&out, (int64_t)error->offset);
	out_key(&out, "length");
	out_integer(&out, (int64_t)error->length);
	out_key(&out, "column");
	out_integer(&out, (int64_t)cube_text_column(letters.bytes, letters.length, error->offset));
	problem_member(&out, "expected", error->expected);
	problem_member(&out, "suggestion", error->suggestion);
	problem_end(ctx->request, &out);
	return false;
}

/* ---- numbers ---- */

bool format_form_problem(struct context *ctx, const struct input_place *place,
			 const struct cube_form_error *error)
{
	char detail[128], expected[32] = "";
	snprintf(detail, sizeof detail, "This is not right: %s.", cube_form_text(error->code));
	if (error->expected >= 0)
		snprintf(expected, sizeof expected, "%ld", error->expected);
	return input_place_problem(ctx, place, detail, expected, NULL);
}

bool format_array(struct context *ctx, struct input_value *value, const struct input_place *place,
		  size_t count, struct input_value **array)
{
	char expected[48];
	const struct input_member as = {.type = INPUT_ARRAY, .into = array};
	if (!input_value(ctx, value, place->pointer, &as))
		return false;
	if (input_array_length(*array) == count)
		return true;
	snprintf(expected, sizeof expected, "an array of %zu", count);
	return input_place_problem(ctx, place, "This array has too few or too many items.",
				   expected, NULL);
}

static bool number_problem(struct context *ctx, const struct input_place *array, size_t index,
			   const struct format_numbers *as)
{
	char expected[64];
	const struct input_place place = format_at(ctx, array, index);
	snprintf(expected, sizeof expected, "a whole number from %d to %d%s", as->min, as->max,
		 as->null ? ", or null" : "");
	return input_place_problem(ctx, &place, "This is no such number.", expected, NULL);
}

bool format_numbers_read(struct context *ctx, struct input_value *value,
			 const struct input_place *place, const struct format_numbers *as,
			 int8_t *numbers)
{
	struct input_value *array;
	if (!format_array(ctx, value, place, as->count, &array))
		return false;
	for (size_t i = 0; i < as->count; i++) {
		const struct input_value *item = input_array_at(array, i);
		int64_t number = input_number(item);
		if (as->null && input_is_null(item))
			number = as->null;
		else if (number < as->min || number > as->max)
			return number_problem(ctx, place, i, as);
		numbers[i] = (int8_t)number;
	}
	return true;
}

void format_numbers_write(struct out *out, const uint8_t *numbers, size_t count)
{
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		out_integer(out, numbers[i]);
	out_close(out, ']');
}

void format_signed_write(struct out *out, const int8_t *numbers, size_t count)
{
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		out_integer(out, numbers[i]);
	out_close(out, ']');
}
