/* commit.c: commits a transaction, through lost connections, and answers its writes. */
#include "server/modules/postgres/store/lane.h"

#include "server/modules/postgres/store/hints.h"
#include "server/util/log.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

#include <time.h>

#define AGAIN_MS 5        /* before a transaction that lost a conflict is tried again */
#define SIZE_MS 30000     /* between questions how large the database is, */
#define SIZE_FULL_MS 1000 /* and while it is too large */

/* ---- generations and room ---- */

static void begin_generation(struct lane *lane)
{
	struct postgres_store *store = lane->store;
	lock_acquire(&store->lock);
	lane->generation = store->generation;
	lane->failure = store->failure;
	lock_release(&store->lock);
	lane->raise = STORE_OK;
}

/* Everything that is queued in an older generation fails with `status`. */
static uint64_t raise_generation(struct postgres_store *store, enum store_status status)
{
	lock_acquire(&store->lock);
	store->failure = status;
	const uint64_t generation = ++store->generation;
	lock_release(&store->lock);
	return generation;
}

static bool room_is_exceeded(const struct lane *lane)
{
	const uint64_t most = lane->store->options.bytes_max;
	return most > 0 && lane->stored_bytes + lane->added_bytes > most;
}

enum store_status lane_admit(struct lane *lane, const struct store_write *write)
{
	const bool frees = store_write_frees(write);
	if (write->generation != lane->generation && !(lane->failure == STORE_FULL && frees))
		return lane->failure;
	if (frees || !room_is_exceeded(lane))
		return STORE_OK;
	lane->raise = STORE_FULL;
	return STORE_FULL;
}

static bool is_full(const struct lane *lane)
{
	return lane->full || room_is_exceeded(lane);
}

void store_show_health(struct postgres_store *store)
{
	enum store_status health = STORE_OK;
	for (unsigned i = 0; i < store->lane_count; i++) {
		struct lane *lane = &store->lanes[i];
		if (atomic_load(&lane->away))
			health = STORE_AWAY;
		else if (atomic_load(&lane->shows_full) && health == STORE_OK)
			health = STORE_FULL;
	}
	atomic_store(&store->health, health);
}

static void show_full(struct lane *lane)
{
	const bool full = is_full(lane);
	if (atomic_exchange(&lane->shows_full, full) == full)
		return;
	log_event(full ? LOG_ERROR : LOG_INFO,
		  full ? "no room for the store" : "there is room for the store again");
	store_show_health(lane->store);
}

void lane_look_at_size(struct lane *lane)
{
	const int64_t now = monotonic_ms();
	const bool reports = lane == &lane->store->lanes[0];
	if ((lane->store->options.bytes_max == 0 && !reports) ||
	    now - lane->asked_ms < (is_full(lane) ? SIZE_FULL_MS : SIZE_MS))
		return;
	PGresult *result;
	lane->asked_ms = now;
	if (pg_run(&lane->connection, STATEMENT_SIZE, NULL, pg_deadline_ns(CONNECTION_ANSWER_MS),
		   &result) != FAILURE_NONE)
		return;
	lane->stored_bytes = result_uint8(result, 0, 0);
	lane->added_bytes = 0;
	if (reports)
		meter_set(METER_STORE_BYTES, lane->stored_bytes);
	pq.PQclear(result);
	show_full(lane);
}

/* ---- one transaction ---- */

static void pause_ms(long ms)
{
	const struct timespec time = {.tv_nsec = ms * 1000000};
	nanosleep(&time, NULL);
}

/* Tries until it is committed or has failed for good. After FAILURE_LOST, *unknown: it may be
 * committed. */
