/* transaction.h: one transaction of a lane, from writes to their answers. */
#ifndef SERVER_STORE_POSTGRES_TRANSACTION_H
#define SERVER_STORE_POSTGRES_TRANSACTION_H

#include "server/modules/postgres/store/append.h"
#include "server/modules/postgres/store/postgres_internal.h"

/* Takes writes from the front of a chain, at most `most`, and makes what is sent of them. Some may
 * fail here, see lane_admit(): their status is not STORE_OK then. FAILURE_NO_MEMORY: all fail. */
MUST_USE enum failure transaction_make(struct transaction *transaction, struct store_write *chain,
				       uint32_t most);
/* Sends it as transaction->batch and waits for the answer: FAILURE_NONE if it is committed; then
 * each write has its status. Can be called again with another batch. */
MUST_USE enum failure transaction_run(struct transaction *transaction, uint64_t until_ns);
/* It was committed, as its row of `change` shows: sets the status of each write. */
MUST_USE enum failure transaction_committed(struct transaction *transaction, const PGresult *change,
					    uint64_t until_ns);
/* Sets the status of the writes that have none. */
void transaction_fail(struct transaction *transaction, enum store_status status);

/* ---- create.c ---- */

/* Queues the statement for all new sessions of a transaction. */
MUST_USE enum failure transaction_create_send(struct transaction *transaction);
/* Sets the keys of the new sessions from the rows of a result, which are in their order: false if
 * there are too few. */
MUST_USE bool transaction_created(struct transaction *transaction, const PGresult *keys);
/* Asks for these keys after the transaction was committed. */
MUST_USE enum failure transaction_find_created(struct transaction *transaction, uint64_t until_ns);

#endif
