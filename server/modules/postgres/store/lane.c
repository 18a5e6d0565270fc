/* lane.c: the queue of a lane and its thread. */
#include "server/modules/postgres/store/lane.h"

#include "server/modules/postgres/store/hints.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

#define IDLE_MS 1000    /* between checks while nothing is written */
#define AWAY_MS 200     /* between attempts to connect while the database is away */
#define ATTEMPT_MS 2000 /* of an attempt to connect then */

/* ---- the queue ---- */

enum store_status lane_submit(struct lane *lane, struct store_write *write)
{
	if (atomic_load(&lane->away))
		return STORE_AWAY;
	const enum store_status status =
		write_queue_put(&lane->queue, write, lane->store->options.queue_max);
	atomic_store(&lane->submitted, true);
	return status;
}

void lane_flush(struct lane *lane)
{
	if (atomic_exchange(&lane->submitted, false))
		write_queue_flush(&lane->queue);
}

/* Waits for writes, but not for long. */
static struct store_write *next_chain(struct lane *lane, bool *stopping)
{
	write_queue_stay_awake(&lane->queue);
	return write_queue_take(&lane->queue,
				pg_deadline_ns(pg_is_open(&lane->connection) ? IDLE_MS : AWAY_MS),
				stopping);
}

/* ---- the thread ---- */

static void set_away(struct lane *lane, bool away)
{
	if (atomic_exchange(&lane->away, away) == away)
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
		set_away(lane,
			 lane_connect(lane, false, pg_deadline_ns(ATTEMPT_MS)) != FAILURE_NONE);
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
	lane->transaction.lane = lane;
	lane->transaction.connection = &lane->connection;
	lane->transaction.runs = &lane->runs;
	lane->has_thread = write_queue_init(&lane->queue) &&
			   pthread_create(&lane->thread, NULL, lane_main, lane) == 0;
	return lane->has_thread;
}

void lane_stop(struct lane *lane)
{
	if (lane->has_thread) {
		write_queue_stop(&lane->queue);
		pthread_join(lane->thread, NULL);
	}
	pg_close(&lane->connection);
	write_queue_finish(&lane->queue);
	parameters_free(&lane->transaction.parameters);
	buffer_free(&lane->transaction.body);
	runs_free(&lane->runs);
}
