/* chunk.c: consecutive entries of one session, packed, and the state before them. */
#include "server/store/chunk.h"

#include "cube/cube.h"
#include "cube/pack.h"

#include <stdlib.h>
#include <string.h>

enum store_status chunk_status(enum entry_read result)
{
	switch (result) {
	case ENTRY_READ:
	case ENTRY_END:
		return STORE_OK;
	case ENTRY_NO_MEMORY:
		return STORE_NO_MEMORY;
	case ENTRY_DAMAGED:
		break;
	}
	return STORE_BROKEN;
}

void chunk_init(struct chunk *chunk, int size, int64_t created_ms)
{
	*chunk = (struct chunk){
		.size = size,
		.first = 1,
		.next = 1,
		.created_ms = created_ms,
		.last_ms = created_ms,
	};
}

void chunk_finish(struct chunk *chunk)
{
	free(chunk->state);
	free(chunk->entries);
	chunk->state = NULL;
	chunk->entries = NULL;
	chunk->state_bytes = chunk->bytes = chunk->capacity = 0;
}

static bool reserve_entries(struct chunk *chunk, size_t more)
{
	if (more <= chunk->capacity - chunk->bytes)
		return true;
	size_t capacity = chunk->capacity * 2 < 64 ? 64 : chunk->capacity * 2;
	if (capacity < chunk->bytes + more)
		capacity = chunk->bytes + more;
	uint8_t *entries = realloc(chunk->entries, capacity);
	if (entries == NULL)
		return false;
	chunk->entries = entries;
	chunk->capacity = capacity;
	return true;
}

enum store_status chunk_set(struct chunk *chunk, uint32_t first, const void *state,
			    size_t state_bytes, const void *entries, size_t bytes)
{
	if (first < 1 || (first > 1 && state_bytes == 0))
		return STORE_BROKEN;
	chunk->first = chunk->next = first;
	if (first > 1) {
		chunk->state = malloc(state_bytes);
		if (chunk->state == NULL)
			return STORE_NO_MEMORY;
		memcpy(chunk->state, state, state_bytes);
		chunk->state_bytes = state_bytes;
	}
	if (!reserve_entries(chunk, bytes))
		return STORE_NO_MEMORY;
	if (bytes > 0)
		memcpy(chunk->entries, entries, bytes);
	chunk->bytes = bytes;
	return STORE_OK;
}

/* The state before the chunk's first entry. */
MUST_USE static enum store_status first_state(const struct chunk *chunk, const uint8_t *base,
					      size_t base_bytes, struct history **history)
{
	if (chunk->state != NULL) {
		bool damaged;
		*history = history_unpack(chunk->size, chunk->state, chunk->state_bytes, &damaged);
		if (*history == NULL)
			return damaged ? STORE_BROKEN : STORE_NO_MEMORY;
		if ((*history)->revision + 1 == chunk->first)
			return STORE_OK;
		history_destroy(*history);
		*history = NULL;
		return STORE_BROKEN;
	}
	struct cube *cube = malloc(cube_bytes(chunk->size));
	if (cube == NULL)
		return STORE_NO_MEMORY;
	cube_init(cube, chunk->size);
	bool sound = base == NULL || cube_unpack(cube, chunk->size, base, base_bytes);
	*history = sound ? history_create(cube) : NULL;
	free(cube);
	if (!sound)
		return STORE_BROKEN;
	return *history == NULL ? STORE_NO_MEMORY : STORE_OK;
}

/* The base of the first entry's time. */
MUST_USE static enum store_status before_ms(const struct chunk *chunk, int64_t *time_ms)
{
	*time_ms = chunk->created_ms;
	if (chunk->state == NULL)
		return STORE_OK;
	bool damaged;
	struct history *history =
		history_unpack(chunk->size, chunk->state, chunk->state_bytes, &damaged);
	if (history == NULL)
		return damaged ? STORE_BROKEN : STORE_NO_MEMORY;
	*time_ms = history->updated_ms;
	history_destroy(history);
	return STORE_OK;
}

