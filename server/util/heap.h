/* heap.h: the memory of the C library's allocator. Any thread. */
#ifndef SERVER_UTIL_HEAP_H
#define SERVER_UTIL_HEAP_H

#include <stdint.h>

/* Returns how many bytes are allocated. Takes the lock of each heap in turn, some 0.1 ms for each. */
uint64_t heap_bytes(void);

/* Gives freed memory back to the system. Small allocations come from heaps, one for each thread or so,
 * and what is freed stays there for later ones. Takes milliseconds, and the lock of each heap in turn. */
void heap_trim(void);

#endif
