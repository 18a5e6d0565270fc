/* copy_rows.h: rows of a table that are gathered and sent together, by COPY in its binary format: so
 * the server answers once for thousands of rows. */
#ifndef SERVER_STORE_POSTGRES_COPY_ROWS_H
#define SERVER_STORE_POSTGRES_COPY_ROWS_H

#include "server/modules/postgres/store/connection.h"

#define COPY_ROWS_BYTES (1u << 20) /* send them when they take so much */

/* All zero but for the first member is empty. */
struct copy_rows {
	const char *into; /* the table and its columns: "token (session, number)" */
	struct buffer bytes;
};

/* Adds the parameters as a row; each must have the type of its column, which is not converted.
 * Returns the place of the row, for copy_rows_put_key(); 0 if out of memory. */
MUST_USE size_t copy_rows_add(struct copy_rows *rows, struct parameters *parameters);
/* Replaces the first value of a row, an int8. */
void copy_rows_put_key(struct copy_rows *rows, size_t row, uint64_t key);
static inline bool copy_rows_full(const struct copy_rows *rows)
{
	return rows->bytes.length >= COPY_ROWS_BYTES;
}
/* Sends all rows, if there are any. None are left, also after a failure. */
MUST_USE enum failure copy_rows_send(struct copy_rows *rows, struct connection *connection,
				     uint64_t until_ns);
void copy_rows_free(struct copy_rows *rows);

#endif
