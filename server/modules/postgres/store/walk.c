/* walk.c: reads a whole database in one read-only transaction, page by page in the order of keys,
 * and checks every session. */
#include "server/modules/postgres/store/database_internal.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/modules/postgres/store/postgres.h"
#include "server/modules/postgres/store/session_row.h"
#include "server/util/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns before TAIL are those of SESSION_READ. */
enum walk_column { FOLDED = 14, DELETED, TAIL, TOKENS, GOING, PATTERNS };
enum { MODE_COLUMN = 4, HEAD_COLUMN = 6, REVISION_COLUMN, NAME_COLUMN = 11, BASE_COLUMN = 13 };

static const char sessions_sql[] =
	"SELECT s.key, s.id8, s.id2, s.size, s.mode, s.created_ms, s.head, s.revision, s.version,"
	" s.assisted, m.updated_ms, m.name, m.scramble, m.base, s.folded, m.deleted_ms, s.tail,"
	" (SELECT string_agg(int4send(t.number) || int2send(t.role) || int4send(t.parent)"
	" || int8send(t.created_ms) || int8send(coalesce(t.revoked_ms, 0))"
	" || int4send(octet_length(t.hash)) || t.hash"
	" || int4send(octet_length(coalesce(t.label, '')))"
	" || convert_to(coalesce(t.label, ''), 'UTF8'), ''::bytea ORDER BY t.number)"
	" FROM token t WHERE t.session = s.key), " WALK_GOING ","
	" EXISTS (SELECT FROM pattern p WHERE p.session = s.key)"
	" FROM (SELECT * FROM session WHERE key > $1::int8 ORDER BY key LIMIT 1000) s"
	" LEFT JOIN session_more m ON m.session = s.key ORDER BY s.key";
static const char chunks_sql[] =
	"SELECT session, first, entries FROM history WHERE (session, first) > ($1::int8, $2::int4)"
	" ORDER BY session, first LIMIT 256";
static const char snapshots_sql[] =
	"SELECT session, first, state FROM snapshot WHERE (session, first) > ($1::int8, $2::int4)"
	" ORDER BY session, first LIMIT 256";
static const char patterns_sql[] = "SELECT token, updated_ms, name, pattern FROM pattern"
				   " WHERE session = $1::int8 ORDER BY token, name";

enum store_status walk_run(struct walk *walk, const char *sql, PGresult **result)
{
	return failure_status(pg_run_sql(&walk->connection, sql, &walk->parameters,
					 pg_deadline_ns(WALK_ANSWER_MS), result));
}

bool walk_open(struct walk *walk, const char *rest, enum connection_use use, struct error *error)
{
	char *uri = NULL; /* a URI lost its scheme in database.c */
	if (!libpq_load(error))
		return false;
	if (strncmp(rest, "//", 2) == 0 && asprintf(&uri, "postgresql:%s", rest) < 0)
		return error_set(error, "no memory");
	const char *conninfo = uri == NULL ? rest : uri;
	struct connection *c = &walk->connection;
	const bool opened = pg_open(c, conninfo, use, CONNECTION_FIRST_S) == STORE_OK;
	const bool ready =
		opened ? pooler_check(conninfo, use, c, error)
		       : error_set(error, "cannot connect to the database: %s", c->message);
	free(uri);
	return ready;
}

void walk_close(struct walk *walk)
{
	pg_close(&walk->connection);
	parameters_free(&walk->parameters);
}

/* ---- one session ---- */

struct session_walk {
	struct walk *walk;
	struct parts chunks, snapshots; /* from the current session on */
	struct database_check check;
	struct stored_session stored; /* without a history */
	struct database_session session;
	struct cube *base;
	PGresult *pattern_rows; /* have the texts of `patterns` */
	struct stored_pattern *patterns;
};

static void session_clear(struct session_walk *s)
{
	stored_session_free(&s->stored);
	s->stored = (struct stored_session){0};
	free(s->base);
	s->base = NULL;
	free(s->patterns);
	s->patterns = NULL;
	pq.PQclear(s->pattern_rows);
	s->pattern_rows = NULL;
	s->session = (struct database_session){0};
}

