/* stepped_writer.c: runs the store's writer thread step by step, on a clock of the test. */
#include "tests/proof/stepped_writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool waiting, granted, released;
static _Atomic int64_t now_ms = 1000000;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *held,
				  const struct timespec *until);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	if (clock != CLOCK_MONOTONIC)
		return __real_clock_gettime(clock, now);
	int64_t ms = now_ms;
	*now = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *held,
				  const struct timespec *until)
{
	pthread_mutex_lock(&mutex);
	bool free = released;
	pthread_mutex_unlock(&mutex);
	if (free) /* until the store is closed */
		return pthread_cond_wait(cond, held);
	pthread_mutex_unlock(held);
	pthread_mutex_lock(&mutex);
	waiting = true;
	pthread_cond_broadcast(&changed);
	while (!granted && !released)
		pthread_cond_wait(&changed, &mutex);
	bool late = !released && now_ms >= until->tv_sec * 1000 + until->tv_nsec / 1000000;
	granted = waiting = false;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(held);
	return late ? ETIMEDOUT : 0;
}

static void wait_for_it(void)
{
	while (!waiting || granted)
		pthread_cond_wait(&changed, &mutex);
}

void stepped_writer_wait(void)
{
	pthread_mutex_lock(&mutex);
	wait_for_it();
	pthread_mutex_unlock(&mutex);
}

void stepped_writer_step(void)
{
	pthread_mutex_lock(&mutex);
	wait_for_it();
	granted = true;
	pthread_cond_broadcast(&changed);
	wait_for_it();
	pthread_mutex_unlock(&mutex);
}

void stepped_writer_advance_ms(int64_t ms)
{
	now_ms += ms;
}

void stepped_writer_release(void)
{
	pthread_mutex_lock(&mutex);
	released = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

void stepped_writer_hold(void)
{
	pthread_mutex_lock(&mutex);
	released = waiting = granted = false;
	pthread_mutex_unlock(&mutex);
}
