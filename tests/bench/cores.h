/* cores.h: the same work on every core, and how those read who are sent an event. */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CORES_MAX 4 /* as many as the server's threads at most */

/* Readers are other machines in truth. Here each takes of its core what it needs and of no other,
 * looks now and then, so that no send has to wake it, and rests after an event, so that what is left
 * of it (acknowledgements) does not go into the next. */
#define READ_US 1000
#define READ_EVENTS 512
#define REST_US 100000
#define WAIT_MS 10000

/* First called while there is one thread. */
static inline size_t cores(void)
{
	static size_t count;
	if (count == 0) {
		long online = sysconf(_SC_NPROCESSORS_ONLN); /* reads a file */
		count = online < 1 ? 1 : online < CORES_MAX ? (size_t)online : CORES_MAX;
	}
	return count;
}

/* The calling thread runs on that core only, if it may. */
static inline void stay_on_core(size_t core)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* Calls it with each share of an array of cores() of them, each in a thread of its own, and waits for
 * all. */
static inline void on_cores(void *(*work)(void *), void *shares, size_t size)
{
	pthread_t threads[CORES_MAX];
	for (size_t i = 0; i < cores(); i++)
		if (pthread_create(&threads[i], NULL, work, (char *)shares + i * size) != 0) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
	for (size_t i = 0; i < cores(); i++)
		pthread_join(threads[i], NULL);
}

#endif
