/* feature_rows.c: features of 3x3x3 cubes as rows of numbers. */
#include "server/api/cubes/feature_rows.h"

#include <stdio.h>
#include <string.h>

#include "cube/features.h"
#include "server/api/cubes/npy_head.h"

/* Numbers are little-endian, like the machines that this runs on. */
static const struct feature_dtype dtypes[] = {{"uint8", "|u1", 1}, {"float32", "<f4", 4}};

#define DTYPES (sizeof dtypes / sizeof dtypes[0])

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "floats are sent as they are in memory");

#define NPY_HEAD_BYTES 128

bool feature_dtype_read(struct context *ctx, const struct feature_dtype **dtype)
{
	const struct text *name = &ctx->query.value[PARAMETER_DTYPE];
	*dtype = &dtypes[0];
	if (!name->bytes)
		return true;
	for (size_t i = 0; i < DTYPES; i++)
		if (text_names(*name, dtypes[i].name)) {
			*dtype = &dtypes[i];
			return true;
		}
	return query_problem(ctx, "dtype", "Unknown dtype; use uint8 or float32.",
			     "uint8 or float32", NULL);
}

bool feature_media_is_bare(enum media media)
{
	return media == MEDIA_OCTETS || media == MEDIA_NPY;
}

uint64_t feature_rows_bytes(enum media media, const struct feature_dtype *dtype, uint64_t rows)
{
	return (media == MEDIA_NPY ? NPY_HEAD_BYTES : 0) + rows * CUBE_FEATURES * dtype->bytes;
}

void feature_head_write(const struct feature_dtype *dtype, uint64_t rows, struct buffer *piece)
{
	char head[NPY_HEAD_MAX + 1], descr[16], shape[48];
	snprintf(descr, sizeof descr, "'%s'", dtype->descr);
	snprintf(shape, sizeof shape, "(%llu, %d)", (unsigned long long)rows, CUBE_FEATURES);
	buffer_add(piece, head, npy_head_write(head, descr, shape));
}

void feature_numbers_write(const struct feature_dtype *dtype, const struct cube *cube,
			   struct buffer *piece)
{
	char *room = buffer_room(piece, CUBE_FEATURES * sizeof(float));
	if (!room)
		return;
	if (dtype->bytes == 1) {
		cube_features_write(cube, (uint8_t *)room);
	} else {
		float row[CUBE_FEATURES];
		cube_features_write_float(cube, row);
		memcpy(room, row, sizeof row);
	}
	piece->length += CUBE_FEATURES * dtype->bytes;
}

/* A digit and a comma each. */
void feature_row_write(const struct cube *cube, struct buffer *piece)
{
	uint8_t row[CUBE_FEATURES];
	char *at = buffer_room(piece, 2 * CUBE_FEATURES + 1);
	if (!at)
		return;
	cube_features_write(cube, row);
	for (size_t i = 0; i < CUBE_FEATURES; i++) {
		*at++ = i ? ',' : '[';
		*at++ = (char)('0' + row[i]);
	}
	*at = ']';
	piece->length += 2 * CUBE_FEATURES + 1;
}
