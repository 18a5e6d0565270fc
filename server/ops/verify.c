/* verify.c: cubed verify: the file, and the replay of every history. */
#include "server/ops/ops.h"

#include <inttypes.h>
#include <stdio.h>

#include "server/ops/findings.h"
#include "server/store/database.h"

int verify_run(const struct ops_call *call)
{
	struct error error = {0};
	struct database_counts counts = {0};
	const struct database_visitor visitor = {.context = stdout, .finding = findings_print};
	struct database *database = database_open(call->store, DATABASE_LIVE, &error);
	if (!database)
		return ops_failed("%s", error.text);
	const bool examined = database_examine(database, &visitor, &counts) == STORE_OK;
	const bool walked = database_scan(database, &visitor, &counts) == STORE_OK;
	const bool sound = examined && walked && counts.findings == 0;
	if (!database_close(database))
		return ops_failed("%s changed meanwhile and could not be locked: verify it again",
				  call->name);
	printf("%s: %" PRIu64 " sessions, %" PRIu64 " entries, %" PRIu64 " chunks, %" PRIu64
	       " in the log, %" PRIu64 " solves: ",
	       call->name, counts.sessions, counts.entries, counts.chunks, counts.log,
	       counts.solves);
	if (sound)
		printf("sound\n");
	else
		printf("%" PRIu64 " findings\n", counts.findings);
	return fflush(stdout) == 0 && sound ? 0 : 1;
}
