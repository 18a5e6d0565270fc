/* fair_queue.h: a queue that clients share fairly, by the service each has received.
 *
 * Items of one client are served in the order of arrival, those that have begun before new ones.
 * Among clients, the next item is that of the client with the fewest items in service, and of
 * those, the one that has received the least service. Service is what the caller measures and
 * charges, in ns of a thread: a client that sends one long item after another waits behind clients
 * whose items are short, however many it queues.
 *
 * A client that was idle starts level with the clients being served, so idle time earns no credit:
 * start-time fair queueing (P. Goyal, H. Vin, H. Cheng: Start-time Fair Queueing, 1996) with costs
 * known only after service.
 *
 * At most FAIR_QUEUE_CLIENTS clients have an account of their own. While more have items in the
 * queue, some share an account and thus a turn; no item is refused or lost. Nothing is allocated or
 * locked: the caller must hold its own lock. A push or pop scans the accounts in use, some
 * nanoseconds each. */
#ifndef SERVER_UTIL_FAIR_QUEUE_H
#define SERVER_UTIL_FAIR_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

#define FAIR_QUEUE_CLIENTS 256
#define CLIENT_KEY_BYTES 16

/* Embedded in what is queued. */
struct fair_item {
	struct fair_item *next;
	struct fair_account *account; /* set by fair_queue_push, until fair_queue_done */
	uint64_t estimate_ns;         /* set by the caller: of its service; 0: none */
	bool begun; /* set by the caller: goes before the client's items that have not begun */
};

struct fair_account {
	uint8_t client[CLIENT_KEY_BYTES];
	struct fair_item *first, *last; /* waiting */
	struct fair_item *last_begun;   /* the last that has begun; NULL: none */
	size_t waiting, in_service;
	uint64_t estimated_ns; /* of its items waiting or in service */
	uint64_t served_ns;    /* virtual time: service received, or granted for having been idle */
};

/* All zero is an empty queue without a bound. */
struct fair_queue {
	struct fair_account accounts[FAIR_QUEUE_CLIENTS];
	size_t used; /* the first ones; the others were never used */
	size_t waiting;
	size_t in_service_max; /* items of one client in service at a time; 0: any number */
	uint64_t now_ns;       /* virtual time of the item popped last */
};

/* Queues an item for a client. Its `estimate_ns` and `begun` are set. */
void fair_queue_push(struct fair_queue *queue, struct fair_item *item,
		     const uint8_t client[CLIENT_KEY_BYTES]);

/* The next item, now in service; NULL if no client that may have another one in service has one. */
struct fair_item *fair_queue_pop(struct fair_queue *queue);

/* Removes a waiting item; costs a scan of its client's items. False if it does not wait. */
MUST_USE bool fair_queue_remove(struct fair_queue *queue, struct fair_item *item);

/* The sum of the estimates of a client's items, waiting or in service. */
uint64_t fair_queue_estimated(const struct fair_queue *queue,
			      const uint8_t client[CLIENT_KEY_BYTES]);

/* The prospects of a client that queues an item now. */
struct fair_outlook {
	size_t own;     /* items of the client itself that wait */
	size_t ahead;   /* items served before it, its own among them, if all take equally long */
	size_t clients; /* clients with items waiting or in service, with this one */
};
struct fair_outlook fair_queue_outlook(const struct fair_queue *queue,
				       const uint8_t client[CLIENT_KEY_BYTES]);

/* Ends the service of a popped item and charges its client. An item served in slices is pushed
 * again after this. */
void fair_queue_done(struct fair_item *item, uint64_t cost_ns);

#endif
