/* tests/core/guard.h: bytes that end where the address space does, so that reading on crashes. */
#ifndef TESTS_CORE_GUARD_H
#define TESTS_CORE_GUARD_H

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/core/check.h"

struct guard {
	char *pages;
	size_t room; /* readable bytes; an unreadable page follows */
	size_t page;
};

static inline struct guard guard_create(size_t room)
{
	struct guard guard = {.page = (size_t)sysconf(_SC_PAGESIZE)};
	guard.room = (room / guard.page + 1) * guard.page;
	guard.pages = mmap(NULL, guard.room + guard.page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(guard.pages != MAP_FAILED);
	ck_assert_int_eq(mprotect(guard.pages + guard.room, guard.page, PROT_NONE), 0);
	return guard;
}

static inline void guard_destroy(struct guard *guard)
{
	munmap(guard->pages, guard->room + guard->page);
}

/* A copy whose last byte is the last readable one. */
static inline void *guard_put(const struct guard *guard, const void *bytes, size_t length)
{
	char *at = guard->pages + guard->room - length;
	if (length > guard->room)
		ck_abort_msg("%zu bytes in %zu", length, guard->room);
	if (length > 0)
		memcpy(at, bytes, length);
	return at;
}

#endif
