/* addresses.c: connections by address: a hash table with a secret seed, so that nobody can aim at
 * one bucket. */
#include "server/http/addresses.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "server/config.h"

#define BUCKETS 4096

struct address {
	struct address *next;
	uint64_t network[2];
	uint64_t count;
};

struct address_table {
	pthread_mutex_t lock;
	uint64_t seed;
	struct address *buckets[BUCKETS];
};

struct address_table *address_table_create(void)
{
	struct address_table *table = calloc(1, sizeof *table);
	if (table &&
	    getrandom(&table->seed, sizeof table->seed, 0) != (ssize_t)sizeof table->seed) {
		free(table);
		return NULL;
	}
	if (table)
		pthread_mutex_init(&table->lock, NULL);
	return table;
}

void address_table_destroy(struct address_table *table)
{
	if (!table)
		return;
	pthread_mutex_destroy(&table->lock);
	for (size_t i = 0; i < BUCKETS; i++)
		while (table->buckets[i]) {
			struct address *next = table->buckets[i]->next;
			free(table->buckets[i]);
			table->buckets[i] = next;
		}
	free(table);
}

static bool peer_is_v4(const struct peer *peer)
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	return memcmp(peer->address, mapped, sizeof mapped) == 0;
}

static bool peer_is_loopback(const struct peer *peer)
{
	static const uint8_t v6[16] = {[15] = 1};
	return peer_is_v4(peer) ? peer->address[12] == 127
				: memcmp(peer->address, v6, sizeof v6) == 0;
}

/* Multiply and fold; source: the finalizer of MurmurHash3 (Austin Appleby, public domain). */
static uint64_t mix(uint64_t value)
{
	value ^= value >> 33;
	value *= 0xff51afd7ed558ccdu;
	value ^= value >> 33;
	value *= 0xc4ceb9fe1a85ec53u;
	return value ^ value >> 33;
}

static struct address **bucket_of(struct address_table *table, const uint64_t network[2])
{
	return &table->buckets[mix(mix(network[0] ^ table->seed) ^ network[1]) % BUCKETS];
}

/* The lock is held. */
static bool network_enter(struct address_table *table, const uint64_t network[2], uint64_t max,
			  struct address **counted)
{
	struct address **bucket = bucket_of(table, network);
	for (struct address *address = *bucket; address; address = address->next)
		if (memcmp(address->network, network, sizeof address->network) == 0) {
			if (address->count >= max)
				return false;
			address->count++;
			*counted = address;
			return true;
		}
	if (max == 0)
		return false;
	struct address *address = malloc(sizeof *address);
	if (!address)
		return true;
	*address =
		(struct address){.next = *bucket, .network = {network[0], network[1]}, .count = 1};
	*bucket = address;
	*counted = address;
	return true;
}

bool address_enter(struct address_table *table, const struct peer *peer, uint64_t max,
		   struct address **counted)
{
	uint64_t network[2];
	*counted = NULL;
	if (max == LIMIT_OFF || peer_is_loopback(peer))
		return true;
	memcpy(network, peer->address, sizeof network);
	if (!peer_is_v4(peer))
		network[1] = 0;
	pthread_mutex_lock(&table->lock);
	bool entered = network_enter(table, network, max, counted);
	pthread_mutex_unlock(&table->lock);
	return entered;
}

void address_leave(struct address_table *table, struct address *address)
{
	if (!address)
		return;
	pthread_mutex_lock(&table->lock);
	if (--address->count == 0) {
		struct address **at = bucket_of(table, address->network);
		while (*at != address)
			at = &(*at)->next;
		*at = address->next;
		free(address);
	}
	pthread_mutex_unlock(&table->lock);
}
