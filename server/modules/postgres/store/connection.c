/* connection.c: runs statements with a deadline, and tells errors apart. */
#include "server/modules/postgres/store/connection.h"

#include "server/util/monotonic.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#define COPY_PART_BYTES 65536 /* handed to libpq at a time */

uint64_t pg_deadline_ns(int64_t ms)
{
	return monotonic_ns() + (uint64_t)ms * 1000000u;
}

/* ---- errors ---- */

static void copy_line(char *to, size_t capacity, const char *text)
{
	size_t length = 0;
	for (; text[length] != '\0' && length + 1 < capacity; length++)
		to[length] = (unsigned char)text[length] < ' ' ? ' ' : text[length];
	while (length > 0 && to[length - 1] == ' ')
		length--;
	to[length] = '\0';
}

enum failure pg_failure(const char *sqlstate)
{
	static const struct {
		const char *begin;
		enum failure failure;
	} classes[] = {
		{"23505", FAILURE_DUPLICATE}, {"23502", FAILURE_NO_LANE},
		{"22", FAILURE_VALUE},    /* data exception */
		{"54", FAILURE_VALUE},    /* too long, too many */
		{"40003", FAILURE_LOST},  /* completion unknown */
		{"40", FAILURE_AGAIN},    /* serialization, deadlock */
		{"55P03", FAILURE_AGAIN}, /* lock_timeout */
		{"57014", FAILURE_AGAIN}, /* statement_timeout */
		{"57P", FAILURE_LOST},    /* the server stops, or ended the session */
		{"08", FAILURE_LOST},     /* connection */
		{"25006", FAILURE_LOST},  /* this server is not the primary any more */
		{"25P", FAILURE_LOST},    /* idle in a transaction for too long */
		{"53100", FAILURE_FULL},  /* disk full */
		{"53200", FAILURE_NO_MEMORY}, {"53", FAILURE_LOST}, /* too many connections */
		{"58030", FAILURE_LOST}, /* an I/O error: another server may take over */
		{"XX", FAILURE_OTHER},
	};
	if (sqlstate[0] == '\0')
		return FAILURE_LOST;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strncmp(sqlstate, classes[i].begin, strlen(classes[i].begin)) == 0)
			return classes[i].failure;
	return FAILURE_OTHER;
}

enum store_status failure_status(enum failure failure)
{
	switch (failure) {
	case FAILURE_NONE:
		return STORE_OK;
	case FAILURE_LOST:
	case FAILURE_AGAIN:
	case FAILURE_NO_LANE:
		return STORE_AWAY;
	case FAILURE_DUPLICATE:
		return STORE_CONFLICT;
	case FAILURE_FULL:
		return STORE_FULL;
	case FAILURE_NO_MEMORY:
		return STORE_NO_MEMORY;
	case FAILURE_VALUE:
	case FAILURE_OTHER:
		break;
	}
	return STORE_BROKEN;
}

enum failure pg_lose(struct connection *c, const char *cause)
{
	if (cause != NULL)
		copy_line(c->message, sizeof(c->message), cause);
	else if (c->pg != NULL)
		copy_line(c->message, sizeof(c->message), pq.PQerrorMessage(c->pg));
	pg_close(c);
	return FAILURE_LOST;
}

/* Notes the error of a result, and clears the result. */
static enum failure result_failure(struct connection *c, PGresult *result)
{
	const char *state = pq.PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *text = pq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = pq.PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	snprintf(c->sqlstate, sizeof(c->sqlstate), "%s", state == NULL ? "" : state);
	if (detail != NULL && pg_failure(c->sqlstate) == FAILURE_DUPLICATE)
		text = detail; /* the key; the message names the index only */
	copy_line(c->message, sizeof(c->message), text != NULL ? text : pq.PQerrorMessage(c->pg));
	pq.PQclear(result);
	const enum failure failure = pg_failure(c->sqlstate);
	if (failure == FAILURE_LOST || pq.PQstatus(c->pg) == CONNECTION_BAD) {
		pg_close(c);
		return FAILURE_LOST;
	}
	return failure;
}

void pg_close(struct connection *c)
{
	if (c->pg != NULL)
		pq.PQfinish(c->pg);
	c->pg = NULL;
}

/* ---- waiting ---- */

/* Waits until the socket is ready; false if the deadline passes. */
static bool wait_socket(struct connection *c, short events, uint64_t until_ns)
{
	for (;;) {
		const uint64_t now = monotonic_ns();
		if (now >= until_ns)
			return false;
		const uint64_t ms = (until_ns - now) / 1000000u + 1;
		struct pollfd fd = {.fd = pq.PQsocket(c->pg), .events = events};
		if (fd.fd < 0)
			return false; /* libpq has closed it */
		if (poll(&fd, 1, ms > 60000 ? 60000 : (int)ms) > 0)
			return true;
	}
}

