/* alike.c: sessions by their cube, however it is held: an index of hashes (core's cube_colors_hash of
 * cube_canonical).
 *
 * A session's hash is written with it when it is made, and again when its entries are folded: so an
 * append costs nothing more. Sessions with entries in the tail are looked at one by one beside the
 * index. Those that are older than the index have no hash at first; the writer finds them when it
 * is idle (fill_slice in fold.c). */
#include "server/store/sqlite/internal.h"

#include "cube/facts.h"
#include "cube/pattern.h"

#include <stdlib.h>

#define PAGE_KEYS 256

/* ---- the writer's ---- */

bool alike_hash(const struct cube *cube, int64_t *hash)
{
	size_t facelets = cube_facelets(cube->size);
	uint8_t *colors = malloc(2 * facelets);
	if (colors == NULL)
		return false;
	cube_colors(cube, colors);
	cube_canonical(cube->size, colors, colors + facelets);
	*hash = (int64_t)cube_colors_hash(cube->size, colors + facelets);
	free(colors);
	return true;
}

int alike_save(struct connection *writer, uint64_t key, const struct cube *cube)
{
	sqlite3_stmt *s = writer->statements[W_CANONICAL];
	int64_t hash;
	if (!alike_hash(cube, &hash))
		return SQLITE_NOMEM;
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	bad |= sqlite3_bind_int64(s, 2, hash);
	return bad != SQLITE_OK ? SQLITE_NOMEM : connection_run(writer, W_CANONICAL);
}

/* ---- readers' ---- */

/* Keys from two places, newest first: a page of the index, and the tail. */
struct keys {
	struct store_reader *reader;
	int64_t hash;
	uint64_t page[PAGE_KEYS];
	size_t page_count, page_at;
	bool page_last;
	uint64_t *tail;
	size_t tail_count, tail_at;
};

static int newest_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x < y) - (x > y);
}

static enum store_status read_page(struct keys *keys, uint64_t before)
{
	sqlite3_stmt *s = keys->reader->connection.statements[R_ALIKE];
	int result = sqlite3_bind_int64(s, 1, keys->hash);
	keys->page_count = keys->page_at = 0;
	if (result == SQLITE_OK)
		result = sqlite3_bind_int64(s, 2,
		                            before > INT64_MAX ? INT64_MAX : (int64_t)before);
	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(s);
		if (result != SQLITE_ROW || keys->page_count == PAGE_KEYS)
			break;
		keys->page[keys->page_count++] = (uint64_t)sqlite3_column_int64(s, 0);
	}
	keys->page_last = keys->page_count < PAGE_KEYS;
	sqlite3_reset(s);
	return connection_status(&keys->reader->connection, result);
}

/* The newest key below `before`; 0 where there is none. */
static enum store_status next_key(struct keys *keys, uint64_t before, uint64_t *key)
{
	enum store_status status = STORE_OK;
	while (keys->page_at < keys->page_count && keys->page[keys->page_at] >= before)
		keys->page_at++;
	if (keys->page_at == keys->page_count && !keys->page_last)
		status = read_page(keys, before);
	while (keys->tail_at < keys->tail_count && keys->tail[keys->tail_at] >= before)
		keys->tail_at++;
	*key = keys->page_at < keys->page_count ? keys->page[keys->page_at] : 0;
	if (keys->tail_at < keys->tail_count && keys->tail[keys->tail_at] > *key)
		*key = keys->tail[keys->tail_at];
	return status;
}

static enum store_status visit_one(struct store_reader *reader, uint64_t key, uint64_t own,
				   store_visit_session *visit, void *context, bool *more)
{
	struct stored_session session = { 0 };
	enum store_status status = reader_stored(reader, key, &session);
	if (status == STORE_NOT_FOUND)
		return STORE_OK; /* forgotten meanwhile */
	if (status == STORE_OK && !session.meta.deleted &&
	    (session.meta.access != ACCESS_NONE || key == own))
		*more = visit(context, &session);
	stored_session_free(&session);
	return status;
}

enum store_status reader_alike(struct store_reader *reader, uint64_t canonical, uint64_t own,
			       uint64_t before, uint32_t look_at, store_visit_session *visit,
			       void *context, uint64_t *next)
{
	struct keys keys = { .reader = reader, .hash = (int64_t)canonical };
	bool more = true;
	*next = 0;
	/* The tail first: what is folded meanwhile is then found twice, not missed. */
	if (!tail_keys(&reader->store->tail, &keys.tail, &keys.tail_count))
		return STORE_NO_MEMORY;
	qsort(keys.tail, keys.tail_count, sizeof(*keys.tail), newest_first);
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
		free(keys.tail);
		return status;
	}
}
