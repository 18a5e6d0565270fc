/* row_lines.c: rows for training as lines of JSON. */
#include <string.h>

#include "cube/index.h"
#include "server/api/cubes/row_columns.h"

/* The longest number has two digits and a comma, and an index is shorter than its bytes so; names and brackets of a
 * column. */
#define NUMBER_BYTES 3
#define NAMES_BYTES 128

static char *put(char *to, const char *text)
{
	const size_t length = strlen(text);
	memcpy(to, text, length);
	return to + length;
}

static char *put_number(char *to, unsigned number)
{
	if (number >= 10)
		*to++ = (char)('0' + number / 10);
	*to++ = (char)('0' + number % 10);
	return to;
}

static char *put_array(char *to, const uint8_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		*to++ = i ? ',' : '[';
		to = put_number(to, numbers[i]);
	}
	*to++ = ']';
	return to;
}

static char *put_key(char *to, char before, const char *name)
{
	*to++ = before;
	*to++ = '"';
	to = put(to, name);
	return put(to, "\":");
}

/* The arrays of cubies by name, as requests read them. */
static char *put_cubies(char *to, const uint8_t *row, size_t numbers)
{
	const struct cube_cubies_array *array = cube_cubies_arrays;
	for (; array->offset < numbers; array++) {
		to = put_key(to, array->offset ? ',' : '{', array->name);
		to = put_array(to, row + array->offset, array->count);
	}
	*to++ = '}';
	return to;
}

static uint64_t number_at(const uint8_t *bytes)
{
	uint64_t number = 0;
	for (int i = 0; i < 8; i++)
		number |= (uint64_t)bytes[i] << 8 * i;
	return number;
}

static char *put_index(char *to, const uint8_t *row, size_t numbers)
{
	const struct cube_index index = {.low = number_at(row),
					 .high = numbers > 1 ? number_at(row + 8) : 0};
	*to++ = '"';
	to += cube_index_print(index, to);
	*to++ = '"';
	return to;
}

static char *put_moves(char *to, const uint8_t *actions, size_t room)
{
	static const char *const amounts[] = {"", "2", "'"};
	*to++ = '"';
	for (size_t i = 0; i < room && actions[i] < CUBE_ACTIONS; i++) {
		if (i > 0)
			*to++ = ' ';
		*to++ = cube_face_letters[actions[i] / 3];
		to = put(to, amounts[actions[i] % 3]);
	}
	*to++ = '"';
	return to;
}

static char *put_column(char *to, const struct row_column *column, const uint8_t *row)
{
	switch (column->text) {
	case ROW_CUBIES:
		return put_cubies(to, row, column->numbers);
	case ROW_INDEX:
		return put_index(to, row, column->numbers);
	case ROW_MOVES:
		return put_moves(to, row, column->numbers);
	case ROW_NUMBER:
		return put_number(to, *row);
	case ROW_ARRAY:
		break;
	}
	return put_array(to, row, column->numbers);
}

/* Writes the members of a row, or of a child, without the closing bracket. Moves `row` behind their bytes. */
static char *put_members(char *to, const struct row_columns *columns, bool of_child,
			 const uint8_t **row)
{
	char before = '{';
	for (size_t j = 0; j < columns->count; j++) {
		const struct row_column *column = &columns->column[j];
		if (of_child && !column->of_children)
			continue;
		to = put_key(to, before, column->name);
		to = put_column(to, column, *row);
		*row += row_column_bytes(column);
		before = ',';
	}
	return to;
}

static char *put_line(const struct row_columns *columns, const uint8_t *row, char *to)
{
	to = put_members(to, columns, false, &row);
	for (size_t k = 0; k < columns->children; k++) {
		to = k == 0 ? put(put_key(to, ',', "children"), "[") : put(to, ",");
		to = put(put_members(to, columns, true, &row), "}");
	}
	return put(to, columns->children > 0 ? "]}\n" : "}\n");
}

void row_columns_lines(const struct row_columns *columns, const struct row_block *block,
		       struct buffer *piece)
{
	const size_t line_max = NUMBER_BYTES * columns->row_bytes +
				NAMES_BYTES * (columns->count + 1) * (1 + columns->children);
	row_columns_write(columns, block);
	for (size_t i = 0; i < block->count; i++) {
		char *room = buffer_room(piece, line_max);
		if (!room)
			return;
		const char *end = put_line(columns, columns->rows + columns->row_bytes * i, room);
		piece->length += (size_t)(end - room);
	}
}
