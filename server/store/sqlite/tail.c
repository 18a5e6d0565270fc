/* tail.c: in memory, what the log holds. */
#include "server/store/sqlite/tail.h"

#include <stdlib.h>
#include <string.h>

bool tail_init(struct tail *tail)
{
	*tail = (struct tail){ 0 };
	tail->last = &tail->first;
	if (!table_init(&tail->by_key))
		return false;
	if (pthread_mutex_init(&tail->mutex, NULL) == 0)
		return true;
	table_finish(&tail->by_key);
	return false;
}

void tail_finish(struct tail *tail)
{
	for (size_t i = 0; i < tail->by_key.size; i++) {
		struct link *link = tail->by_key.buckets[i];
		while (link != NULL) {
			struct tail_session *session = (struct tail_session *)link;
			link = link->next;
			tail_discard(session->first);
			free(session);
		}
	}
	pthread_mutex_destroy(&tail->mutex);
	table_finish(&tail->by_key);
}

static struct tail_session *session_of(const struct tail *tail, uint64_t key)
{
	return (struct tail_session *)table_first(&tail->by_key, key);
}

void tail_expect(const struct tail *tail, uint64_t key)
{
	table_expect(&tail->by_key, key);
}

struct tail_entry *tail_prepare(struct tail *tail, uint64_t key, int64_t seq, uint32_t revision,
                                const uint8_t *packed, size_t length)
{
	struct tail_entry *entry = malloc(sizeof(*entry) + length);
	if (entry == NULL)
		return NULL;
	struct tail_session *session = session_of(tail, key);
	if (session == NULL) {
		session = calloc(1, sizeof(*session));
		if (session == NULL) {
			free(entry);
			return NULL;
		}
		session->key = key;
		session->last = &session->first;
		pthread_mutex_lock(&tail->mutex);
		table_add(&tail->by_key, &session->by_key, key);
		pthread_mutex_unlock(&tail->mutex);
	}
	*entry = (struct tail_entry){
		.session = session,
		.seq = seq,
		.revision = revision,
		.length = length,
	};
	memcpy(entry->packed, packed, length);
	return entry;
}

void tail_publish(struct tail *tail, struct tail_entry *entries)
{
	pthread_mutex_lock(&tail->mutex);
	while (entries != NULL) {
		struct tail_entry *entry = entries;
		struct tail_session *session = entry->session;
		entries = entry->next;
		entry->next = NULL;
		*session->last = entry;
		session->last = &entry->next;
		if (!session->queued && !session->damaged) {
			session->queued = true;
			session->next = NULL;
			*tail->last = session;
			tail->last = &session->next;
		}
		tail->entries++;
		tail->bytes += sizeof(*entry) + entry->length;
	}
	pthread_mutex_unlock(&tail->mutex);
}

void tail_discard(struct tail_entry *entries)
{
	while (entries != NULL) {
		struct tail_entry *next = entries->next;
		free(entries);
		entries = next;
	}
}

struct tail_session *tail_oldest(const struct tail *tail)
{
	return tail->first;
}

int64_t tail_oldest_seq(const struct tail *tail)
{
	/* Sessions queue up in the order of their first entries; only the first in the queue may
	 * have lost some of its own to a slice that ended within it. */
	const struct tail_session *first = tail->first;
	if (first == NULL)
		return INT64_MAX;
	const struct tail_session *second = first->next;
	int64_t seq = first->first->seq;
	return second != NULL && second->first->seq < seq ? second->first->seq : seq;
}

int64_t tail_kept_seq(const struct tail *tail, int64_t seq)
{
	int64_t kept = INT64_MAX;
	for (const struct tail_session *session = tail->damaged; session != NULL; session = session->next) {
		const struct tail_entry *entry = session->first;
		while (entry != NULL && entry->seq < seq)
			entry = entry->next;
		if (entry != NULL && entry->seq < kept)
			kept = entry->seq;
	}
	return kept;
}

const struct tail_entry *tail_entries(const struct tail *tail, uint64_t key)
{
	const struct tail_session *session = session_of(tail, key);
	return session == NULL ? NULL : session->first;
}

void tail_drop(struct tail *tail, size_t count)
{
	pthread_mutex_lock(&tail->mutex);
	struct tail_session *session = tail->first;
	while (count-- > 0) {
		struct tail_entry *entry = session->first;
		session->first = entry->next;
		tail->entries--;
		tail->bytes -= sizeof(*entry) + entry->length;
		free(entry);
	}
	if (session->first == NULL) { /* else the slice ended within it */
		tail->first = session->next;
		if (tail->first == NULL)
			tail->last = &tail->first;
		table_remove(&tail->by_key, &session->by_key);
		free(session);
	}
	pthread_mutex_unlock(&tail->mutex);
}

void tail_set_aside(struct tail *tail, uint64_t key)
{
	pthread_mutex_lock(&tail->mutex);
	struct tail_session **at = &tail->first;
	while ((*at)->key != key)
		at = &(*at)->next;
	struct tail_session *session = *at;
	*at = session->next;
	if (tail->last == &session->next)
		tail->last = at;
	session->damaged = true;
	session->next = tail->damaged;
	tail->damaged = session;
	pthread_mutex_unlock(&tail->mutex);
}

static bool copy_entries(const struct tail_session *session, struct tail_copy *copy)
{
	size_t count = 0, bytes = 0;
	for (const struct tail_entry *entry = session->first; entry != NULL; entry = entry->next) {
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
	for (const struct tail_entry *entry = session->first; entry != NULL; entry = entry->next) {
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

bool tail_keys(struct tail *tail, uint64_t **keys, size_t *count)
{
	size_t room = 0;
	*count = 0;
	pthread_mutex_lock(&tail->mutex);
	for (const struct tail_session *session = tail->first; session != NULL; session = session->next)
		room++;
	*keys = malloc((room + 1) * sizeof(**keys));
	for (const struct tail_session *session = tail->first; session != NULL && *keys != NULL;
	     session = session->next)
		(*keys)[(*count)++] = session->key;
	pthread_mutex_unlock(&tail->mutex);
	if (*keys == NULL)
		return false;
	qsort(*keys, *count, sizeof(**keys), newest_first);
	return true;
}

bool tail_copy(struct tail *tail, uint64_t key, struct tail_copy *copy)
{
	*copy = (struct tail_copy){ 0 };
	pthread_mutex_lock(&tail->mutex);
	const struct tail_session *session = session_of(tail, key);
	bool done = session == NULL || copy_entries(session, copy);
	pthread_mutex_unlock(&tail->mutex);
	return done;
}

void tail_copy_finish(struct tail_copy *copy)
{
	free(copy->ends);
	*copy = (struct tail_copy){ 0 };
}
