/* hash_table.c: a hash table of structs that hold a link. */
#include "server/util/hash_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 64

bool hash_table_init(struct hash_table *table)
{
	*table = (struct hash_table){.size = FIRST_SIZE};
	table->buckets = calloc(FIRST_SIZE, sizeof(struct hash_link *));
	return table->buckets != NULL;
}

void hash_table_finish(struct hash_table *table, void (*free_link)(struct hash_link *link))
{
	for (size_t i = 0; i < table->size && free_link; i++)
		for (struct hash_link *link = table->buckets[i], *next; link; link = next) {
			next = link->next;
			free_link(link);
		}
	free(table->buckets);
	table->buckets = NULL;
}

/* Keys are dense, ids are random: a multiplication spreads both. */
static size_t bucket_of(uint64_t hash, size_t size)
{
	return (size_t)((hash * 0x9E3779B97F4A7C15u) >> 20) & (size - 1);
}

static void grow_table(struct hash_table *table)
{
	size_t size = table->size * 2;
	struct hash_link **buckets = calloc(size, sizeof(struct hash_link *));
	if (buckets == NULL)
		return;
	for (size_t i = 0; i < table->size; i++) {
		while (table->buckets[i] != NULL) {
			struct hash_link *link = table->buckets[i];
			table->buckets[i] = link->next;
			struct hash_link **at = &buckets[bucket_of(link->hash, size)];
			link->next = *at;
			*at = link;
		}
	}
	free(table->buckets);
	table->buckets = buckets;
	table->size = size;
}

void hash_table_add(struct hash_table *table, struct hash_link *link, uint64_t hash)
{
	if (table->count >= table->size)
		grow_table(table);
	struct hash_link **at = &table->buckets[bucket_of(hash, table->size)];
	link->hash = hash;
	link->next = *at;
	*at = link;
	table->count++;
}

void hash_table_remove(struct hash_table *table, struct hash_link *link)
{
	struct hash_link **at = &table->buckets[bucket_of(link->hash, table->size)];
	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
	table->count--;
}

static struct hash_link *matching(struct hash_link *link, uint64_t hash)
{
	while (link != NULL && link->hash != hash)
		link = link->next;
	return link;
}

void hash_table_expect(const struct hash_table *table, uint64_t hash)
{
	__builtin_prefetch(table->buckets[bucket_of(hash, table->size)]);
}

struct hash_link *hash_table_first(const struct hash_table *table, uint64_t hash)
{
	return matching(table->buckets[bucket_of(hash, table->size)], hash);
}

struct hash_link *hash_table_next(const struct hash_link *link)
{
	return matching(link->next, link->hash);
}

/* Source: the finalizer of MurmurHash3 (Austin Appleby, public domain). */
static uint64_t mix_bits(uint64_t value)
{
	value ^= value >> 33;
	value *= 0xff51afd7ed558ccdu;
	value ^= value >> 33;
	value *= 0xc4ceb9fe1a85ec53u;
	return value ^ value >> 33;
}

uint64_t hash_seeded(uint64_t seed, const void *bytes)
{
	uint64_t halves[2];
	memcpy(halves, bytes, sizeof halves);
	return mix_bits(mix_bits(halves[0] ^ seed) ^ halves[1]);
}
