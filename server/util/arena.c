/* arena.c: blocks in a list; small allocations share a block. */
#include "server/util/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_BYTES 4096
/* In a large arena each block is a quarter of its size, up to this: such a block is a mapping of
 * its own, which returns to the system when freed (memory_setup() in server/main.c). Many small
 * ones would leave holes in the heap. */
#define ARENA_BLOCK_BYTES_MAX ((size_t)1 << 20)

struct arena_block {
	struct arena_block *older;
	size_t size; /* including this header */
	alignas(max_align_t) unsigned char bytes[];
};

void arena_begin(struct arena *arena, void *memory, size_t bytes)
{
	*arena = (struct arena){.next = memory, .end = (unsigned char *)memory + bytes};
}

/* Room in the next block for small allocations. */
static size_t usual_room(const struct arena *arena)
{
	size_t bytes = arena->bytes / 4;
	if (bytes < ARENA_BLOCK_BYTES)
		bytes = ARENA_BLOCK_BYTES;
	if (bytes > ARENA_BLOCK_BYTES_MAX)
		bytes = ARENA_BLOCK_BYTES_MAX;
	return bytes - sizeof(struct arena_block);
}

static struct arena_block *block_make(struct arena *arena, size_t room)
{
	const size_t bytes = sizeof(struct arena_block) + room;
	if (!charge_take(arena->charge, bytes))
		return NULL;
	struct arena_block *block = malloc(bytes);
	if (!block) {
		charge_give(arena->charge, bytes);
		return NULL;
	}
	*block = (struct arena_block){.older = arena->blocks, .size = bytes};
	arena->blocks = block;
	arena->bytes += bytes;
	return block;
}

void *arena_alloc(struct arena *arena, size_t bytes)
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
	size_t usual = usual_room(arena);
	size_t size = rounded > usual ? rounded : usual;
	struct arena_block *block = block_make(arena, size);
	if (!block)
		return NULL;
	/* The larger remainder stays in use. */
	if (size - rounded > left) {
		arena->next = block->bytes + rounded;
		arena->end = block->bytes + size;
	}
	return block->bytes;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = length < SIZE_MAX ? arena_alloc(arena, length + 1) : NULL;
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
		charge_give(arena->charge, block->size);
		free(block);
		block = older;
	}
	*arena = (struct arena){.charge = arena->charge};
}
