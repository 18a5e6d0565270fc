/* session_row.h: a session from a row of the statements FIND, AT and LIST in statements_reads.def. */
#ifndef SERVER_STORE_POSTGRES_SESSION_ROW_H
#define SERVER_STORE_POSTGRES_SESSION_ROW_H

#include "server/store/chunk.h"
#include "server/modules/postgres/store/postgres_internal.h"

/* The state of a row at a revision, or at the newest one (HISTORY_NONE). STORE_NOT_FOUND if the
 * session has not reached it, STORE_BROKEN if the row is damaged. */
MUST_USE enum store_status session_row_state(const PGresult *result, int row, uint32_t revision,
					     struct history **history);
/* All of a row. If it fails, `session` is empty. */
MUST_USE enum store_status session_row_read(const PGresult *result, int row,
					    struct stored_session *session);
/* The same without the state. */
MUST_USE enum store_status session_row_description(const PGresult *result, int row,
						   struct stored_session *session);
uint64_t session_row_key(const PGresult *result, int row);

#endif
