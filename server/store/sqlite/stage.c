/* stage.c: writes with thousands of solves (an imported file), in slices, each a transaction of its
 * own, so that short writes do not wait for all of it.
 *
 * Such a write is still all or nothing. While it is in progress, two rows of `meta` contain the
 * range of seq of its solves, and everything that reads or purges solves skips that range
 * (SOLVE_SEEN). The transaction of the last slice deletes the two rows and makes all other changes
 * of the write. If it never comes, because the write failed or the process was killed, the writer
 * deletes the solves, in slices too.
 *
 * No other write depends on one of these, so a failure does not raise the generation. */
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/monotonic.h"

#define SLICE 2048
#define RETRY_MS 1000 /* after solves could not be deleted */

static bool is_large(const struct store_write *write)
{
	return write->solve_count > SLICE &&
	       (write->kind == WRITE_SOLVES || write->kind == WRITE_CREATE);
}

struct store_write *stage_split(struct sqlite_store *store, struct store_write *batch)
{
	struct store_write **at = &batch;
	if (store->large_first == NULL)
		store->large_last = &store->large_first;
	while (*at != NULL) {
		struct store_write *write = *at;
		if (!is_large(write)) {
			at = &write->next;
			continue;
		}
		*at = write->next;
		write->next = NULL;
		*store->large_last = write;
		store->large_last = &write->next;
	}
	return batch;
}

/* ---- slices ---- */

MUST_USE static int write_solve(struct sqlite_store *store, const struct store_write *write,
				size_t i)
{
	sqlite3_stmt *s = store->writer.statements[W_STAGE];
	const int last = sqlite3_bind_parameter_count(s);
	int bad = solve_bind(s, (uint64_t)store->staged.key, &write->solves[i]);
	bad |= sqlite3_bind_int64(s, last, store->staged.first + (int64_t)i);
	return connection_run_bound(&store->writer, W_STAGE, bad);
}

/* Writes the last solve first: solves that other writes record meanwhile are numbered after it. */
MUST_USE static int begin_write(struct sqlite_store *store, const struct store_write *write)
{
	struct staged *staged = &store->staged;
	sqlite3_stmt *s = store->writer.statements[W_STAGE_BEGIN];
	int64_t newest = 0;
	int result = connection_value(&store->writer, "SELECT max(seq) FROM solve", &newest);
	if (result != SQLITE_OK)
		return result;
	staged->first = newest + 1;
	staged->last = newest + (int64_t)write->solve_count;
	staged->key = write->kind == WRITE_CREATE ? store->next_key++ : (int64_t)write->meta.key;
	int bad = sqlite3_bind_int64(s, 1, staged->first);
	bad |= sqlite3_bind_int64(s, 2, staged->last);
	result = connection_run_bound(&store->writer, W_STAGE_BEGIN, bad);
	return result == SQLITE_OK ? write_solve(store, write, write->solve_count - 1) : result;
}

