/* load.c: fills an empty database: one transaction of the writer, checked before the commit.
 *
 * Entries go into chunks at once, in the order of sessions: the database is as if the server had
 * made it and compacted its log. */
#include "server/store/database_fill.h"
#include "server/store/sqlite/row.h"

#include <inttypes.h>
#include <stdlib.h>

/* Rows that the statements of the writer make only for sessions that are not deleted. */
enum load_statement { L_TOKEN, L_PATTERN, L_STATEMENTS };

static const char *const load_sql[L_STATEMENTS] = {
	[L_TOKEN] = "INSERT INTO token (session, " TOKEN_COLUMNS ")"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	[L_PATTERN] = "INSERT INTO pattern (session, token, name, pattern, updated_ms)"
		      " VALUES (?1, ?2, ?3, ?4, ?5)",
};

struct sqlite_loader {
	struct database_loader base;
	struct sqlite_store *store; /* without its thread */
	sqlite3_stmt *statements[L_STATEMENTS];
	struct error *error;
	int64_t key; /* of the current session */
	struct database_fill fill;
};

static struct sqlite_loader *sqlite_loader(struct database_loader *loader)
{
	return (struct sqlite_loader *)(void *)loader;
}

/* ---- failures ---- */

static bool load_failed(struct sqlite_loader *loader, const char *sentence)
{
	return error_set(loader->error, "%s", sentence);
}

static bool no_memory(struct sqlite_loader *loader)
{
	return load_failed(loader, "no memory");
}

static bool sql_failed(struct sqlite_loader *loader, int result)
{
	return error_set(loader->error, "cannot write to %s: %s", loader->store->path,
			 sqlite3_errstr(result));
}

/* ---- rows ---- */

static bool run_load(struct sqlite_loader *loader, enum load_statement statement, int bad)
{
	sqlite3_stmt *s = loader->statements[statement];
	int result = bad ? SQLITE_NOMEM : sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return result == SQLITE_DONE || sql_failed(loader, result);
}

static bool load_succeeded(struct sqlite_loader *loader, int result)
{
	return result == SQLITE_OK || sql_failed(loader, result);
}

static bool save_bytes(struct sqlite_loader *loader, int statement, uint32_t first,
		       const uint8_t *bytes, size_t length)
{
	struct sqlite_connection *writer = &loader->store->writer;
	return load_succeeded(loader, compact_save(writer, statement, (uint64_t)loader->key, first,
						   bytes, length));
}

static bool save_chunk(void *loader, const struct chunk *chunk)
{
	return chunk->bytes == 0 ||
	       save_bytes(loader, W_SAVE_CHUNK, chunk->first, chunk->entries, chunk->bytes);
}

static bool save_snapshot(void *loader, const struct chunk *chunk)
{
	return save_bytes(loader, W_SAVE_STATE, chunk->first, chunk->state, chunk->state_bytes);
}

static bool save_session(struct sqlite_loader *loader, const struct database_session *session)
{
	const struct database_fill *fill = &loader->fill;
	const struct new_session created = {.key = loader->key,
					    .meta = &session->meta,
					    .deleted_ms = session->deleted_ms,
					    .base = fill->base,
					    .base_bytes = fill->base_bytes,
					    .scramble = fill->scramble,
					    .scramble_bytes = fill->scramble_bytes};
	bool there;
	int result = session_create(&loader->store->writer, &created, &there);
	if (result != SQLITE_OK)
		return sql_failed(loader, result);
	return !there || load_failed(loader, "this id is there twice");
}

static bool save_tokens(struct sqlite_loader *loader, const struct database_session *session)
{
	bool saved = true;
	for (size_t i = 0; i < session->token_count && saved; i++)
		saved = run_load(loader, L_TOKEN,
				 token_bind(loader->statements[L_TOKEN], (uint64_t)loader->key,
					    &session->tokens[i]));
	return saved;
}

static bool save_patterns(struct sqlite_loader *loader, const struct database_session *session)
{
	bool saved = true;
	for (size_t i = 0; i < session->pattern_count && saved; i++)
		saved = run_load(loader, L_PATTERN,
				 pattern_bind(loader->statements[L_PATTERN], (uint64_t)loader->key,
					      &session->patterns[i]));
	return saved;
}

static bool load_receipt(struct database_loader *base, const struct receipt *receipt)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	return load_succeeded(loader, insert_receipt(&loader->store->writer, receipt));
}

static bool load_result(struct sqlite_loader *loader, int result, bool there)
{
	if (result != SQLITE_OK)
		return sql_failed(loader, result);
	return there || load_failed(loader, LOAD_NO_BOOK);
}

static bool load_one_solve(struct database_loader *base, const struct stored_solve *solve)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	bool there;
	int result = load_solve(&loader->store->writer, solve, &there);
	return load_result(loader, result, there);
}

