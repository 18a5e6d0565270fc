/* row_columns.c: the columns of rows for training, in bytes and in the head of a NumPy file. */
#include "server/api/cubes/row_columns.h"

#include <stdio.h>
#include <string.h>

#include "server/api/cubes/npy_head.h"
#include "server/api/input/input.h"

/* The bits of a column in the id of all: forms and labels are counted from 1. */
#define ID_BITS 4

_Static_assert(ROW_FORMS + ROW_LABELS < 1 << ID_BITS, "a column has a number of its own");

static const char *const label_names[ROW_LABELS] = {
	[ROW_LABEL_WALK] = "walk",
	[ROW_LABEL_SOLUTION] = "solution",
	[ROW_LABEL_DISTANCE] = "distance",
	[ROW_LABEL_BOUND] = "bound",
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
	columns->own_bytes += row_column_bytes(column);
	columns->child_bytes += column->of_children ? row_column_bytes(column) : 0;
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
		columns->id = columns->id << ID_BITS | (i + 1);
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
					  .write = shape->write,
					  .of_children = true};
	return add(ctx, columns, "as", &column);
}

/* Answers 400 if the distances of cubes are not known. */
static bool distance_fits(struct context *ctx, const struct row_cubes *cubes)
{
	const bool parents = cubes->children > 0;
	if (cubes->size == 2 ||
	    (cubes->longest > 0 && cubes->longest + parents <= ROW_DISTANCE_WALK_MAX))
		return true;
	return query_problem(ctx, "label",
			     parents ? "The distance of a 3x3x3 is known up to 9 turns, and "
				       "children are one turn "
				       "farther than a walk; send walk too, for example walk=1..8, "
				       "or size=2, or "
				       "ask for bound."
				     : "The distance of a 3x3x3 is known for walks of up to 9 "
				       "turns; send walk too, "
				       "for example walk=1..9, or size=2, or ask for bound.",
			     parents ? "label=distance together with walk up to 8, or with size=2"
				     : "label=distance together with walk up to 9, or with size=2",
			     "bound");
}

/* Answers 400 if cubes have no such label. */
static bool label_fits(struct context *ctx, enum row_label label, const struct row_cubes *cubes)
{
	if (label == ROW_LABEL_DISTANCE)
		return distance_fits(ctx, cubes);
	if (cubes->longest > 0 || label == ROW_LABEL_BOUND)
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
	column.of_children = column.label == ROW_LABEL_DISTANCE || column.label == ROW_LABEL_BOUND;
	columns->id = columns->id << ID_BITS | (index + UINT64_C(1) + ROW_FORMS);
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
	*columns = (struct row_columns){.id = (uint64_t)cubes->size, .children = cubes->children};
	if (!read_list(ctx, as ? as : row_forms[0].name, cubes, add_form, columns) ||
	    !read_list(ctx, ctx->query.value[PARAMETER_LABEL].bytes, cubes, add_label, columns))
		return false;
	columns->row_bytes = columns->own_bytes + columns->children * columns->child_bytes;
	columns->scratch = ctx_alloc(ctx, ROW_BLOCK * columns->own_bytes);
	columns->rows = ctx_alloc(ctx, ROW_BLOCK * columns->own_bytes);
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

/* Copies a column to its place in each row, and in each child if these have it; `own` and `child` are where it is in them. */
static void spread_column(const struct row_columns *columns, const struct row_column *column,
			  size_t count, const uint8_t *from, uint8_t *own, uint8_t *child)
{
	const size_t width = row_column_bytes(column);
	const size_t children = column->of_children ? columns->children : 0;
	for (size_t i = 0; i < count; i++) {
		memcpy(own + columns->row_bytes * i, from, width);
		from += width;
		for (size_t k = 0; k < children; k++, from += width)
			memcpy(child + columns->row_bytes * i + columns->child_bytes * k, from,
			       width);
	}
}

static void write_rows(const struct row_columns *columns, const struct row_block *block,
		       uint8_t *rows)
{
	const struct row_column *column = columns->column;
	const size_t states = block->count * (1 + columns->children);
	uint8_t *own = rows, *child = rows + columns->own_bytes;
	if (columns->count == 1 && column->write) {
		column->write(block->states, states, rows);
		return;
	}
	for (size_t j = 0; j < columns->count; j++, column++) {
		const uint8_t *from = columns->scratch;
		if (column->write)
			column->write(block->states, states, columns->scratch);
		else
			from = block->label[column->label];
		spread_column(columns, column, block->count, from, own, child);
		own += row_column_bytes(column);
		child += column->of_children ? row_column_bytes(column) : 0;
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

/* Appends the fields of a row, or those of a child, without the closing bracket. */
static size_t add_fields(const struct row_columns *columns, bool of_child, char *descr, size_t room)
{
	size_t length = 0;
	for (size_t j = 0; j < columns->count; j++)
		if (!of_child || columns->column[j].of_children)
			length += add_field(&columns->column[j], length == 0, descr + length,
					    room - length);
	return length;
}

static size_t write_structures(const struct row_columns *columns, const char *shape, char *head)
{
	char descr[NPY_HEAD_TEXT_MAX];
	size_t length = add_fields(columns, false, descr, sizeof descr);
	if (columns->children > 0) {
		length +=
			(size_t)snprintf(descr + length, sizeof descr - length, ", ('children', ");
		length += add_fields(columns, true, descr + length, sizeof descr - length);
		length += (size_t)snprintf(descr + length, sizeof descr - length, "], (%zu,))",
					   columns->children);
	}
	snprintf(descr + length, sizeof descr - length, "]");
	return npy_head_write(head, descr, shape);
}

size_t row_columns_head(const struct row_columns *columns, uint64_t rows, char *head)
{
	char shape[64], children[24] = "", numbers[24] = "";
	const unsigned long long count = rows;
	const struct row_column *first = columns->column;
	if (columns->count > 1) {
		snprintf(shape, sizeof shape, "(%llu,)", count);
		return write_structures(columns, shape, head);
	}
	if (columns->children > 0)
		snprintf(children, sizeof children, " %zu,", 1 + columns->children);
	if (first->numbers > 1)
		snprintf(numbers, sizeof numbers, " %zu", first->numbers);
	snprintf(shape, sizeof shape, "(%llu,%s%s)", count, children, numbers);
	return npy_head_write(head, number_type(first), shape);
}
