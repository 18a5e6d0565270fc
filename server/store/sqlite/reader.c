/* reader.c: reads sessions, over connections that can neither write nor checkpoint.
 *
 * A read first copies the session's entries in the memtable, then what it needs of the database in
 * one short transaction, and replays after that. */
#include "cube/turn.h"
#include "server/store/sqlite/row.h"

#include <stdlib.h>
#include <string.h>

#define LIST_KEYS 256

#define SOLVES_OF "SELECT " SOLVE_COLUMNS " FROM solve WHERE " SOLVE_SEEN " AND "

static const char *const reader_sql[R_STATEMENTS] = {
	[R_BEGIN] = "BEGIN",
	[R_COMMIT] = "COMMIT",
	[R_KEY] = SESSION_KEY_SQL,
	[R_SESSION] = "SELECT " SESSION_COLUMNS " FROM " SESSION_TABLES " WHERE key = ?1",
	[R_CHUNK] =
		"SELECT first, entries, checksum FROM history WHERE session = ?1 AND first <= ?2"
		" ORDER BY first DESC LIMIT 1",
	[R_STATE] = "SELECT state, checksum FROM snapshot WHERE session = ?1 AND first = ?2",
	/* By the index session_listed: unlisted sessions cost nothing. */
	[R_LIST] = "SELECT session AS listed_key FROM session_more"
		   " WHERE listed = 1 AND deleted_ms IS NULL AND access IS NOT 2 AND session < ?1"
		   " UNION SELECT key FROM " SESSION_TABLES
		   " WHERE key = ?3 AND deleted_ms IS NULL AND key < ?1"
		   " ORDER BY listed_key DESC LIMIT ?2",
	[R_LIST_OLDEST] = "SELECT session FROM session_more WHERE listed = 1 AND deleted_ms IS NULL"
			  " AND access IS NOT 2 AND session > ?1 ORDER BY session LIMIT ?2",
	[R_ALIKE] =
		"SELECT key FROM session WHERE alike = ?1 AND key < ?2 ORDER BY key DESC LIMIT 256",
	[R_TOKENS] = session_tokens_sql,
	[R_PATTERNS] = "SELECT name, updated_ms, pattern FROM pattern"
		       " WHERE session = ?1 AND token = 0 ORDER BY name",
	[R_PATTERN] = "SELECT name, updated_ms, pattern FROM pattern"
		      " WHERE session = ?1 AND token = 0 AND name = ?2",
	[R_SOLVES] = SOLVES_OF "session = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT 256",
	[R_SOLVES_OLD] = SOLVES_OF "session = ?1 AND seq > ?2 ORDER BY seq LIMIT 256",
	[R_SOLVE] = SOLVES_OF "substr(id, 1, 4) = substr(?1, 1, 4) AND id = ?1",
	[R_SOLVE_COUNT] = "SELECT count(*) FROM solve WHERE session = ?1 AND " SOLVE_SEEN,
	[R_FRAME] = "SELECT frame FROM solve_frame WHERE session = ?1",
	[R_ANSWERS] = "SELECT " ANSWER_COLUMNS " FROM answer WHERE canonical = ?1 ORDER BY seq",
	[R_RECEIPT] = "SELECT " RECEIPT_COLUMNS " FROM receipt"
		      " WHERE substr(key, 1, 8) = substr(?1, 1, 8) AND key = ?1",
};

struct store_reader *reader_create(struct store *base)
{
	struct sqlite_reader *made = calloc(1, sizeof(*made));
	if (made == NULL)
		return NULL;
	struct store_reader *reader = &made->reader;
	struct sqlite_connection *c = &made->connection;
	reader->store = base;
	int result = connection_open_read_only(c, reader_store(reader)->path, 0);
	if (result == SQLITE_OK)
		result = connection_prepare(c, reader_sql, R_STATEMENTS);
	if (result == SQLITE_OK)
		return reader;
	reader_destroy(reader);
	return NULL;
}

void reader_destroy(struct store_reader *reader)
{
	connection_close(reader_connection(reader));
	free(reader);
}

/* The copy that a read makes from the database, so that the replay needs no transaction. */
struct loaded {
	struct session_meta meta;
	uint8_t *base;
	size_t base_bytes;
	struct cube_turn *scramble;
	size_t scramble_count;
	struct stored_token *tokens;
	size_t token_count;
	struct chunk chunk;
	bool inside; /* the chunk is inline: nothing is in `history` */
	struct memtable_copy memtable;
};

