/* compact.c: moves entries from the log into chunks, and computes missing hashes of cubes.
 *
 * Both work in slices, each a transaction, so that a new write waits for one slice at most. A
 * failed slice changes nothing, in the log or in the memtable.
 *
 * A slice takes whole sessions, whose entries are scattered in the log. The log is deleted from its
 * beginning up to the oldest entry that is not compacted: so few pages are touched, each once.
 * Entries that are compacted but still in the log are dropped after a restart. */
#include "cube/size.h"
#include "server/store/sqlite/sqlite_internal.h"

#include "server/util/log.h"

#define SLICE_SESSIONS 512
#define SLICE_COST ((size_t)4 << 20) /* bytes of entries times layers: they are replayed */
#define SLICE_CLEARED 1024           /* rows of the log */
/* As in W_UNKNOWN. */
#define FILL_SESSIONS 64
#define FILL_KEYS 1024

/* A slice. */
struct slice {
	struct sqlite_store *store;
	struct sqlite_connection *writer;
	size_t entries, cost; /* room left */
	int result;           /* SQLite's, of the last step */
	/* The sessions compacted so far, in the order of the memtable's queue, and their
	 * entries. */
	size_t count;
	size_t compacted[SLICE_SESSIONS];
};

/* A session of the slice. */
struct compacted_session {
	struct chunk chunk;
	const uint8_t *base; /* valid until W_SESSION is reset */
	size_t base_bytes;
	bool dirty;  /* the chunk has entries not written yet */
	bool inside; /* the entries so far are in the session's row, or there are none */
	bool left;   /* they were there, and are in `history` now */
};

static enum store_status slice_status(struct slice *slice, int result)
{
	slice->result = result;
	return connection_status(slice->writer, result);
}

/* Binds the session's key and steps: SQLITE_ROW, SQLITE_DONE or a failure. */
static int step_key(struct slice *slice, int statement, uint64_t key)
{
	sqlite3_stmt *s = slice->writer->statements[statement];
	int result = sqlite3_bind_int64(s, 1, (int64_t)key);
	return result == SQLITE_OK ? sqlite3_step(s) : result;
}

MUST_USE static enum store_status load_chunk(struct slice *slice, uint64_t key,
					     struct compacted_session *row)
{
	struct chunk *chunk = &row->chunk;
	if (row->inside)
		return chunk_scan(chunk);
	sqlite3_stmt *last = slice->writer->statements[W_CHUNK];
	sqlite3_stmt *state = slice->writer->statements[W_STATE];
	enum store_status status = STORE_OK;
	int result = step_key(slice, W_CHUNK, key);
	if (result == SQLITE_ROW) {
		int64_t first = sqlite3_column_int64(last, 0);
		sqlite3_bind_int64(state, 2, first);
		int found = first == 1 ? SQLITE_DONE : step_key(slice, W_STATE, key);
		if (found != SQLITE_ROW && found != SQLITE_DONE)
			status = slice_status(slice, found);
		else
			status = connection_chunk(last, found == SQLITE_ROW ? state : NULL, key,
						  chunk);
		sqlite3_reset(state);
	} else if (result == SQLITE_DONE) {
		row->inside = true;
	} else {
		status = slice_status(slice, result);
	}
	sqlite3_reset(last);
	return status == STORE_OK ? chunk_scan(chunk) : status;
}

int compact_save(struct sqlite_connection *writer, int statement, uint64_t key, uint32_t first,
		 const uint8_t *bytes, size_t length)
{
	sqlite3_stmt *s = writer->statements[statement];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	bad |= sqlite3_bind_int64(s, 2, first);
	bad |= sqlite3_bind_blob64(s, 3, bytes, length, SQLITE_STATIC);
	bad |= sqlite3_bind_int(
		s, 4,
		checksum_make(statement == W_SAVE_CHUNK ? CHECKSUM_CHUNK : CHECKSUM_STATE, key,
			      first, bytes, length));
	return connection_run_bound(writer, statement, bad);
}

/* A short history is written with the session's row, at the end. */
MUST_USE static enum store_status save_chunk(struct slice *slice, uint64_t key,
					     struct compacted_session *row)
{
	if (!row->dirty || (row->inside && row->chunk.bytes <= INLINE_ENTRIES_MAX))
		return STORE_OK;
	row->dirty = false;
	row->left |= row->inside;
	row->inside = false;
	return slice_status(slice, compact_save(slice->writer, W_SAVE_CHUNK, key, row->chunk.first,
						row->chunk.entries, row->chunk.bytes));
}

/* Closes the chunk and begins the next one. */
MUST_USE static enum store_status next_chunk(struct slice *slice, uint64_t key,
					     struct compacted_session *row)
{
	struct chunk following;
	enum store_status status = save_chunk(slice, key, row);
	if (status == STORE_OK)
		status = chunk_follow(&row->chunk, row->base, row->base_bytes, &following);
	if (status != STORE_OK)
		return status;
	chunk_finish(&row->chunk);
	row->chunk = following;
	return slice_status(slice, compact_save(slice->writer, W_SAVE_STATE, key, following.first,
						following.state, following.state_bytes));
}

