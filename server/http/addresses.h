/* addresses.h: how many connections an address has; IPv6 counts by /64, loopback does not count.
 * Connections come and go on several threads: all but create and destroy lock the table. */
#ifndef SERVER_HTTP_ADDRESSES_H
#define SERVER_HTTP_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "server/api/request.h"

struct address_table;
struct address;

/* NULL when memory or randomness is out. */
struct address_table *address_table_create(void);
void address_table_destroy(struct address_table *table);

/* One more connection of this address; false: it has `max` already (LIMIT_OFF: any number).
 * `counted` is what to leave with; NULL where the connection is not counted: loopback, no limit, or
 * no memory for it. */
bool address_enter(struct address_table *table, const struct peer *peer, uint64_t max,
		   struct address **counted);
void address_leave(struct address_table *table, struct address *address); /* NULL: nothing */

#endif
