/* open.c: opens a database so that what is answered is on the disk, and closes it. */
#include "server/store/sqlite/open.h"
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/monotonic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static char *join_text(const char *left, const char *middle, const char *right)
{
	char *text = NULL;
	return asprintf(&text, "%s%s%s", left, middle, right) < 0 ? NULL : text;
}

/* Absolute and without symbolic links: so a file has one lock, and no name is special to SQLite. */
static char *resolve_path(const char *path)
{
	char *whole = realpath(path, NULL);
	if (whole != NULL || errno != ENOENT)
		return whole;
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
	char *real = folder == NULL ? NULL : realpath(folder, NULL);
	if (real != NULL)
		whole = join_text(real, "/", slash == NULL ? path : slash + 1);
	free(real);
	free(folder);
	return whole;
}

static bool check_path(struct sqlite_store *store, const char *path, struct error *error)
{
	struct stat file;
	if (path[0] == '\0')
		return error_set(error, "the store needs a path, as in sqlite:cubed.db");
	store->path = resolve_path(path);
	store->wal_path = store->path == NULL ? NULL : join_text(store->path, "-wal", "");
	if (store->wal_path == NULL)
		return error_set(error, "cannot open %s: %s", path, strerror(errno));
	if (stat(store->path, &file) != 0 || S_ISREG(file.st_mode))
		return true;
	return error_set(error, "%s is %s", path,
			 S_ISDIR(file.st_mode) ? "a directory" : "not a regular file");
}

