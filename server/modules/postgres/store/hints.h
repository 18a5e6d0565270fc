/* hints.h: lets other processes know which sessions were changed, and hears it from them, by NOTIFY.
 *
 * Only hints, to ask sooner (`changes` in store.h): they are sent after the commit, on another
 * connection, since inside of a transaction NOTIFY holds a lock through the commit. They may get
 * lost. A process that watches none of the sessions need not ask.
 *
 * The payload is the keys of the sessions, in hexadecimal digits with commas between them. One that
 * is empty or cannot be read stands for all sessions: it is from a version before 0.6, or there were
 * too many. */
#ifndef SERVER_STORE_POSTGRES_HINTS_H
#define SERVER_STORE_POSTGRES_HINTS_H

#include "server/modules/postgres/store/postgres_internal.h"

/* Keys that a hint names at most. A payload has to be below 8,000 bytes; a key and a comma take 17. */
#define HINT_KEYS_MAX 256

/* Starts the thread: store->hints. False if out of memory or threads. */
MUST_USE bool hints_start(struct postgres_store *store);
void hints_stop(struct postgres_store *store);
/* A change of the session with this key was committed, or may have been: the next notification names
 * it. Any thread. */
void hints_add(struct postgres_store *store, uint64_t key);
/* Sends what was added, if anything. Does not wait: while one notification is under way, the next
 * stands for all that follow. Any thread. */
void hints_send(struct postgres_store *store);

#endif
