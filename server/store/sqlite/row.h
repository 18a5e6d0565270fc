/* row.h: a row of the table of sessions, decoded and doubted. */
#ifndef SERVER_STORE_SQLITE_ROW_H
#define SERVER_STORE_SQLITE_ROW_H

#include "server/store/sqlite/database_internal.h"

struct session_row {
	struct database_session session; /* refers to what follows */
	bool has_opening;                /* else the entries are in `history` */
	const uint8_t *inline_entries;   /* the statement's, until it is stepped on */
	size_t inline_entries_bytes;
	struct cube *base; /* owned, as the next */
	struct cube_turn *scramble;
	struct stored_token *tokens;
	struct stored_pattern *patterns; /* with their texts, a block each */
};

/* All sessions in the order of their keys, with the columns that session_row_take wants. */
extern const char session_row_sql[];

/* Decodes the row that the statement is at. STORE_BROKEN with *wrong where it is damaged. The row
 * is to be finished in any case. */
enum store_status session_row_take(struct session_row *row, sqlite3_stmt *statement,
				   const char **wrong);
/* Read what belongs to that session and show it in row->session; STORE_BROKEN with *wrong. */
enum store_status session_row_tokens(struct session_row *row, struct connection *connection,
				     sqlite3_stmt *statement, const char **wrong);
enum store_status session_row_patterns(struct session_row *row, struct connection *connection,
				       sqlite3_stmt *statement, const char **wrong);
extern const char session_tokens_sql[], session_patterns_sql[];
void session_row_finish(struct session_row *row);

/* The state of revision 0. NULL when memory is out. */
struct history *session_first_state(const struct database_session *session);

#endif