/* Fails the write if its session was deleted. */
MUST_USE static int check_session(struct sqlite_store *store, struct store_write *write)
{
	sqlite3_stmt *s = store->writer.statements[W_LIVE];
	if (write->kind == WRITE_CREATE)
		return SQLITE_OK;
	int result = sqlite3_bind_int64(s, 1, (int64_t)write->meta.key);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	sqlite3_reset(s);
	if (result == SQLITE_DONE)
		write->status = STORE_NOT_FOUND;
	return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

/* Makes all solves visible. */
MUST_USE static int finish_write(struct sqlite_store *store, struct store_write *write)
{
	const int64_t next_key = store->next_key;
	store->next_key = store->staged.key; /* reserved by begin_write() */
	int result = batch_write_rest(store, write);
	store->next_key = next_key;
	return result == SQLITE_OK ? connection_run(&store->writer, W_STAGE_END) : result;
}

/* The statements of a slice, which ends before solve `to`. A write that fails alone gets its
 * status. */
MUST_USE static int write_rows(struct sqlite_store *store, struct store_write *write, size_t to)
{
	size_t i = store->staged.count;
	int result = check_session(store, write);
	if (result != SQLITE_OK || write->status != STORE_OK)
		return result;
	if (i == 0)
		result = begin_write(store, write);
	for (; i < to && result == SQLITE_OK; i++)
		result = write_solve(store, write, i);
	if (result == SQLITE_OK && to == write->solve_count - 1)
		result = finish_write(store, write);
	return result;
}

/* *end: it was the last slice. */
MUST_USE static enum store_status write_slice(struct sqlite_store *store, struct store_write *write,
					      bool *end)
{
	const size_t from = store->staged.count, most = write->solve_count - 1;
	const size_t to = most - from > SLICE ? from + SLICE : most;
	int result = connection_run(&store->writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = write_rows(store, write, to);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(&store->writer, result));
	if (write->status != STORE_OK)
		return writer_abort(store, write->status);
	enum store_status status = writer_commit(store);
	if (status == STORE_OK)
		store->staged.count = to;
	*end = to == most;
	return status;
}

/* ---- deleting what a failed write left ---- */

/* The last solve is deleted last, together with the rows of `meta`: until then no new solve gets a
 * number in the range. */
MUST_USE static int delete_rows(struct sqlite_store *store, bool *end)
{
	struct sqlite_connection *writer = &store->writer;
	int result = connection_run(writer, W_STAGE_DROP);
	*end = result == SQLITE_OK && sqlite3_changes(writer->db) < STAGE_DROP_ROWS;
	if (*end)
		result = connection_run(writer, W_STAGE_DROP_LAST);
	if (*end && result == SQLITE_OK)
		result = connection_run(writer, W_STAGE_END);
	return result;
}

MUST_USE static enum store_status delete_slice(struct sqlite_store *store, void *context)
{
	bool end = false;
	(void)context;
	int result = connection_run(&store->writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = delete_rows(store, &end);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(&store->writer, result));
	enum store_status status = writer_commit(store);
	store->staged.left = status != STORE_OK || !end;
	return status;
}

int stage_find_left(struct sqlite_store *store)
{
	int64_t rows = 0;
	int result = connection_value(
		&store->writer, "SELECT count(*) FROM meta WHERE name = 'staged_first'", &rows);
	store->staged.left = rows > 0;
	return result;
}

int stage_forget(struct sqlite_connection *connection)
{
	static const char *const sql[] = {
		"DELETE FROM solve WHERE seq BETWEEN " STAGED("staged_first") " AND " STAGED(
			"staged_last"),
		"DELETE FROM meta WHERE name IN ('staged_first', 'staged_last')",
	};
	int result = connection_value(connection, sql[0], NULL);
	return result == SQLITE_OK ? connection_value(connection, sql[1], NULL) : result;
}

/* ---- the order of it ---- */

static void answer_first(struct sqlite_store *store, enum store_status status)
{
	struct store_write *write = store->large_first;
	store->large_first = write->next;
	write->next = NULL;
	write->status = status;
	write->generation = store->generation;
	store->options.committed(store->options.context, write);
}

static void step_write(struct sqlite_store *store)
{
	struct store_write *write = store->large_first;
	bool end = false;
	write->status = STORE_OK;
	enum store_status status = store->broken ? STORE_BROKEN : write_slice(store, write, &end);
	if (status == STORE_OK && !end)
		return;
	store->staged = (struct staged){.left = status != STORE_OK && store->staged.count > 0};
	answer_first(store, status);
}

/* If they cannot be deleted, the waiting write fails too, instead of waiting for long. */
static void step_delete(struct sqlite_store *store)
{
	enum store_status status = room_run(store, true, delete_slice, NULL);
	if (status == STORE_OK)
		return;
	store->retry_ms = monotonic_ms() + RETRY_MS;
	if (store->large_first != NULL)
		answer_first(store, status);
}

void stage_step(struct sqlite_store *store)
{
	if (store->staged.left && !store->broken)
		step_delete(store);
	else if (store->large_first != NULL)
		step_write(store);
	checkpoint_long(store);
}
