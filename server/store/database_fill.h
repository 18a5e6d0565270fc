/* database_fill.h: the history of a session that is loaded into a database, in chunks, checked
 * entry by entry. What all kinds of databases share. */
#ifndef SERVER_STORE_DATABASE_FILL_H
#define SERVER_STORE_DATABASE_FILL_H

#include "server/history/check_history.h"
#include "server/store/chunk.h"
#include "server/store/database.h"

/* All zero but for the first three members; serves for many sessions. */
struct database_fill {
	struct error *error;
	/* Store a chunk that is full, or the snapshot before the one that follows it. False with a
	 * sentence. */
	bool (*save_chunk)(void *context, const struct chunk *chunk);
	bool (*save_snapshot)(void *context, const struct chunk *chunk);
	void *context;
	/* The current session: */
	size_t token_count;
	uint8_t *base; /* packed; NULL: solved */
	size_t base_bytes;
	uint8_t *scramble; /* packed */
	size_t scramble_bytes;
	uint8_t *packed; /* a packed entry */
	size_t packed_capacity;
	struct chunk chunk; /* the newest one */
	struct history_check check;
};

void database_fill_finish(struct database_fill *fill);

/* A session and its entries; false with a sentence in *error if they break a rule. After the last
 * entry the caller stores `chunk`, which may be empty. */
MUST_USE bool database_fill_session(struct database_fill *fill,
				    const struct database_session *session);
MUST_USE bool database_fill_entry(struct database_fill *fill, const struct entry *entry);

/* Sentences of the loaders; the arguments of the first are the database and its sessions. */
#define LOAD_NOT_EMPTY "%s is not empty: it has %" PRId64 " sessions; use an empty one"
#define LOAD_NO_BOOK "there is no session whose book this is, or the solve's id is there twice"
#define LOAD_NO_SESSION "there is no session %s, whose book a solve is in"

/* A finding about what was loaded, of which the first is the error; `context` is the struct
 * error. */
void database_fill_finding(void *context, const struct session_id *session, const char *what);

#endif
