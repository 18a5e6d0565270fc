/* row_columns.c: the columns of rows for training, in bytes and in the head of a NumPy file. */
#include "server/api/cubes/row_columns.h"

#include <stdio.h>
#include <string.h>

#include "server/api/cubes/npy_head.h"
#include "server/api/input/input.h"

static const char *const label_names[ROW_LABELS] = {
	[ROW_LABEL_WALK] = "walk",
	[ROW_LABEL_SOLUTION] = "solution",
	[ROW_LABEL_DISTANCE] = "distance",
};

/* ---- reading ---- */

/* Adds the column with that name. Returns false after a problem. */
typedef bool add_column(struct context *ctx, struct text name, const struct row_cubes *cubes,
			struct row_columns *columns);

static bool add(struct context *ctx, struct row_columns *columns, const char *parameter,
		const struct row_column *column)
{
	char expected[64];
	for (size_t j = 0; j < columns->count; j++) {
		if (columns->column[j].name != column->name)
			continue;
		snprintf(expected, sizeof expected, "each name once, such as %s", column->name);
		return query_problem(ctx, parameter,
				     "A name is in the list twice; a row has it once.", expected,
				     NULL);
	}
	columns->column[columns->count++] = *column;
	columns->row_bytes += row_column_bytes(column);
	return true;
}

static bool add_form(struct context *ctx, struct text name, const struct row_cubes *cubes,
		     struct row_columns *columns)
{
	static const struct json_place place = {.parameter = "as"};
	const char *names[ROW_FORMS];
	const struct row_form *form = NULL;
	size_t count = 0;
	for (size_t i = 0; i < ROW_FORMS; i++) {
		if (row_forms[i].shape[cubes->size - 2].numbers == 0)
			continue;
		names[count++] = row_forms[i].name;
		if (!text_names(name, row_forms[i].name))
			continue;
		form = &row_forms[i];
		columns->id = columns->id * (ROW_FORMS + 1) + i + 1;
	}
	if (!form)
		return input_unknown(ctx, &place, name,
				     cubes->size == 2 ? "form of a 2x2x2" : "form of a row", names,
				     count);
	const struct row_shape *shape = &form->shape[cubes->size - 2];
	const struct row_column column = {.name = form->name,
					  .numbers = shape->numbers,
					  .number_bytes = form->number_bytes,
					  .text = form->text,
					  .write = shape->write};
	return add(ctx, columns, "as", &column);
}

/* Answers 400 if cubes have no such label. */
static bool label_fits(struct context *ctx, enum row_label label, const struct row_cubes *cubes)
{
	if (label == ROW_LABEL_DISTANCE)
		return cubes->size == 2 ||
		       (cubes->longest > 0 && cubes->longest <= ROW_DISTANCE_WALK_MAX) ||
		       query_problem(ctx, "label",
				     "The distance of a 3x3x3 is known for walks of up to 9 turns; "
				     "send walk too, for example walk=1..9, or size=2.",
				     "label=distance together with walk up to 9, or with size=2",
				     NULL);
	if (cubes->longest > 0)
		return true;
	if (label == ROW_LABEL_WALK)
		return query_problem(ctx, "label",
				     "Only walks have a length; send walk too, for example "
				     "walk=1..26.",
				     "label=walk together with walk, or no label", NULL);
	return query_problem(ctx, "label",
			     "The solution of a row is its walk undone; send walk too, for example "
			     "walk=1..26, or ask POST /v1/solve to solve cubes without one.",
			     "label=solution together with walk, or no label", NULL);
}

static bool add_label(struct context *ctx, struct text name, const struct row_cubes *cubes,
		      struct row_columns *columns)
{
	static const struct json_place place = {.parameter = "label"};
	struct row_column column = {.numbers = 1, .number_bytes = 1, .text = ROW_NUMBER};
	uint8_t index;
	if (!input_place_choice(ctx, &place, name, "label", label_names, ROW_LABELS, &index))
		return false;
	column.name = label_names[index];
	column.label = (enum row_label)index;
	columns->id = columns->id * (ROW_LABELS + 1) + index + 1;
	if (column.label == ROW_LABEL_SOLUTION) {
		column.numbers = (size_t)cubes->longest;
		column.text = ROW_MOVES;
	}
	return label_fits(ctx, column.label, cubes) && add(ctx, columns, "label", &column);
}

