/* database.c: opens a database from outside the server, read-only, and copies it. */
#include "server/store/sqlite/database_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- opening ---- */

/* The path as a URI for a file that does not change: read without locks. */
static char *unlocked_uri(const char *path)
{
	static const char head[] = "file:", tail[] = "?immutable=1";
	char *uri = malloc(sizeof head + 3 * strlen(path) + sizeof tail);
	if (!uri)
		return NULL;
	char *at = stpcpy(uri, head);
	for (; *path; path++) {
		if (strchr("?#%", *path))
			at += snprintf(at, 4, "%%%02X", (unsigned)*path);
		else
			*at++ = *path;
	}
	stpcpy(at, tail);
	return uri;
}

/* Read-only in three ways, as the readers of the server, and in one transaction. */
MUST_USE static int open_connection(struct sqlite_database *database)
{
	struct sqlite_connection *c = &database->connection;
	int64_t tables;
	int result;
	if (database->unlocked) {
		char *uri = unlocked_uri(database->path);
		if (!uri)
			return SQLITE_NOMEM;
		result = connection_open_read_only(c, uri, SQLITE_OPEN_URI);
		free(uri);
	} else {
		result = connection_open_read_only(c, database->path, 0);
	}
	if (result == SQLITE_OK)
		result = connection_value(c, "BEGIN", NULL);
	if (result == SQLITE_OK) /* begins the snapshot */
		result = connection_value(c, "SELECT count(*) FROM sqlite_schema", &tables);
	return result;
}

static bool log_is_empty(const struct sqlite_database *database)
{
	struct stat log;
	char *path = NULL;
	if (asprintf(&path, "%s-wal", database->path) < 0)
		return false;
	bool empty = stat(path, &log) != 0 ? errno == ENOENT : log.st_size == 0;
	free(path);
	return empty;
}

/* The database of a stopped server has no -shm file; if none can be created (a read-only file
 * system, a folder of another user), it can only be read without locks. That misses nothing if the
 * log is empty. */
static bool open_somehow(struct sqlite_database *database, struct error *error)
{
	int result = open_connection(database);
	int kind = result & 0xff;
	if ((kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY || kind == SQLITE_IOERR) &&
	    !database->unlocked && access(database->path, R_OK) == 0) {
		if (!log_is_empty(database))
			return error_set(
				error,
				"%s has changes in %s-wal that cannot be read here because %s-shm "
				"cannot be written: copy the database and its -wal to a folder "
				"that can be written",
				database->path, database->path, database->path);
		connection_close(&database->connection);
		database->unlocked = true;
		result = open_connection(database);
	}
	if (result == SQLITE_OK)
		return true;
	return schema_explain(&database->connection, result, database->path, error);
}

static void database_free(struct sqlite_database *database)
{
	connection_close(&database->connection);
	if (database->lock_fd >= 0)
		close(database->lock_fd);
	free(database->path);
	free(database);
}

/* Takes the lock of a server. Where the lock file cannot be made, no server can run either. */
static bool lock_alone(struct sqlite_database *database, const char *path, struct error *error)
{
	char *lock_path = NULL;
	if (asprintf(&lock_path, "%s.lock", database->path) < 0)
		return false;
	database->lock_fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	free(lock_path);
	return database->lock_fd < 0 || flock(database->lock_fd, LOCK_EX | LOCK_NB) == 0 ||
	       error_set(error, "%s is in use by a server: stop it first", path);
}

static bool accepts_older(enum database_use use)
{
	return use == DATABASE_COPIED || use == DATABASE_STILL;
}

static struct database *open_database(const char *path, enum database_use use, struct error *error)
{
	error_set(error, "no memory to open %s", path);
	struct sqlite_database *database = calloc(1, sizeof *database);
	if (!database)
		return NULL;
	database->base.kind = &database_sqlite;
	database->lock_fd = -1;
	database->unlocked = use == DATABASE_STILL;
	database->path = realpath(path, NULL);
	if (!database->path || stat(database->path, &database->file) != 0) {
		error_set(error, "cannot open %s: %s", path, strerror(errno));
		goto failed;
	}
	if (!S_ISREG(database->file.st_mode)) {
		error_set(error, "%s is %s", path,
			  S_ISDIR(database->file.st_mode) ? "a directory" : "not a regular file");
		goto failed;
	}
	if (use == DATABASE_ALONE && !lock_alone(database, path, error))
		goto failed;
	if (open_somehow(database, error) &&
	    schema_check(&database->connection, path, accepts_older(use), &database->base.older,
			 error))
		return &database->base;
failed:
	database_free(database);
	return NULL;
}

static struct sqlite_database *sqlite_database(struct database *database)
{
	return (struct sqlite_database *)(void *)database;
}

static bool close_database(struct database *base)
{
	struct sqlite_database *database = sqlite_database(base);
	struct stat now;
	bool same = !database->unlocked ||
		    (stat(database->path, &now) == 0 && now.st_size == database->file.st_size &&
		     now.st_mtim.tv_sec == database->file.st_mtim.tv_sec &&
		     now.st_mtim.tv_nsec == database->file.st_mtim.tv_nsec);
	database_free(database);
	return same;
}

static enum store_status examine_database(struct database *database,
					  const struct database_visitor *visitor,
					  struct database_counts *counts)
{
	struct sqlite_connection *connection = &sqlite_database(database)->connection;
	return database->older ? examine_file(connection, visitor, counts)
			       : examine_connection(connection, visitor, counts);
}

static enum store_status scan_database(struct database *database,
				       const struct database_visitor *visitor,
				       struct database_counts *counts)
{
	return scan_connection(&sqlite_database(database)->connection, visitor, counts);
}

/* ---- copying ---- */

static bool copy_database(struct database *base, const char *path, struct error *error)
{
	struct sqlite_database *database = sqlite_database(base);
	bool full;
	/* The open transaction keeps it as it is. */
	const int result = copy_make(&database->connection, path, &full);
	return result == SQLITE_OK ||
	       error_set(error, "cannot copy %s: %s", database->path, sqlite3_errstr(result));
}

const struct database_kind database_sqlite = {
	.open = open_database,
	.load = load_begin,
	.close = close_database,
	.examine = examine_database,
	.scan = scan_database,
	.copy = copy_database,
};
