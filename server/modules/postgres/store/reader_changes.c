/* reader_changes.c: what was committed since the last call, by any lane of any process.
 *
 * Batches of a lane are numbered without gaps, so a reader knows which it has seen (its vector), and
 * whether one is missing: then it was deleted before the reader asked, and all may have changed. One
 * statement has one snapshot, which shows transactions as a whole: so the entries of a session follow
 * one another without gaps, though several lanes wrote them. */
#include "server/modules/postgres/store/reader.h"

#include "server/util/log.h"
#include "server/util/monotonic.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK_NS UINT64_C(10000000000)
/* Lanes of processes that stopped are deleted after a day, with what they changed. */
#define VECTOR_KEPT_S (60 * 60)
#define LANE_KEPT_S (20 * 60 * 60)
#define LANE_ROWS 4096 /* as in CHANGES */

MUST_USE static bool set_seen(struct postgres_reader *reader, struct seen seen)
{
	for (size_t i = 0; i < reader->vector_count; i++)
		if (reader->vector[i].lane == seen.lane) {
			reader->vector[i] = seen;
			return true;
		}
	struct seen *more =
		realloc(reader->vector, (reader->vector_count + 1) * sizeof(*reader->vector));
	if (more == NULL)
		return false;
	reader->vector = more;
	reader->vector[reader->vector_count++] = seen;
	return true;
}

static uint64_t get_seen(const struct postgres_reader *reader, int32_t lane)
{
	for (size_t i = 0; i < reader->vector_count; i++)
		if (reader->vector[i].lane == lane)
			return reader->vector[i].batch;
	return 0;
}

/* Also while the machine sleeps. */
static int64_t seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec;
}

enum store_status pg_reader_vector(struct postgres_reader *reader)
{
	PGresult *result;
	parameters_begin(&reader->parameters);
	enum store_status status = pg_reader_run(reader, STATEMENT_LANES, &result);
	reader->has_vector = false;
	if (status != STORE_OK)
		return status;
	reader->vector_count = 0;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK; i++) {
		const struct seen seen = {.lane = result_int4(result, i, 0),
					  .batch = result_uint8(result, i, 1)};
		/* One without a batch is as good as one that does not exist yet. */
		if (seen.batch > 0 && !set_seen(reader, seen))
			status = STORE_NO_MEMORY;
	}
	pq.PQclear(result);
	reader->has_vector = status == STORE_OK;
	reader->asked_s = seconds_now();
	reader->is_new &= status != STORE_OK;
	reader->lost &= status != STORE_OK;
	return status;
}

/* ---- the changes of one call ---- */

struct changes {
	struct store_change *each; /* their entries are those of the result */
	size_t count, capacity;
	bool missed, reconnected, failed;
};

static void add_change(struct changes *changes, const struct store_change *change)
{
	if (changes->count == changes->capacity) {
		const size_t capacity = changes->capacity == 0 ? 64 : changes->capacity * 2;
		struct store_change *more = realloc(changes->each, capacity * sizeof(*more));
		changes->failed = more == NULL;
		if (changes->failed)
			return;
		changes->each = more;
		changes->capacity = capacity;
	}
	changes->each[changes->count++] = *change;
}

/* The columns of CHANGES. */
enum change_column { INCARNATION, LANE_DELETED, LANE, BATCH, BODY, REFUSED };

/* Adds what a batch changed, except for what it refused. */
static void add_row(struct changes *changes, const PGresult *result, int row)
{
	size_t length;
	struct change_body body;
	struct store_change change;
	const uint8_t *bytes = result_bytes(result, row, BODY, &length);
	const struct int8_array refused = result_int8_array(result, row, REFUSED);
	change_body_read(&body, bytes, length);
	while (!changes->failed && change_body_next(&body, &change)) {
		if (change.kind == CHANGE_MISSED)
			changes->missed = true;
		else if (!int8_array_has(refused, (int64_t)change.key))
			add_change(changes, &change);
	}
}

/* By session; descriptions first, then entries in the order of the history. */
static int in_order(const void *a, const void *b)
{
	const struct store_change *x = a, *y = b;
	const uint32_t first_x = x->kind == CHANGE_ENTRIES ? x->first : 0;
	const uint32_t first_y = y->kind == CHANGE_ENTRIES ? y->first : 0;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->kind != y->kind && (first_x == 0 || first_y == 0))
		return x->kind == CHANGE_META     ? -1
		       : y->kind == CHANGE_META   ? 1
		       : x->kind == CHANGE_SOLVES ? 1
						  : -1;
	return first_x < first_y ? -1 : first_x > first_y;
}

