/* addresses.h: counts connections by address and lists those that have been idle for long; IPv6
 * counts by /64, loopback does not count. Any thread, except create and destroy. */
#ifndef SERVER_HTTP_ADDRESSES_H
#define SERVER_HTTP_ADDRESSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/api/request/request.h"
#include "server/util/error.h"

struct address_table;
struct address;

/* NULL if out of memory or randomness. */
MUST_USE struct address_table *address_table_create(void);
void address_table_destroy(struct address_table *table);

/* A connection that has been idle for long: while listed, it may be shut down for a new one. Part
 * of the connection; all zero at first. */
struct idler {
	struct idler *previous, *next;                 /* of all */
	struct idler *address_previous, *address_next; /* of its address */
	struct address *address;                       /* NULL: not counted */
	int fd;
	atomic_bool listed;
};

/* Counts a connection of this address. If it has `max` already (LIMIT_OFF: any number), the one
 * listed longest is shut down; false if none is listed. *counted is the argument for
 * address_leave(); NULL if not counted: loopback, no limit, or out of memory. */
MUST_USE bool address_enter(struct address_table *table, const struct peer *peer, uint64_t max,
			    struct address **counted);
/* Lists a connection after all others, unless it is listed. */
void idler_list(struct address_table *table, struct idler *idler, struct address *address, int fd);
/* No longer idle, or ending. Until then its descriptor must stay open. */
void idler_unlist(struct address_table *table, struct idler *idler);
/* Shuts down the connection listed longest; false: there is none. */
bool idler_displace(struct address_table *table);
void address_leave(struct address_table *table, struct address *address); /* NULL: nothing */

#endif
