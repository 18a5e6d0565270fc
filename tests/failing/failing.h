/* failing.h: allocations that fail when a test wants it: malloc, calloc and realloc of the
 * project's own code, in programs that are linked with --wrap (see the Makefile). */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <stdbool.h>
#include <stddef.h>

/* The allocation that fails, counted down from 1 for the next, in whatever thread; 0: none. */
extern _Atomic long countdown;
/* Counts one more of somebody else's; whether it is the one that fails. */
bool allocation_fails(void);

/* The functions that never fail. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);

#endif
