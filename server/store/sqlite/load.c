/* load.c: fills an empty database: one transaction of the writer, checked before the commit.
 *
 * Entries go into chunks at once, in the order of sessions: the database is as if the server had
 * made it and compacted its log. */
#include "server/store/sqlite/row.h"

#include "cube/pack.h"
#include "server/history/check_history.h"

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

struct database_loader {
	struct sqlite_store *store; /* without its thread */
	sqlite3_stmt *statements[L_STATEMENTS];
	struct error *error;
	/* Of the current session: */
	int64_t key;
	size_t token_count;
	uint8_t *base; /* packed; NULL: solved */
	size_t base_bytes;
	uint8_t *packed; /* a packed entry */
	size_t packed_capacity;
	struct chunk chunk;
	struct history_check history_check;
};

/* ---- failures ---- */

static bool load_failed(struct database_loader *loader, const char *sentence)
{
	return error_set(loader->error, "%s", sentence);
}

static bool no_memory(struct database_loader *loader)
{
	return load_failed(loader, "no memory");
}

static bool sql_failed(struct database_loader *loader, int result)
{
	return error_set(loader->error, "cannot write to %s: %s", loader->store->path,
			 sqlite3_errstr(result));
}

static bool status_failed(struct database_loader *loader, enum store_status status)
{
	return status == STORE_NO_MEMORY ? no_memory(loader)
					 : load_failed(loader, "an entry cannot be packed");
}

/* ---- rows ---- */

static bool run_load(struct database_loader *loader, enum load_statement statement, int bad)
{
	sqlite3_stmt *s = loader->statements[statement];
	int result = bad ? SQLITE_NOMEM : sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return result == SQLITE_DONE || sql_failed(loader, result);
}

static bool load_succeeded(struct database_loader *loader, int result)
{
	return result == SQLITE_OK || sql_failed(loader, result);
}

static bool save_bytes(struct database_loader *loader, int statement, const uint8_t *bytes,
		       size_t length)
{
	struct sqlite_connection *writer = &loader->store->writer;
	return load_succeeded(loader, compact_save(writer, statement, (uint64_t)loader->key,
						   loader->chunk.first, bytes, length));
}

static bool save_session(struct database_loader *loader, const struct database_session *session,
			 const uint8_t *scramble, size_t scramble_bytes)
{
	const struct new_session created = {.key = loader->key,
					    .meta = &session->meta,
					    .deleted_ms = session->deleted_ms,
					    .base = loader->base,
					    .base_bytes = loader->base_bytes,
					    .scramble = scramble,
					    .scramble_bytes = scramble_bytes};
	bool there;
	int result = session_create(&loader->store->writer, &created, &there);
	if (result != SQLITE_OK)
		return sql_failed(loader, result);
	return !there || load_failed(loader, "this id is there twice");
}

static bool save_tokens(struct database_loader *loader, const struct database_session *session)
{
	bool saved = true;
	loader->token_count = session->token_count;
	for (size_t i = 0; i < session->token_count && saved; i++)
		saved = run_load(loader, L_TOKEN,
				 token_bind(loader->statements[L_TOKEN], (uint64_t)loader->key,
					    &session->tokens[i]));
	return saved;
}

static bool save_patterns(struct database_loader *loader, const struct database_session *session)
{
	bool saved = true;
	for (size_t i = 0; i < session->pattern_count && saved; i++)
		saved = run_load(loader, L_PATTERN,
				 pattern_bind(loader->statements[L_PATTERN], (uint64_t)loader->key,
					      &session->patterns[i]));
	return saved;
}

bool database_load_receipt(struct database_loader *loader, const struct receipt *receipt)
{
	return load_succeeded(loader, insert_receipt(&loader->store->writer, receipt));
}

static bool load_result(struct database_loader *loader, int result, bool there)
{
	if (result != SQLITE_OK)
		return sql_failed(loader, result);
	return there ||
	       load_failed(loader, "there is no session whose book this is, or the solve's id is "
				   "there twice");
}

bool database_load_solve(struct database_loader *loader, const struct stored_solve *solve)
{
	bool there;
	int result = load_solve(&loader->store->writer, solve, &there);
	return load_result(loader, result, there);
}

bool database_load_frame(struct database_loader *loader, const struct session_id *book,
			 const char *frame)
{
	bool there;
	int result = load_frame(&loader->store->writer, book, frame, &there);
	return load_result(loader, result, there);
}

bool database_load_answer(struct database_loader *loader, const struct stored_answer *answer)
{
	return load_result(loader, load_answer(&loader->store->writer, answer), true);
}

/* ---- sessions ---- */

static bool pack_base(struct database_loader *loader, const struct cube *base)
{
	free(loader->base);
	loader->base = NULL;
	if (!base)
		return true;
	loader->base_bytes = cube_packed_bytes(base->size);
	loader->base = malloc(loader->base_bytes);
	if (!loader->base)
		return no_memory(loader);
	cube_pack(base, loader->base);
	return true;
}

