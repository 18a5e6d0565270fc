/* meters.c: counters, a page for each thread. */
#include "server/util/meters.h"

#include <stdalign.h>
#include <stdatomic.h>

#define PAGES 32

struct meter_page {
	alignas(128) _Atomic uint64_t cells[METER_CELLS];
};

static struct meter_page pages[PAGES];
static _Atomic unsigned pages_given;

/* Threads without a page of their own share the last one. */
static struct meter_page *page_of_thread(void)
{
	static _Thread_local struct meter_page *page;
	if (!page) {
		unsigned given = atomic_fetch_add(&pages_given, 1);
		page = &pages[given < PAGES - 1 ? given : PAGES - 1];
	}
	return page;
}

void meter_add(unsigned cell, uint64_t amount)
{
	struct meter_page *page = page_of_thread();
	_Atomic uint64_t *at = &page->cells[cell];
	/* No other thread writes to an own page: no atomic addition needed. */
	if (page != &pages[PAGES - 1])
		atomic_store_explicit(at, atomic_load_explicit(at, memory_order_relaxed) + amount,
				      memory_order_relaxed);
	else
		atomic_fetch_add_explicit(at, amount, memory_order_relaxed);
}

uint64_t meter_sum(unsigned cell)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < PAGES; i++)
		sum += atomic_load_explicit(&pages[i].cells[cell], memory_order_relaxed);
	return sum;
}

void meter_set(unsigned cell, uint64_t value)
{
	meter_add(cell, value - meter_sum(cell));
}

void meter_batch(size_t writes)
{
	unsigned bucket = 0;
	while (bucket < METER_BATCH_BUCKETS - 1 && writes > (size_t)1 << bucket)
		bucket++;
	meter_add(METER_BATCH + bucket, 1);
	meter_add(METER_BATCH_SUM, writes);
}

void meter_solve(uint64_t took_ns)
{
	unsigned bucket = 0;
	for (uint64_t bound = 1000000; bucket < METER_SOLVE_BUCKETS - 1 && took_ns > bound;
	     bound *= 10)
		bucket++;
	meter_add(METER_SOLVE + bucket, 1);
	meter_add(METER_SOLVE_SUM, took_ns);
}
