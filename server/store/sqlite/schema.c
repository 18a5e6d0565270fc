/* schema.c: the versions of the database, and the SQL for each, which is part of the binary. */
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "cube": what PRAGMA application_id says of our files. */
#define APPLICATION_ID 1668637285

/* A file as NUL-terminated text. Paths are relative to the project's root, where the compiler
 * runs. */
#define EMBED(symbol, path)                                                                        \
	__asm__(".pushsection .rodata\n"                                                           \
		".global " #symbol "\n"                                                            \
		".hidden " #symbol "\n" #symbol ":\n"                                              \
		".incbin \"" path "\"\n"                                                           \
		".byte 0\n"                                                                        \
		".popsection\n");                                                                  \
	extern const char symbol[]

EMBED(schema_001, "schema/001-initial.sql");
EMBED(schema_002, "schema/002-access.sql");
EMBED(schema_003, "schema/003-solves.sql");
EMBED(schema_004, "schema/004-compact.sql");
EMBED(schema_005, "schema/005-batches.sql");
EMBED(schema_006, "schema/006-assistance.sql");
EMBED(schema_007, "schema/007-listed.sql");
EMBED(schema_008, "schema/008-events.sql");
EMBED(schema_009, "schema/009-guests.sql");
EMBED(schema_010, "schema/010-checksums.sql");

/* versions[i] upgrades version i to i + 1. */
static const char *const versions[] = {schema_001, schema_002, schema_003, schema_004, schema_005,
				       schema_006, schema_007, schema_008, schema_009, schema_010};

#define VERSION ((int)(sizeof(versions) / sizeof(versions[0])))

bool schema_explain(struct sqlite_connection *connection, int result, const char *path,
		    struct error *error)
{
	int cause = connection->db == NULL ? 0 : sqlite3_system_errno(connection->db);
	if ((result & 0xff) == SQLITE_NOTADB)
		return error_set(error, "%s is not a database", path);
	if ((result & 0xff) == SQLITE_BUSY)
		return error_set(error, "%s is in use by another process", path);
	if ((result & 0xff) == SQLITE_CORRUPT)
		return error_set(error, "%s is damaged", path);
	return error_set(error, "cannot open %s: %s", path,
			 cause != 0 ? strerror(cause) : sqlite3_errstr(result));
}

/* Upgrades in one transaction, which is rolled back on closing if it fails. */
MUST_USE static int schema_upgrade(struct sqlite_connection *connection, int version)
{
	char end[96];
	if (version == VERSION)
		return SQLITE_OK;
	snprintf(end, sizeof(end), "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
		 APPLICATION_ID, VERSION);
	int result = log_row_define(connection->db);
	if (result == SQLITE_OK)
		result = sqlite3_exec(connection->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	for (; version < VERSION && result == SQLITE_OK; version++)
		result = sqlite3_exec(connection->db, versions[version], NULL, NULL, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_exec(connection->db, end, NULL, NULL, NULL);
	return result;
}

int schema_make(struct sqlite_connection *connection)
{
	return schema_upgrade(connection, 0);
}

/* Returns true if the database is empty (*fresh), or ours and of a version that this program
 * knows. */
static bool schema_identify(struct sqlite_connection *connection, const char *path, bool *fresh,
			    int *version, struct error *error)
{
	int64_t application = 0, number = 0, tables = 0;
	int result = connection_value(connection, "PRAGMA application_id", &application);
	if (result == SQLITE_OK)
		result = connection_value(connection, "PRAGMA user_version", &number);
	if (result == SQLITE_OK)
		result =
			connection_value(connection, "SELECT count(*) FROM sqlite_schema", &tables);
	if (result != SQLITE_OK)
		return schema_explain(connection, result, path, error);
	*fresh = application == 0 && number == 0 && tables == 0;
	if (!*fresh && application != APPLICATION_ID)
		return error_set(error, "%s is the database of another program", path);
	if (number > VERSION || number < 0)
		return error_set(error,
				 "%s was written by a newer version (schema %lld, this is %d)",
				 path, (long long)number, VERSION);
	*version = (int)number;
	return true;
}

bool schema_check(struct sqlite_connection *connection, const char *path, bool accept_older,
		  bool *older, struct error *error)
{
	bool fresh;
	int version;
	if (!schema_identify(connection, path, &fresh, &version, error))
		return false;
	if (fresh)
		return error_set(error, "%s is empty: no server has begun it yet", path);
	*older = version < VERSION;
	return !*older || accept_older ||
	       error_set(error,
			 "%s was written by an older version (schema %d, this is %d): start the "
			 "server once to bring it up to date",
			 path, version, VERSION);
}

/* Copies a database before it is upgraded, and logs that. */
static bool keep_copy(struct sqlite_connection *connection, const char *path, int version,
		      char **copy, struct error *error)
{
	*copy = copy_keep(connection, VERSION, error);
	if (*copy == NULL)
		return false;
	log_event(LOG_INFO, "the database is upgraded; a copy from before is kept",
		  LOG_TEXT("path", path), LOG_NUMBER("schema", version),
		  LOG_NUMBER("new_schema", VERSION), LOG_TEXT("copy", *copy));
	return true;
}

bool schema_prepare(struct sqlite_connection *connection, const char *path, struct error *error)
{
	bool fresh;
	int version;
	char *copy = NULL;
	if (!schema_identify(connection, path, &fresh, &version, error))
		return false;
	if (!fresh && version < VERSION && !keep_copy(connection, path, version, &copy, error))
		return false;
	/* The first write, only now: the journal mode. */
	int result = connection_value(connection, "PRAGMA auto_vacuum=NONE", NULL);
	if (result == SQLITE_OK)
		result = connection_value(connection, "PRAGMA journal_mode=WAL", NULL);
	if (result == SQLITE_OK)
		result = schema_upgrade(connection, version);
	/* Nothing was changed, and the copy takes the room that is missing. */
	if ((result & 0xff) == SQLITE_FULL && copy != NULL)
		unlink(copy);
	free(copy);
	return result == SQLITE_OK || schema_explain(connection, result, path, error);
}
