/* common.c: what the formats share: places, numbers, room, problems. */
#include <stdio.h>

#include "cube/cube.h"
#include "server/format/format.h"

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

bool format_room(struct json_reader *reader, int size, struct format_given *given)
{
	given->size = size;
	given->colors = json_alloc(reader, cube_facelets(size));
	return given->colors != NULL;
}

struct json_place format_at(struct json_reader *reader, const struct json_place *place,
			    size_t index)
{
	return (struct json_place){.pointer = json_pointer_index(reader, place->pointer, index)};
}

struct json_place format_in(struct json_reader *reader, const struct json_place *place,
			    const char *name)
{
	return (struct json_place){.pointer = json_pointer(reader, place->pointer, name)};
}

/* ---- text ---- */

bool format_text(struct json_reader *reader, struct json_value *value,
		 const struct json_place *place, struct text *text)
{
	const struct json_member as = {.type = JSON_TEXT, .into = text};
	return json_read_value(reader, value, place->pointer, &as);
}

bool format_fail_at(struct json_reader *reader, const char *pointer, const char *detail,
		    const char *expected, const char *suggestion)
{
	const struct json_place place = {.pointer = pointer};
	return json_fail(reader, &place, detail, expected, suggestion);
}

bool format_letters_problem(struct json_reader *reader, const struct json_place *place,
			    struct text text, size_t count)
{
	char detail[128];
	int below = CUBE_SIZE_MIN;
	while (below < CUBE_SIZE_MAX - 1 && cube_facelets(below + 1) <= count)
		below++;
	const size_t less = cube_facelets(below), more = cube_facelets(below + 1);
	const bool up = count > less && more - (count < more ? count : more) < count - less;
	const int near = up ? below + 1 : below, other = up ? below : below + 1;
	snprintf(detail, sizeof detail, "%zu letter%s; a %dx%dx%d has %zu, a %dx%dx%d %zu.", count,
		 count == 1 ? "" : "s", near, near, near, cube_facelets(near), other, other, other,
		 cube_facelets(other));
	json_fail(reader, place, detail, "6 n n letters, n from 2 to 100: 24, 54, 96, 150 ...",
		  NULL);
	reader->error.offset = text.length;
	reader->error.column = cube_text_column(text.bytes, text.length, text.length);
	return false;
}

/* ---- numbers ---- */

bool format_form_problem(struct json_reader *reader, const struct json_place *place,
			 const struct cube_form_error *error)
{
	char detail[128], expected[32] = "";
	snprintf(detail, sizeof detail, "Invalid cube: %s.", cube_form_text(error->code));
	if (error->expected >= 0)
		snprintf(expected, sizeof expected, "%ld", error->expected);
	return json_fail(reader, place, detail, expected, NULL);
}

bool format_array(struct json_reader *reader, struct json_value *value,
		  const struct json_place *place, size_t count, struct json_value **array)
{
	char expected[48], detail[96];
	const struct json_member as = {.type = JSON_ITEMS, .into = array};
	if (!json_read_value(reader, value, place->pointer, &as))
		return false;
	if (json_item_count(*array) == count)
		return true;
	snprintf(expected, sizeof expected, "an array of %zu items", count);
	snprintf(detail, sizeof detail, "%zu item%s; the array must have %zu.",
		 json_item_count(*array), json_item_count(*array) == 1 ? "" : "s", count);
	return json_fail(reader, place, detail, expected, NULL);
}

static bool number_problem(struct json_reader *reader, const struct json_place *array, size_t index,
			   const struct format_numbers *as)
{
	char expected[64], detail[80];
	const struct json_place place = format_at(reader, array, index);
	snprintf(expected, sizeof expected, "an integer from %d to %d%s", as->min, as->max,
		 as->null ? ", or null" : "");
	snprintf(detail, sizeof detail, "Must be %s.", expected);
	return json_fail(reader, &place, detail, expected, NULL);
}

bool format_numbers_read(struct json_reader *reader, struct json_value *value,
			 const struct json_place *place, const struct format_numbers *as,
			 int8_t *numbers)
{
	struct json_value *array;
	if (!format_array(reader, value, place, as->count, &array))
		return false;
	for (size_t i = 0; i < as->count; i++) {
		const struct json_value *item = json_item(array, i);
		int64_t number = json_value_whole(item);
		if (as->null && json_is_kind(item, JSON_KIND_NULL))
			number = as->null;
		else if (number < as->min || number > as->max)
			return number_problem(reader, place, i, as);
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
