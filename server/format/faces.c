/* faces.c: six n by n arrays of letters. */
#include "server/format/format.h"

struct faces_reader {
	struct context *ctx;
	uint8_t *colors;
	int size;
};

static bool faces_letter(struct faces_reader *reader, struct input_value *row,
			 const char *row_pointer, size_t column, uint8_t *color)
{
	struct input_value *value = input_array_at(row, column);
	struct text letter = {0};
	int read = -1;
	if (input_is_text(value)) {
		letter = input_text(value);
		read = letter.length == 1 ? cube_color_of_letter(letter.bytes[0]) : -1;
	}
	if (read < 0)
		return input_problem(reader->ctx,
				     input_pointer_index(reader->ctx, row_pointer, column),
				     "This is no letter of a face or colour.",
				     "one of U R F D L B, or W R G Y O B", NULL);
	*color = (uint8_t)read;
	return true;
}

static bool faces_array(struct faces_reader *reader, struct input_value *value, const char *pointer)
{
	struct input_value *array = NULL;
	const struct input_member as = {.type = INPUT_ARRAY, .into = &array};
	if (!input_value(reader->ctx, value, pointer, &as))
		return false;
	if (input_array_length(array) == (size_t)reader->size)
		return true;
	return input_problem(reader->ctx, pointer,
			     "A face is as wide as it is high, and all six are the same.",
			     "as many items as face U has rows", NULL);
}

static bool faces_face(struct faces_reader *reader, struct input_value *rows, const char *pointer,
		       uint8_t *colors)
{
	if (!faces_array(reader, rows, pointer))
		return false;
	for (size_t row = 0; row < (size_t)reader->size; row++) {
		struct input_value *letters = input_array_at(rows, row);
		const char *row_pointer = input_pointer_index(reader->ctx, pointer, row);
		if (!faces_array(reader, letters, row_pointer))
			return false;
		for (size_t column = 0; column < (size_t)reader->size; column++) {
			if (!faces_letter(reader, letters, row_pointer, column, colors++))
				return false;
		}
	}
	return true;
}

bool format_faces_read(struct context *ctx, struct input_value *value,
		       const struct input_place *place, struct format_given *given)
{
	const char *pointer = place->pointer;
	struct input_value *face[CUBE_FACES] = {0};
	static const char *const names[CUBE_FACES] = {"U", "R", "F", "D", "L", "B"};
	struct input_member members[CUBE_FACES];
	struct input_value *object;
	const struct input_member as = {.type = INPUT_OBJECT, .into = &object};
	for (int i = 0; i < CUBE_FACES; i++)
		members[i] = (struct input_member){
			.name = names[i], .type = INPUT_ARRAY, .into = &face[i]};
	if (!input_value(ctx, value, pointer, &as) ||
	    !input_object(ctx, object, pointer, members, CUBE_FACES))
		return false;
	for (int i = 0; i < CUBE_FACES; i++)
		if (!face[i])
			return input_problem(ctx, input_pointer(ctx, pointer, names[i]),
					     "This face is missing.", "six faces, U R F D L B",
					     NULL);
	size_t rows = input_array_length(face[0]);
	if (!cube_size_valid((int64_t)rows))
		return input_problem(ctx, input_pointer(ctx, pointer, "U"),
				     "This number of rows fits no cube.", "2 to 100 rows", NULL);
	struct faces_reader reader = {.ctx = ctx, .size = (int)rows};
	if (!format_room(ctx, reader.size, given))
		return false;
	reader.colors = given->colors;
	for (int i = 0; i < CUBE_FACES; i++)
		if (!faces_face(&reader, face[i], input_pointer(ctx, pointer, names[i]),
				reader.colors + (size_t)i * rows * rows))
			return false;
	return true;
}

void format_faces_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	(void)options;
	size_t size = cube->size, facelet = 0;
	out_open(out, '{');
	for (int face = 0; face < CUBE_FACES; face++) {
		char name[2] = {cube_face_letters[face], '\0'};
		out_key(out, name);
		out_open(out, '[');
		for (size_t row = 0; row < size; row++) {
			out_open(out, '[');
			for (size_t column = 0; column < size; column++) {
				char *letter = out_room(out, 1);
				if (letter)
					*letter = cube_face_letters[cube_color_at(cube, facelet)];
				facelet++;
			}
			out_close(out, ']');
		}
		out_close(out, ']');
	}
	out_close(out, '}');
}
