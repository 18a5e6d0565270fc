/* load.c: fills an empty database in one transaction, checked before the commit. Rows are gathered by
 * table and sent together. */
#include "cube/size.h"
#include "server/modules/postgres/store/database_internal.h"

#include "server/store/database_fill.h"
#include "server/modules/postgres/store/load_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define TAIL_MAX 128 /* longer entries are in `history`, as after an append */

struct postgres_loader {
	struct database_loader base;
	struct error *error;
	struct walk walk;
	struct database_fill fill;
	struct postgres_store store; /* for schema_open() */
	struct load_rows rows;
	/* The current session: */
	uint64_t key;
	struct session_meta meta;
};

static struct postgres_loader *postgres_loader(struct database_loader *loader)
{
	return (struct postgres_loader *)(void *)loader;
}

/* Begins with the key of the session. */
static struct parameters *begin(struct postgres_loader *loader)
{
	struct parameters *p = &loader->walk.parameters;
	parameters_begin(p);
	parameters_uint8(p, loader->key);
	return p;
}

/* Bytes of which there may be none; they are not NULL. */
static void add_bytes(struct parameters *p, const uint8_t *bytes, size_t length)
{
	parameters_bytes(p, length == 0 ? (const void *)"" : bytes, length);
}

/* ---- what belongs to a session ---- */

static bool save_more(struct postgres_loader *loader, const struct database_session *session)
{
	const struct database_fill *fill = &loader->fill;
	struct parameters *p = begin(loader);
	parameters_int8_or_null(p, loader->meta.updated_ms, loader->meta.created_ms);
	if (loader->meta.deleted)
		parameters_int8(p, session->deleted_ms);
	else
		parameters_null(p);
	parameters_text_or_null(p, loader->meta.name);
	parameters_bytes(p, fill->scramble, fill->scramble_bytes);
	parameters_bytes(p, fill->base, fill->base_bytes);
	return load_rows_add(&loader->rows, LOAD_MORE);
}

static bool save_token(struct postgres_loader *loader, const struct stored_token *token)
{
	struct parameters *p = begin(loader);
	token_parameters(p, token);
	return load_rows_add(&loader->rows, LOAD_TOKEN);
}

static bool save_pattern(struct postgres_loader *loader, const struct stored_pattern *pattern)
{
	struct parameters *p = begin(loader);
	parameters_uint4(p, pattern->token);
	parameters_text(p, pattern->name);
	parameters_text(p, pattern->pattern);
	parameters_int8(p, pattern->updated_ms);
	return load_rows_add(&loader->rows, LOAD_PATTERN);
}

static bool load_session(struct database_loader *base, const struct database_session *session)
{
	struct postgres_loader *loader = postgres_loader(base);
	const struct session_meta *meta = &session->meta;
	loader->key++;
	loader->meta = *meta;
	if (!database_fill_session(&loader->fill, session))
		return false;
	bool saved = true;
	if (meta->updated_ms != meta->created_ms || meta->deleted || meta->name[0] != '\0' ||
	    session->base != NULL || session->scramble_count > 0)
		saved = save_more(loader, session);
	for (size_t i = 0; i < session->token_count && saved; i++)
		saved = save_token(loader, &session->tokens[i]);
	for (size_t i = 0; i < session->pattern_count && saved; i++)
		saved = save_pattern(loader, &session->patterns[i]);
	return saved;
}

/* ---- entries ---- */

static bool save_part(struct postgres_loader *loader, enum load_table table, uint32_t first,
		      const uint8_t *bytes, size_t length)
{
	struct parameters *p = begin(loader);
	parameters_uint4(p, first);
	add_bytes(p, bytes, length);
	return load_rows_add(&loader->rows, table);
}

static bool save_chunk(void *loader, const struct chunk *chunk)
{
	return save_part(loader, LOAD_HISTORY, chunk->first, chunk->entries, chunk->bytes);
}

static bool save_snapshot(void *loader, const struct chunk *chunk)
{
	return save_part(loader, LOAD_SNAPSHOT, chunk->first, chunk->state, chunk->state_bytes);
}

static bool load_entry(struct database_loader *loader, const struct entry *entry)
{
	return database_fill_entry(&postgres_loader(loader)->fill, entry);
}

static bool save_canonical(struct postgres_loader *loader, int32_t hash)
{
	struct parameters *p = begin(loader);
	parameters_int4(p, hash);
	return hash == 0 || load_rows_add(&loader->rows, LOAD_CANONICAL);
}

