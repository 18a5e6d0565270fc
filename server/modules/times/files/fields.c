/* fields.c: rows of fields, as in CSV. */
#include "server/modules/times/files/fields.h"

enum cstimer_result file_fault_at(struct file_fault *fault, const char *begin, const char *at,
				  const char *what)
{
	size_t line = 1, column = 1;
	for (const char *c = begin; c < at; c++) {
		line += *c == '\n';
		column = *c == '\n' ? 1 : column + ((*c & 0xc0) != 0x80);
	}
	*fault = (struct file_fault){line, column, (size_t)(at - begin), what};
	return CSTIMER_BAD;
}

enum cstimer_result field_fault(struct field_rows *rows, int column, const char *what)
{
	const bool there = column >= 0 && (size_t)column < rows->count;
	return file_fault_at(rows->fault, rows->begin, there ? rows->place[column] : rows->at,
			     what);
}

/* Returns true if a sign and the quote after it are one quote. */
static bool is_escaped(const struct field_rows *rows, const char *at)
{
	return at + 1 < rows->end && at[1] == '"' && (*at == '"' || (*at == '\\' && rows->escapes));
}

/* Moves *at past the closing quote; *quotes is how many are written as two signs. False if it is not closed. */
static bool skip_quoted(const struct field_rows *rows, const char **at, size_t *quotes)
{
	*quotes = 0;
	for (++*at; *at < rows->end; ++*at) {
		if (is_escaped(rows, *at)) {
			++*quotes;
			++*at;
		} else if (**at == '"') {
			++*at;
			return true;
		}
	}
	return false;
}

/* The text in quotes; in place unless there is a quote in it. */
static enum cstimer_result read_quoted(struct field_rows *rows, const char **at, struct span *field)
{
	const char *from = *at + 1;
	size_t quotes, length = 0;
	if (!skip_quoted(rows, at, &quotes))
		return file_fault_at(rows->fault, rows->begin, rows->at,
				     "this quote is not closed");
	*field = (struct span){from, (size_t)(*at - 1 - from)};
	if (quotes == 0)
		return CSTIMER_OK;
	char *room = arena_alloc(rows->arena, field->length - quotes);
	if (!room)
		return CSTIMER_NO_MEMORY;
	for (size_t i = 0; i < field->length; i++) {
		i += is_escaped(rows, from + i);
		room[length++] = from[i];
	}
	*field = (struct span){room, length};
	return CSTIMER_OK;
}

/* One field; the row has ended where *last is set. */
static enum cstimer_result read_field(struct field_rows *rows, struct span *field, bool *last)
{
	const char *at = rows->at, *end = rows->end;
	if (at < end && *at == '"') {
		enum cstimer_result result = read_quoted(rows, &at, field);
		if (result != CSTIMER_OK)
			return result;
	} else {
		while (at < end && *at != rows->separator && *at != '\n' && *at != '\r')
			at++;
		*field = (struct span){rows->at, (size_t)(at - rows->at)};
	}
	if (at < end && *at != rows->separator && *at != '\n' && *at != '\r')
		return file_fault_at(rows->fault, rows->begin, at,
				     "there is text after the closing quote of this field");
	*last = at == end || *at != rows->separator;
	at += at < end && *at == '\r' && *last;
	at += at < end && (*at == '\n' || !*last);
	rows->at = at;
	return CSTIMER_OK;
}

enum cstimer_result field_row_read(struct field_rows *rows)
{
	bool last = false;
	rows->count = 0;
	while (!last) {
		if (rows->count == FIELDS_MAX)
			return file_fault_at(rows->fault, rows->begin, rows->at,
					     "this row has too many fields");
		rows->place[rows->count] = rows->at;
		enum cstimer_result result = read_field(rows, &rows->field[rows->count], &last);
		if (result != CSTIMER_OK)
			return result;
		rows->count++;
	}
	return CSTIMER_OK;
}

bool field_row_empty(const struct field_rows *rows)
{
	return rows->count == 1 && rows->field[0].length == 0;
}

struct span field_at(const struct field_rows *rows, int column)
{
	return column >= 0 && (size_t)column < rows->count && rows->field[column].length > 0
		       ? rows->field[column]
		       : (struct span){0};
}