static bool load_one_frame(struct database_loader *base, const struct session_id *book,
			   const char *frame)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	bool there;
	int result = load_frame(&loader->store->writer, book, frame, &there);
	return load_result(loader, result, there);
}

static bool load_one_answer(struct database_loader *base, const struct stored_answer *answer)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	return load_succeeded(loader, load_answer(&loader->store->writer, answer));
}

/* ---- sessions ---- */

static bool add_session(struct database_loader *base, const struct database_session *session)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	loader->key++;
	return database_fill_session(&loader->fill, session) && save_session(loader, session) &&
	       save_tokens(loader, session) && save_patterns(loader, session);
}

static bool add_entry(struct database_loader *loader, const struct entry *entry)
{
	return database_fill_entry(&sqlite_loader(loader)->fill, entry);
}

/* Writes the last chunk, or all entries into the session's row, as compaction does. */
static bool add_end(struct database_loader *base)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	struct sqlite_connection *writer = &loader->store->writer;
	const struct chunk *chunk = &loader->fill.chunk;
	const uint64_t key = (uint64_t)loader->key;
	const bool inside = chunk->first == 1 && chunk->bytes <= INLINE_ENTRIES_MAX;
	int64_t canonical_index;
	if (!inside && !save_chunk(loader, chunk))
		return false;
	if (!canonical_index_of(loader->fill.check.history->cube, &canonical_index))
		return no_memory(loader);
	int result =
		chunk->first == 1 && chunk->bytes == 0
			? canonical_index_save(writer, key, canonical_index)
			: inline_entries_save(writer, key, inside ? chunk : NULL, &canonical_index);
	return load_succeeded(loader, result);
}

/* ---- the whole ---- */

static bool load_prepare(struct sqlite_loader *loader)
{
	struct sqlite_connection *writer = &loader->store->writer;
	int64_t sessions = 0, rows = 0;
	int result = SQLITE_OK;
	for (int i = 0; i < L_STATEMENTS && result == SQLITE_OK; i++)
		result = sqlite3_prepare_v2(writer->db, load_sql[i], -1, &loader->statements[i],
					    NULL);
	if (result == SQLITE_OK)
		result = connection_run(writer, W_BEGIN);
	if (result == SQLITE_OK)
		result = connection_value(writer, "SELECT count(*) FROM session", &sessions);
	if (result == SQLITE_OK)
		result = connection_value(writer,
					  "SELECT (SELECT count(*) FROM history)"
					  " + (SELECT count(*) FROM snapshot)"
					  " + (SELECT count(*) FROM log)"
					  " + (SELECT count(*) FROM receipt)"
					  " + (SELECT count(*) FROM answer)",
					  &rows);
	if (result != SQLITE_OK)
		return sql_failed(loader, result);
	if (sessions == 0 && rows == 0)
		return true;
	return error_set(loader->error, LOAD_NOT_EMPTY, loader->store->path, sessions);
}

static void load_close(struct database_loader *base)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	for (int i = 0; i < L_STATEMENTS; i++)
		sqlite3_finalize(loader->statements[i]);
	if (loader->store)
		sqlite_store_close(loader->store); /* which rolls back */
	database_fill_finish(&loader->fill);
	free(loader);
}

static bool load_commit(struct database_loader *base, struct database_counts *counts)
{
	struct sqlite_loader *loader = sqlite_loader(base);
	struct sqlite_connection *writer = &loader->store->writer;
	const struct database_visitor visitor = {.context = loader->error,
						 .finding = database_fill_finding};
	*counts = (struct database_counts){0};
	loader->error->text[0] = '\0';
	if (examine_connection(writer, &visitor, counts) != STORE_OK ||
	    scan_connection(writer, &visitor, counts) != STORE_OK || counts->findings > 0)
		return false;
	return load_succeeded(loader, connection_run(writer, W_COMMIT));
}

static const struct loader_operations load_operations = {
	.session = add_session,
	.entry = add_entry,
	.end = add_end,
	.receipt = load_receipt,
	.solve = load_one_solve,
	.frame = load_one_frame,
	.answer = load_one_answer,
	.commit = load_commit,
	.close = load_close,
};

struct database_loader *load_begin(const char *path, struct error *error)
{
	const struct store_options options = {.queue_max = 1};
	error_set(error, "no memory");
	struct sqlite_loader *loader = calloc(1, sizeof *loader);
	if (!loader)
		return NULL;
	loader->base.operations = &load_operations;
	loader->error = error;
	loader->fill = (struct database_fill){.error = error,
					      .save_chunk = save_chunk,
					      .save_snapshot = save_snapshot,
					      .context = loader};
	loader->store = sqlite_store_open(path, &options, error);
	if (loader->store && load_prepare(loader))
		return &loader->base;
	load_close(&loader->base);
	return NULL;
}
