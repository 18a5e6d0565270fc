/* resolve.c: what became of a batch whose connection broke.
 *
 * The row (lane, batch) of `change` is part of each transaction. To learn whether it was committed,
 * the same row is inserted, empty. If that works, the transaction was not committed and never will
 * be: its own row would be a duplicate. The insertion waits for a transaction that is still ending.
 * If the row is there already, it was committed; a barrier (connection.h) proves that it is
 * replicated too.
 *
 * A lane that had no beat for a day is deleted by other processes, with all its rows. If this process
 * stood still for so long, the batch cannot be found out about any more. */
#include "server/modules/postgres/store/lane.h"

#include "server/util/log.h"
#include "server/util/monotonic.h"

#include <stdlib.h>
#include <time.h>

#define PAUSE_MS 100 /* between attempts to connect, with half of it added at random */

/* False if the deadline has passed, or the store closes. */
static bool pause_until(struct lane *lane, uint64_t until_ns)
{
	const uint64_t now = monotonic_ns();
	if (now >= until_ns || write_queue_is_stopping(&lane->queue))
		return false;
	const uint64_t ns = PAUSE_MS * UINT64_C(1000000) + now % (PAUSE_MS * UINT64_C(500000));
	const uint64_t left = until_ns - now;
	const struct timespec time = {.tv_nsec = (long)(ns < left ? ns : left)};
	nanosleep(&time, NULL);
	return true;
}

static void lane_parameters(const struct lane *lane, struct parameters *p, uint64_t batch)
{
	parameters_begin(p);
	parameters_int4(p, lane->number);
	parameters_uint8(p, batch);
}

static enum failure find_newest(struct lane *lane, uint64_t until_ns, uint64_t *newest)
{
	struct parameters p = {0};
	PGresult *result;
	parameters_int4(&p, lane->number);
	const enum failure failure =
		pg_run(&lane->connection, STATEMENT_NEWEST, &p, until_ns, &result);
	*newest = failure == FAILURE_NONE ? result_uint8(result, 0, 0) : 0;
	pq.PQclear(result);
	parameters_free(&p);
	return failure;
}

/* Before a batch is written: one that was answered must be there. If not, history went back: an
 * asynchronous standby took over, or a backup was restored. Or this server was replaced, and does
 * not know it yet; but then it does not get past the barrier. */
static enum failure check_history(struct lane *lane, uint64_t until_ns)
{
	uint64_t newest;
	enum failure failure = find_newest(lane, until_ns, &newest);
	if (failure == FAILURE_NONE && newest < lane->durable)
		failure = pg_barrier(lane->store, &lane->connection, lane->number, until_ns);
	if (failure == FAILURE_NONE && newest < lane->durable)
		failure = find_newest(lane, until_ns, &newest);
	if (failure != FAILURE_NONE || newest >= lane->durable)
		return failure;
	log_event(LOG_ERROR, "the database has lost committed writes",
		  LOG_NUMBER("lane", lane->number), LOG_NUMBER("answered", lane->durable),
		  LOG_NUMBER("found", newest));
	failure = pg_incarnation_renew(lane->store, &lane->connection);
	if (failure == FAILURE_NONE)
		lane->durable = newest;
	return failure;
}

/* One attempt. */
static enum failure open_checked(struct lane *lane)
{
	struct connection *c = &lane->connection;
	if (pg_is_open(c))
		return FAILURE_NONE;
	if (pg_connect(lane->store, c) != STORE_OK)
		return FAILURE_LOST;
	const enum failure failure = check_history(lane, pg_deadline_ns(CONNECTION_ANSWER_MS));
	if (failure == FAILURE_NONE)
		return FAILURE_NONE;
	pg_close(c);
	return FAILURE_LOST;
}

/* Inserts the row of a batch that is in doubt, empty. The barrier before it is a beat: from then on
 * nobody deletes the lane. */
static enum failure insert_tombstone(struct lane *lane, struct parameters *p, uint64_t until_ns,
				     bool *inserted)
{
	PGresult *result = NULL;
	enum failure failure = pg_barrier(lane->store, &lane->connection, lane->number, until_ns);
	if (failure == FAILURE_NONE)
		failure = pg_run(&lane->connection, STATEMENT_TOMBSTONE, p, until_ns, &result);
	*inserted = failure == FAILURE_NONE && pq.PQntuples(result) == 1;
	pq.PQclear(result);
	return failure;
}

