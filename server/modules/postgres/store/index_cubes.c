/* index_cubes.c: brings the canonical index up to date.
 *
 * Each second, the sessions that the batches of a lane have changed, but for those of the last second,
 * are read, hashed and noted; then lane.hashed moves. A session that is turned all the time is hashed
 * about once a second, not with each entry. */
#include "server/modules/postgres/store/maintenance.h"
#include "server/modules/postgres/store/session_row.h"

#include <stdlib.h>

#define SLICES_MAX 16 /* of a lane in a round */
#define READ_KEYS 64  /* sessions read at a time */

struct slice {
	int32_t lane;
	uint64_t hashed; /* the newest batch of the slice */
	uint64_t *keys;
	size_t count, capacity;
};

MUST_USE static bool add_key(struct slice *slice, uint64_t key)
{
	if (slice->count == slice->capacity) {
		const size_t capacity = slice->capacity == 0 ? 256 : slice->capacity * 2;
		uint64_t *more = realloc(slice->keys, capacity * sizeof(*more));
		if (more == NULL)
			return false;
		slice->keys = more;
		slice->capacity = capacity;
	}
	slice->keys[slice->count++] = key;
	return true;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* The keys of the next batches, each once, ascending. */
MUST_USE static enum store_status read_slice(struct maintenance *maintenance, struct slice *slice)
{
	PGresult *result;
	bool added = true;
	size_t kept = 0;
	slice->count = 0;
	parameters_begin(&maintenance->parameters);
	parameters_int4(&maintenance->parameters, slice->lane);
	parameters_uint8(&maintenance->parameters, slice->hashed);
	const enum store_status status =
		maintenance_run(maintenance, STATEMENT_INDEX_CHANGES, &result);
	if (status != STORE_OK)
		return status;
	for (int i = 0; i < pq.PQntuples(result) && added; i++) {
		size_t length;
		struct change_body body;
		struct store_change change;
		const uint8_t *bytes = result_bytes(result, i, 1, &length);
		slice->hashed = result_uint8(result, i, 0);
		change_body_read(&body, bytes, length);
		while (added && change_body_next(&body, &change))
			if (change.kind == CHANGE_ENTRIES || change.kind == CHANGE_META)
				added = add_key(slice, change.key);
	}
	pq.PQclear(result);
	if (slice->count > 0)
		qsort(slice->keys, slice->count, sizeof(*slice->keys), by_number);
	for (size_t i = 0; i < slice->count; i++)
		if (i == 0 || slice->keys[i] != slice->keys[kept - 1])
			slice->keys[kept++] = slice->keys[i];
	slice->count = kept;
	return added ? STORE_OK : STORE_NO_MEMORY;
}

/* A session as it was read, and its hash. */
struct hashed {
	uint64_t key, head;
	uint32_t version;
	int32_t hash; /* 0: it does not belong into the index */
};

/* Hashes the sessions of a result; one that is damaged is left out. */
MUST_USE static enum store_status hash_rows(const PGresult *result, struct hashed *hashed,
					    uint32_t *count)
{
	*count = 0;
	for (int i = 0; i < pq.PQntuples(result); i++) {
		struct stored_session session;
		const enum store_status status = session_row_read(result, i, &session);
		if (status == STORE_BROKEN)
			continue;
		if (status != STORE_OK)
			return status;
		const bool belongs = session.meta.listed && !session.meta.deleted;
		struct hashed *each = &hashed[*count];
		*each = (struct hashed){.key = session.meta.key,
					.head = session.history->id,
					.version = session.meta.version};
		const bool made = !belongs || canonical_hash_of(session.history->cube, &each->hash);
		stored_session_free(&session);
		if (!made)
			return STORE_NO_MEMORY;
		++*count;
	}
	return STORE_OK;
}

MUST_USE static enum store_status write_hashes(struct maintenance *maintenance,
					       const struct hashed *hashed, uint32_t count)
{
	struct parameters *p = &maintenance->parameters;
	PGresult *result;
	parameters_begin(p);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, hashed[i].key);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, hashed[i].head);
	parameters_array(p, PG_INT4, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint4(p, hashed[i].version);
	parameters_array(p, PG_INT4, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_int4(p, hashed[i].hash);
	const enum store_status status =
		maintenance_run(maintenance, STATEMENT_INDEX_WRITE, &result);
	pq.PQclear(result);
	return status;
}

MUST_USE static enum store_status index_keys(struct maintenance *maintenance, const uint64_t *keys,
					     size_t count)
{
	struct hashed hashed[READ_KEYS];
	uint32_t hashes = 0;
	PGresult *result;
	parameters_begin(&maintenance->parameters);
	parameters_array(&maintenance->parameters, PG_INT8, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		parameters_uint8(&maintenance->parameters, keys[i]);
	enum store_status status = maintenance_run(maintenance, STATEMENT_INDEX_READ, &result);
	if (status != STORE_OK)
		return status;
	status = hash_rows(result, hashed, &hashes);
	pq.PQclear(result);
	if (status == STORE_OK && hashes > 0)
		status = write_hashes(maintenance, hashed, hashes);
	return status;
}

MUST_USE static enum store_status index_slice(struct maintenance *maintenance, struct slice *slice)
{
	const uint64_t before = slice->hashed;
	enum store_status status = read_slice(maintenance, slice);
	for (size_t i = 0; i < slice->count && status == STORE_OK; i += READ_KEYS)
		status = index_keys(maintenance, slice->keys + i,
				    slice->count - i < READ_KEYS ? slice->count - i : READ_KEYS);
	if (status != STORE_OK || slice->hashed == before)
		return status;
	uint64_t count;
	parameters_begin(&maintenance->parameters);
	parameters_int4(&maintenance->parameters, slice->lane);
	parameters_uint8(&maintenance->parameters, slice->hashed);
	return maintenance_count(maintenance, STATEMENT_INDEX_DONE, &count);
}

enum store_status maintenance_index(struct maintenance *maintenance)
{
	PGresult *result;
	struct slice slice = {0};
	parameters_begin(&maintenance->parameters);
	parameters_text(&maintenance->parameters, maintenance->store->node);
	enum store_status status = maintenance_run(maintenance, STATEMENT_INDEX_LANES, &result);
	if (status != STORE_OK)
		return status;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK; i++) {
		uint64_t before = UINT64_MAX;
		slice.lane = result_int4(result, i, 0);
		slice.hashed = result_uint8(result, i, 1);
		for (int k = 0; k < SLICES_MAX && status == STORE_OK && slice.hashed != before &&
				!maintenance->stopping;
		     k++) {
			before = slice.hashed;
			status = index_slice(maintenance, &slice);
		}
	}
	pq.PQclear(result);
	free(slice.keys);
	return status;
}
