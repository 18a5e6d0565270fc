/* log_limit.h: at most some lines of a kind in a minute, so that a flood does not fill the disk; the
 * others are counted. Any thread. */
#ifndef SERVER_UTIL_LOG_LIMIT_H
#define SERVER_UTIL_LOG_LIMIT_H

#include "server/util/lock.h"

#define LOG_LIMIT_KINDS 64
#define LOG_LIMIT_LINES 10
#define LOG_LIMIT_MS 60000

/* All zero but its lock at first: { .lock = LOCK_INITIALIZER }. */
struct log_limit {
	struct lock lock; /* of all that follows */
	struct {
		int64_t begin_ms;  /* of its present minute */
		unsigned lines;    /* written in it */
		uint64_t left_out; /* in it; */
		uint64_t before;   /* and in earlier ones, not taken yet */
	} kinds[LOG_LIMIT_KINDS];
	_Atomic bool has_left_out; /* of any kind; may be read without the lock */
};

/* Returns true if a line of this kind may be written at that time (on a clock that only goes
 * forward); otherwise counts it as left out. */
bool log_limit_admits(struct log_limit *limit, unsigned kind, int64_t now_ms);

/* Returns how many lines of this kind were left out in a minute that is over by now, and have not
 * been returned yet. INT64_MAX as the time: in any minute. */
uint64_t log_limit_take(struct log_limit *limit, unsigned kind, int64_t now_ms);

/* Returns true if lines were left out that log_limit_take() has not returned. Costs no lock. */
static inline bool log_limit_has_left_out(const struct log_limit *limit)
{
	return atomic_load_explicit(&limit->has_left_out, memory_order_relaxed);
}

#endif