/* It was not inserted: reads the row that is there. */
static enum failure read_batch(struct lane *lane, struct parameters *p,
			       struct transaction *transaction, uint64_t until_ns,
			       enum resolved *resolved)
{
	PGresult *result = NULL;
	enum failure failure = pg_barrier(lane->store, &lane->connection, lane->number, until_ns);
	if (failure == FAILURE_NONE)
		failure = pg_run(&lane->connection, STATEMENT_RESOLVED, p, until_ns, &result);
	if (failure == FAILURE_NONE && pq.PQntuples(result) != 1)
		*resolved = RESOLVED_FORGOTTEN;
	else if (failure == FAILURE_NONE && result_int4(result, 0, 1) > 0)
		*resolved = RESOLVED_COMMITTED;
	else
		*resolved = RESOLVED_NEVER; /* it is from an earlier attempt to resolve it */
	if (failure == FAILURE_NONE && *resolved == RESOLVED_COMMITTED && transaction != NULL)
		failure = transaction_committed(transaction, result, until_ns);
	pq.PQclear(result);
	return failure;
}

/* One attempt; RESOLVED_UNKNOWN: it may succeed later. */
static enum resolved try_to_resolve(struct lane *lane, struct transaction *transaction)
{
	const uint64_t batch = lane->batch + 1, until_ns = pg_deadline_ns(CONNECTION_ANSWER_MS);
	struct parameters p = {0};
	enum resolved resolved = RESOLVED_NEVER;
	bool inserted;
	lane_parameters(lane, &p, batch);
	enum failure failure = insert_tombstone(lane, &p, until_ns, &inserted);
	if (failure == FAILURE_NONE && !inserted)
		failure = read_batch(lane, &p, transaction, until_ns, &resolved);
	parameters_free(&p);
	if (failure != FAILURE_NONE) {
		pg_close(&lane->connection);
		return RESOLVED_UNKNOWN;
	}
	if (resolved == RESOLVED_NEVER)
		atomic_store(&lane->denied, batch);
	lane->unresolved = false;
	lane->durable = lane->batch = batch;
	lane->needs_number |= resolved == RESOLVED_FORGOTTEN;
	return resolved;
}

enum resolved lane_resolve(struct lane *lane, struct transaction *transaction, uint64_t until_ns)
{
	do {
		enum resolved resolved = RESOLVED_UNKNOWN;
		if (open_checked(lane) == FAILURE_NONE)
			resolved = try_to_resolve(lane, transaction);
		if (resolved != RESOLVED_UNKNOWN)
			return resolved;
	} while (pause_until(lane, until_ns));
	return RESOLVED_UNKNOWN;
}

/* Makes a connection ready for use; one attempt. Only for a write the lane takes a number: a
 * process that writes nothing leaves no lane. */
static enum failure make_ready(struct lane *lane, bool writes)
{
	if (lane->unresolved) {
		switch (try_to_resolve(lane, NULL)) {
		case RESOLVED_NEVER:
			return FAILURE_NONE;
		case RESOLVED_COMMITTED:
		case RESOLVED_FORGOTTEN:
			lane->needs_number = true;
			break;
		case RESOLVED_UNKNOWN:
			return FAILURE_LOST;
		}
	}
	lane->barrier_ns = monotonic_ns();
	enum failure failure = pg_barrier(lane->store, &lane->connection, lane->number,
					  pg_deadline_ns(CONNECTION_ANSWER_MS));
	if (failure != FAILURE_NONE || !lane->needs_number || !writes)
		return failure;
	failure = lane_register(lane);
	lane->needs_number = failure != FAILURE_NONE;
	return failure;
}

/* Returns true if it is time to ask if there is still a standby. */
static bool is_barrier_due(const struct lane *lane)
{
	return lane->store->options.require_replica &&
	       monotonic_ns() - lane->barrier_ns > CONFIRM_NS;
}

enum failure lane_connect(struct lane *lane, bool writes, uint64_t until_ns)
{
	if (pg_is_open(&lane->connection) && !lane->unresolved && !(lane->needs_number && writes) &&
	    !is_barrier_due(lane))
		return FAILURE_NONE;
	do {
		if (open_checked(lane) != FAILURE_NONE)
			continue;
		if (make_ready(lane, writes) == FAILURE_NONE) {
			atomic_store(&lane->store->readers_away_ns, 0); /* they need not wait */
			return FAILURE_NONE;
		}
		pg_close(&lane->connection);
	} while (pause_until(lane, until_ns));
	return FAILURE_LOST;
}
