/* migrate.c: cubed migrate FROM TO: a whole database into an empty one, of the same or another
 * kind, all of it or nothing. */
#include "server/ops/ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/ops/findings.h"
#include "server/store/database.h"
#include "server/store/session_id.h"
#include "server/util/monotonic.h"

#define PROGRESS_MS 1000

struct migration {
	struct database_loader *loader;
	struct error error; /* the loader uses it too */
	struct session_id session;
	bool open; /* in the middle of that session */
	bool failed;
	uint64_t sessions, entries, solves;
	int64_t told_ms; /* when progress was printed last */
};

static bool kept(struct migration *migration, bool loaded)
{
	migration->failed = !loaded;
	return loaded;
}

/* ---- the visitor ---- */

static void print_progress(struct migration *migration)
{
	const int64_t now_ms = monotonic_ms();
	if (now_ms - migration->told_ms < PROGRESS_MS)
		return;
	migration->told_ms = now_ms;
	fprintf(stderr, "%" PRIu64 " sessions, %" PRIu64 " entries, %" PRIu64 " solves\n",
		migration->sessions, migration->entries, migration->solves);
}

static bool move_session(void *context, const struct database_session *session)
{
	struct migration *migration = context;
	migration->session = session->meta.id;
	migration->open = true;
	migration->sessions++;
	print_progress(migration);
	return kept(migration, database_load_session(migration->loader, session));
}

static bool move_entry(void *context, int size, const struct entry *entry)
{
	struct migration *migration = context;
	(void)size;
	migration->entries++;
	return kept(migration, database_load_entry(migration->loader, entry));
}

static bool move_end(void *context)
{
	struct migration *migration = context;
	const bool loaded = database_load_end(migration->loader);
	migration->open = !loaded;
	return kept(migration, loaded);
}

static bool move_receipt(void *context, const struct receipt *receipt)
{
	struct migration *migration = context;
	return kept(migration, database_load_receipt(migration->loader, receipt));
}

static bool move_solve(void *context, const struct stored_solve *solve)
{
	struct migration *migration = context;
	migration->solves++;
	print_progress(migration);
	return kept(migration, database_load_solve(migration->loader, solve));
}

static bool move_frame(void *context, const struct session_id *book, const char *frame)
{
	struct migration *migration = context;
	return kept(migration, database_load_frame(migration->loader, book, frame));
}

static bool move_answer(void *context, const struct stored_answer *answer)
{
	struct migration *migration = context;
	return kept(migration, database_load_answer(migration->loader, answer));
}

static void print_finding(void *context, const struct session_id *session, const char *what)
{
	(void)context;
	findings_print(stderr, session, what);
}

/* ---- the command ---- */

static int load_failed(const struct migration *migration)
{
	char id[SESSION_ID_TEXT + 1] = "";
	session_id_print(&migration->session, id);
	return ops_failed("%s%s%s%s; nothing was migrated", migration->open ? "session " : "",
			  migration->open ? id : "", migration->open ? ": " : "",
			  migration->error.text);
}

static int move_all(struct migration *migration, struct database *from, const char *from_name,
		    const char *to_name)
{
	const struct database_visitor visitor = {.context = migration,
						 .session = move_session,
						 .entry = move_entry,
						 .end = move_end,
						 .receipt = move_receipt,
						 .solve = move_solve,
						 .frame = move_frame,
						 .answer = move_answer,
						 .finding = print_finding};
	struct database_counts counts = {0}, loaded;
	const bool examined = database_examine(from, &visitor, &counts) == STORE_OK;
	const bool scanned = examined && database_scan(from, &visitor, &counts) == STORE_OK;
	if (migration->failed)
		return load_failed(migration);
	if (!scanned || counts.findings > 0)
		return ops_failed("%s has findings (cubed verify lists them); nothing was migrated",
				  from_name);
	fprintf(stderr, "checking what was written\n");
	if (!database_load_commit(migration->loader, &loaded))
		return ops_failed("%s; nothing was migrated", migration->error.text);
	printf("%s to %s: %" PRIu64 " sessions, %" PRIu64 " entries, %" PRIu64
	       " solves: migrated\n",
	       from_name, to_name, migration->sessions, migration->entries, migration->solves);
	return 0;
}

int migrate_run(const struct ops_call *call)
{
	struct migration migration = {.told_ms = monotonic_ms()};
	const char *from_name = database_name(call->words[0]);
	const char *to_name = database_name(call->words[1]);
	for (int i = 0; i < 2; i++)
		if (!database_location(call->words[i])) {
			ops_failed("migrate needs two databases, sqlite:PATH or "
				   "postgresql:CONNINFO; the %s is neither",
				   i == 0 ? "first" : "second");
			return OPS_EXIT_USAGE;
		}
	if (strcmp(call->words[0], call->words[1]) == 0) {
		ops_failed("migrate needs two databases; both words name the same");
		return OPS_EXIT_USAGE;
	}
	struct database *from = database_open(call->words[0], DATABASE_ALONE, &migration.error);
	if (!from)
		return ops_failed("%s", migration.error.text);
	int code = 1;
	migration.loader = database_load(call->words[1], &migration.error);
	if (migration.loader)
		code = move_all(&migration, from, from_name, to_name);
	else
		ops_failed("%s", migration.error.text);
	database_load_close(migration.loader);
	if (!database_close(from) && code == 0)
		code = ops_failed("%s changed meanwhile and could not be locked", from_name);
	return code;
}
