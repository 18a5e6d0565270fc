/* memory.h: the memory store: sessions that live as long as the process. */
#ifndef SERVER_STORE_MEMORY_H
#define SERVER_STORE_MEMORY_H

#include "server/store/store.h"

/* Stores of one name share their sessions while any of them is open, and report their
 * changes to each other; "" is private to this store. `options.changed` is called by the thread that writes to
 * another store of that name: it must take no lock that is held while writes are submitted. NULL
 * with a sentence in `error` if out of memory. */
MUST_USE struct store *store_memory_open(const char *name, const struct store_options *options,
					 struct error *error);

/* ---- for tests; `store` was made by store_memory_open() ---- */

/* The next write fails with `status`, as a failed commit does: the generation rises, and writes of
 * the older generation fail too; after STORE_BROKEN all later ones do. */
void store_memory_fail_next(struct store *store, enum store_status status);

/* As if the reader's store had posted its notices `ms` earlier. */
void store_memory_silent(struct store_reader *reader, int64_t ms);

/* While `hold` is set, submitted writes are neither committed nor answered, but when a test says so.
 * Clearing it commits and answers all that waits. */
void store_memory_hold(struct store *store, bool hold);
/* Commits the oldest write that is not committed yet. False if there is none. */
bool store_memory_commit(struct store *store);
/* Answers a committed write: the oldest one of the session of the n-th that waits, modulo their
 * number; so the answers of a session come in order, and those of different sessions in any. False
 * if none waits. */
bool store_memory_answer(struct store *store, size_t n);

/* Sets how many changes are kept for the stores of that name; those made before are reported as
 * missed. */
void store_memory_keep_changes(struct store *store, uint64_t count);

/* The faults of the stores of that name, with which tests show that they notice: a sum of bits. */
enum memory_fault {
	MEMORY_COMPARES_REVISIONS = 1, /* instead of ids of states */
	MEMORY_IGNORES_VERSIONS = 2,   /* of descriptions */
	MEMORY_REPORTS_NOTHING = 4,    /* no changes at all: caches answer without asking */
	MEMORY_OMITS_OWN = 8,          /* changes of this store that are not answered yet */
	MEMORY_SKIPS_CHANGES = 16,     /* every eighth change is not reported */
};
void store_memory_break(struct store *store, unsigned faults);

#endif