static void loaded_finish(struct loaded *loaded)
{
	free(loaded->base);
	free(loaded->scramble);
	free(loaded->tokens);
	chunk_finish(&loaded->chunk);
	memtable_copy_finish(&loaded->memtable);
}

MUST_USE static enum store_status copy_session(struct loaded *loaded, sqlite3_stmt *row)
{
	struct session_meta *meta = &loaded->meta;
	const char *wrong;
	const void *base = sqlite3_column_blob(row, ROW_BASE);
	enum store_status status = session_row_meta(row, meta, &wrong);
	if (status != STORE_OK)
		return status;
	chunk_init(&loaded->chunk, meta->size, meta->created_ms);
	if (base != NULL) {
		loaded->base_bytes = (size_t)sqlite3_column_bytes(row, ROW_BASE);
		loaded->base = malloc(loaded->base_bytes);
		if (loaded->base == NULL)
			return STORE_NO_MEMORY;
		memcpy(loaded->base, base, loaded->base_bytes);
	} else if (sqlite3_column_type(row, ROW_BASE) != SQLITE_NULL) {
		return STORE_NO_MEMORY;
	}
	status = inline_entries_read(row, ROW_OPENING, ROW_CHECKSUM, meta->key, &loaded->chunk,
				     &loaded->inside);
	return status == STORE_OK ? session_row_scramble(row, meta->size, &loaded->scramble,
							 &loaded->scramble_count)
				  : status;
}

/* Binds the session's key, and a revision unless it is R_SESSION, and steps. */
MUST_USE static int step_reader(struct store_reader *reader, int statement, uint64_t key,
				uint32_t revision)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[statement];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	if (statement != R_SESSION)
		bad |= sqlite3_bind_int64(s, 2, revision);
	return bad != SQLITE_OK ? SQLITE_NOMEM : sqlite3_step(s);
}

MUST_USE static enum store_status read_chunk(struct store_reader *reader, uint64_t key,
					     uint32_t revision, struct chunk *chunk)
{
	sqlite3_stmt *entries = reader_connection(reader)->statements[R_CHUNK];
	sqlite3_stmt *state = reader_connection(reader)->statements[R_STATE];
	int result = step_reader(reader, R_CHUNK, key, revision);
	enum store_status status = connection_status(reader_connection(reader), result);
	if (result == SQLITE_ROW) {
		int64_t first = sqlite3_column_int64(entries, 0);
		int found = SQLITE_DONE;
		if (first > 1)
			found = step_reader(reader, R_STATE, key, (uint32_t)first);
		status = connection_status(reader_connection(reader), found);
		if (status == STORE_OK)
			status = connection_chunk(entries, found == SQLITE_ROW ? state : NULL, key,
						  chunk);
		sqlite3_reset(state);
	}
	sqlite3_reset(entries);
	return status;
}

MUST_USE static enum store_status read_session(struct store_reader *reader, uint64_t key,
					       uint32_t revision, struct loaded *loaded)
{
	sqlite3_stmt *row = reader_connection(reader)->statements[R_SESSION];
	int result = step_reader(reader, R_SESSION, key, 0);
	enum store_status status = connection_status(reader_connection(reader), result);
	if (result == SQLITE_ROW)
		status = copy_session(loaded, row);
	else if (status == STORE_OK)
		status = STORE_NOT_FOUND;
	sqlite3_reset(row);
	if (status == STORE_OK && !loaded->inside)
		status = read_chunk(reader, key, revision, &loaded->chunk);
	return status;
}

MUST_USE static enum store_status read_tokens(struct store_reader *reader, uint64_t key,
					      struct loaded *loaded)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[R_TOKENS];
	if (sqlite3_bind_int64(s, 1, (int64_t)key) != SQLITE_OK)
		return STORE_NO_MEMORY;
	return tokens_read(reader_connection(reader), s, &loaded->tokens, &loaded->token_count);
}

/* The session with the chunk of `revision`, or the last one before; with its tokens if wanted.
 * loaded_finish() must follow, also after a failure. */
