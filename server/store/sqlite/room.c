/* room.c: deletions when the store is full, and the room that they free.
 *
 * A deletion writes a row before it frees anything. So it may exceed the limit of the store's size
 * by RESERVE_PAGES. If the disk itself is full, a reserved file beside the database is truncated
 * for it, and grown again right after, as far as there is room. The contents of a deleted session
 * are then removed at once instead of after 30 days; the session still answers that it was
 * deleted. */
#include "server/store/sqlite/sqlite_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "server/util/meters.h"
#include "server/util/monotonic.h"

#define FULL_PAGES 4   /* an entry may still fit, but not most changes */
#define SHORT_SHARE 16 /* room is short if less than this part of the limit is left */
#define RESERVE_PAGES 256
#define RESERVE_BYTES (1 << 20)
#define RESERVE_LEAST 4096
#define RESERVE_SHARE 16 /* at most this part of the disk: a small disk has a small reserve */
#define RETRY_MS 1000
#define MEASURE_MS 1000

/* ---- the limit of size ---- */

/* Above it SQLite returns SQLITE_FULL. */
static bool set_limit(struct sqlite_store *store, uint64_t pages)
{
	char pragma[64];
	snprintf(pragma, sizeof(pragma), "PRAGMA max_page_count=%llu", (unsigned long long)pages);
	return connection_value(&store->writer, pragma, NULL) == SQLITE_OK;
}

bool room_limit(struct sqlite_store *store)
{
	int64_t page_bytes = 0, count = 0;
	const uint64_t bytes = store->options.bytes_max;
	if (connection_value(&store->writer, "PRAGMA page_size", &page_bytes) != SQLITE_OK ||
	    connection_value(&store->writer, "PRAGMA page_count", &count) != SQLITE_OK ||
	    page_bytes <= 0)
		return false;
	uint64_t pages = bytes / (uint64_t)page_bytes + 1;
	if (pages < (uint64_t)count)
		pages = (uint64_t)count;
	if (bytes == 0 || pages >= UINT32_MAX - 1 - RESERVE_PAGES)
		return true;
	store->page_limit = pages;
	return set_limit(store, pages);
}

static bool count_pages(struct sqlite_store *store, uint64_t *used)
{
	int64_t count = 0, unused = 0;
	if (connection_value(&store->writer, "PRAGMA page_count", &count) != SQLITE_OK ||
	    connection_value(&store->writer, "PRAGMA freelist_count", &unused) != SQLITE_OK)
		return false;
	*used = (uint64_t)(count - unused);
	return true;
}

/* Returns the number of pages that may still be filled; UINT64_MAX without a limit. */
static uint64_t pages_left(struct sqlite_store *store)
{
	uint64_t used;
	if (store->page_limit == 0 || !count_pages(store, &used))
		return UINT64_MAX;
	return used < store->page_limit ? store->page_limit - used : 0;
}

void room_measure(struct sqlite_store *store)
{
	struct statvfs disk;
	uint64_t pages;
	int64_t page_bytes = 0;
	const int64_t now = monotonic_ms();
	if (store->broken || (store->measured_ms != 0 && now - store->measured_ms < MEASURE_MS))
		return;
	store->measured_ms = now;
	if (count_pages(store, &pages) &&
	    connection_value(&store->writer, "PRAGMA page_size", &page_bytes) == SQLITE_OK)
		meter_set(METER_STORE_BYTES, pages * (uint64_t)page_bytes);
	if (fstatvfs(store->file_fd, &disk) == 0)
		meter_set(METER_DISK_FREE, (uint64_t)disk.f_bavail * disk.f_frsize + 1);
}

bool room_is_out(struct sqlite_store *store)
{
	return pages_left(store) < FULL_PAGES;
}

/* Deletions need not be in the order of their times: goes back if one is not later than those that
 * are emptied already. */
static void go_back(struct sqlite_store *store, const struct store_write *batch)
{
	for (; batch != NULL; batch = batch->next)
		if (batch->kind == WRITE_DELETE && batch->meta.updated_ms <= store->room_ms) {
			store->room_ms = batch->meta.updated_ms - 1;
			store->room_key = 0;
		}
}

/* After a transaction with a higher limit the file has more pages, and SQLite never reduces that
 * number: so the pages in use are counted here. */
bool room_is_exceeded(struct sqlite_store *store)
{
	return store->limit_raised && pages_left(store) == 0;
}