MUST_USE static enum store_status read_base(struct session_walk *s, const PGresult *rows, int row)
{
	size_t length;
	const int size = s->session.meta.size;
	const uint8_t *packed = result_bytes(rows, row, BASE_COLUMN, &length);
	if (packed == NULL)
		return STORE_OK;
	s->base = malloc(cube_bytes(size));
	if (s->base == NULL)
		return STORE_NO_MEMORY;
	s->session.base = s->base;
	return length > 0 && cube_unpack(s->base, size, packed, length) ? STORE_OK : STORE_BROKEN;
}

MUST_USE static enum store_status read_patterns(struct session_walk *s)
{
	parameters_begin(&s->walk->parameters);
	parameters_uint8(&s->walk->parameters, s->session.meta.key);
	enum store_status status = walk_run(s->walk, patterns_sql, &s->pattern_rows);
	if (status != STORE_OK)
		return status;
	const int count = pq.PQntuples(s->pattern_rows);
	s->patterns = calloc((size_t)count + 1, sizeof(*s->patterns));
	if (s->patterns == NULL)
		return STORE_NO_MEMORY;
	for (int i = 0; i < count; i++) {
		s->patterns[i] = (struct stored_pattern){
			.token = result_uint4(s->pattern_rows, i, 0),
			.updated_ms = result_int8(s->pattern_rows, i, 1),
			.name = result_text(s->pattern_rows, i, 2),
			.pattern = result_text(s->pattern_rows, i, 3),
		};
		if (s->patterns[i].token > s->session.token_count)
			return STORE_BROKEN;
	}
	s->session.patterns = s->patterns;
	s->session.pattern_count = (size_t)count;
	return STORE_OK;
}

/* STORE_BROKEN, with *wrong, if the row is damaged. */
MUST_USE static enum store_status read_session(struct session_walk *s, const PGresult *rows,
					       int row, const char **wrong)
{
	*wrong = "its row, its scramble or a token is damaged";
	enum store_status status = session_row_description(rows, row, &s->stored);
	struct database_session *session = &s->session;
	session->meta = s->stored.meta;
	session->deleted_ms = result_int8(rows, row, DELETED);
	session->scramble = s->stored.scramble;
	session->scramble_count = s->stored.scramble_count;
	session->tokens = s->stored.tokens;
	session->token_count = s->stored.token_count;
	if (status != STORE_OK)
		return status;
	*wrong = "its first cube is damaged";
	status = read_base(s, rows, row);
	if (status != STORE_OK || !result_bool(rows, row, PATTERNS))
		return status;
	*wrong = "a pattern of it is damaged";
	return read_patterns(s);
}

/* ---- its history ---- */

MUST_USE static enum store_status check_entries(struct session_walk *s, const uint8_t *bytes,
						size_t length)
{
	struct database_check *check = &s->check;
	if (!check->known)
		return STORE_OK;
	const struct history *history = check->check.history;
	return database_check_entries(check, bytes, length,
				      history->revision == 0 ? s->session.meta.created_ms
							     : history->updated_ms,
				      SIZE_MAX);
}

/* The bytes of the current row. */
static const uint8_t *part_bytes(const struct parts *parts, size_t *length)
{
	return result_bytes(parts->rows, parts->row, 2, length);
}

/* Checks a chunk and the snapshot before it; one of them may be NULL: there is none. */
MUST_USE static enum store_status check_part(struct session_walk *s, const struct parts *chunk,
					     const struct parts *snapshot, int32_t folded)
{
	struct database_check *check = &s->check;
	size_t bytes = 0, state_bytes = 0;
	const int32_t first = chunk != NULL ? chunk->first : snapshot->first;
	const uint8_t *entries = chunk == NULL ? NULL : part_bytes(chunk, &bytes);
	const uint8_t *state = snapshot == NULL ? NULL : part_bytes(snapshot, &state_bytes);
	enum store_status status = STORE_OK;
	if (entries != NULL || first == folded + 1)
		database_check_follows(check, first);
	else
		database_check_report(
			check, "there is no chunk for the snapshot before entry %" PRId32, first);
	if (entries != NULL && bytes == 0)
		database_check_report(check, "the chunk of entry %" PRId32 " is empty", first);
	if (state != NULL && first == 1)
		database_check_report(check, "there is a snapshot before entry 1");
	else if (state != NULL)
		status = database_check_snapshot(check, (uint32_t)first, state, state_bytes);
	if (entries == NULL || status != STORE_OK)
		return status;
	s->walk->counts->chunks++;
	return check_entries(s, entries, bytes);
}