enum store_status chunk_scan(struct chunk *chunk)
{
	struct entry_reader reader;
	struct entry entry;
	enum entry_read result;
	enum store_status status = before_ms(chunk, &chunk->last_ms);
	if (status != STORE_OK)
		return status;
	entry_reader_init(&reader, chunk->size, chunk->entries, chunk->bytes, chunk->first,
			  chunk->last_ms);
	do
		result = entry_reader_next(&reader, &entry);
	while (result == ENTRY_READ);
	chunk->next = reader.revision;
	chunk->last_ms = reader.before_ms;
	entry_reader_finish(&reader);
	return chunk_status(result);
}

bool chunk_full(const struct chunk *chunk)
{
	size_t state = chunk->state != NULL ? chunk->state_bytes : cube_packed_bytes(chunk->size);
	return chunk->bytes >= CHUNK_BYTES && chunk->bytes >= state / 2;
}

enum store_status chunk_follow(const struct chunk *chunk, const uint8_t *base, size_t base_bytes,
			       struct chunk *following)
{
	struct history *history;
	enum store_status status = chunk_state(chunk, base, base_bytes, chunk->next - 1, &history);
	if (status != STORE_OK)
		return status;
	chunk_init(following, chunk->size, chunk->created_ms);
	following->first = following->next = chunk->next;
	following->last_ms = chunk->last_ms;
	following->state_bytes = history_packed_bytes(history);
	following->state = malloc(following->state_bytes);
	if (following->state != NULL)
		history_pack(history, following->state);
	else
		status = STORE_NO_MEMORY;
	history_destroy(history);
	return status;
}

enum store_status chunk_append(struct chunk *chunk, const uint8_t *packed, size_t length)
{
	struct entry_reader reader;
	struct entry entry;
	entry_reader_init(&reader, chunk->size, packed, length, chunk->next, 0);
	enum entry_read result = entry_reader_next(&reader, &entry);
	enum store_status status = chunk_status(result);
	if (result == ENTRY_END || (result == ENTRY_READ && reader.at != reader.end))
		status = STORE_BROKEN; /* none, or more than one */
	if (status == STORE_OK && !reserve_entries(chunk, entry_pack_bound(&entry, chunk->size)))
		status = STORE_NO_MEMORY;
	if (status == STORE_OK) {
		chunk->bytes += entry_pack(&entry, chunk->size, chunk->last_ms,
					   chunk->entries + chunk->bytes);
		chunk->last_ms = entry.time_ms;
		chunk->next++;
	}
	entry_reader_finish(&reader);
	return status;
}

enum store_status chunk_state(const struct chunk *chunk, const uint8_t *base, size_t base_bytes,
			      uint32_t upto, struct history **history)
{
	enum store_status status = first_state(chunk, base, base_bytes, history);
	if (status != STORE_OK)
		return status;
	int64_t time_ms = chunk->state == NULL ? chunk->created_ms : (*history)->updated_ms;
	status =
		chunk_status(history_replay(*history, chunk->entries, chunk->bytes, time_ms, upto));
	if (status == STORE_OK)
		return STORE_OK;
	history_destroy(*history);
	*history = NULL;
	return status;
}

enum store_status chunk_visit(const struct chunk *chunk, uint32_t *from, store_visit_entry *visit,
			      void *context, bool *stop)
{
	struct entry_reader reader;
	struct entry entry;
	enum entry_read result = ENTRY_END;
	int64_t time_ms;
	enum store_status status = before_ms(chunk, &time_ms);
	if (status != STORE_OK)
		return status;
	entry_reader_init(&reader, chunk->size, chunk->entries, chunk->bytes, chunk->first,
			  time_ms);
	while (!*stop && (result = entry_reader_next(&reader, &entry)) == ENTRY_READ) {
		if (entry.revision < *from)
			continue;
		*from = entry.revision + 1;
		*stop = !visit(context, &entry);
	}
	entry_reader_finish(&reader);
	return chunk_status(result);
}