MUST_USE static enum store_status load_session(struct store_reader *reader, uint64_t key,
					       uint32_t revision, bool tokens,
					       struct loaded *loaded)
{
	*loaded = (struct loaded){.meta.key = key};
	if (key > INT64_MAX)
		return STORE_NOT_FOUND;
	if (!memtable_copy(&reader_store(reader)->memtable, key, &loaded->memtable))
		return STORE_NO_MEMORY;
	enum store_status status = connection_status(
		reader_connection(reader), connection_run(reader_connection(reader), R_BEGIN));
	if (status != STORE_OK)
		return status;
	status = read_session(reader, key, revision, loaded);
	if (status == STORE_BROKEN || status == STORE_DAMAGED)
		damage_log(reader_store(reader), key);
	if (status == STORE_OK && tokens)
		status = read_tokens(reader, key, loaded);
	if (connection_run(reader_connection(reader), R_COMMIT) != SQLITE_OK &&
	    !connection_rollback(reader_connection(reader)))
		return STORE_BROKEN;
	return status;
}

/* Applies the entries of the memtable that are not in the chunks. */
MUST_USE static enum store_status replay_memtable(const struct memtable_copy *memtable,
						  struct history *history, uint32_t upto)
{
	enum store_status status = STORE_OK;
	size_t start = 0;
	for (size_t i = 0; i < memtable->count && status == STORE_OK; i++) {
		uint32_t revision = memtable->revision + (uint32_t)i;
		if (revision > history->revision && revision <= upto) {
			if (revision != history->revision + 1)
				return STORE_BROKEN; /* a gap */
			status = chunk_status(history_replay(history, memtable->bytes + start,
							     memtable->ends[i] - start, 0,
							     revision));
		}
		start = memtable->ends[i];
	}
	return status;
}

MUST_USE static enum store_status replay_session(const struct loaded *loaded, uint32_t upto,
						 struct history **history)
{
	enum store_status status =
		chunk_state(&loaded->chunk, loaded->base, loaded->base_bytes, upto, history);
	if (status == STORE_OK)
		status = replay_memtable(&loaded->memtable, *history, upto);
	if (status != STORE_OK) {
		history_destroy(*history);
		*history = NULL;
	}
	return status;
}

enum store_status reader_stored(struct store_reader *reader, uint64_t key,
				struct stored_session *session)
{
	struct loaded loaded;
	enum store_status status = load_session(reader, key, HISTORY_NONE, true, &loaded);
	if (status == STORE_OK)
		status = replay_session(&loaded, HISTORY_NONE, &session->history);
	if (status == STORE_OK) {
		session->meta = loaded.meta;
		session->scramble = loaded.scramble;
		session->scramble_count = loaded.scramble_count;
		loaded.scramble = NULL;
		session->tokens = loaded.tokens;
		session->token_count = loaded.token_count;
		loaded.tokens = NULL;
	}
	loaded_finish(&loaded);
	return status;
}

