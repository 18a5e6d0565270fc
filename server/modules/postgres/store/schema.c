/* schema.c: the tables and their versions, the incarnation.
 *
 * Several processes may start at once with an empty database. Each runs one transaction that makes
 * everything; the first one wins, and the others fail on a name that is there by then and begin
 * again. An upgrade locks the row of `meta`. */
#include "server/modules/postgres/store/postgres_internal.h"

#include "server/util/log.h"
#include "server/util/meters.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define TRIES 50
#define PAUSE_MS 100
#define SERVER_OLDEST 150000 /* server_version_num */

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

EMBED(postgres_schema_001, "server/modules/postgres/schema/001-initial.sql");
EMBED(postgres_schema_001_tuning, "server/modules/postgres/schema/001-tuning.sql");

/* versions[i] upgrades version i to i + 1; `tuning`: NULL, or how its tables are stored. `minimum`: the
 * oldest version that a program may know to use the database after it. */
static const struct {
	const char *sql, *tuning;
	int minimum;
} versions[SCHEMA_VERSION] = {
	{postgres_schema_001, postgres_schema_001_tuning, 1},
};

static bool explain(const struct connection *c, struct error *error, const char *what)
{
	return error_set(error, "%s: %s", what, c->message);
}

/* One value of one row as text, "" for none. */
static enum failure ask(struct connection *c, const char *sql, char *text, size_t capacity)
{
	PGresult *result;
	text[0] = '\0';
	const enum failure failure =
		pg_run_sql(c, sql, NULL, pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	if (failure == FAILURE_NONE && pq.PQntuples(result) > 0)
		snprintf(text, capacity, "%s", pq.PQgetvalue(result, 0, 0));
	pq.PQclear(result);
	return failure;
}

/* ---- the server ---- */

static bool check_server(struct connection *c, struct error *error)
{
	char text[128];
	if (ask(c, "SELECT version()", text, sizeof(text)) != FAILURE_NONE)
		return explain(c, error, "cannot ask the database");
	if (pq.PQserverVersion(c->pg) < SERVER_OLDEST)
		return error_set(error,
				 "the database server is %.60s; PostgreSQL 15 or newer is needed",
				 text);
	if (ask(c, "SELECT current_setting('synchronous_standby_names', true)", text,
		sizeof(text)) != FAILURE_NONE)
		return explain(c, error, "cannot ask the database");
	if (text[0] == '\0')
		log_event(LOG_WARNING,
			  "the database has no synchronous standby: if its disk is lost, "
			  "so is what it has acknowledged");
	return true;
}

/* ---- versions ---- */

static bool make_random(uint8_t *bytes, size_t length)
{
	return getrandom(bytes, length, 0) == (ssize_t)length;
}

static bool make_incarnation(char text[INCARNATION_TEXT + 1])
{
	uint8_t bytes[INCARNATION_TEXT / 2];
	if (!make_random(bytes, sizeof(bytes)))
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

static enum failure insert_meta(struct connection *c)
{
	char incarnation[INCARNATION_TEXT + 1];
	uint8_t secret[HASH_BYTES];
	struct parameters p = {0};
	PGresult *result;
	if (!make_incarnation(incarnation) || !make_random(secret, sizeof(secret)))
		return FAILURE_OTHER;
	parameters_text(&p, incarnation);
	parameters_bytes(&p, secret, sizeof(secret));
	const enum failure failure =
		pg_run_sql(c,
			   "INSERT INTO meta (version, minimum, incarnation, secret)"
			   " VALUES (0, 0, $1::text, $2::bytea)",
			   &p, pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	pq.PQclear(result);
	parameters_free(&p);
	return failure;
}

/* Inside of a transaction, from `version` on. */
static enum failure run_versions(struct connection *c, int version)
{
	enum failure failure = FAILURE_NONE;
	char sql[96];
	for (int i = version; i < SCHEMA_VERSION && failure == FAILURE_NONE; i++) {
		failure = pg_do_sql(c, versions[i].sql);
		if (failure == FAILURE_NONE && i == 0)
			failure = insert_meta(c);
		if (failure == FAILURE_NONE && versions[i].tuning != NULL)
			failure = pg_do_sql(c, versions[i].tuning);
		snprintf(sql, sizeof(sql), "UPDATE meta SET version = %d, minimum = %d", i + 1,
			 versions[i].minimum);
		if (failure == FAILURE_NONE)
			failure = pg_do_sql(c, sql);
	}
	return failure;
}

/* Returns true if another process was first, or the connection may be used again after a moment. */
static bool may_try_again(const struct connection *c)
{
	static const char *const states[] = {
		"23505", "42P06", "42P07",
		"42710", /* it is there by now: key, schema, table, type */
		"40001", "40P01", "55P03",
	};
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(c->sqlstate, states[i]) == 0)
			return true;
	return false;
}

/* One attempt; *version is that of the database, 0: it is empty. */
static enum failure upgrade_once(struct connection *c, int *version, int *minimum)
{
	char there[32], text[32];
	int end = 0;
	*version = *minimum = 0;
	enum failure failure =
		ask(c, "SELECT to_regclass('cubed.meta') IS NOT NULL", there, sizeof(there));
	if (failure == FAILURE_NONE && there[0] == 't')
		failure = ask(c, "SELECT version || ' ' || minimum FROM meta", text, sizeof(text));
	if (failure != FAILURE_NONE)
		return failure;
	if (there[0] == 't' && sscanf(text, "%d %d%n", version, minimum, &end) != 2)
		return FAILURE_OTHER;
	if (*version >= SCHEMA_VERSION)
		return FAILURE_NONE;
	failure =
		pg_do_sql(c, "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
	if (failure == FAILURE_NONE && *version == 0)
		failure = pg_do_sql(c, "CREATE SCHEMA IF NOT EXISTS cubed");
	if (failure == FAILURE_NONE && *version > 0) {
		failure = ask(c, "SELECT version FROM meta FOR UPDATE", text, sizeof(text));
		if (failure == FAILURE_NONE && sscanf(text, "%d", version) != 1)
			failure = FAILURE_OTHER;
	}
	if (failure == FAILURE_NONE)
		failure = run_versions(c, *version);
	if (failure == FAILURE_NONE)
		failure = pg_do_sql(c, "COMMIT");
	if (failure != FAILURE_NONE)
		return failure;
	if (*version < SCHEMA_VERSION) /* no other process was first */
		log_event(LOG_INFO,
			  *version == 0 ? "the tables of the database were created"
					: "the tables of the database were upgraded",
			  LOG_NUMBER("schema", *version), LOG_NUMBER("new_schema", SCHEMA_VERSION));
	*version = SCHEMA_VERSION;
	*minimum = versions[SCHEMA_VERSION - 1].minimum;
	return FAILURE_NONE;
}

static bool upgrade(struct connection *c, struct error *error)
{
	int version, minimum;
	for (int i = 0; i < TRIES; i++) {
		if (upgrade_once(c, &version, &minimum) == FAILURE_NONE) {
			if (minimum <= SCHEMA_VERSION)
				return true;
			return error_set(error,
					 "the database has the newer schema %d; this program knows "
					 "%d: use a newer cubed",
					 version, SCHEMA_VERSION);
		}
		if (!pg_is_open(c) || !may_try_again(c))
			break;
		/* The rollback replaces the cause by nothing. */
		if (pg_do_sql(c, "ROLLBACK") != FAILURE_NONE)
			break;
		nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
	}
	return explain(c, error, "cannot create the tables of the database");
}

/* ---- the incarnation ---- */

enum failure pg_incarnation_read(struct postgres_store *store, struct connection *c)
{
	char text[INCARNATION_TEXT + 2];
	const enum failure failure = ask(c, "SELECT incarnation FROM meta", text, sizeof(text));
	if (failure != FAILURE_NONE)
		return failure;
	lock_acquire(&store->lock);
	snprintf(store->incarnation, sizeof(store->incarnation), "%.*s", INCARNATION_TEXT, text);
	lock_release(&store->lock);
	return FAILURE_NONE;
}

enum failure pg_incarnation_renew(struct postgres_store *store, struct connection *c)
{
	char fresh[INCARNATION_TEXT + 1], old[INCARNATION_TEXT + 1];
	struct parameters p = {0};
	PGresult *result;
	if (!make_incarnation(fresh))
		return FAILURE_OTHER;
	meter_add(METER_STORE_INCARNATIONS, 1);
	lock_acquire(&store->lock);
	memcpy(old, store->incarnation, sizeof(old));
	lock_release(&store->lock);
	parameters_text(&p, fresh);
	parameters_text(&p, old);
	enum failure failure =
		pg_run_sql(c, "UPDATE meta SET incarnation = $1::text WHERE incarnation = $2::text",
			   &p, pg_deadline_ns(CONNECTION_ANSWER_MS), &result);
	pq.PQclear(result);
	parameters_free(&p);
	if (failure == FAILURE_NONE)
		failure = pg_incarnation_read(store, c);
	return failure;
}

/* Asks for the place of the database: the identifier of its server and its timeline. Not every
 * service shows them: then it is "". */
static bool ask_place(struct connection *c, char *place, size_t capacity)
{
	const enum failure failure = ask(c,
					 "SELECT s.system_identifier || ' ' || k.timeline_id"
					 " FROM pg_control_system() s, pg_control_checkpoint() k",
					 place, capacity);
	return failure == FAILURE_NONE || pg_is_open(c);
}

/* If no process is alive that would notice lost writes, and the database is not where its
 * incarnation was made, it may be a restored backup. */
static bool check_place(struct postgres_store *store, struct connection *c, struct error *error)
{
	char place[64], known[64], alive[32], sql[160];
	unsigned long long system;
	int timeline;
	if (pg_incarnation_read(store, c) != FAILURE_NONE || !ask_place(c, place, sizeof(place)))
		return explain(c, error, "cannot ask the database");
	if (sscanf(place, "%llu %d", &system, &timeline) != 2)
		return true;
	if (ask(c, "SELECT coalesce(system || ' ' || timeline, '') FROM meta", known,
		sizeof(known)) != FAILURE_NONE ||
	    ask(c, SERVERS_ALIVE("1 minute"), alive, sizeof(alive)) != FAILURE_NONE)
		return explain(c, error, "cannot ask the database");
	if (strcmp(place, known) == 0)
		return true;
	if (known[0] != '\0' && strcmp(alive, "0") == 0 &&
	    pg_incarnation_renew(store, c) != FAILURE_NONE)
		return explain(c, error, "cannot write to the database");
	snprintf(sql, sizeof(sql), "UPDATE meta SET system = %lld, timeline = %d",
		 (long long)system, timeline);
	return pg_do_sql(c, sql) == FAILURE_NONE ||
	       explain(c, error, "cannot write to the database");
}

bool schema_open(struct postgres_store *store, struct connection *c, struct error *error)
{
	return check_server(c, error) && upgrade(c, error) && check_place(store, c, error);
}
