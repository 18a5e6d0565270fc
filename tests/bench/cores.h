/* cores.h: the same work on every core, and how those read who are sent an event. */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CORES_MAX 4 /* as many as the server's threads at most */

/* Readers are other machines in truth. Here they look now and then, so that no send has to wake one,
 * and rest after an event, so that what is left of it (acknowledgements) does not go into the next. */
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

/* Calls it with each share of an array of cores() of them, one a thread, and waits for all. */
static inline void on_cores(void *(*work)(void *), void *shares, size_t size)
{
	pthread_t threads[CORES_MAX];
	for (size_t i = 1; i < cores(); i++)
		if (pthread_create(&threads[i], NULL, work, (char *)shares + i * size) != 0) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
	work(shares);
	for (size_t i = 1; i < cores(); i++)
		pthread_join(threads[i], NULL);
}

#endif
