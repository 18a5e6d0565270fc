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
	unsigned char *next, *end;  /* what is left of the memory that small takings share */
	struct arena_block *blocks; /* to be freed */
	size_t bytes;               /* of all blocks */
	struct charge *charge;      /* that they count for; NULL: they are not counted */
};

/* Gives an empty arena memory of the caller's to begin with, which outlives it; aligned for any
 * type. It is not counted. */
void arena_begin(struct arena *arena, void *memory, size_t bytes);
/* Returns `bytes` aligned for any type, or NULL if out of memory or the charge refuses it. */
MUST_USE void *arena_take(struct arena *arena, size_t bytes);
/* Copies text and adds a NUL. */
MUST_USE char *arena_text(struct arena *arena, const char *text, size_t length);
/* Frees everything; the arena is empty afterwards, with the same charge. */
void arena_finish(struct arena *arena);

#endif