/* 63 random bits, 0 for revision 0. */
static bool make_head(uint32_t revision, uint64_t *head)
{
	*head = 0;
	if (revision == 0)
		return true;
	if (getrandom(head, sizeof(*head), 0) != (ssize_t)sizeof(*head))
		return false;
	*head = (*head & INT64_MAX) | 1;
	return true;
}

/* Writes the last chunk, and the row of the session, which has a short one inside. */
static bool load_end(struct database_loader *base)
{
	struct postgres_loader *loader = postgres_loader(base);
	const struct session_meta *meta = &loader->meta;
	const struct chunk *chunk = &loader->fill.chunk;
	const struct history *history = loader->fill.check.history;
	const bool inside = chunk->bytes <= TAIL_MAX;
	const bool more = meta->updated_ms != meta->created_ms || meta->deleted ||
			  meta->name[0] != '\0' || loader->fill.base != NULL ||
			  loader->fill.scramble_bytes > 0;
	int32_t hash = 0;
	uint64_t head;
	if (meta->listed && !meta->deleted && !canonical_hash_of(history->cube, &hash))
		return error_set(loader->error, "no memory");
	if (!make_head(history->revision, &head))
		return error_set(loader->error, "there are no random numbers");
	if ((!inside && !save_chunk(loader, chunk)) || !save_canonical(loader, hash))
		return false;
	struct parameters *p = begin(loader);
	parameters_uint8(p, id_first8(meta->id.bytes));
	parameters_int8(p, meta->created_ms);
	parameters_uint8(p, head);
	parameters_uint4(p, history->revision);
	parameters_uint4(p, inside ? chunk->first - 1 : history->revision);
	parameters_uint4(p, inside ? 0 : (uint32_t)chunk->bytes);
	parameters_uint4(p, meta->assisted);
	parameters_int4(p, hash);
	parameters_int2(p, id_last2(meta->id.bytes));
	parameters_int2(p, meta->size);
	parameters_int2(p, (int16_t)(session_mode_of(meta) | (more ? MODE_MORE : 0)));
	add_bytes(p, chunk->entries, inside ? chunk->bytes : 0);
	return load_rows_add(&loader->rows, LOAD_SESSION);
}

/* ---- the rest ---- */

static bool load_receipt(struct database_loader *base, const struct receipt *receipt)
{
	struct postgres_loader *loader = postgres_loader(base);
	struct parameters *p = &loader->walk.parameters;
	parameters_begin(p);
	parameters_bytes(p, receipt->key, RECEIPT_KEY_BYTES);
	parameters_int8(p, 0); /* of no session */
	parameters_bytes(p, receipt->key, HASH_BYTES);
	parameters_bytes(p, receipt->body, HASH_BYTES);
	parameters_int8(p, receipt->created_ms);
	add_bytes(p, receipt->answer, receipt->answer_bytes);
	return load_rows_add(&loader->rows, LOAD_RECEIPT);
}

static bool load_solve(struct database_loader *base, const struct stored_solve *solve)
{
	struct postgres_loader *loader = postgres_loader(base);
	struct parameters *p = &loader->walk.parameters;
	parameters_begin(p);
	parameters_uint8(p, 0);
	pg_solve_add(p, solve);
	return load_rows_add_in_book(&loader->rows, LOAD_SOLVE, solve->book);
}

static bool load_frame(struct database_loader *base, const struct session_id *book,
		       const char *frame)
{
	struct postgres_loader *loader = postgres_loader(base);
	struct parameters *p = &loader->walk.parameters;
	parameters_begin(p);
	parameters_uint8(p, 0);
	parameters_text(p, frame);
	return load_rows_add_in_book(&loader->rows, LOAD_FRAME, book->bytes);
}

static bool load_answer(struct database_loader *base, const struct stored_answer *answer)
{
	struct postgres_loader *loader = postgres_loader(base);
	struct parameters *p = &loader->walk.parameters;
	parameters_begin(p);
	parameters_uint8(p, answer->canonical);
	parameters_int2(p, answer->size);
	parameters_text(p, answer->method);
	add_bytes(p, answer->colors, cube_facelets(answer->size));
	add_bytes(p, answer->moves, answer->move_bytes);
	parameters_int8(p, answer->created_ms);
	return load_rows_add(&loader->rows, LOAD_ANSWER);
}

/* ---- the whole ---- */

