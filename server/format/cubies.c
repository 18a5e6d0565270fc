/* cubies.c: permutations and orientations of the pieces, in any of their orders. */
#include <stddef.h>
#include <stdio.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/format/format.h"
#include "server/util/suggest.h"

static const uint8_t *array_at(const struct cube_cubies *cubies, int array)
{
	return (const uint8_t *)cubies + cube_cubies_arrays[array].offset;
}

/* The one array of letters; the others are numbers. */
static bool is_centers(int array)
{
	return cube_cubies_arrays[array].offset == offsetof(struct cube_cubies, centers);
}

/* ---- reading ---- */

static bool read_order(struct json_reader *reader, struct text name,
		       const struct json_place *cubies, enum cube_piece_order *order)
{
	const char *names[CUBE_PIECE_ORDERS];
	char expected[64], detail[128];
	if (!name.bytes)
		return true;
	for (int i = 0; i < CUBE_PIECE_ORDERS; i++) {
		names[i] = cube_piece_order_name((enum cube_piece_order)i);
		*order = (enum cube_piece_order)i;
		if (text_names(name, names[i]))
			return true;
	}
	const struct json_place place = format_in(reader, cubies, "order");
	suggest_list(names, CUBE_PIECE_ORDERS, expected, sizeof expected);
	snprintf(detail, sizeof detail, "Unknown order of pieces; use %s.", expected);
	return json_fail(reader, &place, detail, expected,
			 suggest_nearest(name.bytes, name.length, names, CUBE_PIECE_ORDERS));
}

static bool read_centers(struct json_reader *reader, struct json_value *value,
			 const struct json_place *place, uint8_t *centers)
{
	struct json_value *array;
	if (!format_array(reader, value, place, CUBE_FACES, &array))
		return false;
	for (size_t i = 0; i < CUBE_FACES; i++) {
		const struct json_value *item = json_item(array, i);
		struct text letter = json_is_kind(item, JSON_KIND_TEXT) ? json_value_text(item)
									: (struct text){0};
		int color = letter.length == 1 ? cube_color_of_letter(letter.bytes[0]) : -1;
		if (color < 0) {
			const struct json_place at = format_at(reader, place, i);
			return json_fail(reader, &at, "Must be one of U R F D L B, or W R G Y O B.",
					 "one of U R F D L B, or W R G Y O B", NULL);
		}
		centers[i] = (uint8_t)color;
	}
	return true;
}

static bool read_array(struct json_reader *reader, struct json_value *value,
		       const struct json_place *cubies, int array, struct cube_cubies *to)
{
	const struct cube_cubies_array *row = &cube_cubies_arrays[array];
	uint8_t *numbers = (uint8_t *)to + row->offset;
	int8_t read[CUBE_EDGES];
	const struct json_place place = format_in(reader, cubies, row->name);
	const struct format_numbers as = {.count = row->count, .max = (int8_t)(row->values - 1)};
	if (is_centers(array))
		return !value || read_centers(reader, value, &place, numbers);
	if (!value)
		return json_fail(
			reader, &place,
			"Both arrays of corners are required, for a 3x3x3 those of edges too.",
			"both arrays of corners; for a 3x3x3, those of edges too", NULL);
	if (!format_numbers_read(reader, value, &place, &as, read))
		return false;
	for (size_t i = 0; i < row->count; i++)
		numbers[i] = (uint8_t)read[i];
	return true;
}

/* Corners alone are a 2x2x2. Centres that are not given are home. */
bool format_cubies_read(struct json_reader *reader, struct json_value *value,
			const struct json_place *place, struct format_given *given)
{
	struct json_value *object, *array[CUBE_CUBIES_ARRAYS] = {0};
	struct text name = {0};
	enum cube_piece_order order = CUBE_ORDER_KOCIEMBA;
	struct cube_cubies cubies = {.centers = {0, 1, 2, 3, 4, 5}};
	struct json_member members[CUBE_CUBIES_ARRAYS + 1] = {{"order", JSON_TEXT, &name, 0, 0}};
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	for (int i = 0; i < CUBE_CUBIES_ARRAYS; i++)
		members[i + 1] = (struct json_member){
			.name = cube_cubies_arrays[i].name, .type = JSON_ANY, .into = &array[i]};
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, members, CUBE_CUBIES_ARRAYS + 1) ||
	    !read_order(reader, name, place, &order))
		return false;
	int arrays = CUBE_CUBIES_ARRAYS_2;
	for (int i = CUBE_CUBIES_ARRAYS_2; i < CUBE_CUBIES_ARRAYS; i++)
		if (array[i])
			arrays = CUBE_CUBIES_ARRAYS;
	for (int i = 0; i < arrays; i++)
		if (!read_array(reader, array[i], place, i, &cubies))
			return false;
	if (!format_room(reader, arrays == CUBE_CUBIES_ARRAYS ? 3 : 2, given))
		return false;
	cube_cubies_from_order(&cubies, &cubies, order);
	cube_cubies_paint(&cubies, given->size, given->colors);
	return true;
}

/* ---- writing ---- */

void format_cubies_write(struct out *out, const struct cube *cube,
			 const struct format_options *options)
{
	struct cube_cubies cubies;
	int arrays = cube->size == 2 ? CUBE_CUBIES_ARRAYS_2 : CUBE_CUBIES_ARRAYS;
	cube_cubies_of(&cubies, cube);
	cube_cubies_to_order(&cubies, &cubies, options->order);
	out_open(out, '{');
	out_member_string(out, "order", cube_piece_order_name(options->order));
	for (int i = 0; i < arrays; i++) {
		const uint8_t *numbers = array_at(&cubies, i);
		out_key(out, cube_cubies_arrays[i].name);
		if (!is_centers(i)) {
			format_numbers_write(out, numbers, cube_cubies_arrays[i].count);
			continue;
		}
		out_open(out, '[');
		for (size_t face = 0; face < CUBE_FACES; face++)
			out_bytes(out, &cube_face_letters[numbers[face]], 1);
		out_close(out, ']');
	}
	out_close(out, '}');
}