bool database_load_session(struct database_loader *loader, const struct database_session *session)
{
	const int size = session->meta.size;
	uint8_t *scramble = NULL;
	size_t scramble_bytes = 0;
	loader->key++;
	if (!pack_base(loader, session->base))
		return false;
	struct history *history = session_first_state(session);
	if (!history || !history_check_begin(&loader->history_check, history))
		return no_memory(loader);
	if (session->scramble_count > 0) {
		scramble = malloc(session->scramble_count * CUBE_PACKED_TURN_MAX);
		if (!scramble)
			return no_memory(loader);
		scramble_bytes =
			cube_turns_pack(session->scramble, session->scramble_count, size, scramble);
	}
	bool saved = save_session(loader, session, scramble, scramble_bytes);
	free(scramble);
	chunk_finish(&loader->chunk);
	chunk_init(&loader->chunk, size, session->meta.created_ms);
	return saved && save_tokens(loader, session) && save_patterns(loader, session);
}

static bool save_chunk(struct database_loader *loader)
{
	return loader->chunk.bytes == 0 ||
	       save_bytes(loader, W_SAVE_CHUNK, loader->chunk.entries, loader->chunk.bytes);
}

static bool next_chunk(struct database_loader *loader)
{
	struct chunk following;
	if (!save_chunk(loader))
		return false;
	enum store_status status =
		chunk_follow(&loader->chunk, loader->base, loader->base_bytes, &following);
	if (status != STORE_OK)
		return status_failed(loader, status);
	chunk_finish(&loader->chunk);
	loader->chunk = following;
	return save_bytes(loader, W_SAVE_STATE, following.state, following.state_bytes);
}

static bool reserve_packed(struct database_loader *loader, size_t bytes)
{
	if (bytes <= loader->packed_capacity)
		return true;
	uint8_t *packed = realloc(loader->packed, bytes);
	if (!packed)
		return no_memory(loader);
	loader->packed = packed;
	loader->packed_capacity = bytes;
	return true;
}

bool database_load_entry(struct database_loader *loader, const struct entry *entry)
{
	const int size = loader->chunk.size;
	const char *wrong;
	enum history_check_result result =
		history_check_entry(&loader->history_check, entry, &wrong);
	if (result == HISTORY_CHECK_NO_MEMORY)
		return no_memory(loader);
	if (result == HISTORY_CHECK_WRONG)
		return error_set(loader->error, "entry %" PRIu32 ": %s", entry->revision, wrong);
	if (entry->actor > loader->token_count)
		return error_set(loader->error, "entry %" PRIu32 ": there is no token of its actor",
				 entry->revision);
	if (chunk_full(&loader->chunk) && !next_chunk(loader))
		return false;
	if (!reserve_packed(loader, entry_pack_bound(entry, size)))
		return false;
	size_t length = entry_pack(entry, size, 0, loader->packed);
	enum store_status status = chunk_append(&loader->chunk, loader->packed, length);
	return status == STORE_OK || status_failed(loader, status);
}

/* Writes the last chunk, or all entries into the session's row, as compaction does. */
bool database_load_end(struct database_loader *loader)
{
	struct sqlite_connection *writer = &loader->store->writer;
	const struct chunk *chunk = &loader->chunk;
	const uint64_t key = (uint64_t)loader->key;
	const bool inside = chunk->first == 1 && chunk->bytes <= INLINE_ENTRIES_MAX;
	int64_t canonical_index;
	if (!inside && !save_chunk(loader))
		return false;
	if (!canonical_index_of(loader->history_check.history->cube, &canonical_index))
		return no_memory(loader);
	int result =
		chunk->first == 1 && chunk->bytes == 0
			? canonical_index_save(writer, key, canonical_index)
			: inline_entries_save(writer, key, inside ? chunk : NULL, &canonical_index);
	return load_succeeded(loader, result);
}

/* ---- the whole ---- */

static bool load_prepare(struct database_loader *loader)
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
	return error_set(loader->error,
			 "%s is not empty: it has %" PRId64 " sessions; import into a new one",
			 loader->store->path, sessions);
}

struct database_loader *database_load(const char *path, struct error *error)
{
	const struct store_options options = {.queue_max = 1};
	error_set(error, "no memory");
	struct database_loader *loader = calloc(1, sizeof *loader);
	if (!loader)
		return NULL;
	loader->error = error;
	loader->store = sqlite_store_open(path, &options, error);
	if (loader->store && load_prepare(loader))
		return loader;
	database_load_close(loader);
	return NULL;
}

/* The first finding is the error. */
static void keep_first(void *context, const struct session_id *session, const char *what)
{
	struct database_loader *loader = context;
	(void)session;
	if (loader->error->text[0] == '\0')
		error_set(loader->error, "what was written is not sound: %s", what);
}

bool database_load_commit(struct database_loader *loader, struct database_counts *counts)
{
	struct sqlite_connection *writer = &loader->store->writer;
	struct database_visitor visitor = {.context = loader, .finding = keep_first};
	*counts = (struct database_counts){0};
	loader->error->text[0] = '\0';
	if (examine_connection(writer, &visitor, counts) != STORE_OK ||
	    scan_connection(writer, &visitor, counts) != STORE_OK || counts->findings > 0)
		return false;
	return load_succeeded(loader, connection_run(writer, W_COMMIT));
}

void database_load_close(struct database_loader *loader)
{
	if (!loader)
		return;
	for (int i = 0; i < L_STATEMENTS; i++)
		sqlite3_finalize(loader->statements[i]);
	if (loader->store)
		sqlite_store_close(loader->store); /* which rolls back */
	history_check_finish(&loader->history_check);
	chunk_finish(&loader->chunk);
	free(loader->base);
	free(loader->packed);
	free(loader);
}
