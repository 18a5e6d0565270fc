/* copy_rows.c: rows in the binary format of COPY.
 *
 * A signature, flags (0) and the length of an extension (0); of each row the number of its values,
 * and of each value its length, -1 for NULL, and its bytes; -1 instead of a number at the end. */
#include "server/modules/postgres/store/copy_rows.h"

#include <stdio.h>

#define COUNT_BYTES 2
#define LENGTH_BYTES 4
#define KEY_BYTES 8

static const char head[19] = "PGCOPY\n\377\r\n"; /* the rest is zero */

size_t copy_rows_add(struct copy_rows *rows, struct parameters *p)
{
	struct buffer *bytes = &rows->bytes;
	if (!parameters_finish(p))
		return 0;
	if (bytes->length == 0)
		buffer_add(bytes, head, sizeof(head));
	const size_t row = bytes->length;
	put_number(bytes, p->count, COUNT_BYTES);
	for (unsigned i = 0; i < p->count; i++) {
		const bool null = p->values[i] == NULL;
		put_number(bytes, null ? UINT32_MAX : (uint64_t)p->lengths[i], LENGTH_BYTES);
		if (!null)
			buffer_add(bytes, p->values[i], (size_t)p->lengths[i]);
	}
	return bytes->failed ? 0 : row;
}

void copy_rows_put_key(struct copy_rows *rows, size_t row, uint64_t key)
{
	char *at = rows->bytes.bytes + row + COUNT_BYTES + LENGTH_BYTES;
	for (int i = 0; i < KEY_BYTES; i++)
		at[i] = (char)(key >> (8 * (KEY_BYTES - 1 - i)));
}

enum failure copy_rows_send(struct copy_rows *rows, struct connection *connection,
			    uint64_t until_ns)
{
	char sql[512];
	if (rows->bytes.length == 0)
		return FAILURE_NONE;
	put_number(&rows->bytes, UINT16_MAX, COUNT_BYTES);
	if (rows->bytes.failed)
		return FAILURE_NO_MEMORY;
	snprintf(sql, sizeof(sql), "COPY %s FROM STDIN (FORMAT binary)", rows->into);
	const enum failure failure =
		pg_copy(connection, sql, rows->bytes.bytes, rows->bytes.length, until_ns);
	rows->bytes.length = 0;
	return failure;
}

void copy_rows_free(struct copy_rows *rows)
{
	buffer_free(&rows->bytes);
}
