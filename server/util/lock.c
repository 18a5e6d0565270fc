/* lock.c: kinds of mutexes. */
#include "server/util/lock.h"

static bool init_of_kind(struct lock *lock, int kind)
{
	pthread_mutexattr_t attributes;
	if (pthread_mutexattr_init(&attributes) != 0)
		return false;
#if IS_CHECKED
	atomic_init(&lock->holder, 0);
#endif
	pthread_mutexattr_settype(&attributes, kind);
	const bool made = pthread_mutex_init(&lock->mutex, &attributes) == 0;
	pthread_mutexattr_destroy(&attributes);
	return made;
}

bool lock_init(struct lock *lock)
{
	return init_of_kind(lock, PTHREAD_MUTEX_DEFAULT);
}

bool lock_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;
	if (pthread_condattr_init(&attributes) != 0)
		return false;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	const bool made = pthread_cond_init(condition, &attributes) == 0;
	pthread_condattr_destroy(&attributes);
	return made;
}

bool lock_init_adaptive(struct lock *lock)
{
	return init_of_kind(lock, PTHREAD_MUTEX_ADAPTIVE_NP);
}
