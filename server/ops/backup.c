/* backup.c: cubed backup FILE: a copy of one moment, verified, synced, and only then named. */
#include "server/ops/ops.h"

#include <inttypes.h>
#include <stdio.h>

#include "server/ops/findings.h"
#include "server/ops/outfile.h"
#include "server/store/database.h"

static bool copy(const struct ops_call *call, const char *to, char *problem, size_t capacity)
{
	struct database *database = database_open(call->path, DATABASE_LIVE, problem, capacity);
	if (!database)
		return false;
	bool copied = database_copy(database, to, problem, capacity);
	if (database_close(database) || !copied)
		return copied;
	snprintf(problem, capacity, "%s was written to meanwhile and could not be locked",
		 call->path);
	return false;
}

/* A backup of a damaged database is none. */
static bool check(const char *path, struct database_counts *counts, char *problem, size_t capacity)
{
	const struct database_visitor visitor = {.context = stderr, .finding = findings_print};
	struct database *database = database_open(path, DATABASE_STILL, problem, capacity);
	if (!database)
		return false;
	(void)database_examine(database, &visitor, counts);
	(void)database_walk(database, &visitor, counts);
	snprintf(problem, capacity,
		 "the database has %" PRIu64 " findings (cubed verify tells them again); the "
		 "backup was not kept",
		 counts->findings);
	return database_close(database) && counts->findings == 0;
}

int backup_run(const struct ops_call *call)
{
	char problem[OPS_PROBLEM_BYTES];
	struct database_counts counts = {0};
	struct outfile file;
	int code = 1;
	if (!outfile_open(&file, call->file))
		return ops_failed("%s", file.problem);
	if (!copy(call, file.temporary, problem, sizeof problem) ||
	    !check(file.temporary, &counts, problem, sizeof problem)) {
		ops_failed("%s", problem);
	} else if (!outfile_commit(&file)) {
		ops_failed("%s", file.problem);
	} else {
		printf("%s: %" PRIu64 " sessions, %" PRIu64 " entries: backed up\n", call->file,
		       counts.sessions, counts.entries);
		code = 0;
	}
	outfile_close(&file);
	return code;
}
