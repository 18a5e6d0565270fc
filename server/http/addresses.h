/* addresses.h: counts connections by address and by network, and lists those that may be closed for a
 * new one; an address of IPv6 is a /64, loopback does not count. Any thread, except create and
 * destroy. */
#ifndef SERVER_HTTP_ADDRESSES_H
#define SERVER_HTTP_ADDRESSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/access/forward.h"
#include "server/api/request/request.h"
#include "server/util/error.h"

struct address_table;
struct address;

/* A table is of connections, which are listed while they are idle; or of streams of events, which are
 * listed always, and closed for others only. */
enum address_kind { ADDRESSES_OF_CONNECTIONS, ADDRESSES_OF_STREAMS };

/* NULL if out of memory or randomness. */
MUST_USE struct address_table *address_table_create(enum address_kind kind);
void address_table_destroy(struct address_table *table);

/* The lists that a connection is in: of all, of its address, of its network. */
enum idler_list { OF_ALL, OF_ADDRESS, OF_NETWORK, IDLER_LISTS };

/* A connection that may be shut down for a new one while it is listed. Part of the connection; all
 * zero at first. */
struct idler {
	struct {
		struct idler *previous, *next;
	} in[IDLER_LISTS];
	struct address *address; /* NULL: not counted */
	int fd;
	atomic_bool listed;
};

/* The most of an address, and of its network (see network_of()); LIMIT_OFF: any number. */
struct address_limits {
	uint64_t address, network;
};

enum address_entry { ADDRESS_ENTERS, ADDRESS_FULL, ADDRESS_NETWORK_FULL };

/* Counts a connection of this address and of its network. If there are as many already as may be, the
 * one listed longest of them is shut down, unless the table is of streams; if none is, it is FULL.
 * *counted is the argument for address_leave(); NULL if not counted: loopback, or out of memory. */
MUST_USE enum address_entry address_enter(struct address_table *table, const struct peer *peer,
					  const struct address_limits *limits,
					  struct address **counted);
/* Lists a connection after all others, unless it is listed. */
void idler_list(struct address_table *table, struct idler *idler, struct address *address, int fd);
/* No longer idle, or ending. Until then its descriptor must stay open. */
void idler_unlist(struct address_table *table, struct idler *idler);
/* Shuts down the connection listed longest; false: there is none. */
bool idler_displace(struct address_table *table);

/* The network that lost a connection, and how many it had. */
struct displaced {
	struct network network;
	uint64_t count;
};

/* Shuts down the connection listed longest of the network that has most, if it has more than that;
 * false: there is none. */
bool address_displace_most(struct address_table *table, uint64_t more_than,
			   struct displaced *displaced);

void address_leave(struct address_table *table, struct address *address); /* NULL: nothing */

#endif
