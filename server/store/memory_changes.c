/* memory_changes.c: what the stores of a space report to each other: the newest changes, numbered. */
#include "server/store/memory_internal.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#define CHANGES_KEPT 4096
/* The bytes by which an entry may grow when its time becomes the difference to the entry before. */
#define LONGER_BYTES 10

/* ---- writing ---- */

static struct memory_change *change_at(const struct memory_space *space, uint64_t number)
{
	return &space->changes[number % space->changes_kept];
}

/* Finds what others hear of a write; false: nothing. */
static bool kind_of(const struct store_write *write, enum store_change_kind *kind)
{
	switch (write->kind) {
	case WRITE_APPEND:
		*kind = CHANGE_ENTRIES;
		return true;
	case WRITE_META:
	case WRITE_DELETE:
	case WRITE_TOKEN:
	case WRITE_PATTERN:
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
	case WRITE_ASSISTANCE:
		*kind = CHANGE_META;
		return true;
	case WRITE_SOLVES:
		*kind = CHANGE_SOLVES;
		return true;
	case WRITE_CREATE:
	case WRITE_ANSWER:
		break;
	}
	return false;
}

/* The first change makes the list. */
static bool room_for_changes(struct memory_space *space)
{
	if (space->changes != NULL)
		return true;
	space->changes_kept = CHANGES_KEPT;
	space->changes = calloc(CHANGES_KEPT, sizeof(*space->changes));
	return space->changes != NULL;
}

bool memory_change_prepare(struct memory_space *space, const struct store_write *write,
			   struct memory_change *change)
{
	enum store_change_kind kind;
	lock_assert_held(&space->lock);
	*change = (struct memory_change){0};
	if (!memory_space_is_shared(space) || !kind_of(write, &kind))
		return true;
	if (!room_for_changes(space))
		return false;
	change->change.kind = kind;
	change->change.key = write->meta.key;
	change->solves = kind != CHANGE_SOLVES && write->solve_count > 0;
	if (kind != CHANGE_ENTRIES)
		return true;
	change->change.first = change->change.last = write->revision;
	change->change.version = write->meta.version;
	change->change.last_actor = write->last_actor;
	change->change.state = write->state_after;
	change->change.entries = malloc(write->packed_bytes + LONGER_BYTES);
	return change->change.entries != NULL;
}

void memory_change_discard(struct memory_change *change)
{
	free((uint8_t *)(uintptr_t)change->change.entries);
	*change = (struct memory_change){0};
}

/* The newest entry, as the chunk has it. */
static void copy_entry(const struct memory_session *session, struct store_change *change)
{
	const struct chunk *newest = &session->chunks[session->chunk_count - 1];
	change->bytes = session->entry_bytes;
	memcpy((uint8_t *)(uintptr_t)change->entries,
	       newest->entries + newest->bytes - change->bytes, change->bytes);
}

uint64_t memory_change_add(struct memory_space *space, const struct memory_store *maker,
			   const struct memory_session *session, struct memory_change *change)
{
	lock_assert_held(&space->lock);
	if (change->change.key == 0)
		return 0;
	if (change->change.kind == CHANGE_ENTRIES)
		copy_entry(session, &change->change);
	change->maker = maker;
	const uint64_t number = ++space->changes_made;
	if (number - space->changes_first >= space->changes_kept)
		memory_change_discard(change_at(space, space->changes_first++));
	*change_at(space, number) = *change;
	return number;
}

void memory_change_answered(struct memory_space *space, uint64_t number)
{
	lock_assert_held(&space->lock);
	if (number >= space->changes_first && number <= space->changes_made)
		change_at(space, number)->answered = true;
}

static void drop_changes(struct memory_space *space)
{
	while (space->changes_first <= space->changes_made)
		memory_change_discard(change_at(space, space->changes_first++));
}

void memory_changes_free(struct memory_space *space)
{
	drop_changes(space);
	free(space->changes);
	space->changes = NULL;
}

void store_memory_keep_changes(struct store *store, uint64_t count)
{
	struct memory_space *space = memory_of_store(store)->space;
	lock_acquire(&space->lock);
	memory_changes_free(space);
	space->changes = calloc(count, sizeof(*space->changes));
	space->changes_kept = count;
	lock_release(&space->lock);
}

/* ---- reading ---- */

static void report(const struct memory_change *change, store_visit_change *visit, void *context)
{
	visit(context, &change->change);
	if (change->solves)
		visit(context,
		      &(struct store_change){.kind = CHANGE_SOLVES, .key = change->change.key});
}

static bool is_left_out(const struct memory_store *store, uint64_t number)
{
	const struct memory_change *change = change_at(store->space, number);
	const unsigned faults = store->space->faults;
	return (change->maker == store && (change->answered || (faults & MEMORY_OMITS_OWN))) ||
	       (faults & MEMORY_REPORTS_NOTHING) ||
	       ((faults & MEMORY_SKIPS_CHANGES) && number % 8 == 0);
}

enum store_status memory_reader_changes(struct store_reader *base, store_visit_change *visit,
					void *context)
{
	struct memory_reader *reader = (struct memory_reader *)base;
	struct memory_store *store = memory_of_store(base->store);
	struct memory_space *space = store->space;
	lock_acquire(&space->lock);
	if (reader->seen + 1 < space->changes_first) {
		visit(context, &(struct store_change){.kind = CHANGE_MISSED});
		reader->seen = space->changes_made;
	}
	while (reader->seen < space->changes_made) {
		const uint64_t number = ++reader->seen;
		if (!is_left_out(store, number))
			report(change_at(space, number), visit, context);
	}
	lock_release(&space->lock);
	return STORE_OK;
}

/* ---- hints ---- */

void memory_hints_join(struct memory_store *store)
{
	lock_acquire(&store->space->hints);
	DL_APPEND2(store->space->stores, store, previous, next);
	lock_release(&store->space->hints);
}

void memory_hints_leave(struct memory_store *store)
{
	lock_acquire(&store->space->hints);
	DL_DELETE2(store->space->stores, store, previous, next);
	lock_release(&store->space->hints);
}

void memory_hint_others(const struct memory_store *store)
{
	struct memory_space *space = store->space;
	const struct memory_store *other;
	if (!memory_space_is_shared(space))
		return;
	lock_acquire(&space->hints);
	DL_FOREACH2(space->stores, other, next)
	if (other != store && other->options.changed != NULL)
		other->options.changed(other->options.changed_context, NULL, 0);
	lock_release(&space->hints);
}
