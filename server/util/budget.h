/* budget.h: how much memory requests may take, in total and for each client.
 *
 * A budget counts bytes. A request has a charge, which takes bytes from the budget before the
 * request allocates them and gives them back afterwards. The bytes of a client with a share count
 * for the account of that client as well; requests of the same 16 bytes share an account, which
 * exists while one of its charges holds something. A client that is alone may take its share; if
 * there are others, it may take the same part of what they leave (server/util/share.h), so that a
 * few clients never take everything.
 *
 * The first BUDGET_FREE_BYTES of a charge are free, so that a usual request touches no shared
 * counter; beyond, it takes BUDGET_CHUNK_BYTES at a time from the budget. A budget refuses what
 * would fill it beyond seven eighths. The last eighth is for answers that have begun: these are
 * never refused, but their maker waits while charge_ready() is false. So requests that can be
 * refused never fill the whole budget.
 *
 * A charge belongs to one thread at a time. A budget belongs to all. */
#ifndef SERVER_UTIL_BUDGET_H
#define SERVER_UTIL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

#define BUDGET_CLIENT_BYTES 16
/* Not counted, for each request: its connection takes about as much. */
#define BUDGET_FREE_BYTES ((size_t)16384)
#define BUDGET_CHUNK_BYTES ((size_t)65536)

struct budget;
struct budget_account;

/* The reason for refusing a charge. */
enum budget_refusal {
	BUDGET_GRANTED,
	BUDGET_TOTAL, /* the other requests leave too little */
	BUDGET_SHARE, /* other requests of the client hold its share */
	BUDGET_ALONE  /* this request alone needs more than it may: waiting does not help */
};

/* All zero: nothing is counted, nothing is refused. */
struct charge {
	struct budget *budget;
	struct budget_account *account; /* NULL: nothing held, or no share */
	uint8_t client[BUDGET_CLIENT_BYTES];
	bool counted;          /* the client has a share */
	bool forced;           /* nothing is refused */
	unsigned char refused; /* enum budget_refusal: the last one */
	size_t used;           /* bytes that the request uses */
	size_t held;           /* bytes taken from the budget */
};

/* `total`: bytes for all requests; `share`: for a client that is alone; UINT64_MAX: no limit. Both
 * above 0. NULL if out of memory. */
MUST_USE struct budget *budget_create(uint64_t total, uint64_t share);
/* All charges must have ended. */
void budget_destroy(struct budget *budget);
/* The bytes taken now; the number of accounts. */
uint64_t budget_bytes(const struct budget *budget);
size_t budget_accounts(struct budget *budget);

/* `counted`: the client has a share. Takes nothing yet. */
void charge_begin(struct charge *charge, struct budget *budget,
		  const uint8_t client[BUDGET_CLIENT_BYTES], bool counted);
/* Gives everything back; the charge is all zero afterwards. */
void charge_end(struct charge *charge);

/* The slow paths of charge_take() and charge_give(). */
MUST_USE bool charge_hold(struct charge *charge, size_t used);
void charge_let_go(struct charge *charge);

/* False: refused, and nothing is taken. `charge` may be NULL: not counted. */
MUST_USE static inline bool charge_take(struct charge *charge, size_t bytes)
{
	if (!charge || !charge->budget)
		return true;
	if (bytes > SIZE_MAX / 2 - charge->used)
		return false;
	const size_t used = charge->used + bytes;
	if (used > BUDGET_FREE_BYTES && used > charge->held && !charge_hold(charge, used))
		return false;
	charge->used = used;
	return true;
}

/* For what is allocated already: never refused. */
void charge_force(struct charge *charge, size_t bytes);

static inline void charge_give(struct charge *charge, size_t bytes)
{
	if (!charge || !charge->budget)
		return;
	charge->used -= bytes;
	if (charge->held > 0)
		charge_let_go(charge);
}

/* Returns true if an answer that has begun may go on growing: neither the budget nor the share is
 * full. */
bool charge_ready(const struct charge *charge);

#endif
