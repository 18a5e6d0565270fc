/* memory_space.h: the sessions that memory stores of one name share. Private to
 * the memory store. */
#ifndef SERVER_STORE_MEMORY_SPACE_H
#define SERVER_STORE_MEMORY_SPACE_H

#include "server/store/chunk.h"
#include "server/util/hash_table.h"
#include "server/util/lock.h"
#include "server/util/error.h"

struct memory_session {
	struct hash_link by_id; /* first: see hash_table.h */
	struct session_meta meta;
	uint8_t *base; /* packed cube of revision 0; NULL for solved */
	size_t base_bytes;
	struct cube_turn *scramble;
	size_t scramble_count;
	struct stored_token *tokens;
	size_t token_count;
	struct stored_pattern *patterns; /* by name; each with its texts in one block, its name's */
	size_t pattern_count;
	char *frame;          /* of solves that were imported; NULL for none */
	struct chunk *chunks; /* at least one; the last is open */
	size_t chunk_count, chunk_capacity;
	int64_t deleted_ms;
	struct memory_session *deleted_before, *deleted_after; /* in the order of deletion */
};

/* A receipt that is kept. */
struct memory_receipt {
	struct hash_link by_key; /* first: see hash_table.h */
	struct receipt receipt;
	struct memory_receipt *older, *newer; /* in the order of creation */
};

struct memory_space {
	struct memory_space *next; /* of the named ones */
	unsigned users;
	char *name; /* "" for a private one */

	struct lock lock; /* for all below */
	struct hash_table by_id;
	struct memory_session **by_key; /* by_key[key - 1]; NULL once forgotten */
	uint64_t keys, capacity;
	struct memory_session *deleted; /* oldest deletion first */
	struct hash_table receipts;
	struct memory_receipt *oldest_receipt;
	struct stored_solve **solves; /* by seq */
	size_t solve_count, solve_capacity;
	uint64_t solve_seq;            /* the newest that was given */
	struct memory_answer *answers; /* oldest first */
	size_t answer_count;
	char incarnation[INCARNATION_TEXT + 1];
	uint64_t bytes; /* of what was written, roughly; never less, but for receipts */
};

/* The space of that name, made if there is none; a new one for "". NULL when memory is out. */
MUST_USE struct memory_space *memory_space_open(const char *name);
void memory_space_close(struct memory_space *space);

/* With the lock held. NULL if there is none. */
struct memory_session *memory_find_id(struct memory_space *space, const struct session_id *id);
struct memory_session *memory_find_key(struct memory_space *space, uint64_t key);
/* The last chunk. */
struct chunk *memory_newest(struct memory_session *session);
/* Does one write; a failed one leaves nothing behind. */
/* STORE_FULL where more than `bytes_max` (0: no limit) would be kept. */
MUST_USE enum store_status memory_write(struct memory_space *space, struct store_write *write,
					uint64_t bytes_max);
/* NULL where there is none. */
const struct receipt *memory_find_receipt(const struct memory_space *space,
					  const uint8_t key[HASH_BYTES]);
/* Forgets sessions that were deleted long ago, and old receipts. */
void memory_purge(struct memory_space *space, int64_t now_ms);

/* memory_access.c: tokens, patterns and receipts. */
MUST_USE enum store_status memory_put_token(struct memory_session *session,
					    const struct stored_token *token);
MUST_USE enum store_status memory_put_pattern(struct memory_session *session,
					      const struct stored_pattern *pattern);
void memory_patterns_free(struct memory_session *session);
/* Makes room for a receipt and copies it, so that adding it cannot fail; NULL when memory is out. */
MUST_USE struct memory_receipt *memory_receipt_make(const struct receipt *receipt);
void memory_receipt_free(struct memory_receipt *receipt); /* NULL is fine */
void memory_receipt_add(struct memory_space *space, struct memory_receipt *receipt);
void memory_receipts_purge(struct memory_space *space, int64_t oldest_ms);

#endif
