/* database_internal.h: a whole database on PostgreSQL, outside the server: what walk*.c
 * and load*.c share. */
#ifndef SERVER_STORE_POSTGRES_DATABASE_INTERNAL_H
#define SERVER_STORE_POSTGRES_DATABASE_INTERNAL_H

#include "server/store/database_check.h"
#include "server/modules/postgres/store/reader.h"

/* Statements of a walk and of a load may take long. */
#define WALK_ANSWER_MS (INT64_C(60) * 60 * 1000)

/* A connection inside of a transaction, and parameters for one statement at a time. */
struct walk {
	struct connection connection;
	struct parameters parameters;
	const struct database_visitor *visitor;
	struct database_counts *counts;
};

/* Connects. False with a sentence. */
MUST_USE bool walk_open(struct walk *walk, const char *rest, enum connection_use use,
			struct error *error);
/* Runs a statement with walk->parameters; the caller clears the result. */
MUST_USE enum store_status walk_run(struct walk *walk, const char *sql, PGresult **result);
void walk_close(struct walk *walk);

/* walk.c, walk_rest.c: examine and scan what the transaction sees. */
MUST_USE enum store_status walk_examine(struct walk *walk);
MUST_USE enum store_status walk_scan(struct walk *walk);
/* walk_parts.c: rows of history or of snapshots, in the order of session and first. The statement
 * gives a page of (session, first, bytes) after $1 and $2. */
struct parts {
	const char *sql;
	PGresult *rows; /* with column 2, the bytes */
	int row;        /* the current one */
	uint64_t session;
	int32_t first;
};
void parts_begin(struct parts *parts, const char *sql);
void parts_finish(struct parts *parts);
/* Moves on to the next row; at the end parts->session is more than any key. */
MUST_USE enum store_status parts_next(struct walk *walk, struct parts *parts);
/* Moves on to the first row of that session, or of one after it. */
MUST_USE enum store_status parts_find(struct walk *walk, struct parts *parts, uint64_t session);

/* walk_rest.c: receipts, solves, frames, answers. */
MUST_USE enum store_status walk_rest(struct walk *walk);

/* A condition that is true if the row `s` of a session is of one that is being purged: its first
 * entries are gone. */
#define WALK_GOING                                                                                 \
	"(s.mode & 16 <> 0 AND s.folded > 0 AND NOT EXISTS"                                        \
	" (SELECT FROM history g WHERE g.session = s.key AND g.first = 1))"

/* load.c: database_load(). */
struct database_loader *pg_load_begin(const char *rest, struct error *error);

#endif