static bool is_repeated(const struct changes *changes, size_t i)
{
	const struct store_change *change = &changes->each[i];
	return i > 0 && change->kind != CHANGE_ENTRIES && change->kind == change[-1].kind &&
	       change->key == change[-1].key;
}

static void visit_changes(struct changes *changes, store_visit_change *visit, void *context)
{
	if (changes->missed) {
		visit(context, &(struct store_change){.kind = CHANGE_MISSED});
		return;
	}
	if (changes->reconnected)
		visit(context, &(struct store_change){.kind = CHANGE_RECONNECTED});
	if (changes->count > 0)
		qsort(changes->each, changes->count, sizeof(*changes->each), in_order);
	for (size_t i = 0; i < changes->count; i++)
		if (!is_repeated(changes, i))
			visit(context, &changes->each[i]);
}

/* Reads the rows behind the vector, and moves it. Rows of a lane follow one another. */
static void read_rows(struct postgres_reader *reader, const PGresult *result,
		      struct changes *changes)
{
	int32_t lane = 0;
	int rows = 0;
	/* It may have committed more before it was deleted. */
	changes->missed |= pq.PQntuples(result) > 0 && result_bool(result, 0, LANE_DELETED);
	for (int i = 0; i < pq.PQntuples(result) && !changes->failed; i++) {
		if (result_is_null(result, i, LANE))
			continue; /* the only row: nothing was committed */
		rows = i > 0 && lane == result_int4(result, i, LANE) ? rows + 1 : 1;
		lane = result_int4(result, i, LANE);
		const uint64_t batch = result_uint8(result, i, BATCH);
		/* Too many to be read one by one count as missed too. */
		changes->missed |= batch != get_seen(reader, lane) + 1 || rows == LANE_ROWS;
		const struct seen seen = {lane, batch, seconds_now(),
					  pq.PQgetlength(result, i, BODY) > 0};
		changes->failed = !set_seen(reader, seen);
		if (!changes->missed && !changes->failed)
			add_row(changes, result, i);
	}
}

/* ---- whether history went back ---- */

/* Another process may have found it. */
MUST_USE static bool is_renewed(struct postgres_store *store, const PGresult *result)
{
	const char *text = pq.PQntuples(result) == 0 ? NULL : result_text(result, 0, INCARNATION);
	lock_acquire(&store->lock);
	const bool same = text != NULL && strcmp(text, store->incarnation) == 0;
	lock_release(&store->lock);
	return !same;
}

/* Forgets the lanes that are not in the database any more. Returns whether one of them has committed
 * too recently to have been deleted. */
static bool keep_lanes(struct postgres_reader *reader, const PGresult *lanes)
{
	const size_t count = reader->vector_count;
	bool lost = false;
	reader->vector_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct seen seen = reader->vector[i];
		bool there = false;
		for (int row = 0; row < pq.PQntuples(lanes) && !there; row++)
			there = seen.lane == result_int4(lanes, row, 0);
		if (there)
			reader->vector[reader->vector_count++] = seen;
		lost |= !there && seen.at_s != 0 && seconds_now() - seen.at_s < LANE_KEPT_S;
	}
	return lost;
}

/* Finds out if a batch that this reader has seen was not committed after all: a server that ended
 * showed it, and no standby had it. Only the newest one of a lane can be, since those before it
 * were answered. */
MUST_USE static enum store_status find_denied(struct postgres_reader *reader, bool *denied)
{
	struct parameters *p = &reader->parameters;
	uint32_t count = 0;
	PGresult *result;
	for (size_t i = 0; i < reader->vector_count; i++)
		count += reader->vector[i].committed;
	parameters_begin(p);
	parameters_array(p, PG_INT4, count);
	for (size_t i = 0; i < reader->vector_count; i++)
		if (reader->vector[i].committed)
			parameters_int4(p, reader->vector[i].lane);
	parameters_array(p, PG_INT8, count);
	for (size_t i = 0; i < reader->vector_count; i++)
		if (reader->vector[i].committed)
			parameters_uint8(p, reader->vector[i].batch);
	const enum store_status status = pg_reader_run(reader, STATEMENT_DENIED, &result);
	*denied = status == STORE_OK && pq.PQntuples(result) > 0;
	pq.PQclear(result);
	return status;
}

