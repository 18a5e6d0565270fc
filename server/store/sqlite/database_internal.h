/* database_internal.h: a whole database outside the server: what database.c, examine.c, scan*.c,
 * row.c and load.c share. */
#ifndef SERVER_STORE_SQLITE_DATABASE_INTERNAL_H
#define SERVER_STORE_SQLITE_DATABASE_INTERNAL_H

#include "server/store/database_kind.h"
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/error.h"

struct sqlite_database {
	struct database base;
	struct sqlite_connection connection;
	char *path;
	bool unlocked;    /* read without locks */
	int lock_fd;      /* of its lock file, so that no server opens it; -1: not locked */
	struct stat file; /* when it was opened */
};

/* load.c: database_load() of a path. */
struct database_loader *load_begin(const char *path, struct error *error);

/* examine.c: what can be checked of any schema: SQLite's own structures. */
MUST_USE enum store_status examine_file(struct sqlite_connection *connection,
					const struct database_visitor *visitor,
					struct database_counts *counts);
/* examine.c, scan.c: database_examine() and database_scan() on an open connection. */
MUST_USE enum store_status examine_connection(struct sqlite_connection *connection,
					      const struct database_visitor *visitor,
					      struct database_counts *counts);
MUST_USE enum store_status scan_connection(struct sqlite_connection *connection,
					   const struct database_visitor *visitor,
					   struct database_counts *counts);
/* scan_solves.c: the solves, frames and answers. `*result` is SQLite's. */
MUST_USE enum store_status solves_scan(struct sqlite_connection *connection,
				       const struct database_visitor *visitor,
				       struct database_counts *counts, int *result);

/* scan_solves.c: rows for load.c: SQLite's result. *there: false if there is no such session, or
 * the id of the solve exists already. */
MUST_USE int load_solve(struct sqlite_connection *writer, const struct stored_solve *solve,
			bool *there);
MUST_USE int load_frame(struct sqlite_connection *writer, const struct session_id *book,
			const char *frame, bool *there);
MUST_USE int load_answer(struct sqlite_connection *writer, const struct stored_answer *answer);

/* scan_log.c: the log, by session. */
struct logged {
	bool made; /* the memtable */
	struct memtable memtable;
	uint64_t *keys; /* of the sessions, newest first */
	size_t left;    /* keys that are not passed yet */
};
/* Reads the log into *logged, which is all zero; a row that cannot be read is a finding. `*result`
 * is SQLite's. logged_finish() must follow, also after a failure. */
MUST_USE enum store_status logged_read(struct logged *logged, struct sqlite_connection *connection,
				       const struct database_visitor *visitor,
				       struct database_counts *counts, int *result);
/* Returns and passes the next session if it is before that one; else INT64_MAX. */
int64_t logged_next(struct logged *logged, int64_t before);
/* Passes that session if it is the next. */
void logged_pass(struct logged *logged, int64_t key);
void logged_finish(struct logged *logged);

/* access.c: the receipts. `*result` is SQLite's. STORE_STOPPED if the visitor ended it. */
MUST_USE enum store_status receipts_scan(struct sqlite_connection *connection,
					 const struct database_visitor *visitor,
					 struct database_counts *counts, int *result);

#endif
