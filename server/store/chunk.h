/* chunk.h: a stretch of one session's entries, packed, and the state before them.
 *
 * A history is cut into chunks, so that any revision is found by reading one chunk and replaying a
 * bounded number of entries. Both stores keep chunks and differ only in where.
 *
 * A chunk is closed when its entries take half as many bytes as the state that it begins with, but
 * not before CHUNK_BYTES: so states take about two thirds of the room at most, however large the
 * cube and however tangled its undo chain. */
#ifndef SERVER_STORE_CHUNK_H
#define SERVER_STORE_CHUNK_H

#include "server/store/store.h"
#include "server/util/error.h"

#define CHUNK_BYTES 4096

struct chunk {
	int size;
	uint32_t first;     /* revision of the first entry */
	uint32_t next;      /* revision after the last entry; chunk_scan finds it */
	int64_t created_ms; /* of the session: the time before entry 1 */
	int64_t last_ms;    /* time of the last entry, before the first one that of the state */
	uint8_t *state;     /* history_pack of the state before `first`; NULL where that is 1 */
	size_t state_bytes;
	uint8_t *entries; /* packed one after another */
	size_t bytes, capacity;
};

/* An empty chunk beginning with entry 1. */
void chunk_init(struct chunk *chunk, int size, int64_t created_ms);
void chunk_finish(struct chunk *chunk);
/* Takes copies of bytes from a store; to be followed by chunk_scan where entries shall be added. */
MUST_USE enum store_status chunk_set(struct chunk *chunk, uint32_t first, const void *state,
				     size_t state_bytes, const void *entries, size_t bytes);

/* Walks the entries to find `next` and `last_ms`. */
MUST_USE enum store_status chunk_scan(struct chunk *chunk);

/* Whether the chunk is closed, so that the next entry belongs to another one. */
bool chunk_full(const struct chunk *chunk);
/* Makes the empty chunk that follows a scanned one. `base`: see chunk_state. */
MUST_USE enum store_status chunk_follow(const struct chunk *chunk, const uint8_t *base,
					size_t base_bytes, struct chunk *following);

/* Adds an entry packed by itself (before_ms 0), of revision chunk->next. */
MUST_USE enum store_status chunk_append(struct chunk *chunk, const uint8_t *packed, size_t length);

/* The state after the chunk's entries up to revision `upto`. `base` is the packed cube of
 * revision 0, NULL for a solved one. STORE_BROKEN where the bytes are damaged. */
MUST_USE enum store_status chunk_state(const struct chunk *chunk, const uint8_t *base,
				       size_t base_bytes, uint32_t upto, struct history **history);

/* Shows the entries from revision *from on, and moves *from behind the last one shown. Sets *stop
 * when `visit` says so. */
MUST_USE enum store_status chunk_visit(const struct chunk *chunk, uint32_t *from,
				       store_visit_entry *visit, void *context, bool *stop);

/* ENTRY_DAMAGED is STORE_BROKEN, and so on. */
enum store_status chunk_status(enum entry_read result);

#endif