static void load_close(struct database_loader *base)
{
	struct postgres_loader *loader = postgres_loader(base);
	walk_close(&loader->walk); /* which rolls back */
	database_fill_finish(&loader->fill);
	load_rows_finish(&loader->rows);
	if (loader->store.has_lock)
		lock_destroy(&loader->store.lock);
	free(loader);
}

/* Runs a statement with the parameters of the loader. *count, unless it is NULL, is the number in
 * the first column of its row. */
static bool run(struct postgres_loader *loader, const char *sql, int64_t *count)
{
	PGresult *result;
	const enum failure failure =
		pg_run_sql(&loader->walk.connection, sql, &loader->walk.parameters,
			   pg_deadline_ns(WALK_ANSWER_MS), &result);
	if (count != NULL && failure == FAILURE_NONE)
		*count = pq.PQntuples(result) > 0 ? result_int8(result, 0, 0) : 0;
	pq.PQclear(result);
	return failure == FAILURE_NONE || load_rows_failed(&loader->rows, failure);
}

/* As SQLite's loader, it checks what the transaction will have stored. */
static bool load_commit(struct database_loader *base, struct database_counts *counts)
{
	struct postgres_loader *loader = postgres_loader(base);
	const struct database_visitor visitor = {.context = loader->error,
						 .finding = database_fill_finding};
	*counts = (struct database_counts){0};
	loader->error->text[0] = '\0';
	if (!load_rows_send_all(&loader->rows))
		return false;
	loader->walk.visitor = &visitor;
	loader->walk.counts = counts;
	if (walk_examine(&loader->walk) != STORE_OK || walk_scan(&loader->walk) != STORE_OK ||
	    counts->findings > 0)
		return false;
	parameters_begin(&loader->walk.parameters);
	return run(loader,
		   "SELECT setval('session_key_seq',"
		   " (SELECT coalesce(max(key), 0) + 1 FROM session), false)",
		   NULL) &&
	       run(loader, "COMMIT", NULL);
}

/* Other programs can read meanwhile, but not write. */
static bool prepare_load(struct postgres_loader *loader)
{
	static const char begin_sql[] =
		"SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN;"
		" LOCK TABLE session, receipt, answer IN SHARE ROW EXCLUSIVE MODE";
	struct connection *c = &loader->walk.connection;
	int64_t sessions = 0, rows = 0, servers = 0;
	if (pg_do_sql(c, begin_sql) != FAILURE_NONE)
		return error_set(loader->error, "cannot write to the database: %s", c->message);
	parameters_begin(&loader->walk.parameters);
	if (!run(loader, "SELECT count(*) FROM session", &sessions) ||
	    !run(loader,
		 "SELECT (SELECT count(*) FROM history) + (SELECT count(*) FROM receipt)"
		 " + (SELECT count(*) FROM answer)",
		 &rows) ||
	    !run(loader, SERVERS_ALIVE("15 seconds"), &servers))
		return false;
	if (sessions > 0 || rows > 0)
		return error_set(loader->error, LOAD_NOT_EMPTY, "the PostgreSQL database",
				 sessions);
	return servers == 0 ||
	       error_set(loader->error, "a server has the database open, or had it open less than"
					" 15 s ago: stop all servers first");
}

static bool open_empty(struct postgres_loader *loader, const char *rest)
{
	if (!walk_open(&loader->walk, rest, CONNECTION_WRITES, loader->error))
		return false;
	loader->store.has_lock = lock_init(&loader->store.lock);
	if (!loader->store.has_lock)
		return error_set(loader->error, "no memory");
	return schema_open(&loader->store, &loader->walk.connection, loader->error) &&
	       prepare_load(loader);
}

struct database_loader *pg_load_begin(const char *rest, struct error *error)
{
	static const struct loader_operations operations = {
		.session = load_session,
		.entry = load_entry,
		.end = load_end,
		.receipt = load_receipt,
		.solve = load_solve,
		.frame = load_frame,
		.answer = load_answer,
		.commit = load_commit,
		.close = load_close,
	};
	struct postgres_loader *loader = calloc(1, sizeof(*loader));
	if (loader == NULL) {
		error_set(error, "no memory");
		return NULL;
	}
	loader->base.operations = &operations;
	loader->error = error;
	load_rows_init(&loader->rows, &loader->walk, error);
	loader->fill = (struct database_fill){.error = error,
					      .save_chunk = save_chunk,
					      .save_snapshot = save_snapshot,
					      .context = loader};
	if (open_empty(loader, rest))
		return &loader->base;
	load_close(&loader->base);
	return NULL;
}
