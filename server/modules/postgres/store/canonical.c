/* canonical.c: finds sessions by their cube, however it is held.
 *
 * The index has the listed sessions by the hash of their cube, as it was when the index was brought
 * up to date (index_cubes.c); until which batch of each lane that is, is in lane.hashed. A search also
 * looks at all sessions that were changed behind that. Visitors compare the cubes. */
#include "server/modules/postgres/store/reader.h"

#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/pattern.h"

#include <stdlib.h>

bool canonical_hash_of(const struct cube *cube, int32_t *hash)
{
	const size_t facelets = cube_facelets(cube->size);
	uint8_t *colors = malloc(2 * facelets);
	if (colors == NULL)
		return false;
	cube_colors(cube, colors);
	cube_canonical(cube->size, colors, colors + facelets);
	*hash = canonical_hash(cube_colors_hash(cube->size, colors + facelets));
	free(colors);
	return true;
}

#define PAGE_KEYS 256 /* as in CANONICAL_KEYS */

/* Candidates, newest first. */
struct keys {
	uint64_t *keys;
	size_t count, capacity;
	uint64_t above; /* keys up to this one may be missing */
};

MUST_USE static bool add_key(struct keys *keys, uint64_t key)
{
	if (keys->count == keys->capacity) {
		const size_t capacity = keys->capacity == 0 ? PAGE_KEYS : keys->capacity * 2;
		uint64_t *more = realloc(keys->keys, capacity * sizeof(*more));
		if (more == NULL)
			return false;
		keys->keys = more;
		keys->capacity = capacity;
	}
	keys->keys[keys->count++] = key;
	return true;
}

MUST_USE static bool add_changed(struct keys *keys, const uint8_t *bytes, size_t length,
				 uint64_t before)
{
	struct change_body body;
	struct store_change change;
	change_body_read(&body, bytes, length);
	while (change_body_next(&body, &change))
		if (change.kind != CHANGE_MISSED && change.key < before &&
		    !add_key(keys, change.key))
			return false;
	return true;
}

static int newest_first(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

static void sort_keys(struct keys *keys)
{
	size_t kept = 0;
	if (keys->count > 0)
		qsort(keys->keys, keys->count, sizeof(*keys->keys), newest_first);
	for (size_t i = 0; i < keys->count; i++)
		if (i == 0 || keys->keys[i] != keys->keys[kept - 1])
			keys->keys[kept++] = keys->keys[i];
	keys->count = kept;
}

/* Adds those of the changed sessions that are listed. */
MUST_USE static enum store_status add_listed(struct postgres_reader *reader,
					     const struct keys *changed, struct keys *keys)
{
	PGresult *result;
	parameters_begin(&reader->parameters);
	parameters_array(&reader->parameters, PG_INT8, (uint32_t)changed->count);
	for (size_t i = 0; i < changed->count; i++)
		parameters_uint8(&reader->parameters, changed->keys[i]);
	enum store_status status = pg_reader_run(reader, STATEMENT_CANONICAL_LISTED, &result);
	if (status != STORE_OK)
		return status;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK; i++)
		if (!add_key(keys, result_uint8(result, i, 0)))
			status = STORE_NO_MEMORY;
	pq.PQclear(result);
	return status;
}

/* From the index, and from what was changed behind it. */
MUST_USE static bool add_rows(const PGresult *result, uint64_t before, struct keys *keys,
			      struct keys *changed)
{
	size_t length, indexed = 0;
	bool added = true;
	keys->count = 0;
	keys->above = 0;
	for (int i = 0; i < pq.PQntuples(result) && added; i++) {
		const uint8_t *body = result_bytes(result, i, 1, &length);
		const uint64_t key = result_uint8(result, i, 0);
		if (body != NULL) {
			added = add_changed(changed, body, length, before);
			continue;
		}
		added = add_key(keys, key);
		if (++indexed == PAGE_KEYS)
			keys->above = key - 1;
	}
	return added;
}

/* The candidates below `before`: all, or the newest. */
MUST_USE static enum store_status read_keys(struct postgres_reader *reader, int32_t hash,
					    uint64_t own, uint64_t before, struct keys *keys)
{
	struct keys changed = {0};
	PGresult *result;
	parameters_begin(&reader->parameters);
	parameters_int4(&reader->parameters, hash);
	parameters_uint8(&reader->parameters, before > INT64_MAX ? INT64_MAX : before);
	enum store_status status = pg_reader_run(reader, STATEMENT_CANONICAL_KEYS, &result);
	if (status != STORE_OK)
		return status;
	if (!add_rows(result, before, keys, &changed) ||
	    (own != 0 && own < before && !add_key(keys, own)))
		status = STORE_NO_MEMORY;
	pq.PQclear(result);
	sort_keys(&changed);
	if (status == STORE_OK && changed.count > 0)
		status = add_listed(reader, &changed, keys);
	free(changed.keys);
	sort_keys(keys);
	return status;
}

struct search {
	struct postgres_reader *reader;
	uint64_t own;
	store_visit_session *visit;
	void *context;
	uint64_t at;   /* the newest key that was not looked at is below */
	uint32_t left; /* rows */
	bool more, another;
};

MUST_USE static enum store_status visit_key(struct search *search, uint64_t key)
{
	struct stored_session session;
	const enum store_status status = pg_reader_find_key(search->reader, key, &session);
	search->at = key;
	search->left--;
	if (status == STORE_NOT_FOUND)
		return STORE_OK; /* purged meanwhile */
	if (status != STORE_OK)
		return status;
	if (!session.meta.deleted && (session.meta.listed || key == search->own))
		search->more = search->visit(search->context, &session);
	stored_session_free(&session);
	return STORE_OK;
}

MUST_USE static enum store_status visit_keys(struct search *search, const struct keys *keys)
{
	enum store_status status = STORE_OK;
	for (size_t i = 0; i < keys->count && status == STORE_OK; i++) {
		const uint64_t key = keys->keys[i];
		if (key >= search->at || key <= keys->above)
			continue; /* there twice, or of another page */
		if (!search->more || search->left == 0) {
			search->another = true;
			return STORE_OK;
		}
		status = visit_key(search, key);
	}
	return status;
}

enum store_status pg_reader_canonical_index(struct store_reader *base, uint64_t canonical,
					    uint64_t own, uint64_t before, uint32_t look_at,
					    store_visit_session *visit, void *context,
					    uint64_t *next)
{
	struct search search = {.reader = (struct postgres_reader *)base,
				.own = own,
				.visit = visit,
				.context = context,
				.at = before,
				.left = look_at,
				.more = true};
	struct keys keys = {.above = UINT64_MAX};
	enum store_status status = STORE_OK;
	while (status == STORE_OK && keys.above > 0 && !search.another) {
		status = read_keys(search.reader, canonical_hash(canonical), own, search.at, &keys);
		if (status == STORE_OK)
			status = visit_keys(&search, &keys);
		if (status == STORE_OK && keys.above > 0 && !search.another)
			search.at = keys.above + 1;
	}
	free(keys.keys);
	*next = status == STORE_OK && search.another ? search.at : 0;
	return status;
}
