/* addresses.c: connections by address, in a hash table with a secret seed. */
#include "server/http/addresses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <utlist.h>

#include "server/access/forward.h"
#include "server/config.h"
#include "server/util/hash_table.h"
#include "server/util/lock.h"
#include "server/util/meters.h"

/* How many listed connections are tried for one that has sent nothing meanwhile. */
#define CANDIDATES 8

struct address {
	struct hash_link by_network; /* first: see hash_table.h */
	uint64_t network[2];
	uint64_t count;
	struct idler *idlers; /* the first has been listed longest */
};

struct address_table {
	struct lock lock;
	uint64_t seed;
	struct idler *idlers; /* the same for all addresses */
	struct hash_table addresses;
};

struct address_table *address_table_create(void)
{
	struct address_table *table = calloc(1, sizeof *table);
	if (!table)
		return NULL;
	if (getrandom(&table->seed, sizeof table->seed, 0) != (ssize_t)sizeof table->seed ||
	    !hash_table_init(&table->addresses))
		goto no_addresses;
	if (lock_init(&table->lock))
		return table;
	hash_table_finish(&table->addresses, NULL);
no_addresses:
	free(table);
	return NULL;
}

static void free_address(struct hash_link *link)
{
	free((struct address *)link);
}

void address_table_destroy(struct address_table *table)
{
	if (!table)
		return;
	lock_destroy(&table->lock);
	hash_table_finish(&table->addresses, free_address);
	free(table);
}

/* With the lock held. Once it is no longer listed, its own thread may free it without the lock: so
 * that is stored last. */
static void idler_remove(struct address_table *table, struct idler *idler)
{
	lock_assert_held(&table->lock);
	DL_DELETE2(table->idlers, idler, previous, next);
	if (idler->address)
		DL_DELETE2(idler->address->idlers, idler, address_previous, address_next);
	atomic_store(&idler->listed, false);
}

void idler_list(struct address_table *table, struct idler *idler, struct address *address, int fd)
{
	if (atomic_load_explicit(&idler->listed, memory_order_relaxed))
		return;
	lock_acquire(&table->lock);
	idler->address = address;
	idler->fd = fd;
	DL_APPEND2(table->idlers, idler, previous, next);
	if (address)
		DL_APPEND2(address->idlers, idler, address_previous, address_next);
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
	lock_acquire(&table->lock);
	struct idler *idler = table->idlers;
	for (int i = 0; i < CANDIDATES && idler && !displaced; i++) {
		struct idler *next = idler->next;
		displaced = shut_down(table, idler);
		idler = next;
	}
	lock_release(&table->lock);
	return displaced;
}

/* The same among the connections of one address. With the lock held. */
static bool displace_of(struct address_table *table, struct address *address)
{
	lock_assert_held(&table->lock);
	bool displaced = false;
	struct idler *idler = address->idlers;
	for (int i = 0; i < CANDIDATES && idler && !displaced; i++) {
		struct idler *next = idler->address_next;
		displaced = shut_down(table, idler);
		idler = next;
	}
	return displaced;
}

/* With the lock held. */
static bool network_enter(struct address_table *table, const uint64_t network[2], uint64_t max,
			  struct address **counted)
{
	lock_assert_held(&table->lock);
	const uint64_t hash = hash_seeded(table->seed, network);
	struct hash_link *link = hash_table_first(&table->addresses, hash);
	for (; link; link = hash_table_next(link)) {
		struct address *address = (struct address *)link;
		if (memcmp(address->network, network, sizeof address->network) != 0)
			continue;
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
	*address = (struct address){.network = {network[0], network[1]}, .count = 1};
	hash_table_add(&table->addresses, &address->by_network, hash);
	*counted = address;
	return true;
}

bool address_enter(struct address_table *table, const struct peer *peer, uint64_t max,
		   struct address **counted)
{
	uint64_t network[2];
	*counted = NULL;
	if (max == LIMIT_OFF || address_is_loopback(peer->address))
		return true;
	memcpy(network, peer->address, sizeof network);
	if (!address_is_v4(peer->address))
		network[1] = 0;
	lock_acquire(&table->lock);
	bool entered = network_enter(table, network, max, counted);
	lock_release(&table->lock);
	return entered;
}

void address_leave(struct address_table *table, struct address *address)
{
	if (!address)
		return;
	lock_acquire(&table->lock);
	if (--address->count == 0) {
		hash_table_remove(&table->addresses, &address->by_network);
		free(address);
	}
	lock_release(&table->lock);
}
