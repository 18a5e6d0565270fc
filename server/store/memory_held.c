/* memory_held.c: memory stores that commit and answer when a test says so. */
#include "server/store/memory_internal.h"

#include <stdlib.h>
#include <utlist.h>

enum store_status memory_hold_write(struct memory_store *store, struct store_write *write)
{
	struct memory_held *held = malloc(sizeof(*held));
	lock_assert_held(&store->space->lock);
	if (held == NULL)
		return STORE_NO_MEMORY;
	*held = (struct memory_held){.write = write, .key = write->meta.key};
	DL_APPEND2(store->held, held, previous, next);
	return STORE_OK;
}

bool store_memory_commit(struct store *base)
{
	struct memory_store *store = memory_of_store(base);
	lock_acquire(&store->space->lock);
	struct memory_held *held = store->held;
	while (held != NULL && held->committed)
		held = held->next;
	if (held != NULL) {
		held->committed = true;
		held->change = memory_commit(store, held->write);
	}
	const bool reported = held != NULL && held->change != 0;
	lock_release(&store->space->lock);
	if (reported)
		memory_hint_others(store);
	return held != NULL;
}

/* The n-th committed write that waits; NULL if none does. */
static struct memory_held *find_committed(struct memory_store *store, size_t n)
{
	size_t count = 0;
	struct memory_held *held;
	DL_FOREACH2(store->held, held, next)
	count += held->committed;
	if (count == 0)
		return NULL;
	n %= count;
	DL_FOREACH2(store->held, held, next)
	if (held->committed && n-- == 0)
		return held;
	return NULL;
}

bool store_memory_answer(struct store *base, size_t n)
{
	struct memory_store *store = memory_of_store(base);
	lock_acquire(&store->space->lock);
	struct memory_held *held = find_committed(store, n), *first = held;
	if (held != NULL) {
		for (first = store->held; first->key != held->key;)
			first = first->next;
		DL_DELETE2(store->held, first, previous, next);
	}
	lock_release(&store->space->lock);
	if (first == NULL)
		return false;
	memory_answer(store, first->write, first->change);
	free(first);
	return true;
}

void memory_held_finish(struct memory_store *store)
{
	while (store_memory_commit(&store->store))
		;
	while (store_memory_answer(&store->store, 0))
		;
}

void store_memory_hold(struct store *base, bool hold)
{
	struct memory_store *store = memory_of_store(base);
	lock_acquire(&store->space->lock);
	store->hold = hold;
	lock_release(&store->space->lock);
	if (!hold)
		memory_held_finish(store);
}

void store_memory_break(struct store *store, unsigned faults)
{
	struct memory_space *space = memory_of_store(store)->space;
	lock_acquire(&space->lock);
	space->faults = faults;
	lock_release(&space->lock);
}
