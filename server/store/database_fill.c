/* database_fill.c: packs the entries of a session into chunks. */
#include "server/store/database_fill.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/store/database_check.h"

#include <inttypes.h>
#include <stdlib.h>

static bool no_memory(struct database_fill *fill)
{
	return error_set(fill->error, "no memory");
}

static bool status_failed(struct database_fill *fill, enum store_status status)
{
	return status == STORE_NO_MEMORY ? no_memory(fill)
					 : error_set(fill->error, "an entry cannot be packed");
}

void database_fill_finish(struct database_fill *fill)
{
	history_check_finish(&fill->check);
	chunk_finish(&fill->chunk);
	free(fill->base);
	free(fill->scramble);
	free(fill->packed);
}

static bool pack_base(struct database_fill *fill, const struct cube *base)
{
	free(fill->base);
	fill->base = NULL;
	fill->base_bytes = 0;
	if (!base)
		return true;
	fill->base_bytes = cube_packed_bytes(base->size);
	fill->base = malloc(fill->base_bytes);
	if (!fill->base)
		return no_memory(fill);
	cube_pack(base, fill->base);
	return true;
}

static bool pack_scramble(struct database_fill *fill, const struct database_session *session)
{
	free(fill->scramble);
	fill->scramble = NULL;
	fill->scramble_bytes = 0;
	if (session->scramble_count == 0)
		return true;
	fill->scramble = malloc(session->scramble_count * CUBE_PACKED_TURN_MAX);
	if (!fill->scramble)
		return no_memory(fill);
	fill->scramble_bytes = cube_turns_pack(session->scramble, session->scramble_count,
					       session->meta.size, fill->scramble);
	return true;
}

bool database_fill_session(struct database_fill *fill, const struct database_session *session)
{
	if (!pack_base(fill, session->base) || !pack_scramble(fill, session))
		return false;
	struct history *history = session_first_state(session);
	if (!history || !history_check_begin(&fill->check, history))
		return no_memory(fill);
	fill->token_count = session->token_count;
	chunk_finish(&fill->chunk);
	chunk_init(&fill->chunk, session->meta.size, session->meta.created_ms);
	return true;
}

static bool next_chunk(struct database_fill *fill)
{
	struct chunk following;
	if (!fill->save_chunk(fill->context, &fill->chunk))
		return false;
	enum store_status status =
		chunk_follow(&fill->chunk, fill->base, fill->base_bytes, &following);
	if (status != STORE_OK)
		return status_failed(fill, status);
	chunk_finish(&fill->chunk);
	fill->chunk = following;
	return fill->save_snapshot(fill->context, &fill->chunk);
}

static bool reserve_packed(struct database_fill *fill, size_t bytes)
{
	if (bytes <= fill->packed_capacity)
		return true;
	uint8_t *packed = realloc(fill->packed, bytes);
	if (!packed)
		return no_memory(fill);
	fill->packed = packed;
	fill->packed_capacity = bytes;
	return true;
}

bool database_fill_entry(struct database_fill *fill, const struct entry *entry)
{
	const int size = fill->chunk.size;
	const char *wrong;
	enum history_check_result result = history_check_entry(&fill->check, entry, &wrong);
	if (result == HISTORY_CHECK_NO_MEMORY)
		return no_memory(fill);
	if (result == HISTORY_CHECK_WRONG)
		return error_set(fill->error, "entry %" PRIu32 ": %s", entry->revision, wrong);
	if (entry->actor > fill->token_count)
		return error_set(fill->error, "entry %" PRIu32 ": there is no token of its actor",
				 entry->revision);
	if (chunk_full(&fill->chunk) && !next_chunk(fill))
		return false;
	if (!reserve_packed(fill, entry_pack_bound(entry, size)))
		return false;
	size_t length = entry_pack(entry, size, 0, fill->packed);
	enum store_status status = chunk_append(&fill->chunk, fill->packed, length);
	return status == STORE_OK || status_failed(fill, status);
}

void database_fill_finding(void *context, const struct session_id *session, const char *what)
{
	struct error *error = context;
	(void)session;
	if (error->text[0] == '\0')
		error_set(error, "what was written is not sound: %s", what);
}
