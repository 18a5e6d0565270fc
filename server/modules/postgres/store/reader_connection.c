/* reader_connection.c: the connection of a reader, and how it lives through failovers. */
#include "server/modules/postgres/store/reader.h"

#include "server/util/monotonic.h"

#include <stdlib.h>
#include <time.h>

#define PAUSE_MS 50   /* between attempts to connect */
#define RETRY_MS 1000 /* while the database has been away for long, the time between attempts */

struct store_reader *pg_reader_create(struct store *base)
{
	struct postgres_reader *reader = calloc(1, sizeof(*reader));
	if (reader == NULL)
		return NULL;
	reader->reader.store = base;
	reader->store = (struct postgres_store *)base;
	/* Changes committed from now on are reported. If the database is away, the first call of
	 * `changes` reports that changes were missed. */
	const enum store_status status = pg_reader_vector(reader);
	if (status == STORE_OK || status == STORE_AWAY)
		return &reader->reader;
	pg_reader_destroy(&reader->reader);
	return NULL;
}

void pg_reader_destroy(struct store_reader *base)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	pg_close(&reader->connection);
	parameters_free(&reader->parameters);
	free(reader->vector);
	free(reader);
}

/* One attempt to have a connection to a server that was the primary less than CONFIRM_NS ago. One
 * that was cut off, or frozen while another took over, would go on answering reads with what it has;
 * it cannot answer a durable write. */
static bool connect_once(struct postgres_reader *reader)
{
	struct connection *c = &reader->connection;
	const uint64_t now = monotonic_ns();
	if (pg_is_open(c) && now - reader->durable_ns < CONFIRM_NS)
		return true;
	if (!pg_is_open(c)) {
		reader->is_new = true;
		if (pg_connect(reader->store, c) != STORE_OK)
			return false;
	}
	if (pg_barrier(reader->store, c, 0, pg_deadline_ns(CONNECTION_ANSWER_MS)) == FAILURE_NONE) {
		reader->durable_ns = now;
		return true;
	}
	pg_close(c);
	return false;
}

/* All readers together wait for the store's wait_ms after the database went away. Returns whether to
 * try again. */
static bool wait_for_database(struct postgres_store *store)
{
	const uint64_t now = monotonic_ns();
	uint64_t since = 0;
	if (atomic_compare_exchange_strong(&store->readers_away_ns, &since, now))
		since = now;
	if (now - since >= (uint64_t)store->wait_ms * 1000000u) {
		atomic_store(&store->readers_tried_ns, now);
		return false;
	}
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
	return true;
}

/* Returns true if it has been away for long, and another reader has just tried. */
static bool is_away(struct postgres_store *store)
{
	const uint64_t since = atomic_load(&store->readers_away_ns), now = monotonic_ns();
	return since != 0 && now - since >= (uint64_t)store->wait_ms * 1000000u &&
	       now - atomic_load(&store->readers_tried_ns) < RETRY_MS * UINT64_C(1000000);
}

enum store_status pg_reader_run(struct postgres_reader *reader, enum statement statement,
				PGresult **result)
{
	struct postgres_store *store = reader->store;
	*result = NULL;
	if (!pg_is_open(&reader->connection) && is_away(store))
		return STORE_AWAY;
	for (;;) {
		enum failure failure = FAILURE_LOST;
		if (connect_once(reader))
			failure = pg_run(&reader->connection, statement, &reader->parameters,
					 pg_deadline_ns(CONNECTION_ANSWER_MS), result);
		if (failure != FAILURE_LOST && failure != FAILURE_AGAIN) {
			if (atomic_load(&store->readers_away_ns) != 0)
				atomic_store(&store->readers_away_ns, 0);
			return failure_status(failure);
		}
		if (!wait_for_database(store))
			return STORE_AWAY;
	}
}
