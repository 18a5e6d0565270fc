/* snapshots.c: states in the middle of long histories, so that any revision is found by a short
 * replay.
 *
 * A snapshot is the state before the entry folded + 1. It is the same for all makers, and never changes. */
#include "server/modules/postgres/store/maintenance.h"
#include "server/modules/postgres/store/session_row.h"

#include "cube/pack.h"

#include <stdlib.h>

#define SNAPSHOT_BYTES 4096 /* SNAPSHOT_BYTES_TEXT */

/* A session that needs one: at which revision, and how many bytes of entries it ends. */
struct snapshot {
	uint64_t key;
	uint32_t folded;
	int32_t bytes;
};

/* Finds out if the session needs a snapshot: after as many bytes of entries as half a state, see
 * chunk.h. */
MUST_USE static enum store_status find_due(struct maintenance *maintenance,
					   struct snapshot *snapshot, bool *due)
{
	PGresult *result;
	*due = false;
	parameters_begin(&maintenance->parameters);
	parameters_uint8(&maintenance->parameters, snapshot->key);
	parameters_int4(&maintenance->parameters, SNAPSHOT_BYTES);
	const enum store_status status =
		maintenance_run(maintenance, STATEMENT_SNAPSHOT_DUE, &result);
	if (status != STORE_OK)
		return status;
	if (pq.PQntuples(result) > 0) {
		const int size = result_int2(result, 0, 0);
		snapshot->folded = result_uint4(result, 0, 1);
		snapshot->bytes = result_int4(result, 0, 2);
		*due = cube_size_valid(size) &&
		       (size_t)snapshot->bytes >= cube_packed_bytes(size) / 2;
	}
	pq.PQclear(result);
	return STORE_OK;
}

MUST_USE static enum store_status read_state(struct maintenance *maintenance,
					     const struct snapshot *snapshot,
					     struct history **history)
{
	PGresult *result;
	*history = NULL;
	parameters_begin(&maintenance->parameters);
	parameters_uint8(&maintenance->parameters, snapshot->key);
	parameters_uint4(&maintenance->parameters, snapshot->folded);
	enum store_status status = maintenance_run(maintenance, STATEMENT_AT, &result);
	if (status != STORE_OK)
		return status;
	status = pq.PQntuples(result) == 0
			 ? STORE_NOT_FOUND
			 : session_row_state(result, 0, snapshot->folded, history);
	pq.PQclear(result);
	return status;
}

MUST_USE static enum store_status put_state(struct maintenance *maintenance,
					    const struct snapshot *snapshot,
					    const struct history *history)
{
	struct parameters *p = &maintenance->parameters;
	const size_t bytes = history_packed_bytes(history);
	uint8_t *state = malloc(bytes);
	PGresult *result;
	if (state == NULL)
		return STORE_NO_MEMORY;
	history_pack(history, state);
	parameters_begin(p);
	parameters_uint8(p, snapshot->key);
	parameters_uint4(p, snapshot->folded + 1);
	parameters_bytes(p, state, bytes);
	parameters_int4(p, snapshot->bytes);
	const enum store_status status =
		maintenance_run(maintenance, STATEMENT_SNAPSHOT_PUT, &result);
	pq.PQclear(result);
	free(state);
	return status;
}

MUST_USE static enum store_status make_snapshot(struct maintenance *maintenance, uint64_t key)
{
	struct snapshot snapshot = {.key = key};
	struct history *history = NULL;
	bool due;
	enum store_status status = find_due(maintenance, &snapshot, &due);
	if (status != STORE_OK || !due)
		return status;
	status = read_state(maintenance, &snapshot, &history);
	/* A state with a tangled undo chain can be large. */
	if (status == STORE_OK && (size_t)snapshot.bytes >= history_packed_bytes(history) / 2)
		status = put_state(maintenance, &snapshot, history);
	history_destroy(history);
	return status == STORE_NOT_FOUND ? STORE_OK : status; /* purged meanwhile */
}

enum store_status maintenance_snapshots(struct maintenance *maintenance)
{
	for (;;) {
		lock_acquire(&maintenance->lock);
		const bool any = maintenance->due_count > 0;
		const uint64_t key = any ? maintenance->due[--maintenance->due_count] : 0;
		lock_release(&maintenance->lock);
		if (!any || maintenance->stopping)
			return STORE_OK;
		const enum store_status status = make_snapshot(maintenance, key);
		if (status != STORE_OK)
			return status;
	}
}
