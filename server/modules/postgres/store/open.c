/* open.c: opens the store: schema, lanes, the threads beside them; and closes it. */
#include "server/modules/postgres/store/postgres.h"

#include "server/modules/postgres/store/hints.h"
#include "server/modules/postgres/store/lane.h"
#include "server/util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define REGISTER_TRIES 10

/* ---- lanes ---- */

enum failure lane_register(struct lane *lane)
{
	for (int i = 0; i < REGISTER_TRIES; i++) {
		uint32_t number;
		struct parameters p = {0};
		PGresult *result;
		if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
			return FAILURE_OTHER;
		number = number >> 1 | 1;
		parameters_uint4(&p, number);
		parameters_text(&p, lane->store->node);
		parameters_int4(&p, SCHEMA_VERSION);
		const enum failure failure = pg_run(&lane->connection, STATEMENT_REGISTER, &p,
						    pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
		parameters_free(&p);
		const bool registered = failure == FAILURE_NONE && pq.PQntuples(result) == 1;
		pq.PQclear(result);
		if (failure != FAILURE_NONE)
			return failure;
		if (!registered)
			continue; /* another lane has this number */
		lane->batch = lane->durable = 0;
		/* First: readers look at the number, then at them. */
		atomic_store(&lane->answered, 0);
		atomic_store(&lane->denied, 0);
		atomic_store(&lane->number, (int32_t)number);
		return FAILURE_NONE;
	}
	return FAILURE_OTHER;
}

/* The first lane's connection makes the schema. */
static bool connect_lane(struct postgres_store *store, struct lane *lane, struct error *error)
{
	struct connection *c = &lane->connection;
	lane->store = store;
	lane->asked_ms = INT64_MIN / 2;
	lane->needs_number = true; /* with its first write */
	if (pg_open(c, store->conninfo, pg_use(store), CONNECTION_FIRST_S) != STORE_OK)
		return error_set(error, "cannot connect to the database: %s", c->message);
	if (lane == store->lanes && !(pooler_check(store->conninfo, pg_use(store), c, error) &&
				      schema_open(store, c, error)))
		return false;
	if (pg_barrier(store, c, 0, pg_deadline_ns(CONNECTION_ANSWER_MS)) != FAILURE_NONE)
		return error_set(error, "cannot write to the database: %s", c->message);
	lane_look_at_size(lane);
	return true;
}

/* All are connected before the first one runs: each looks at the others (store_show_health()). */
static bool open_lanes(struct postgres_store *store, struct error *error)
{
	for (unsigned i = 0; i < store->lane_count; i++)
		if (!connect_lane(store, &store->lanes[i], error))
			return false;
	for (unsigned i = 0; i < store->lane_count; i++)
		if (!lane_start(&store->lanes[i]))
			return error_set(error, "cannot start the store's thread");
	return true;
}

static struct lane *lane_of(struct postgres_store *store, const struct store_write *write)
{
	const uint64_t by =
		write->kind == WRITE_CREATE ? id_first8(write->meta.id.bytes) : write->meta.key;
	return &store->lanes[by % store->lane_count];
}

static const struct lane *find_lane(const struct postgres_store *store, int32_t number)
{
	for (unsigned i = 0; i < store->lane_count; i++)
		if (atomic_load(&store->lanes[i].number) == number)
			return &store->lanes[i];
	return NULL;
}

uint64_t lane_answered(const struct postgres_store *store, int32_t number)
{
	const struct lane *lane = find_lane(store, number);
	const uint64_t answered = lane == NULL ? 0 : atomic_load(&lane->answered);
	/* If it has another number meanwhile, so may have `answered`. */
	return lane != NULL && atomic_load(&lane->number) == number ? answered : 0;
}

uint64_t lane_denied(const struct postgres_store *store, int32_t number)
{
	const struct lane *lane = find_lane(store, number);
	return lane == NULL ? 0 : atomic_load(&lane->denied);
}

bool pg_lane_own(const struct postgres_store *store, unsigned i, int32_t *number)
{
	if (i >= store->lane_count)
		return false;
	*number = atomic_load(&store->lanes[i].number);
	return true;
}

void store_outgrown(struct postgres_store *store, int minimum)
{
	if (atomic_exchange(&store->outgrown, true))
		return;
	log_event(LOG_ERROR,
		  "the database was upgraded and this program is too old for it: stopping; "
		  "start a newer cubed",
		  LOG_NUMBER("schema_needed", minimum), LOG_NUMBER("schema_known", SCHEMA_VERSION));
	if (store->options.outgrown != NULL)
		store->options.outgrown(store->options.outgrown_context);
}

/* ---- operations ---- */

MUST_USE static enum store_status postgres_submit(struct store *base, struct store_write *write)
{
	return lane_submit(lane_of((struct postgres_store *)base, write), write);
}

static void postgres_flush(struct store *base)
{
	struct postgres_store *store = (struct postgres_store *)base;
	for (unsigned i = 0; i < store->lane_count; i++)
		lane_flush(&store->lanes[i]);
}

static void postgres_incarnation(const struct store *base, char text[INCARNATION_TEXT + 1])
{
	struct postgres_store *store = (struct postgres_store *)(uintptr_t)base;
	lock_acquire(&store->lock);
	memcpy(text, store->incarnation, INCARNATION_TEXT + 1);
	lock_release(&store->lock);
}

static enum store_status postgres_health(struct store *base)
{
	return (enum store_status)atomic_load(&((struct postgres_store *)base)->health);
}

/* Any part of it may be missing. */
static void postgres_close(struct store *base)
{
	struct postgres_store *store = (struct postgres_store *)base;
	for (unsigned i = 0; i < store->lane_count; i++)
		lane_stop(&store->lanes[i]);
	hints_stop(store);
	pg_maintenance_stop(store); /* lanes give it work */
	if (store->has_lock)
		lock_destroy(&store->lock);
	free(store->lanes);
	free(store->conninfo);
	free(store);
}

static const struct store_operations operations = {
	.name = "postgresql",
	.readers = READERS,
	.submit = postgres_submit,
	.flush = postgres_flush,
	.reader_create = pg_reader_create,
	.reader_destroy = pg_reader_destroy,
	.find = pg_reader_find,
	.at = pg_reader_at,
	.entries = pg_reader_entries,
	.list = pg_reader_list,
	.list_oldest = pg_reader_list_oldest,
	.canonical_index = pg_reader_canonical_index,
	.receipt = pg_reader_receipt,
	.patterns = pg_reader_patterns,
	.solves = pg_reader_solves,
	.solve = pg_reader_solve,
	.solve_count = pg_reader_solve_count,
	.frame = pg_reader_frame,
	.answers = pg_reader_answers,
	.changes = pg_reader_changes,
	.secret = pg_reader_secret,
	.post = pg_reader_post,
	.notices = pg_reader_notices,
	.incarnation = postgres_incarnation,
	.health = postgres_health,
	.close = postgres_close,
};

/* A URI has lost its scheme to store_open(). */
static char *conninfo_of(const char *rest)
{
	char *conninfo = NULL;
	if (strncmp(rest, "//", 2) != 0)
		return strdup(rest);
	return asprintf(&conninfo, "postgresql:%s", rest) < 0 ? NULL : conninfo;
}

static struct postgres_store *make_store(const char *conninfo, const struct store_options *options)
{
	struct postgres_store *store = calloc(1, sizeof(*store));
	if (store == NULL)
		return NULL;
	store->store.operations = &operations;
	store->options = *options;
	store->wait_ms = options->wait_ms == 0 ? WAIT_MS : options->wait_ms;
	store->failure = STORE_BROKEN; /* of a generation that never existed */
	store->conninfo = conninfo_of(conninfo);
	store->has_lock = lock_init(&store->lock);
	const unsigned lanes = options->lanes == 0 ? LANES : options->lanes;
	store->lanes = calloc(lanes, sizeof(store->lanes[0]));
	store->lane_count = store->lanes == NULL ? 0 : lanes;
	if (store->lanes != NULL && store->conninfo != NULL && store->has_lock &&
	    getrandom(&store->process, sizeof(store->process), 0) ==
		    (ssize_t)sizeof(store->process)) {
		snprintf(store->node, sizeof(store->node), "%016llx",
			 (unsigned long long)store->process);
		return store;
	}
	postgres_close(&store->store);
	return NULL;
}

struct store *store_postgres_open(const char *conninfo, const struct store_options *options,
				  struct error *error)
{
	if (!libpq_load(error))
		return NULL;
	struct postgres_store *store = make_store(conninfo, options);
	if (store == NULL) {
		error_set(error, "no memory for the store");
		return NULL;
	}
	bool made = open_lanes(store, error);
	if (made && (!hints_start(store) || !pg_maintenance_start(store)))
		made = error_set(error, "cannot start the store's threads");
	if (made)
		return &store->store;
	postgres_close(&store->store);
	return NULL;
}

const struct store_kind store_kind_postgres = {"postgresql", store_postgres_open,
					       &database_postgres};