MUST_USE static enum store_status compact_entry(struct slice *slice, uint64_t key,
						struct compacted_session *row,
						const struct memtable_entry *entry)
{
	enum store_status status = STORE_OK;
	if (entry->revision > row->chunk.next)
		return STORE_BROKEN; /* a gap */
	if (entry->revision < row->chunk.next)
		return STORE_OK; /* in a chunk already */
	if (chunk_full(&row->chunk))
		status = next_chunk(slice, key, row);
	if (status == STORE_OK)
		status = chunk_append(&row->chunk, entry->packed, entry->length);
	row->dirty = true;
	slice->entries--;
	const size_t cost = entry->length * (size_t)row->chunk.size;
	slice->cost -= cost < slice->cost ? cost : slice->cost;
	return status;
}

/* The hash of the cube after the chunks. */
MUST_USE static enum store_status present_hash(const struct compacted_session *row,
					       int64_t *canonical_index)
{
	struct history *history;
	enum store_status status =
		chunk_state(&row->chunk, row->base, row->base_bytes, HISTORY_NONE, &history);
	if (status != STORE_OK)
		return status;
	bool made = canonical_index_of(history->cube, canonical_index);
	history_destroy(history);
	return made ? STORE_OK : STORE_NO_MEMORY;
}

/* Writes to the session's row what has changed; the hash only when `all` entries are in chunks:
 * until then searches find the session through the memtable. */
MUST_USE static enum store_status save_row(struct slice *slice, uint64_t key,
					   const struct compacted_session *row, bool all)
{
	int64_t canonical_index = 0;
	enum store_status status = all ? present_hash(row, &canonical_index) : STORE_OK;
	if (status != STORE_OK)
		return status;
	if (row->left || row->dirty) /* entries that are still dirty are inline */
		return slice_status(slice, inline_entries_save(slice->writer, key,
							       row->left ? NULL : &row->chunk,
							       all ? &canonical_index : NULL));
	return all ? slice_status(slice, canonical_index_save(slice->writer, key, canonical_index))
		   : STORE_OK;
}

MUST_USE static enum store_status compact_entries(struct slice *slice,
						  const struct memtable_session *session,
						  struct compacted_session *row)
{
	enum store_status status = load_chunk(slice, session->key, row);
	const struct memtable_entry *entry = session->first;
	for (; entry != NULL && slice->entries > 0 && slice->cost > 0 && status == STORE_OK;
	     entry = entry->next) {
		status = compact_entry(slice, session->key, row, entry);
		slice->compacted[slice->count]++;
	}
	if (status == STORE_OK)
		status = save_chunk(slice, session->key, row);
	return status == STORE_OK ? save_row(slice, session->key, row, entry == NULL) : status;
}

/* Entries of a deleted session. */
static void drop_entries(struct slice *slice, const struct memtable_session *session)
{
	for (const struct memtable_entry *entry = session->first; entry != NULL;
	     entry = entry->next)
		slice->compacted[slice->count]++;
}

MUST_USE static enum store_status compact_session(struct slice *slice,
						  const struct memtable_session *session)
{
	sqlite3_stmt *s = slice->writer->statements[W_SESSION];
	struct compacted_session row = {0};
	enum store_status status;
	slice->compacted[slice->count] = 0;
	int result = step_key(slice, W_SESSION, session->key);
	if (result == SQLITE_ROW) {
		int size = sqlite3_column_int(s, 0);
		chunk_init(&row.chunk, size, sqlite3_column_int64(s, 1));
		row.base = sqlite3_column_blob(s, 2);
		row.base_bytes = (size_t)sqlite3_column_bytes(s, 2);
		if (row.base == NULL && sqlite3_column_type(s, 2) != SQLITE_NULL)
			status = slice_status(slice, SQLITE_NOMEM);
		else if (!cube_size_valid(size))
			status = STORE_BROKEN;
		else
			status =
				inline_entries_read(s, 3, 4, session->key, &row.chunk, &row.inside);
		if (status == STORE_OK)
			status = compact_entries(slice, session, &row);
		chunk_finish(&row.chunk);
	} else if (result == SQLITE_DONE) {
		drop_entries(slice, session);
		status = STORE_OK;
	} else {
		status = slice_status(slice, result);
	}
	sqlite3_reset(s);
	if (status == STORE_OK)
		slice->count++;
	return status;
}

/* Returns true if the session, and not the file, is the reason for that status. */
static bool session_is_damaged(const struct slice *slice, enum store_status status)
{
	return status == STORE_DAMAGED || (status == STORE_BROKEN && slice->result == SQLITE_OK);
}

