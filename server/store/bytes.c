/* bytes.c: how much a write adds to a database. */
#include <string.h>

#include "cube/pack.h"
#include "server/store/chunk.h"
#include "server/store/store.h"

/* A row with its keys and index entries. */
#define ROW_BYTES 64

static uint64_t text_bytes(const char *text)
{
	return text ? strlen(text) : 0;
}

/* An entry, and its share of the state stored when a chunk is full, see chunk.h. */
static uint64_t entry_bytes(const struct store_write *write)
{
	const uint64_t state = cube_packed_bytes(write->meta.size);
	const uint64_t chunk = state / 2 > CHUNK_BYTES ? state / 2 : CHUNK_BYTES;
	return write->packed_bytes + write->packed_bytes * state / chunk;
}

static uint64_t solve_bytes(const struct stored_solve *solve)
{
	return ROW_BYTES + solve->base_bytes + text_bytes(solve->scramble) +
	       text_bytes(solve->solution) + text_bytes(solve->comment) + text_bytes(solve->list) +
	       text_bytes(solve->source) + text_bytes(solve->list_name) + text_bytes(solve->splits);
}

static uint64_t session_bytes(const struct store_write *write)
{
	const uint64_t base = write->base ? cube_packed_bytes(write->meta.size) : 0;
	return ROW_BYTES + base + write->scramble_count * sizeof *write->scramble +
	       text_bytes(write->meta.name);
}

static uint64_t change_bytes(const struct store_write *write)
{
	switch (write->kind) {
	case WRITE_CREATE:
		return session_bytes(write);
	case WRITE_APPEND:
		return entry_bytes(write);
	case WRITE_PATTERN:
		return ROW_BYTES + text_bytes(write->pattern->name) +
		       text_bytes(write->pattern->pattern);
	case WRITE_TOKEN:
	case WRITE_SOLVES:
	case WRITE_SOLVE_CHANGE:
	case WRITE_META:
	case WRITE_DELETE:
	case WRITE_SOLVE_DROP:
	case WRITE_ANSWER:
	case WRITE_ASSISTANCE:
		break;
	}
	return 0;
}

uint64_t store_solves_bytes(const struct store_write *write)
{
	uint64_t bytes = text_bytes(write->frame);
	for (size_t i = 0; i < write->solve_count; i++)
		bytes += solve_bytes(&write->solves[i]);
	return bytes;
}

uint64_t store_write_bytes(const struct store_write *write)
{
	if (store_write_frees(write))
		return 0;
	uint64_t bytes = change_bytes(write);
	bytes += write->solves_bytes > 0 ? write->solves_bytes : store_solves_bytes(write);
	if (write->token)
		bytes += ROW_BYTES + HASH_BYTES + text_bytes(write->token->label);
	if (write->receipt)
		bytes += ROW_BYTES + sizeof write->receipt->key + sizeof write->receipt->body +
			 write->receipt->answer_bytes;
	return bytes;
}
