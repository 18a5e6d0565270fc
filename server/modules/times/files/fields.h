/* fields.h: rows of fields, as in CSV, and where something is wrong in a file. Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_FIELDS_H
#define SERVER_MODULES_TIMES_FILES_FIELDS_H

#include "server/json/slice.h"
#include "server/modules/times/files/cstimer.h"

#define FIELDS_MAX 64

struct file_fault {
	size_t line, column; /* from 1, in code points */
	size_t offset;       /* of the field, in bytes */
	const char *what;    /* a sentence without its full stop */
};

/* Sets the fault at `at`, in a text that begins at `begin`. Returns CSTIMER_BAD. */
enum cstimer_result file_fault_at(struct file_fault *fault, const char *begin, const char *at,
				  const char *what);

/* A text of which rows are read one after the other. */
struct field_rows {
	struct arena *arena;
	const char *begin, *at, *end;
	char separator;
	bool escapes; /* a quote in quotes may be written \" too */
	struct file_fault *fault;
	size_t count; /* of the row that was read: */
	struct span field[FIELDS_MAX];
	const char *place[FIELDS_MAX]; /* the place of each in the text */
};

/* Reads a row. CSTIMER_OK, CSTIMER_BAD with the fault, or CSTIMER_NO_MEMORY. A field in quotes may have
 * separators and line breaks; a quote in it is written twice. */
MUST_USE enum cstimer_result field_row_read(struct field_rows *rows);
/* The row is an empty line. */
bool field_row_empty(const struct field_rows *rows);
/* The field of that column; no bytes if it is empty or there is no such field (or column < 0). */
struct span field_at(const struct field_rows *rows, int column);
/* file_fault_at() the field of that column, or at the end of the row if it has no such field. */
enum cstimer_result field_fault(struct field_rows *rows, int column, const char *what);

#endif