MUST_USE static enum store_status check_history(struct session_walk *s, int32_t folded)
{
	const uint64_t key = s->session.meta.key;
	struct parts *chunks = &s->chunks, *snapshots = &s->snapshots;
	enum store_status status = parts_find(s->walk, chunks, key);
	if (status == STORE_OK)
		status = parts_find(s->walk, snapshots, key);
	while (status == STORE_OK && (chunks->session == key || snapshots->session == key)) {
		const bool both = chunks->session == snapshots->session;
		const bool chunk =
			both ? chunks->first <= snapshots->first : chunks->session == key;
		const bool snapshot =
			both ? snapshots->first <= chunks->first : snapshots->session == key;
		status = check_part(s, chunk ? chunks : NULL, snapshot ? snapshots : NULL, folded);
		if (chunk && status == STORE_OK)
			status = parts_next(s->walk, chunks);
		if (snapshot && status == STORE_OK)
			status = parts_next(s->walk, snapshots);
	}
	return status;
}

/* The rows of history end where the tail begins, and the tail at the newest revision. */
static void check_revision(struct session_walk *s, const char *what, int64_t revision)
{
	struct database_check *check = &s->check;
	if (check->known && check->check.history->revision != revision)
		database_check_report(check, "%s ends with entry %" PRIu32 " instead of %" PRId64,
				      what, check->check.history->revision, revision);
}

MUST_USE static enum store_status check_session(struct session_walk *s, const PGresult *rows,
						int row)
{
	const int32_t folded = result_int4(rows, row, FOLDED);
	const int32_t revision = result_int4(rows, row, REVISION_COLUMN);
	size_t length;
	const uint8_t *tail = result_bytes(rows, row, TAIL, &length);
	if (result_bool(rows, row, GOING))
		return STORE_OK;
	enum store_status status = database_check_begin(&s->check, &s->session);
	if (status == STORE_OK && s->session.meta.deleted != (s->session.deleted_ms != 0))
		database_check_report(&s->check, "it is not clear whether it is deleted");
	if (status == STORE_OK && (revision == 0) != (result_int8(rows, row, HEAD_COLUMN) == 0))
		database_check_report(&s->check, "the id of its newest state is impossible");
	if (status == STORE_OK)
		status = check_history(s, folded);
	if (status == STORE_OK)
		check_revision(s, "its history", folded);
	if (status == STORE_OK && tail != NULL)
		status = check_entries(s, tail, length);
	if (status == STORE_OK)
		check_revision(s, "its row", revision);
	return status == STORE_OK ? database_check_end(&s->check) : status;
}

MUST_USE static enum store_status walk_session(struct session_walk *s, const PGresult *rows,
					       int row)
{
	const char *wrong;
	enum store_status status = read_session(s, rows, row, &wrong);
	s->walk->counts->sessions++;
	database_check_next(&s->check, &s->session.meta);
	if (status == STORE_OK)
		status = check_session(s, rows, row);
	else if (status == STORE_BROKEN) {
		database_check_report(&s->check, "%s", wrong);
		status = STORE_OK;
	}
	session_clear(s);
	return status;
}

/* ---- all of it ---- */

MUST_USE static enum store_status walk_sessions(struct session_walk *s)
{
	enum store_status status = STORE_OK;
	uint64_t after = 0;
	for (int count = 1; count > 0 && status == STORE_OK;) {
		PGresult *rows;
		parameters_begin(&s->walk->parameters);
		parameters_uint8(&s->walk->parameters, after);
		status = walk_run(s->walk, sessions_sql, &rows);
		if (status != STORE_OK)
			return status;
		count = pq.PQntuples(rows);
		for (int i = 0; i < count && status == STORE_OK; i++)
			status = walk_session(s, rows, i);
		after = count > 0 ? session_row_key(rows, count - 1) : after;
		pq.PQclear(rows);
	}
	return status;
}

