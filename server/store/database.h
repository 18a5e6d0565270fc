/* database.h: a whole database, read or filled outside the service: for verify, export, import,
 * migrate and backup. Blocking; one thread.
 *
 * A location is that of a store that lasts: "sqlite:PATH", "postgresql:CONNINFO", or the path of an
 * SQLite file alone.
 *
 * Reading sees one state of the database, also while a server is running. It writes nothing to the
 * database and never checkpoints. */
#ifndef SERVER_STORE_DATABASE_H
#define SERVER_STORE_DATABASE_H

#include "server/store/store.h"
#include "server/util/error.h"

struct database;

/* A session; valid during the call. */
struct database_session {
	struct session_meta meta;
	int64_t deleted_ms;      /* if meta.deleted */
	const struct cube *base; /* the cube of revision 0; NULL: solved */
	const struct cube_turn *scramble;
	size_t scramble_count;
	const struct stored_token *tokens; /* by number, from 1 on */
	size_t token_count;
	const struct stored_pattern *patterns; /* in order of token and name */
	size_t pattern_count;
};

struct database_counts {
	uint64_t sessions; /* including deleted ones that are still kept */
	uint64_t entries;
	uint64_t chunks;
	uint64_t log; /* entries in the log, to be compacted or dropped */
	uint64_t solves;
	uint64_t findings;
};

/* One thing that is wrong, as a clause; about the session, or about the whole database if it is
 * NULL. */
typedef void database_finding(void *context, const struct session_id *session, const char *what);

/* All members but `finding` may be NULL. */
struct database_visitor {
	void *context;
	/* Sessions in the order of creation; each with its entries in order, up to the first
	 * damaged one, and its end. False ends the walk. Deleted sessions whose first entries are
	 * purged already are checked but not visited. */
	bool (*session)(void *context, const struct database_session *session);
	bool (*entry)(void *context, int size, const struct entry *entry);
	bool (*end)(void *context);
	/* After all sessions: the receipts, oldest first. */
	bool (*receipt)(void *context, const struct receipt *receipt);
	/* Then the solves in the order of recording, the frames of imported files, and the answers
	 * of solvers. */
	bool (*solve)(void *context, const struct stored_solve *solve);
	bool (*frame)(void *context, const struct session_id *book, const char *frame);
	bool (*answer)(void *context, const struct stored_answer *answer);
	database_finding *finding;
};

enum database_use {
	DATABASE_LIVE,   /* a server may be writing it */
	DATABASE_COPIED, /* the same, to copy it, also if its schema is older */
	DATABASE_STILL,  /* no other process uses the file, which is such a copy: no -shm or -wal
			  * is created */
	DATABASE_ALONE,  /* no server may have it open: otherwise it is refused */
};

/* Returns true if it is the location of a database, not that of a store in memory. */
bool database_location(const char *location);
/* Returns the name for messages: the path, or the location if it has no password in it. Points into
 * `location`, or to a constant. */
const char *database_name(const char *location);
/* Returns what to use instead of database_copy(), as a sentence; NULL if it can be used. */
const char *database_copy_refusal(const char *location);

/* Opens a database of this program and this schema version. NULL with a sentence in `error`. */
MUST_USE struct database *database_open(const char *location, enum database_use use,
					struct error *error);
/* Returns true if its schema is older: then it must not be scanned, and only the file can be examined. */
bool database_is_older(const struct database *database);
/* Always frees. False if the database changed while it was read without locks (its file system is
 * read-only): what was read may be wrong. */
MUST_USE bool database_close(struct database *database);

/* Checks what scanning does not: SQLite's integrity check, that the tables are those of the schema,
 * rows of sessions that do not exist. Findings go to the visitor. */
MUST_USE enum store_status database_examine(struct database *database,
					    const struct database_visitor *visitor,
					    struct database_counts *counts);

/* Reads all sessions and replays every history against its snapshots. Findings go to the visitor.
 * Memory does not grow with the number of sessions. STORE_OK also if there were findings;
 * STORE_STOPPED if the visitor ended the walk; any other status: it ended early, and a finding says
 * why. */
MUST_USE enum store_status database_scan(struct database *database,
					 const struct database_visitor *visitor,
					 struct database_counts *counts);

/* Copies the state that is read into an empty file. Not synced. Only if
 * database_copy_refusal() is NULL. */
MUST_USE bool database_copy(struct database *database, const char *path, struct error *error);

/* ---- filling an empty database ---- */

struct database_loader;

/* Opens or creates the database, locks it, and begins a transaction. NULL with a sentence in
 * `error` if a server has it open, or it is not empty. `error` must outlive the loader: the calls
 * that follow use it too. */
MUST_USE struct database_loader *database_load(const char *location, struct error *error);
/* A session, its entries in order, and its end. False with a sentence if they break a rule or
 * cannot be stored; then only database_load_close() may follow. */
MUST_USE bool database_load_session(struct database_loader *loader,
				    const struct database_session *session);
MUST_USE bool database_load_entry(struct database_loader *loader, const struct entry *entry);
MUST_USE bool database_load_end(struct database_loader *loader);
/* Between sessions. */
MUST_USE bool database_load_receipt(struct database_loader *loader, const struct receipt *receipt);
/* After the session whose book it is in. */
MUST_USE bool database_load_solve(struct database_loader *loader, const struct stored_solve *solve);
MUST_USE bool database_load_frame(struct database_loader *loader, const struct session_id *book,
				  const char *frame);
MUST_USE bool database_load_answer(struct database_loader *loader,
				   const struct stored_answer *answer);
/* Checks all of it and commits. False: nothing is stored. */
MUST_USE bool database_load_commit(struct database_loader *loader, struct database_counts *counts);
/* Rolls back what was not committed. NULL is fine. */
void database_load_close(struct database_loader *loader);

#endif
