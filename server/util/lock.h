/* lock.h: a mutex that knows whether the calling thread holds it.
 *
 * A function whose contract says "with the lock" begins with lock_assert_held(). Checked builds
 * (checked.h) compare the holder; in release builds it does nothing, and a struct lock is a
 * pthread_mutex_t. */
#ifndef SERVER_UTIL_LOCK_H
#define SERVER_UTIL_LOCK_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "server/util/checked.h"
#include "server/util/error.h"

struct lock {
	pthread_mutex_t mutex;
#if IS_CHECKED
	_Atomic(pthread_t) holder; /* 0: not held */
#endif
};

MUST_USE bool lock_init(struct lock *lock);
/* For locks that are held for about a microsecond: a waiting thread spins before it sleeps. */
MUST_USE bool lock_init_adaptive(struct lock *lock);
/* A condition for lock_wait_until(). */
MUST_USE bool lock_condition_init(pthread_cond_t *condition);

/* A lock of static storage. */
#define LOCK_INITIALIZER                                                                           \
	{                                                                                          \
		.mutex = PTHREAD_MUTEX_INITIALIZER                                                 \
	}

static inline void lock_destroy(struct lock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

/* Notes that the calling thread holds the lock from now on, or no longer does; nothing in release
 * builds. */
static inline void lock_note_holder(struct lock *lock, bool held)
{
#if IS_CHECKED
	atomic_store_explicit(&lock->holder, held ? pthread_self() : 0, memory_order_relaxed);
#else
	(void)lock;
	(void)held;
#endif
}

static inline void lock_acquire(struct lock *lock)
{
	pthread_mutex_lock(&lock->mutex);
	lock_note_holder(lock, true);
}

static inline void lock_release(struct lock *lock)
{
	lock_note_holder(lock, false);
	pthread_mutex_unlock(&lock->mutex);
}

/* Waits for the condition; the lock is released meanwhile. */
static inline void lock_wait(struct lock *lock, pthread_cond_t *condition)
{
	lock_note_holder(lock, false);
	pthread_cond_wait(condition, &lock->mutex);
	lock_note_holder(lock, true);
}

/* Waits at most until `due_ns` of the monotonic clock; false: it is over. */
static inline bool lock_wait_until(struct lock *lock, pthread_cond_t *condition, uint64_t due_ns)
{
	const struct timespec due = {.tv_sec = (time_t)(due_ns / 1000000000u),
				     .tv_nsec = (long)(due_ns % 1000000000u)};
	lock_note_holder(lock, false);
	const bool woken = pthread_cond_timedwait(condition, &lock->mutex, &due) == 0;
	lock_note_holder(lock, true);
	return woken;
}

static inline void lock_assert_held(const struct lock *lock)
{
#if IS_CHECKED
	assert(pthread_equal(atomic_load_explicit(&lock->holder, memory_order_relaxed),
			     pthread_self()));
#else
	(void)lock;
#endif
}

#endif
