/* canonical_index.c: finds sessions by their cube, however it is held: an index of hashes
 * (cube_colors_hash() of cube_canonical()).
 *
 * A session's hash is written when it is created, and again when its entries are compacted: so an
 * append costs nothing more. Sessions with entries in the memtable are visited one by one in
 * addition to the index. Those older than the index have no hash at first; the writer computes it
 * when it is idle (fill_slice() in compact.c).
 *
 * The index has the upper 24 of the 64 bits: three bytes instead of eight, twice for each session.
 * Visitors compare the cubes anyway, so a false hit costs one look-up, some 15 us if the file is in
 * memory, and counts as one of the rows read. Of n sessions, n / 2^24 are false hits: with a
 * million sessions one search in seventeen meets one, with a hundred million each meets six. The
 * lower bits would not do: the lowest of FNV-1a is the same for all cubes of a size. */
#include "server/store/sqlite/sqlite_internal.h"

#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/pattern.h"

#include <stdlib.h>

#define PAGE_KEYS 256

/* As in schema/004-compact.sql: -2^23 .. 2^23-1, which SQLite keeps in three bytes. */
static int64_t canonical_index_of_hash(uint64_t hash)
{
	return (int64_t)(hash >> 40) - (hash >> 63 != 0 ? INT64_C(1) << 24 : 0);
}

/* ---- for the writer ---- */

bool canonical_index_of(const struct cube *cube, int64_t *canonical_index)
{
	size_t facelets = cube_facelets(cube->size);
	uint8_t *colors = malloc(2 * facelets);
	if (colors == NULL)
		return false;
	cube_colors(cube, colors);
	cube_canonical(cube->size, colors, colors + facelets);
	*canonical_index = canonical_index_of_hash(cube_colors_hash(cube->size, colors + facelets));
	free(colors);
	return true;
}

bool canonical_index_first(int size, const struct cube *base, int64_t *canonical_index)
{
	if (base != NULL)
		return canonical_index_of(base, canonical_index);
	struct cube *solved = malloc(cube_bytes(size));
	if (solved == NULL)
		return false;
	cube_init(solved, size);
	bool made = canonical_index_of(solved, canonical_index);
	free(solved);
	return made;
}

int canonical_index_save(struct sqlite_connection *writer, uint64_t key, int64_t canonical_index)
{
	sqlite3_stmt *s = writer->statements[W_ALIKE];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	bad |= sqlite3_bind_int64(s, 2, canonical_index);
	return connection_run_bound(writer, W_ALIKE, bad);
}

/* ---- for readers ---- */

/* Keys from two sources, newest first: a page of the index, and the memtable. */
struct keys {
	struct store_reader *reader;
	int64_t canonical_index;
	uint64_t page[PAGE_KEYS];
	size_t page_count, page_at;
	bool page_last;
	uint64_t *memtable;
	size_t memtable_count, memtable_at;
};

MUST_USE static enum store_status read_page(struct keys *keys, uint64_t before)
{
	sqlite3_stmt *s = reader_connection(keys->reader)->statements[R_ALIKE];
	int result = sqlite3_bind_int64(s, 1, keys->canonical_index);
	keys->page_count = keys->page_at = 0;
	if (result == SQLITE_OK)
		result = sqlite3_bind_int64(s, 2, before > INT64_MAX ? INT64_MAX : (int64_t)before);
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW || keys->page_count == PAGE_KEYS)
			break;
		keys->page[keys->page_count++] = (uint64_t)sqlite3_column_int64(s, 0);
	}
	keys->page_last = keys->page_count < PAGE_KEYS;
	sqlite3_reset(s);
	return connection_status(reader_connection(keys->reader), result);
}

/* The newest key below `before`; 0: none. */
MUST_USE static enum store_status next_key(struct keys *keys, uint64_t before, uint64_t *key)
{
	enum store_status status = STORE_OK;
	while (keys->page_at < keys->page_count && keys->page[keys->page_at] >= before)
		keys->page_at++;
	if (keys->page_at == keys->page_count && !keys->page_last)
		status = read_page(keys, before);
	while (keys->memtable_at < keys->memtable_count &&
	       keys->memtable[keys->memtable_at] >= before)
		keys->memtable_at++;
	*key = keys->page_at < keys->page_count ? keys->page[keys->page_at] : 0;
	if (keys->memtable_at < keys->memtable_count && keys->memtable[keys->memtable_at] > *key)
		*key = keys->memtable[keys->memtable_at];
	return status;
}

MUST_USE static enum store_status visit_one(struct store_reader *reader, uint64_t key, uint64_t own,
					    store_visit_session *visit, void *context, bool *more)
{
	struct stored_session session = {0};
	enum store_status status = reader_stored(reader, key, &session);
	if (status == STORE_NOT_FOUND || status == STORE_DAMAGED)
		return STORE_OK; /* purged meanwhile; others are not hidden */
	if (status == STORE_OK && !session.meta.deleted && (session.meta.listed || key == own))
		*more = visit(context, &session);
	stored_session_free(&session);
	return status;
}

enum store_status reader_canonical_index(struct store_reader *reader, uint64_t canonical,
					 uint64_t own, uint64_t before, uint32_t look_at,
					 store_visit_session *visit, void *context, uint64_t *next)
{
	struct keys keys = {.reader = reader,
			    .canonical_index = canonical_index_of_hash(canonical)};
	bool more = true;
	*next = 0;
	/* The memtable first: what is compacted meanwhile is found twice, not missed. */
	if (!memtable_keys(&reader_store(reader)->memtable, &keys.memtable, &keys.memtable_count))
		return STORE_NO_MEMORY;
	for (;;) {
		uint64_t key;
		enum store_status status = next_key(&keys, before, &key);
		if (status == STORE_OK && key != 0 && more && look_at-- > 0) {
			before = key;
			status = visit_one(reader, key, own, visit, context, &more);
			if (status == STORE_OK)
				continue;
		} else if (key != 0) {
			*next = before;
		}
		free(keys.memtable);
		return status;
	}
}
