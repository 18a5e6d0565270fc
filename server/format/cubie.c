/* cubie.c: Cubie's two forms: six arrays of colour numbers, and the list of pieces. */
#include <stdlib.h>

#include "cube/cube.h"
#include "cube/cubie.h"
#include "server/format/format.h"

/* ---- flatten ---- */

static bool read_side(struct json_reader *reader, struct json_value *value,
		      const struct json_place *side, int size, int8_t *numbers)
{
	struct json_value *rows;
	const struct format_numbers as = {.count = (size_t)size, .max = CUBE_FACES - 1};
	if (!format_array(reader, value, side, (size_t)size, &rows))
		return false;
	for (size_t row = 0; row < (size_t)size; row++) {
		const struct json_place place = format_at(reader, side, row);
		if (!format_numbers_read(reader, json_item(rows, row), &place, &as,
					 numbers + row * (size_t)size))
			return false;
	}
	return true;
}

bool format_flatten_read(struct json_reader *reader, struct json_value *value,
			 const struct json_place *place, struct format_given *given)
{
	struct json_value *object, *side[CUBE_FACES] = {0};
	struct json_member members[CUBE_FACES];
	struct cube_form_error error;
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	for (int i = 0; i < CUBE_FACES; i++)
		members[i] = (struct json_member){
			.name = cube_flatten_keys[i], .type = JSON_ITEMS, .into = &side[i]};
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, members, CUBE_FACES))
		return false;
	size_t rows = side[0] ? json_item_count(side[0]) : 0;
	const struct json_place first = format_in(reader, place, cube_flatten_keys[0]);
	if (side[0] && !cube_size_valid((int64_t)rows))
		return json_fail(reader, &first, "A face must have 2 to 100 rows.", "2 to 100 rows",
				 NULL);
	int8_t *numbers = json_alloc(reader, CUBE_FACES * rows * rows + 1);
	if (!numbers)
		return false;
	for (size_t i = 0; i < CUBE_FACES; i++) {
		const struct json_place at = format_in(reader, place, cube_flatten_keys[i]);
		if (!side[i])
			return json_fail(reader, &at, "Six sides are required.",
					 "six sides: 1,0,0 -1,0,0 0,1,0 0,-1,0 0,0,1 "
					 "0,0,-1",
					 NULL);
		if (!read_side(reader, side[i], &at, (int)rows, numbers + i * rows * rows))
			return false;
	}
	if (!format_room(reader, (int)rows, given))
		return false;
	return cube_flatten_read(given->size, (const uint8_t *)numbers, CUBE_FACES * rows * rows,
				 given->colors, &error) == CUBE_FORM_OK ||
	       format_form_problem(reader, place, &error);
}

void format_flatten_write(struct out *out, const struct cube *cube,
			  const struct format_options *options)
{
	size_t size = cube->size;
	uint8_t *numbers = malloc(cube_facelets(cube->size)), *row = numbers;
	(void)options;
	if (!numbers) {
		out->buffer->failed = true;
		return;
	}
	cube_flatten_write(cube, numbers);
	out_open(out, '{');
	for (int i = 0; i < CUBE_FACES; i++) {
		out_member_open(out, cube_flatten_keys[i], '[');
		for (size_t k = 0; k < size; k++, row += size)
			format_numbers_write(out, row, size);
		out_close(out, ']');
	}
	out_close(out, '}');
	free(numbers);
}

/* ---- pieces ---- */

#define HIDDEN_NULL -1

static bool read_piece(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct cube_piece *piece)
{
	static const struct format_numbers at = {.count = 3, .min = -1, .max = 1};
	static const struct format_numbers color = {
		.count = 3, .max = CUBE_FACES - 1, .null = HIDDEN_NULL};
	const struct json_place first = format_at(reader, place, 0);
	const struct json_place second = format_at(reader, place, 1);
	struct json_value *pair;
	int8_t colors[3];
	if (!format_array(reader, value, place, 2, &pair) ||
	    !format_numbers_read(reader, json_item(pair, 0), &first, &at, piece->at) ||
	    !format_numbers_read(reader, json_item(pair, 1), &second, &color, colors))
		return false;
	for (int i = 0; i < 3; i++)
		piece->color[i] = colors[i] == HIDDEN_NULL ? CUBE_PIECE_HIDDEN : (uint8_t)colors[i];
	return true;
}

/* The place of the error: a colour if that is wrong, else the piece. */
static bool piece_problem(struct json_reader *reader, const struct json_place *list,
			  const struct cube_form_error *error)
{
	struct json_place place = format_at(reader, list, error->index);
	bool color = error->code == CUBE_FORM_SEEN || error->code == CUBE_FORM_HIDDEN ||
		     error->code == CUBE_FORM_VALUE;
	if (color) {
		place = format_at(reader, &place, 1);
		place = format_at(reader, &place, (size_t)error->part);
	}
	return format_form_problem(reader, &place, error);
}

bool format_pieces_read(struct json_reader *reader, struct json_value *value,
			const struct json_place *place, struct format_given *given)
{
	struct json_value *list;
	struct cube_piece pieces[CUBE_PIECES];
	struct cube_form_error error;
	if (!format_array(reader, value, place, CUBE_PIECES, &list))
		return false;
	for (size_t i = 0; i < CUBE_PIECES; i++) {
		const struct json_place at = format_at(reader, place, i);
		if (!read_piece(reader, json_item(list, i), &at, &pieces[i]))
			return false;
	}
	if (!format_room(reader, 3, given))
		return false;
	return cube_pieces_read(pieces, CUBE_PIECES, given->colors, &error) == CUBE_FORM_OK ||
	       piece_problem(reader, place, &error);
}

void format_pieces_write(struct out *out, const struct cube *cube,
			 const struct format_options *options)
{
	struct cube_piece pieces[CUBE_PIECES];
	(void)options;
	cube_pieces_write(cube, pieces);
	out_open(out, '[');
	for (size_t i = 0; i < CUBE_PIECES; i++) {
		out_open(out, '[');
		format_signed_write(out, pieces[i].at, 3);
		out_open(out, '[');
		for (size_t k = 0; k < 3; k++)
			if (pieces[i].color[k] == CUBE_PIECE_HIDDEN)
				out_null(out);
			else
				out_integer(out, pieces[i].color[k]);
		out_close(out, ']');
		out_close(out, ']');
	}
	out_close(out, ']');
}
