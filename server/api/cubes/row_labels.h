/* row_labels.h: rows of random cubes for training: the cubes, and their labels, which may need tables. */
#ifndef SERVER_API_CUBES_ROW_LABELS_H
#define SERVER_API_CUBES_ROW_LABELS_H

#include "server/api/cubes/row_columns.h"

struct cube_depths;

struct row_labels {
	uint8_t *solutions; /* of a block; NULL: no row has one */
	bool distances, bounds;
	const struct cube_depths *depths; /* of a 3x3x3 with distances */
	const void *bound_tables;         /* of a 3x3x3 with bounds */
	const void *tables_2;             /* of a 2x2x2 with either */
};

/* Answers 503 if there is no memory. */
MUST_USE bool row_labels_read(struct context *ctx, const struct row_cubes *cubes,
			      const struct row_columns *columns, struct row_labels *labels);

/* Returns the cost of the labels of a row and its children, and of row_labels_prepare(), in ns. */
uint64_t row_labels_cost(const struct row_labels *labels, const struct row_cubes *cubes);
uint64_t row_labels_prepare_cost(const struct row_labels *labels, const struct row_cubes *cubes);

/* Takes the tables, which may have to be made, or answers a problem. */
void row_labels_prepare(struct context *ctx, const struct row_cubes *cubes,
			struct row_labels *labels);

/* Makes block->count rows from the number `first` on, with their children and all their labels; `bytes` are ROW_BLOCK for each
 * label of one byte. */
void row_labels_make(const struct row_labels *labels, const struct row_cubes *cubes, uint64_t seed,
		     uint64_t first, uint8_t bytes[ROW_LABELS][ROW_BLOCK], struct row_block *block);

#endif
