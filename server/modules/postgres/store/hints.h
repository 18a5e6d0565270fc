/* hints.h: lets other processes know that something was committed, and hears it from them, by NOTIFY.
 *
 * Only hints, to ask sooner (`changes` in store.h): they are sent after the commit, on another
 * connection, since inside of a transaction NOTIFY holds a lock through the commit. They may get
 * lost. */
#ifndef SERVER_STORE_POSTGRES_HINTS_H
#define SERVER_STORE_POSTGRES_HINTS_H

#include "server/modules/postgres/store/postgres_internal.h"

/* Starts the thread: store->hints. False if out of memory or threads. */
MUST_USE bool hints_start(struct postgres_store *store);
void hints_stop(struct postgres_store *store);
/* Something was committed. Does not wait: while one notification is under way, the next stands for
 * all that follow. Any thread. */
void hints_send(struct postgres_store *store);

#endif