static bool read_list(struct context *ctx, const char *at, const struct row_cubes *cubes,
		      add_column *add_one, struct row_columns *columns)
{
	while (at) {
		const size_t length = strcspn(at, ",");
		if (!add_one(ctx, (struct text){at, length}, cubes, columns))
			return false;
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

bool row_columns_read(struct context *ctx, const struct row_cubes *cubes,
		      struct row_columns *columns)
{
	const char *as = ctx->query.value[PARAMETER_AS].bytes;
	*columns = (struct row_columns){.id = (uint64_t)cubes->size};
	if (!read_list(ctx, as ? as : row_forms[0].name, cubes, add_form, columns) ||
	    !read_list(ctx, ctx->query.value[PARAMETER_LABEL].bytes, cubes, add_label, columns))
		return false;
	columns->scratch = ctx_alloc(ctx, ROW_BLOCK * columns->row_bytes);
	columns->rows = ctx_alloc(ctx, ROW_BLOCK * columns->row_bytes);
	return columns->scratch && columns->rows;
}

bool row_columns_have(const struct row_columns *columns, enum row_label label)
{
	for (size_t j = 0; j < columns->count; j++)
		if (!columns->column[j].write && columns->column[j].label == label)
			return true;
	return false;
}

/* ---- bytes ---- */

static void write_rows(const struct row_columns *columns, const struct row_block *block,
		       uint8_t *rows)
{
	const size_t row_bytes = columns->row_bytes;
	const struct row_column *column = columns->column;
	if (columns->count == 1 && column->write) {
		column->write(block->states, block->count, rows);
		return;
	}
	for (size_t j = 0; j < columns->count; j++, column++) {
		const size_t width = row_column_bytes(column);
		const uint8_t *from = columns->scratch;
		if (column->write)
			column->write(block->states, block->count, columns->scratch);
		else
			from = block->label[column->label];
		for (size_t i = 0; i < block->count; i++)
			memcpy(rows + row_bytes * i, from + width * i, width);
		rows += width;
	}
}

void row_columns_bytes(const struct row_columns *columns, const struct row_block *block,
		       struct buffer *piece)
{
	const size_t bytes = columns->row_bytes * block->count;
	char *room = buffer_room(piece, bytes);
	if (!room)
		return;
	write_rows(columns, block, (uint8_t *)room);
	piece->length += bytes;
}

void row_columns_write(const struct row_columns *columns, const struct row_block *block)
{
	write_rows(columns, block, columns->rows);
}

/* ---- the head of a NumPy file ---- */

static const char *number_type(const struct row_column *column)
{
	return column->number_bytes == 1 ? "'|u1'" : "'<u8'";
}

/* Appends a field: a number, or an array of several. */
static size_t add_field(const struct row_column *column, bool is_first, char *descr, size_t room)
{
	const size_t length = (size_t)snprintf(descr, room, "%s('%s', %s", is_first ? "[" : ", ",
					       column->name, number_type(column));
	return length + (size_t)(column->numbers == 1 ? snprintf(descr + length, room - length, ")")
						      : snprintf(descr + length, room - length,
								 ", (%zu,))", column->numbers));
}

size_t row_columns_head(const struct row_columns *columns, uint64_t rows, char *head)
{
	char descr[NPY_HEAD_TEXT_MAX], shape[48];
	const unsigned long long count = rows;
	const struct row_column *first = columns->column;
	if (columns->count == 1) {
		if (first->numbers == 1)
			snprintf(shape, sizeof shape, "(%llu,)", count);
		else
			snprintf(shape, sizeof shape, "(%llu, %zu)", count, first->numbers);
		return npy_head_write(head, number_type(first), shape);
	}
	size_t length = 0;
	for (size_t j = 0; j < columns->count; j++)
		length += add_field(&first[j], j == 0, descr + length, sizeof descr - length);
	snprintf(descr + length, sizeof descr - length, "]");
	snprintf(shape, sizeof shape, "(%llu,)", count);
	return npy_head_write(head, descr, shape);
}
