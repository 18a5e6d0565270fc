/* addresses.c: connections by address and by network, in hash tables with a secret seed.
 *
 * Networks are also in lists by their number of connections, so that the one that has most is found at
 * once: a connection more or less moves its network to the next list. */
#include "server/http/addresses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <utlist.h>

#include "server/config.h"
#include "server/util/container_of.h"
#include "server/util/hash_table.h"
#include "server/util/lock.h"
#include "server/util/meters.h"

/* The most listed connections that are tried for one that has sent nothing meanwhile, and the most
 * networks that are tried for one that has a listed connection. */
#define CANDIDATES 8
/* Lists of networks; the last has those with as many connections and more. */
#define COUNTS 1024

struct network_count {
	struct hash_link by_network; /* first: see hash_table.h */
	struct network network;
	uint64_t count;
	struct idler *idlers;
	struct network_count *previous, *next; /* of as many connections */
};

struct address {
	struct hash_link by_address; /* first: see hash_table.h */
	uint64_t bytes[2];
	uint64_t count;
	struct network_count *network; /* NULL: none is counted */
	struct idler *idlers;          /* the first has been listed longest */
};

struct address_table {
	struct lock lock;
	enum address_kind kind;
	uint64_t seed;
	struct idler *idlers; /* the same for all addresses */
	struct hash_table addresses, networks;
	struct network_count *by_count[COUNTS];
	size_t most; /* the last list that is not empty; 0: none */
};

struct address_table *address_table_create(enum address_kind kind)
{
	struct address_table *table = calloc(1, sizeof *table);
	if (!table)
		return NULL;
	table->kind = kind;
	if (getrandom(&table->seed, sizeof table->seed, 0) != (ssize_t)sizeof table->seed ||
	    !hash_table_init(&table->addresses))
		goto no_addresses;
	if (!hash_table_init(&table->networks))
		goto no_networks;
	if (lock_init(&table->lock))
		return table;
	hash_table_finish(&table->networks, NULL);
no_networks:
	hash_table_finish(&table->addresses, NULL);
no_addresses:
	free(table);
	return NULL;
}

static void free_address(struct hash_link *link)
{
	free(container_of(link, struct address, by_address));
}

static void free_network(struct hash_link *link)
{
	free(container_of(link, struct network_count, by_network));
}

void address_table_destroy(struct address_table *table)
{
	if (!table)
		return;
	lock_destroy(&table->lock);
	hash_table_finish(&table->addresses, free_address);
	hash_table_finish(&table->networks, free_network);
	free(table);
}

/* With the lock held. Once it is no longer listed, its own thread may free it without the lock: so
 * that is stored last. */
static void idler_remove(struct address_table *table, struct idler *idler)
{
	lock_assert_held(&table->lock);
	DL_DELETE2(table->idlers, idler, in[OF_ALL].previous, in[OF_ALL].next);
	if (idler->address)
		DL_DELETE2(idler->address->idlers, idler, in[OF_ADDRESS].previous,
			   in[OF_ADDRESS].next);
	if (idler->address && idler->address->network)
		DL_DELETE2(idler->address->network->idlers, idler, in[OF_NETWORK].previous,
			   in[OF_NETWORK].next);
	atomic_store(&idler->listed, false);
}

void idler_list(struct address_table *table, struct idler *idler, struct address *address, int fd)
{
	if (atomic_load_explicit(&idler->listed, memory_order_relaxed))
		return;
	lock_acquire(&table->lock);
	idler->address = address;
	idler->fd = fd;
	DL_APPEND2(table->idlers, idler, in[OF_ALL].previous, in[OF_ALL].next);
	if (address)
		DL_APPEND2(address->idlers, idler, in[OF_ADDRESS].previous, in[OF_ADDRESS].next);
	if (address && address->network)
		DL_APPEND2(address->network->idlers, idler, in[OF_NETWORK].previous,
			   in[OF_NETWORK].next);
	atomic_store(&idler->listed, true);
	lock_release(&table->lock);
}

void idler_unlist(struct address_table *table, struct idler *idler)
{
	/* Usually it is not listed: only its own thread lists it, so no lock is needed. */
	if (!atomic_load_explicit(&idler->listed, memory_order_acquire))
		return;
	lock_acquire(&table->lock);
	if (atomic_load(&idler->listed))
		idler_remove(table, idler);
	lock_release(&table->lock);
}

/* With the lock held, so the descriptor is open. Its own thread sees the end and closes it. */
static bool shut_down(struct address_table *table, struct idler *idler)
{
	lock_assert_held(&table->lock);
	const bool stream = table->kind == ADDRESSES_OF_STREAMS;
	int unread = 0;
	if (!stream && ioctl(idler->fd, FIONREAD, &unread) == 0 && unread > 0)
		return false;
	shutdown(idler->fd, SHUT_RDWR);
	idler_remove(table, idler);
	meter_add(stream ? METER_DISPLACED : METER_CUT, 1);
	return true;
}

/* Shuts down one of the first in a list that begins with `idler`. With the lock held. */
static bool displace_first(struct address_table *table, struct idler *idler, enum idler_list list)
{
	lock_assert_held(&table->lock);
	bool displaced = false;
	for (int i = 0; i < CANDIDATES && idler && !displaced; i++) {
		struct idler *next = idler->in[list].next;
		displaced = shut_down(table, idler);
		idler = next;
	}
	return displaced;
}

