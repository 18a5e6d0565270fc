/* arena.h: memory that is freed all at once, with a request. */
#ifndef SERVER_ARENA_H
#define SERVER_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *newest;
	size_t used, size; /* of the newest block */
};

/* All zero is an empty arena. Returns `bytes` aligned for any type, or NULL when memory is out. */
void *arena_take(struct arena *arena, size_t bytes);
/* Copies text and adds a NUL. */
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_finish(struct arena *arena);

#endif
