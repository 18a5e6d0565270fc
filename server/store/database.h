/* database.h: a database as a whole, from outside the service: what verify, export, import and
 * backup are made of. Blocking; one thread.
 *
 * Reading sees one moment of the database, beside a running server or without one. It writes
 * nothing into the database and never checkpoints. */
#ifndef SERVER_STORE_DATABASE_H
#define SERVER_STORE_DATABASE_H

#include "server/store/store.h"
#include "server/util/error.h"

struct database;

/* One session, as it lives during a call. */
struct database_session {
	struct session_meta meta;
	int64_t deleted_ms;      /* where meta.deleted */
	const struct cube *base; /* the cube of revision 0; NULL: solved */
	const struct cube_turn *scramble;
	size_t scramble_count;
	const struct stored_token *tokens; /* by number, from 1 on */
	size_t token_count;
	const struct stored_pattern *patterns; /* in order of token and name */
	size_t pattern_count;
};

struct database_counts {
	uint64_t sessions; /* the deleted ones that are kept included */
	uint64_t entries;
	uint64_t chunks;
	uint64_t log; /* entries that wait to be folded into chunks, or to be dropped */
	uint64_t solves;
	uint64_t findings;
};

/* What is wrong: a part of a sentence, about that session or, where it is NULL, about the whole. */
typedef void database_finding(void *context, const struct session_id *session, const char *what);

/* All members but `finding` may be NULL. */
struct database_visitor {
	void *context;
	/* Sessions in the order in which they were made; each with its entries in order, up to
	 * the first that is damaged, and its end. False ends the walk. Deleted sessions that are
	 * being forgotten, so that their first entries are gone, are checked and not shown. */
	bool (*session)(void *context, const struct database_session *session);
	bool (*entry)(void *context, int size, const struct entry *entry);
	bool (*end)(void *context);
	/* After all sessions: the receipts, oldest first. */
	bool (*receipt)(void *context, const struct receipt *receipt);
	/* Then the solves as they were recorded, the frames of imported files, and the answers of
	 * solvers. */
	bool (*solve)(void *context, const struct stored_solve *solve);
	bool (*frame)(void *context, const struct session_id *book, const char *frame);
	bool (*answer)(void *context, const struct stored_answer *answer);
	database_finding *finding;
};

enum database_use {
	DATABASE_LIVE,  /* a server may be writing it */
	DATABASE_STILL, /* nobody else knows the file: nothing is made beside it */
};

/* Opens a database of this program and this schema. NULL with a sentence in `problem`. */
MUST_USE struct database *database_open(const char *path, enum database_use use,
					struct error *error);
/* False where the database was written to while it was read and could not be locked (its file
 * system cannot be written): what was read may be wrong. */
MUST_USE bool database_close(struct database *database);

/* The file's own structure: SQLite's check, and that the tables are those of the schema. */
MUST_USE enum store_status database_examine(struct database *database,
					    const struct database_visitor *visitor,
					    struct database_counts *counts);

/* Reads all sessions, replays every history against its snapshots, and says what is wrong. Memory
 * does not grow with the number of sessions. STORE_OK also where there were findings; else the walk
 * ended early, a finding said why, or the visitor ended it (STORE_STOPPED). */
MUST_USE enum store_status database_walk(struct database *database,
					 const struct database_visitor *visitor,
					 struct database_counts *counts);

/* Copies the moment that is read into an empty file. Not synced. */
MUST_USE bool database_copy(struct database *database, const char *path, struct error *error);

/* ---- filling an empty database ---- */

struct database_loader;

/* Opens or makes the database, locks it, and begins a transaction. NULL with a sentence in
 * `problem`: held by a server, or not empty. `problem` is used by the calls that follow, too. */
MUST_USE struct database_loader *database_load(const char *path, struct error *error);
/* A session, its entries one after another, and its end. False with a sentence where they break a
 * rule or cannot be stored; then all is over. */
MUST_USE bool database_load_session(struct database_loader *loader,
				    const struct database_session *session);
MUST_USE bool database_load_entry(struct database_loader *loader, const struct entry *entry);
MUST_USE bool database_load_end(struct database_loader *loader);
/* Between sessions. */
MUST_USE bool database_load_receipt(struct database_loader *loader, const struct receipt *receipt);
/* Once the session is there whose book it is in. */
MUST_USE bool database_load_solve(struct database_loader *loader, const struct stored_solve *solve);
MUST_USE bool database_load_frame(struct database_loader *loader, const struct session_id *book,
				  const char *frame);
MUST_USE bool database_load_answer(struct database_loader *loader,
				   const struct stored_answer *answer);
/* Checks all of it and commits. False: nothing is stored. */
MUST_USE bool database_load_commit(struct database_loader *loader, struct database_counts *counts);
/* Forgets what was not committed. NULL is fine. */
void database_load_close(struct database_loader *loader);

#endif
