/* failing.c: allocations that fail when a test wants it. */
#include "tests/failing/failing.h"

#include <stdatomic.h>

_Atomic long countdown;

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

bool allocation_fails(void)
{
	long left = atomic_load(&countdown);
	while (left > 0)
		if (atomic_compare_exchange_weak(&countdown, &left, left - 1))
			return left == 1;
	return false;
}

void *__wrap_malloc(size_t bytes)
{
	return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return allocation_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	return allocation_fails() ? NULL : __real_realloc(memory, bytes);
}
