/* priority.c: the nice(1) value of threads, by setpriority(2). */
#include "server/threads/priority.h"

#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

static _Atomic int background;

void priority_set_background(int nice)
{
	atomic_store(&background, nice);
}

static void lower(int nice)
{
	if (nice > 0)
		setpriority(PRIO_PROCESS, (id_t)gettid(), nice);
}

void priority_lower(void)
{
	lower(atomic_load(&background));
}

void priority_lower_by_half(void)
{
	lower(atomic_load(&background) / 2);
}
