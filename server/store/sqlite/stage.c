/* stage.c: writes with thousands of solves (an imported file), in slices, each a transaction of its own,
 * so that what is short need not wait for all of it.
 *
 * It is all of it or nothing all the same. While a write is under way, two rows of `meta` say which seq
 * its solves have, and nobody sees these (SOLVE_SEEN); the transaction of the last slice removes the
 * two rows, and has whatever else the write changes. Where that is never reached, the solves are
 * removed: at once after a failure, and when the store is opened after a crash. */
#include "server/store/sqlite/internal.h"

#define SLICE 2048

static bool is_large(const struct store_write *write)
{
	return write->solve_count > SLICE &&
	       (write->kind == WRITE_SOLVES || write->kind == WRITE_CREATE);
}

struct store_write *stage_take(struct sqlite_store *store, struct store_write *batch)
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

static int run(struct sqlite_store *store, int statement, int bad)
{
	int result = bad != SQLITE_OK ? SQLITE_NOMEM : connection_run(&store->writer, statement);
	sqlite3_clear_bindings(store->writer.statements[statement]);
	return result;
}

static int write_solve(struct sqlite_store *store, const struct store_write *write, size_t i)
{
	sqlite3_stmt *s = store->writer.statements[W_STAGE];
	int bad = solve_bind(s, (uint64_t)store->staged.key, &write->solves[i]);
	bad |= sqlite3_bind_int64(s, 19, store->staged.first + (int64_t)i);
	return run(store, W_STAGE, bad);
}

/* The last solve comes first: other solves that are recorded meanwhile are numbered behind it. */
static int begin(struct sqlite_store *store, const struct store_write *write)
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
	result = run(store, W_STAGE_BEGIN, bad);
	return result == SQLITE_OK ? write_solve(store, write, write->solve_count - 1) : result;
}

/* Is the book still there? */
static int check_book(struct sqlite_store *store, struct store_write *write)
{
	sqlite3_stmt *s = store->writer.statements[W_LIVE];
	int result = sqlite3_bind_int64(s, 1, store->staged.key);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	sqlite3_reset(s);
	if (result == SQLITE_DONE)
		write->status = STORE_NOT_FOUND;
	return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

/* What makes all of them seen. */
static int finish(struct sqlite_store *store, struct store_write *write)
{
	const int64_t next_key = store->next_key;
	int result = write->kind == WRITE_SOLVES ? check_book(store, write) : SQLITE_OK;
	if (result == SQLITE_OK && write->status == STORE_OK) {
		store->next_key = store->staged.key; /* which was put aside for it */
		result = batch_write_rest(store, write);
		store->next_key = next_key;
	}
	return result == SQLITE_OK ? connection_run(&store->writer, W_STAGE_END) : result;
}

/* *end: it was the last slice. A write that fails by itself has its status then, and is rolled back. */
static enum store_status write_slice(struct sqlite_store *store, struct store_write *write, bool *end)
{
	size_t from = store->staged.count, most = write->solve_count - 1;
	const size_t to = most - from > SLICE ? from + SLICE : most;
	int result = connection_run(&store->writer, W_BEGIN);
	if (result == SQLITE_OK && from == 0)
		result = begin(store, write);
	for (; from < to && result == SQLITE_OK; from++)
		result = write_solve(store, write, from);
	*end = to == most;
	if (result == SQLITE_OK && *end)
		result = finish(store, write);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(&store->writer, result));
	if (write->status != STORE_OK)
		return writer_abort(store, write->status);
	enum store_status status = writer_commit(store);
	if (status == STORE_OK)
		store->staged.count = to;
	return status;
}

/* ---- the end ---- */

static enum store_status drop(struct sqlite_store *store, void *context)
{
	(void)context;
	int result = connection_run(&store->writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = stage_drop(store);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(&store->writer, result));
	return writer_commit(store);
}

int stage_drop(struct sqlite_store *store)
{
	int result = connection_run(&store->writer, W_STAGE_DROP);
	return result == SQLITE_OK ? connection_run(&store->writer, W_STAGE_END) : result;
}

static void answer(struct sqlite_store *store, enum store_status status)
{
	struct store_write *write = store->large_first;
	store->large_first = write->next;
	store->staged = (struct staged){0};
	write->next = NULL;
	write->status = status;
	write->epoch = store->epoch;
	store->options.committed(store->options.context, write);
}

void stage_step(struct sqlite_store *store)
{
	struct store_write *write = store->large_first;
	bool end = false;
	write->status = STORE_OK;
	/* What could not be removed after a failure is removed before the next one begins. */
	enum store_status status = store->broken ? STORE_BROKEN : STORE_OK;
	if (status == STORE_OK && store->staged.count == 0)
		status = drop(store, NULL);
	if (status == STORE_OK)
		status = write_slice(store, write, &end);
	if (status == STORE_OK && !end) {
		checkpoint_long(store);
		return;
	}
	if (status != STORE_OK && !store->broken) {
		(void)room_run(store, true, drop, NULL);
		if (write->status == STORE_OK)
			writer_raise_epoch(store, status);
	}
	answer(store, status);
	checkpoint_long(store);
}