void room_freed(struct sqlite_store *store, const struct store_write *batch)
{
	go_back(store, batch);
	if (!store->full && pages_left(store) >= store->page_limit / SHORT_SHARE)
		return;
	store->needs_room = true;
}

/* ---- the reserve ---- */

void room_refill(struct sqlite_store *store)
{
	const int fd = store->reserve_fd;
	if (fd < 0 || store->reserve_bytes >= store->reserve_wanted)
		return;
	/* All that is left, to a page: what the reserve does not take, the next changes do. */
	for (off_t more = store->reserve_wanted - store->reserve_bytes; more >= RESERVE_LEAST;) {
		if (posix_fallocate(fd, store->reserve_bytes, more) == 0)
			store->reserve_bytes += more;
		/* On some file systems a failed try has taken what room there was. */
		else if (ftruncate(fd, store->reserve_bytes) != 0)
			return;
		const off_t missing = store->reserve_wanted - store->reserve_bytes;
		more = more / 2 < missing ? more / 2 : missing;
	}
}

MUST_USE static int open_reserve(const struct sqlite_store *store, int flags)
{
	char *path = NULL;
	if (asprintf(&path, "%s.reserve", store->path) < 0)
		return -1;
	const int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
	free(path);
	return fd;
}

bool room_release(const struct sqlite_store *store)
{
	struct statvfs disk;
	struct stat file;
	const int fd = open_reserve(store, 0);
	if (fd < 0)
		return false;
	const bool released =
		fstat(fd, &file) == 0 && file.st_size > 0 && fstatvfs(fd, &disk) == 0 &&
		(uint64_t)disk.f_bavail * disk.f_frsize < RESERVE_BYTES && ftruncate(fd, 0) == 0;
	close(fd);
	return released;
}

void room_reserve(struct sqlite_store *store, bool create)
{
	struct statvfs disk;
	struct stat file;
	if (store->reserve_fd < 0)
		store->reserve_fd = open_reserve(store, create ? O_CREAT : 0);
	const int fd = store->reserve_fd;
	if (fd < 0 || fstat(fd, &file) != 0 || fstatvfs(fd, &disk) != 0)
		return;
	const uint64_t share = (uint64_t)disk.f_blocks * disk.f_frsize / RESERVE_SHARE;
	store->reserve_bytes = file.st_size;
	store->reserve_wanted = share < RESERVE_BYTES ? (off_t)share : RESERVE_BYTES;
	room_refill(store);
}

MUST_USE static enum store_status run_on_reserve(struct sqlite_store *store, room_transaction *run,
						 void *context)
{
	if (ftruncate(store->reserve_fd, 0) != 0)
		return STORE_FULL;
	store->reserve_bytes = 0;
	enum store_status status = run(store, context);
	room_refill(store);
	return status;
}

enum store_status room_run(struct sqlite_store *store, bool reserve, room_transaction *run,
			   void *context)
{
	enum store_status status = run(store, context);
	if (status != STORE_FULL)
		return status;
	const bool limited = store->page_limit > 0;
	store->limit_raised |= limited;
	if (limited && set_limit(store, store->page_limit + RESERVE_PAGES))
		status = run(store, context);
	if (status == STORE_FULL && reserve && store->reserve_bytes > 0)
		status = run_on_reserve(store, run, context);
	/* If it stays raised, room_is_exceeded() still keeps others below it. */
	if (limited && !store->broken)
		set_limit(store, store->page_limit);
	return status;
}

/* ---- making room ---- */

MUST_USE static enum store_status run_compact(struct sqlite_store *store, void *context)
{
	(void)context;
	return compact_slice(store);
}

MUST_USE static enum store_status run_purge(struct sqlite_store *store, void *context)
{
	(void)context;
	return purge_for_room(store);
}

/* Compacts first: entries in the log of an emptied session could not be compacted. The reserve is
 * only for deletions, which take some 5 pages each. */
void room_make(struct sqlite_store *store)
{
	const int64_t now = monotonic_ms();
	if (!store->needs_room || store->broken || now < store->retry_ms)
		return;
	const bool compacts = compact_has_work(store);
	enum store_status status = room_run(store, false, compacts ? run_compact : run_purge, NULL);
	if (status == STORE_NOT_FOUND && !compacts)
		store->needs_room = false;
	else if (status == STORE_OK || status == STORE_NOT_FOUND)
		checkpoint_long(store);
	else
		store->retry_ms = now + RETRY_MS;
	/* Perhaps only the write-ahead log cannot grow: once copied, it starts again. */
	if (status == STORE_FULL)
		checkpoint_idle(store);
	room_refill(store);
}
