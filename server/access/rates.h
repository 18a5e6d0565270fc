/* rates.h: how often somebody may ask: token buckets, a bounded number of them.
 *
 * A bucket is one number, the time at which it will be full again (the generic cell rate algorithm:
 * ITU-T I.371). A bucket that is full says nothing, so nothing is lost when it is forgotten: a
 * table of fixed size keeps those that are least full. Who is counted is hashed with a secret, so
 * that nobody can aim at another's place. Any thread; some 50 ns. */
#ifndef SERVER_ACCESS_RATES_H
#define SERVER_ACCESS_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

/* `amount` in `period_ms`, and `burst` at once after a rest. */
struct rate {
	const char *name; /* in RateLimit: "reads" */
	uint64_t amount, burst;
	uint64_t period_ms;
};

/* What is left after a question was asked. */
struct rate_answer {
	bool allowed;
	uint64_t left;     /* further questions that would be allowed now */
	uint64_t reset_ms; /* until the bucket is full */
	uint64_t wait_ms;  /* where not allowed: until one would be */
};

struct rates;

MUST_USE struct rates *rates_create(void); /* NULL if out of memory */
void rates_destroy(struct rates *rates);

/* Counts one for `who` (any bytes) by that rate, if it is allowed. An amount of UINT64_MAX is no
 * limit. */
struct rate_answer rates_ask(struct rates *rates, const struct rate *rate, const void *who,
			     size_t length, uint64_t now_ns);
/* The same for `count` at once, all or none. More than the burst counts as the burst: it is allowed
 * after a rest. */
struct rate_answer rates_ask_many(struct rates *rates, const struct rate *rate, uint64_t count,
				  const void *who, size_t length, uint64_t now_ns);

/* Takes back one that rates_ask allowed, for what came to nothing; or `count`. */
void rates_give_back(struct rates *rates, const struct rate *rate, const void *who, size_t length);
void rates_give_back_many(struct rates *rates, const struct rate *rate, uint64_t count,
			  const void *who, size_t length);

#endif
