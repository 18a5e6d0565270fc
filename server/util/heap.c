/* heap.c: the memory of glibc's allocator. */
#include "server/util/heap.h"

#include <malloc.h>

#include "server/util/meters.h"

uint64_t heap_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();
	return (uint64_t)info.uordblks + info.hblkhd;
}

void heap_trim(void)
{
	malloc_trim(0);
	meter_add(METER_TRIMS, 1);
}