enum store_status reader_find(struct store_reader *reader, const struct session_id *id,
			      struct stored_session *session)
{
	*session = (struct stored_session){0};
	sqlite3_stmt *s = reader_connection(reader)->statements[R_KEY];
	int result = sqlite3_bind_blob(s, 1, id->bytes, SESSION_ID_BYTES, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	uint64_t key = result == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	if (result == SQLITE_ROW)
		return reader_stored(reader, key, session);
	enum store_status status = connection_status(reader_connection(reader), result);
	return status == STORE_OK ? STORE_NOT_FOUND : status;
}

enum store_status reader_receipt(struct store_reader *reader, const uint8_t key[HASH_BYTES],
				 struct receipt *receipt)
{
	sqlite3_stmt *s = reader_connection(reader)->statements[R_RECEIPT];
	const int64_t oldest_ms = reader_store(reader)->options.now_ms() - RECEIPT_KEPT_MS;
	int result = sqlite3_bind_blob(s, 1, key, HASH_BYTES, SQLITE_STATIC);
	*receipt = (struct receipt){0};
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	enum store_status status = connection_status(reader_connection(reader), result);
	if (status == STORE_OK)
		status = result == SQLITE_ROW && sqlite3_column_int64(s, 2) >= oldest_ms
				 ? receipt_decode(s, receipt)
				 : STORE_NOT_FOUND;
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return status;
}

enum store_status reader_at(struct store_reader *reader, uint64_t key, uint32_t revision,
			    struct history **history)
{
	struct loaded loaded;
	*history = NULL;
	enum store_status status = load_session(reader, key, revision, false, &loaded);
	if (status == STORE_OK)
		status = replay_session(&loaded, revision, history);
	if (status == STORE_OK && (*history)->revision != revision) {
		history_destroy(*history);
		*history = NULL;
		status = STORE_NOT_FOUND;
	}
	loaded_finish(&loaded);
	return status;
}

MUST_USE static enum store_status visit_memtable(const struct loaded *loaded, uint32_t *from,
						 store_visit_entry *visit, void *context,
						 bool *stop)
{
	const struct memtable_copy *memtable = &loaded->memtable;
	enum entry_read result = ENTRY_READ;
	size_t start = 0;
	for (size_t i = 0; i < memtable->count && !*stop && result == ENTRY_READ; i++) {
		uint32_t revision = memtable->revision + (uint32_t)i;
		if (revision > *from)
			return STORE_BROKEN; /* a gap */
		if (revision == *from) {
			struct entry_reader entries;
			struct entry entry;
			entry_reader_init(&entries, loaded->meta.size, memtable->bytes + start,
					  memtable->ends[i] - start, revision, 0);
			result = entry_reader_next(&entries, &entry);
			if (result == ENTRY_READ) {
				*stop = !visit(context, &entry);
				*from = revision + 1;
			}
			entry_reader_finish(&entries);
		}
		start = memtable->ends[i];
	}
	return chunk_status(result);
}

enum store_status reader_entries(struct store_reader *reader, uint64_t key, uint32_t after,
				 store_visit_entry *visit, void *context)
{
	bool stop = after == UINT32_MAX;
	uint32_t from = stop ? after : after + 1, before;
	enum store_status status;
	do {
		/* The memtable is copied with each chunk, so that nothing compacted meanwhile is
		 * missed. */
		struct loaded loaded;
		before = from;
		status = load_session(reader, key, from, false, &loaded);
		if (status == STORE_OK)
			status = chunk_visit(&loaded.chunk, &from, visit, context, &stop);
		if (status == STORE_OK && !stop && from == before) {
			status = visit_memtable(&loaded, &from, visit, context, &stop);
			stop = true;
		}
		loaded_finish(&loaded);
	} while (status == STORE_OK && !stop);
	return status;
}

/* A list of sessions: its statement, where it goes on, and the session that is in it though not
 * listed (newest first only). */
struct list {
	struct store_reader *reader;
	size_t statement;
	uint64_t at, own;
};

/* The next keys. */
MUST_USE static enum store_status list_keys(const struct list *list, uint32_t most, uint64_t *keys,
					    uint32_t *count)
{
	sqlite3_stmt *s = reader_connection(list->reader)->statements[list->statement];
	*count = 0;
	int result = sqlite3_bind_int64(s, 1, list->at > INT64_MAX ? INT64_MAX : (int64_t)list->at);
	if (result == SQLITE_OK)
		result = sqlite3_bind_int64(s, 2, most);
	if (result == SQLITE_OK && list->statement == R_LIST)
		result = sqlite3_bind_int64(s, 3, (int64_t)list->own);
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW)
			break;
		keys[(*count)++] = (uint64_t)sqlite3_column_int64(s, 0);
	}
	sqlite3_reset(s);
	return connection_status(reader_connection(list->reader), result);
}

MUST_USE static enum store_status list_visit(struct list *list, uint32_t look_at,
					     store_visit_session *visit, void *context,
					     uint64_t *next)
{
	uint64_t keys[LIST_KEYS];
	bool more = true;
	uint32_t count;
	*next = 0;
	for (;;) {
		/* At the end one more row: whether there is another session. */
		uint32_t most = more && look_at > 0 ? look_at : 1;
		if (most > LIST_KEYS)
			most = LIST_KEYS;
		enum store_status status = list_keys(list, most, keys, &count);
		if (status != STORE_OK || count == 0)
			return status;
		if (!more || look_at == 0) {
			*next = list->at;
			return STORE_OK;
		}
		look_at -= count;
		for (uint32_t i = 0; i < count && more; i++) {
			struct stored_session session = {0};
			list->at = keys[i];
			status = reader_stored(list->reader, keys[i], &session);
			if (status == STORE_NOT_FOUND || status == STORE_DAMAGED)
				continue; /* purged meanwhile; others are not hidden */
			if (status != STORE_OK)
				return status;
			more = visit(context, &session);
			stored_session_free(&session);
		}
	}
}

enum store_status reader_list(struct store_reader *reader, uint64_t own, uint64_t before,
			      uint32_t look_at, store_visit_session *visit, void *context,
			      uint64_t *next)
{
	struct list list = {reader, R_LIST, before, own};
	return list_visit(&list, look_at, visit, context, next);
}

enum store_status reader_list_oldest(struct store_reader *reader, uint64_t after, uint32_t look_at,
				     store_visit_session *visit, void *context, uint64_t *next)
{
	struct list list = {reader, R_LIST_OLDEST, after, 0};
	return list_visit(&list, look_at, visit, context, next);
}