bool pg_wait_input(struct connection *c, uint64_t until_ns)
{
	const int unsent = pq.PQflush(c->pg);
	if (unsent < 0) {
		/* Messages that the server sent before it closed may still be read. */
		if (pq.PQconsumeInput(c->pg) && !pq.PQisBusy(c->pg))
			return true;
		pg_lose(c, NULL);
		return false;
	}
	if (!wait_socket(c, unsent > 0 ? POLLIN | POLLOUT : POLLIN, until_ns)) {
		pg_lose(c, "the server did not answer in time");
		return false;
	}
	if (pq.PQconsumeInput(c->pg))
		return true;
	pg_lose(c, NULL);
	return false;
}

/* The next result or NULL, once it is there. */
static enum failure await_result(struct connection *c, uint64_t until_ns, PGresult **result)
{
	*result = NULL;
	while (pq.PQisBusy(c->pg))
		if (!pg_wait_input(c, until_ns))
			return FAILURE_LOST;
	*result = pq.PQgetResult(c->pg);
	return FAILURE_NONE;
}

/* Reads all results of what was sent, keeps the last. The first error counts. */
static enum failure finish_run(struct connection *c, uint64_t until_ns, PGresult **result)
{
	enum failure failure = FAILURE_NONE;
	for (bool any = false;; any = true) {
		PGresult *next;
		const enum failure waited = await_result(c, until_ns, &next);
		if (waited == FAILURE_NONE && next == NULL && any)
			break;
		if (waited == FAILURE_NONE && next == NULL)
			return pg_lose(c, "the server sent no result");
		pq.PQclear(*result);
		*result = NULL;
		if (waited != FAILURE_NONE)
			return waited;
		const ExecStatusType status = pq.PQresultStatus(next);
		if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
			*result = next;
			continue;
		}
		if (status == PGRES_COPY_IN) { /* the server waits for rows, see pg_copy() */
			*result = next;
			return FAILURE_NONE;
		}
		const enum failure failed = result_failure(c, next);
		if (failed == FAILURE_LOST)
			return failed;
		if (failure == FAILURE_NONE)
			failure = failed;
	}
	if (failure == FAILURE_NONE && c->warned)
		failure = pg_lose(c, "the server warned that a commit may not be replicated");
	if (failure == FAILURE_NONE)
		return FAILURE_NONE;
	pq.PQclear(*result);
	*result = NULL;
	return failure;
}

/* ---- running ---- */

static enum failure prepare(struct connection *c, enum statement statement, uint64_t until_ns)
{
	PGresult *result = NULL;
	if (!pq.PQsendPrepare(c->pg, statement_names[statement], statement_sql[statement], 0, NULL))
		return pg_lose(c, NULL);
	const enum failure failure = finish_run(c, until_ns, &result);
	pq.PQclear(result);
	c->prepared[statement] = failure == FAILURE_NONE;
	return failure;
}

static enum failure send_prepared(struct connection *c, enum statement statement,
				  struct parameters *p)
{
	const char *const name = statement_names[statement];
	if (p != NULL && !parameters_finish(p))
		return FAILURE_NO_MEMORY;
	const int sent = p == NULL ? pq.PQsendQueryPrepared(c->pg, name, 0, NULL, NULL, NULL, 1)
				   : pq.PQsendQueryPrepared(c->pg, name, (int)p->count, p->values,
							    p->lengths, p->formats, 1);
	return sent ? FAILURE_NONE : pg_lose(c, NULL);
}

enum failure pg_run(struct connection *c, enum statement statement, struct parameters *parameters,
		    uint64_t until_ns, PGresult **result)
{
	*result = NULL;
	if (c->pg == NULL)
		return FAILURE_LOST;
	c->warned = false;
	enum failure failure = FAILURE_NONE;
	if (!c->prepared[statement])
		failure = prepare(c, statement, until_ns);
	if (failure == FAILURE_NONE)
		failure = send_prepared(c, statement, parameters);
	return failure == FAILURE_NONE ? finish_run(c, until_ns, result) : failure;
}

enum failure pg_run_sql(struct connection *c, const char *sql, struct parameters *p,
			uint64_t until_ns, PGresult **result)
{
	*result = NULL;
	if (c->pg == NULL)
		return FAILURE_LOST;
	c->warned = false;
	if (p != NULL && !parameters_finish(p))
		return FAILURE_NO_MEMORY;
	const int sent = p == NULL ? pq.PQsendQuery(c->pg, sql)
				   : pq.PQsendQueryParams(c->pg, sql, (int)p->count, NULL,
							  p->values, p->lengths, p->formats, 1);
	return sent ? finish_run(c, until_ns, result) : pg_lose(c, NULL);
}

