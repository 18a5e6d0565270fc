/* row_columns.h: rows of random cubes for training: which columns a row has, and its bytes.
 *
 * A row has the forms of `as`, in that order, and then the labels, without gaps. Each number is one byte, except those of an
 * index. With children it goes on with the neighbours of its cube, one for each turn in the order of the actions of cube/batch.h:
 * each has the same forms, and then those labels that it can have. */
#ifndef SERVER_API_CUBES_ROW_COLUMNS_H
#define SERVER_API_CUBES_ROW_COLUMNS_H

#include "server/api/cubes/row_forms.h"
#include "server/api/request/context.h"
#include "server/util/buffer.h"

/* The states that are made at a time, at most: those of one row or of several, with their children. */
#define ROW_BLOCK 64

/* The cubes that rows are of. */
struct row_cubes {
	int64_t size;          /* 2 or 3 */
	int shortest, longest; /* walks of so many turns; longest 0: uniform states */
	bool symmetric;        /* each is turned and mirrored by a symmetry of its own */
	size_t children; /* the neighbours that each row has as well: one for each turn, or none */
};

/* Returns the number of states of a row. */
static inline size_t row_cubes_states(const struct row_cubes *cubes)
{
	return 1 + cubes->children;
}

enum row_label {
	ROW_LABEL_WALK,
	ROW_LABEL_SOLUTION,
	ROW_LABEL_DISTANCE,
	ROW_LABEL_BOUND,
	ROW_LABELS
};

/* The longest walks of a 3x3x3 whose distance is looked for; those that lead to children are one turn longer. */
#define ROW_DISTANCE_WALK_MAX 9

/* Rows that were made: the states, children behind their row's, and of the labels that are asked for the numbers of one after
 * another. */
struct row_block {
	size_t count; /* of rows */
	struct cube_state3 states[ROW_BLOCK];
	const uint8_t *label[ROW_LABELS]; /* by enum row_label */
};

struct row_column {
	const char *name;
	size_t numbers;
	size_t number_bytes;
	enum row_text text;
	/* NULL: a label */
	void (*write)(const struct cube_state3 *states, size_t count, uint8_t *rows);
	enum row_label label;
	bool of_children; /* children have it as well */
};

struct row_columns {
	struct row_column column[ROW_FORMS + ROW_LABELS];
	size_t count;
	size_t children;               /* of each row */
	size_t own_bytes, child_bytes; /* of a row without its children, and of a child */
	size_t row_bytes;              /* of all of a row */
	uint8_t *scratch;              /* ROW_BLOCK states of one column, if a row has more */
	uint8_t *rows;                 /* the rows of a block, for lines */
	uint64_t id;                   /* other columns have another */
};

static inline size_t row_column_bytes(const struct row_column *column)
{
	return column->numbers * column->number_bytes;
}

/* Reads ?as= and ?label=; colours without `as`. Answers 400, or 503 if there is no memory. */
MUST_USE bool row_columns_read(struct context *ctx, const struct row_cubes *cubes,
			       struct row_columns *columns);
/* Returns true if rows have that label. */
bool row_columns_have(const struct row_columns *columns, enum row_label label);

/* Appends the rows as bytes. */
void row_columns_bytes(const struct row_columns *columns, const struct row_block *block,
		       struct buffer *piece);
/* Writes them to columns->rows, for lines. */
void row_columns_write(const struct row_columns *columns, const struct row_block *block);

/* Writes the head of a NumPy file with so many rows (npy_head.h): an array of numbers if a row has one column, with the children's
 * behind its own, else of structures with a field for each, and one for all children. Returns its length. */
size_t row_columns_head(const struct row_columns *columns, uint64_t rows, char *head);

/* ---- row_lines.c ---- */

/* Appends the rows as lines of JSON. */
void row_columns_lines(const struct row_columns *columns, const struct row_block *block,
		       struct buffer *piece);

#endif