bool idler_displace(struct address_table *table)
{
	lock_acquire(&table->lock);
	const bool displaced = displace_first(table, table->idlers, OF_ALL);
	lock_release(&table->lock);
	return displaced;
}

bool address_displace_most(struct address_table *table, uint64_t more_than,
			   struct displaced *displaced)
{
	int tries = CANDIDATES;
	bool done = false;
	lock_acquire(&table->lock);
	for (size_t i = table->most; i > 0 && tries > 0 && !done; i--) {
		struct network_count *at = table->by_count[i];
		for (; at && tries > 0 && !done; at = at->next, tries--) {
			if (at->count <= more_than)
				tries = 0;
			else if (displace_first(table, at->idlers, OF_NETWORK))
				done = true;
			if (done)
				*displaced = (struct displaced){at->network, at->count};
		}
	}
	lock_release(&table->lock);
	return done;
}

/* ---- networks ---- */

static size_t list_of(uint64_t count)
{
	return count < COUNTS ? (size_t)count : COUNTS - 1;
}

/* With the lock held. Puts it into another list; a network without connections is in none. */
static void network_recount(struct address_table *table, struct network_count *network,
			    uint64_t count)
{
	lock_assert_held(&table->lock);
	const size_t from = list_of(network->count), to = list_of(count);
	network->count = count;
	if (from == to)
		return;
	if (from > 0)
		DL_DELETE2(table->by_count[from], network, previous, next);
	if (to > 0)
		DL_APPEND2(table->by_count[to], network, previous, next);
	if (to > table->most)
		table->most = to;
	while (table->most > 0 && !table->by_count[table->most])
		table->most--;
}

/* With the lock held. NULL: none is counted, or out of memory. */
static struct network_count *network_find(struct address_table *table, const struct peer *peer)
{
	struct network key;
	lock_assert_held(&table->lock);
	if (!network_of(peer->address, &key))
		return NULL;
	const uint64_t hash = hash_seeded(table->seed, key.address);
	struct hash_link *link = hash_table_first(&table->networks, hash);
	for (; link; link = hash_table_next(link)) {
		struct network_count *network =
			container_of(link, struct network_count, by_network);
		if (memcmp(&network->network, &key, sizeof key) == 0)
			return network;
	}
	struct network_count *network = calloc(1, sizeof *network);
	if (!network)
		return NULL;
	network->network = key;
	hash_table_add(&table->networks, &network->by_network, hash);
	return network;
}

static void network_drop_unused(struct address_table *table, struct network_count *network)
{
	if (!network || network->count > 0)
		return;
	hash_table_remove(&table->networks, &network->by_network);
	free(network);
}

/* ---- addresses ---- */

/* With the lock held. NULL if out of memory. */
static struct address *address_find(struct address_table *table, const struct peer *peer)
{
	uint64_t bytes[2];
	lock_assert_held(&table->lock);
	memcpy(bytes, peer->address, sizeof bytes);
	if (!address_is_v4(peer->address))
		bytes[1] = 0;
	const uint64_t hash = hash_seeded(table->seed, bytes);
	struct hash_link *link = hash_table_first(&table->addresses, hash);
	for (; link; link = hash_table_next(link)) {
		struct address *address = container_of(link, struct address, by_address);
		if (memcmp(address->bytes, bytes, sizeof bytes) == 0)
			return address;
	}
	struct address *address = calloc(1, sizeof *address);
	if (!address)
		return NULL;
	memcpy(address->bytes, bytes, sizeof bytes);
	address->network = network_find(table, peer);
	hash_table_add(&table->addresses, &address->by_address, hash);
	return address;
}

static void address_drop_unused(struct address_table *table, struct address *address)
{
	if (address->count > 0)
		return;
	network_drop_unused(table, address->network);
	hash_table_remove(&table->addresses, &address->by_address);
	free(address);
}

/* With the lock held. */
static enum address_entry address_admit(struct address_table *table, struct address *address,
					const struct address_limits *limits)
{
	lock_assert_held(&table->lock);
	struct network_count *network = address->network;
	const bool displaces = table->kind == ADDRESSES_OF_CONNECTIONS;
	if (address->count >= limits->address &&
	    !(displaces && displace_first(table, address->idlers, OF_ADDRESS)))
		return ADDRESS_FULL;
	if (network && network->count >= limits->network &&
	    !(displaces && displace_first(table, network->idlers, OF_NETWORK)))
		return ADDRESS_NETWORK_FULL;
	return ADDRESS_ENTERS;
}

enum address_entry address_enter(struct address_table *table, const struct peer *peer,
				 const struct address_limits *limits, struct address **counted)
{
	enum address_entry entry = ADDRESS_ENTERS;
	*counted = NULL;
	if (address_is_loopback(peer->address))
		return entry;
	lock_acquire(&table->lock);
	struct address *address = address_find(table, peer);
	if (address) {
		entry = address_admit(table, address, limits);
		if (entry == ADDRESS_ENTERS) {
			address->count++;
			if (address->network)
				network_recount(table, address->network,
						address->network->count + 1);
			*counted = address;
		}
		address_drop_unused(table, address);
	}
	lock_release(&table->lock);
	return entry;
}

void address_leave(struct address_table *table, struct address *address)
{
	if (!address)
		return;
	lock_acquire(&table->lock);
	address->count--;
	if (address->network)
		network_recount(table, address->network, address->network->count - 1);
	address_drop_unused(table, address);
	lock_release(&table->lock);
}
