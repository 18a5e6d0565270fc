/* cubie.c: Cubie's two forms: six arrays of colour numbers, and the list of pieces. */
#include "server/format/format.h"

#include <stdlib.h>

/* ---- flatten ---- */

static bool read_side(struct context *ctx, struct input_value *value,
		      const struct input_place *side, int size, int8_t *numbers)
{
	struct input_value *rows;
	const struct format_numbers as = {.count = (size_t)size, .max = CUBE_FACES - 1};
	if (!format_array(ctx, value, side, (size_t)size, &rows))
		return false;
	for (size_t row = 0; row < (size_t)size; row++) {
		const struct input_place place = format_at(ctx, side, row);
		if (!format_numbers_read(ctx, input_array_at(rows, row), &place, &as,
					 numbers + row * (size_t)size))
			return false;
	}
	return true;
}

bool format_flatten_read(struct context *ctx, struct input_value *value,
			 const struct input_place *place, struct format_given *given)
{
	struct input_value *object, *side[CUBE_FACES] = {0};
	struct input_member members[CUBE_FACES];
	struct cube_form_error error;
	const struct input_member as = {.type = INPUT_OBJECT, .into = &object};
	for (int i = 0; i < CUBE_FACES; i++)
		members[i] = (struct input_member){
			.name = cube_flatten_keys[i], .type = INPUT_ARRAY, .into = &side[i]};
	if (!input_value(ctx, value, place->pointer, &as) ||
	    !input_object(ctx, object, place->pointer, members, CUBE_FACES))
		return false;
	size_t rows = side[0] ? input_array_length(side[0]) : 0;
	const struct input_place first = format_in(ctx, place, cube_flatten_keys[0]);
	if (side[0] && !cube_size_valid((int64_t)rows))
		return input_place_problem(ctx, &first, "This number of rows fits no cube.",
					   "2 to 100 rows", NULL);
	int8_t *numbers = ctx_take(ctx, CUBE_FACES * rows * rows + 1);
	if (!numbers)
		return false;
	for (size_t i = 0; i < CUBE_FACES; i++) {
		const struct input_place at = format_in(ctx, place, cube_flatten_keys[i]);
		if (!side[i])
			return input_place_problem(ctx, &at, "This side is missing.",
						   "six sides: 1,0,0 -1,0,0 0,1,0 0,-1,0 0,0,1 "
						   "0,0,-1",
						   NULL);
		if (!read_side(ctx, side[i], &at, (int)rows, numbers + i * rows * rows))
			return false;
	}
	if (!format_room(ctx, (int)rows, given))
		return false;
	return cube_flatten_read(given->size, (const uint8_t *)numbers, CUBE_FACES * rows * rows,
				 given->colors, &error) == CUBE_FORM_OK ||
	       format_form_problem(ctx, place, &error);
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
		out_key(out, cube_flatten_keys[i]);
		out_open(out, '[');
		for (size_t k = 0; k < size; k++, row += size)
			format_numbers_write(out, row, size);
		out_close(out, ']');
	}
	out_close(out, '}');
	free(numbers);
}

/* ---- pieces ---- */

#define HIDDEN_NULL -1

static bool read_piece(struct context *ctx, struct input_value *value,
		       const struct input_place *place, struct cube_piece *piece)
{
	static const struct format_numbers at = {.count = 3, .min = -1, .max = 1};
	static const struct format_numbers color = {
		.count = 3, .max = CUBE_FACES - 1, .null = HIDDEN_NULL};
	const struct input_place first = format_at(ctx, place, 0);
	const struct input_place second = format_at(ctx, place, 1);
	struct input_value *pair;
	int8_t colors[3];
	if (!format_array(ctx, value, place, 2, &pair) ||
	    !format_numbers_read(ctx, input_array_at(pair, 0), &first, &at, piece->at) ||
	    !format_numbers_read(ctx, input_array_at(pair, 1), &second, &color, colors))
		return false;
	for (int i = 0; i < 3; i++)
		piece->color[i] = colors[i] == HIDDEN_NULL ? CUBE_PIECE_HIDDEN : (uint8_t)colors[i];
	return true;
}

/* The number that the error is about: of the colour where that is wrong, else the piece. */
static bool piece_problem(struct context *ctx, const struct input_place *list,
			  const struct cube_form_error *error)
{
	struct input_place place = format_at(ctx, list, error->index);
	bool color = error->code == CUBE_FORM_SEEN || error->code == CUBE_FORM_HIDDEN ||
		     error->code == CUBE_FORM_VALUE;
	if (color) {
		place = format_at(ctx, &place, 1);
		place = format_at(ctx, &place, (size_t)error->part);
	}
	return format_form_problem(ctx, &place, error);
}

bool format_pieces_read(struct context *ctx, struct input_value *value,
			const struct input_place *place, struct format_given *given)
{
	struct input_value *list;
	struct cube_piece pieces[CUBE_PIECES];
	struct cube_form_error error;
	if (!format_array(ctx, value, place, CUBE_PIECES, &list))
		return false;
	for (size_t i = 0; i < CUBE_PIECES; i++) {
		const struct input_place at = format_at(ctx, place, i);
		if (!read_piece(ctx, input_array_at(list, i), &at, &pieces[i]))
			return false;
	}
	if (!format_room(ctx, 3, given))
		return false;
	return cube_pieces_read(pieces, CUBE_PIECES, given->colors, &error) == CUBE_FORM_OK ||
	       piece_problem(ctx, place, &error);
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
