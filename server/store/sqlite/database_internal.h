/* database_internal.h: the database as a whole: what is shared by database.c, examine.c, scan.c and load.c. */
#ifndef SERVER_STORE_SQLITE_DATABASE_INTERNAL_H
#define SERVER_STORE_SQLITE_DATABASE_INTERNAL_H

#include "server/store/database.h"
#include "server/store/sqlite/sqlite_internal.h"

#include <stdarg.h>
#include "server/util/error.h"

struct database {
	struct sqlite_connection connection;
	char *path;
	bool unlocked;    /* read without locks */
	struct stat file; /* as it was then */
};

/* Hands a finding to the visitor, and counts it. */
void database_report(const struct database_visitor *visitor, struct database_counts *counts,
		     const struct session_id *session, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void database_vreport(const struct database_visitor *visitor, struct database_counts *counts,
		      const struct session_id *session, const char *format, va_list arguments)
	__attribute__((format(printf, 4, 0)));

/* The same for a connection that is open already. */
MUST_USE enum store_status database_check(struct sqlite_connection *connection,
					  const struct database_visitor *visitor,
					  struct database_counts *counts);
MUST_USE enum store_status database_scan(struct sqlite_connection *connection,
					 const struct database_visitor *visitor,
					 struct database_counts *counts);
/* And behind them the solves, frames and answers. */
MUST_USE enum store_status solves_scan(struct sqlite_connection *connection,
				       const struct database_visitor *visitor,
				       struct database_counts *counts, int *result);

/* Rows of the same, written by who loads: SQLite's result. *there is false if there is no such
 * session, or the solve's id is there already. */
MUST_USE int load_solve(struct sqlite_connection *writer, const struct stored_solve *solve,
			bool *there);
MUST_USE int load_frame(struct sqlite_connection *writer, const struct session_id *book,
			const char *frame, bool *there);
MUST_USE int load_answer(struct sqlite_connection *writer, const struct stored_answer *answer);

/* What is in the log, by session. */
struct logged {
	bool made; /* the memtable */
	struct memtable memtable;
	uint64_t *keys; /* of the sessions, the newest first */
	size_t left;    /* of them, those that are not passed */
};
/* Reads all of it, where *logged is all zero; a row that cannot be read is a finding. `*result` is SQLite's.
 * Whatever comes of it, logged_finish frees it. */
MUST_USE enum store_status logged_read(struct logged *logged, struct sqlite_connection *connection,
				       const struct database_visitor *visitor,
				       struct database_counts *counts, int *result);
/* The next session, where it is before that one, and passes it; else INT64_MAX. */
int64_t logged_next(struct logged *logged, int64_t before);
/* Passes that one, where it is the next. */
void logged_pass(struct logged *logged, int64_t key);
void logged_finish(struct logged *logged);

/* A part of it, the receipts. `*result` is SQLite's. STORE_STOPPED where the visitor ended it. */
MUST_USE enum store_status receipts_scan(struct sqlite_connection *connection,
					 const struct database_visitor *visitor,
					 struct database_counts *counts, int *result);

#endif
