/* faces.c: six n by n arrays of letters. */
#include "server/format/format.h"

struct faces_reader {
	struct json_reader *reader;
	uint8_t *colors;
	int size;
};

static bool faces_letter(struct faces_reader *reader, struct json_value *row,
			 const char *row_pointer, size_t column, uint8_t *color)
{
	struct json_value *value = json_item(row, column);
	struct text letter = {0};
	int read = -1;
	if (json_is_kind(value, JSON_KIND_TEXT)) {
		letter = json_value_text(value);
		read = letter.length == 1 ? cube_color_of_letter(letter.bytes[0]) : -1;
	}
	if (read < 0)
		return format_fail_at(reader->reader,
				      json_pointer_index(reader->reader, row_pointer, column),
				      "Must be one of U R F D L B, or W R G Y O B.",
				      "one of U R F D L B, or W R G Y O B", NULL);
	*color = (uint8_t)read;
	return true;
}

static bool faces_array(struct faces_reader *reader, struct json_value *value, const char *pointer)
{
	struct json_value *array = NULL;
	const struct json_member as = {.type = JSON_ITEMS, .into = &array};
	if (!json_read_value(reader->reader, value, pointer, &as))
		return false;
	if (json_item_count(array) == (size_t)reader->size)
		return true;
	return format_fail_at(reader->reader, pointer,
			      "All faces must be square and of the same size; face U gives it.",
			      "as many items as face U has rows", NULL);
}

static bool faces_face(struct faces_reader *reader, struct json_value *rows, const char *pointer,
		       uint8_t *colors)
{
	if (!faces_array(reader, rows, pointer))
		return false;
	for (size_t row = 0; row < (size_t)reader->size; row++) {
		struct json_value *letters = json_item(rows, row);
		const char *row_pointer = json_pointer_index(reader->reader, pointer, row);
		if (!faces_array(reader, letters, row_pointer))
			return false;
		for (size_t column = 0; column < (size_t)reader->size; column++) {
			if (!faces_letter(reader, letters, row_pointer, column, colors++))
				return false;
		}
	}
	return true;
}

bool format_faces_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	const char *pointer = place->pointer;
	struct json_value *face[CUBE_FACES] = {0};
	static const char *const names[CUBE_FACES] = {"U", "R", "F", "D", "L", "B"};
	struct json_member members[CUBE_FACES];
	struct json_value *object;
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	for (int i = 0; i < CUBE_FACES; i++)
		members[i] = (struct json_member){
			.name = names[i], .type = JSON_ITEMS, .into = &face[i]};
	if (!json_read_value(reader, value, pointer, &as) ||
	    !json_read_members(reader, object, pointer, members, CUBE_FACES))
		return false;
	for (int i = 0; i < CUBE_FACES; i++)
		if (!face[i])
			return format_fail_at(reader, json_pointer(reader, pointer, names[i]),
					      "Six faces are required: U R F D L B.",
					      "six faces, U R F D L B", NULL);
	size_t rows = json_item_count(face[0]);
	if (!cube_size_valid((int64_t)rows))
		return format_fail_at(reader, json_pointer(reader, pointer, "U"),
				      "A face must have 2 to 100 rows.", "2 to 100 rows", NULL);
	struct faces_reader faces = {.reader = reader, .size = (int)rows};
	if (!format_room(reader, faces.size, given))
		return false;
	faces.colors = given->colors;
	for (int i = 0; i < CUBE_FACES; i++)
		if (!faces_face(&faces, face[i], json_pointer(reader, pointer, names[i]),
				faces.colors + (size_t)i * rows * rows))
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