/* Created if necessary, readable only by its owner. */
MUST_USE static int open_file(const char *path)
{
	return (int)TEMP_FAILURE_RETRY(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
}

/* Two writing processes would corrupt the database: the second is refused. */
static bool lock_database(struct sqlite_store *store, const char *path, struct error *error)
{
	char *lock_path = join_text(store->path, ".lock", "");
	if (lock_path != NULL)
		store->lock_fd = open_file(lock_path);
	free(lock_path);
	if (store->lock_fd < 0)
		return error_set(error, "cannot create %s.lock: %s", path, strerror(errno));
	if (flock(store->lock_fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno == EWOULDBLOCK)
		return error_set(error, "%s is in use by another process, which holds %s.lock",
				 path, path);
	return error_set(error, "cannot lock %s.lock: %s", path, strerror(errno));
}

/* The settings that durability depends on are read back. */
static bool configure_writer(struct sqlite_store *store, const char *path, struct error *error)
{
	static const struct {
		const char *name, *set, *get;
		int64_t value;
	} settings[] = {
		{"synchronous", "PRAGMA synchronous=FULL", "PRAGMA synchronous", 2},
		{"journal_mode", NULL, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", 1},
		{"mmap_size", "PRAGMA mmap_size=0", "PRAGMA mmap_size", 0},
		{"locking_mode", NULL, "SELECT locking_mode = 'normal' FROM pragma_locking_mode",
		 1},
		{"secure_delete", "PRAGMA secure_delete=FAST", "PRAGMA secure_delete", 2},
		{"cache_size", "PRAGMA cache_size=-16384", "PRAGMA cache_size", -16384},
	};
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		int64_t value = settings[i].value; /* without a row there is no such setting */
		int result = SQLITE_OK;
		if (settings[i].set != NULL)
			result = connection_value(&store->writer, settings[i].set, NULL);
		if (result == SQLITE_OK)
			result = connection_value(&store->writer, settings[i].get, &value);
		if (result != SQLITE_OK)
			return schema_explain(&store->writer, result, path, error);
		if (value != settings[i].value)
			return error_set(error, "%s: SQLite did not take the setting %s", path,
					 settings[i].name);
	}
	if (!room_limit(store))
		return error_set(error, "%s: its size cannot be limited", path);
	sqlite3_wal_hook(store->writer.db, checkpoint_committed_hook, store);
	return true;
}

/* Reads the log into memory. */
MUST_USE static int load_log(struct sqlite_store *store)
{
	sqlite3_stmt *s = NULL;
	int result = sqlite3_prepare_v2(store->writer.db, log_rows_sql, -1, &s, NULL);
	if (result != SQLITE_OK)
		return result;
	while ((result = sqlite3_step(s)) == SQLITE_ROW) {
		const int64_t seq = sqlite3_column_int64(s, 0);
		result = log_row_load(&store->memtable, s);
		if (result != SQLITE_OK)
			break;
		if (store->next_seq == 1)
			store->log_first = seq;
		store->next_seq = seq + 1;
	}
	sqlite3_finalize(s);
	return result == SQLITE_DONE ? SQLITE_OK : result;
}

/* Empties the WAL. A power cut leaves frames of an unanswered commit after the end of the log; if
 * the next commit were cut too, both together could be read as the older one. A full disk or a
 * reader may prevent it: then the WAL stays. */
MUST_USE static int begin_wal(struct sqlite_store *store)
{
	int result = sqlite3_wal_checkpoint_v2(store->writer.db, "main", SQLITE_CHECKPOINT_TRUNCATE,
					       NULL, NULL);
	enum store_status status = connection_checkpoint_status(&store->writer, result);
	store->wal_only = result != SQLITE_OK;
	return status == STORE_BROKEN ? result : SQLITE_OK;
}

static bool start_store(struct sqlite_store *store, const char *path, struct error *error)
{
	int64_t key = 0;
	store->log_first = store->next_seq = 1;
	int result = connection_prepare(&store->writer, writer_sql, W_STATEMENTS);
	if (result == SQLITE_OK)
		result = connection_value(&store->writer, "SELECT max(key) FROM session", &key);
	if (result == SQLITE_OK)
		result = load_log(store);
	if (result == SQLITE_OK)
		result = incarnation_prepare(store);
	if (result == SQLITE_OK)
		result = stage_find_left(store);
	/* Before the checkpoint takes what a deletion released, if the process was killed in it. */
	room_reserve(store, false);
	if (result == SQLITE_OK)
		result = begin_wal(store);
	store->next_key = store->fill_end = key + 1;
	if (result != SQLITE_OK)
		return schema_explain(&store->writer, result, path, error);
	if (files_watch(store))
		return true;
	return error_set(error, "cannot find %s-wal: %s", path, strerror(errno));
}

static bool open_database(struct sqlite_store *store, const char *path, struct error *error)
{
	/* Created here and not by SQLite, which would let everybody read it; its other files get
	 * the same mode. */
	int fd = open_file(store->path);
	if (fd < 0)
		return error_set(error, "cannot open %s: %s", path, strerror(errno));
	/* Open until the end: closing it earlier would drop SQLite's locks. The file itself is
	 * locked too, because it may have other names than that of the lock file. */
	store->file_fd = fd;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		return error_set(error, "%s is in use by another process", path);
	int result = connection_open(&store->writer, store->path, SQLITE_OPEN_READWRITE);
	/* Until it is known to be ours, even closing must not change it. */
	if (result == SQLITE_OK)
		result = sqlite3_db_config(store->writer.db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
					   NULL);
	if (result == SQLITE_OK)
		result = sqlite3_busy_timeout(store->writer.db, CONNECTION_BUSY_MS);
	if (result != SQLITE_OK)
		return schema_explain(&store->writer, result, path, error);
	if (!schema_prepare(&store->writer, path, error) || !configure_writer(store, path, error) ||
	    !start_store(store, path, error))
		return false;
	sqlite3_db_config(store->writer.db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	/* The setting above makes SQLite prepare all statements again at their next use. The
	 * rollback must not need memory then. */
	result = connection_run(&store->writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = connection_run(&store->writer, W_ROLLBACK);
	return result == SQLITE_OK || schema_explain(&store->writer, result, path, error);
}

static bool start_thread(struct sqlite_store *store)
{
	store->wrote_ms = store->purge_ms = monotonic_ms();
	if (!write_queue_init(&store->queue))
		return false;
	store->has_thread = pthread_create(&store->thread, NULL, writer_main, store) == 0;
	return store->has_thread;
}

/* Any part of it may be missing. */
void sqlite_store_close(struct sqlite_store *store)
{
	if (store->has_thread) {
		write_queue_stop(&store->queue);
		pthread_join(store->thread, NULL);
	}
	connection_close(&store->writer);
	if (store->has_memtable)
		memtable_finish(&store->memtable);
	write_queue_finish(&store->queue);
	if (store->reserve_fd >= 0)
		close(store->reserve_fd);
	if (store->file_fd >= 0)
		close(store->file_fd);
	if (store->lock_fd >= 0)
		close(store->lock_fd); /* last: then another process may write */
	buffer_free(&store->log_row);
	free(store->wal_path);
	free(store->path);
	free(store);
}

MUST_USE static enum store_status sqlite_health(struct store *store)
{
	return (enum store_status)atomic_load(&((struct sqlite_store *)store)->health);
}

static void sqlite_close(struct store *store)
{
	sqlite_store_close((struct sqlite_store *)store);
}

static void sqlite_incarnation(const struct store *store, char text[INCARNATION_TEXT + 1])
{
	memcpy(text, ((const struct sqlite_store *)store)->incarnation, INCARNATION_TEXT + 1);
}

static const struct store_operations operations = {
	.name = "sqlite",
	.submit = writer_submit,
	.flush = writer_flush,
	.reader_create = reader_create,
	.reader_destroy = reader_destroy,
	.find = reader_find,
	.at = reader_at,
	.entries = reader_entries,
	.list = reader_list,
	.list_oldest = reader_list_oldest,
	.canonical_index = reader_canonical_index,
	.receipt = reader_receipt,
	.patterns = reader_patterns,
	.solves = reader_solves,
	.solve = reader_solve,
	.solve_count = reader_solve_count,
	.frame = reader_frame,
	.answers = reader_answers,
	.incarnation = sqlite_incarnation,
	.health = sqlite_health,
	.close = sqlite_close,
};

/* *again: it failed, but a second try may succeed. */
static struct sqlite_store *try_open(const char *path, const struct store_options *options,
				     struct error *error, bool *again)
{
	*again = false;
	error_set(error, "no memory for the store");
	struct sqlite_store *store = calloc(1, sizeof(*store));
	if (store == NULL)
		return NULL;
	store->store.operations = &operations;
	store->options = *options;
	store->lock_fd = store->file_fd = store->reserve_fd = -1;
	store->failure = STORE_BROKEN; /* of a generation that never existed */
	store->has_memtable = memtable_init(&store->memtable);
	if (store->has_memtable && check_path(store, path, error) &&
	    lock_database(store, path, error)) {
		if (open_database(store, path, error))
			return store;
		*again = room_release(store);
	}
	sqlite_store_close(store);
	return NULL;
}

struct sqlite_store *sqlite_store_open(const char *path, const struct store_options *options,
				       struct error *error)
{
	bool again;
	struct sqlite_store *store = try_open(path, options, error, &again);
	return again ? try_open(path, options, error, &again) : store;
}

struct store *store_sqlite_open(const char *path, const struct store_options *options,
				struct error *error)
{
	struct sqlite_store *store = sqlite_store_open(path, options, error);
	if (store == NULL)
		return NULL;
	room_reserve(store, true);
	room_measure(store);
	if (start_thread(store))
		return &store->store;
	error_set(error, "cannot start the store's thread");
	sqlite_store_close(store);
	return NULL;
}
