/* table.c: a hash table of things that hold a link. */
#include "server/store/table.h"

#include <stdlib.h>

#define FIRST_SIZE 64

bool table_init(struct table *table)
{
	*table = (struct table){.size = FIRST_SIZE};
	table->buckets = calloc(FIRST_SIZE, sizeof(struct link *));
	return table->buckets != NULL;
}

void table_finish(struct table *table)
{
	free(table->buckets);
	table->buckets = NULL;
}

/* Keys are dense, ids random: a multiplication spreads both. */
static size_t bucket(uint64_t hash, size_t size)
{
	return (size_t)((hash * 0x9E3779B97F4A7C15u) >> 20) & (size - 1);
}

static void grow(struct table *table)
{
	size_t size = table->size * 2;
	struct link **buckets = calloc(size, sizeof(struct link *));
	if (buckets == NULL)
		return;
	for (size_t i = 0; i < table->size; i++) {
		while (table->buckets[i] != NULL) {
			struct link *link = table->buckets[i];
			table->buckets[i] = link->next;
			struct link **at = &buckets[bucket(link->hash, size)];
			link->next = *at;
			*at = link;
		}
	}
	free(table->buckets);
	table->buckets = buckets;
	table->size = size;
}

void table_add(struct table *table, struct link *link, uint64_t hash)
{
	if (table->count >= table->size)
		grow(table);
	struct link **at = &table->buckets[bucket(hash, table->size)];
	link->hash = hash;
	link->next = *at;
	*at = link;
	table->count++;
}

void table_remove(struct table *table, struct link *link)
{
	struct link **at = &table->buckets[bucket(link->hash, table->size)];
	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
	table->count--;
}

static struct link *matching(struct link *link, uint64_t hash)
{
	while (link != NULL && link->hash != hash)
		link = link->next;
	return link;
}

void table_expect(const struct table *table, uint64_t hash)
{
	__builtin_prefetch(table->buckets[bucket(hash, table->size)]);
}

struct link *table_first(const struct table *table, uint64_t hash)
{
	return matching(table->buckets[bucket(hash, table->size)], hash);
}

struct link *table_next(const struct link *link)
{
	return matching(link->next, link->hash);
}
