/* connection.h: a connection to the database, for one thread.
 *
 * Each call has a deadline. If it passes, or the connection breaks, the connection is closed and the
 * answer is STORE_AWAY: whether the server did what it was asked is then not known. Nothing is
 * cancelled: that would leave it unknown too.
 *
 * A new connection is trusted only after a barrier, a durable write of its own: after a crash of the
 * primary, rows are visible that no standby has yet. A write that is answered later in the log proves
 * that they are replicated. For the same reason a WARNING of class 01 ("canceling wait for
 * synchronous replication") counts as a broken connection, although the server reports success. */
#ifndef SERVER_STORE_POSTGRES_CONNECTION_H
#define SERVER_STORE_POSTGRES_CONNECTION_H

#include "server/modules/postgres/store/libpq.h"
#include "server/modules/postgres/store/parameters.h"
#include "server/modules/postgres/store/statements.h"
#include "server/store/store.h"

#define CONNECTION_ANSWER_MS 6000 /* the usual deadline of a statement */
/* The deadline of an attempt to connect to a server, in libpq's form: for a program that starts and ends if it fails, also on a
 * busy machine; and for one that runs, and goes on with another server or tries again. */
#define CONNECTION_FIRST_S "10"
#define CONNECTION_NEXT_S "2"

enum connection_use {
	CONNECTION_READS,      /* a standby will do */
	CONNECTION_WRITES,     /* the primary, with settings by which it keeps what it commits */
	CONNECTION_REPLICATES, /* which has a synchronous standby as well; see pg_barrier() */
};

struct connection {
	PGconn *pg; /* NULL: closed */
	enum connection_use use;
	bool warned; /* by a WARNING of class 01, since this was last set to false */
	bool prepared[STATEMENT_COUNT];
	/* The last error: */
	char sqlstate[6]; /* "" if the server did not say */
	char message[ERROR_BYTES];
};

/* The meaning of an error for a write. */
enum failure {
	FAILURE_NONE,
	FAILURE_LOST,      /* the connection is closed; committed or not */
	FAILURE_AGAIN,     /* nothing was committed; the same may succeed now */
	FAILURE_NO_LANE,   /* nothing was committed: the lane is not registered any more */
	FAILURE_DUPLICATE, /* a key is there already: of a receipt, a session or a solve */
	FAILURE_VALUE,     /* PostgreSQL does not accept a value */
	FAILURE_FULL,
	FAILURE_NO_MEMORY, /* here or in the server */
	FAILURE_OTHER,
};

/* An absolute deadline on the monotonic clock. */
uint64_t pg_deadline_ns(int64_t ms);

/* Connects, sets what every connection needs and checks the settings of the server; no barrier yet.
 * STORE_AWAY with the cause in connection->message. `conninfo` is libpq's: "host=a,b dbname=cubed" or
 * "postgresql://...", where connect_timeout replaces `seconds`. CONNECTION_READS prefers the primary. */
MUST_USE enum store_status pg_open(struct connection *connection, const char *conninfo,
				   enum connection_use use, const char *seconds);
void pg_close(struct connection *connection);
/* Closes a connection that cannot be used any more: FAILURE_LOST. `cause`: NULL for libpq's. */
enum failure pg_lose(struct connection *connection, const char *cause);
static inline bool pg_is_open(const struct connection *connection)
{
	return connection->pg != NULL;
}

/* Runs one statement and waits for its result, which the caller clears with pq.PQclear(); NULL
 * unless FAILURE_NONE. Not in pipeline mode. `parameters` may be NULL. */
MUST_USE enum failure pg_run(struct connection *connection, enum statement statement,
			     struct parameters *parameters, uint64_t until_ns, PGresult **result);
/* The same with SQL text. Without parameters it may be several statements; then *result is that of
 * the last one. */
MUST_USE enum failure pg_run_sql(struct connection *connection, const char *sql,
				 struct parameters *parameters, uint64_t until_ns,
				 PGresult **result);
/* The same without a result. */
MUST_USE enum failure pg_do_sql(struct connection *connection, const char *sql);
/* Runs a statement "COPY table (columns) FROM STDIN (FORMAT binary)" with rows in that format, see
 * copy_rows.h. Not in pipeline mode. */
MUST_USE enum failure pg_copy(struct connection *connection, const char *sql, const char *bytes,
			      size_t length, uint64_t until_ns);

/* ---- pipelines: transactions of several statements, see transaction.c ---- */

MUST_USE enum failure pg_begin_pipeline(struct connection *connection);
/* Queues a statement. *prepares: a result of its preparation comes before its own. */
MUST_USE enum failure pg_send(struct connection *connection, enum statement statement,
			      struct parameters *parameters, bool *prepares);
/* Ends the transaction and sends what is queued. */
MUST_USE enum failure pg_sync(struct connection *connection);
/* The next result. *result is NULL if the statement failed, also because one before it did
 * (FAILURE_NONE then: the first error counts), and at the end of the pipeline (*end). */
MUST_USE enum failure pg_next(struct connection *connection, uint64_t until_ns, PGresult **result,
			      bool *end);
MUST_USE enum failure pg_end_pipeline(struct connection *connection);

/* Waits for input until then; false: the connection is broken (and closed). */
MUST_USE bool pg_wait_input(struct connection *connection, uint64_t until_ns);

/* The meaning of an SQLSTATE; "" is FAILURE_LOST. */
enum failure pg_failure(const char *sqlstate);
/* Returns a reader's answer to the error. */
enum store_status failure_status(enum failure failure);

#endif