enum failure pg_do_sql(struct connection *c, const char *sql)
{
	PGresult *result;
	const enum failure failure =
		pg_run_sql(c, sql, NULL, pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	pq.PQclear(result);
	return failure;
}

/* ---- rows in bulk ---- */

/* Waits until all that is queued is sent. Not by pg_wait_input(): that flushes again, and if nothing is left then,
 * it waits for an answer, while the server waits for more rows. */
static enum failure send_queued(struct connection *c, uint64_t until_ns)
{
	for (int unsent; (unsent = pq.PQflush(c->pg)) != 0;) {
		if (unsent < 0)
			return pg_lose(c, NULL);
		if (!wait_socket(c, POLLIN | POLLOUT, until_ns))
			return pg_lose(c, "the server did not answer in time");
		if (!pq.PQconsumeInput(c->pg))
			return pg_lose(c, NULL);
	}
	return FAILURE_NONE;
}

static enum failure send_rows(struct connection *c, const char *bytes, size_t length,
			      uint64_t until_ns)
{
	enum failure failure = FAILURE_NONE;
	for (size_t part; length > 0 && failure == FAILURE_NONE; bytes += part, length -= part) {
		part = length < COPY_PART_BYTES ? length : COPY_PART_BYTES;
		failure = pq.PQputCopyData(c->pg, bytes, (int)part) == 1 ? send_queued(c, until_ns)
									 : pg_lose(c, NULL);
	}
	if (failure == FAILURE_NONE && pq.PQputCopyEnd(c->pg, NULL) != 1)
		failure = pg_lose(c, NULL);
	return failure;
}

enum failure pg_copy(struct connection *c, const char *sql, const char *bytes, size_t length,
		     uint64_t until_ns)
{
	PGresult *result;
	enum failure failure = pg_run_sql(c, sql, NULL, until_ns, &result);
	pq.PQclear(result);
	if (failure == FAILURE_NONE)
		failure = send_rows(c, bytes, length, until_ns);
	if (failure != FAILURE_NONE)
		return failure;
	result = NULL;
	failure = finish_run(c, until_ns, &result);
	pq.PQclear(result);
	return failure;
}

/* ---- pipelines ---- */

enum failure pg_begin_pipeline(struct connection *c)
{
	if (c->pg == NULL)
		return FAILURE_LOST;
	c->warned = false;
	return pq.PQenterPipelineMode(c->pg) ? FAILURE_NONE : pg_lose(c, NULL);
}

enum failure pg_send(struct connection *c, enum statement statement, struct parameters *parameters,
		     bool *prepares)
{
	*prepares = false;
	if (c->pg == NULL)
		return FAILURE_LOST;
	if (!parameters_finish(parameters))
		return FAILURE_NO_MEMORY;
	if (!c->prepared[statement]) {
		if (!pq.PQsendPrepare(c->pg, statement_names[statement], statement_sql[statement],
				      0, NULL))
			return pg_lose(c, NULL);
		*prepares = true;
	}
	return send_prepared(c, statement, parameters);
}

enum failure pg_sync(struct connection *c)
{
	if (c->pg == NULL)
		return FAILURE_LOST;
	return pq.PQpipelineSync(c->pg) ? FAILURE_NONE : pg_lose(c, NULL);
}

enum failure pg_next(struct connection *c, uint64_t until_ns, PGresult **result, bool *end)
{
	*end = false;
	*result = NULL;
	if (c->pg == NULL)
		return FAILURE_LOST;
	PGresult *next = NULL;
	/* A NULL stands between the results of two statements. */
	for (int i = 0; i < 2 && next == NULL; i++) {
		const enum failure failure = await_result(c, until_ns, &next);
		if (failure != FAILURE_NONE)
			return failure;
	}
	if (next == NULL)
		return pg_lose(c, "the server sent fewer results than statements");
	switch (pq.PQresultStatus(next)) {
	case PGRES_PIPELINE_SYNC:
		*end = true;
		pq.PQclear(next);
		if (c->warned)
			return pg_lose(c, "the server warned that a commit may not be replicated");
		return FAILURE_NONE;
	case PGRES_PIPELINE_ABORTED:
		pq.PQclear(next);
		return FAILURE_NONE;
	case PGRES_TUPLES_OK:
	case PGRES_COMMAND_OK:
		*result = next;
		return FAILURE_NONE;
	default:
		return result_failure(c, next);
	}
}

enum failure pg_end_pipeline(struct connection *c)
{
	if (c->pg == NULL)
		return FAILURE_LOST;
	return pq.PQexitPipelineMode(c->pg) ? FAILURE_NONE : pg_lose(c, NULL);
}
