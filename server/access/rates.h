/* rates.h: rate limits: a bounded number of token buckets.
 *
 * A bucket is one number, the time at which it will be full again (the generic cell rate algorithm:
 * ITU-T I.371). A full bucket holds no information, so a table of fixed size can drop the fullest.
 * Clients are hashed with a secret, so that nobody can displace another client on purpose. Any
 * thread; some 50 ns. */
#ifndef SERVER_ACCESS_RATES_H
#define SERVER_ACCESS_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

/* `amount` requests in `period_ms`, and `burst` at once after a pause. */
struct rate {
	const char *name; /* in RateLimit: "reads" */
	uint64_t amount, burst;
	uint64_t period_ms;
};

/* The state of a bucket after a request. */
struct rate_answer {
	bool allowed;
	uint64_t left;     /* further requests allowed now */
	uint64_t reset_ms; /* until the bucket is full */
	uint64_t wait_ms;  /* if not allowed: until it would be */
};

struct rates;

MUST_USE struct rates *rates_create(void); /* NULL if out of memory */
void rates_destroy(struct rates *rates);

/* Counts a request of `who` (any bytes) at that rate, if it is allowed. An amount of UINT64_MAX is
 * no limit. */
struct rate_answer rates_ask(struct rates *rates, const struct rate *rate, const void *who,
			     size_t length, uint64_t now_ns);
/* The same for `count` at once, all or none. More than the burst counts as the burst: it is allowed
 * after a pause. */
struct rate_answer rates_ask_many(struct rates *rates, const struct rate *rate, uint64_t count,
				  const void *who, size_t length, uint64_t now_ns);

/* Undoes what was allowed, if the request came to nothing. */
void rates_give_back(struct rates *rates, const struct rate *rate, const void *who, size_t length);
void rates_give_back_many(struct rates *rates, const struct rate *rate, uint64_t count,
			  const void *who, size_t length);

#endif
