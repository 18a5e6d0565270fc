/* row_columns.c: the columns of rows for training, in bytes, in lines of JSON and in the head of a NumPy file. */
#include "server/api/cubes/row_columns.h"

#include <stdio.h>
#include <string.h>

#include "cube/index.h"
#include "server/api/cubes/npy_head.h"
#include "server/api/input/input.h"

#define LABEL "walk"

static size_t row_form_bytes(const struct row_form *form)
{
	return (size_t)form->numbers * form->number_bytes;
}

/* ---- reading ---- */

static bool unknown(struct context *ctx, const char *name, size_t length)
{
	static const struct json_place place = {.parameter = "as"};
	const char *names[ROW_FORMS];
	for (size_t i = 0; i < ROW_FORMS; i++)
		names[i] = row_forms[i].name;
	return input_unknown(ctx, &place, (struct text){name, length}, "form of a row", names,
			     ROW_FORMS);
}

static bool add_form(struct context *ctx, const char *name, size_t length,
		     struct row_columns *columns)
{
	size_t i = 0;
	while (i < ROW_FORMS && !text_names((struct text){name, length}, row_forms[i].name))
		i++;
	if (i == ROW_FORMS)
		return unknown(ctx, name, length);
	for (size_t j = 0; j < columns->count; j++)
		if (columns->form[j] == &row_forms[i])
			return query_problem(ctx, "as",
					     "A form is in the list twice; a row has it "
					     "once.",
					     "each form once, such as colors,cubies", NULL);
	columns->form[columns->count++] = &row_forms[i];
	columns->row_bytes += row_form_bytes(&row_forms[i]);
	return true;
}

static bool read_label(struct context *ctx, bool walks, struct row_columns *columns)
{
	const struct text *label = &ctx->query.value[PARAMETER_LABEL];
	columns->labelled = label->bytes != NULL;
	columns->row_bytes += columns->labelled;
	if (!label->bytes)
		return true;
	if (!text_names(*label, LABEL))
		return query_problem(ctx, "label",
				     "Unknown label; use walk, the length of the walk.",
				     "walk, or no label", LABEL);
	return walks || query_problem(ctx, "label",
				      "Only walks have a length; send walk too, for example "
				      "walk=1..26.",
				      "label=walk together with walk, or no label", NULL);
}

bool row_columns_read(struct context *ctx, bool walks, struct row_columns *columns)
{
	const char *at = ctx->query.value[PARAMETER_AS].bytes;
	*columns = (struct row_columns){0};
	for (at = at ? at : row_forms[0].name; at;) {
		const size_t length = strcspn(at, ",");
		if (!add_form(ctx, at, length, columns))
			return false;
		at = at[length] ? at + length + 1 : NULL;
	}
	if (!read_label(ctx, walks, columns))
		return false;
	columns->scratch = ctx_alloc(ctx, ROW_BLOCK * columns->row_bytes);
	columns->rows = ctx_alloc(ctx, ROW_BLOCK * columns->row_bytes);
	return columns->scratch && columns->rows;
}

uint64_t row_columns_id(const struct row_columns *columns)
{
	uint64_t id = columns->labelled;
	for (size_t j = 0; j < columns->count; j++)
		id = id * (ROW_FORMS + 1) + (uint64_t)(columns->form[j] - row_forms) + 1;
	return id;
}

/* ---- bytes ---- */

static void write_rows(const struct row_columns *columns, const struct cube_state3 *states,
		       const uint8_t *lengths, size_t count, uint8_t *rows)
{
	const size_t row_bytes = columns->row_bytes;
	if (columns->count == 1 && !columns->labelled) {
		columns->form[0]->write(states, count, rows);
		return;
	}
	uint8_t *to = rows;
	for (size_t j = 0; j < columns->count; j++) {
		const size_t width = row_form_bytes(columns->form[j]);
		columns->form[j]->write(states, count, columns->scratch);
		for (size_t i = 0; i < count; i++)
			memcpy(to + row_bytes * i, columns->scratch + width * i, width);
		to += width;
	}
	for (size_t i = 0; columns->labelled && i < count; i++)
		to[row_bytes * i] = lengths[i];
}

void row_columns_bytes(const struct row_columns *columns, const struct cube_state3 *states,
		       const uint8_t *lengths, size_t count, struct buffer *piece)
{
	const size_t bytes = columns->row_bytes * count;
	char *room = buffer_room(piece, bytes);
	if (!room)
		return;
	write_rows(columns, states, lengths, count, (uint8_t *)room);
	piece->length += bytes;
}

/* ---- lines ---- */

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
static char *put_cubies(char *to, const uint8_t *row)
{
	const struct cube_cubies_array *array = cube_cubies_arrays;
	for (; array->offset < offsetof(struct cube_cubies, centers); array++) {
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

static char *put_index(char *to, const uint8_t *row)
{
	const struct cube_index index = {.low = number_at(row), .high = number_at(row + 8)};
	*to++ = '"';
	to += cube_index_print(index, to);
	*to++ = '"';
	return to;
}

static char *put_form(char *to, const struct row_form *form, const uint8_t *row)
{
	switch (form->text) {
	case ROW_CUBIES:
		return put_cubies(to, row);
	case ROW_INDEX:
		return put_index(to, row);
	case ROW_ARRAY:
		break;
	}
	return put_array(to, row, form->numbers);
}

static char *put_line(const struct row_columns *columns, const uint8_t *row, char *to)
{
	for (size_t j = 0; j < columns->count; j++) {
		const struct row_form *form = columns->form[j];
		to = put_key(to, j ? ',' : '{', form->name);
		to = put_form(to, form, row);
		row += row_form_bytes(form);
	}
	if (columns->labelled)
		to = put_number(put_key(to, ',', LABEL), *row);
	return put(to, "}\n");
}

void row_columns_lines(const struct row_columns *columns, const struct cube_state3 *states,
		       const uint8_t *lengths, size_t count, struct buffer *piece)
{
	const size_t line_max =
		NUMBER_BYTES * columns->row_bytes + NAMES_BYTES * (columns->count + 1);
	write_rows(columns, states, lengths, count, columns->rows);
	for (size_t i = 0; i < count; i++) {
		char *room = buffer_room(piece, line_max);
		if (!room)
			return;
		const char *end = put_line(columns, columns->rows + columns->row_bytes * i, room);
		piece->length += (size_t)(end - room);
	}
}

/* ---- the head of a NumPy file ---- */

static const char *number_type(const struct row_form *form)
{
	return form->number_bytes == 1 ? "'|u1'" : "'<u8'";
}

size_t row_columns_head(const struct row_columns *columns, uint64_t rows, char *head)
{
	char descr[NPY_HEAD_TEXT_MAX], shape[48];
	const unsigned long long count = rows;
	if (columns->count == 1 && !columns->labelled) {
		const struct row_form *form = columns->form[0];
		snprintf(shape, sizeof shape, "(%llu, %u)", count, form->numbers);
		return npy_head_write(head, number_type(form), shape);
	}
	size_t length = 0;
	for (size_t j = 0; j < columns->count; j++) {
		const struct row_form *form = columns->form[j];
		length += (size_t)snprintf(descr + length, sizeof descr - length,
					   "%s('%s', %s, (%u,))", j ? ", " : "[", form->name,
					   number_type(form), form->numbers);
	}
	snprintf(descr + length, sizeof descr - length, "%s]",
		 columns->labelled ? ", ('" LABEL "', '|u1')" : "");
	snprintf(shape, sizeof shape, "(%llu,)", count);
	return npy_head_write(head, descr, shape);
}
