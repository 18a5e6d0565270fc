/* arena.c: blocks in a list; small takings share a block. */
#include "server/util/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_BYTES 4096

struct arena_block {
	struct arena_block *older;
	alignas(max_align_t) unsigned char bytes[];
};

void arena_begin(struct arena *arena, void *memory, size_t bytes)
{
	*arena = (struct arena){.next = memory, .end = (unsigned char *)memory + bytes};
}

void *arena_take(struct arena *arena, size_t bytes)
{
	const size_t alignment = alignof(max_align_t);
	if (bytes > SIZE_MAX / 2)
		return NULL;
	size_t rounded = bytes ? (bytes + alignment - 1) / alignment * alignment : alignment;
	size_t left = (size_t)(arena->end - arena->next);
	if (rounded <= left) {
		void *memory = arena->next;
		arena->next += rounded;
		return memory;
	}
	size_t usual = ARENA_BLOCK_BYTES - sizeof(struct arena_block);
	size_t size = rounded > usual ? rounded : usual;
	struct arena_block *block = malloc(sizeof *block + size);
	if (!block)
		return NULL;
	block->older = arena->blocks;
	arena->blocks = block;
	/* The larger rest stays in use. */
	if (size - rounded > left) {
		arena->next = block->bytes + rounded;
		arena->end = block->bytes + size;
	}
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
	struct arena_block *block = arena->blocks;
	while (block) {
		struct arena_block *older = block->older;
		free(block);
		block = older;
	}
	*arena = (struct arena){0};
}
