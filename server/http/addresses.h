/* addresses.h: how many connections an address has, and which of them have been idle for long; IPv6
 * counts by /64, loopback does not count.
 * Connections come and go on several threads: all but create and destroy lock the table. */
#ifndef SERVER_HTTP_ADDRESSES_H
#define SERVER_HTTP_ADDRESSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/api/request/request.h"
#include "server/util/error.h"

struct address_table;
struct address;

/* NULL when memory or randomness is out. */
MUST_USE struct address_table *address_table_create(void);
void address_table_destroy(struct address_table *table);

/* A connection that has been idle for long. It may be shut down for a newcomer as long as it is
 * listed. In the connection's memory, zeroed at first. */
struct idler {
	struct idler *previous, *next;                 /* of all */
	struct idler *address_previous, *address_next; /* of its address */
	struct address *address;                       /* NULL: not counted */
	int fd;
	atomic_bool listed;
};

/* One more connection of this address; false: it has `max` already (LIMIT_OFF: any number), and
 * none of them is listed as idle. Else the one that has been listed longest is shut down. `counted`
 * is what to leave with; NULL if the connection is not counted: loopback, no limit, or no memory
 * for it. */
MUST_USE bool address_enter(struct address_table *table, const struct peer *peer, uint64_t max,
			    struct address **counted);
/* Lists it behind all others; nothing where it is listed. */
void idler_list(struct address_table *table, struct idler *idler, struct address *address, int fd);
/* It is idle no more, or ends. Its descriptor must be open until then. */
void idler_unlist(struct address_table *table, struct idler *idler);
/* Shuts down the one of all that has been listed longest; false: there is none. */
bool idler_displace(struct address_table *table);
void address_leave(struct address_table *table, struct address *address); /* NULL: nothing */

#endif
