/* pooler.c: refuses a pooler that gives each transaction another connection of the server.
 *
 * A connection of the store has settings, prepared statements and LISTEN, which belong to a session of
 * the server. Behind a pooler that pools transactions (pgbouncer: pool_mode = transaction) they are
 * set in one session and missing in the next. A pooler that pools sessions is as good as none. */
#include "server/modules/postgres/store/postgres_internal.h"

#define LOOKS 16 /* others may use the pool meanwhile */

/* The process of the server that runs the connection's statements at the moment. */
static enum failure ask_process(struct connection *c, int32_t *process)
{
	struct parameters p = {0};
	PGresult *result;
	const enum failure failure = pg_run_sql(c, "SELECT pg_backend_pid()", &p,
						pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	*process = failure == FAILURE_NONE ? result_int4(result, 0, 0) : 0;
	pq.PQclear(result);
	parameters_free(&p);
	return failure;
}

/* Two connections that are open at the same time have different processes, and keep them. A pooler that
 * pools transactions gives the process that was used last to the client that asks next. */
static enum failure look_for_sharing(struct connection *one, struct connection *other,
				     int32_t process, bool *shared)
{
	enum failure failure = FAILURE_NONE;
	int32_t of_one = process, of_other = 0;
	*shared = false;
	for (int i = 0; i < LOOKS && failure == FAILURE_NONE && !*shared; i++) {
		failure = ask_process(other, &of_other);
		if (failure == FAILURE_NONE)
			failure = ask_process(one, &of_one);
		*shared = failure == FAILURE_NONE && (of_one == of_other || of_one != process);
	}
	return failure;
}

bool pooler_check(const char *conninfo, enum connection_use use, struct connection *c,
		  struct error *error)
{
	struct connection other = {0};
	int32_t process;
	bool shared = false;
	enum failure failure = ask_process(c, &process);
	/* A pooler makes up the number that it sends when a client connects. */
	if (failure == FAILURE_NONE && process == pq.PQbackendPID(c->pg))
		return true;
	if (failure == FAILURE_NONE &&
	    pg_open(&other, conninfo, use, CONNECTION_FIRST_S) != STORE_OK)
		return error_set(error, "cannot connect to the database twice: %s", other.message);
	if (failure == FAILURE_NONE)
		failure = look_for_sharing(c, &other, process, &shared);
	pg_close(&other);
	if (failure != FAILURE_NONE)
		return error_set(error, "cannot ask the database: %s", c->message);
	return !shared ||
	       error_set(error,
			 "a pooler between this program and the database pools transactions, "
			 "and prepared statements and settings get lost: set "
			 "pool_mode = session for this database in pgbouncer.ini, or name "
			 "the database itself instead of the pooler");
}
