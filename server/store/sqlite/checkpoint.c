/* checkpoint.c: copies the write-ahead log into the database: if it is long, if nothing was written
 * for a second, and at the latest 30 seconds after a commit. Only the writer's thread does it, on
 * its connection: see "One writer" in docs/internals/storage.md. */
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/monotonic.h"

#define LONG_FRAMES 1000     /* SQLite's default */
#define RESTART_FRAMES 32768 /* readers have always held the log: wait for them */
#define RESTART_WAIT_MS 100
#define IDLE_MS 1000  /* since the last commit, */
#define AGE_MS 30000  /* or since the first commit that is in the log only */
#define AGAIN_MS 1000 /* since the last try */

int checkpoint_committed_hook(void *context, sqlite3 *db, const char *name, int frames)
{
	struct sqlite_store *store = context;
	(void)db;
	(void)name;
	store->wal_frames = frames;
	store->committed_ms = monotonic_ms();
	if (!store->wal_only) {
		store->wal_only = true;
		store->wal_only_ms = store->committed_ms;
	}
	return SQLITE_OK;
}

/* Like SQLite's automatic checkpoint, but after all writes are answered, and with its result
 * checked: the automatic one does not report a failed fsync, and tries again. */
static void checkpoint(struct sqlite_store *store, int mode)
{
	int frames = 0, copied = 0;
	int result = sqlite3_wal_checkpoint_v2(store->writer.db, "main", mode, &frames, &copied);
	store->checkpoint_ms = monotonic_ms();
	store->wal_frames = 0;
	if (connection_checkpoint_status(&store->writer, result) == STORE_BROKEN)
		writer_break(store, sqlite3_errmsg(store->writer.db));
	if (result == SQLITE_OK && copied == frames)
		store->wal_only = false;
}

void checkpoint_long(struct sqlite_store *store)
{
	if (store->wal_frames < LONG_FRAMES || store->broken)
		return;
	if (store->wal_frames < RESTART_FRAMES) {
		checkpoint(store, SQLITE_CHECKPOINT_PASSIVE);
		return;
	}
	sqlite3_busy_timeout(store->writer.db, RESTART_WAIT_MS);
	checkpoint(store, SQLITE_CHECKPOINT_RESTART);
	sqlite3_busy_timeout(store->writer.db, CONNECTION_BUSY_MS);
}

int64_t checkpoint_due_ms(const struct sqlite_store *store)
{
	if (!store->wal_only)
		return INT64_MAX;
	int64_t idle = store->committed_ms + IDLE_MS, aged = store->wal_only_ms + AGE_MS;
	int64_t again = store->checkpoint_ms + AGAIN_MS, due = idle < aged ? idle : aged;
	return due > again ? due : again;
}

void checkpoint_idle(struct sqlite_store *store)
{
	if (!store->broken)
		checkpoint(store, SQLITE_CHECKPOINT_PASSIVE);
}