/* A damaged session must not stop the compaction of the others. */
MUST_USE static enum store_status leave_alone(struct sqlite_store *store, uint64_t key)
{
	enum store_status status = writer_abort(store, STORE_OK);
	if (status != STORE_OK)
		return status;
	log_event(LOG_ERROR, "a session's history is damaged", LOG_TEXT("path", store->path),
		  LOG_NUMBER("session", key));
	memtable_set_aside(&store->memtable, key);
	return STORE_OK;
}

MUST_USE static int clear_rows(struct slice *slice, int64_t first, int64_t end)
{
	sqlite3_stmt *s = slice->writer->statements[W_CLEAR_LOG];
	int bad = sqlite3_bind_int64(s, 1, first);
	bad |= sqlite3_bind_int64(s, 2, end);
	return connection_run_bound(slice->writer, W_CLEAR_LOG, bad);
}

/* Deletes compacted rows from the beginning of the log, except those with entries of damaged
 * sessions; *first is where the next slice continues. */
MUST_USE static enum store_status clear_log(struct slice *slice, int64_t *first)
{
	const struct sqlite_store *store = slice->store;
	int64_t end = memtable_oldest_seq(&store->memtable);
	if (end > store->next_seq)
		end = store->next_seq;
	if (end > store->log_first + SLICE_CLEARED)
		end = store->log_first + SLICE_CLEARED;
	*first = end;
	int result = SQLITE_OK;
	for (int64_t from = store->log_first; from < end && result == SQLITE_OK;) {
		const int64_t kept = memtable_kept_seq(&store->memtable, from);
		if (kept > from)
			result = clear_rows(slice, from, kept < end ? kept : end);
		from = kept < end ? kept + 1 : end;
	}
	return slice_status(slice, result);
}

bool compact_has_work(const struct sqlite_store *store)
{
	return memtable_oldest(&store->memtable) != NULL || store->log_first < store->next_seq;
}

enum store_status compact_slice(struct sqlite_store *store)
{
	struct slice slice = {
		.store = store,
		.writer = &store->writer,
		.entries = COMPACT_SLICE_ENTRIES,
		.cost = SLICE_COST,
	};
	const struct memtable_session *session = memtable_oldest(&store->memtable);
	int64_t log_first = store->log_first;
	if (!compact_has_work(store))
		return STORE_NOT_FOUND;
	enum store_status status = slice_status(&slice, connection_run(&store->writer, W_BEGIN));
	if (status == STORE_OK)
		status = clear_log(&slice, &log_first);
	for (; session != NULL && slice.entries > 0 && slice.cost > 0 &&
	       slice.count < SLICE_SESSIONS && status == STORE_OK;
	     session = session->next) {
		status = compact_session(&slice, session);
		if (session_is_damaged(&slice, status))
			return leave_alone(store, session->key);
	}
	status = status == STORE_OK ? writer_commit(store) : writer_abort(store, status);
	for (size_t i = 0; i < slice.count && status == STORE_OK; i++)
		memtable_drop(&store->memtable, slice.compacted[i]);
	if (status == STORE_OK)
		store->log_first = log_first;
	return status;
}

/* ---- hashes of sessions older than the index ---- */

MUST_USE static enum store_status unknown_keys(struct sqlite_store *store,
					       uint64_t keys[FILL_SESSIONS], size_t *count)
{
	sqlite3_stmt *s = store->writer.statements[W_UNKNOWN];
	int result = sqlite3_bind_int64(s, 1, store->fill_from);
	*count = 0;
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW || *count == FILL_SESSIONS)
			break;
		keys[(*count)++] = (uint64_t)sqlite3_column_int64(s, 0);
	}
	sqlite3_reset(s);
	return connection_status(&store->writer, result);
}

MUST_USE static enum store_status fill_session(struct slice *slice, uint64_t key)
{
	/* Sessions in the memtable get their hash when they are compacted. */
	const struct memtable_session none = {.key = key};
	if (memtable_entries(&slice->store->memtable, key) != NULL)
		return STORE_OK;
	enum store_status status = compact_session(slice, &none);
	/* A damaged session stays without. */
	return session_is_damaged(slice, status) ? STORE_OK : status;
}

enum store_status fill_slice(struct sqlite_store *store)
{
	struct slice slice = {.store = store, .writer = &store->writer};
	uint64_t keys[FILL_SESSIONS];
	size_t count;
	if (store->fill_from >= store->fill_end)
		return STORE_NOT_FOUND;
	enum store_status status = unknown_keys(store, keys, &count);
	if (status == STORE_OK && count == 0)
		store->fill_from += FILL_KEYS;
	if (status != STORE_OK || count == 0)
		return status;
	status = slice_status(&slice, connection_run(&store->writer, W_BEGIN));
	for (size_t i = 0; i < count && status == STORE_OK; i++)
		status = fill_session(&slice, keys[i]);
	status = status == STORE_OK ? writer_commit(store) : writer_abort(store, status);
	if (status == STORE_OK)
		store->fill_from = (int64_t)keys[count - 1];
	return status;
}
