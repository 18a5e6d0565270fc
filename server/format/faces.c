/* faces.c: six n by n arrays of letters, or six lists of rows as strings. */
#include <stdio.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/format/format.h"

struct faces_reader {
	struct json_reader *reader;
	const char *pointer; /* of the faces */
	struct json_value *face[CUBE_FACES];
	int size;
	char *text; /* all symbols one after another */
	size_t length, room;
};

static const char *const face_names[CUBE_FACES] = {"U", "R", "F", "D", "L", "B"};

/* Appends a symbol, or a row of them. */
static bool faces_append(struct faces_reader *faces, struct text symbols)
{
	if (symbols.length > faces->room - faces->length)
		return false;
	memcpy(faces->text + faces->length, symbols.bytes, symbols.length);
	faces->length += symbols.length;
	return true;
}

static bool faces_letter(struct faces_reader *faces, struct json_value *row,
			 const char *row_pointer, size_t column)
{
	struct json_value *value = json_item(row, column);
	if (json_is_kind(value, JSON_KIND_TEXT)) {
		const struct text letter = json_value_text(value);
		if (cube_symbols_count(letter.bytes, letter.length) == 1 &&
		    faces_append(faces, letter))
			return true;
	}
	return format_fail_at(faces->reader, json_pointer_index(faces->reader, row_pointer, column),
			      "Must be one of U R F D L B, or W R G Y O B.",
			      "one of U R F D L B, or W R G Y O B", NULL);
}

static bool faces_array(struct faces_reader *faces, struct json_value *value, const char *pointer)
{
	struct json_value *array = NULL;
	const struct json_member as = {.type = JSON_ITEMS, .into = &array};
	if (!json_read_value(faces->reader, value, pointer, &as))
		return false;
	if (json_item_count(array) == (size_t)faces->size)
		return true;
	return format_fail_at(faces->reader, pointer,
			      "All faces must be square and of the same size; face U gives it.",
			      "as many items as face U has rows", NULL);
}

/* A row as a string. */
static bool faces_line(struct faces_reader *faces, struct json_value *line, const char *pointer)
{
	const struct text symbols = json_value_text(line);
	if (cube_symbols_count(symbols.bytes, symbols.length) == (size_t)faces->size &&
	    faces_append(faces, symbols))
		return true;
	return format_fail_at(faces->reader, pointer,
			      "A row must have as many letters as face U has rows.",
			      "a string such as \"UUU\", or an array of letters", NULL);
}

static bool faces_face(struct faces_reader *faces, int face)
{
	struct json_value *rows = faces->face[face];
	const char *pointer = json_pointer(faces->reader, faces->pointer, face_names[face]);
	if (!faces_array(faces, rows, pointer))
		return false;
	for (size_t row = 0; row < (size_t)faces->size; row++) {
		struct json_value *letters = json_item(rows, row);
		const char *row_pointer = json_pointer_index(faces->reader, pointer, row);
		if (json_is_kind(letters, JSON_KIND_TEXT)) {
			if (!faces_line(faces, letters, row_pointer))
				return false;
			continue;
		}
		if (!faces_array(faces, letters, row_pointer))
			return false;
		for (size_t column = 0; column < (size_t)faces->size; column++)
			if (!faces_letter(faces, letters, row_pointer, column))
				return false;
	}
	return true;
}

/* Reads the symbols together: on odd sizes the middles may say what they mean. */
static bool faces_colors(struct faces_reader *faces, uint8_t *colors)
{
	struct cube_error error;
	int size;
	if (cube_colors_parse(faces->text, faces->length, colors, &size, &error) == CUBE_OK)
		return true;
	const size_t facelet = cube_symbols_count(faces->text, error.offset);
	const size_t n = (size_t)faces->size, area = n * n;
	const int face = facelet < CUBE_FACES * area ? (int)(facelet / area) : 0;
	const size_t row = facelet % area / n;
	const char *pointer = json_pointer(faces->reader, faces->pointer, face_names[face]);
	char detail[200];
	pointer = json_pointer_index(faces->reader, pointer, row);
	if (!json_is_kind(json_item(faces->face[face], row), JSON_KIND_TEXT))
		pointer = json_pointer_index(faces->reader, pointer, facelet % n);
	snprintf(detail, sizeof detail, "Must be %s.", error.expected);
	return format_fail_at(faces->reader, pointer, detail, error.expected, NULL);
}

bool format_faces_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	const char *pointer = place->pointer;
	struct faces_reader faces = {.reader = reader, .pointer = pointer};
	struct json_member members[CUBE_FACES];
	struct json_value *object;
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	for (int i = 0; i < CUBE_FACES; i++)
		members[i] = (struct json_member){
			.name = face_names[i], .type = JSON_ITEMS, .into = &faces.face[i]};
	if (!json_read_value(reader, value, pointer, &as) ||
	    !json_read_members(reader, object, pointer, members, CUBE_FACES))
		return false;
	for (int i = 0; i < CUBE_FACES; i++)
		if (!faces.face[i])
			return format_fail_at(reader, json_pointer(reader, pointer, face_names[i]),
					      "Six faces are required: U R F D L B.",
					      "six faces, U R F D L B", NULL);
	size_t rows = json_item_count(faces.face[0]);
	if (!cube_size_valid((int64_t)rows))
		return format_fail_at(reader, json_pointer(reader, pointer, "U"),
				      "A face must have 2 to 100 rows.", "2 to 100 rows", NULL);
	faces.size = (int)rows;
	if (!format_room(reader, faces.size, given))
		return false;
	/* A symbol has up to 4 bytes, and 3 of a sign that makes it an emoji. */
	faces.room = cube_facelets(faces.size) * 7;
	faces.text = json_alloc(reader, faces.room);
	if (!faces.text)
		return false;
	for (int i = 0; i < CUBE_FACES; i++)
		if (!faces_face(&faces, i))
			return false;
	return faces_colors(&faces, given->colors);
}

void format_faces_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	(void)options;
	size_t size = cube->size, facelet = 0;
	out_open(out, '{');
	for (int face = 0; face < CUBE_FACES; face++) {
		char name[2] = {cube_face_letters[face], '\0'};
		out_member_open(out, name, '[');
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
