/* plain_sends.c: what an event to many costs without a server: as many bytes to as many connections, sent by threads that do
 * nothing else, and read as fanout.c reads.
 *
 *     build/bench/plain_sends CONNECTIONS EVENTS
 *
 * Prints "plain_ms" and the median time until all have it. As many threads send as the server's: one a core, four at
 * most. They are a process of their own, as the server is. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

#define EVENT_BYTES 132 /* of an entry of one turn */
#define THREADS_MAX 4

static size_t count;
static long threads;
static int *senders;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "plain_sends: %s (%s)\n", what, strerror(errno));
	exit(1);
}

static void prepare(int fd)
{
	int on = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

/* ---- who sends ---- */

static void *send_share(void *first)
{
	static const char event[EVENT_BYTES];
	for (size_t i = (size_t)(uintptr_t)first; i < count; i += (size_t)threads)
		if (send(senders[i], event, sizeof event, MSG_NOSIGNAL) != sizeof event)
			fail("cannot send");
	return NULL;
}

/* An event for each byte that comes. */
static _Noreturn void send_all(int listener, int bell)
{
	pthread_t others[THREADS_MAX];
	char ring;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < count; i++) {
		senders[i] = accept(listener, NULL, NULL);
		if (senders[i] < 0)
			fail("cannot accept");
		prepare(senders[i]);
	}
	while (read(bell, &ring, 1) == 1) {
		for (long i = 1; i < threads; i++)
			if (pthread_create(&others[i], NULL, send_share, (void *)(uintptr_t)i) != 0)
				fail("no thread");
		send_share(NULL);
		for (long i = 1; i < threads; i++)
			pthread_join(others[i], NULL);
	}
	exit(0);
}

/* ---- who reads ---- */

static void connect_all(int epoll, const struct sockaddr_in *address)
{
	for (size_t i = 0; i < count; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = fd};
		if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 ||
		    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
			fail("cannot connect");
		prepare(fd);
	}
}

static void gather(int epoll)
{
	struct epoll_event events[512];
	char text[65536];
	for (size_t bytes = 0; bytes < count * EVENT_BYTES;) {
		int ready = epoll_wait(epoll, events, 512, 10000);
		if (ready <= 0)
			fail("an event did not come");
		for (int i = 0; i < ready; i++) {
			ssize_t length = recv(events[i].data.fd, text, sizeof text, 0);
			if (length <= 0)
				fail("a connection ended");
			bytes += (size_t)length;
		}
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		fail("usage: plain_sends CONNECTIONS EVENTS");
	count = strtoul(argv[1], NULL, 10);
	const size_t events = strtoul(argv[2], NULL, 10);
	struct rlimit files;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0), bell[2], epoll = epoll_create1(0);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	threads = sysconf(_SC_NPROCESSORS_ONLN);
	threads = threads < THREADS_MAX ? threads : THREADS_MAX;
	senders = calloc(count, sizeof *senders);
	double *ms = calloc(events, sizeof *ms);
	if (!senders || !ms || pipe(bell) != 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
	    listen(listener, 4096) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0)
		fail("cannot listen");
	if (fork() == 0)
		send_all(listener, bell[0]);
	connect_all(epoll, &address);
	sleep(1);
	for (size_t i = 0; i < events; i++) {
		uint64_t begin = clock_ns();
		if (write(bell[1], "", 1) != 1)
			fail("nobody sends");
		gather(epoll);
		ms[i] = (double)(clock_ns() - begin) / 1e6;
		usleep(20000);
	}
	printf("plain_ms %.1f\n", quantile(ms, events, 0.5));
	free(ms);
	free(senders);
	return 0;
}
