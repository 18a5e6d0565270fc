/* writer.c: the only thread that writes: takes all waiting writes, commits once and answers all.
 *
 * While nothing waits it compacts the log into chunks, copies the write-ahead log into the
 * database, purges what is too old, and after a full disk checks for room. */
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/log.h"
#include "server/util/monotonic.h"

#define IDLE_MS 100                /* without a write before compaction */
#define RETRY_MS 1000              /* after background work failed */
#define PURGE_MS 60000             /* between checks for sessions deleted long ago */
#define MEMTABLE_ENTRIES 65536     /* beyond, compaction does not wait for idleness; */
#define MEMTABLE_BYTES (64u << 20) /* beyond MEMTABLE_STOP times that, writes are refused */
#define MEMTABLE_STOP 4

/* ---- failures ---- */

static void show_health(struct sqlite_store *store)
{
	atomic_store(&store->health, store->broken ? STORE_BROKEN
				     : store->full ? STORE_FULL
						   : STORE_OK);
}

/* Everything queued in the current generation fails with `status`. */
static void raise_generation(struct sqlite_store *store, enum store_status status)
{
	store->generation++;
	store->failure = status;
}

void writer_break(struct sqlite_store *store, const char *what)
{
	if (store->broken)
		return;
	log_event(LOG_ERROR, "store is read-only until restarted", LOG_TEXT("path", store->path),
		  LOG_TEXT("cause", what));
	store->broken = true;
	raise_generation(store, STORE_BROKEN);
	show_health(store);
	/* The state of the disk is uncertain: leave the log for the next start. */
	sqlite3_db_config(store->writer.db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

static void set_full(struct sqlite_store *store, bool full)
{
	if (store->full != full)
		log_event(full ? LOG_ERROR : LOG_INFO,
			  full ? "no room for the store" : "there is room for the store again",
			  LOG_TEXT("path", store->path));
	if (store->full && !full)
		room_refill(store);
	store->full = full;
	show_health(store);
}

enum store_status writer_abort(struct sqlite_store *store, enum store_status status)
{
	/* First: the rollback replaces the message. */
	if (status == STORE_BROKEN)
		writer_break(store, sqlite3_errmsg(store->writer.db));
	/* Prepared before, so that it needs no memory. */
	const bool ended = sqlite3_get_autocommit(store->writer.db) ||
			   connection_run(&store->writer, W_ROLLBACK) == SQLITE_OK;
	if (!ended && !connection_rollback(&store->writer)) {
		writer_break(store, "a transaction could not be rolled back");
		return STORE_BROKEN;
	}
	return status;
}

enum store_status writer_commit(struct sqlite_store *store)
{
	int result = connection_run(&store->writer, W_COMMIT);
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(&store->writer, result));
	if (files_moved(store)) {
		writer_break(store, "the file was moved or deleted");
		files_log_rescue(store);
		return STORE_BROKEN;
	}
	return STORE_OK;
}

/* ---- batches ---- */

/* The status before the batch: a write of a failed generation fails, but one that only frees room
 * does not depend on writes that found no room. */
static enum store_status first_status(const struct sqlite_store *store,
				      const struct store_write *write)
{
	if (store->broken)
		return STORE_BROKEN;
	if (write->generation == store->generation ||
	    (store->failure == STORE_FULL && store_write_frees(write)))
		return STORE_OK;
	return store->failure;
}

/* Fails the remaining writes; those that free room only if `all`. True if some are left. */
static bool fail_writes(struct store_write *batch, enum store_status status, bool all)
{
	bool left = false;
	for (struct store_write *write = batch; write != NULL; write = write->next) {
		if (write->status != STORE_OK)
			continue;
		if (all || !store_write_frees(write))
			write->status = status;
		else
			left = true;
	}
	return left;
}

MUST_USE static enum store_status run_batch(struct sqlite_store *store, void *batch)
{
	return batch_commit(store, batch);
}

/* The status of the batch as a whole; with STORE_FULL some writes may be committed nevertheless. */
MUST_USE static enum store_status commit_batch(struct sqlite_store *store,
					       struct store_write *batch)
{
	enum store_status status =
		room_is_exceeded(store) ? STORE_FULL : batch_commit(store, batch);
	if (status == STORE_OK)
		return STORE_OK;
	if (status != STORE_BROKEN) /* which has raised it already */
		raise_generation(store, status);
	if (fail_writes(batch, status, status != STORE_FULL)) {
		enum store_status freed = room_run(store, true, run_batch, batch);
		if (freed != STORE_OK)
			fail_writes(batch, freed, true);
	}
	return status;
}

static void write_batch(struct sqlite_store *store, struct store_write *batch)
{
	bool any = false, frees = false, others = false;
	for (struct store_write *write = batch; write != NULL; write = write->next) {
		write->status = first_status(store, write);
		if (write->status != STORE_OK)
			continue;
		any = true;
		frees |= store_write_frees(write);
		others |= !store_write_frees(write);
	}
	enum store_status status = any ? commit_batch(store, batch) : STORE_OK;
	store->needs_room |= status == STORE_FULL;
	if (frees && !store->broken)
		room_freed(store, batch);
	if (status == STORE_FULL || (others && !store->broken))
		set_full(store, status == STORE_FULL);
	for (struct store_write *write = batch; write != NULL; write = write->next)
		write->generation = store->generation;
	store->options.committed(store->options.context, batch);
	checkpoint_long(store);
	room_measure(store);
}

/* ---- background work ---- */

/* Checks for room: commits a change and its undoing. */
MUST_USE static enum store_status probe_room(struct sqlite_store *store)
{
	sqlite3_stmt *s = store->writer.statements[W_APPEND];
	if (room_is_out(store))
		return STORE_FULL;
	int result = connection_run(&store->writer, W_BEGIN);
	if (result == SQLITE_OK) {
		sqlite3_bind_int64(s, 1, store->next_seq);
		sqlite3_bind_zeroblob(s, 2, 1);
		result = connection_run(&store->writer, W_APPEND);
	}
	if (result == SQLITE_OK) {
		sqlite3_bind_int64(store->writer.statements[W_CLEAR_LOG], 1, store->next_seq);
		sqlite3_bind_int64(store->writer.statements[W_CLEAR_LOG], 2, store->next_seq + 1);
		result = connection_run(&store->writer, W_CLEAR_LOG);
	}
	if (result != SQLITE_OK)
		return writer_abort(store, connection_status(&store->writer, result));
	return writer_commit(store);
}

static bool memtable_is_long(const struct sqlite_store *store, size_t times)
{
	return store->memtable.entries > times * MEMTABLE_ENTRIES ||
	       store->memtable.bytes > times * (size_t)MEMTABLE_BYTES;
}

/* Returns the time when compaction is due. At once if the memtable is long: beyond MEMTABLE_STOP no
 * write wakes the thread. */
static int64_t compact_due_ms(const struct sqlite_store *store)
{
	return store->wrote_ms + (memtable_is_long(store, 1) ? 0 : IDLE_MS);
}

/* Returns the time when background work is due, on the monotonic clock. */
static int64_t due_ms(const struct sqlite_store *store)
{
	if (store->broken)
		return INT64_MAX;
	int64_t due = store->purge_ms;
	int64_t idle = compact_due_ms(store);
	if (store->full && store->retry_ms < due)
		due = store->retry_ms;
	if ((compact_has_work(store) || store->fill_from < store->fill_end) && idle < due)
		due = idle;
	if (checkpoint_due_ms(store) < due)
		due = checkpoint_due_ms(store);
	if (store->needs_room || store->staged.left)
		due = store->retry_ms;
	return due > store->retry_ms ? due : store->retry_ms;
}

static void compact_some(struct sqlite_store *store)
{
	enum store_status status = compact_slice(store);
	if (status != STORE_OK && status != STORE_NOT_FOUND) {
		store->retry_ms = monotonic_ms() + RETRY_MS;
		return;
	}
	if (status == STORE_OK && store->full)
		set_full(store, false);
	checkpoint_long(store);
}

/* While the memtable is long, compacts at least as much as the batch added. */
static void compact_long(struct sqlite_store *store, size_t added)
{
	for (size_t slices = 1 + added / COMPACT_SLICE_ENTRIES; slices > 0; slices--) {
		if (!memtable_is_long(store, 1) || store->broken ||
		    store->wrote_ms < store->retry_ms)
			return;
		compact_some(store);
	}
}

static void work_in_background(struct sqlite_store *store)
{
	int64_t now = monotonic_ms();
	if (store->staged.left) { /* first: a session with these is not empty */
		stage_step(store);
		return;
	}
	if (store->needs_room) {
		room_make(store);
		return;
	}
	if (compact_has_work(store) && now >= compact_due_ms(store)) {
		compact_some(store);
		return;
	}
	if (store->fill_from < store->fill_end && now >= compact_due_ms(store) && !store->full) {
		if (fill_slice(store) != STORE_OK)
			store->retry_ms = now + RETRY_MS;
		checkpoint_long(store);
		return;
	}
	if (now >= checkpoint_due_ms(store)) {
		checkpoint_idle(store);
		room_measure(store);
	} else if (store->full) {
		enum store_status status = probe_room(store);
		if (!store->broken)
			set_full(store, status != STORE_OK);
		store->retry_ms = now + RETRY_MS;
	} else if (now >= store->purge_ms) {
		enum store_status status = purge_slice(store);
		room_refill(store);
		room_measure(store);
		if (status != STORE_OK)
			store->purge_ms = now + PURGE_MS;
		checkpoint_long(store);
	}
}

/* ---- the queue ---- */

enum store_status writer_submit(struct store *base, struct store_write *write)
{
	struct sqlite_store *store = (struct sqlite_store *)base;
	return write_queue_put(&store->queue, write,
			       memtable_is_long(store, MEMTABLE_STOP) ? 0
								      : store->options.queue_max);
}

void writer_flush(struct store *base)
{
	write_queue_flush(&((struct sqlite_store *)base)->queue);
}

/* Waits for writes until background work is due. */
static struct store_write *next_batch(struct sqlite_store *store, bool *stopping)
{
	if (store->large_first != NULL)
		return write_queue_take(&store->queue, 0, stopping);
	const int64_t due = due_ms(store);
	write_queue_stay_awake(&store->queue);
	return write_queue_take(&store->queue,
				due == INT64_MAX ? (uint64_t)INT64_MAX : (uint64_t)due * 1000000u,
				stopping);
}

void *writer_main(void *argument)
{
	struct sqlite_store *store = argument;
	for (;;) {
		bool stopping;
		struct store_write *batch = stage_split(store, next_batch(store, &stopping));
		if (batch == NULL && store->large_first != NULL) {
			stage_step(store);
			store->wrote_ms = monotonic_ms();
		} else if (batch != NULL) {
			size_t before = store->memtable.entries;
			write_batch(store, batch);
			store->wrote_ms = monotonic_ms();
			compact_long(store, store->memtable.entries - before);
			room_make(store);
			if (store->large_first != NULL)
				stage_step(store);
		} else if (stopping) {
			return NULL;
		} else if (!store->broken && monotonic_ms() >= due_ms(store)) {
			work_in_background(store);
		}
	}
}