enum store_status walk_scan(struct walk *walk)
{
	struct session_walk s = {
		.walk = walk,
		.check = {.visitor = walk->visitor, .counts = walk->counts},
	};
	parts_begin(&s.chunks, chunks_sql);
	parts_begin(&s.snapshots, snapshots_sql);
	enum store_status status = walk_sessions(&s);
	database_check_finish(&s.check);
	parts_finish(&s.chunks);
	parts_finish(&s.snapshots);
	if (status == STORE_OK)
		status = walk_rest(walk);
	if (status != STORE_OK && status != STORE_STOPPED)
		database_report(walk->visitor, walk->counts, NULL, "reading ended early: %s",
				status == STORE_NO_MEMORY ? "no memory" : walk->connection.message);
	return status;
}

/* ---- a database that is read ---- */

struct postgres_database {
	struct database base;
	struct walk walk;
};

static bool begin_walk(struct walk *walk, const char *rest, enum database_use use,
		       struct error *error)
{
	struct connection *c = &walk->connection;
	static const char begin[] =
		"SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;"
		" BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";
	PGresult *result = NULL;
	/* A move to another store must not read what a standby has so far. */
	if (!walk_open(walk, rest, use == DATABASE_ALONE ? CONNECTION_WRITES : CONNECTION_READS,
		       error))
		return false;
	enum failure failure = pg_do_sql(c, begin);
	struct parameters p = {0};
	if (failure == FAILURE_NONE)
		failure =
			pg_run_sql(c, "SELECT version, (" SERVERS_ALIVE("15 seconds") ") FROM meta",
				   &p, pg_deadline_ns(WALK_ANSWER_MS), &result);
	parameters_free(&p);
	bool ready = failure == FAILURE_NONE && pq.PQntuples(result) == 1;
	if (!ready)
		error_set(error, "there is no database of cubed there: %s", c->message);
	else if (result_int4(result, 0, 0) != SCHEMA_VERSION)
		ready = error_set(error, "the database has schema %d; this program knows %d",
				  (int)result_int4(result, 0, 0), SCHEMA_VERSION);
	else if (use == DATABASE_ALONE && result_int8(result, 0, 1) > 0)
		ready = error_set(error, "a server has the database open, or had it open less than"
					 " 15 s ago: stop all servers first");
	pq.PQclear(result);
	return ready;
}

static struct database *open_database(const char *rest, enum database_use use, struct error *error)
{
	struct postgres_database *database = calloc(1, sizeof(*database));
	if (database == NULL) {
		error_set(error, "no memory");
		return NULL;
	}
	database->base.kind = &database_postgres;
	if (begin_walk(&database->walk, rest, use, error))
		return &database->base;
	walk_close(&database->walk);
	free(database);
	return NULL;
}

static bool close_database(struct database *base)
{
	struct postgres_database *database = (struct postgres_database *)(void *)base;
	walk_close(&database->walk);
	free(database);
	return true;
}

static struct walk *walk_of(struct database *base, const struct database_visitor *visitor,
			    struct database_counts *counts)
{
	struct postgres_database *database = (struct postgres_database *)(void *)base;
	database->walk.visitor = visitor;
	database->walk.counts = counts;
	return &database->walk;
}

static enum store_status examine_database(struct database *database,
					  const struct database_visitor *visitor,
					  struct database_counts *counts)
{
	return walk_examine(walk_of(database, visitor, counts));
}

static enum store_status scan_database(struct database *database,
				       const struct database_visitor *visitor,
				       struct database_counts *counts)
{
	return walk_scan(walk_of(database, visitor, counts));
}

const struct database_kind database_postgres = {
	.open = open_database,
	.load = pg_load_begin,
	.copy_refusal = "use the tools of PostgreSQL (pg_basebackup, pgBackRest, WAL-G, or those "
			"of your provider), or cubed export",
	.close = close_database,
	.examine = examine_database,
	.scan = scan_database,
};