/* Finds out if a batch that this reader has seen, or that was answered, is no longer there. */
MUST_USE static enum store_status find_lost(struct postgres_reader *reader, bool *lost)
{
	PGresult *result;
	parameters_begin(&reader->parameters);
	enum store_status status = pg_reader_run(reader, STATEMENT_LANES, &result);
	*lost = false;
	if (status != STORE_OK)
		return status;
	for (int i = 0; i < pq.PQntuples(result); i++) {
		const int32_t lane = result_int4(result, i, 0);
		const uint64_t newest = result_uint8(result, i, 1);
		*lost |= newest < get_seen(reader, lane);
	}
	*lost |= keep_lanes(reader, result);
	pq.PQclear(result);
	if (!*lost)
		status = find_denied(reader, lost);
	reader->checked_ns = monotonic_ns();
	return status;
}

/* A new connection may lead to a server that knows less; and each CHECK_NS, in case that a lane found
 * one. Sets changes->missed if history went back. */
MUST_USE static enum store_status check_loss(struct postgres_reader *reader, const PGresult *result,
					     struct changes *changes)
{
	struct connection *connection = &reader->connection;
	const bool renewed = is_renewed(reader->store, result);
	enum store_status status = STORE_OK;
	enum failure failure = FAILURE_NONE;
	changes->reconnected = reader->is_new;
	if (reader->is_new || monotonic_ns() - reader->checked_ns > CHECK_NS) {
		bool lost = false;
		reader->is_new = false; /* it may be yet another one afterwards */
		status = find_lost(reader, &lost);
		reader->is_new |= status != STORE_OK;
		reader->lost |= lost;
	}
	if (status == STORE_OK && reader->lost) {
		log_event(LOG_ERROR, "the database does not have all that it has shown");
		failure = pg_incarnation_renew(reader->store, connection);
	} else if (status == STORE_OK && renewed)
		failure = pg_incarnation_read(reader->store, connection);
	changes->missed |= reader->lost || renewed;
	return failure == FAILURE_NONE ? status : failure_status(failure);
}

/* The lanes of this process get their numbers while it runs. */
MUST_USE static bool add_own_lanes(struct postgres_reader *reader)
{
	int32_t lane;
	for (unsigned i = 0; pg_lane_own(reader->store, i, &lane); i++)
		if (lane != 0 && get_seen(reader, lane) == 0 &&
		    lane_answered(reader->store, lane) > 0 &&
		    !set_seen(reader, (struct seen){.lane = lane}))
			return false;
	return true;
}

/* Asks for changes, except for those that this process was called back for before. */
MUST_USE static enum store_status ask_changes(struct postgres_reader *reader, PGresult **result)
{
	struct parameters *p = &reader->parameters;
	*result = NULL;
	if (!add_own_lanes(reader))
		return STORE_NO_MEMORY;
	const uint32_t count = (uint32_t)reader->vector_count;
	for (size_t i = 0; i < count; i++) {
		struct seen *seen = &reader->vector[i];
		const uint64_t answered = lane_answered(reader->store, seen->lane);
		reader->lost |=
			seen->committed && seen->batch == lane_denied(reader->store, seen->lane);
		if (answered > seen->batch) {
			seen->batch = answered;
			seen->committed = false; /* its row may be empty */
		}
	}
	parameters_begin(p);
	parameters_array(p, PG_INT4, count);
	for (size_t i = 0; i < count; i++)
		parameters_int4(p, reader->vector[i].lane);
	parameters_array(p, PG_INT8, count);
	for (size_t i = 0; i < count; i++)
		parameters_uint8(p, reader->vector[i].batch);
	return pg_reader_run(reader, STATEMENT_CHANGES, result);
}

enum store_status pg_reader_changes(struct store_reader *base, store_visit_change *visit,
				    void *context)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	const int64_t now_s = seconds_now();
	struct changes changes = {.missed = !reader->has_vector ||
					    now_s - reader->asked_s > VECTOR_KEPT_S};
	PGresult *result = NULL;
	enum store_status status = STORE_OK;
	if (reader->has_vector) {
		status = ask_changes(reader, &result);
		if (status != STORE_OK)
			return status;
		status = check_loss(reader, result, &changes);
		if (status != STORE_OK) {
			pq.PQclear(result);
			return status; /* nothing was reported: the next call compares again */
		}
		read_rows(reader, result, &changes);
	}
	if (status == STORE_OK && changes.failed)
		status = STORE_NO_MEMORY;
	if (status == STORE_OK && changes.missed)
		status = pg_reader_vector(reader); /* commits from now on count */
	reader->asked_s = now_s;
	/* After a failure the next call reports that changes were missed. */
	reader->has_vector = status == STORE_OK;
	if (status == STORE_OK)
		visit_changes(&changes, visit, context);
	free(changes.each);
	pq.PQclear(result);
	return status;
}
