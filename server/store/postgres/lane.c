/* lane.c: the queue of a lane and its thread. */
#include "server/store/postgres/lane.h"

#include "server/store/postgres/hints.h"
#include "server/util/awake.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

#define IDLE_MS 1000    /* between checks while nothing is written */
#define AWAY_MS 200     /* between attempts to connect while the database is away */
#define ATTEMPT_MS 2000 /* of an attempt to connect then */
#define OTHERS_FIRST 4  /* times to yield the core before checking for new writes */

/* ---- the queue ---- */

enum store_status lane_submit(struct lane *lane, struct store_write *write)
{
	enum store_status status = STORE_OK;
	lock_acquire(&lane->lock);
	if (lane->stopping) {
		status = STORE_STOPPED;
	} else if (lane->away) {
		status = STORE_AWAY;
	} else if (lane->waiting >= lane->store->options.queue_max) {
		status = STORE_BUSY;
	} else {
		write->next = NULL;
		*lane->last = write;
		lane->last = &write->next;
		lane->waiting++;
	}
	lock_release(&lane->lock);
	return status;
}

void lane_flush(struct lane *lane)
{
	atomic_store_explicit(&lane->flushed, true, memory_order_relaxed);
	pthread_cond_signal(&lane->wake);
}

bool lane_is_stopping(struct lane *lane)
{
	lock_acquire(&lane->lock);
	const bool stopping = lane->stopping;
	lock_release(&lane->lock);
	return stopping;
}

static uint32_t count_waiting(struct lane *lane)
{
	lock_acquire(&lane->lock);
	const uint32_t waiting = lane->waiting;
	lock_release(&lane->lock);
	return waiting;
}

/* As the writer of the sqlite store: after a large batch its clients write again soon, and the
 * larger the commit, the less each write costs. */
static void stay_awake(struct lane *lane)
{
	if (lane->taken < AWAKE_MANY)
		return;
	const uint64_t end = monotonic_ns() + AWAKE_NS;
	while (!atomic_exchange_explicit(&lane->flushed, false, memory_order_relaxed) &&
	       awake_until(end))
		;
	uint32_t before, waiting = 0;
	do {
		for (int i = 0; i < OTHERS_FIRST; i++)
			sched_yield();
		before = waiting;
		waiting = count_waiting(lane);
	} while (waiting > before + before / 8);
}

/* Waits for writes, but not for long. */
static struct store_write *next_chain(struct lane *lane, bool *stopping)
{
	stay_awake(lane);
	const uint64_t until_ns = pg_deadline_ns(pg_is_open(&lane->connection) ? IDLE_MS : AWAY_MS);
	lock_acquire(&lane->lock);
	while (lane->first == NULL && !lane->stopping)
		if (!lock_wait_until(&lane->lock, &lane->wake, until_ns))
			break;
	struct store_write *chain = lane->first;
	lane->first = NULL;
	lane->last = &lane->first;
	lane->taken = lane->waiting;
	lane->waiting = 0;
	*stopping = lane->stopping;
	lock_release(&lane->lock);
	return chain;
}

/* ---- the thread ---- */

static void set_away(struct lane *lane, bool away)
{
	lock_acquire(&lane->lock);
	const bool was = lane->away;
	lane->away = away;
	lock_release(&lane->lock);
	if (was == away)
		return;
	if (away)
		log_event(LOG_ERROR, "database is away; writes are refused",
			  LOG_TEXT("cause", lane->connection.message));
	else
		log_event(LOG_INFO, "database is back");
	store_show_health(lane->store);
}

static void write_chain(struct lane *lane, struct store_write *chain)
{
	const struct store_write *isolated_to = NULL;
	bool isolating = false;
	while (chain != NULL) {
		bool isolate = false;
		if (chain == isolated_to)
			isolating = false;
		chain = lane_commit_some(lane, chain, isolating ? 1 : TRANSACTION_WRITES_MAX,
					 &isolate);
		if (isolate) {
			isolating = true;
			isolated_to = lane->transaction.end;
		}
		set_away(lane, lane->lost);
	}
	hints_send(lane->store);
}

static void work_while_idle(struct lane *lane)
{
	if (!pg_is_open(&lane->connection))
		set_away(lane, lane_connect(lane, pg_deadline_ns(ATTEMPT_MS)) != FAILURE_NONE);
	if (pg_is_open(&lane->connection))
		lane_look_at_size(lane);
}

static void *lane_main(void *argument)
{
	struct lane *lane = argument;
	for (;;) {
		bool stopping;
		struct store_write *chain = next_chain(lane, &stopping);
		if (chain != NULL)
			write_chain(lane, chain);
		else if (stopping)
			return NULL;
		else
			work_while_idle(lane);
	}
}

bool lane_start(struct lane *lane)
{
	lane->last = &lane->first;
	lane->transaction.lane = lane;
	lane->transaction.connection = &lane->connection;
	lane->transaction.runs = &lane->runs;
	lane->has_lock = lock_init(&lane->lock);
	lane->has_wake = lane->has_lock && lock_condition_init(&lane->wake);
	lane->has_thread =
		lane->has_wake && pthread_create(&lane->thread, NULL, lane_main, lane) == 0;
	return lane->has_thread;
}

void lane_stop(struct lane *lane)
{
	if (lane->has_thread) {
		lock_acquire(&lane->lock);
		lane->stopping = true;
		pthread_cond_signal(&lane->wake);
		lock_release(&lane->lock);
		pthread_join(lane->thread, NULL);
	}
	pg_close(&lane->connection);
	if (lane->has_wake)
		pthread_cond_destroy(&lane->wake);
	if (lane->has_lock)
		lock_destroy(&lane->lock);
	parameters_free(&lane->transaction.parameters);
	buffer_free(&lane->transaction.body);
	runs_free(&lane->runs);
}
