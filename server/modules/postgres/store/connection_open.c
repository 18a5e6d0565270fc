/* connection_open.c: connects, and checks that the server keeps what it acknowledges. */
#include "server/modules/postgres/store/postgres_internal.h"

#include <stdio.h>
#include <string.h>

/* For each session of the server. What is answered is on the disk of the server, and of its standby
 * if it has a synchronous one, whatever the server's own settings say. Nested loops over index scans
 * visit rows in the order of arrays, which is the order in which rows are locked. The timeouts end
 * what a process that stopped has left. */
#define SETTINGS                                                                                   \
	"SET search_path = cubed; SET client_min_messages = warning;"                              \
	" SELECT set_config('synchronous_commit', 'on', false)"                                    \
	" WHERE current_setting('synchronous_commit') <> 'remote_apply';"                          \
	" SET statement_timeout = '10s'; SET lock_timeout = '5s';"                                 \
	" SET idle_in_transaction_session_timeout = '10s'; SET timezone = 'UTC';"                  \
	" SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off;"        \
	" SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off"

static void note_warning(void *context, const PGresult *notice)
{
	struct connection *c = context;
	const char *state = pq.PQresultErrorField(notice, PG_DIAG_SQLSTATE);
	const char *severity = pq.PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
	if (state != NULL && severity != NULL && strncmp(state, "01", 2) == 0 &&
	    strcmp(severity, "WARNING") == 0)
		c->warned = true;
}

/* A result is the names of synchronous standbys. */
static enum failure check_standbys(struct connection *c, const PGresult *result)
{
	const char *names = pq.PQntuples(result) == 1 ? result_text(result, 0, 0) : NULL;
	if (names != NULL && names[0] != '\0')
		return FAILURE_NONE;
	return pg_lose(c, "the database server has no synchronous standby: its setting "
			  "synchronous_standby_names is empty");
}

static enum failure check_replication(struct connection *c)
{
	PGresult *result;
	enum failure failure =
		pg_run_sql(c, "SELECT current_setting('synchronous_standby_names', true)", NULL,
			   pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	if (failure == FAILURE_NONE)
		failure = check_standbys(c, result);
	pq.PQclear(result);
	return failure;
}

/* One attempt to connect to a server with these target_session_attrs. */
static enum store_status open_to(struct connection *c, const char *conninfo, const char *attributes,
				 const char *seconds)
{
	/* The settings before `dbname` may be set otherwise there, those after it may not. */
	static const char *const names[] = {
		"connect_timeout",
		"keepalives_idle",
		"keepalives_interval",
		"keepalives_count",
		"tcp_user_timeout",
		"fallback_application_name",
		"dbname",
		"client_encoding",
		"target_session_attrs",
		NULL,
	};
	const char *const values[] = {
		seconds, "2", "1", "3", "5000", "cubed", conninfo, "UTF8", attributes, NULL,
	};
	*c = (struct connection){.pg = pq.PQconnectdbParams(names, values, 1)};
	if (c->pg == NULL)
		return STORE_NO_MEMORY;
	if (pq.PQstatus(c->pg) != CONNECTION_OK || pq.PQsetnonblocking(c->pg, 1) != 0)
		return failure_status(pg_lose(c, NULL));
	pq.PQsetNoticeReceiver(c->pg, note_warning, c);
	return STORE_OK;
}

/* Closes the connection unless the server keeps what it acknowledges: it may be another one than
 * when the store was opened, or have been started with other settings. */
static enum failure check_durability(struct connection *c)
{
	PGresult *result;
	enum failure failure =
		pg_run_sql(c,
			   "SELECT name FROM (VALUES ('fsync'), ('full_page_writes')) AS s (name)"
			   " WHERE current_setting(name, true) = 'off'",
			   NULL, pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	if (failure == FAILURE_NONE && pq.PQntuples(result) > 0) {
		char cause[ERROR_BYTES];
		const char *name = pq.PQgetvalue(result, 0, 0);
		snprintf(cause, sizeof(cause),
			 "the database server may lose what it has committed: its setting %s is "
			 "off; set %s = on in postgresql.conf and reload it",
			 name, name);
		failure = pg_lose(c, cause);
	}
	pq.PQclear(result);
	return failure;
}

/* Other databases speak the protocol of PostgreSQL too, and lack what the store relies on: the order in
 * which a plan takes its rows, LISTEN, pages. */
static enum failure check_kind(struct connection *c)
{
	PGresult *result;
	enum failure failure = pg_run_sql(c, "SELECT version()", NULL,
					  pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	if (failure == FAILURE_NONE &&
	    (pq.PQntuples(result) != 1 ||
	     strncmp(pq.PQgetvalue(result, 0, 0), "PostgreSQL ", 11) != 0)) {
		char cause[ERROR_BYTES];
		snprintf(cause, sizeof(cause),
			 "the database server is %.60s; PostgreSQL 15 or newer is needed, "
			 "not a database that only speaks its protocol",
			 pq.PQntuples(result) == 1 ? pq.PQgetvalue(result, 0, 0) : "unknown");
		failure = pg_lose(c, cause);
	}
	pq.PQclear(result);
	return failure;
}

enum store_status pg_open(struct connection *c, const char *conninfo, enum connection_use use,
			  const char *seconds)
{
	enum store_status status = open_to(c, conninfo, "read-write", seconds);
	if (status == STORE_AWAY && use == CONNECTION_READS)
		status = open_to(c, conninfo, "any", seconds);
	if (status != STORE_OK)
		return status;
	c->use = use;
	enum failure failure = check_kind(c);
	if (failure == FAILURE_NONE)
		failure = pg_do_sql(c, SETTINGS);
	if (failure == FAILURE_NONE && use == CONNECTION_READS)
		failure = pg_do_sql(c, "SET default_transaction_read_only = on");
	else if (failure == FAILURE_NONE)
		failure = check_durability(c);
	if (failure == FAILURE_NONE && use == CONNECTION_REPLICATES)
		failure = check_replication(c);
	if (failure != FAILURE_NONE)
		pg_close(c); /* one that is open has its settings, and is checked further */
	return failure_status(failure);
}

enum failure pg_barrier(struct postgres_store *store, struct connection *c, int32_t lane,
			uint64_t until_ns)
{
	struct parameters p = {0};
	PGresult *result;
	if (lane == 0)
		parameters_uint8(&p, store->process);
	else
		parameters_int4(&p, lane);
	enum failure failure =
		pg_run(c, lane == 0 ? STATEMENT_ALIVE : STATEMENT_BARRIER, &p, until_ns, &result);
	if (failure == FAILURE_NONE && result_int4(result, 0, 1) > SCHEMA_VERSION) {
		store_outgrown(store, result_int4(result, 0, 1));
		failure = pg_lose(c, "the database was upgraded: this program is too old for it");
	}
	if (failure == FAILURE_NONE && c->use == CONNECTION_REPLICATES)
		failure = check_standbys(c, result);
	pq.PQclear(result);
	parameters_free(&p);
	return failure;
}
