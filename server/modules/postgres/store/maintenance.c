/* maintenance.c: the thread that does what no answer waits for. */
#include "server/modules/postgres/store/maintenance.h"

#include "server/modules/postgres/store/lane.h"
#include "server/util/log.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

#include <stdlib.h>

#define ROUND_NS UINT64_C(1000000000)
#define BEAT_NS UINT64_C(10000000000)
#define PURGE_NS UINT64_C(60000000000)

enum store_status maintenance_run(struct maintenance *maintenance, enum statement statement,
				  PGresult **result)
{
	struct connection *connection = &maintenance->connection;
	*result = NULL;
	if (!pg_is_open(connection)) {
		if (pg_connect(maintenance->store, connection) != STORE_OK)
			return STORE_AWAY;
		if (pg_do_sql(connection, "SET synchronous_commit = off") != FAILURE_NONE) {
			pg_close(connection);
			return STORE_AWAY;
		}
	}
	return failure_status(pg_run(connection, statement, &maintenance->parameters,
				     pg_deadline_ns(CONNECTION_ANSWER_MS), result));
}

enum store_status maintenance_count(struct maintenance *maintenance, enum statement statement,
				    uint64_t *count)
{
	PGresult *result;
	const enum store_status status = maintenance_run(maintenance, statement, &result);
	*count = status == STORE_OK && pq.PQntuples(result) > 0 ? result_uint8(result, 0, 0) : 0;
	pq.PQclear(result);
	return status;
}

static void own_parameters(struct maintenance *maintenance)
{
	parameters_begin(&maintenance->parameters);
	parameters_text(&maintenance->parameters, maintenance->store->node);
	parameters_uint8(&maintenance->parameters, maintenance->store->process);
}

static void show_lanes(struct maintenance *maintenance, uint64_t lanes)
{
	meter_add(METER_STORE_LANES, lanes - maintenance->lanes);
	maintenance->lanes = lanes;
}

/* Shows other processes that this one lives; also notices an upgrade while nobody asks anything. */
MUST_USE static enum store_status beat(struct maintenance *maintenance)
{
	PGresult *result;
	own_parameters(maintenance);
	const enum store_status status = maintenance_run(maintenance, STATEMENT_BEATS, &result);
	if (status != STORE_OK)
		return status;
	show_lanes(maintenance, result_uint8(result, 0, 0));
	if (result_int4(result, 0, 1) > SCHEMA_VERSION)
		store_outgrown(maintenance->store, result_int4(result, 0, 1));
	pq.PQclear(result);
	return STORE_OK;
}

/* All lanes have stopped. If a batch of one is in doubt it may still be committed: then all stays, until
 * other processes delete it (purge.c). */
static void leave(struct maintenance *maintenance)
{
	const struct postgres_store *store = maintenance->store;
	PGresult *result;
	bool in_doubt = false;
	for (unsigned i = 0; i < store->lane_count; i++)
		in_doubt |= store->lanes[i].unresolved;
	show_lanes(maintenance, 0);
	if (in_doubt || !pg_is_open(&maintenance->connection))
		return;
	own_parameters(maintenance);
	if (maintenance_run(maintenance, STATEMENT_LEAVE, &result) != STORE_OK)
		log_event(LOG_INFO, "rows of this process stay in the database",
			  LOG_TEXT("cause", maintenance->connection.message));
	pq.PQclear(result);
}

static void log_failure(const struct maintenance *maintenance, const char *job,
			enum store_status status)
{
	if (status != STORE_OK && status != STORE_AWAY && !maintenance->stopping)
		log_event(LOG_WARNING, "maintenance of the database failed", LOG_TEXT("job", job),
			  LOG_TEXT("cause", maintenance->connection.message));
}

/* False: the store closes. */
static bool wait_round(struct maintenance *maintenance)
{
	const uint64_t until = monotonic_ns() + ROUND_NS;
	lock_acquire(&maintenance->lock);
	while (!maintenance->stopping &&
	       lock_wait_until(&maintenance->lock, &maintenance->wake, until))
		;
	lock_release(&maintenance->lock);
	return !maintenance->stopping;
}

static void *run_maintenance(void *argument)
{
	struct maintenance *maintenance = argument;
	uint64_t beat_ns = 0, purge_ns = 0;
	do {
		const uint64_t now = monotonic_ns();
		if (now - beat_ns >= BEAT_NS) {
			log_failure(maintenance, "beat", beat(maintenance));
			beat_ns = now;
		}
		log_failure(maintenance, "snapshots", maintenance_snapshots(maintenance));
		log_failure(maintenance, "index", maintenance_index(maintenance));
		if (now - purge_ns >= PURGE_NS) {
			log_failure(maintenance, "purge", maintenance_purge(maintenance));
			purge_ns = now;
		}
	} while (wait_round(maintenance));
	leave(maintenance);
	return NULL;
}

bool pg_maintenance_start(struct postgres_store *store)
{
	struct maintenance *maintenance = calloc(1, sizeof(*maintenance));
	if (maintenance == NULL)
		return false;
	maintenance->store = store;
	if (!lock_init(&maintenance->lock))
		goto no_lock;
	if (!lock_condition_init(&maintenance->wake))
		goto no_condition;
	if (pthread_create(&maintenance->thread, NULL, run_maintenance, maintenance) != 0)
		goto no_thread;
	store->maintenance = maintenance;
	return true;
no_thread:
	pthread_cond_destroy(&maintenance->wake);
no_condition:
	lock_destroy(&maintenance->lock);
no_lock:
	free(maintenance);
	return false;
}

void pg_maintenance_stop(struct postgres_store *store)
{
	struct maintenance *maintenance = store->maintenance;
	if (maintenance == NULL)
		return;
	lock_acquire(&maintenance->lock);
	maintenance->stopping = true;
	lock_release(&maintenance->lock);
	pthread_cond_signal(&maintenance->wake);
	pthread_join(maintenance->thread, NULL);
	pg_close(&maintenance->connection);
	parameters_free(&maintenance->parameters);
	pthread_cond_destroy(&maintenance->wake);
	lock_destroy(&maintenance->lock);
	free(maintenance);
	store->maintenance = NULL;
}

void pg_maintenance_due(struct postgres_store *store, uint64_t key)
{
	struct maintenance *maintenance = store->maintenance;
	if (maintenance == NULL)
		return;
	lock_acquire(&maintenance->lock);
	/* If there are too many, the session is due again with its next entries. */
	if (maintenance->due_count < SNAPSHOTS_DUE_MAX)
		maintenance->due[maintenance->due_count++] = key;
	lock_release(&maintenance->lock);
}
