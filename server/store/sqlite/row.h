/* row.h: a row of the table of sessions, decoded and checked. */
#ifndef SERVER_STORE_SQLITE_ROW_H
#define SERVER_STORE_SQLITE_ROW_H

#include "server/store/sqlite/database_internal.h"
#include "server/util/error.h"

/* In the order of SESSION_COLUMNS. */
enum session_row_column {
	ROW_KEY,
	ROW_SIZE,
	ROW_ACCESS,
	ROW_ID,
	ROW_CREATED,
	ROW_UPDATED,
	ROW_DELETED,
	ROW_NAME,
	ROW_BASE,
	ROW_SCRAMBLE,
	ROW_POLICY,
	ROW_OPENING,
	ROW_ASSISTED,
	ROW_LISTED,
	ROW_CHECKSUM
};

struct session_row {
	struct database_session session; /* refers to the members below */
	bool has_inline_entries;         /* false: the entries are in `history` */
	const uint8_t *inline_entries;   /* the statement's, until its next step */
	size_t inline_entries_bytes;
	bool inline_entries_sound; /* they have their checksum, or there is none */
	struct cube *base;         /* owned, as the next */
	struct cube_turn *scramble;
	struct stored_token *tokens;
	struct stored_pattern *patterns; /* with their texts, one block each */
};

/* All sessions in the order of their keys, for session_row_decode(). */
extern const char session_row_sql[];

/* Decode the row that the statement is at, as far as a reader needs it; *meta, *turns and *count
 * are zeroed before. STORE_BROKEN, with *wrong, if it is damaged. *turns is the caller's to free,
 * also after a failure. */
MUST_USE enum store_status session_row_meta(sqlite3_stmt *statement, struct session_meta *meta,
					    const char **wrong);
MUST_USE enum store_status session_row_scramble(sqlite3_stmt *statement, int size,
						struct cube_turn **turns, size_t *count);
/* Decodes the whole row. STORE_BROKEN with *wrong if it is damaged. session_row_finish() must
 * follow, also after a failure. */
MUST_USE enum store_status session_row_decode(struct session_row *row, sqlite3_stmt *statement,
					      const char **wrong);
/* Read what belongs to the session into row->session; STORE_BROKEN with *wrong if it is damaged. */
MUST_USE enum store_status session_row_tokens(struct session_row *row,
					      struct sqlite_connection *connection,
					      sqlite3_stmt *statement, const char **wrong);
MUST_USE enum store_status session_row_patterns(struct session_row *row,
						struct sqlite_connection *connection,
						sqlite3_stmt *statement, const char **wrong);
extern const char session_tokens_sql[], session_patterns_sql[];
void session_row_finish(struct session_row *row);

#endif
