/* backup.c: cubed backup FILE: a copy of one moment, verified, synced, and only then named. */
#include "server/ops/ops.h"

#include <inttypes.h>
#include <stdio.h>

#include "server/ops/findings.h"
#include "server/ops/outfile.h"
#include "server/store/database.h"

static bool copy_database(const struct ops_call *call, const char *to, struct error *error)
{
	struct database *database = database_open(call->store, DATABASE_COPIED, error);
	if (!database)
		return false;
	bool copied = database_copy(database, to, error);
	if (database_close(database) || !copied)
		return copied;
	return error_set(error, "%s changed meanwhile and could not be locked", call->name);
}

/* A backup of a damaged database is refused. The histories of an older schema are not read. */
static bool check_copy(const char *path, struct database_counts *counts, bool *older,
		       struct error *error)
{
	const struct database_visitor visitor = {.context = stderr, .finding = findings_print};
	struct database *database = database_open(path, DATABASE_STILL, error);
	if (!database)
		return false;
	const bool examined = database_examine(database, &visitor, counts) == STORE_OK;
	*older = database_is_older(database);
	const bool walked = *older || database_scan(database, &visitor, counts) == STORE_OK;
	const bool closed = database_close(database);
	return (examined && walked && closed && counts->findings == 0) ||
	       error_set(error,
			 "the database has %" PRIu64 " findings (cubed verify lists them); the "
			 "backup was not kept",
			 counts->findings);
}

int backup_run(const struct ops_call *call)
{
	struct error error = {0};
	struct database_counts counts = {0};
	struct outfile file;
	bool older = false;
	int code = 1;
	const char *refusal = database_copy_refusal(call->store);
	if (refusal) {
		ops_failed("%s is not copied by this command: %s", call->name, refusal);
		return OPS_EXIT_USAGE;
	}
	if (!outfile_open(&file, call->file))
		return ops_failed("%s", file.error.text);
	if (!copy_database(call, file.temporary, &error) ||
	    !check_copy(file.temporary, &counts, &older, &error)) {
		ops_failed("%s", error.text);
	} else if (!outfile_commit(&file)) {
		ops_failed("%s", file.error.text);
	} else if (older) {
		printf("%s: of an older schema, backed up as it is; its pages were checked, its "
		       "histories were not\n",
		       call->file);
		code = 0;
	} else {
		printf("%s: %" PRIu64 " sessions, %" PRIu64 " entries: backed up\n", call->file,
		       counts.sessions, counts.entries);
		code = 0;
	}
	outfile_close(&file);
	return code;
}
