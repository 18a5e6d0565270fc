/* addresses.c: connections by address: a hash table with a secret seed, so that nobody can aim at
 * one bucket. */
#include "server/http/addresses.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "server/config.h"
#include "server/util/meters.h"

#define BUCKETS 4096

/* How many are looked at for one that has sent nothing meanwhile. */
#define CANDIDATES 8

struct idlers {
	struct idler *first, *last; /* the first has been listed longest */
};

struct address {
	struct address *next;
	uint64_t network[2];
	uint64_t count;
	struct idlers idlers;
};

struct address_table {
	pthread_mutex_t lock;
	uint64_t seed;
	struct idlers idlers;
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

/* The lock is held. When it is no longer listed, its own thread may free it without the lock: that is
 * told last. */
static void idler_remove(struct address_table *table, struct idler *idler)
{
	struct idlers *all = &table->idlers;
	*(idler->previous ? &idler->previous->next : &all->first) = idler->next;
	*(idler->next ? &idler->next->previous : &all->last) = idler->previous;
	if (idler->address) {
		struct idlers *own = &idler->address->idlers;
		*(idler->address_previous ? &idler->address_previous->address_next : &own->first) =
			idler->address_next;
		*(idler->address_next ? &idler->address_next->address_previous : &own->last) =
			idler->address_previous;
	}
	atomic_store(&idler->listed, false);
}

void idler_list(struct address_table *table, struct idler *idler, struct address *address, int fd)
{
	if (atomic_load_explicit(&idler->listed, memory_order_relaxed))
		return;
	pthread_mutex_lock(&table->lock);
	idler->address = address;
	idler->fd = fd;
	idler->next = idler->address_next = NULL;
	idler->previous = table->idlers.last;
	*(idler->previous ? &idler->previous->next : &table->idlers.first) = idler;
	table->idlers.last = idler;
	if (address) {
		struct idlers *own = &address->idlers;
		idler->address_previous = own->last;
		*(own->last ? &own->last->address_next : &own->first) = idler;
		own->last = idler;
	}
	atomic_store(&idler->listed, true);
	pthread_mutex_unlock(&table->lock);
}

void idler_unlist(struct address_table *table, struct idler *idler)
{
	/* Usually it is not, and needs no lock: only its own thread lists it. */
	if (!atomic_load_explicit(&idler->listed, memory_order_acquire))
		return;
	pthread_mutex_lock(&table->lock);
	if (atomic_load(&idler->listed))
		idler_remove(table, idler);
	pthread_mutex_unlock(&table->lock);
}

/* The lock is held, so the descriptor is open. Its own thread notices the end and closes it. */
static bool shut_down(struct address_table *table, struct idler *idler)
{
	int unread = 0;
	if (ioctl(idler->fd, FIONREAD, &unread) == 0 && unread > 0)
		return false;
	shutdown(idler->fd, SHUT_RDWR);
	idler_remove(table, idler);
	meter_add(METER_CUT, 1);
	return true;
}

bool idler_displace(struct address_table *table)
{
	bool displaced = false;
	pthread_mutex_lock(&table->lock);
	struct idler *idler = table->idlers.first;
	for (int i = 0; i < CANDIDATES && idler && !displaced; i++) {
		struct idler *next = idler->next;
		displaced = shut_down(table, idler);
		idler = next;
	}
	pthread_mutex_unlock(&table->lock);
	return displaced;
}

/* The same among those of one address. The lock is held. */
static bool displace_of(struct address_table *table, struct address *address)
{
	bool displaced = false;
	struct idler *idler = address->idlers.first;
	for (int i = 0; i < CANDIDATES && idler && !displaced; i++) {
		struct idler *next = idler->address_next;
		displaced = shut_down(table, idler);
		idler = next;
	}
	return displaced;
}

/* The lock is held. */
static bool network_enter(struct address_table *table, const uint64_t network[2], uint64_t max,
			  struct address **counted)
{
	struct address **bucket = bucket_of(table, network);
	for (struct address *address = *bucket; address; address = address->next)
		if (memcmp(address->network, network, sizeof address->network) == 0) {
			if (address->count >= max && !displace_of(table, address))
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
