/* arena.h: memory that is freed all at once, with a request.
 *
 * All zero is an empty arena. One thread at a time. */
#ifndef SERVER_UTIL_ARENA_H
#define SERVER_UTIL_ARENA_H

#include <stddef.h>

#include "server/util/budget.h"
#include "server/util/error.h"

struct arena_block;

struct arena {
	unsigned char *next, *end;  /* free memory of the current block */
	struct arena_block *blocks; /* newest first */
	size_t bytes;               /* of all blocks */
	struct charge *charge;      /* which the blocks count for; NULL: not counted */
};

/* Makes an empty arena that first uses memory of the caller, which must outlive it, aligned for any
 * type and not counted. */
void arena_begin(struct arena *arena, void *memory, size_t bytes);
/* Returns `bytes` aligned for any type, or NULL if out of memory or the charge refuses it. */
MUST_USE void *arena_alloc(struct arena *arena, size_t bytes);
/* Copies text and adds a NUL. NULL as arena_alloc(). */
MUST_USE char *arena_text(struct arena *arena, const char *text, size_t length);
/* Frees everything; the arena is empty afterwards, with the same charge. */
void arena_finish(struct arena *arena);

#endif