static enum failure run_until_answered(struct lane *lane, bool *unknown)
{
	struct transaction *t = &lane->transaction;
	const uint64_t until_ns = pg_deadline_ns(lane->store->wait_ms);
	bool registered = false;
	*unknown = false;
	for (;;) {
		enum failure failure = lane_connect(lane, true, until_ns);
		if (failure != FAILURE_NONE)
			return failure;
		t->batch = lane->batch + 1;
		failure = transaction_run(t, pg_deadline_ns(CONNECTION_ANSWER_MS));
		if (failure == FAILURE_NONE) {
			lane->durable = lane->batch = t->batch;
			return FAILURE_NONE;
		}
		if (failure == FAILURE_NO_LANE && registered)
			return FAILURE_OTHER; /* it is something else that is missing */
		if (failure == FAILURE_NO_LANE) {
			registered = lane->needs_number = true;
			continue;
		}
		if (failure == FAILURE_AGAIN && monotonic_ns() < until_ns) {
			pause_ms(AGAIN_MS);
			continue;
		}
		if (failure != FAILURE_LOST)
			return failure;
		log_event(LOG_WARNING, "connection to the database lost",
			  LOG_TEXT("cause", lane->connection.message));
		lane->unresolved = true;
		meter_add(METER_STORE_DOUBTS, 1);
		switch (lane_resolve(lane, t, until_ns)) {
		case RESOLVED_NEVER:
			break;
		case RESOLVED_COMMITTED:
			meter_add(METER_STORE_FOUND, 1);
			return FAILURE_NONE;
		case RESOLVED_FORGOTTEN:
		case RESOLVED_UNKNOWN:
			meter_add(METER_STORE_UNKNOWN, 1);
			*unknown = true;
			return FAILURE_LOST;
		}
	}
}

/* The transaction failed: what its writes are answered. */
static enum store_status status_of(struct lane *lane, enum failure failure, bool unknown)
{
	if (unknown)
		return STORE_UNKNOWN;
	if (failure == FAILURE_OTHER || failure == FAILURE_VALUE)
		log_event(LOG_ERROR, "the database refuses a write",
			  LOG_TEXT("sqlstate", lane->connection.sqlstate),
			  LOG_TEXT("cause", lane->connection.message));
	return failure_status(failure);
}

static void fail_transaction(struct lane *lane, enum failure failure, bool unknown)
{
	struct transaction *t = &lane->transaction;
	const enum store_status status = status_of(lane, failure, unknown);
	lane->full = status == STORE_FULL;
	transaction_fail(t, status);
	/* The cache has made nothing on top of a write that is alone, or that it reads again. */
	const bool only_this = t->alone && (failure == FAILURE_VALUE || failure == FAILURE_OTHER);
	if (status != STORE_CONFLICT && !only_this)
		lane->raise = unknown ? STORE_AWAY : status;
}

static void count_bytes(struct lane *lane)
{
	const struct transaction *t = &lane->transaction;
	if (lane->store->options.bytes_max == 0)
		return;
	for (const struct store_write *write = t->first; write != t->end; write = write->next)
		if (write->status == STORE_OK)
			lane->added_bytes += store_write_bytes(write);
}

/* Returns whether a process that watches the session wants to know of the write. */
static bool is_heard_of(const struct store_write *write)
{
	return (write->status == STORE_OK || write->status == STORE_UNKNOWN) &&
	       write->kind != WRITE_CREATE && write->kind != WRITE_ANSWER;
}

/* Gives the writes back to their maker. */
static void answer(struct lane *lane)
{
	struct postgres_store *store = lane->store;
	const struct transaction *t = &lane->transaction;
	const uint64_t generation =
		lane->raise != STORE_OK ? raise_generation(store, lane->raise) : lane->generation;
	struct store_write *write = t->first;
	for (;; write = write->next) {
		write->generation = generation;
		if (is_heard_of(write))
			hints_add(store, write->meta.key);
		if (write->next == t->end)
			break;
	}
	write->next = NULL;
	store->options.committed(store->options.context, t->first);
	/* Not before: until now the cache may lack what `changes` would leave out. */
	if (!lane->needs_number)
		atomic_store(&lane->answered, lane->batch);
}

struct store_write *lane_commit_some(struct lane *lane, struct store_write *chain, uint32_t most,
				     bool *isolate)
{
	struct transaction *t = &lane->transaction;
	bool unknown = false;
	lane_look_at_size(lane);
	begin_generation(lane);
	enum failure failure = transaction_make(t, chain, most);
	if (failure == FAILURE_NONE && t->writes > 0) {
		failure = run_until_answered(lane, &unknown);
		lane->lost = failure == FAILURE_LOST && !pg_is_open(&lane->connection);
	}
	/* One of them is refused by itself: find out which. */
	*isolate = t->writes > 1 && (failure == FAILURE_DUPLICATE || failure == FAILURE_VALUE);
	if (*isolate)
		return chain;
	if (failure != FAILURE_NONE)
		fail_transaction(lane, failure, unknown);
	else if (t->writes > 0)
		lane->full = false;
	count_bytes(lane);
	show_full(lane);
	answer(lane);
	return t->end;
}
