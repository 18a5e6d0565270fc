/* arena.c: blocks in a list; small takings share a block. */
#include "server/util/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Most requests need one block. */
#define ARENA_BLOCK_BYTES 4096

struct arena_block {
	struct arena_block *older;
	alignas(max_align_t) unsigned char bytes[];
};

static struct arena_block *arena_block(size_t bytes)
{
	return malloc(sizeof(struct arena_block) + bytes);
}

void *arena_take(struct arena *arena, size_t bytes)
{
	const size_t alignment = alignof(max_align_t);
	if (bytes > SIZE_MAX / 2)
		return NULL;
	size_t rounded = bytes ? (bytes + alignment - 1) / alignment * alignment : alignment;
	if (arena->newest && rounded <= arena->size - arena->used) {
		void *memory = arena->newest->bytes + arena->used;
		arena->used += rounded;
		return memory;
	}
	size_t usual = ARENA_BLOCK_BYTES - sizeof(struct arena_block);
	size_t size = rounded > usual ? rounded : usual;
	struct arena_block *block = arena_block(size);
	if (!block)
		return NULL;
	/* A large one goes behind the newest block, whose rest stays in use. */
	if (arena->newest && size - rounded < arena->size - arena->used) {
		block->older = arena->newest->older;
		arena->newest->older = block;
		return block->bytes;
	}
	block->older = arena->newest;
	arena->newest = block;
	arena->used = rounded;
	arena->size = size;
	return block->bytes;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = length < SIZE_MAX ? arena_take(arena, length + 1) : NULL;
	if (!copy)
		return NULL;
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void arena_finish(struct arena *arena)
{
	struct arena_block *block = arena->newest;
	while (block) {
		struct arena_block *older = block->older;
		free(block);
		block = older;
	}
	*arena = (struct arena){0};
}
