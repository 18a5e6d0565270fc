/* row_columns.h: rows of random 3x3x3 cubes for training: which columns a row has, and its bytes.
 *
 * A row is what `as` lists, in that order, and then the label, without gaps. Each number is a byte, but for an index. */
#ifndef SERVER_API_CUBES_ROW_COLUMNS_H
#define SERVER_API_CUBES_ROW_COLUMNS_H

#include "server/api/cubes/row_forms.h"
#include "server/api/request/context.h"
#include "server/util/buffer.h"

/* The rows that are made at a time. */
#define ROW_BLOCK 64

struct row_columns {
	const struct row_form *form[ROW_FORMS]; /* in the order of the query */
	size_t count;
	bool labelled; /* the last byte is the length of the walk */
	size_t row_bytes;
	uint8_t *scratch; /* ROW_BLOCK rows of one column, if a row has more */
	uint8_t *rows;    /* ROW_BLOCK rows, for lines */
};

/* Reads ?as= and ?label=; colours without `as`. `walks`: the query has a walk. Answers 400, or 503 if there is no
 * memory. */
MUST_USE bool row_columns_read(struct context *ctx, bool walks, struct row_columns *columns);

/* Returns a number that other columns do not have. */
uint64_t row_columns_id(const struct row_columns *columns);

/* Appends `count` rows, at most ROW_BLOCK, as bytes, and as lines of JSON. `lengths` are the labels. */
void row_columns_bytes(const struct row_columns *columns, const struct cube_state3 *states,
		       const uint8_t *lengths, size_t count, struct buffer *piece);
void row_columns_lines(const struct row_columns *columns, const struct cube_state3 *states,
		       const uint8_t *lengths, size_t count, struct buffer *piece);

/* Writes the head of a NumPy file with so many rows (npy_head.h): an array of numbers if a row has one column, else of
 * structures with a field for each. Returns its length. */
size_t row_columns_head(const struct row_columns *columns, uint64_t rows, char *head);

#endif
