/* chunk.h: consecutive entries of one session, packed, and the state before them.
 *
 * A history is cut into chunks, so that any revision is found by reading one chunk and replaying a
 * bounded number of entries. Both stores keep chunks.
 *
 * A chunk is closed when its entries take half as many bytes as the state that it begins with, but
 * at least CHUNK_BYTES: so states take at most about two thirds of the room, however large the cube
 * and however tangled its undo chain. */
#ifndef SERVER_STORE_CHUNK_H
#define SERVER_STORE_CHUNK_H

#include "server/store/store.h"
#include "server/util/error.h"

#define CHUNK_BYTES 4096

struct chunk {
	int size;
	uint32_t first;     /* revision of the first entry */
	uint32_t next;      /* revision after the last entry; chunk_scan finds it */
	int64_t created_ms; /* of the session: the base of the first time */
	int64_t last_ms;    /* of the last entry; without entries, of the state */
	uint8_t *state;     /* history_pack() of the state before `first`; NULL if `first` is 1 */
	size_t state_bytes;
	uint8_t *entries; /* packed, one after another */
	size_t bytes, capacity;
};

/* An empty chunk beginning with entry 1. */
void chunk_init(struct chunk *chunk, int size, int64_t created_ms);
void chunk_finish(struct chunk *chunk);
/* Copies bytes from a store. Call chunk_scan() before entries are added. STORE_BROKEN if `first` is
 * 0, or there is no state for a later one. */
MUST_USE enum store_status chunk_set(struct chunk *chunk, uint32_t first, const void *state,
				     size_t state_bytes, const void *entries, size_t bytes);

/* Reads the entries to find `next` and `last_ms`. */
MUST_USE enum store_status chunk_scan(struct chunk *chunk);

/* Returns true if the chunk is closed: the next entry belongs to another one. */
bool chunk_full(const struct chunk *chunk);
/* Makes the empty chunk that follows a scanned one. `base`: see chunk_state(). */
MUST_USE enum store_status chunk_follow(const struct chunk *chunk, const uint8_t *base,
					size_t base_bytes, struct chunk *following);

/* Adds an entry that was packed with a before_ms of 0; its revision is chunk->next. STORE_BROKEN if
 * the bytes are not exactly one entry. */
MUST_USE enum store_status chunk_append(struct chunk *chunk, const uint8_t *packed, size_t length);

/* The state after the chunk's entries up to revision `upto`. `base` is the packed cube of revision
 * 0, NULL: solved. STORE_BROKEN if the bytes are damaged. *history is the caller's to destroy. */
MUST_USE enum store_status chunk_state(const struct chunk *chunk, const uint8_t *base,
				       size_t base_bytes, uint32_t upto, struct history **history);

/* Calls `visit` for the entries from revision *from on, and sets *from to the revision after the
 * last one visited. Sets *stop if `visit` returns false. */
MUST_USE enum store_status chunk_visit(const struct chunk *chunk, uint32_t *from,
				       store_visit_entry *visit, void *context, bool *stop);

/* The status that an entry_read stands for: ENTRY_DAMAGED is STORE_BROKEN. */
enum store_status chunk_status(enum entry_read result);

#endif
