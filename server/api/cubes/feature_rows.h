/* feature_rows.h: features of 3x3x3 cubes (cube/features.h) as rows of numbers: in text, bare, or as a NumPy file. */
#ifndef SERVER_API_CUBES_FEATURE_ROWS_H
#define SERVER_API_CUBES_FEATURE_ROWS_H

#include "server/api/request/context.h"
#include "server/util/buffer.h"

/* The type of the numbers that are not text. */
struct feature_dtype {
	const char *name, *descr; /* in queries, in .npy */
	size_t bytes;
};

/* Reads ?dtype=; uint8 without it. Answers 400. */
MUST_USE bool feature_dtype_read(struct context *ctx, const struct feature_dtype **dtype);

/* Returns true if the media type has only numbers: MEDIA_OCTETS or MEDIA_NPY. */
bool feature_media_is_bare(enum media media);

/* The bytes of an answer of bare numbers with so many rows. */
uint64_t feature_rows_bytes(enum media media, const struct feature_dtype *dtype, uint64_t rows);

/* Writes the head of a NumPy file with so many rows. */
void feature_head_write(const struct feature_dtype *dtype, uint64_t rows, struct buffer *piece);

/* Writes a row of bare numbers; and one as [0,1,...]. */
void feature_numbers_write(const struct feature_dtype *dtype, const struct cube *cube,
			   struct buffer *piece);
void feature_row_write(const struct cube *cube, struct buffer *piece);

#endif
