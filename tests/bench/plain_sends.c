/* plain_sends.c: what an event to many costs without a server: as many bytes to as many connections, sent by threads that do
 * nothing else, and read as fanout.c reads.
 *
 *     build/bench/plain_sends CONNECTIONS EVENTS
 *
 * Prints "plain_ms" and the median time until all have it. As many threads send as the server's: one a core, four at
 * most, a process of their own, as the server is; each takes the next handful. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "cores.h"

#define EVENT_BYTES 132 /* of an entry of one turn */
#define HANDFUL 32

/* The connections of one reading thread. */
struct share {
	size_t first; /* every so manieth connection from it on */
	int epoll;
	size_t bytes;
};

static size_t count;
static int *senders;
static _Atomic size_t sent;
static struct share shares[CORES_MAX];

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

static void *send_shares(void *argument)
{
	static const char event[EVENT_BYTES];
	(void)argument;
	for (size_t first; (first = atomic_fetch_add(&sent, HANDFUL)) < count;)
		for (size_t i = first; i < first + HANDFUL && i < count; i++)
			if (send(senders[i], event, sizeof event, MSG_NOSIGNAL) != sizeof event)
				fail("cannot send");
	return NULL;
}

/* An event for each byte that comes. */
static _Noreturn void send_all(int listener, int bell)
{
	char ring;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < count; i++) {
		senders[i] = accept(listener, NULL, NULL);
		if (senders[i] < 0)
			fail("cannot accept");
		prepare(senders[i]);
	}
	while (read(bell, &ring, 1) == 1) {
		sent = 0;
		on_cores(send_shares, shares, sizeof *shares);
	}
	exit(0);
}

/* ---- who reads ---- */

static void connect_all(const struct sockaddr_in *address)
{
	for (size_t i = 0; i < count; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = fd};
		if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 ||
		    epoll_ctl(shares[i % cores()].epoll, EPOLL_CTL_ADD, fd, &event) != 0)
			fail("cannot connect");
		prepare(fd);
	}
}

static void *read_share(void *argument)
{
	struct share *share = argument;
	struct epoll_event events[READ_EVENTS];
	char text[65536];
	uint64_t end = clock_ns() + WAIT_MS * 1000000ull;
	stay_on_core(share->first);
	for (size_t left = share->bytes; left > 0;) {
		int ready = epoll_wait(share->epoll, events, READ_EVENTS, 0);
		for (int i = 0; i < ready; i++) {
			ssize_t length = recv(events[i].data.fd, text, sizeof text, 0);
			if (length <= 0)
				fail("a connection ended");
			left -= (size_t)length;
		}
		if (ready < READ_EVENTS)
			usleep(READ_US);
		if (clock_ns() > end)
			fail("an event did not come");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		fail("usage: plain_sends CONNECTIONS EVENTS");
	count = strtoul(argv[1], NULL, 10);
	const size_t events = strtoul(argv[2], NULL, 10);
	struct rlimit files;
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0), bell[2];
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	for (size_t i = 0; i < cores(); i++)
		shares[i] =
			(struct share){.first = i,
				       .epoll = epoll_create1(0),
				       .bytes = (count - i + cores() - 1) / cores() * EVENT_BYTES};
	senders = calloc(count, sizeof *senders);
	double *ms = calloc(events, sizeof *ms);
	if (!senders || !ms || pipe(bell) != 0 ||
	    bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
	    listen(listener, 4096) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) != 0)
		fail("cannot listen");
	if (fork() == 0)
		send_all(listener, bell[0]);
	connect_all(&address);
	sleep(1);
	for (size_t i = 0; i < events; i++) {
		uint64_t begin = clock_ns();
		if (write(bell[1], "", 1) != 1)
			fail("nobody sends");
		on_cores(read_share, shares, sizeof *shares);
		ms[i] = (double)(clock_ns() - begin) / 1e6;
		usleep(REST_US);
	}
	printf("plain_ms %.1f\n", quantile(ms, events, 0.5));
	free(ms);
	free(senders);
	return 0;
}
