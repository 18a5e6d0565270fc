/* memtable.c: the log in memory. */
#include "server/store/sqlite/memtable.h"

#include <stdlib.h>
#include <string.h>

bool memtable_init(struct memtable *memtable)
{
	*memtable = (struct memtable){0};
	memtable->last = &memtable->first;
	if (!hash_table_init(&memtable->by_key))
		return false;
	if (lock_init(&memtable->lock))
		return true;
	hash_table_finish(&memtable->by_key, NULL);
	return false;
}

static void free_session(struct hash_link *link)
{
	struct memtable_session *session = (struct memtable_session *)link;
	memtable_discard(session->first);
	free(session);
}

void memtable_finish(struct memtable *memtable)
{
	lock_destroy(&memtable->lock);
	hash_table_finish(&memtable->by_key, free_session);
}

static struct memtable_session *session_of(const struct memtable *memtable, uint64_t key)
{
	return (struct memtable_session *)hash_table_first(&memtable->by_key, key);
}

void memtable_expect(const struct memtable *memtable, uint64_t key)
{
	hash_table_expect(&memtable->by_key, key);
}

struct memtable_entry *memtable_prepare(struct memtable *memtable, uint64_t key, int64_t seq,
					uint32_t revision, const uint8_t *packed, size_t length)
{
	struct memtable_entry *entry = malloc(sizeof(*entry) + length);
	if (entry == NULL)
		return NULL;
	struct memtable_session *session = session_of(memtable, key);
	if (session == NULL) {
		session = calloc(1, sizeof(*session));
		if (session == NULL) {
			free(entry);
			return NULL;
		}
		session->key = key;
		session->last = &session->first;
		lock_acquire(&memtable->lock);
		hash_table_add(&memtable->by_key, &session->by_key, key);
		lock_release(&memtable->lock);
	}
	*entry = (struct memtable_entry){
		.session = session,
		.seq = seq,
		.revision = revision,
		.length = length,
	};
	memcpy(entry->packed, packed, length);
	return entry;
}

void memtable_publish(struct memtable *memtable, struct memtable_entry *entries)
{
	lock_acquire(&memtable->lock);
	while (entries != NULL) {
		struct memtable_entry *entry = entries;
		struct memtable_session *session = entry->session;
		entries = entry->next;
		entry->next = NULL;
		*session->last = entry;
		session->last = &entry->next;
		if (!session->queued && !session->damaged) {
			session->queued = true;
			session->next = NULL;
			*memtable->last = session;
			memtable->last = &session->next;
		}
		memtable->entries++;
		memtable->bytes += sizeof(*entry) + entry->length;
	}
	lock_release(&memtable->lock);
}

void memtable_discard(struct memtable_entry *entries)
{
	while (entries != NULL) {
		struct memtable_entry *next = entries->next;
		free(entries);
		entries = next;
	}
}

struct memtable_session *memtable_oldest(const struct memtable *memtable)
{
	return memtable->first;
}

int64_t memtable_oldest_seq(const struct memtable *memtable)
{
	/* Sessions are queued in the order of their first entries; only the first may have lost
	 * entries to a slice that ended within it. */
	const struct memtable_session *first = memtable->first;
	if (first == NULL)
		return INT64_MAX;
	const struct memtable_session *second = first->next;
	int64_t seq = first->first->seq;
	return second != NULL && second->first->seq < seq ? second->first->seq : seq;
}

int64_t memtable_kept_seq(const struct memtable *memtable, int64_t seq)
{
	int64_t kept = INT64_MAX;
	for (const struct memtable_session *session = memtable->damaged; session != NULL;
	     session = session->next) {
		const struct memtable_entry *entry = session->first;
		while (entry != NULL && entry->seq < seq)
			entry = entry->next;
		if (entry != NULL && entry->seq < kept)
			kept = entry->seq;
	}
	return kept;
}

const struct memtable_entry *memtable_entries(const struct memtable *memtable, uint64_t key)
{
	const struct memtable_session *session = session_of(memtable, key);
	return session == NULL ? NULL : session->first;
}

void memtable_drop(struct memtable *memtable, size_t count)
{
	lock_acquire(&memtable->lock);
	struct memtable_session *session = memtable->first;
	while (count-- > 0) {
		struct memtable_entry *entry = session->first;
		session->first = entry->next;
		memtable->entries--;
		memtable->bytes -= sizeof(*entry) + entry->length;
		free(entry);
	}
	if (session->first == NULL) { /* else the slice ended within it */
		memtable->first = session->next;
		if (memtable->first == NULL)
			memtable->last = &memtable->first;
		hash_table_remove(&memtable->by_key, &session->by_key);
		free(session);
	}
	lock_release(&memtable->lock);
}

void memtable_set_aside(struct memtable *memtable, uint64_t key)
{
	lock_acquire(&memtable->lock);
	struct memtable_session **at = &memtable->first;
	while ((*at)->key != key)
		at = &(*at)->next;
	struct memtable_session *session = *at;
	*at = session->next;
	if (memtable->last == &session->next)
		memtable->last = at;
	session->damaged = true;
	session->next = memtable->damaged;
	memtable->damaged = session;
	lock_release(&memtable->lock);
}

static bool copy_entries(const struct memtable_session *session, struct memtable_copy *copy)
{
	size_t count = 0, bytes = 0;
	for (const struct memtable_entry *entry = session->first; entry != NULL;
	     entry = entry->next) {
		count++;
		bytes += entry->length;
	}
	if (count == 0)
		return true;
	copy->ends = malloc(count * sizeof(*copy->ends) + bytes);
	if (copy->ends == NULL)
		return false;
	copy->bytes = (uint8_t *)(copy->ends + count);
	copy->revision = session->first->revision;
	size_t end = 0;
	for (const struct memtable_entry *entry = session->first; entry != NULL;
	     entry = entry->next) {
		memcpy(copy->bytes + end, entry->packed, entry->length);
		end += entry->length;
		copy->ends[copy->count++] = end;
	}
	return true;
}

static int newest_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x < y) - (x > y);
}

bool memtable_keys(struct memtable *memtable, uint64_t **keys, size_t *count)
{
	size_t room = 0;
	*count = 0;
	lock_acquire(&memtable->lock);
	for (const struct memtable_session *session = memtable->first; session != NULL;
	     session = session->next)
		room++;
	*keys = malloc((room + 1) * sizeof(**keys));
	for (const struct memtable_session *session = memtable->first;
	     session != NULL && *keys != NULL; session = session->next)
		(*keys)[(*count)++] = session->key;
	lock_release(&memtable->lock);
	if (*keys == NULL)
		return false;
	qsort(*keys, *count, sizeof(**keys), newest_first);
	return true;
}

bool memtable_copy(struct memtable *memtable, uint64_t key, struct memtable_copy *copy)
{
	*copy = (struct memtable_copy){0};
	lock_acquire(&memtable->lock);
	const struct memtable_session *session = session_of(memtable, key);
	bool done = session == NULL || copy_entries(session, copy);
	lock_release(&memtable->lock);
	return done;
}

void memtable_copy_finish(struct memtable_copy *copy)
{
	free(copy->ends);
	*copy = (struct memtable_copy){0};
}
