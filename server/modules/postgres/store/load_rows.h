/* load_rows.h: the rows that load.c writes: gathered by table, and sent together. */
#ifndef SERVER_STORE_POSTGRES_LOAD_ROWS_H
#define SERVER_STORE_POSTGRES_LOAD_ROWS_H

#include "server/modules/postgres/store/copy_rows.h"
#include "server/modules/postgres/store/database_internal.h"

/* Solves and frames come after the sessions, whose keys they need. */
enum load_table {
	LOAD_SESSION,
	LOAD_MORE,
	LOAD_TOKEN,
	LOAD_PATTERN,
	LOAD_HISTORY,
	LOAD_SNAPSHOT,
	LOAD_CANONICAL,
	LOAD_RECEIPT,
	LOAD_SOLVE,
	LOAD_FRAME,
	LOAD_ANSWER,
	LOAD_TABLES
};

struct load_rows {
	struct walk *walk; /* whose parameters are a row */
	struct error *error;
	struct copy_rows rows[LOAD_TABLES];
	struct buffer books[LOAD_TABLES]; /* of rows that lack the key of their session */
};

void load_rows_init(struct load_rows *rows, struct walk *walk, struct error *error);
void load_rows_finish(struct load_rows *rows);
/* Adds the parameters of the walk as a row. False with a sentence, also about rows before. */
MUST_USE bool load_rows_add(struct load_rows *rows, enum load_table table);
/* The same for LOAD_SOLVE and LOAD_FRAME; the first parameter, an int8, becomes the key of the session
 * with that id. */
MUST_USE bool load_rows_add_in_book(struct load_rows *rows, enum load_table table,
				    const uint8_t id[SESSION_ID_BYTES]);
/* Sends the rows that are left. */
MUST_USE bool load_rows_send_all(struct load_rows *rows);
/* Puts a sentence about a failed statement into the error; returns false. */
bool load_rows_failed(struct load_rows *rows, enum failure failure);

#endif
