/* copy.c: copies of a database by SQLite's backup API: backups, and the one from before an upgrade. */
#include "server/store/sqlite/sqlite_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/util/folder.h"

#define COPY_PAGES 4096

MUST_USE static int copy_pages(struct sqlite_connection *to, struct sqlite_connection *from)
{
	sqlite3_backup *backup = sqlite3_backup_init(to->db, "main", from->db, "main");
	if (!backup)
		return sqlite3_extended_errcode(to->db);
	int result;
	do /* nothing changes the source between steps */
		result = sqlite3_backup_step(backup, COPY_PAGES);
	while (result == SQLITE_OK);
	int finished = sqlite3_backup_finish(backup);
	if (result != SQLITE_DONE)
		return result;
	return finished;
}

/* Removes what must not be in a copy; the oldest schemas do not have it. */
MUST_USE static int forget(struct sqlite_connection *to)
{
	int64_t meta = 0, solves = 0;
	int result = connection_value(to, "SELECT count(*) FROM sqlite_schema WHERE name = 'meta'",
				      &meta);
	if (result == SQLITE_OK && meta > 0)
		result = incarnation_forget(to);
	if (result == SQLITE_OK)
		result = connection_value(
			to, "SELECT count(*) FROM sqlite_schema WHERE name = 'solve'", &solves);
	return result == SQLITE_OK && meta > 0 && solves > 0 ? stage_forget(to) : result;
}

int copy_make(struct sqlite_connection *from, const char *path, bool *full)
{
	struct sqlite_connection to;
	int result = connection_open(&to, path, SQLITE_OPEN_READWRITE);
	/* The caller syncs the file once, and deletes it if anything fails. */
	if (result == SQLITE_OK)
		result = connection_value(&to, "PRAGMA journal_mode=OFF", NULL);
	if (result == SQLITE_OK)
		result = connection_value(&to, "PRAGMA synchronous=OFF", NULL);
	if (result == SQLITE_OK)
		result = copy_pages(&to, from);
	if (result == SQLITE_OK)
		result = forget(&to);
	/* It may have a log of its own by now. */
	if (result == SQLITE_OK)
		result = connection_value(&to, "PRAGMA wal_checkpoint(TRUNCATE)", NULL);
	*full = to.db != NULL && connection_checkpoint_status(&to, result) == STORE_FULL;
	connection_close(&to);
	return result;
}

/* ---- before an upgrade ---- */

/* Removes an unfinished copy. */
static void remove_part(const char *part)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		char *path = NULL;
		if (asprintf(&path, "%s%s", part, suffixes[i]) < 0)
			continue;
		unlink(path);
		free(path);
	}
}

static bool sync_file(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	const bool synced = fd >= 0 && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return synced;
}

static bool create_file(const char *path)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd >= 0 && close(fd) == 0;
}

/* Gives the file its name, durably; one of an earlier attempt is replaced. */
static bool give_name(const char *part, const char *path)
{
	return sync_file(part) && rename(part, path) == 0 && folder_sync_of(path);
}

/* Makes the copy under a name of its own first. NULL, or why it failed. */
static const char *make_part(struct sqlite_connection *from, const char *part, const char *path)
{
	bool full = false;
	remove_part(part);
	errno = 0;
	if (!create_file(part))
		return strerror(errno);
	const int result = copy_make(from, part, &full);
	if (full)
		return "there is not enough space; it takes as much as the database";
	if (result != SQLITE_OK)
		return sqlite3_errstr(result);
	return give_name(part, path) ? NULL : strerror(errno);
}

char *copy_keep(struct sqlite_connection *from, int version, struct error *error)
{
	const char *database = sqlite3_db_filename(from->db, "main");
	char *path = NULL, *part = NULL;
	if (asprintf(&path, "%s.before-%d", database, version) < 0 ||
	    asprintf(&part, "%s.part", path) < 0) {
		free(path);
		error_set(error, "no memory to upgrade %s", database);
		return NULL;
	}
	const char *wrong = make_part(from, part, path);
	if (wrong != NULL) {
		remove_part(part);
		error_set(error,
			  "%s is not upgraded to schema %d, because it cannot be copied to %s "
			  "before: %s",
			  database, version, path, wrong);
		free(path);
		path = NULL;
	}
	free(part);
	return path;
}
