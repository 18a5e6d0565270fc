/* memory.c: malloc(), realloc() and free() of core.wasm, in a tenth of the bytes that wasi-libc's need.
 *
 * The free blocks are a list in the order of their addresses, and the first one that is large enough is taken (Knuth, The
 * Art of Computer Programming, volume 1, section 2.5, algorithms A and B). A call has at most five blocks at a time, so
 * the list is short. libcube.wasm, which keeps tables and patterns, has wasi-libc's allocator. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PAGE ((size_t)65536)

/* The head of a block. `bytes` counts the head, and is a multiple of its size; `next` is that of a free block. */
struct block {
	_Alignas(16) size_t bytes;
	struct block *next;
};

extern uint8_t __heap_base[]; /* where the linker ends what the module has at its start */

static struct block first_free; /* its `next` is the first free block */

static void release(struct block *block)
{
	struct block *before = &first_free;
	while (before->next && before->next < block)
		before = before->next;
	block->next = before->next;
	before->next = block;
	if ((uint8_t *)block + block->bytes == (uint8_t *)block->next) {
		block->bytes += block->next->bytes;
		block->next = block->next->next;
	}
	if (before != &first_free && (uint8_t *)before + before->bytes == (uint8_t *)block) {
		before->bytes += block->bytes;
		before->next = block->next;
	}
}

/* Adds a block of at least that many bytes to the free ones. Returns false if the module may not grow. */
static bool grow(size_t bytes)
{
	static uint8_t *end; /* of the memory that was ever in the list */
	if (!end)
		end = (uint8_t *)(((uintptr_t)__heap_base + 15) / 16 * 16);
	size_t have = __builtin_wasm_memory_size(0) * PAGE - (uintptr_t)end;
	if (have < bytes) {
		size_t pages = (bytes - have + PAGE - 1) / PAGE;
		if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1)
			return false;
		have += pages * PAGE;
	}
	struct block *block = (struct block *)end;
	end += have;
	block->bytes = have;
	release(block);
	return true;
}

void *malloc(size_t size)
{
	if (size > SIZE_MAX / 2)
		return NULL;
	const size_t bytes =
		(size + 2 * sizeof(struct block) - 1) / sizeof(struct block) * sizeof(struct block);
	struct block *before = &first_free;
	while (before->next && before->next->bytes < bytes)
		before = before->next;
	struct block *block = before->next;
	if (!block)
		return grow(bytes) ? malloc(size) : NULL;
	if (block->bytes == bytes) {
		before->next = block->next;
	} else { /* the end of it, so that the list stays as it is */
		block->bytes -= bytes;
		block = (struct block *)((uint8_t *)block + block->bytes);
		block->bytes = bytes;
	}
	return block + 1;
}

void free(void *memory)
{
	if (memory)
		release((struct block *)memory - 1);
}

void *realloc(void *memory, size_t size)
{
	void *moved = malloc(size);
	if (moved && memory) {
		const size_t old = ((struct block *)memory - 1)->bytes - sizeof(struct block);
		memcpy(moved, memory, old < size ? old : size);
		free(memory);
	}
	return moved;
}
